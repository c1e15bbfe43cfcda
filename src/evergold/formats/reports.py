"""Retrieval reports as files: `spec/report.schema.json`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evergold.errors import InputError
from evergold.formats.jsonl import read_json

_STATUSES = ("PASS", "FAIL", "INDETERMINATE")
_MOST = 2**53
_COUNTS = ("queries", "queries_scored", "labels", "human_labels", "synthetic_labels")


def read_report(path: Path, source: str | None = None, *, complete: bool = False) -> dict[str, Any]:
    """Return a report of this tool or of another one, of which only the metrics are needed.

    With `complete` it must have all that a report of ours has. Raises `InputError` for a part
    that does not have the shape of a report.
    """
    report = read_json(path, source)
    if not isinstance(report, dict):
        report = {}
    for name, usable in _PARTS.items():
        value = report.get(name)
        needed = name == "metrics" or (complete and name not in _OPTIONAL)
        if (value is None and needed) or (value is not None and not usable(value)):
            message = f"expected a retrieval report with {name}"
            raise InputError(message, path=path, source=source)
    if complete and not _is_whole(report):
        message = "expected a retrieval report with all that evergold writes"
        raise InputError(message, path=path, source=source)
    return report


def read_verdict(path: Path) -> dict[str, Any]:
    """Return a verdict that stands in a file of its own."""
    verdict: Any = read_json(path)
    if not isinstance(verdict, dict) or "reasons" not in verdict or not _is_verdict(verdict):
        raise InputError("expected a verdict with status and reasons", path=path)
    return verdict


def _is_whole(report: dict[str, Any]) -> bool:
    """Return whether what `read_report` found to be well formed has all that ours have."""
    judged, settings, verdict = (report.get(n) for n in ("judgments", "settings", "verdict"))
    return bool(
        judged
        and all(_is_count(judged.get(name)) for name in _COUNTS)
        and settings
        and "k" in settings
        and _is_count(settings.get("threshold"))
        and verdict
        and "reasons" in verdict
    )


def _is_number(value: object) -> bool:
    # An integer of hundreds of digits is no number to calculate with.
    return type(value) is float or (type(value) is int and abs(value) < _MOST)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _are_counts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _are_measurements(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_measurement, value.values()))


def _is_measurement(value: object) -> bool:
    if not isinstance(value, dict) or not _is_number(value.get("value")):
        return False
    interval = value.get("ci")
    return interval is None or (
        isinstance(interval, list) and len(interval) == 2 and all(map(_is_number, interval))
    )


def _are_strata(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(stratum, dict)
        and _is_count(stratum.get("n"))
        and _are_measurements(stratum.get("metrics"))
        for stratum in value.values()
    )


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(row, dict) and all(map(_is_number, row.values())) for row in value.values()
    )


def _are_settings(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    k = value.get("k", [])
    return isinstance(k, list) and all(map(_is_count, k))


def _are_judgments(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    drift = value.get("drift", {"invalid_ratio": 0})
    return isinstance(drift, dict) and _is_number(drift.get("invalid_ratio"))


def _is_verdict(value: object) -> bool:
    if not isinstance(value, dict) or value.get("status") not in _STATUSES:
        return False
    reasons, gates = value.get("reasons", []), value.get("gates", [])
    return (
        isinstance(reasons, list)
        and all(isinstance(reason, str) for reason in reasons)
        and isinstance(gates, list)
        and all(map(_is_gate, gates))
    )


def _is_gate(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("expression"), str)
        and value.get("status") in _STATUSES
        and all(value.get(n) is None or _is_number(value[n]) for n in ("observed", "baseline"))
    )


_OPTIONAL = ("per_stratum", "resolution_summary")
_PARTS: dict[str, Callable[[object], bool]] = {
    "metrics": _are_measurements,
    "judgments": _are_judgments,
    "corpus": _is_object,
    "verdict": _is_verdict,
    "settings": _are_settings,
    "per_query": _is_table,
    "per_stratum": _are_strata,
    "resolution_summary": _are_counts,
}
