"""enforce: the last stage. It prints the verdict and fails where the params say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergold.errors import InputError, VerdictError
from evergold.formats.files import read_text
from evergold.formats.jsonl import read_json
from evergold.pipeline import paths
from evergold.pipeline.params import Params

_ACTIONS = ("error", "warn")


def run(params: Params) -> str:
    """Return the verdict; raise it, with the summary, where the params ask for an error."""
    on_fail = params.one_of("enforce.on_fail", _ACTIONS)
    on_indeterminate = params.one_of("enforce.on_indeterminate", _ACTIONS)
    report = read_json(paths.REPORT_JSON)
    summary = read_text(paths.SUMMARY)
    status = report["verdict"]["status"]
    if status not in ("PASS", "FAIL", "INDETERMINATE"):
        raise InputError(f"no known verdict: {status!r}", path=paths.REPORT_JSON)
    action = {"FAIL": on_fail, "INDETERMINATE": on_indeterminate}.get(status)
    if action == "error":
        raise VerdictError(status, "; ".join(_decisive(report["verdict"])), summary)
    return f"{status}  {paths.SUMMARY}, {paths.REPORT_MARKDOWN}"


def _decisive(verdict: Mapping[str, Any]) -> list[str]:
    """Return what a failure is due to: the reasons of gates, which stand last; else all reasons."""
    reasons: list[str] = verdict["reasons"]
    if verdict["status"] != "FAIL":
        return reasons
    return reasons[-sum(gate["status"] != "PASS" for gate in verdict["gates"]) :]
