"""Whether the chunk that a label names is still what was judged: `spec/drift.md`."""

from __future__ import annotations

from evergold.identity import normalize, text_sha
from evergold.labels.spans import places_of
from evergold.model import BareChunk, Chunk, Judgment


def is_as_judged(judgment: Judgment, chunk: Chunk | BareChunk) -> bool | None:
    """Return whether a chunk is of the label's document and holds what was judged.

    A chunk holds it if it has the hash of the judged text, or between token borders the text
    itself or one of its quotes: a label may stand on a larger chunk than it was judged on.
    None where nothing can tell.
    """
    if chunk.doc_uri != judgment.doc_uri:
        return False
    text, anchor = judgment.chunk_text, judgment.anchor
    if judgment.text_sha == chunk.text_sha:
        return True
    if text is not None and text_sha(text) == chunk.text_sha:
        return True
    quotes = [text, *(item.exact for item in anchor.evidence)] if anchor else [text]
    wanted = [normalized for quote in quotes if (normalized := normalize(quote or ""))]
    if wanted and chunk.text:
        live = normalize(chunk.text)
        return any(places_of(live, quote, 1) for quote in wanted)
    # Only hashes are left. With an anchor the label may stand on a larger chunk.
    known = bool(judgment.text_sha) and anchor is None
    return False if known and chunk.text else None
