"""All that evergold does otherwise than the published tool, one by one.

Each entry has the subject in `spec/compatibility.md`, the answer that it is about, when it applies,
and what evergold answers in place of the published answer.
"""

from __future__ import annotations

from tests.differential.asked import Deviation
from tests.differential.columns import COLUMNS
from tests.differential.gating import GATING
from tests.differential.judging import JUDGING
from tests.differential.reading import READING
from tests.differential.scoring import SCORING

DEVIATIONS: tuple[Deviation, ...] = (*READING, *COLUMNS, *JUDGING, *SCORING, *GATING)
