"""The fix of the published tool, as it is: `spec/drift.md` says what is unsound about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evergold.model import DriftReport, Finding, Judgment


def spec_fix(judgments: Sequence[Judgment], report: DriftReport) -> tuple[Judgment, ...]:
    """Return the labels with the targets of their statuses.

    RE_ANCHORABLE and MERGED get the new chunk, VALID the new fingerprint. Findings are looked up
    by query and chunk, and of several with one pair the last counts, as published.
    """
    findings = {(f.query_id, f.chunk_id or ""): f for f in report.findings}
    return tuple(
        _fixed(label, findings[label.query_id, label.chunk_id or ""], report.corpus_fingerprint)
        for label in judgments
    )


def _fixed(label: Judgment, finding: Finding, fingerprint: str | None) -> Judgment:
    if finding.status not in ("VALID", "RE_ANCHORABLE", "MERGED"):
        return label
    return replace(
        label,
        chunk_id=finding.reanchor_to or label.chunk_id,
        corpus_fingerprint=fingerprint or label.corpus_fingerprint,
    )
