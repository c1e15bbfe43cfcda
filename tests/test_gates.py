"""Gates: the grammar, exact comparison, and what a gate does not see."""

from __future__ import annotations

from typing import Any

import pytest

from evergold.errors import UsageError
from evergold.gates import Gate, evaluate_gates, join, parse_gate, verdict
from evergold.model import GateResult, Verdict, VerdictStatus


def _report(**metrics: float) -> dict[str, Any]:
    """Return a report with metrics such as `recall_5`, which stands for `recall@5`."""
    return {
        "judgments": {"labels": 10},
        "metrics": {name.replace("_", "@"): {"value": value} for name, value in metrics.items()},
        "verdict": {"status": "PASS", "reasons": []},
    }


def _result(
    expression: str, report: dict[str, Any], baseline: dict[str, Any] | None = None
) -> GateResult:
    (result,) = evaluate_gates([parse_gate(expression)], report, baseline)
    assert expression == result.expression
    return result


@pytest.mark.parametrize(
    ("expression", "kind", "metric", "bound"),
    [
        ("recall@5:0.8", "floor", "recall@5", 0.8),
        ("recall@5:1", "floor", "recall@5", 1.0),
        ("recall@5:1.", "floor", "recall@5", 1.0),
        ("recall@5:.5", "floor", "recall@5", 0.5),
        ("recall@5:5e-1", "floor", "recall@5", 0.5),
        ("recall@5:-0.02", "change", "recall@5", -0.02),
        ("recall@5:+0.02", "change", "recall@5", 0.02),
        ("recall@5:-0", "change", "recall@5", 0.0),
        ("worst-stratum:recall@5:0.7", "worst-stratum", "recall@5", 0.7),
        ("worst-stratum:recall@5:-0.7", "worst-stratum", "recall@5", -0.7),
        ("faithfulness:ci-lower:0.8", "ci-lower", "faithfulness", 0.8),
        ("faithfulness:ci-lower:+0.8", "ci-lower", "faithfulness", 0.8),
        ("max-invalid:0.05", "max-invalid", "max-invalid", 0.05),
        ("max-invalid:1", "max-invalid", "max-invalid", 1.0),
    ],
)
def test_an_expression_has_one_meaning(
    expression: str, kind: Any, metric: str, bound: float
) -> None:
    """Two parts are a floor or, with a sign, a change; three parts are named."""
    assert Gate(expression, kind, metric, bound) == parse_gate(expression)


@pytest.mark.parametrize(
    "number",
    [
        "",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "-1e999",
        "0,5",
        "0.5x",
        " 0.5",
        "0.5 ",
        "0.5\n",
        "٠.٥",
        "1_0",
    ],
)
@pytest.mark.parametrize("form", ["M:{}", "worst-stratum:M:{}", "M:ci-lower:{}", "max-invalid:{}"])
def test_a_bound_is_a_finite_ascii_number(form: str, number: str) -> None:
    """What another reader takes for a number is none, and nothing stands around it."""
    expression = form.format(number)
    with pytest.raises(UsageError) as error:
        parse_gate(expression)
    assert f"gate '{expression}': '{number}' is not a number" == str(error.value)


@pytest.mark.parametrize(
    "expression",
    ["recall@5", "", "a:b:0.5", "a:b:c:0.5", "a:ci-upper:0.5", "a:ci-lower:1:2", ":0.5", ":+1"],
)
def test_other_forms_are_refused(expression: str) -> None:
    """The message says what is expected."""
    with pytest.raises(UsageError) as error:
        parse_gate(expression)
    assert f"gate '{expression}': expected <metric>:<threshold>" == str(error.value)


@pytest.mark.parametrize(
    "expression", ["worst-stratum", "worst-stratum:0.5", "worst-stratum:a:b:0.5"]
)
def test_a_worst_stratum_gate_has_three_parts(expression: str) -> None:
    """The message says what is expected."""
    with pytest.raises(UsageError) as error:
        parse_gate(expression)
    assert f"gate '{expression}': expected worst-stratum:<metric>:<floor>" == str(error.value)


@pytest.mark.parametrize("share", ["1.01", "-0.1", "5"])
def test_a_share_is_from_zero_to_one(share: str) -> None:
    """Percent are no share."""
    with pytest.raises(UsageError) as error:
        parse_gate(f"max-invalid:{share}")
    expected = f"gate 'max-invalid:{share}': expected a share from 0 to 1, found {share}"
    assert expected == str(error.value)


def test_a_floor_passes_from_the_bound_on() -> None:
    """Equal is enough; one in the twelfth decimal below is not."""
    assert GateResult("recall@5:0.8", "PASS", 0.8) == _result("recall@5:0.8", _report(recall_5=0.8))
    assert GateResult(
        "recall@5:0.8", "FAIL", 0.799999999999, reason="recall@5 is 0.8000, below 0.8"
    ) == _result("recall@5:0.8", _report(recall_5=0.799999999999))


@pytest.mark.parametrize(
    ("before", "after", "bound"),
    [
        (0.75, 0.70, "-0.05"),
        (0.72, 0.70, "-0.02"),
        (0.4, 0.3, "-0.1"),
        (0.9, 0.8, "-0.1"),
        (0.82, 0.80, "-0.02"),
        (0.7, 0.8, "+0.1"),
        (0.3, 0.3, "-0"),
        (0.3, 0.3, "+0"),
    ],
)
def test_a_change_equal_to_the_tolerance_passes(before: float, after: float, bound: str) -> None:
    """Differences are decimal; the published tool lets the rounding of binary numbers decide."""
    expression = f"recall@5:{bound}"
    result = _result(expression, _report(recall_5=after), _report(recall_5=before))
    assert GateResult(expression, "PASS", after, before) == result


def test_a_greater_drop_fails_by_a_digit() -> None:
    """One in the twelfth decimal more than the tolerance is too much."""
    report, baseline = _report(recall_5=0.699999999999), _report(recall_5=0.75)
    assert GateResult(
        "recall@5:-0.05",
        "FAIL",
        0.699999999999,
        0.75,
        "recall@5 fell 0.0500, from 0.7500 to 0.7000, outside -0.05",
    ) == _result("recall@5:-0.05", report, baseline)


def test_a_gain_may_be_demanded() -> None:
    """A rise that is too small fails, and the reason says that it rose."""
    result = _result("recall@5:+0.02", _report(recall_5=0.51), _report(recall_5=0.5))
    assert "FAIL" == result.status
    assert "recall@5 rose 0.0100, from 0.5000 to 0.5100, outside 0.02" == result.reason


@pytest.mark.parametrize("baseline", [None, {}, {"metrics": {}}, _report(recall_10=0.5)])
def test_without_a_baseline_value_a_change_is_not_known(baseline: dict[str, Any] | None) -> None:
    """The value that was observed is kept."""
    assert GateResult(
        "recall@5:-0.02",
        "INDETERMINATE",
        0.5,
        reason="recall@5:-0.02: no baseline value for 'recall@5'",
    ) == _result("recall@5:-0.02", _report(recall_5=0.5), baseline)


@pytest.mark.parametrize(
    ("name", "was", "now"),
    [
        ("threshold", 2, 1),
        ("gain", "linear", "exponential"),
        ("ties", "id ascending", "score descending, id descending"),
        ("unit", "document", "chunk"),
        ("metric_version", "1", "2"),
    ],
)
def test_a_baseline_of_other_settings_is_not_compared(name: str, was: object, now: object) -> None:
    """Two values of one metric that mean different things say nothing of a change."""
    report = {**_report(recall_5=0.5), "settings": {name: now}}
    baseline = {**_report(recall_5=0.5), "settings": {name: was}}
    result = _result("recall@5:-0.02", report, baseline)
    expected = f"recall@5:-0.02: the baseline is not comparable: {name} was {was} and is {now}"
    assert ("INDETERMINATE", expected) == (result.status, result.reason)


def test_other_cutoffs_do_not_matter() -> None:
    """Where the metric is in both reports, the list of cutoffs may differ."""
    report = {**_report(recall_5=0.5), "settings": {"k": [5], "threshold": 1}}
    baseline = {**_report(recall_5=0.5), "settings": {"k": [5, 10], "threshold": 1}}
    assert "PASS" == _result("recall@5:-0.02", report, baseline).status


def test_a_setting_that_one_report_does_not_state_does_not_matter() -> None:
    """Reports of another tool state none."""
    report = {**_report(recall_5=0.5), "settings": {"threshold": 1}}
    assert "PASS" == _result("recall@5:-0.02", report, _report(recall_5=0.5)).status


def _per_query(**recalls: float) -> dict[str, Any]:
    report = _report(recall_5=round(sum(recalls.values()) / len(recalls), 12))
    return {**report, "per_query": {q: {"recall@5": v} for q, v in recalls.items()}}


def test_only_shared_queries_are_compared() -> None:
    """New easy queries cannot hide a drop on the old ones."""
    report = _per_query(a=0.5, b=0.5, new=1.0, newer=1.0)
    baseline = _per_query(a=0.5, b=1.0, gone=0.0)
    result = _result("recall@5:-0.02", report, baseline)
    assert (
        GateResult(
            "recall@5:-0.02",
            "FAIL",
            0.5,
            0.75,
            "recall@5 fell 0.2500, from 0.7500 to 0.5000, outside -0.02",
        )
        == result
    )


def test_other_queries_of_the_same_number_are_not_the_same() -> None:
    """It is the names that count, not how many there are."""
    result = _result("recall@5:-0.02", _per_query(a=0.5, new=1.0), _per_query(a=1.0, gone=0.0))
    assert ("FAIL", 0.5, 1.0) == (result.status, result.observed, result.baseline)


def test_the_same_queries_are_compared_by_their_means() -> None:
    """The values of the reports stand as they are, whatever the order of the queries."""
    report, baseline = _per_query(a=1.0, b=0.0, c=0.0), _per_query(c=1.0, a=0.0, b=0.0)
    result = _result("recall@5:-0", report, baseline)
    assert GateResult("recall@5:-0", "PASS", 0.333333333333, 0.333333333333) == result


def test_a_metric_that_is_not_there_is_not_known() -> None:
    """A misspelt name does not pass."""
    assert GateResult(
        "recal@5:0.5",
        "INDETERMINATE",
        reason="recal@5:0.5: metric 'recal@5' not present in the report",
    ) == _result("recal@5:0.5", _report(recall_5=1.0))


@pytest.mark.parametrize("form", ["recal@5:-0.5", "recal@5:ci-lower:0.5"])
def test_a_misspelt_name_is_said_before_what_it_lacks(form: str) -> None:
    """Neither a baseline nor more samples would help."""
    reason = f"{form}: metric 'recal@5' not present in the report"
    expected = GateResult(form, "INDETERMINATE", reason=reason)
    assert expected == _result(form, _report(recall_5=1.0), _report(recall_5=0.5))


def test_nothing_scored_is_said_beside_metrics_of_another_kind() -> None:
    """A report may hold judged answers only; the count of scored queries decides."""
    report = _report(recall_5=1.0)
    report["judgments"]["queries_scored"] = 0
    reason = "ndcg@5:0.5: no query was scored, so 'ndcg@5' was not computed"
    expected = GateResult("ndcg@5:0.5", "INDETERMINATE", reason=reason)
    assert expected == _result("ndcg@5:0.5", report)


@pytest.mark.parametrize("form", ["recall@5:0.5", "recall@5:-0.5", "recall@5:ci-lower:0.5"])
def test_nothing_scored_is_not_known(form: str) -> None:
    """Without any metric the reason is that no query was scored."""
    reason = f"{form}: no query was scored, so 'recall@5' was not computed"
    expected = GateResult(form, "INDETERMINATE", reason=reason)
    assert expected == _result(form, _report(), _report(recall_5=0.5))


def test_a_lower_bound_is_that_of_the_interval() -> None:
    """Equal is enough; the value itself does not count."""
    report = _report()
    report["metrics"]["faithfulness"] = {"value": 0.9, "n": 5, "ci": [0.8, 1.0]}
    passed = GateResult("faithfulness:ci-lower:0.8", "PASS", 0.8)
    assert passed == _result("faithfulness:ci-lower:0.8", report)
    assert GateResult(
        "faithfulness:ci-lower:0.85",
        "FAIL",
        0.8,
        reason="faithfulness lower bound is 0.8000, below 0.85",
    ) == _result("faithfulness:ci-lower:0.85", report)


def test_a_value_without_an_interval_has_no_lower_bound() -> None:
    """One sample is not evidence; the value is kept."""
    reason = "recall@5:ci-lower:0.5: no confidence interval on 'recall@5', sample it more than once"
    expected = GateResult("recall@5:ci-lower:0.5", "INDETERMINATE", 1.0, reason=reason)
    assert expected == _result("recall@5:ci-lower:0.5", _report(recall_5=1.0))


def _strata(**recalls: float | None) -> dict[str, Any]:
    strata = {
        name: {"n": 0, "metrics": {}}
        if value is None
        else {"n": 3, "metrics": {"recall@5": {"value": value}}}
        for name, value in recalls.items()
    }
    return {**_report(recall_5=0.9), "per_stratum": strata}


def test_the_worst_stratum_is_named() -> None:
    """The published reason is followed by the name and n; of equal ones the first counts."""
    report = _strata(archive=None, returns=0.8, legal=0.5, sales=0.5)
    assert GateResult(
        "worst-stratum:recall@5:0.7",
        "FAIL",
        0.5,
        reason="worst stratum recall@5 is 0.5000, below 0.7 (legal, n 3)",
    ) == _result("worst-stratum:recall@5:0.7", report)
    passed = GateResult("worst-stratum:recall@5:0.5", "PASS", 0.5)
    assert passed == _result("worst-stratum:recall@5:0.5", report)


def test_strata_without_a_scored_query_are_not_known() -> None:
    """An empty class does not fail, and does not pass, also where a tool gave it a 0."""
    reason = "worst-stratum:recall@5:0.7: no stratum was scored for 'recall@5'"
    expected = GateResult("worst-stratum:recall@5:0.7", "INDETERMINATE", reason=reason)
    report = _strata(archive=None, zoo=0.0)
    report["per_stratum"]["zoo"]["n"] = 0
    assert expected == _result("worst-stratum:recall@5:0.7", report)


def test_a_report_without_strata_is_not_known() -> None:
    """There is no worst of none."""
    reason = "worst-stratum:recall@5:0.7: no per-stratum data for 'recall@5'"
    expected = GateResult("worst-stratum:recall@5:0.7", "INDETERMINATE", reason=reason)
    assert expected == _result("worst-stratum:recall@5:0.7", _report(recall_5=1.0))


@pytest.mark.parametrize(
    ("expression", "status"),
    [("max-invalid:0.3", "PASS"), ("max-invalid:0.29", "FAIL"), ("max-invalid:1", "PASS")],
)
def test_open_labels_are_limited(expression: str, status: VerdictStatus) -> None:
    """Straddling, reviewed and gone labels are open; held zeros count among all labels only."""
    rules = {"SAME": 3, "INTERVAL": 1, "CONTAINED": 1, "HELD": 2}
    report = {
        **_report(),
        "resolution_summary": {**rules, "STRADDLE": 1, "REVIEW": 1, "GONE": 1},
    }
    reason = "max-invalid is 0.3000, above 0.29" if status == "FAIL" else None
    assert GateResult(expression, status, 0.3, reason=reason) == _result(expression, report)


def test_without_resolutions_the_drift_counts() -> None:
    """A report of another tool has the share of labels that are not valid."""
    report = _report()
    report["judgments"]["drift"] = {"invalid_ratio": 0.25}
    assert GateResult("max-invalid:0.25", "PASS", 0.25) == _result("max-invalid:0.25", report)
    assert "FAIL" == _result("max-invalid:0.2", report).status


@pytest.mark.parametrize("judged", [{"labels": 5}, {"labels": 0, "drift": {"invalid_ratio": 0.0}}])
def test_labels_that_were_not_compared_are_not_known(judged: dict[str, Any]) -> None:
    """Nothing known, or no label at all, does not pass."""
    reason = "max-invalid:1: the labels were not compared with a corpus"
    expected = GateResult("max-invalid:1", "INDETERMINATE", reason=reason)
    assert expected == _result("max-invalid:1", {**_report(), "judgments": judged})


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["PASS", "INDETERMINATE", "FAIL"], "FAIL"),
        (["INDETERMINATE", "PASS"], "INDETERMINATE"),
        (["PASS", "PASS"], "PASS"),
        ([], "PASS"),
    ],
)
def test_the_worst_status_counts(statuses: list[VerdictStatus], expected: VerdictStatus) -> None:
    """FAIL beats INDETERMINATE, which beats PASS."""
    assert expected == join(statuses)


def test_a_verdict_joins_report_and_gates() -> None:
    """Reasons of the report come first, then those of the gates in their order."""
    report = _report(recall_5=0.5)
    report["verdict"] = {"status": "PASS", "reasons": ["2 queries repeated a key"]}
    gates = [parse_gate(e) for e in ("recall@5:0.9", "recall@5:0.1", "recall@9:0.1")]
    failed = "recall@5 is 0.5000, below 0.9"
    unknown = "recall@9:0.1: metric 'recall@9' not present in the report"
    assert Verdict(
        "FAIL",
        ("2 queries repeated a key", failed, unknown),
        (
            GateResult("recall@5:0.9", "FAIL", 0.5, reason=failed),
            GateResult("recall@5:0.1", "PASS", 0.5),
            GateResult("recall@9:0.1", "INDETERMINATE", reason=unknown),
        ),
    ) == verdict(report, gates)


def test_a_gate_never_improves_a_verdict() -> None:
    """A set that is unsound stays INDETERMINATE, whatever passes."""
    report = _report(recall_5=1.0)
    report["verdict"] = {"status": "INDETERMINATE", "reasons": ["unsound"]}
    assert "INDETERMINATE" == verdict(report, [parse_gate("recall@5:0.5")]).status
    assert "INDETERMINATE" == verdict(report, []).status
