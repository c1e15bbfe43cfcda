"""score: the metrics that DVC compares."""

from __future__ import annotations

from tests.small_project import QUERIES, SmallProject, rows


def test_the_metrics_for_dvc_are_those_of_the_report(small_project: SmallProject) -> None:
    """One query of two is answered first and one not at all: hand-computed means."""
    small_project.edit("data/golden/queries.jsonl", "when is the counter open", "refund cards")
    small_project.edit("data/golden/judgments.jsonl", "when is the counter open", "refund cards")
    assert small_project.run_through("score") == 0
    metrics = small_project.json("reports/metrics.json")
    assert metrics["recall@1"] == metrics["recall@5"] == metrics["mrr@5"] == 0.5
    assert metrics["worst_stratum_recall@5"] == 0.0
    report = small_project.json("data/derived/score.json")["metrics"]
    shared = {name: value for name, value in metrics.items() if name in report}
    assert len(shared) >= 4
    assert shared == {name: report[name]["value"] for name in shared}


def test_without_strata_there_is_no_worst_one(small_project: SmallProject) -> None:
    """A value that cannot be computed is absent, never 0."""
    plain = [{**query, "stratum": None} for query in QUERIES]
    small_project.write("data/golden/queries.jsonl", rows(plain))
    assert small_project.run_through("score") == 0
    metrics = small_project.json("reports/metrics.json")
    assert [name for name in metrics if name.startswith("worst_stratum")] == []
    assert metrics["recall@5"] == 1.0


def test_without_any_scored_query_there_is_no_metric(small_project: SmallProject) -> None:
    """With a threshold above all grades the metrics are an empty object."""
    small_project.edit("params.yaml", "threshold: 1", "threshold: 3")
    assert small_project.run_through("score") == 0
    assert small_project.json("reports/metrics.json") == {}
