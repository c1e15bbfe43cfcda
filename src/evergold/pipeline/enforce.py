"""enforce: the last stage. It prints the verdict and fails where the params say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergold.errors import VerdictError
from evergold.formats.jsonl import read_json
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.reporting.console import console_summary

_ACTIONS = ("error", "warn")


def run(params: Params) -> str:
    """Return the summary of the run; raise it where the verdict is not good enough."""
    on_fail = params.one_of("enforce.on_fail", _ACTIONS)
    on_indeterminate = params.one_of("enforce.on_indeterminate", _ACTIONS)
    report = read_json(paths.REPORT_JSON)
    summary = console_summary(report)
    status = report["verdict"]["status"]
    action = {"FAIL": on_fail, "INDETERMINATE": on_indeterminate}.get(status)
    if action == "error":
        raise VerdictError(status, "; ".join(_decisive(report["verdict"])), summary)
    return summary


def _decisive(verdict: Mapping[str, Any]) -> list[str]:
    """Return the reasons of the gates that did not pass, which stand last; else all reasons."""
    failed = sum(gate["status"] != "PASS" for gate in verdict.get("gates", ()))
    reasons: list[str] = verdict["reasons"]
    return reasons[-failed:] if failed else reasons
