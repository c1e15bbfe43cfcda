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
        if isinstance(metrics, dict) and all(map(_is_value, metrics.values())):
            return report
    raise InputError("expected a retrieval report with metrics", path=path, source="baseline")


def _is_value(measurement: object) -> bool:
    if not isinstance(measurement, dict):
        return False
    value = measurement.get("value")
    return isinstance(value, int | float) and not isinstance(value, bool)
