"""Corpus snapshots: JSON Lines as we write them, and the published single JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from evergold.errors import InputError
from evergold.formats.json_object import ObjectStream
from evergold.formats.jsonl import Row, read_rows, write_rows
from evergold.formats.streams import plain_suffix
from evergold.identity import is_malformed_chunk_id, is_minted_chunk_id, text_sha
from evergold.memory import collector_paused
from evergold.model import BareChunk, Chunk, Snapshot

_PLACE = frozenset(("start", "end", "token_count", "section_path"))
_KNOWN = _PLACE | {"chunk_id", "doc_uri", "doc_revision", "ordinal", "text", "text_sha"}
_Fields = dict[str, Any]
# The head, the chunks with the number of their line or member, and what a chunk's row is.
_Parts = tuple[Row, Iterator[tuple[int, _Fields]], type[Row]]
_AnyChunk = TypeVar("_AnyChunk", Chunk, BareChunk)


class SnapshotFile:
    """A corpus snapshot in a file, in either form, read one chunk at a time.

    Every iteration reads the file anew and checks it as `read_snapshot` does. The number of
    chunks and the fingerprints are known when one has ended: in the single object these may
    stand behind the chunks.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self.corpus_fingerprint: str | None = None
        self.chunker_fingerprint: str | None = None

    def __iter__(self) -> Iterator[BareChunk]:
        return self._read(_bare_chunk)

    def whole(self) -> Iterator[Chunk]:
        """Yield the chunks with all their fields."""
        return self._read(_chunk)

    def _read(
        self, build: Callable[[_Fields, type[Row], Path, int], _AnyChunk]
    ) -> Iterator[_AnyChunk]:
        parts = _object_parts if plain_suffix(self.path) == ".json" else _line_parts
        head, chunks, row_of = parts(self.path)
        seen: set[str | bytes] = set()
        for number, fields in chunks:
            chunk = build(fields, row_of, self.path, number)
            identity = _compact(chunk.chunk_id)
            if identity in seen:
                raise row_of(fields, self.path, number, "corpus").error(
                    f"duplicate chunk_id {chunk.chunk_id}"
                )
            seen.add(identity)
            yield chunk
        announced = head.integer("chunks")
        if announced is not None and announced != len(seen):
            raise head.error(f"{announced} chunks announced, {len(seen)} found")
        self.count = len(seen)
        self.corpus_fingerprint = head.text("corpus_fingerprint")
        self.chunker_fingerprint = head.text("chunker_fingerprint")


@collector_paused()
def read_snapshot(path: Path) -> Snapshot:
    """Return a corpus snapshot from either form.

    Raises `InputError` for a malformed chunk, a repeated `chunk_id` and a `text_sha` that
    is not that of the text.
    """
    file = SnapshotFile(path)
    chunks = tuple(file.whole())
    return Snapshot(file.corpus_fingerprint, file.chunker_fingerprint, chunks)


def write_snapshot(path: Path, snapshot: Snapshot) -> None:
    """Write a corpus snapshot as JSON Lines: a head line, then one chunk a line."""
    write_rows(path, snapshot_rows(snapshot))


def snapshot_rows(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """Yield the head line of a snapshot, then its chunks, as JSON data."""
    head = {
        "corpus_fingerprint": snapshot.corpus_fingerprint,
        "chunker_fingerprint": snapshot.chunker_fingerprint,
        "chunks": len(snapshot.chunks),
    }
    yield {name: value for name, value in head.items() if value is not None}
    for chunk in snapshot.chunks:
        yield chunk_to_json(chunk)


def snapshot_object(snapshot: Snapshot) -> str:
    """Return the text of the published form of a snapshot: one JSON object, indented by 2."""
    head, *chunks = snapshot_rows(snapshot)
    return json.dumps({**head, "chunks": chunks}, ensure_ascii=False, indent=2) + "\n"


def chunk_to_json(chunk: Chunk) -> dict[str, Any]:
    """Return a chunk as JSON data, unset fields left out."""
    fields: dict[str, Any] = {
        "chunk_id": chunk.chunk_id,
        "doc_uri": chunk.doc_uri,
        "doc_revision": chunk.doc_revision or None,
        "ordinal": chunk.ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "token_count": chunk.token_count,
        "section_path": list(chunk.section_path) or None,
        "text": chunk.text or None,
        "text_sha": chunk.text_sha,
        **chunk.extra,
    }
    return {name: value for name, value in fields.items() if value is not None}


class _Member(Row):
    """A chunk of the single object; `line` is its index, from 0: all may stand on one line."""

    def error(self, message: str) -> InputError:
        return InputError(f"chunks[{self.line}]: {message}", path=self.path, source=self.source)


def _object_parts(path: Path) -> _Parts:
    stream = ObjectStream(path, "chunks", source="corpus")
    head = Row(stream.fields, path, 1, source="corpus")
    return head, _members(stream.members(), path), _Member


def _line_parts(path: Path) -> _Parts:
    lines = read_rows(path, source="corpus")
    number, fields = next(lines, (1, None))
    if fields is None:
        raise InputError("empty corpus", path=path, line=1, source="corpus")
    head = Row(fields, path, number, source="corpus")
    if isinstance(fields.get("chunks"), list):
        if next(lines, None) is not None:
            raise head.error(
                "chunks must be their number where chunks follow on lines of their own"
            )
        return head, _members(fields.pop("chunks"), path), _Member
    if "chunks" not in fields:
        raise head.error("expected a head line with corpus_fingerprint and chunks")
    return head, lines, Row


def _members(items: Iterable[Any], path: Path) -> Iterator[tuple[int, _Fields]]:
    for index, item in enumerate(items):
        if type(item) is not dict:
            raise _Member({}, path, index, "corpus").error("a chunk must be a JSON object")
        yield index, item


def _compact(chunk_id: str) -> str | bytes:
    """Return what stands for an id in a set of millions: 16 bytes where it is a hash."""
    return bytes.fromhex(chunk_id[3:]) if chunk_id.startswith("c1:") else chunk_id


def _bare_chunk(fields: _Fields, row_of: type[Row], path: Path, number: int) -> BareChunk:
    """Return what drift needs, checked as `_chunk` does: at once what is usual, else by it."""
    get = fields.get
    chunk_id, doc_uri, text, ordinal = get("chunk_id"), get("doc_uri"), get("text"), get("ordinal")
    if (
        type(text) is str
        and type(ordinal) is int
        and ordinal >= 0
        and type(chunk_id) is str
        and is_minted_chunk_id(chunk_id)
        and type(doc_uri) is str
        and doc_uri
        and doc_uri.isprintable()
        and type(get("doc_revision", "")) is str
        and (_PLACE.isdisjoint(fields) or _is_placed(fields))
    ):
        sha = text_sha(text)
        if get("text_sha", sha) == sha:
            return BareChunk(chunk_id, doc_uri, ordinal, text, sha)
    chunk = _chunk(fields, row_of, path, number)
    return BareChunk(chunk.chunk_id, chunk.doc_uri, chunk.ordinal, chunk.text, chunk.text_sha)


def _is_placed(fields: _Fields) -> bool:
    """Return whether the place of a chunk is what it usually is."""
    start, end, tokens = fields.get("start"), fields.get("end"), fields.get("token_count", 0)
    headings = fields.get("section_path", [])
    return (
        type(start) is int
        and type(end) is int
        and 0 <= start <= end
        and type(tokens) is int
        and tokens >= 0
        and type(headings) is list
        and all(type(heading) is str for heading in headings)
    )


def _chunk(fields: _Fields, row_of: type[Row], path: Path, number: int) -> Chunk:
    row = row_of(fields, path, number, "corpus")
    chunk_id = row.identifier("chunk_id")
    if is_malformed_chunk_id(chunk_id):
        raise row.error(f"malformed chunk_id {chunk_id}")
    text = row.text("text")
    claimed = row.text("text_sha")
    actual = claimed if text is None else text_sha(text)
    if actual is None:
        raise row.error(f"chunk {chunk_id} has neither text nor text_sha")
    if claimed is not None and claimed != actual:
        raise row.error(
            f"text_sha {claimed} is not that of the text of chunk {chunk_id} ({actual})"
        )
    start, end = row.integer("start"), row.integer("end")
    if (start is None) != (end is None) or (start is not None and end is not None and start > end):
        raise row.error(f"chunk {chunk_id} needs start and end, start first")
    return Chunk(
        chunk_id=chunk_id,
        doc_uri=row.identifier("doc_uri"),
        doc_revision=row.text("doc_revision") or "",
        ordinal=row.integer("ordinal") or 0,
        text=text or "",
        text_sha=actual,
        start=start,
        end=end,
        token_count=row.integer("token_count"),
        section_path=row.strings("section_path"),
        extra=row.unknown(_KNOWN),
    )
