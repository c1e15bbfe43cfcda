"""gate: a report and a baseline to a verdict. It never fails; `enforce` does."""

from __future__ import annotations

from collections import Counter

from evergold.formats.jsonl import write_json
from evergold.formats.reports import read_report
from evergold.gates import parse_gate, verdict
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.reporting.retrieval import verdict_to_json


def run(params: Params) -> str:
    """Write the verdict, and a short form of it as a metric."""
    gates = params.each("gates", parse_gate)
    path = paths.BASELINE / paths.SCORE.name
    baseline = read_report(path, source="baseline") if path.exists() else None
    result = verdict(read_report(paths.SCORE, complete=True), gates, baseline)
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
