"""gate: a verdict is written, whatever it is; only what cannot be read is an error."""

from __future__ import annotations

import pytest

from evergold.pipeline.baseline import promote_baseline
from tests.small_project import SmallProject


@pytest.mark.parametrize(
    ("gate", "status", "reasons", "counts"),
    [
        ("recall@5:0.9", "PASS", [], (1, 0, 0)),
        ("recall@5:1.5", "FAIL", ["recall@5 is 1.0000, below 1.5"], (0, 1, 0)),
        (
            "worst-stratum:precision@5:0.3",
            "FAIL",
            ["worst stratum precision@5 is 0.2000, below 0.3 (billing, n 1)"],
            (0, 1, 0),
        ),
        (
            "recall@5:-0.02",
            "INDETERMINATE",
            ["recall@5:-0.02: no baseline value for 'recall@5'"],
            (0, 0, 1),
        ),
        (
            "recall@7:0.5",
            "INDETERMINATE",
            ["recall@7:0.5: metric 'recall@7' not present in the report"],
            (0, 0, 1),
        ),
    ],
)
def test_every_verdict_is_written_and_none_fails_the_stage(
    small_project: SmallProject,
    gate: str,
    status: str,
    reasons: list[str],
    counts: tuple[int, int, int],
) -> None:
    """The stage exits 0; the verdict and its short form for DVC say the same."""
    small_project.edit("params.yaml", "- recall@5:0.9", f"- {gate}")
    assert small_project.run_through("gate") == 0
    verdict = small_project.json("data/derived/verdict.json")
    assert (status, reasons) == (verdict["status"], verdict["reasons"])
    metrics = small_project.json("reports/verdict.json")
    assert status == metrics["verdict"]
    names = ("gates_passed", "gates_failed", "gates_indeterminate")
    assert counts == tuple(metrics[name] for name in names)


def test_without_gates_the_verdict_is_that_of_the_score(small_project: SmallProject) -> None:
    """An empty list of gates is no fault; no gate is listed."""
    small_project.edit("params.yaml", "gates:\n- recall@5:0.9\n", "gates: []\n")
    assert small_project.run_through("gate") == 0
    assert small_project.json("data/derived/verdict.json") == {"status": "PASS", "reasons": []}


def test_a_fall_below_the_baseline_names_both_values(small_project: SmallProject) -> None:
    """The reason has the metric, how far it fell, from where, to where, and the bound."""
    small_project.edit("params.yaml", "- recall@5:0.9", "- recall@1:-0.1")
    assert small_project.run_through("score") == 0
    promote_baseline()
    small_project.edit("data/golden/queries.jsonl", "when is the counter open", "refund")
    small_project.edit("data/golden/judgments.jsonl", "when is the counter open", "refund")
    assert small_project.run_through("gate") == 0
    verdict = small_project.json("data/derived/verdict.json")
    assert verdict["reasons"] == ["recall@1 fell 0.5000, from 1.0000 to 0.5000, outside -0.1"]


@pytest.mark.parametrize(
    ("baseline", "expected"),
    [
        ("{\n  oops\n}\n", "baseline:2: invalid JSON, Expecting property name"),
        ("[]", "baseline: expected a retrieval report with metrics"),
        ("{}", "baseline: expected a retrieval report with metrics"),
        ('{"metrics": []}', "baseline: expected a retrieval report with metrics"),
        ('{"metrics": {"recall@5": 0.5}}', "baseline: expected a retrieval report with metrics"),
        (
            '{"metrics": {"recall@5": {"value": true}}}',
            "baseline: expected a retrieval report with metrics",
        ),
        ('{"metrics": {"recall@5": {"value": NaN}}}', "baseline:1: NaN is not JSON"),
    ],
)
def test_a_baseline_that_is_no_report_is_refused(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    baseline: str,
    expected: str,
) -> None:
    """It is never taken for no baseline at all."""
    assert small_project.run_through("score") == 0
    small_project.write("data/baseline/score.json", baseline)
    capsys.readouterr()
    assert small_project.run("gate") == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {expected}")
    assert error.endswith("score.json]\n")
    assert error.count("\n") == 1
    assert "data/derived/verdict.json" not in small_project.files("data/derived")
