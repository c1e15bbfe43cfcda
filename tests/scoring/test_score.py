"""Scores of a run: means, strata, and what is said of queries that are not scored."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import UsageError
from evergold.model import Judgment, Measurement, Query, Ranking
from evergold.scoring.score import METRICS, Stratum, score, score_by_stratum, worst_stratum


def _labels(text: str, stratum: str | None = None) -> list[Judgment]:
    """Return labels from lines such as `q1 a:2 b:0`."""
    return [
        Judgment(query_id, key, int(grade), stratum=stratum)
        for query_id, *pairs in (line.split() for line in text.split("\n"))
        for key, grade in (pair.split(":") for pair in pairs)
    ]


def _run(text: str) -> list[Ranking]:
    """Return rankings from lines such as `q1 a b`."""
    return [Ranking(line.split()[0], tuple(line.split()[1:])) for line in text.split("\n")]


def test_metrics_are_named_by_cutoff_in_their_order() -> None:
    """All metrics of one k stand before those of the next, as the ks are given."""
    scores = score(_labels("q a:1"), _run("q a"), k=(5, 1))
    expected = [f"{metric}@{k}" for k in (5, 1) for metric in METRICS]
    assert expected == list(scores.metrics)
    assert ("precision", "recall", "ndcg", "mrr", "map", "hit_rate") == METRICS


def test_the_default_is_one_cutoff_of_ten() -> None:
    """Without settings k is 10 and the threshold 1."""
    scores = score(_labels("q a:1"), _run("q x a"))
    assert (10,) == scores.k
    assert 1 == scores.threshold
    assert Measurement(0.1, n=1, deterministic=True) == scores.metrics["precision@10"]


def test_a_mean_is_over_the_scored_queries() -> None:
    """Values are unweighted and rounded to 12 decimals."""
    labels = _labels("q1 a:1 b:1 c:1\nq2 a:1\nq3 a:1")
    scores = score(labels, _run("q1 a\nq2 a\nq3 x"), k=(1,))
    assert {"q1": 0.333333333333, "q2": 1.0, "q3": 0.0} == {
        query_id: values["recall@1"] for query_id, values in scores.per_query.items()
    }
    assert 0.444444444444 == scores.metrics["recall@1"].value


def test_a_judged_query_without_a_ranking_counts_as_empty() -> None:
    """It scores 0 and is named."""
    scores = score(_labels("q1 a:1\nq2 a:1"), _run("q1 a"), k=(1,))
    assert 0.5 == scores.metrics["recall@1"].value
    assert ("q2",) == scores.missing
    assert 1 == scores.answered


def test_a_query_without_a_label_at_the_threshold_is_left_out() -> None:
    """It is in no mean, is not missing, and is named."""
    labels = _labels("q1 a:2\nq2 a:1\nq3 a:0")
    scores = score(labels, _run("q1 a"), k=(1,), threshold=2)
    assert 1.0 == scores.metrics["recall@1"].value
    assert ("q1", "q2", "q3") == scores.queries
    assert ["q1"] == list(scores.per_query)
    assert ("q2", "q3") == scores.without_positives
    assert () == scores.missing


def test_the_threshold_leaves_ndcg_as_it_is() -> None:
    """Gains are over all grades; every other metric sees only those at the threshold."""
    labels = _labels("q a:1 b:3")
    low, high = (score(labels, _run("q a b"), k=(2,), threshold=t).metrics for t in (1, 3))
    assert low["ndcg@2"] == high["ndcg@2"]
    assert [1.0, 0.5] == [low["mrr@2"].value, high["mrr@2"].value]


def test_nothing_scored_has_no_metric() -> None:
    """Without labels, or without one at the threshold, no number is made up."""
    assert {} == score([], _run("q a")).metrics
    assert {} == score(_labels("q a:1"), _run("q a"), threshold=2).metrics


def test_rankings_of_unjudged_queries_are_passed_over() -> None:
    """They are neither scored nor counted as repeats or answers."""
    scores = score(_labels("q a:1"), _run("q a\nother x x"), k=(1,))
    assert ["q"] == list(scores.per_query)
    assert () == scores.repeated
    assert 1 == scores.answered


def test_queries_with_repeated_keys_are_named() -> None:
    """Each is counted once, whatever it repeats."""
    labels = _labels("q1 a:1\nq2 a:1\nq3 a:1")
    scores = score(labels, _run("q1 a a x x\nq2 a\nq3 y y"), k=(2,))
    assert ("q1", "q3") == scores.repeated


def test_an_empty_ranking_is_no_answer() -> None:
    """A run may name every query and answer none."""
    scores = score(_labels("q1 a:1\nq2 a:1"), _run("q1\nq2"))
    assert () == scores.missing
    assert 0 == scores.answered


def test_a_stratum_is_scored_over_its_queries() -> None:
    """Order of first appearance; a query without a stratum is in `_unstratified`."""
    labels = [
        *_labels("q1 a:1", "returns"),
        *_labels("q2 a:1"),
        *_labels("q3 a:1 b:1", "legal"),
        *_labels("q4 a:1", "returns"),
        *_labels("q5 a:0", "archive"),
    ]
    scores = score(labels, _run("q1 a\nq2 x\nq3 a\nq4 x"), k=(1,))
    assert [
        ("returns", 2, 0.5),
        ("_unstratified", 1, 0.0),
        ("legal", 1, 0.5),
        ("archive", 0, None),
    ] == [
        (name, s.n, s.metrics["recall@1"].value if s.metrics else None)
        for name, s in scores.per_stratum.items()
    ]


def test_without_a_stratum_there_are_none() -> None:
    """`per_stratum` is empty when no query has one."""
    assert {} == score(_labels("q1 a:1"), _run("q1 a")).per_stratum


def test_a_stratum_belongs_to_the_query_and_not_to_the_label() -> None:
    """A query whose rows name two strata, or none on some rows, is scored whole and once."""
    labels = [
        *_labels("q a:1"),
        *_labels("q b:1", "legal"),
        *_labels("q c:1", "returns"),
    ]
    scores = score(labels, _run("q a"), k=(1,))
    assert ["legal"] == list(scores.per_stratum)
    assert 1 == scores.per_stratum["legal"].n
    assert 0.333333333333 == scores.per_stratum["legal"].metrics["recall@1"].value


def test_the_stratum_of_a_query_record_counts_first() -> None:
    """What the queries file says is stronger than what a label says."""
    labels = [*_labels("q1 a:1", "old"), *_labels("q2 a:1", "kept")]
    queries = [Query("q1", "?", stratum="new"), Query("q2", "?"), Query("q9", "?", stratum="x")]
    scores = score(labels, _run("q1 a"), queries=queries)
    assert ["new", "kept"] == list(scores.per_stratum)


def test_strata_can_be_asked_for_alone() -> None:
    """They are those of `score`, with its settings."""
    labels = [*_labels("q1 a:2", "legal"), *_labels("q2 a:1")]
    run, queries = _run("q1 a"), [Query("q2", "?", stratum="returns")]
    expected = score(labels, run, (1, 3), 2, queries).per_stratum
    assert ["legal", "returns"] == list(expected)
    assert expected == score_by_stratum(labels, run, (1, 3), 2, queries)


def test_judged_is_over_the_scored_queries_with_a_result() -> None:
    """One query has no result, one nothing to find; of the others 1/2 and 2/2 are judged."""
    labels = _labels("q1 a:1\nq2 a:1 b:0\nq3 a:1\nq4 a:0")
    scores = score(labels, _run("q1 a x\nq2 a b\nq3\nq4 x"), k=(1, 2))
    assert {"judged@1": 1.0, "judged@2": 0.75} == scores.judged
    assert {} == score(labels, _run("q3")).judged


@pytest.mark.parametrize(("k", "threshold"), [((0,), 1), ((5, -1), 1), ((), 1), ((5,), 0)])
def test_cutoffs_and_thresholds_begin_at_one(k: tuple[int, ...], threshold: int) -> None:
    """Others would divide by nothing or count zeros as relevant."""
    with pytest.raises(UsageError, match="k and threshold start at 1"):
        score(_labels("q a:1"), _run("q a"), k, threshold)


def _stratum(value: float | None, n: int = 1) -> Stratum:
    return Stratum(n, {} if value is None else {"recall@5": Measurement(value)})


@pytest.mark.parametrize(
    ("strata", "worst"),
    [
        ({"a": _stratum(0.5), "b": _stratum(0.25), "c": _stratum(0.75)}, ("b", 0.25)),
        ({"b": _stratum(0.25), "a": _stratum(0.25)}, ("b", 0.25)),
        ({"a": _stratum(None, 0), "b": _stratum(0.5)}, ("b", 0.5)),
        ({"a": _stratum(None, 0)}, None),
        ({"a": _stratum(0.0, 0)}, None),
        ({}, None),
    ],
)
def test_the_worst_stratum_is_the_smallest_value(
    strata: dict[str, Stratum], worst: tuple[str, float] | None
) -> None:
    """Of equal ones the first counts; those without a scored query do not."""
    assert worst == worst_stratum(strata, "recall@5")


def test_the_worst_stratum_of_an_unknown_metric_is_none() -> None:
    """A stratum that lacks the metric cannot be the worst by it."""
    assert None is worst_stratum({"a": _stratum(0.5)}, "recall@9")


def test_a_mean_is_rounded_once() -> None:
    """70 times 0.1 is 7 and not a bit less: 7 / 8192 = 0.0008544921875 is rounded to even."""
    labels = [
        Judgment(f"q{row}", f"a{place}", 1)
        for row in range(8192)
        for place in range(10 if row < 70 else 1)
    ]
    run = [Ranking(f"q{row}", ("a0",)) for row in range(70)]
    assert 0.000854492188 == score(labels, run, k=(1,)).metrics["recall@1"].value


def _mean(values: Sequence[int]) -> float:
    """Return the mean of 1 / value for each, correctly rounded before 12 decimals."""
    exact = sum(Fraction(1 / value) for value in values) / len(values)
    return round(float(exact), 12)


@settings(deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_the_order_of_rows_moves_no_digit(ranks: list[int]) -> None:
    """A mean is the correctly rounded sum, whatever the order of labels and rankings."""
    labels = [Judgment(f"q{row}", "a", 1) for row in range(len(ranks))]
    run = [
        Ranking(f"q{row}", (*(f"x{place}" for place in range(rank - 1)), "a"))
        for row, rank in enumerate(ranks)
    ]
    forth = score(labels, run, k=(40,)).metrics
    back = score(labels[::-1], run[::-1], k=(40,)).metrics
    assert forth == back
    assert _mean(ranks) == pytest.approx(forth["mrr@40"].value, abs=1.1e-12)


def test_queries_with_equal_scores_across_a_cut_are_counted() -> None:
    """A tie elsewhere changes no set of results; a query that is not scored does not count."""
    labels = _labels("q1 a:1\nq2 a:1\nq3 a:0")
    run = [
        Ranking("q1", ("b", "a", "c"), ties=(1, 2)),
        Ranking("q2", ("b", "a", "c"), ties=(2,)),
        Ranking("q3", ("b", "a"), ties=(1,)),
        Ranking("q4", ("b", "a"), ties=(1,)),
    ]
    assert {1: 1, 2: 2} == score(labels, run, k=(1, 2, 3)).tied
    assert {} == score(labels, run, k=(1, 2, 3), unit="document").tied


def test_ids_that_only_unicode_normalization_parts_are_named() -> None:
    """They stay different, and a key that is judged itself has no twin."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    labels = [Judgment("q1", composed, 1), Judgment("q2", "a", 1), Judgment("q\u00e9", "a", 1)]
    run = [
        Ranking("q1", (decomposed, "z")),
        Ranking("q2", (composed, "a")),
        Ranking("qe\u0301", ("a",)),
    ]
    scores = score(labels, run)
    assert (("qe\u0301", "q\u00e9"), (decomposed, composed)) == scores.twins
    assert 0.0 == scores.per_query["q1"]["recall@10"]
    both = [Ranking("q1", (decomposed, composed))]
    assert ((decomposed, composed),) == score(labels[:1], both).twins
