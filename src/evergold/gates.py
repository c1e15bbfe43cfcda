"""Gates: one condition each on a report, with PASS, FAIL or INDETERMINATE.

    <metric>:<floor>                    the value is at least the floor
    <metric>:+<x> or <metric>:-<x>      the change since the baseline is at least this
    worst-stratum:<metric>:<floor>      the value of the worst stratum is at least the floor
    <metric>:ci-lower:<floor>           the lower bound of its interval is at least the floor
    max-invalid:<share>                 at most this share of the labels is open

Values have 12 decimals and are compared as decimals, so that a drop equal to the tolerance
passes. What a gate cannot see makes it INDETERMINATE, never PASS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from typing import Any, Literal

from evergold.errors import UsageError
from evergold.identity import is_safe_id
from evergold.labels.rules import open_share
from evergold.model import DECIMALS, GateResult, Verdict, VerdictStatus

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
_WORST = "worst-stratum"
_LOWER = "ci-lower"
_INVALID = "max-invalid"
# Settings that make two values of one metric incomparable.
_COMPARED_SETTINGS = ("threshold", "gain", "ties", "unit", "metric_version")

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition; `bound` is the floor, the smallest change or the largest share."""

    expression: str
    kind: Literal["floor", "change", "worst-stratum", "ci-lower", "max-invalid"]
    metric: str
    bound: float


def parse_gate(expression: str) -> Gate:
    """Return the gate that an expression states; raises `UsageError` for any other text."""
    gate = _parsed(expression)
    if not is_safe_id(expression):
        raise UsageError(f"gate {expression!r} holds a control character")
    return gate


def _parsed(expression: str) -> Gate:
    metric, colon, rest = expression.partition(":")
    if metric == _INVALID:
        bound = _number(expression, rest)
        if not 0 <= bound <= 1:
            raise UsageError(f"gate '{expression}': expected a share from 0 to 1, found {rest}")
        return Gate(expression, "max-invalid", _INVALID, bound)
    if metric == _WORST:
        name, colon, floor = rest.rpartition(":")
        if not colon or not name or ":" in name:
            raise UsageError(f"gate '{expression}': expected worst-stratum:<metric>:<floor>")
        return Gate(expression, "worst-stratum", name, _number(expression, floor))
    if metric and rest.startswith(_LOWER + ":") and rest.count(":") == 1:
        floor = rest.removeprefix(_LOWER + ":")
        return Gate(expression, "ci-lower", metric, _number(expression, floor))
    if not metric or not colon or ":" in rest:
        raise UsageError(f"gate '{expression}': expected <metric>:<threshold>")
    kind: Literal["change", "floor"] = "change" if rest.startswith(("+", "-")) else "floor"
    return Gate(expression, kind, metric, _number(expression, rest))


def evaluate_gates(
    gates: Iterable[Gate], report: Report, baseline: Report | None = None
) -> tuple[GateResult, ...]:
    """Return the result of every gate on a retrieval report."""
    return tuple(_evaluate(gate, report, baseline) for gate in gates)


def verdict(report: Report, gates: Iterable[Gate], baseline: Report | None = None) -> Verdict:
    """Return the verdict of a report joined with that of the gates."""
    results = evaluate_gates(gates, report, baseline)
    own = report["verdict"]
    status = join([own["status"], *(result.status for result in results)])
    reasons = [*own["reasons"], *(result.reason for result in results if result.reason)]
    return Verdict(status, tuple(reasons), results)


def join(statuses: Iterable[VerdictStatus]) -> VerdictStatus:
    """Return the verdict of several: FAIL beats INDETERMINATE, which beats PASS."""
    found = set(statuses)
    if "FAIL" in found:
        return "FAIL"
    return "INDETERMINATE" if "INDETERMINATE" in found else "PASS"


def _number(expression: str, text: str) -> float:
    if not _NUMBER.match(text) or abs(float(text)) == float("inf"):
        raise UsageError(f"gate '{expression}': '{text}' is not a number")
    return float(text)


def _evaluate(gate: Gate, report: Report, baseline: Report | None) -> GateResult:
    if gate.kind == "max-invalid":
        return _invalid(gate, report)
    if gate.kind == "worst-stratum":
        return _worst(gate, report)
    measurement = report["metrics"].get(gate.metric)
    if measurement is None:
        return _unknown(gate, _absent(gate, report))
    value = measurement["value"]
    if gate.kind == "ci-lower":
        interval = measurement.get("ci")
        if interval is None:
            reason = f"no confidence interval on '{gate.metric}', sample it more than once"
            return _unknown(gate, reason, value)
        return _floor(gate, interval[0], f"{gate.metric} lower bound")
    if gate.kind == "change":
        return _change(gate, value, report, baseline)
    return _floor(gate, value, gate.metric)


def _floor(gate: Gate, value: float, subject: str) -> GateResult:
    if _decimal(value) >= _exact(gate.bound):
        return GateResult(gate.expression, "PASS", value)
    return GateResult(
        gate.expression, "FAIL", value, reason=f"{subject} is {value:.4f}, below {gate.bound}"
    )


def _change(gate: Gate, value: float, report: Report, baseline: Report | None) -> GateResult:
    before = None if baseline is None else baseline.get("metrics", {}).get(gate.metric)
    if baseline is None or before is None:
        return _unknown(gate, f"no baseline value for '{gate.metric}'", value)
    difference = _different_setting(report, baseline)
    if difference:
        return _unknown(gate, f"the baseline is not comparable: {difference}", value)
    if _disjoint(report, baseline):
        return _unknown(gate, "the baseline shares no scored query", value)
    base = before["value"]
    shared = _shared_means(gate.metric, report, baseline)
    if shared is not None:
        value, base = shared
    change = _decimal(value) - _decimal(base)
    if change >= _exact(gate.bound):
        return GateResult(gate.expression, "PASS", value, base)
    verb = "fell" if change < 0 else "rose"
    reason = (
        f"{gate.metric} {verb} {abs(change):.4f}, from {base:.4f} to {value:.4f},"
        f" outside {gate.bound}"
    )
    return GateResult(gate.expression, "FAIL", value, base, reason)


def _different_setting(report: Report, baseline: Report) -> str | None:
    here, there = report.get("settings", {}), baseline.get("settings", {})
    for name in _COMPARED_SETTINGS:
        if name in here and name in there and here[name] != there[name]:
            return f"{name} was {there[name]} and is {here[name]}"
    return None


def _disjoint(report: Report, baseline: Report) -> bool:
    here, there = report.get("per_query"), baseline.get("per_query")
    return bool(here and there) and not any(query_id in (there or {}) for query_id in here or {})


def _shared_means(metric: str, report: Report, baseline: Report) -> tuple[float, float] | None:
    """Return both means over the shared queries, where the scored queries are not the same."""
    here, there = report.get("per_query") or {}, baseline.get("per_query") or {}
    shared = [query_id for query_id in here if query_id in there]
    if not shared or here.keys() == there.keys():
        return None
    if any(metric not in side[query_id] for side in (here, there) for query_id in shared):
        return None

    def mean(side: Mapping[str, Mapping[str, float]]) -> float:
        return round(fsum(side[query_id][metric] for query_id in shared) / len(shared), DECIMALS)

    return mean(here), mean(there)


def _worst(gate: Gate, report: Report) -> GateResult:
    strata = report.get("per_stratum") or {}
    scored = [stratum for stratum in strata.values() if stratum["n"]]
    if not strata or (scored and not any(gate.metric in s["metrics"] for s in scored)):
        return _unknown(gate, f"no per-stratum data for '{gate.metric}'")
    found = [
        (stratum["metrics"][gate.metric]["value"], name, stratum["n"])
        for name, stratum in strata.items()
        if stratum["n"] and gate.metric in stratum["metrics"]
    ]
    if not found:
        return _unknown(gate, f"no stratum was scored for '{gate.metric}'")
    value, name, n = min(found, key=lambda item: item[0])
    result = _floor(gate, value, f"worst stratum {gate.metric}")
    if result.reason is None:
        return result
    # The published text comes first, then which stratum it was.
    return GateResult(gate.expression, "FAIL", value, reason=f"{result.reason} ({name}, n {n})")


def _invalid(gate: Gate, report: Report) -> GateResult:
    judged = report["judgments"]
    share = open_share(report.get("resolution_summary") or {})
    if share is None and judged["labels"] and "drift" in judged:
        share = float(judged["drift"]["invalid_ratio"])
    if share is None:
        return _unknown(gate, "the labels were not compared with a corpus")
    if _decimal(share) <= _exact(gate.bound):
        return GateResult(gate.expression, "PASS", share)
    reason = f"max-invalid is {share:.4f}, above {gate.bound}"
    return GateResult(gate.expression, "FAIL", share, reason=reason)


def _absent(gate: Gate, report: Report) -> str:
    if report["judgments"].get("queries_scored", len(report["metrics"])) == 0:
        return f"no query was scored, so '{gate.metric}' was not computed"
    return f"metric '{gate.metric}' not present in the report"


def _unknown(gate: Gate, reason: str, observed: float | None = None) -> GateResult:
    return GateResult(
        gate.expression, "INDETERMINATE", observed, reason=f"{gate.expression}: {reason}"
    )


def _exact(bound: float) -> Decimal:
    return Decimal(repr(bound))


def _decimal(value: float) -> Decimal:
    return Decimal(repr(round(value, DECIMALS)))
