"""Findings in the published form, and resolutions as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.formats.findings import (
    drift_to_json,
    read_findings,
    read_resolutions,
    write_findings,
    write_resolutions,
)
from evergold.model import Candidate, DriftReport, Finding, Resolution

REPORT = DriftReport(
    findings=(
        Finding(0, "q1", "d", "VALID", "a"),
        Finding(1, "q1", "d", "MERGED", "b", reanchor_to="c"),
        Finding(2, "q2", "d", "SPLIT", "e", split_into=("f", "g")),
        Finding(3, "q2", "gone", "ORPHANED"),
        Finding(4, "q3", "d", "VALID", "a", verified=False),
    ),
    judgments_fingerprint=None,
    corpus_fingerprint="fixed/9/0@0123456789ab",
)

RESOLUTIONS = (
    Resolution(0, "q1", "VALID", "SAME", "a"),
    Resolution(1, "q1", "MERGED", "INTERVAL", "c", also=("h",)),
    Resolution(
        2, "q2", "SPLIT", "STRADDLE", reason="NO_HOLDER", candidates=(Candidate("f", 0.5, 0.25),)
    ),
)


def test_a_drift_report_has_the_published_form() -> None:
    """Findings in row order without empty fields, counts by status, the share, fingerprints."""
    assert {
        "findings": [
            {"query_id": "q1", "doc_uri": "d", "status": "VALID", "chunk_id": "a"},
            {
                "query_id": "q1",
                "doc_uri": "d",
                "status": "MERGED",
                "chunk_id": "b",
                "reanchor_to": "c",
            },
            {
                "query_id": "q2",
                "doc_uri": "d",
                "status": "SPLIT",
                "chunk_id": "e",
                "split_into": ["f", "g"],
            },
            {"query_id": "q2", "doc_uri": "gone", "status": "ORPHANED"},
            {
                "query_id": "q3",
                "doc_uri": "d",
                "status": "VALID",
                "chunk_id": "a",
                "verified": False,
            },
        ],
        "summary": {
            "valid": 2,
            "re_anchorable": 0,
            "merged": 1,
            "split": 1,
            "orphaned": 1,
            "invalid_ratio": 0.6,
        },
        "judgments_fingerprint": None,
        "corpus_fingerprint": "fixed/9/0@0123456789ab",
    } == drift_to_json(REPORT)


def test_findings_read_back_by_row(tmp_path: Path) -> None:
    """The row of a finding is its place in the file."""
    path = tmp_path / "findings.json"
    write_findings(path, REPORT)
    assert REPORT.findings == read_findings(path)


@pytest.mark.parametrize("verified", [True, None])
def test_only_what_does_not_hold_is_written(verified: bool | None) -> None:
    """A label whose text was found again, or could not be looked for, has the published form."""
    report = DriftReport((Finding(0, "q", "d", "VALID", "a", verified=verified),), None, None)
    (finding,) = drift_to_json(report)["findings"]
    assert {"query_id": "q", "doc_uri": "d", "status": "VALID", "chunk_id": "a"} == finding


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"findings":[{"query_id":"q","doc_uri":"d","status":"VALID","verified":"no"}]}',
            'findings:1: verified must be true or false, found "no"',
        ),
        ("[]", "findings: missing findings array"),
        ('{"findings":{}}', "findings: missing findings array"),
        ('{"findings":[5]}', "findings: findings[0] has no known status"),
        ('{"findings":[{"status":"MOVED"}]}', "findings: findings[0] has no known status"),
        ('{"findings":[{"status":"VALID"}]}', "findings:1: missing query_id"),
    ],
)
def test_malformed_findings_are_refused(tmp_path: Path, content: str, message: str) -> None:
    """What is not a list of findings is an input error."""
    path = tmp_path / "findings.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_findings(path)
    assert message == str(error.value)


def test_resolutions_are_a_head_line_and_one_record_a_line(tmp_path: Path) -> None:
    """The head has the digests of the inputs; null and empty fields are left out."""
    path = tmp_path / "resolutions.jsonl"
    write_resolutions(path, RESOLUTIONS, {"judgments": "0" * 64})
    lines = path.read_text(encoding="utf-8").split("\n")
    assert [
        {"inputs": {"judgments": "0" * 64}},
        {"row": 0, "query_id": "q1", "status": "VALID", "rule": "SAME", "target": "a"},
        {
            "row": 1,
            "query_id": "q1",
            "status": "MERGED",
            "rule": "INTERVAL",
            "target": "c",
            "also": ["h"],
        },
        {
            "row": 2,
            "query_id": "q2",
            "status": "SPLIT",
            "rule": "STRADDLE",
            "reason": "NO_HOLDER",
            "candidates": [{"chunk_id": "f", "evidence_coverage": 0.5, "span_coverage": 0.25}],
        },
    ] == [json.loads(line) for line in lines[:-1]]
    assert "" == lines[-1]


def test_resolutions_read_back(tmp_path: Path) -> None:
    """Digests and records survive."""
    path = tmp_path / "resolutions.jsonl"
    write_resolutions(path, RESOLUTIONS, {"judgments": "0" * 64})
    assert ({"judgments": "0" * 64}, RESOLUTIONS) == read_resolutions(path)


@pytest.mark.parametrize("content", ["", '{"row":0,"query_id":"q"}', '{"inputs":[]}'])
def test_resolutions_need_their_head_line(tmp_path: Path, content: str) -> None:
    """Without digests nobody knows what the records were made from."""
    path = tmp_path / "resolutions.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="resolutions:1: expected a head line with inputs"):
        read_resolutions(path)
