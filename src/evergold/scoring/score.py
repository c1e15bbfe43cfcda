"""Scores of a run: per query, over all queries, per stratum."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import get_args

from evergold.errors import UsageError
from evergold.identity import unicode_twins
from evergold.memory import collector_paused
from evergold.model import DECIMALS, UNSTRATIFIED, Judgment, Measurement, Query, Ranking
from evergold.scoring.average_precision import average_precision
from evergold.scoring.hit_rate import hit_rate
from evergold.scoring.judged import judged
from evergold.scoring.mrr import reciprocal_rank
from evergold.scoring.ndcg import ndcg
from evergold.scoring.outcome import Outcome, Unit, needs_of, outcome
from evergold.scoring.precision import precision
from evergold.scoring.recall import recall

# In the published order. nDCG is over grades, whatever the threshold.
_METRICS: dict[str, Callable[[Outcome], float]] = {
    "precision": precision,
    "recall": recall,
    "ndcg": ndcg,
    "mrr": reciprocal_rank,
    "map": average_precision,
    "hit_rate": hit_rate,
}
METRICS = tuple(_METRICS)


@dataclass(frozen=True, slots=True)
class Stratum:
    """The scores of one class of queries; `n` is how many of them were scored."""

    n: int
    metrics: Mapping[str, Measurement]


@dataclass(frozen=True, slots=True)
class Scores:
    """What a run scored.

    `per_query` has the scored queries only: those with a need at the threshold. `answered`
    counts the judged queries with a result, `recognised` those with a result that was judged.
    `judged` has judged@k, over the scored queries with a result. `tied` has, for each k at which
    equal scores stand on both sides of the cut, the number of those queries; `twins` has ids of
    the run with those of the labels that they differ from only by Unicode normalization.
    """

    k: tuple[int, ...]
    threshold: int
    queries: tuple[str, ...]
    per_query: Mapping[str, Mapping[str, float]]
    metrics: Mapping[str, Measurement]
    per_stratum: Mapping[str, Stratum] = field(default_factory=dict)
    without_positives: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    answered: int = 0
    recognised: int = 0
    judged: Mapping[str, float] = field(default_factory=dict)
    unit: Unit = "chunk"
    tied: Mapping[int, int] = field(default_factory=dict)
    twins: tuple[tuple[str, str], ...] = ()


@collector_paused()
def score(
    judgments: Sequence[Judgment],
    run: Iterable[Ranking],
    k: Sequence[int] = (10,),
    threshold: int = 1,
    queries: Iterable[Query] = (),
    unplaced: Collection[tuple[str, str]] = (),
    unit: Unit = "chunk",
    documents: Mapping[str, str] | None = None,
) -> Scores:
    """Return the scores of a run against labels.

    A judged query that the run lacks scores as an empty ranking; a query without a label at
    `threshold` is left out of the means. The stratum of a query is that of its record in
    `queries`, else that of its labels. `unplaced` are (query, key) pairs of labels without a place:
    their needs stay, and no result meets them.

    With unit "document" each result stands for its document, which has the rank of its first
    chunk, and each label for its `doc_uri`. `documents` maps chunk ids to documents; a key that is
    not in it is taken for a document. Raises `UsageError` for settings that make no sense.
    """
    if unit not in get_args(Unit):
        raise UsageError(f"unit must be chunk or document, found {unit!r}")
    if threshold < 1 or not k or min(k) < 1:
        raise UsageError(f"k and threshold start at 1, found {list(k)} and {threshold}")
    given = {}
    ties = {}
    for result in run:
        given[result.query_id] = result.keys
        if result.ties and unit == "chunk":
            ties[result.query_id] = result.ties
    rankings: Mapping[str, Sequence[str]] = given
    if unit == "document":
        rankings = {query_id: _documents(keys, documents or {}) for query_id, keys in given.items()}
    known: list[str] = []
    values: dict[str, tuple[float, ...]] = {}
    like: dict[tuple[object, ...], list[float]] = {}
    shares: list[list[float]] = [[] for _ in k]
    recognised = 0
    twins: dict[tuple[str, str], None] = {}
    for query_id, needs in needs_of(judgments, unplaced, unit):
        known.append(query_id)
        ranking = rankings.get(query_id, ())
        recognised += not needs.judged.isdisjoint(ranking)
        if not "".join(ranking).isascii():
            twins.update(dict.fromkeys(unicode_twins(ranking, needs.judged)))
        if max(needs.grades, default=0) < threshold:
            continue
        row: list[float] = []
        for cut, share in zip(k, shares, strict=True):
            found = outcome(needs, ranking, cut, threshold)
            graded = found if threshold == 1 else outcome(needs, ranking, cut, 1)
            row += _values(found, graded, like)
            labelled = judged(found)
            if labelled is not None:
                share.append(labelled)
        values[query_id] = tuple(row)
    names = [f"{name}@{cut}" for cut in k for name in METRICS]
    asked = frozenset(known)
    return Scores(
        k=tuple(k),
        threshold=threshold,
        queries=tuple(known),
        per_query=_rounded(names, values),
        metrics=_means(names, values.values()),
        per_stratum=_per_stratum(_strata(judgments, queries), known, names, values),
        without_positives=tuple([query_id for query_id in known if query_id not in values]),
        missing=tuple([query_id for query_id in values if query_id not in given]),
        repeated=tuple(
            [q for q, keys in given.items() if q in asked and len(set(keys)) < len(keys)]
        ),
        answered=len([query_id for query_id in known if given.get(query_id)]),
        recognised=recognised,
        judged={
            f"judged@{cut}": _mean(share) for cut, share in zip(k, shares, strict=True) if share
        },
        unit=unit,
        tied={
            cut: count
            for cut in k
            if (count := len([q for q, places in ties.items() if cut in places and q in values]))
        },
        twins=(*unicode_twins(given, known), *twins),
    )


def score_by_stratum(
    judgments: Sequence[Judgment],
    run: Iterable[Ranking],
    k: Sequence[int] = (10,),
    threshold: int = 1,
    queries: Iterable[Query] = (),
) -> Mapping[str, Stratum]:
    """Return the scores of each stratum by name; empty when no query has a stratum."""
    return score(judgments, run, k, threshold, queries).per_stratum


def worst_stratum(scores: Mapping[str, Stratum], metric: str) -> tuple[str, float] | None:
    """Return the name and value of the stratum that is worst by `metric`, first seen on ties."""
    found = [
        (name, stratum.metrics[metric].value)
        for name, stratum in scores.items()
        if stratum.n and metric in stratum.metrics
    ]
    return min(found, key=lambda item: item[1]) if found else None


def _values(
    found: Outcome, graded: Outcome, like: dict[tuple[object, ...], list[float]]
) -> list[float]:
    """Return all metrics; `like` has those of outcomes that differ in nothing but their keys."""
    pattern = None
    if found.needs.plain:
        hits = tuple(found.hits.items()), tuple(graded.hits.items())
        pattern = (found.k, found.relevant, found.needs.grades, *hits)
        if pattern in like:
            return like[pattern]
    row = [metric(graded if metric is ndcg else found) for metric in _METRICS.values()]
    if pattern is not None:
        like[pattern] = row
    return row


def _documents(keys: Sequence[str], documents: Mapping[str, str]) -> Sequence[str]:
    """Return the documents of a ranking of chunks, each where its first chunk stands."""
    return tuple(dict.fromkeys([documents.get(key, key) for key in keys]))


def _rounded(
    names: Sequence[str], values: Mapping[str, tuple[float, ...]]
) -> dict[str, Mapping[str, float]]:
    """Return the values of each query by name; queries with equal values have one mapping."""
    seen: dict[tuple[float, ...], Mapping[str, float]] = {}
    for row in values.values():
        if row not in seen:
            seen[row] = dict(zip(names, [round(value, DECIMALS) for value in row], strict=True))
    return {query_id: seen[row] for query_id, row in values.items()}


def _mean(values: Sequence[float]) -> float:
    return round(fsum(values) / len(values), DECIMALS)


def _means(names: Sequence[str], rows: Collection[Sequence[float]]) -> dict[str, Measurement]:
    if not rows:
        return {}
    columns = zip(*rows, strict=True)
    return {name: Measurement(_mean(column)) for name, column in zip(names, columns, strict=True)}


def _strata(judgments: Iterable[Judgment], queries: Iterable[Query]) -> dict[str, str]:
    """Return the stratum of every query that has one."""
    strata = {q.query_id: q.stratum for q in queries if q.stratum is not None}
    for judgment in judgments:
        if judgment.stratum is not None:
            strata.setdefault(judgment.query_id, judgment.stratum or UNSTRATIFIED)
    return strata


def _per_stratum(
    strata: Mapping[str, str],
    known: Iterable[str],
    names: Sequence[str],
    values: Mapping[str, Sequence[float]],
) -> dict[str, Stratum]:
    """Return the scores of each stratum, in order of first appearance among the labels."""
    judged_queries = list(known)
    if not any(query_id in strata for query_id in judged_queries):
        return {}
    members: dict[str, list[Sequence[float]]] = {}
    for query_id in judged_queries:
        rows = members.setdefault(strata.get(query_id, UNSTRATIFIED), [])
        if query_id in values:
            rows.append(values[query_id])
    return {name: Stratum(len(rows), _means(names, rows)) for name, rows in members.items()}
