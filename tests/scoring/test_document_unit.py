"""Documents as the unit: labels and results stand for their documents."""

from __future__ import annotations

import pytest

from evergold.errors import UsageError
from evergold.model import Anchor, Judgment, Ranking
from evergold.scoring.score import Scores, score

DOCUMENTS = {"a1": "a", "a2": "a", "b1": "b", "c1": "c"}


def _score(
    labels: list[Judgment],
    ranking: str,
    k: int = 3,
    unplaced: frozenset[tuple[str, str]] = frozenset(),
) -> Scores:
    run = [Ranking("q", tuple(ranking.split()))]
    return score(labels, run, (k,), unplaced=unplaced, unit="document", documents=DOCUMENTS)


def _chunk(key: str, relevance: int, need: str | None = None) -> Judgment:
    return Judgment("q", DOCUMENTS[key], relevance, chunk_id=key, need=need)


def test_a_document_has_the_rank_of_its_first_chunk() -> None:
    """Of c1 a2 a1 b1 the documents are c, a, b: the hit has rank 2, and b stays within 3."""
    scores = _score([_chunk("a1", 1), _chunk("b1", 1)], "c1 a2 a1 b1")
    assert 0.5 == scores.metrics["mrr@3"].value
    assert 0.666666666667 == scores.metrics["precision@3"].value
    assert 1.0 == scores.metrics["recall@3"].value
    assert "document" == scores.unit


def test_document_labels_are_met_by_chunks() -> None:
    """A run in chunk ids finds what is labelled as a whole, and mixed labels are one set."""
    labels = [Judgment("q", "a", 1), _chunk("b1", 1)]
    assert 1.0 == _score(labels, "a2 b1").metrics["recall@3"].value
    assert 1.0 == _score(labels, "a2 b1").judged["judged@3"]
    by_chunk = score(labels, [Ranking("q", ("a2", "b1"))], (3,))
    assert 0.5 == by_chunk.metrics["recall@3"].value


def test_a_document_has_the_best_of_its_grades() -> None:
    """Grades 0, 3 and 1 on one document are one relevant document of grade 3."""
    labels = [_chunk("a1", 0), _chunk("a2", 3), Judgment("q", "a", 1), _chunk("b1", 3)]
    scores = _score(labels, "a1")
    assert 0.5 == scores.metrics["recall@3"].value
    assert 1.0 == _score(labels[:3], "a1").metrics["ndcg@3"].value


def test_a_named_need_is_met_by_any_of_its_documents() -> None:
    """The second document of a need is set aside."""
    scores = _score([_chunk("a1", 1, "x"), _chunk("b1", 1, "x"), _chunk("c1", 1)], "a1 b1 c1")
    assert 1.0 == scores.metrics["precision@3"].value
    assert 1.0 == scores.metrics["recall@3"].value


def test_an_unknown_key_is_a_document() -> None:
    """A run in document ids needs no snapshot."""
    scores = score([_chunk("a1", 1)], [Ranking("q", ("b", "a"))], (2,), unit="document")
    assert 0.5 == scores.metrics["mrr@2"].value


def test_other_chunks_of_a_label_do_not_count() -> None:
    """`also` names chunks, and the document holds the label already."""
    row = Judgment("q", "a", 1, chunk_id="a1", anchor=Anchor(None, None, None, also=("b",)))
    assert 0.0 == _score([row], "b1").metrics["recall@3"].value


def test_a_label_without_a_place_is_met_by_no_document() -> None:
    """Its need stays, as with chunks."""
    labels = [_chunk("a1", 1), _chunk("b1", 1)]
    scores = _score(labels, "a2 b1", unplaced=frozenset({("q", "a1")}))
    assert 0.5 == scores.metrics["recall@3"].value


def test_chunks_of_one_document_are_no_repeats() -> None:
    """A repeat is a key that stands twice, not a document."""
    labels = [_chunk("a1", 1)]
    assert () == _score(labels, "a1 a2").repeated
    assert ("q",) == _score(labels, "a1 a1").repeated


def test_an_unknown_unit_is_refused() -> None:
    """There are two."""
    with pytest.raises(UsageError, match="unit must be chunk or document, found 'page'"):
        score([], [], unit="page")  # type: ignore[arg-type]
