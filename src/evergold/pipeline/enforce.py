"""enforce: the last stage. It prints the verdict and fails where the params say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergold.errors import VerdictError
from evergold.formats.files import read_text
from evergold.formats.reports import read_report
from evergold.pipeline import paths
from evergold.pipeline.params import Params

_ACTIONS = ("error", "warn")


def run(params: Params) -> str:
    """Return the verdict; raise it, with the summary, where the params ask for an error."""
    on_fail = params.one_of("enforce.on_fail", _ACTIONS)
    on_indeterminate = params.one_of("enforce.on_indeterminate", _ACTIONS)
    verdict = read_report(paths.REPORT_JSON, complete=True)["verdict"]
    summary = read_text(paths.SUMMARY)
    status = verdict["status"]
    action = {"FAIL": on_fail, "INDETERMINATE": on_indeterminate}.get(status)
    if action == "error":
        raise VerdictError(status, "; ".join(_decisive(verdict)), summary)
    return f"{status}  {paths.SUMMARY}, {paths.REPORT_MARKDOWN}"


def _decisive(verdict: Mapping[str, Any]) -> list[str]:
    """Return what a failure is due to: the reasons of the gates that failed; else all reasons.

    The reasons of gates that did not pass stand last, in the order of the gates.
    """
    reasons: list[str] = verdict["reasons"]
    if verdict["status"] != "FAIL":
        return reasons
    open_gates = [gate for gate in verdict["gates"] if gate["status"] != "PASS"]
    own = reasons[len(reasons) - len(open_gates) :]
    return [r for r, gate in zip(own, open_gates, strict=False) if gate["status"] == "FAIL"]
