"""The published fix, on request."""

from __future__ import annotations

import retrieval_eval
from hypothesis import given, settings

from evergold.labels.drift import drift
from evergold.labels.spec_fix import spec_fix
from evergold.model import Judgment, Snapshot
from tests.published import corpus_there, judgments_there, labels_of_a_snapshot


@settings(deadline=None, max_examples=300)
@given(labels_of_a_snapshot())
def test_the_fix_is_that_of_the_published_tool(
    case: tuple[tuple[Judgment, ...], Snapshot],
) -> None:
    """Every row is the same, also where two labels share query and chunk."""
    judgments, snapshot = case
    there = judgments_there(judgments)
    theirs = retrieval_eval.fix(there, retrieval_eval.drift(there, corpus_there(snapshot)))
    ours = spec_fix(judgments, drift(judgments, snapshot))
    assert theirs.judgments == judgments_there(ours)
