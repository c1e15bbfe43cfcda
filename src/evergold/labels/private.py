"""Labels without any text of documents: hashes, spans and lengths are enough to check them."""

from __future__ import annotations

from dataclasses import replace

from evergold.identity import text_sha
from evergold.model import Anchor, Evidence, Judgment


def without_text(judgment: Judgment) -> Judgment:
    """Return the label with hashes in place of the judged text and of quotes."""
    sha = judgment.text_sha
    if sha is None and judgment.chunk_text is not None:
        sha = text_sha(judgment.chunk_text)
    anchor = _anchor(judgment.anchor) if judgment.anchor else None
    return replace(judgment, chunk_text=None, text_sha=sha, anchor=anchor)


def _anchor(anchor: Anchor) -> Anchor:
    return replace(
        anchor,
        evidence=tuple(_evidence(item) for item in anchor.evidence),
        absorbed=tuple(replace(i, judgment=without_text(i.judgment)) for i in anchor.absorbed),
    )


def _evidence(evidence: Evidence) -> Evidence:
    sha = evidence.sha
    if sha is None and evidence.exact is not None:
        sha = text_sha(evidence.exact)
    return replace(evidence, exact=None, prefix=None, suffix=None, sha=sha)
