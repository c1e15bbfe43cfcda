"""The published tool as an oracle of scores, where nothing is shared between labels."""

from __future__ import annotations

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.model import Judgment, Ranking
from evergold.scoring.score import score, worst_stratum
from tests.published import (
    ONE_IN_THE_LAST_DECIMAL,
    judgments_there,
    labels,
    run_there,
    runs,
)

CUTOFFS = (1, 2, 3, 5, 10)


def _values(metrics: dict[str, retrieval_eval.Measurement]) -> dict[str, float]:
    return {name: measurement.value for name, measurement in metrics.items()}


@settings(deadline=None, max_examples=250)
@given(labels(sound=True), runs(), st.integers(1, 3))
def test_metrics_are_those_of_the_published_tool(
    judgments: tuple[Judgment, ...], run: tuple[Ranking, ...], threshold: int
) -> None:
    """Every metric at every k, the strata, the worst of them and the lists of queries agree."""
    ours = score(judgments, run, CUTOFFS, threshold)
    for k in CUTOFFS:
        there, rows = judgments_there(judgments), run_there(run)
        theirs = retrieval_eval.score(there, rows, k=k, threshold=threshold)
        names = [name for name in ours.metrics if name.endswith(f"@{k}")]
        assert list(theirs.metrics) == names
        assert _values(theirs.metrics) == pytest.approx(
            {name: ours.metrics[name].value for name in names}, abs=ONE_IN_THE_LAST_DECIMAL
        )
        for query_id, values in ours.per_query.items():
            found = theirs.per_query[query_id]
            assert [
                round(value, 12)
                for value in (
                    found.precision,
                    found.recall,
                    found.ndcg,
                    found.mrr,
                    found.ap,
                    found.hit_rate,
                )
            ] == pytest.approx(
                [value for name, value in values.items() if name.endswith(f"@{k}")],
                abs=ONE_IN_THE_LAST_DECIMAL,
            )
        assert tuple(theirs.queries_without_positives) == ours.without_positives
        assert set(theirs.queries_with_duplicates) == set(ours.repeated)
        assert set(theirs.missing_queries) - set(ours.without_positives) == set(ours.missing)


@settings(deadline=None, max_examples=150)
@given(labels(sound=True), runs(), st.integers(1, 3), st.sampled_from(CUTOFFS))
def test_strata_are_those_of_the_published_tool(
    judgments: tuple[Judgment, ...], run: tuple[Ranking, ...], threshold: int, k: int
) -> None:
    """Where each query names one stratum on all its rows, order, n and values agree."""
    ours = score(judgments, run, (k,), threshold).per_stratum
    theirs = retrieval_eval.score_by_stratum(
        judgments_there(judgments), run_there(run), k=k, threshold=threshold
    )
    if not any(judgment.stratum for judgment in judgments):
        assert {} == ours
        return
    assert [(name, s.n) for name, s in theirs.items()] == [(n, s.n) for n, s in ours.items()]
    for name, stratum in theirs.items():
        values = {metric: m.value for metric, m in ours[name].metrics.items()}
        assert _values(stratum.metrics) == pytest.approx(values, abs=ONE_IN_THE_LAST_DECIMAL)
    worst = retrieval_eval.worst_stratum(theirs, f"recall@{k}")
    assert (worst and worst[:2]) == worst_stratum(ours, f"recall@{k}")
