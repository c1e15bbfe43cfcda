"""The one order of results."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.retrieval.ranking import top


def _top(scores: dict[str, float], k: int, floor: float = 0.0) -> tuple[str, ...]:
    return top(list(scores), np.asarray(list(scores.values()), dtype=np.float32), k, floor)


def test_scores_fall_and_ties_go_by_id_descending() -> None:
    """Score first, then the greater id by code point."""
    scores = {"b": 1.0, "a": 2.0, "B": 1.0, "é": 1.0, "c": 1.0}
    assert ("a", "é", "c", "b", "B") == _top(scores, 5)


def test_a_tie_across_the_cut_is_broken_by_the_rule() -> None:
    """Which of equal results is kept does not depend on the order of the input."""
    scores = {"a": 1.0, "d": 1.0, "b": 1.0, "c": 2.0}
    assert ("c", "d") == _top(scores, 2)
    assert ("c", "d") == _top(dict(reversed(scores.items())), 2)


def test_what_does_not_score_above_the_floor_is_no_result() -> None:
    """A score equal to the floor is not above it."""
    assert ("a",) == _top({"a": 0.5, "b": 0.0, "c": -1.0}, 9)
    assert ("a", "b") == _top({"a": 0.5, "b": 0.0, "c": -1.0}, 9, floor=-1.0)
    assert () == _top({"b": 0.0}, 9)


def test_fewer_results_than_asked_for_are_all() -> None:
    """The number asked for is a ceiling, and without candidates there is nothing."""
    assert ("a", "b") == _top({"b": 1.0, "a": 2.0}, 10)
    assert () == _top({}, 3)


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=3), st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), max_size=20),
    st.integers(1, 25),
)
def test_the_best_are_those_of_a_full_sort(scores: dict[str, float], k: int) -> None:
    """Selecting first and sorting then gives what sorting all would give."""
    found = sorted(((score, key) for key, score in scores.items() if score > 0), reverse=True)
    assert tuple(key for _, key in found[:k]) == _top(scores, k)
