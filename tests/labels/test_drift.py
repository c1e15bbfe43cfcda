"""Label drift: the five statuses, one finding for each row."""

from __future__ import annotations

import pytest

from evergold.identity import text_sha
from evergold.labels.drift import CorpusIndex, drift
from evergold.model import Chunk, Finding, Judgment, Snapshot


def _chunk(
    chunk_id: str, text: str, ordinal: int = 0, doc_uri: str = "d", *, hash_only: bool = False
) -> Chunk:
    return Chunk(chunk_id, doc_uri, "r", ordinal, "" if hash_only else text, text_sha(text))


def _label(text: str | None, chunk_id: str | None = "old", doc_uri: str = "d") -> Judgment:
    return Judgment("q", doc_uri, 1, chunk_id=chunk_id, chunk_text=text)


def _finding(label: Judgment, *chunks: Chunk) -> Finding:
    (finding,) = drift([label], Snapshot("live", "c", chunks)).findings
    return finding


def _status(label: Judgment, *chunks: Chunk) -> str:
    return _finding(label, *chunks).status


def test_a_document_label_is_valid_while_its_document_lives() -> None:
    """Without a chunk id only the document counts."""
    label = _label("anything", chunk_id=None)
    assert Finding(0, "q", "d", "VALID") == _finding(label, _chunk("a", "x"))
    assert Finding(0, "q", "d", "ORPHANED") == _finding(label, _chunk("a", "x", doc_uri="e"))


def test_a_live_id_is_valid_whatever_it_holds() -> None:
    """The status looks at the id alone, as published."""
    live = _chunk("old", "another text", doc_uri="another document")
    finding = _finding(_label("30 days"), live)
    assert Finding(0, "q", "d", "VALID", "old", verified=False) == finding


def test_the_same_text_under_another_id_is_re_anchorable() -> None:
    """Equal after normalization is equal."""
    finding = _finding(_label("cafe\u0301\r\n"), _chunk("a", "tea"), _chunk("b", " caf\u00e9 "))
    assert Finding(0, "q", "d", "RE_ANCHORABLE", "old", reanchor_to="b") == finding


def test_the_hash_of_a_label_counts_before_its_text() -> None:
    """A recorded hash is looked up; the text is hashed only where there is none."""
    label = Judgment("q", "d", 1, chunk_id="old", chunk_text="tea", text_sha=text_sha("milk"))
    assert "milk" == _finding(label, _chunk("tea", "tea"), _chunk("milk", "milk")).reanchor_to
    by_hash = Judgment("q", "d", 1, chunk_id="old", text_sha=text_sha("tea"))
    assert "tea" == _finding(by_hash, _chunk("tea", "tea", hash_only=True)).reanchor_to


def test_an_empty_hash_is_none() -> None:
    """The text is hashed then, and an empty fingerprint of a snapshot is none either."""
    label = Judgment("q", "d", 1, chunk_id="old", chunk_text="tea", text_sha="")
    report = drift([label], Snapshot("", "c", (_chunk("a", "tea"),)))
    assert ("a", None) == (report.findings[0].reanchor_to, report.corpus_fingerprint)


def test_the_first_equal_chunk_of_the_document_is_the_target() -> None:
    """Chunks of the label's document come first, then any other, in the order of the snapshot."""
    abroad, late, early = _chunk("x", "tea", doc_uri="e"), _chunk("y", "tea", 7), _chunk("z", "tea")
    assert "y" == _finding(_label("tea"), abroad, late, early).reanchor_to
    assert "x" == _finding(_label("tea"), abroad).reanchor_to


def test_two_pieces_make_a_split() -> None:
    """Chunks of the document that lie in the judged text are its pieces, in order of ordinal."""
    chunks = (_chunk("b", "Five six.", 2), _chunk("x", "Ten."), _chunk("a", "One two.", 1))
    finding = _finding(_label("One two. Three. Five six."), *chunks)
    assert Finding(0, "q", "d", "SPLIT", "old", split_into=("a", "b")) == finding


def test_one_piece_is_no_split() -> None:
    """A single piece leaves the rest of the judged text without a place."""
    assert "ORPHANED" == _status(_label("One two. Three."), _chunk("a", "One two."))


def test_pieces_of_another_document_do_not_count() -> None:
    """Splits are looked for in the label's document only."""
    chunks = (_chunk("a", "One.", doc_uri="e"), _chunk("b", "Two.", 1, doc_uri="e"))
    assert "ORPHANED" == _status(_label("One. Two."), *chunks)


def test_a_larger_chunk_makes_a_merge() -> None:
    """The shortest chunk of the document that holds the judged text is the target."""
    chunks = (_chunk("long", "One. Two. Three. Four."), _chunk("short", "One. Two. Three.", 1))
    finding = _finding(_label("Two."), *chunks)
    assert Finding(0, "q", "d", "MERGED", "old", reanchor_to="short") == finding


def test_of_equally_short_chunks_the_lowest_ordinal_is_the_target() -> None:
    """The order of the snapshot does not count."""
    chunks = (_chunk("a", "One. Two.", 3), _chunk("b", "Two. Six.", 1), _chunk("c", "Two. Ten.", 2))
    assert "b" == _finding(_label("Two."), *chunks).reanchor_to
    assert "b" == _finding(_label("Two."), *reversed(chunks)).reanchor_to


def test_split_comes_before_merge() -> None:
    """Two tiny pieces suffice, even where one chunk holds the whole text, as published."""
    chunks = (_chunk("whole", "Say: One. Two."), _chunk("a", "One.", 1), _chunk("b", ".", 2))
    assert ("a", "b") == _finding(_label("One. Two."), *chunks).split_into


def test_chunks_without_text_have_no_part_in_split_and_merge() -> None:
    """Only a hash says nothing about a part of the text."""
    chunks = (_chunk("a", "One. Two.", hash_only=True), _chunk("b", "Two.", 1, hash_only=True))
    assert "ORPHANED" == _status(_label("One."), *chunks)


def test_a_label_with_only_a_hash_is_found_whole_or_not() -> None:
    """Without the judged text nothing can be looked for inside chunks."""
    label = Judgment("q", "d", 1, chunk_id="old", text_sha=text_sha("One."))
    assert "ORPHANED" == _status(label, _chunk("a", "One. Two."))


def test_a_label_without_text_and_hash_is_orphaned() -> None:
    """Nothing is recorded by which it could be found."""
    assert "ORPHANED" == _status(_label(None), _chunk("a", "One."))


def test_findings_belong_to_rows() -> None:
    """Two labels of one query with one stale id, in two documents, have each its own finding."""
    labels = [_label("One.", doc_uri="d"), _label("Two.", doc_uri="e"), _label("Ten.", doc_uri="e")]
    chunks = (_chunk("a", "One."), _chunk("b", "Two.", doc_uri="e"))
    assert (
        Finding(0, "q", "d", "RE_ANCHORABLE", "old", "a"),
        Finding(1, "q", "e", "RE_ANCHORABLE", "old", "b"),
        Finding(2, "q", "e", "ORPHANED", "old"),
    ) == drift(labels, Snapshot("live", "c", chunks)).findings


def test_the_share_counts_everything_but_valid() -> None:
    """Recoverable labels count as invalid; the share has 12 decimals."""
    labels = [_label("x", chunk_id="a"), _label("One."), _label("gone")]
    report = drift(
        labels, Snapshot("live", "c", (_chunk("a", "One. Two."), _chunk("b", "One.", 1)))
    )
    assert {"VALID": 1, "RE_ANCHORABLE": 1, "MERGED": 0, "SPLIT": 0, "ORPHANED": 1} == report.counts
    assert 0.666666666667 == report.invalid_ratio


def test_no_rows_have_no_invalid_share() -> None:
    """Nothing is 0 of nothing."""
    assert 0.0 == drift([], Snapshot("live", "c", ())).invalid_ratio


@pytest.mark.parametrize(
    ("named", "expected"),
    [([], None), ([None, "f"], "f"), (["f", "f"], "f"), (["f", "g"], None), (["", "f"], "f")],
)
def test_the_fingerprint_of_the_labels_is_the_only_one_named(
    named: list[str | None], expected: str | None
) -> None:
    """None for none or several; that of the snapshot stands beside it."""
    labels = [Judgment("q", f"d{i}", 1, corpus_fingerprint=f) for i, f in enumerate(named)]
    report = drift(labels, Snapshot("live", "c", ()))
    assert expected == report.judgments_fingerprint
    assert "live" == report.corpus_fingerprint


def test_an_index_can_be_used_again() -> None:
    """A snapshot or its index give the same report."""
    snapshot = Snapshot("live", "c", (_chunk("b", "Two.", 1), _chunk("a", "One.")))
    labels = [_label("One."), _label("One. Two.")]
    assert drift(labels, snapshot) == drift(labels, CorpusIndex(snapshot))
