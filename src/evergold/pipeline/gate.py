"""gate: a report and a baseline to a verdict. It never fails; `enforce` does."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evergold.errors import InputError
from evergold.formats.jsonl import read_json, write_json
from evergold.gates import parse_gate, verdict
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.reporting.retrieval import verdict_to_json


def run(params: Params) -> str:
    """Write the verdict, and a short form of it as a metric."""
    gates = params.each("gates", parse_gate)
    result = verdict(read_json(paths.SCORE), gates, _baseline())
    write_json(paths.VERDICT, verdict_to_json(result))
    counts = Counter(gate.status for gate in result.gates)
    write_json(
        paths.VERDICT_METRICS,
        {
            "verdict": result.status,
            "gates_passed": counts["PASS"],
            "gates_failed": counts["FAIL"],
            "gates_indeterminate": counts["INDETERMINATE"],
        },
    )
    return result.status


def _baseline() -> dict[str, Any] | None:
    path = paths.BASELINE / paths.SCORE.name
    if not path.exists():
        return None
    report = read_json(path, source="baseline")
    if isinstance(report, dict):
        metrics = report.get("metrics")
        usable = isinstance(metrics, dict) and all(map(_is_value, metrics.values()))
        per_query = report.get("per_query", {})
        if usable and _is_table(per_query) and isinstance(report.get("settings", {}), dict):
            return report
    raise InputError("expected a retrieval report with metrics", path=path, source="baseline")


def _is_table(per_query: object) -> bool:
    return isinstance(per_query, dict) and all(
        isinstance(row, dict) and all(map(_is_number, row.values())) for row in per_query.values()
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_value(measurement: object) -> bool:
    return isinstance(measurement, dict) and _is_number(measurement.get("value"))
