"""retrieve: a corpus snapshot and queries to a run."""

from __future__ import annotations

from evergold.errors import InputError
from evergold.formats.corpus import read_snapshot
from evergold.formats.queries import read_queries
from evergold.formats.runs import write_run
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.retrieval.bm25 import bm25


def run(params: Params) -> str:
    """Write a ranking for every query."""
    params.one_of("retriever.kind", ("bm25",))
    top_k = params.integer("retriever.top_k", least=1)
    queries = read_queries(paths.QUERIES)
    if not queries:
        raise InputError("no queries", path=paths.QUERIES, line=1)
    rankings = bm25(read_snapshot(paths.SNAPSHOT).chunks, queries, top_k)
    write_run(paths.RUN, rankings)
    found = sum(bool(ranking.keys) for ranking in rankings)
    return f"{len(rankings)} queries, {found} with results"
