"""How commands that judge a report end: gates, the file, the lines, the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evergold.cli.output import Printer, print_json
from evergold.formats.jsonl import write_json
from evergold.gates import Gate, verdict
from evergold.reporting.retrieval import verdict_to_json

Report = dict[str, Any]
_TONES = {"PASS": "good", "FAIL": "bad", "INDETERMINATE": "warning"}


def judged(
    report: Report,
    gates: Sequence[Gate],
    baseline: Mapping[str, Any] | None,
    out: Path | None,
    printer: Printer,
    lines: Callable[[Report], Iterable[str]],
    *,
    as_json: bool,
) -> int:
    """Judge a report by gates, write and print it; return 0 for PASS and 1 for all else.

    Gates that it has been judged by stay among those of its verdict. `lines` are what stands
    above the verdict.
    """
    earlier = report["verdict"].get("gates", [])
    found = verdict_to_json(verdict(report, gates, baseline))
    if earlier:
        found["gates"] = [*earlier, *found.get("gates", [])]
    report["verdict"] = found
    if out is not None:
        write_json(out, report)
    status = found["status"]
    if as_json:
        print_json(report)
    else:
        for line in lines(report):
            printer.line(line)
        printer.line(printer.paint(status, _TONES[status]))
        for reason in found["reasons"]:
            printer.line(f"- {reason}")
    return 0 if status == "PASS" else 1
