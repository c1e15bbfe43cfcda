"""Drift findings in the published JSON form, and resolutions as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evergold.errors import InputError
from evergold.formats.jsonl import Row, dumps, read_json, read_rows, write_json, write_rows
from evergold.model import STATUSES, Candidate, DriftReport, Finding, Resolution


def write_findings(path: Path, report: DriftReport) -> None:
    """Write a drift report."""
    write_json(path, drift_to_json(report))


def drift_to_json(report: DriftReport) -> dict[str, Any]:
    """Return a drift report as JSON data, findings in row order."""
    return {
        "findings": [_finding_to_json(finding) for finding in report.findings],
        "summary": summary_to_json(report),
        "judgments_fingerprint": report.judgments_fingerprint,
        "corpus_fingerprint": report.corpus_fingerprint,
    }


def summary_to_json(report: DriftReport) -> dict[str, Any]:
    """Return the number of labels of each status, and the share that is not VALID."""
    counts = {status.lower(): count for status, count in report.counts.items()}
    return {**counts, "invalid_ratio": report.invalid_ratio}


def read_findings(path: Path) -> tuple[Finding, ...]:
    """Return the findings of a drift report, in row order."""
    data = read_json(path, source="findings")
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise InputError("missing findings array", path=path, source="findings")
    findings = []
    for index, fields in enumerate(data["findings"]):
        if not isinstance(fields, dict) or fields.get("status") not in STATUSES:
            raise InputError(f"findings[{index}] has no known status", path=path, source="findings")
        row = Row(fields, path, 1, source="findings")
        findings.append(
            Finding(
                row=index,
                query_id=row.identifier("query_id"),
                doc_uri=row.identifier("doc_uri"),
                status=fields["status"],
                chunk_id=row.text("chunk_id"),
                reanchor_to=row.text("reanchor_to"),
                split_into=row.strings("split_into"),
                verified=_verified(row),
            )
        )
    return tuple(findings)


def _verified(row: Row) -> bool | None:
    value = row.fields.get("verified")
    if value is not None and not isinstance(value, bool):
        raise row.error(f"verified must be true or false, found {dumps(value)[:60]}")
    return value


def _finding_to_json(finding: Finding) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "query_id": finding.query_id,
        "doc_uri": finding.doc_uri,
        "status": finding.status,
        "chunk_id": finding.chunk_id,
        "reanchor_to": finding.reanchor_to,
        "split_into": list(finding.split_into) or None,
        # Only what a person must know: other tools have no such field.
        "verified": False if finding.verified is False else None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def write_resolutions(
    path: Path, resolutions: Sequence[Resolution], inputs: Mapping[str, str]
) -> None:
    """Write resolutions: a head line with the digests of what they were made from, then rows."""
    write_rows(path, [{"inputs": dict(inputs)}, *map(_resolution_to_json, resolutions)])


def read_resolutions(path: Path) -> tuple[dict[str, str], tuple[Resolution, ...]]:
    """Return the digests and the resolutions of a file."""
    lines = read_rows(path, source="resolutions")
    _, head = next(lines, (1, {}))
    if not isinstance(head.get("inputs"), dict):
        raise InputError(
            "expected a head line with inputs", path=path, line=1, source="resolutions"
        )
    return head["inputs"], tuple(
        _resolution(Row(fields, path, line, source="resolutions")) for line, fields in lines
    )


def _resolution(row: Row) -> Resolution:
    if row.fields.get("status") not in STATUSES:
        raise row.error("no known status")
    return Resolution(
        row=row.integer("row") or 0,
        query_id=row.identifier("query_id"),
        status=row.fields["status"],
        rule=row.identifier("rule"),
        target=row.text("target"),
        also=row.strings("also"),
        reason=row.text("reason"),
        candidates=tuple(_candidates(row)),
    )


def _candidates(row: Row) -> Iterator[Candidate]:
    for fields in row.objects("candidates"):
        try:
            yield Candidate(**fields)
        except TypeError as error:
            raise row.error(f"not a candidate: {dumps(fields)[:60]}") from error


def _resolution_to_json(resolution: Resolution) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "row": resolution.row,
        "query_id": resolution.query_id,
        "status": resolution.status,
        "rule": resolution.rule,
        "target": resolution.target,
        "also": list(resolution.also) or None,
        "reason": resolution.reason,
        "candidates": [candidate_to_json(c) for c in resolution.candidates] or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate as JSON data."""
    return {
        "chunk_id": candidate.chunk_id,
        "evidence_coverage": candidate.evidence_coverage,
        "span_coverage": candidate.span_coverage,
    }
