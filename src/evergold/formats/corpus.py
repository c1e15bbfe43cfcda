"""Corpus snapshots: JSON Lines as we write them, and the published single JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evergold.errors import InputError
from evergold.formats.jsonl import Row, read_json, read_rows, write_rows
from evergold.identity import is_minted_chunk_id, text_sha
from evergold.model import Chunk, Snapshot

_KNOWN = (
    "chunk_id",
    "doc_uri",
    "doc_revision",
    "ordinal",
    "start",
    "end",
    "token_count",
    "section_path",
    "text",
    "text_sha",
)


def read_snapshot(path: Path) -> Snapshot:
    """Return a corpus snapshot from either form.

    Raises `InputError` for a malformed chunk, a repeated `chunk_id` and a `text_sha` that
    is not that of the text.
    """
    head, rows = _parts(path)
    chunks: dict[str, Chunk] = {}
    for row in rows:
        chunk = _chunk(row)
        if chunk.chunk_id in chunks:
            raise row.error(f"duplicate chunk_id {chunk.chunk_id}")
        chunks[chunk.chunk_id] = chunk
    announced = head.integer("chunks") if not isinstance(head.fields.get("chunks"), list) else None
    if announced is not None and announced != len(chunks):
        raise head.error(f"{announced} chunks announced, {len(chunks)} found")
    return Snapshot(
        corpus_fingerprint=head.text("corpus_fingerprint"),
        chunker_fingerprint=head.text("chunker_fingerprint"),
        chunks=tuple(chunks.values()),
    )


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


def _parts(path: Path) -> tuple[Row, Iterator[Row]]:
    if path.suffix == ".json":
        whole = read_json(path, source="corpus")
        if not isinstance(whole, dict) or not isinstance(whole.get("chunks"), list):
            raise InputError("missing chunks array", path=path, source="corpus")
        head = Row(whole, path, 1, source="corpus")
        return head, (_member(item, path) for item in whole["chunks"])
    lines = read_rows(path, source="corpus")
    first = next(lines, None)
    if first is None:
        raise InputError("empty corpus", path=path, line=1, source="corpus")
    head = Row(first[1], path, first[0], source="corpus")
    if isinstance(first[1].get("chunks"), list):
        if next(lines, None) is not None:
            raise head.error(
                "chunks must be their number where chunks follow on lines of their own"
            )
        return head, (_member(item, path) for item in first[1]["chunks"])
    if "chunks" not in first[1]:
        raise head.error("expected a head line with corpus_fingerprint and chunks")
    return head, (Row(fields, path, line, source="corpus") for line, fields in lines)


def _member(item: Any, path: Path) -> Row:
    if not isinstance(item, dict):
        raise InputError("a chunk must be a JSON object", path=path, source="corpus")
    return Row(item, path, 1, source="corpus")


def _chunk(row: Row) -> Chunk:
    chunk_id = row.identifier("chunk_id")
    if chunk_id.startswith("c1:") and not is_minted_chunk_id(chunk_id):
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
