"""Content-addressed identity: what makes two texts, chunks or corpora the same.

The definitions are those of `spec/identity.md`; any deviation breaks every label file.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

_FIELD = "\x1f"
_RECORD = "\x1e"
_CHUNK_ID = re.compile(r"c1:[0-9a-f]{32}\Z")
_TEXT_SHA = re.compile(r"t1:[0-9a-f]{32}\Z")


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:length]


def normalize(text: str) -> str:
    """Return `text` in NFC, with LF line ends, without white space at either end.

    White space is what `str.strip` removes. Nothing else changes: no case folding, no
    collapsing of inner white space.
    """
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    if "\r" in composed:
        composed = composed.replace("\r\n", "\n").replace("\r", "\n")
    return composed.strip()


def text_sha(text: str) -> str:
    """Return `t1:` and 32 hex digits: the identity of a text, whatever its place."""
    # Not by `_digest`: this is called for every chunk of a corpus.
    return "t1:" + hashlib.sha256(normalize(text).encode()).hexdigest()[:32]


def chunk_id(
    doc_uri: str, doc_revision: str, ordinal: int, text: str, chunker_fingerprint: str
) -> str:
    """Return `c1:` and 32 hex digits: the identity of a chunk.

    `ordinal` counts the chunks of the document from 0.
    """
    fields = (doc_uri, doc_revision, str(ordinal), normalize(text), chunker_fingerprint)
    return "c1:" + _digest(_FIELD.join(fields), 32)


def corpus_fingerprint(chunker_fingerprint: str, revisions: Iterable[tuple[str, str]]) -> str:
    """Return the identity of a whole corpus under one chunker.

    `revisions` are the (doc_uri, doc_revision) pairs of its documents, in any order.
    """
    pairs = _RECORD.join(uri + _FIELD + revision for uri, revision in sorted(revisions))
    return f"{chunker_fingerprint}@{_digest(pairs, 12)}"


def is_minted_chunk_id(value: str) -> bool:
    """Return whether `value` has the form of an id made by `chunk_id`."""
    return _CHUNK_ID.match(value) is not None


def is_malformed_chunk_id(value: str) -> bool:
    """Return whether `value` begins like an id made by `chunk_id`, and is none."""
    return value.startswith("c1:") and not is_minted_chunk_id(value)


def is_safe_id(value: str) -> bool:
    """Return whether an id has no control character, line break or lone surrogate.

    Those would break a line of a file, or the joins inside the hashes above.
    """
    # Printable text has none of these; the rest is looked at one by one.
    return value.isprintable() or not any(
        unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in value
    )


def unicode_twins(
    ids: Iterable[str], others: Iterable[str] | None = None
) -> tuple[tuple[str, str], ...]:
    """Return pairs of ids that differ only by Unicode normalization (NFC against NFD).

    Each of `ids` that is not among `others` is paired with the first of them that it differs from
    in this way only; without `others`, with the first one of `ids`. Ids are opaque: the two stay
    different ids, and a person has to say which is meant.
    """
    own = dict.fromkeys(ids)
    known = own if others is None else dict.fromkeys(others)
    if all(map(str.isascii, own)) and all(map(str.isascii, known)):
        return ()  # the usual case, at once
    first: dict[str, str] = {}
    for value in known:
        first.setdefault(unicodedata.normalize("NFC", value), value)
    pairs = []
    for value in own:
        twin = first.get(unicodedata.normalize("NFC", value), value)
        if twin != value and (known is own or value not in known):
            pairs.append((value, twin))
    return tuple(pairs)


def is_text_sha(value: str) -> bool:
    """Return whether `value` has the form of a hash made by `text_sha`."""
    return _TEXT_SHA.match(value) is not None
