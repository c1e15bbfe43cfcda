"""`evergold summarize`: scores that judges gave, as measurements with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from evergold.cli.output import (
    Printer,
    checked_output,
    color_option,
    json_option,
    needed,
    path_option,
)
from evergold.cli.verdict import Report, judged
from evergold.errors import InputError
from evergold.formats.reports import read_report
from evergold.formats.samples import read_samples
from evergold.gates import parse_gate
from evergold.reporting.console import measurement_lines
from evergold.reporting.retrieval import measurements_to_json
from evergold.statistics.summarize import measurements


@click.command("summarize")
@path_option("--samples", "Scores of judges, as JSON Lines: metric, score, query_id.")
@path_option("--report", "Report that gets the measurements.")
@click.option(
    "--gate", "gates", multiple=True, metavar="GATE", help="Such as faithfulness:ci-lower:0.8."
)
@path_option("--baseline", "Report that gates on a change compare with.")
@path_option("--out", "Write the report here.")
@json_option
@color_option
def command(
    samples: Path | None,
    report: Path | None,
    gates: Sequence[str],
    baseline: Path | None,
    out: Path | None,
    printer: Printer,
    *,
    as_json: bool,
) -> int:
    """Add the scores that judges gave to a report, each metric with its 95 % interval.

    Scores of one query are averaged first: asking again does not make more queries. Exit codes
    as for score.
    """
    samples_path, report_path = needed("summarize", samples=samples, report=report)
    parsed = [parse_gate(expression) for expression in gates]
    if out is not None:
        checked_output(out, (samples_path, report_path, baseline))
    before = None if baseline is None else read_report(baseline, source="baseline")
    after: Report = read_report(report_path, source="report")
    if "verdict" not in after:
        message = "expected a retrieval report with verdict"
        raise InputError(message, path=report_path, source="report")
    added = measurements_to_json(measurements(read_samples(samples_path)))
    for name in added:
        if after["metrics"].get(name, {}).get("deterministic", False):
            message = f"{name} is a metric of the report {report_path}"
            raise InputError(message, path=samples_path, source="samples")
    after["metrics"] = {**after["metrics"], **added}
    return judged(
        after,
        parsed,
        before,
        out,
        printer,
        lambda _: measurement_lines(added),
        as_json=as_json,
    )
