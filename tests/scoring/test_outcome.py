"""Needs, holders, and the walk down a ranking."""

from __future__ import annotations

from evergold.model import Absorbed, Anchor, Judgment
from evergold.scoring.outcome import Needs, Outcome, needs_of, outcome


def _label(
    chunk_id: str,
    relevance: int,
    need: str | None = None,
    *,
    also: tuple[str, ...] = (),
    absorbed: tuple[Judgment, ...] = (),
) -> Judgment:
    anchor = None
    if also or absorbed:
        kept = tuple(Absorbed(row, judgment) for row, judgment in enumerate(absorbed, start=1))
        anchor = Anchor(None, None, None, also=also, absorbed=kept)
    return Judgment("q", "d", relevance, chunk_id=chunk_id, need=need, anchor=anchor)


def _needs(*labels: Judgment) -> Needs:
    return dict(needs_of(labels))["q"]


def _meetable(needs: Needs) -> tuple[tuple[int, ...], dict[str, tuple[tuple[int, int], ...]]]:
    return needs.grades, dict(needs.held)


def _hits(
    needs: Needs, ranking: str, k: int = 10, threshold: int = 1
) -> dict[int, tuple[int, ...]]:
    return dict(outcome(needs, ranking.split(), k, threshold).hits)


def test_each_label_is_a_need_of_its_own() -> None:
    """Without a `need` nothing is shared; a zero is no need."""
    needs = _needs(_label("a", 2), _label("b", 1), _label("c", 0))
    assert ((2, 1), {"a": ((0, 2),), "b": ((1, 1),)}) == _meetable(needs)


def test_labels_of_one_need_are_alternatives() -> None:
    """The need has the best of their grades, each key its own."""
    needs = _needs(_label("a", 1, "days"), _label("b", 3, "days"), _label("c", 2))
    assert ((3, 2), {"a": ((0, 1),), "b": ((0, 3),), "c": ((1, 2),)}) == _meetable(needs)


def test_other_holders_meet_the_need_as_well() -> None:
    """The ids in `also` hold what the label holds, with its grade."""
    needs = _needs(_label("a", 2, also=("b", "c")))
    assert ((2,), {"a": ((0, 2),), "b": ((0, 2),), "c": ((0, 2),)}) == _meetable(needs)


def test_the_best_label_of_a_need_on_one_key_counts() -> None:
    """A chunk that holds two labels of a need has the higher of their grades."""
    needs = _needs(_label("a", 1, "days", also=("b",)), _label("b", 3, "days", also=("a",)))
    assert ((3,), {"a": ((0, 3),), "b": ((0, 3),)}) == _meetable(needs)


def test_an_absorbed_label_is_a_need_of_its_own() -> None:
    """It counts like the row that carries it, with its own holders."""
    needs = _needs(_label("a", 3, absorbed=(_label("a", 1, also=("b",)),)))
    assert ((3, 1), {"a": ((0, 3), (1, 1)), "b": ((1, 1),)}) == _meetable(needs)


def test_an_absorbed_label_may_share_a_need() -> None:
    """Needs go by name, whether a label has a row or not."""
    needs = _needs(_label("a", 3, absorbed=(_label("a", 1, "x"),)), _label("b", 2, "x"))
    assert ((3, 2), {"a": ((0, 3), (1, 1)), "b": ((1, 2),)}) == _meetable(needs)


def test_a_zero_holds_nothing() -> None:
    """A label of grade 0 meets no need, whatever its name and holders."""
    needs = _needs(_label("a", 0, "days", also=("c",)), _label("b", 1, "days"))
    assert ((1,), {"b": ((0, 1),)}) == _meetable(needs)


def test_the_last_of_two_rows_with_one_key_counts() -> None:
    """Such a set is unsound; the published rule decides which grade it has."""
    assert ((1,), {"a": ((0, 1),)}) == _meetable(_needs(_label("a", 3), _label("a", 1)))
    assert ((), {}) == _meetable(_needs(_label("a", 3), _label("a", 0)))


def test_a_document_label_is_held_by_its_document() -> None:
    """Without a chunk id the document is the key."""
    assert {"d": ((0, 2),)} == _needs(Judgment("q", "d", 2)).held


def test_queries_stand_in_the_order_of_the_labels() -> None:
    """Each query has its own needs, also under one name."""
    rows = [Judgment(q, "d", 1, need="x") for q in ("b", "a", "b")]
    assert [("b", (1,)), ("a", (1,))] == [(q, needs.grades) for q, needs in needs_of(rows)]


def test_needs_are_counted_at_a_threshold() -> None:
    """A need counts with the best of its grades."""
    needs = _needs(_label("a", 1, "x"), _label("b", 3, "x"), _label("c", 1))
    assert [2, 1, 1, 0] == [needs.relevant(threshold) for threshold in (1, 2, 3, 4)]


def test_hits_and_misses_have_their_ranks() -> None:
    """A key that meets a need is a hit, one that holds nothing a miss."""
    needs = _needs(_label("a", 2), _label("b", 1), _label("c", 0))
    assert {2: (1,), 4: (2,)} == _hits(needs, "x b c a")


def test_a_repeat_has_no_rank() -> None:
    """The first occurrence of a key counts, and the window is cut after repeats are gone."""
    needs = _needs(_label("a", 1), _label("b", 1))
    assert {2: (1,), 3: (1,)} == _hits(needs, "x x a x a b", k=3)


def test_the_window_is_cut_at_k() -> None:
    """What follows the first k keys is not looked at."""
    needs = _needs(_label("a", 1), _label("b", 1))
    assert {1: (1,)} == _hits(needs, "a x b", k=2)


def test_a_key_that_meets_nothing_new_is_set_aside() -> None:
    """It has no rank, those behind it close up, and the window is not refilled."""
    needs = _needs(_label("a", 2, also=("b",)), _label("c", 1))
    found = outcome(needs, ["a", "b", "x", "c"], 3, 1)
    assert Outcome(needs, ["a", "b", "x"], {1: (2,)}, k=3, set_aside=1, relevant=2) == found


def test_one_key_may_meet_several_needs() -> None:
    """All that are new count at its rank."""
    needs = _needs(_label("a", 2, "x"), _label("b", 1, "x"), _label("a", 3, "y"))
    assert {1: (1,), 2: (3,)} == _hits(needs, "b a")
    assert {1: (2, 3)} == _hits(needs, "a b")


def test_labels_below_the_threshold_hold_nothing() -> None:
    """Their key is a miss with a rank, and leaves the need for a better one."""
    needs = _needs(_label("a", 1, "x"), _label("b", 3, "x"))
    assert {2: (3,)} == _hits(needs, "a b", threshold=2)
    assert {1: (1,)} == _hits(needs, "a b", threshold=1)


def test_an_empty_ranking_has_no_hits() -> None:
    """Nothing was returned, nothing was met."""
    assert {} == _hits(_needs(_label("a", 1)), "")
