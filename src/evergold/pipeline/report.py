"""report: score, verdict and resolutions to what people and other tools read."""

from __future__ import annotations

from evergold.formats.files import write_text
from evergold.formats.jsonl import write_json
from evergold.formats.reports import read_report, read_verdict
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.reporting.console import console_summary
from evergold.reporting.markdown import markdown_report


def run(_params: Params) -> str:
    """Write the report as JSON, with the verdict of the gates, as Markdown and in a few lines."""
    report = read_report(paths.SCORE, complete=True)
    report["verdict"] = read_verdict(paths.VERDICT)
    write_json(paths.REPORT_JSON, report)
    write_text(paths.REPORT_MARKDOWN, markdown_report(report))
    write_text(paths.SUMMARY, console_summary(report) + "\n")
    return f"{paths.REPORT_MARKDOWN}, {paths.REPORT_JSON}"
