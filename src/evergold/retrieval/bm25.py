"""BM25 through bm25s.

Lucene's variant: idf = ln(1 + (N - df + 0.5) / (df + 0.5)), k1 = 1.5, b = 0.75. See Kamphuis et
al., "Which BM25 Do You Mean?", ECIR 2020.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bm25s

from evergold.model import Chunk, Query, Ranking
from evergold.retrieval.ranking import top
from evergold.retrieval.words import words

_K1 = 1.5
_B = 0.75


def bm25(chunks: Sequence[Chunk], queries: Iterable[Query], top_k: int) -> tuple[Ranking, ...]:
    """Return a ranking of at most `top_k` chunk ids for every query, in query order.

    A chunk that shares no word with the query is not a result.
    """
    ids = [chunk.chunk_id for chunk in chunks]
    texts = [words(chunk.text) for chunk in chunks]
    vocabulary = {word for text in texts for word in text}
    if not vocabulary:
        return tuple(Ranking(query.query_id, ()) for query in queries)
    # numba orders ties differently: the numpy backend, and our own tie rule.
    index = bm25s.BM25(method="lucene", k1=_K1, b=_B, backend="numpy")
    index.index(texts, show_progress=False)
    rankings = []
    for query in queries:
        known = [word for word in words(query.query) if word in vocabulary]
        keys = top(ids, index.get_scores(known), top_k) if known else ()
        rankings.append(Ranking(query.query_id, keys))
    return tuple(rankings)
