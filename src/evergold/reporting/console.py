"""The few lines that a run ends with."""

from __future__ import annotations

from evergold.labels.rules import GONE, HELD, RESOLVED, REVIEW, SAME, STRADDLE
from evergold.reporting.lines import (
    Report,
    compared_values,
    headline_metric,
    strata_worst_first,
    unscored_strata,
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


def score_lines(report: Report) -> list[str]:
    """Return the scores of a report as lines: counts, metrics, strata worst first, gates."""
    judged = report["judgments"]
    counted = f"{judged['queries']} queries · {judged['labels']} labels"
    origin = f"({judged['human_labels']} human, {judged['synthetic_labels']} synthetic)"
    lines = [f"{counted} {origin}", "", *_metric_table(report), ""]
    metric = headline_metric(report)
    strata = strata_worst_first(report, metric) if metric is not None else []
    if strata:
        lines.append(f"{metric} by stratum, worst first")
        lines += [f"  {name:<20} {value:.4f}  n {n}" for name, value, n in strata]
        lines += [f"  {name:<20} not scored" for name in unscored_strata(report)]
        lines.append("")
    gates = report["verdict"].get("gates", ())
    if gates:
        lines.append("gates")
        lines += [f"  {gate['status']:<13} {gate['expression']}" for gate in gates]
        lines.append("")
    return lines


def measurement_lines(measurements: Report) -> list[str]:
    """Return one line for each measurement: value, 95 % interval, number of samples."""
    width = max(map(len, measurements))
    lines = []
    for name, found in measurements.items():
        interval = "[{:.4f}, {:.4f}]".format(*found["ci"]) if "ci" in found else "no interval"
        lines.append(f"{name:<{width}}  {found['value']:.4f}  {interval}  n {found['n']}")
    return [*lines, ""]


def _metric_table(report: Report) -> list[str]:
    cuts = report["settings"]["k"]
    values = {name: float(found["value"]) for name, found in report["metrics"].items()}
    values.update(report.get("judged") or {})
    if not report["metrics"]:
        return ["no metric was computed"]
    names = dict.fromkeys(name.partition("@")[0] for name in values)
    rows = [["", *(f"@{k}" for k in cuts)]]
    for name in names:
        cells = [values.get(f"{name}@{k}") for k in cuts]
        rows.append([name, *("" if cell is None else f"{cell:.4f}" for cell in cells)])
    return ["  ".join([f"{row[0]:<9}", *(f"{cell:>6}" for cell in row[1:])]) for row in rows]


def _labels(report: Report) -> str:
    judged = report["judgments"]
    strata = len(report.get("per_stratum") or {})
    parts = [f"{judged['labels']} judged" + (f" in {strata} strata" if strata else "")]
    rules = report.get("resolution_summary") or {}
    for count, text in (
        (rules.get(SAME, 0), "in place"),
        (sum(rules.get(rule, 0) for rule in RESOLVED if rule != SAME), "re-anchored"),
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
