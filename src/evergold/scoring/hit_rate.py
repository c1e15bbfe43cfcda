"""Hit rate: whether the first k results hold anything of use, 1 or 0.

trec_eval: `success_k`; ir_measures: `Success@k`.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def hit_rate(outcome: Outcome) -> float:
    """Return 1.0 where any of the first k results is a hit, otherwise 0.0."""
    return 1.0 if outcome.hits else 0.0
