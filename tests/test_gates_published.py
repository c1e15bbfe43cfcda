"""The published tool as an oracle of gates, on numbers that binary floats hold exactly.

Departures that are documented: `max-invalid`, ASCII digits and finite bounds only, and the name of
the worst stratum behind its reason.
"""

from __future__ import annotations

from typing import Any

import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import UsageError
from evergold.gates import evaluate_gates, parse_gate

NAMES = ["recall@5", "ndcg@10", "faithfulness"]
EIGHTHS = st.integers(0, 8).map(lambda number: number / 8)
BOUNDS = st.sampled_from(["0", "0.125", ".5", "0.5", "5e-1", "1.", "1", "-0.25", "+0.25", "-0"])


@st.composite
def _reports(draw: st.DrawFn) -> dict[str, Any]:
    """Return small reports, with and without strata, intervals and metrics."""
    values = draw(st.dictionaries(st.sampled_from(NAMES), EIGHTHS))
    metrics: dict[str, Any] = {name: {"value": value} for name, value in values.items()}
    for measurement in metrics.values():
        if draw(st.booleans()):
            measurement["ci"] = [measurement["value"] - 0.25, measurement["value"] + 0.25]
    report: dict[str, Any] = {
        "judgments": {"labels": 9, "queries_scored": 3 if metrics else 0},
        "metrics": metrics,
        "verdict": {"status": "PASS", "reasons": []},
    }
    if draw(st.booleans()):
        strata = draw(st.lists(st.sampled_from(["legal", "returns", "sales"]), unique=True))
        report["per_stratum"] = {name: draw(_strata(list(metrics))) for name in strata}
    return report


@st.composite
def _strata(draw: st.DrawFn, names: list[str]) -> dict[str, Any]:
    if not names or draw(st.booleans()):
        return {"n": 0, "metrics": {}}
    return {"n": 2, "metrics": {name: {"value": draw(EIGHTHS)} for name in names}}


@st.composite
def _cases(draw: st.DrawFn) -> tuple[list[str], dict[str, Any]]:
    """Return gates and a report; only a floor asks for a metric that the report lacks."""
    report = draw(_reports())
    present = st.sampled_from(list(report["metrics"]) or NAMES)
    expressions = []
    for _ in range(draw(st.integers(1, 4))):
        form = draw(st.sampled_from(["{}:{}", "worst-stratum:{}:{}", "{}:ci-lower:{}", "floor"]))
        if form == "floor":
            expressions.append(f"{draw(st.sampled_from(NAMES))}:0.5")
        else:
            expressions.append(form.format(draw(present), draw(BOUNDS)))
    return expressions, report


@settings(deadline=None, max_examples=300)
@given(_cases(), st.none() | _reports())
def test_results_and_reasons_are_those_of_the_published_tool(
    case: tuple[list[str], dict[str, Any]], baseline: dict[str, Any] | None
) -> None:
    """Status, observed value, baseline and reason of every gate agree."""
    expressions, report = case
    theirs = retrieval_eval.evaluate_gates(
        retrieval_eval.Report.from_dict(report),
        [retrieval_eval.parse_gate(expression) for expression in expressions],
        None if baseline is None else retrieval_eval.Report.from_dict(baseline),
    )
    ours = evaluate_gates([parse_gate(e) for e in expressions], report, baseline)
    assert [(r.expression, r.status, r.observed, r.baseline) for r in theirs.results] == [
        (r.expression, r.status, r.observed, r.baseline) for r in ours
    ]
    reasons = [result.reason for result in ours if result.reason is not None]
    assert theirs.reasons == [
        reason.partition(" (")[0] if reason.startswith("worst stratum ") else reason
        for reason in reasons
    ]


PARTS = st.sampled_from(["recall@5", "worst-stratum", "ci-lower", "0.5", "-0.5", "+", "x", "1e5"])


@settings(deadline=None, max_examples=200)
@given(st.lists(PARTS, min_size=1, max_size=4))
def test_what_is_a_gate_is_one_in_the_published_tool(parts: list[str]) -> None:
    """The same expressions are read, with the same metric and bound, and the others refused."""
    expression = ":".join(parts)
    try:
        theirs = retrieval_eval.parse_gate(expression)
        expected = (theirs.metric, theirs.threshold)
    except ValueError:
        expected = None
    try:
        ours = parse_gate(expression)
        found = (ours.metric, ours.bound)
    except UsageError:
        found = None
    assert expected == found
