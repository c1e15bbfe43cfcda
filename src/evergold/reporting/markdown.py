"""The retrieval report as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evergold.reporting.lines import (
    RULE_MEANINGS,
    Report,
    headline_metric,
    strata_worst_first,
    unscored_strata,
)

_MOST_QUERIES = 20


def markdown_report(report: Report) -> str:
    """Return the verdict with its reasons, then labels, metrics, strata and unanswered queries."""
    sections = [_verdict(report), _labels(report), _metrics(report)]
    metric = headline_metric(report)
    if metric is not None:
        sections += [_strata(report, metric), _queries(report, metric)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _verdict(report: Report) -> str:
    verdict = report["verdict"]
    parts = [f"# {verdict['status']}"]
    if verdict["reasons"]:
        parts.append("\n".join(f"- {_plain(reason)}" for reason in verdict["reasons"]))
    gates = verdict.get("gates", ())
    if gates:
        parts.append(
            _table(
                ("gate", "status", "observed", "baseline"),
                (
                    (
                        "`" + gate["expression"].replace("`", "'").replace("|", "\\|") + "`",
                        gate["status"],
                        _number(gate.get("observed")),
                        _number(gate.get("baseline")),
                    )
                    for gate in gates
                ),
            )
        )
    return "\n\n".join(parts)


def _labels(report: Report) -> str:
    judged = report["judgments"]
    intro = (
        f"{judged['labels']} labels on {judged['queries']} queries"
        f" ({judged['human_labels']} human, {judged['synthetic_labels']} synthetic),"
        f" against `{_plain(str(report['corpus']['fingerprint']))}`."
    )
    rules = report.get("resolution_summary") or {}
    rows = [(rule, str(n), RULE_MEANINGS.get(rule, "")) for rule, n in rules.items() if n]
    table = _table(("rule", "labels", "meaning"), rows) if rows else ""
    return "\n\n".join(part for part in ("## Labels", intro, table) if part)


def _metrics(report: Report) -> str:
    metrics = report["metrics"]
    if not metrics:
        return "## Metrics\n\nNo metric was computed."
    cuts = report["settings"]["k"]
    names = list(dict.fromkeys(name.partition("@")[0] for name in metrics))
    rows = [
        (name, *(_number(metrics.get(f"{name}@{k}", {}).get("value")) for k in cuts))
        for name in names
    ]
    judged = report["judgments"]
    intro = (
        f"Means over {judged['queries_scored']} of {judged['queries']} judged queries;"
        f" relevant from grade {report['settings']['threshold']}."
    )
    return f"## Metrics\n\n{intro}\n\n" + _table(("metric", *(f"@{k}" for k in cuts)), rows)


def _strata(report: Report, metric: str) -> str:
    rows = [
        (_plain(name), _number(value), str(n))
        for name, value, n in strata_worst_first(report, metric)
    ]
    if not rows:
        return ""
    rows += [(_plain(name), "not scored", "0") for name in unscored_strata(report)]
    return "## Strata, worst first\n\n" + _table(("stratum", metric, "queries"), rows)


def _queries(report: Report, metric: str) -> str:
    missed = [q for q, values in report["per_query"].items() if values.get(metric) == 0]
    if not missed:
        return ""
    shown = "\n".join(f"- {_plain(query_id)}" for query_id in missed[:_MOST_QUERIES])
    more = len(missed) - _MOST_QUERIES
    rest = f"\n- and {more} more, in `report.json`" if more > 0 else ""
    return f"## Queries with {metric} 0\n\n{shown}{rest}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _plain(text: str) -> str:
    """Return text that cannot break a table or start markup."""
    for character in "\\`*_[]<>|":
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())
