"""BM25 against its formula, worked out in plain Python."""

from __future__ import annotations

from itertools import pairwise
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.identity import text_sha
from evergold.model import Chunk, Query, Ranking
from evergold.retrieval.bm25 import bm25

K1 = 1.5
B = 0.75


def _chunks(*texts: str) -> list[Chunk]:
    return [
        Chunk(f"c{place}", "d", "r", place, text, text_sha(text))
        for place, text in enumerate(texts)
    ]


def _ranking(query: str, *texts: str, top_k: int = 10) -> tuple[str, ...]:
    (ranking,) = bm25(_chunks(*texts), [Query("q", query)], top_k)
    return ranking.keys


def _scores(query: str, texts: list[str]) -> list[float]:
    """Return the score of each text: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), as Lucene."""
    documents = [text.split() for text in texts]
    mean_length = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for word in query.split():
            df = sum(word in other for other in documents)
            tf = document.count(word)
            idf = log(1 + (len(documents) - df + 0.5) / (df + 0.5))
            norm = K1 * (1 - B + B * len(document) / mean_length)
            score += idf * tf / (tf + norm)
        scores.append(score)
    return scores


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    """The chunk with the rare word comes first."""
    texts = ("leave days", "leave rules", "leave sick", "refund rules")
    assert ("c3", "c1") == _ranking("refund rules", *texts)[:2]


def test_more_occurrences_and_a_shorter_text_weigh_more() -> None:
    """Twice in the same length beats once; the same in fewer words beats more words."""
    texts = ("leave leave days", "leave days days", "other words here")
    assert ("c0", "c1") == _ranking("leave", *texts)
    texts = ("leave and a lot of other words", "leave days", "other words here")
    assert ("c1", "c0") == _ranking("leave", *texts)


def test_a_chunk_that_shares_no_word_is_no_result() -> None:
    """Only chunks with a word of the query are ranked."""
    assert ("c1",) == _ranking("refund", "leave days", "refund rules")
    assert () == _ranking("pension", "leave days", "refund rules")
    assert () == _ranking("...", "leave days")


def test_words_are_matched_whatever_their_case() -> None:
    """Query and chunks go through the same words."""
    assert ("c0",) == _ranking("REFUND-rules?", "The Refund_Rules.", "leave")


def test_equal_chunks_stand_by_id_descending() -> None:
    """A tie is broken by the id, also across the cut."""
    texts = ("refund now", "refund now", "refund now", "leave")
    assert ("c2", "c1", "c0") == _ranking("refund", *texts)
    assert ("c2", "c1") == _ranking("refund", *texts, top_k=2)


def test_every_query_has_a_ranking_in_its_order() -> None:
    """A query without results has an empty one."""
    queries = [Query("b", "refund"), Query("a", "nothing such"), Query("c", "leave")]
    assert (
        Ranking("b", ("c0",)),
        Ranking("a", ()),
        Ranking("c", ("c1",)),
    ) == bm25(_chunks("refund", "leave"), queries, 5)


@pytest.mark.parametrize("texts", [(), ("...", "!?")])
def test_a_corpus_without_words_has_no_results(texts: tuple[str, ...]) -> None:
    """Nothing can be found in nothing."""
    assert (Ranking("q", ()),) == bm25(_chunks(*texts), [Query("q", "refund")], 5)


VOCABULARY = st.sampled_from(["leave", "sick", "days", "refund", "rules", "the"])
TEXTS = st.lists(VOCABULARY, min_size=1, max_size=8).map(" ".join)


@settings(deadline=None, max_examples=100)
@given(st.lists(TEXTS, min_size=1, max_size=8), TEXTS)
def test_rankings_fall_by_the_formula(texts: list[str], query: str) -> None:
    """No result scores below the next, and what is left out shares no word with the query."""
    scores = dict(
        zip((f"c{place}" for place in range(len(texts))), _scores(query, texts), strict=True)
    )
    keys = _ranking(query, *texts)
    # Scores in the index are 32-bit floats.
    assert all(scores[a] >= scores[b] - 1e-5 for a, b in pairwise(keys))
    assert {key for key, value in scores.items() if value > 0} == set(keys)


def test_the_order_of_the_chunks_does_not_count() -> None:
    """Permuted chunks give the same rankings."""
    chunks = _chunks("refund now", "refund rules", "leave rules", "refund now")
    queries = [Query("q", "refund rules"), Query("p", "now")]
    assert bm25(chunks, queries, 3) == bm25(chunks[::-1], queries, 3)
