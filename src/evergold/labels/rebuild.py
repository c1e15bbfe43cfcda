"""The texts of documents, as far as the chunks of a snapshot tell them.

A snapshot from a vector store comes without documents. Its chunks, in order, with their overlaps
laid upon each other, are enough to say whether a text stands in one place. The offsets are of
the rebuilt text and good for nothing else: they must not be written into a label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evergold.identity import is_text_sha, normalize, text_sha
from evergold.labels.absorb import regroup, separate
from evergold.labels.place import counted_evidence, only_place
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.model import Anchor, Chunk, Document, Evidence, Judgment, Snapshot

# A shorter text at the end of one chunk and the start of the next may be chance.
_LEAST_OVERLAP = 16
_GAP = "\n\n"


def rebuilt(snapshot: Snapshot) -> tuple[tuple[Document, ...], Snapshot]:
    """Return documents made of the chunks, and the chunks with their places in those."""
    chunks: dict[str, list[Chunk]] = {}
    for chunk in snapshot.chunks:
        chunks.setdefault(chunk.doc_uri, []).append(chunk)
    documents, placed = [], []
    for doc_uri, of_document in chunks.items():
        of_document.sort(key=lambda chunk: chunk.ordinal)
        text = ""
        for chunk in of_document:
            piece = normalize(chunk.text)
            start = len(text) - _overlap(text, piece)
            if start == len(text) and text and piece:
                text += _GAP
                start = len(text)
            text += piece[len(text) - start :]
            place = (start, start + len(piece)) if piece else (None, None)
            if (chunk.text, chunk.start, chunk.end) != (piece, *place):
                chunk = replace(chunk, text=piece, start=place[0], end=place[1])  # noqa: PLW2901
            placed.append(chunk)
        documents.append(Document(doc_uri, of_document[0].doc_revision, text))
    return tuple(documents), replace(snapshot, chunks=tuple(placed))


def documents_by_offsets(snapshot: Snapshot) -> tuple[Document, ...]:
    """Return the documents whose chunks have offsets and leave nothing out, up to the last of them.

    Where the revision is the hash of the text, as for local files, it has to agree.
    """
    chunks: dict[str, list[Chunk]] = {}
    for chunk in snapshot.chunks:
        chunks.setdefault(chunk.doc_uri, []).append(chunk)
    documents = []
    for doc_uri, of_document in chunks.items():
        text = ""
        for chunk in sorted(of_document, key=lambda chunk: chunk.start or 0):
            if chunk.start is None or chunk.start > len(text) or not chunk.text:
                break
            if not text.startswith(chunk.text[: len(text) - chunk.start], chunk.start):
                break
            text += chunk.text[len(text) - chunk.start :]
        else:
            revision = of_document[0].doc_revision
            if text == normalize(text) and not (
                is_text_sha(revision) and revision != text_sha(text)
            ):
                documents.append(Document(doc_uri, revision, text))
    return tuple(documents)


def reanchor_by_chunks(judgments: Sequence[Judgment], snapshot: Snapshot) -> Reanchored:
    """Return what `reanchor` does where only the chunks are at hand.

    A label moves to a chunk of its own document that holds its evidence, or its whole judged text
    where none is recorded, if that stands in one place between token borders; a zero to a chunk that
    is its text, or to its parts. Recorded spans stay as they are: they count in a text that is not at
    hand.
    """
    documents, placed = rebuilt(snapshot)
    texts = {document.doc_uri: document for document in documents}
    labels = separate(judgments)
    bare = [_in_rebuilt(label, texts.get(label.doc_uri)) for label in labels]
    result = reanchor(regroup(judgments, bare), placed, documents)
    moved = separate(result.judgments)
    restored = [_with_anchor(old, new) for old, new in zip(labels, moved, strict=True)]
    return replace(result, judgments=regroup(result.judgments, restored), labels=labels)


def _in_rebuilt(label: Judgment, document: Document | None) -> Judgment:
    """Return the label with the places of its evidence in a rebuilt text, without any where unknown."""
    anchor = label.anchor
    quotes = counted_evidence(anchor)
    alone = label.at(label.chunk_id, label.corpus_fingerprint, None)
    if document is None or anchor is None or not label.relevance or not quotes:
        return alone
    text = document.text
    whole = only_place(text, normalize(label.chunk_text or ""))
    places = []
    for item in quotes:
        if item.exact is None:
            return alone
        place = only_place(text, item.exact)
        if whole is not None and anchor.span is not None:
            start = whole[0] + item.span[0] - anchor.span[0]
            place = (start, start + len(item.exact))
            if place[1] > whole[1] or text[slice(*place)] != item.exact:
                return alone
        if place is None:
            return alone
        places.append(place)
    evidence = tuple(
        Evidence(place, item.exact) for item, place in zip(quotes, places, strict=True)
    )
    span = whole or (min(start for start, _ in places), max(end for _, end in places))
    return replace(
        label,
        anchor=Anchor(
            doc_sha=text_sha(text),
            doc_revision=None,
            span=span,
            evidence=evidence,
            evidence_rule=anchor.evidence_rule,
        ),
    )


def _overlap(text: str, piece: str) -> int:
    """Return the length of the longest end of `text` that `piece` begins with.

    A chunk that goes no further than the one before it is a copy, and no overlap.
    """
    head = piece[:_LEAST_OVERLAP]
    if len(head) < _LEAST_OVERLAP:
        return 0
    start = text.find(head, max(0, len(text) - len(piece) + 1))
    while start >= 0:
        if piece.startswith(text[start:]):
            return len(text) - start
        start = text.find(head, start + 1)
    return 0


def _with_anchor(old: Judgment, new: Judgment) -> Judgment:
    also = new.anchor.also if new.anchor else ()
    anchor = old.anchor
    if also or anchor is not None:
        anchor = anchor or Anchor(doc_sha=None, doc_revision=None, span=None)
        also = also if new.chunk_id else anchor.also
        anchor = anchor if also == anchor.also else replace(anchor, also=also)
    return new.at(new.chunk_id, new.corpus_fingerprint, anchor)
