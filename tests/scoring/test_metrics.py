"""Each metric on rankings small enough to work out by hand."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.model import Anchor, Judgment
from evergold.scoring.average_precision import average_precision
from evergold.scoring.hit_rate import hit_rate
from evergold.scoring.judged import judged
from evergold.scoring.mrr import reciprocal_rank
from evergold.scoring.ndcg import ndcg
from evergold.scoring.ndcg_linear import ndcg_linear
from evergold.scoring.outcome import Outcome, needs_of, outcome
from evergold.scoring.precision import precision
from evergold.scoring.recall import recall


def _label(
    chunk_id: str, relevance: int, need: str | None = None, also: tuple[str, ...] = ()
) -> Judgment:
    anchor = Anchor(None, None, None, also=also) if also else None
    return Judgment("q", "d", relevance, chunk_id=chunk_id, need=need, anchor=anchor)


def _outcome(labels: list[Judgment], ranking: str, k: int, threshold: int = 1) -> Outcome:
    return outcome(dict(needs_of(labels))["q"], ranking.split(), k, threshold)


PLAIN = [_label("a", 1), _label("b", 1), _label("c", 1), _label("z", 0)]
OVERLAP = [_label("a", 1, also=("b",)), _label("c", 1)]


def test_precision_counts_hits_among_k() -> None:
    """Two hits of four places."""
    assert 0.5 == precision(_outcome(PLAIN, "x a z b c", 4))


def test_precision_divides_by_k_also_for_a_short_ranking() -> None:
    """One result of ten is one tenth."""
    assert 0.1 == precision(_outcome(PLAIN, "a", 10))


def test_precision_leaves_out_what_is_set_aside() -> None:
    """Of four places one is set aside: one hit of three."""
    assert 1 / 3 == precision(_outcome(OVERLAP, "a b x y", 4))


def test_recall_counts_needs_met() -> None:
    """Two of three needs."""
    assert 2 / 3 == recall(_outcome(PLAIN, "x a z b c", 4))


def test_recall_counts_every_need_of_a_hit() -> None:
    """One chunk that meets both needs is all that was asked for."""
    labels = [_label("a", 1, "x"), _label("a", 2, "y")]
    assert 1.0 == recall(_outcome(labels, "a", 1))


def test_recall_counts_needs_at_the_threshold_only() -> None:
    """Of the two needs at grade 2 one is met."""
    labels = [_label("a", 2), _label("b", 3), _label("c", 1)]
    assert 0.5 == recall(_outcome(labels, "c b", 2, threshold=2))


def test_reciprocal_rank_is_that_of_the_first_hit() -> None:
    """The third result is the first of use."""
    assert 1 / 3 == reciprocal_rank(_outcome(PLAIN, "x z b a", 4))


def test_reciprocal_rank_is_zero_without_a_hit() -> None:
    """A hit behind the cutoff is none."""
    assert 0.0 == reciprocal_rank(_outcome(PLAIN, "x y a", 2))


def test_hit_rate_is_one_or_zero() -> None:
    """Any hit within k is enough."""
    assert 1.0 == hit_rate(_outcome(PLAIN, "x a", 2))
    assert 0.0 == hit_rate(_outcome(PLAIN, "x a", 1))


def test_average_precision_weighs_each_hit_by_its_rank() -> None:
    """Hits at ranks 2 and 4 of three needs: (1/2 + 2/4) / 3."""
    assert (1 / 2 + 2 / 4) / 3 == average_precision(_outcome(PLAIN, "x a y b", 4))


def test_average_precision_counts_both_needs_of_a_hit() -> None:
    """A hit at rank 2 that meets two of three needs: (2 * 1/2) / 3."""
    labels = [_label("a", 1, "x"), _label("a", 1, "y"), _label("b", 1)]
    assert (2 * 1 / 2) / 3 == average_precision(_outcome(labels, "z a", 2))


def test_average_precision_closes_up_behind_what_is_set_aside() -> None:
    """The second hit has rank 2: (1/1 + 2/2) / 2."""
    assert 1.0 == average_precision(_outcome(OVERLAP, "a b c", 3))


def test_ndcg_has_exponential_gain_and_logarithmic_discount() -> None:
    """Grades 1, 3 found at ranks 1, 3 against the ideal order 3, 2, 1."""
    labels = [_label("a", 1), _label("b", 3), _label("c", 2)]
    found = 1 + 7 / log2(4)
    ideal = 7 + 3 / log2(3) + 1 / log2(4)
    assert found / ideal == ndcg(_outcome(labels, "a x b", 3))


def test_ndcg_is_one_for_the_ideal_order() -> None:
    """The order of the grades is the best there is, also when it is cut."""
    labels = [_label("a", 1), _label("b", 3), _label("c", 2)]
    assert 1.0 == ndcg(_outcome(labels, "b c a", 3))
    assert 1.0 == ndcg(_outcome(labels, "b c a", 2))


def test_the_ideal_counts_what_was_never_retrieved() -> None:
    """Judged keys outside the ranking belong to the ideal."""
    labels = [_label("a", 1), _label("b", 3)]
    assert 1 / (7 + 1 / log2(3)) == ndcg(_outcome(labels, "a", 2))


def test_ndcg_is_zero_without_a_grade() -> None:
    """Zeros alone have no ideal."""
    assert 0.0 == ndcg(_outcome([_label("a", 0)], "a", 3))


def test_linear_ndcg_has_the_grade_as_gain() -> None:
    """Grades 1, 3 found at ranks 1, 3 against the ideal order 3, 2, 1."""
    labels = [_label("a", 1), _label("b", 3), _label("c", 2)]
    found = 1 + 3 / log2(4)
    ideal = 3 + 2 / log2(3) + 1 / log2(4)
    assert found / ideal == ndcg_linear(_outcome(labels, "a x b", 3))
    assert 0.0 == ndcg_linear(_outcome([_label("a", 0)], "a", 3))


def test_judged_is_the_share_of_results_with_a_label() -> None:
    """A zero is a label; what was not returned does not count against it."""
    assert 0.5 == judged(_outcome(PLAIN, "a z x y", 4))
    assert 1.0 == judged(_outcome(PLAIN, "a z x y", 2))
    assert 1.0 == judged(_outcome(PLAIN, "a z", 10))
    assert 0.5 == judged(_outcome(PLAIN, "x x x a", 2))


def test_nothing_returned_is_neither_judged_nor_not() -> None:
    """There is no share of nothing."""
    assert None is judged(_outcome(PLAIN, "", 2))


def test_the_ideal_meets_each_need_once() -> None:
    """The better of two alternatives is the ideal, and the other is not a second gain."""
    labels = [_label("a", 1, "x"), _label("b", 3, "x")]
    assert 1 / 7 == ndcg(_outcome(labels, "a b", 2))
    assert 1.0 == ndcg(_outcome(labels, "b a", 2))


def test_the_ideal_takes_the_key_with_fewer_needs_first() -> None:
    """Grade 2 for one need before grade 2 for two: both gains are had."""
    labels = [_label("a", 2, "x"), _label("a", 2, "y"), _label("b", 2, "x")]
    assert 3 / (3 + 3 / log2(3)) == ndcg(_outcome(labels, "a b", 2))
    assert 1.0 == ndcg(_outcome(labels, "b a", 2))


def test_the_ideal_breaks_ties_by_the_greater_id() -> None:
    """Of two keys that bring grade 2 and two needs, the greater id comes first: grades 2, 2."""
    labels = [_label("a", 2, "P"), _label("a", 2, "Q"), _label("b", 2, "Q"), _label("b", 1, "S")]
    assert 3 / (3 + 3 / log2(3)) == ndcg(_outcome(labels, "b", 2))
    swapped = [_label("b", 2, "P"), _label("b", 2, "Q"), _label("a", 2, "Q"), _label("a", 1, "S")]
    assert 3 / (3 + 1 / log2(3)) == ndcg(_outcome(swapped, "b", 2))


def test_the_ideal_is_never_below_the_ranking() -> None:
    """Where the greedy order is not the best one, the ranking itself is the ideal."""
    labels = [
        _label("e1", 1, "P"),
        _label("e2", 1, "P"),
        _label("e2", 1, "Q"),
        _label("e1", 1, "Q"),
        _label("e3", 1, "R"),
        _label("e3", 1, "S"),
        _label("e2", 1, "S"),
    ]
    assert 1.0 == ndcg(_outcome(labels, "e1 e2 e3", 4))


LABELS = st.lists(
    st.builds(
        _label,
        st.sampled_from("abcdef"),
        st.integers(0, 4),
        st.none() | st.sampled_from("xyz"),
        st.lists(st.sampled_from("abcdef"), max_size=3).map(tuple),
    ),
    min_size=1,
    max_size=7,
    unique_by=lambda label: label.key,
)


@settings(deadline=None)
@given(
    LABELS.filter(lambda labels: any(label.relevance for label in labels)),
    st.permutations("abcdefgh"),
    st.integers(1, 9),
)
def test_every_metric_is_between_zero_and_one(
    labels: list[Judgment], ranking: list[str], k: int
) -> None:
    """Whatever is shared or overlaps, nothing earns twice."""
    found = _outcome(labels, " ".join(ranking), k)
    for metric in (precision, recall, reciprocal_rank, average_precision, hit_rate, ndcg):
        assert 0.0 <= metric(found) <= 1.0


@settings(deadline=None)
@given(
    LABELS.filter(lambda labels: any(label.relevance for label in labels)),
    st.permutations("abcdefgh"),
)
def test_more_results_never_lose(labels: list[Judgment], ranking: list[str]) -> None:
    """Recall and hit rate do not fall with k, and all of the keys meet all of the needs."""
    outcomes = [_outcome(labels, " ".join(ranking), k) for k in range(1, 9)]
    for metric in (recall, hit_rate):
        values = [metric(found) for found in outcomes]
        assert sorted(values) == values
    assert 1.0 == recall(outcomes[-1])


@pytest.mark.parametrize("grade", [1, 3, 50])
def test_the_gain_of_any_grade_is_exact(grade: int) -> None:
    """At the greatest grade one hit at rank 2 still has the discount of rank 2."""
    labels = [_label("a", grade)]
    assert 1 / log2(3) == pytest.approx(ndcg(_outcome(labels, "x a", 2)), rel=1e-15)
