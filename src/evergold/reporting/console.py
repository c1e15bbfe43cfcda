"""The few lines that a run ends with."""

from __future__ import annotations

from evergold.labels.rules import CONTAINED, GONE, HELD, INTERVAL, REVIEW, SAME, STRADDLE
from evergold.reporting.lines import (
    Report,
    compared_values,
    headline_metric,
    strata_worst_first,
)


def console_summary(report: Report) -> str:
    """Return labels, headline metric, worst stratum and verdict, one line each, then reasons."""
    rows = [("labels", _labels(report))]
    metric = headline_metric(report)
    if metric is not None:
        rows.append((metric, _headline(report, metric)))
        worst = strata_worst_first(report, metric)
        if worst:
            name, value, n = worst[0]
            rows.append(("worst", f"{name}: {metric} {value:.3f} (n {n})"))
    verdict = report["verdict"]
    gates = "  ".join(gate["expression"] for gate in verdict.get("gates", ()))
    rows.append(("verdict", f"{verdict['status']}  {gates}".rstrip()))
    rows.extend(("", f"- {reason}") for reason in verdict["reasons"])
    return "\n".join(f"{name:<9} {text}".rstrip() for name, text in rows)


def _labels(report: Report) -> str:
    judged = report["judgments"]
    strata = len(report.get("per_stratum") or {})
    parts = [f"{judged['labels']} judged" + (f" in {strata} strata" if strata else "")]
    rules = report.get("resolution_summary") or {}
    for count, text in (
        (rules.get(SAME, 0), "in place"),
        (rules.get(INTERVAL, 0) + rules.get(CONTAINED, 0), "re-anchored"),
        (rules.get(HELD, 0), "held at 0"),
        (rules.get(STRADDLE, 0), "straddle a border"),
        (rules.get(REVIEW, 0), "need a person"),
        (rules.get(GONE, 0), "gone with their document"),
    ):
        if count:
            parts.append(f"{count} {text}")
    return " · ".join(parts)


def _headline(report: Report, metric: str) -> str:
    value = report["metrics"][metric]["value"]
    compared = compared_values(report, metric)
    scored = report["judgments"]["queries_scored"]
    text = f"{value:.3f} over {scored} queries"
    if compared is None:
        return text
    before, after = compared
    return f"{text}   was {before:.3f} ({after - before:+.3f})"
