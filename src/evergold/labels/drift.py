"""Label drift: the five statuses of `spec/drift.md`, one finding for each row."""

from __future__ import annotations

from collections.abc import Sequence

from evergold.identity import normalize, text_sha
from evergold.model import Chunk, DriftReport, Finding, Judgment, Snapshot, Status


class CorpusIndex:
    """A snapshot arranged for look-ups by chunk id, text and document."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.by_id: dict[str, Chunk] = {}
        self.by_sha: dict[str, list[Chunk]] = {}
        self.by_document: dict[str, list[Chunk]] = {}
        for chunk in snapshot.chunks:
            self.by_id[chunk.chunk_id] = chunk
            self.by_sha.setdefault(chunk.text_sha, []).append(chunk)
            self.by_document.setdefault(chunk.doc_uri, []).append(chunk)
        for chunks in self.by_document.values():
            chunks.sort(key=lambda chunk: chunk.ordinal)


def drift(judgments: Sequence[Judgment], corpus: Snapshot | CorpusIndex) -> DriftReport:
    """Return the status of every label against a live corpus."""
    index = corpus if isinstance(corpus, CorpusIndex) else CorpusIndex(corpus)
    fingerprints = {j.corpus_fingerprint for j in judgments if j.corpus_fingerprint}
    return DriftReport(
        findings=tuple(_finding(row, judgment, index) for row, judgment in enumerate(judgments)),
        judgments_fingerprint=fingerprints.pop() if len(fingerprints) == 1 else None,
        corpus_fingerprint=index.snapshot.corpus_fingerprint,
    )


def _finding(row: int, judgment: Judgment, index: CorpusIndex) -> Finding:
    status, target, pieces = _status(judgment, index)
    return Finding(
        row=row,
        query_id=judgment.query_id,
        doc_uri=judgment.doc_uri,
        status=status,
        chunk_id=judgment.chunk_id,
        reanchor_to=target,
        split_into=pieces,
    )


def _status(judgment: Judgment, index: CorpusIndex) -> tuple[Status, str | None, tuple[str, ...]]:
    """Return status, re-anchor target and pieces: the first of the five steps that applies."""
    document = index.by_document.get(judgment.doc_uri, [])
    if judgment.chunk_id is None:
        return ("VALID" if document else "ORPHANED"), None, ()
    if judgment.chunk_id in index.by_id:
        return "VALID", None, ()

    sha = judgment.text_sha
    if sha is None and judgment.chunk_text is not None:
        sha = text_sha(judgment.chunk_text)
    same_text = index.by_sha.get(sha, []) if sha is not None else []
    if same_text:
        at_home = [chunk for chunk in same_text if chunk.doc_uri == judgment.doc_uri]
        return "RE_ANCHORABLE", (at_home or same_text)[0].chunk_id, ()

    if judgment.chunk_text is not None:
        wanted = normalize(judgment.chunk_text)
        texts = [(normalize(chunk.text), chunk) for chunk in document]
        pieces = tuple(chunk.chunk_id for text, chunk in texts if text and text in wanted)
        if len(pieces) >= 2:
            return "SPLIT", None, pieces
        holders = [(len(text), chunk) for text, chunk in texts if wanted and wanted in text]
        if holders:
            tightest = min(holders, key=lambda holder: (holder[0], holder[1].ordinal))
            return "MERGED", tightest[1].chunk_id, ()
    return "ORPHANED", None, ()
