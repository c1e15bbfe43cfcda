"""Departures of gates: which expressions are gates, and what they see."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import retrieval_eval

from evergold.identity import is_safe_id
from tests.differential.answers import is_refused, refused
from tests.differential.asked import (
    Asked,
    Deviation,
    always,
)


def _each_gate(change: Callable[[str, Any], Any]) -> Callable[[Asked, Any], Any]:
    return lambda asked, theirs: [
        change(e, answer) for e, answer in zip(asked.case.gates, theirs, strict=True)
    ]


def _only_finite_ascii(expression: str, theirs: Any) -> Any:
    number = expression.rpartition(":")[2]
    if is_refused(theirs):
        return theirs
    if not number.isascii() or number.endswith("\n") or math.isinf(theirs[1]):
        return refused(f"gate '{expression}': '{number}' is not a number")
    if not is_safe_id(expression):
        return refused(f"gate {expression!r} holds a control character")
    return theirs


def _only_named_metrics(expression: str, theirs: Any) -> Any:
    if is_refused(theirs) or theirs[0]:
        return theirs
    form = "<metric>:<threshold>"
    if expression.startswith("worst-stratum"):
        form = "worst-stratum:<metric>:<floor>"
    return refused(f"gate '{expression}': expected {form}")


def _only_shares(expression: str, theirs: Any) -> Any:
    if is_refused(theirs) or theirs[0] != "max-invalid" or 0 <= theirs[1] <= 1:
        return theirs
    number = expression.rpartition(":")[2]
    return refused(f"gate '{expression}': expected a share from 0 to 1, found {number}")


def _each_result(
    change: Callable[[Asked, Any, str, float], Any],
) -> Callable[[Asked, Any], Any]:
    """Return what changes the results of gates; metric and bound of each are given."""

    def ours(asked: Asked, theirs: Any) -> Any:
        changed = []
        for result in theirs:
            gate = retrieval_eval.parse_gate(result["expression"])
            changed.append(change(asked, result, gate.metric, gate.threshold))
        return changed

    return ours


def _unknown(result: Any, reason: str, observed: float | None = None) -> Any:
    return {
        "expression": result["expression"],
        "status": "INDETERMINATE",
        "observed": observed,
        "baseline": None,
        "reason": f"{result['expression']}: {reason}",
    }


def _open_labels(asked: Asked, result: Any, metric: str, bound: float) -> Any:
    if metric != "max-invalid":
        return result
    judged = asked.report["judgments"]
    if not judged["labels"] or "drift" not in judged:
        return _unknown(result, "the labels were not compared with a corpus")
    share = judged["drift"]["invalid_ratio"]
    failed = share > bound
    return {
        **result,
        "status": "FAIL" if failed else "PASS",
        "observed": share,
        "reason": f"max-invalid is {share:.4f}, above {bound}" if failed else None,
    }


def _is_change(result: Any, metric: str) -> bool:
    expression: str = result["expression"]
    return expression.startswith((f"{metric}:+", f"{metric}:-"))


def _absent_metric(asked: Asked, result: Any, metric: str, _: float) -> Any:
    expression = result["expression"]
    scored = asked.report["judgments"]["queries_scored"]
    if expression.startswith("worst-stratum:") or metric in asked.report["metrics"] or not scored:
        return result
    if metric == "max-invalid":
        return result
    return _unknown(result, f"metric '{metric}' not present in the report")


def _named_stratum(asked: Asked, result: Any, metric: str, _: float) -> Any:
    if not result["expression"].startswith("worst-stratum:") or result["status"] != "FAIL":
        return result
    strata = asked.report["per_stratum"].items()
    name, stratum = next(
        (name, s)
        for name, s in strata
        if s["n"] and s["metrics"].get(metric, {}).get("value") == result["observed"]
    )
    return {**result, "reason": f"{result['reason']} ({name}, n {stratum['n']})"}


def _comparable(asked: Asked, result: Any, metric: str, bound: float) -> Any:
    if not _is_change(result, metric) or result["baseline"] is None:
        return result
    here, there = asked.report, asked.baseline
    value, base = result["observed"], result["baseline"]
    now, before = (side.get("settings", {}).get("threshold") for side in (here, there))
    if now is not None and before is not None and now != before:
        reason = f"the baseline is not comparable: threshold was {before} and is {now}"
        return _unknown(result, reason, value)
    mine, other = here.get("per_query", {}), there.get("per_query", {})
    shared = [query_id for query_id in mine if query_id in other]
    if mine and other and not shared:
        return _unknown(result, "the baseline shares no scored query", value)
    if mine.keys() != other.keys() and shared:
        value, base = (
            round(math.fsum(side[q][metric] for q in shared) / len(shared), 12)
            for side in (mine, other)
        )
        return _decimal_change(result, metric, bound, value, base)
    return result


def _decimal_change(result: Any, metric: str, bound: float, value: float, base: float) -> Any:
    change = Decimal(str(value)) - Decimal(str(base))
    passed = change >= Decimal(str(bound))
    verb = "fell" if change < 0 else "rose"
    reason = f"{metric} {verb} {abs(change):.4f}, from {base:.4f} to {value:.4f}, outside {bound}"
    return {
        **result,
        "status": "PASS" if passed else "FAIL",
        "observed": value,
        "baseline": base,
        "reason": None if passed else reason,
    }


def _decimals(_: Asked, result: Any, metric: str, bound: float) -> Any:
    observed = result["observed"]
    if _is_change(result, metric):
        if result["baseline"] is None:
            return result
        return _decimal_change(result, metric, bound, observed, result["baseline"])
    if result["status"] == "FAIL" and metric != "max-invalid" and round(observed, 12) >= bound:
        return {**result, "status": "PASS", "reason": None}
    return result


GATING: tuple[Deviation, ...] = (
    Deviation("gate numbers", "gates", always, _each_gate(_only_finite_ascii)),
    Deviation("gate without a metric", "gates", always, _each_gate(_only_named_metrics)),
    Deviation("`max-invalid`", "gates", always, _each_gate(_only_shares)),
    Deviation("`max-invalid`", "results", always, _each_result(_open_labels)),
    Deviation("gate on an absent metric", "results", always, _each_result(_absent_metric)),
    Deviation("worst stratum", "results", always, _each_result(_named_stratum)),
    Deviation(
        "baseline", "results", lambda a, _: "settings" in a.report, _each_result(_comparable)
    ),
    Deviation("gate comparison", "results", always, _each_result(_decimals)),
)
