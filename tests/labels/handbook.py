"""Small documents, chunkings and labels, each made in one line of a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from evergold.identity import text_sha
from evergold.model import Anchor, Chunk, Document, Evidence, Judgment, Snapshot, Span

URI = "handbook://leave.md"


def document(text: str, uri: str = URI) -> Document:
    """Return a document whose revision is the hash of its text, as for a local file."""
    return Document(doc_uri=uri, doc_revision=text_sha(text), text=text)


def cut(source: Document, name: str, *spans: Span) -> tuple[Chunk, ...]:
    """Return the chunks of one document at `spans`, with the ids `name0`, `name1`, and so on."""
    return tuple(
        Chunk(
            chunk_id=f"{name}{ordinal}",
            doc_uri=source.doc_uri,
            doc_revision=source.doc_revision,
            ordinal=ordinal,
            text=source.text[start:end],
            text_sha=text_sha(source.text[start:end]),
            start=start,
            end=end,
        )
        for ordinal, (start, end) in enumerate(spans)
    )


def snapshot(*chunks: Chunk) -> Snapshot:
    """Return a snapshot with the fingerprint `live`."""
    return Snapshot(corpus_fingerprint="live", chunker_fingerprint="hand", chunks=chunks)


def label(
    source: Document,
    span: Span,
    relevance: int,
    *,
    chunk_id: str | None = "old0",
    query_id: str = "q1",
    evidence: Sequence[Span] = (),
    rule: Literal["any", "all"] = "any",
    by: str | None = None,
) -> Judgment:
    """Return a label with an anchor, judged on `span` of a document under another chunking."""
    text = source.text[slice(*span)]
    return Judgment(
        query_id=query_id,
        query=f"the text of {query_id}",
        doc_uri=source.doc_uri,
        chunk_id=chunk_id,
        chunk_text=text,
        text_sha=text_sha(text),
        relevance=relevance,
        corpus_fingerprint="then",
        labeled_by="human:ana",
        anchor=Anchor(
            doc_sha=text_sha(source.text),
            doc_revision=source.doc_revision,
            span=span,
            evidence=tuple(quote(source, place) for place in evidence),
            evidence_rule=rule,
            by=by,
        ),
    )


def bare(
    chunk_text: str | None,
    relevance: int,
    *,
    chunk_id: str | None = "old0",
    query_id: str = "q1",
    uri: str = URI,
) -> Judgment:
    """Return a label without an anchor, as other tools write it."""
    return Judgment(
        query_id=query_id,
        query=f"the text of {query_id}",
        doc_uri=uri,
        chunk_id=chunk_id,
        chunk_text=chunk_text,
        text_sha=None if chunk_text is None else text_sha(chunk_text),
        relevance=relevance,
        corpus_fingerprint="then",
        labeled_by="human:ana",
    )


def quote(source: Document, span: Span) -> Evidence:
    """Return the evidence at `span`, with 48 code points of context on either side."""
    start, end = span
    exact = source.text[start:end]
    return Evidence(
        span=span,
        exact=exact,
        prefix=source.text[max(0, start - 48) : start],
        suffix=source.text[end : end + 48],
        sha=text_sha(exact),
    )
