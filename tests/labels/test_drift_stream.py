"""Drift over a snapshot file: the answers of the plain rule, in any order of chunks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.formats.corpus import SnapshotFile, write_snapshot
from evergold.identity import normalize, text_sha
from evergold.labels.drift import CorpusIndex, drift
from evergold.model import Chunk, Judgment, Snapshot
from tests.published import labels_of_a_snapshot

_Case = tuple[tuple[Judgment, ...], Snapshot]
_Answer = tuple[str, str | None, tuple[str, ...]]


def _plainly(judgment: Judgment, chunks: Sequence[Chunk]) -> _Answer:
    """Return status, target and pieces by the words of the specification."""
    at_home = [chunk for chunk in chunks if chunk.doc_uri == judgment.doc_uri]
    at_home.sort(key=lambda chunk: chunk.ordinal)
    if judgment.chunk_id is None:
        return ("VALID" if at_home else "ORPHANED"), None, ()
    if any(chunk.chunk_id == judgment.chunk_id for chunk in chunks):
        return "VALID", None, ()
    text = judgment.chunk_text
    sha = judgment.text_sha or (None if text is None else text_sha(text))
    same = [chunk for chunk in chunks if chunk.text_sha == sha]
    same.sort(key=lambda chunk: chunk.doc_uri != judgment.doc_uri)
    if same:
        return "RE_ANCHORABLE", same[0].chunk_id, ()
    wanted = normalize(text or "")
    if not wanted:
        return "ORPHANED", None, ()
    texts = [(normalize(chunk.text), chunk.chunk_id) for chunk in at_home]
    pieces = tuple(chunk_id for text, chunk_id in texts if text and text in wanted)
    if len(pieces) >= 2:
        return "SPLIT", None, pieces
    holders = sorted(
        ((text, chunk_id) for text, chunk_id in texts if wanted in text),
        key=lambda item: len(item[0]),
    )
    return ("MERGED", holders[0][1], ()) if holders else ("ORPHANED", None, ())


def _file(folder: Path, snapshot: Snapshot) -> SnapshotFile:
    write_snapshot(folder / "corpus.jsonl", snapshot)
    return SnapshotFile(folder / "corpus.jsonl")


@settings(deadline=None, max_examples=150)
@given(labels_of_a_snapshot(), st.integers(1, 60), st.randoms())
def test_a_file_in_any_order_has_the_answers_of_the_plain_rule(
    tmp_path_factory: pytest.TempPathFactory, case: _Case, gathered: int, chance: Random
) -> None:
    """Documents may be scattered, and texts be compared in as many parts as there are chunks."""
    judgments, snapshot = case
    # Ordinals that agree leave the order to the file.
    chunks = [replace(chunk, ordinal=chunk.ordinal // 2) for chunk in snapshot.chunks]
    chance.shuffle(chunks)
    shuffled = replace(snapshot, chunks=tuple(chunks))
    found = drift(judgments, _file(tmp_path_factory.mktemp("drift"), shuffled), gathered)
    assert [_plainly(judgment, chunks) for judgment in judgments] == [
        (finding.status, finding.reanchor_to, finding.split_into) for finding in found.findings
    ]
    assert drift(judgments, shuffled) == found
    assert drift(judgments, CorpusIndex(shuffled)) == found


def test_a_document_that_comes_back_is_one_document(tmp_path: Path) -> None:
    """Pieces and holders add up over all parts of the file, a later and tighter holder counts."""
    texts = ["Five. Six. Seven. Eight.", "One.", "other", "Three.", "Five. Six. Seven."]
    chunks = tuple(
        Chunk(str(n), "e" if text == "other" else "d", "r", 9 - n, text, text_sha(text))
        for n, text in enumerate(texts)
    )
    labels = [
        Judgment("q", "d", 1, chunk_id="old", chunk_text="One. Two. Three."),
        Judgment("q", "d", 1, chunk_id="older", chunk_text="Six."),
    ]
    report = drift(labels, _file(tmp_path, Snapshot("live", "c", chunks)), gathered=1)
    assert [("SPLIT", None, ("3", "1")), ("MERGED", "4", ())] == [
        (finding.status, finding.reanchor_to, finding.split_into) for finding in report.findings
    ]
    assert "live" == report.corpus_fingerprint


def test_fingerprints_behind_the_chunks_are_found(tmp_path: Path) -> None:
    """The report names the snapshot wherever the single object does."""
    path = tmp_path / "corpus.json"
    chunks = [{"chunk_id": "a", "doc_uri": "d", "text": "One."}]
    path.write_text(json.dumps({"chunks": chunks, "corpus_fingerprint": "live"}), encoding="utf-8")
    report = drift([Judgment("q", "d", 1, chunk_id="old", chunk_text="One.")], SnapshotFile(path))
    assert "live" == report.corpus_fingerprint
    assert "a" == report.findings[0].reanchor_to
