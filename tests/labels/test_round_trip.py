"""Labels of the example corpus on a tour of chunk sizes end where they began, to the byte."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from evergold.chunking.chunker import Chunker
from evergold.formats.judgments import read_judgments, write_judgments
from evergold.labels.accept import accept
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.model import Chunk, Document, Judgment, Snapshot
from evergold.pipeline.ingest import ingest
from tests.labels.handbook import label

DATA = Path(__file__).resolve().parents[2] / "data"
GOLDEN = DATA / "golden" / "judgments.jsonl"
OPEN = ("STRADDLE", "REVIEW", "GONE")


@cache
def _documents() -> tuple[Document, ...]:
    return tuple(ingest(DATA / "corpus", "handbook://")[0])


@cache
def _snapshot(size: int, overlap: int) -> Snapshot:
    return Chunker("recursive", size, overlap).snapshot(_documents())


def _at(golden: tuple[Judgment, ...], size: int, overlap: int) -> Reanchored:
    return reanchor(golden, _snapshot(size, overlap), _documents())


def _accepted(golden: tuple[Judgment, ...], size: int, overlap: int) -> tuple[Judgment, ...]:
    """Return the golden set after a visit that is accepted with its chunk ids."""
    found = _at(golden, size, overlap)
    return accept(
        golden, found.judgments, found.resolutions, _documents(), chunk_ids=True
    ).judgments


def _judged_on_512() -> tuple[Judgment, ...]:
    """Return one query for each document, with a label on each chunk but a zero on the last.

    The evidence is a line from the middle of the chunk, or its first one: that the chunk before
    holds as well, and it may be the shorter of the two.
    """
    rows = []
    for document in _documents():
        chunks = [c for c in _snapshot(512, 64).chunks if c.doc_uri == document.doc_uri]
        rows += [_judged(document, chunk, is_last=chunk is chunks[-1]) for chunk in chunks]
    return reanchor(rows, _snapshot(512, 64), _documents()).judgments


def _judged(document: Document, chunk: Chunk, *, is_last: bool) -> Judgment:
    start, end = chunk.start or 0, chunk.end or 0
    if is_last:
        return label(document, (start, end), 0, chunk_id=chunk.chunk_id, query_id=document.doc_uri)
    first = start if chunk.ordinal % 2 else document.text.index("\n", (start + end) // 2) + 1
    while not document.text[first:].partition("\n")[0].strip():
        first += 1
    line = document.text[first:].partition("\n")[0].rstrip()
    return label(
        document,
        (start, end),
        1 + chunk.ordinal % 3,
        chunk_id=chunk.chunk_id,
        query_id=document.doc_uri,
        evidence=[(first, first + len(line))],
        by="human:ana",
    )


def test_a_tour_of_sizes_ends_where_it_began(tmp_path: Path) -> None:
    """512, 384, 1024 and 512 tokens, accepted each time with chunk ids: the same file."""
    start, step = tmp_path / "start.jsonl", tmp_path / "step.jsonl"
    write_judgments(start, _judged_on_512())
    golden = read_judgments(start)
    rows, held = [len(golden)], []
    for size, overlap in ((384, 64), (1024, 128), (512, 64)):
        held.append(_at(golden, size, overlap).counts["HELD"])
        write_judgments(step, _accepted(golden, size, overlap))
        golden = read_judgments(step)
        rows.append(len(golden))
    assert start.read_bytes() == step.read_bytes()
    # The tour is one: labels met on 1024 tokens, and zeros waited until their text was back.
    assert rows[2] < rows[0] == rows[3]
    assert held[0] > 0 == held[2]


def test_no_label_is_lost_on_the_way() -> None:
    """On every size each label has exactly one row or is absorbed, and none needs a person."""
    golden = _judged_on_512()
    for size, overlap in ((384, 64), (1024, 128), (1024, 0), (256, 0)):
        found = _at(golden, size, overlap)
        texts = [row.chunk_text for row in found.judgments] + [
            guest.judgment.chunk_text
            for row in found.judgments
            if row.anchor
            for guest in row.anchor.absorbed
        ]
        assert sorted(str(row.chunk_text) for row in golden) == sorted(map(str, texts))
    assert 0 == sum(_at(golden, 384, 64).counts[rule] for rule in OPEN)


def test_the_golden_set_is_not_touched_by_a_visit(tmp_path: Path) -> None:
    """Without chunk ids, a visit to 384 tokens promotes nothing and leaves the file as it was."""
    golden = read_judgments(GOLDEN)
    found = _at(golden, 384, 64)
    accepted = accept(golden, found.judgments, found.resolutions, _documents())
    write_judgments(tmp_path / "after.jsonl", accepted.judgments)
    assert () == accepted.changes
    assert GOLDEN.read_bytes() == (tmp_path / "after.jsonl").read_bytes()


def test_the_golden_set_comes_back_from_a_visit(tmp_path: Path) -> None:
    """From 512 to 384 tokens and back, accepted with chunk ids: the same labels on 512 tokens."""
    start = _at(read_judgments(GOLDEN), 512, 64).judgments
    there = _accepted(start, 384, 64)
    back = _accepted(there, 512, 64)
    write_judgments(tmp_path / "start.jsonl", start)
    write_judgments(tmp_path / "there.jsonl", there)
    write_judgments(tmp_path / "back.jsonl", back)
    assert (tmp_path / "start.jsonl").read_bytes() != (tmp_path / "there.jsonl").read_bytes()
    assert (tmp_path / "start.jsonl").read_bytes() == (tmp_path / "back.jsonl").read_bytes()
