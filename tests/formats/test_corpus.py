"""Corpus snapshots: both forms in, one form out, contradictions refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError
from evergold.formats.corpus import SnapshotFile, read_snapshot, write_snapshot
from evergold.identity import text_sha
from evergold.model import BareChunk, Chunk, Snapshot

SNAPSHOT = Snapshot(
    corpus_fingerprint="recursive/9/0@0123456789ab",
    chunker_fingerprint="recursive/9/0",
    chunks=(
        Chunk(
            chunk_id="a",
            doc_uri="d",
            doc_revision="r",
            ordinal=0,
            text="one\u2028é",
            text_sha=text_sha("one\u2028é"),
            start=0,
            end=5,
            token_count=3,
            section_path=("Rules", "Leave"),
            extra={"x": 1},
        ),
        Chunk("b", "d", "r", 1, "", text_sha("secret"), start=5, end=11),
    ),
)


def _lines(folder: Path, *rows: dict[str, Any], chunks: int | None = None) -> Path:
    head = {"corpus_fingerprint": "f", "chunks": len(rows) if chunks is None else chunks}
    path = folder / "corpus.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (head, *rows)), encoding="utf-8")
    return path


def _refusal(path: Path) -> str:
    with pytest.raises(InputError) as error:
        read_snapshot(path)
    return str(error.value)


def test_a_snapshot_is_a_head_line_and_one_chunk_a_line(tmp_path: Path) -> None:
    """Fields stand in their order, unset ones are left out, the head has the number of chunks."""
    path = tmp_path / "corpus.jsonl"
    write_snapshot(path, SNAPSHOT)
    assert (
        '{"corpus_fingerprint":"recursive/9/0@0123456789ab","chunker_fingerprint":"recursive/9/0",'
        '"chunks":2}\n'
        '{"chunk_id":"a","doc_uri":"d","doc_revision":"r","ordinal":0,"start":0,"end":5,'
        '"token_count":3,"section_path":["Rules","Leave"],"text":"one\u2028é",'
        f'"text_sha":"{SNAPSHOT.chunks[0].text_sha}","x":1}}\n'
        '{"chunk_id":"b","doc_uri":"d","doc_revision":"r","ordinal":1,"start":5,"end":11,'
        f'"text_sha":"{text_sha("secret")}"}}\n'
    ) == path.read_text(encoding="utf-8")


def test_a_written_snapshot_reads_back(tmp_path: Path) -> None:
    """Chunks with and without text survive, unknown fields included."""
    path = tmp_path / "corpus.jsonl"
    write_snapshot(path, SNAPSHOT)
    assert SNAPSHOT == read_snapshot(path)


def test_a_snapshot_without_chunks_reads_back(tmp_path: Path) -> None:
    """An empty corpus is a head line."""
    path = tmp_path / "corpus.jsonl"
    write_snapshot(path, Snapshot("f", "c", ()))
    assert Snapshot("f", "c", ()) == read_snapshot(path)


def test_the_published_single_object_is_read(tmp_path: Path) -> None:
    """Its hashes are computed where they are absent; a missing ordinal is 0."""
    path = tmp_path / "corpus.json"
    path.write_text(
        json.dumps(
            {
                "corpus_fingerprint": "f",
                "chunks": [
                    {"chunk_id": "a", "doc_uri": "d", "text": "hello world"},
                    {"chunk_id": "b", "doc_uri": "d", "ordinal": 4, "text_sha": text_sha("x")},
                ],
            },
            indent=2,
        ),
        encoding="utf-8",
    )
    expected = Snapshot(
        "f",
        None,
        (
            Chunk("a", "d", "", 0, "hello world", "t1:b94d27b9934d3e08a52e52d7da7dabfa"),
            Chunk("b", "d", "", 4, "", text_sha("x")),
        ),
    )
    assert expected == read_snapshot(path)


@pytest.mark.parametrize("content", ["[]", "{}", '{"chunks":{}}', '{"chunks":null}', "5"])
def test_a_single_object_needs_an_array_of_chunks(tmp_path: Path, content: str) -> None:
    """The published message says what is missing."""
    path = tmp_path / "corpus.json"
    path.write_text(content, encoding="utf-8")
    assert "corpus: missing chunks array" == _refusal(path)


def test_a_chunk_of_a_single_object_is_an_object(tmp_path: Path) -> None:
    """Null among the chunks is an error, not a stack trace."""
    path = tmp_path / "corpus.json"
    path.write_text('{"chunks":[null]}', encoding="utf-8")
    assert "corpus: chunks[0]: a chunk must be a JSON object" == _refusal(path)


def test_an_empty_file_is_no_snapshot(tmp_path: Path) -> None:
    """A file without a line was never written whole."""
    path = tmp_path / "corpus.jsonl"
    path.write_text("\n", encoding="utf-8")
    assert "corpus:1: empty corpus" == _refusal(path)


def test_a_file_of_chunks_alone_is_no_snapshot(tmp_path: Path) -> None:
    """Without a head line nobody knows whether all chunks are there."""
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"chunk_id":"a","doc_uri":"d","text":"x"}\n', encoding="utf-8")
    expected = "corpus:1: expected a head line with corpus_fingerprint and chunks"
    assert expected == _refusal(path)


@pytest.mark.parametrize("announced", [0, 2])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, announced: int) -> None:
    """The number of chunks in the head is the number of lines that follow."""
    path = _lines(tmp_path, {"chunk_id": "a", "doc_uri": "d", "text": "x"}, chunks=announced)
    assert f"corpus:1: {announced} chunks announced, 1 found" == _refusal(path)


def test_a_repeated_chunk_id_is_refused(tmp_path: Path) -> None:
    """Which of two chunks of one id is meant is not for a reader to say."""
    row = {"chunk_id": "a", "doc_uri": "d", "text": "x"}
    path = _lines(tmp_path, row, {**row, "doc_uri": "e"})
    assert "corpus:3: duplicate chunk_id a" == _refusal(path)


def test_a_hash_that_contradicts_its_text_is_refused(tmp_path: Path) -> None:
    """A label would move to another text by it."""
    path = _lines(
        tmp_path,
        {"chunk_id": "a", "doc_uri": "d", "text": "hello world", "text_sha": text_sha("hello")},
    )
    assert (
        "corpus:2: text_sha t1:2cf24dba5fb0a30e26e83b2ac5b9e29e is not that of the text of chunk a"
        " (t1:b94d27b9934d3e08a52e52d7da7dabfa)"
    ) == _refusal(path)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"chunk_id": None}, "missing chunk_id"),
        ({"chunk_id": ""}, "missing chunk_id"),
        ({"doc_uri": None}, "missing doc_uri"),
        ({"doc_uri": []}, "missing doc_uri"),
        ({"chunk_id": "c1:XYZ"}, "malformed chunk_id c1:XYZ"),
        ({"chunk_id": "a\nb"}, "chunk_id 'a\\nb' holds a control character or line break"),
        ({"text": 5}, "text must be a string, found 5"),
        ({"ordinal": "2"}, 'ordinal must be a non-negative integer, found "2"'),
        ({"ordinal": -1}, "ordinal must be a non-negative integer, found -1"),
        ({"start": 3}, "chunk a needs start and end, start first"),
        ({"end": 3}, "chunk a needs start and end, start first"),
        ({"start": 4, "end": 3}, "chunk a needs start and end, start first"),
        ({"section_path": "Rules"}, 'section_path must be a list of strings, found "Rules"'),
        ({"token_count": 1.5}, "token_count must be a non-negative integer, found 1.5"),
    ],
)
def test_a_malformed_chunk_is_refused(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    """The message names the line and what was found."""
    row = {"chunk_id": "a", "doc_uri": "d", "text": "x", **fields}
    assert f"corpus:2: {message}" == _refusal(_lines(tmp_path, row))


def test_a_chunk_needs_text_or_hash(tmp_path: Path) -> None:
    """With neither there is nothing to compare a label with."""
    path = _lines(tmp_path, {"chunk_id": "a", "doc_uri": "d"})
    assert "corpus:2: chunk a has neither text nor text_sha" == _refusal(path)


def test_opaque_ids_are_kept(tmp_path: Path) -> None:
    """The ids of a vector store are ids like any other."""
    ids = ["7f0c", "a b", "C1:XYZ", "0"]
    path = _lines(tmp_path, *({"chunk_id": i, "doc_uri": "d", "text": i} for i in ids))
    assert ids == [chunk.chunk_id for chunk in read_snapshot(path).chunks]


def test_a_snapshot_file_has_what_drift_needs(tmp_path: Path) -> None:
    """One chunk after the other, as often as asked; the fingerprints are known at the end."""
    path = tmp_path / "corpus.jsonl"
    write_snapshot(path, SNAPSHOT)
    file = SnapshotFile(path)
    assert None is file.corpus_fingerprint
    one, two = SNAPSHOT.chunks
    expected = [
        BareChunk("a", "d", 0, one.text, one.text_sha),
        BareChunk("b", "d", 1, "", two.text_sha),
    ]
    assert expected == list(file)
    assert expected == list(file)
    assert SNAPSHOT.corpus_fingerprint == file.corpus_fingerprint
    assert SNAPSHOT.chunker_fingerprint == file.chunker_fingerprint


_MINTED = "c1:" + "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"doc_uri": ""},
        {"doc_uri": "a\x00"},
        {"chunk_id": "c1:" + "A" * 32},
        {"chunk_id": _MINTED + "\n"},
        {"chunk_id": 5},
        {"text": None},
        {"text": ["x"]},
        {"text_sha": "t1:0"},
        {"text_sha": 5},
        {"text_sha": None},
        {"ordinal": True},
        {"ordinal": -1},
        {"ordinal": None},
        {"doc_revision": 5},
        {"doc_revision": None},
        {"start": 5, "end": 3},
        {"token_count": "many"},
        {"section_path": [5]},
        {"start": 0, "end": 1, "token_count": 1, "section_path": ["a"]},
        {"start": 0, "end": 1},
        {"start": 0},
        {"start": True, "end": 1},
        {"start": -1, "end": 1},
        {"start": 2, "end": 1},
        {"start": 0, "end": 1, "token_count": -1},
        {"start": 0, "end": 1, "token_count": None},
        {"start": 0, "end": 1, "section_path": "a"},
        {"start": 0, "end": 1, "section_path": [5]},
        {"start": 0, "end": 1, "section_path": None},
        {"start": 0, "end": 1, "text_sha": "t1:0"},
    ],
)
@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_one_chunk_at_a_time_is_checked_as_all_are(
    tmp_path: Path, fields: dict[str, Any], suffix: str
) -> None:
    """A chunk is refused with the same words, or taken with the same values."""
    row = {"chunk_id": _MINTED, "doc_uri": "d", "ordinal": 1, "text": "x", **fields}
    path = tmp_path / f"corpus.{suffix}"
    head = {"chunks": [row]} if suffix == "json" else {"chunks": 1}
    content = json.dumps(head) if suffix == "json" else f"{json.dumps(head)}\n{json.dumps(row)}"
    path.write_text(content, encoding="utf-8")
    assert _answer(lambda: read_snapshot(path).chunks) == _answer(lambda: SnapshotFile(path))


def _answer(chunks: Callable[[], Iterable[Chunk | BareChunk]]) -> str | list[object]:
    try:
        return [(c.chunk_id, c.doc_uri, c.ordinal, c.text, c.text_sha) for c in chunks()]
    except InputError as error:
        return str(error)


def test_a_fault_in_a_single_object_names_the_chunk(tmp_path: Path) -> None:
    """All of it may stand on one line, so the chunk has its index."""
    chunk = {"chunk_id": "a", "doc_uri": "d", "text": "x"}
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps({"chunks": [chunk, chunk]}), encoding="utf-8")
    assert "corpus: chunks[1]: duplicate chunk_id a" == _refusal(path)
    twice = {**chunk, "chunk_id": _MINTED}
    path.write_text(json.dumps({"chunks": [chunk, twice, twice]}), encoding="utf-8")
    assert f"corpus: chunks[2]: duplicate chunk_id {_MINTED}" == _refusal(path)
