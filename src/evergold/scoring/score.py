"""Scores of a run: per query, over all queries, per stratum."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from evergold.labels.absorb import expand
from evergold.model import DECIMALS, Judgment, Measurement, Query, Ranking
from evergold.scoring.average_precision import average_precision
from evergold.scoring.hit_rate import hit_rate
from evergold.scoring.mrr import reciprocal_rank
from evergold.scoring.ndcg import ndcg
from evergold.scoring.outcome import Needs, Outcome, needs_of, outcome
from evergold.scoring.precision import precision
from evergold.scoring.recall import recall

UNSTRATIFIED = "_unstratified"

# In the published order. nDCG is over grades, whatever the threshold.
_AT_THRESHOLD: dict[str, Callable[[Outcome], float]] = {
    "precision": precision,
    "recall": recall,
    "mrr": reciprocal_rank,
    "map": average_precision,
    "hit_rate": hit_rate,
}
METRICS = ("precision", "recall", "ndcg", "mrr", "map", "hit_rate")


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


def score(
    judgments: Sequence[Judgment],
    run: Iterable[Ranking],
    k: Sequence[int] = (10,),
    threshold: int = 1,
    queries: Iterable[Query] = (),
    unplaced: Container[tuple[str, str]] = (),
) -> Scores:
    """Return the scores of a run against labels.

    A judged query that the run lacks scores as an empty ranking; a query without a label at
    `threshold` is left out of the means. The stratum of a query is that of its record in
    `queries`, else that of its labels. `unplaced` are (query, key) pairs of labels without a place:
    their needs stay, and no result meets them.
    """
    rankings = {ranking.query_id: ranking.keys for ranking in run}
    needs = needs_of(judgments, unplaced)
    scored = {q: found for q, found in needs.items() if found.relevant(threshold)}
    per_query = {
        query_id: _of_query(found, rankings.get(query_id, ()), k, threshold)
        for query_id, found in scored.items()
    }
    return Scores(
        k=tuple(k),
        threshold=threshold,
        queries=tuple(needs),
        per_query={
            query_id: {name: round(value, DECIMALS) for name, value in values.items()}
            for query_id, values in per_query.items()
        },
        metrics=_means(per_query.values()),
        per_stratum=_per_stratum(_strata(judgments, queries), needs, per_query),
        without_positives=tuple(query_id for query_id in needs if query_id not in scored),
        missing=tuple(query_id for query_id in scored if query_id not in rankings),
        repeated=tuple(
            query_id
            for query_id, keys in rankings.items()
            if query_id in needs and len(set(keys)) < len(keys)
        ),
        answered=sum(1 for query_id in needs if rankings.get(query_id)),
        recognised=sum(
            not keys.isdisjoint(rankings.get(query_id, ()))
            for query_id, keys in _judged_keys(judgments).items()
        ),
    )


def _judged_keys(judgments: Sequence[Judgment]) -> dict[str, set[str]]:
    """Return the keys of every query on which a label stands, whatever its grade."""
    keys: dict[str, set[str]] = {}
    for label in (label for row in expand(judgments) for label in row):
        keys.setdefault(label.query_id, set()).update(
            (label.key, *(label.anchor.also if label.anchor else ()))
        )
    return keys


def worst_stratum(scores: Mapping[str, Stratum], metric: str) -> tuple[str, float] | None:
    """Return the name and value of the stratum that is worst by `metric`, first seen on ties."""
    found = [
        (name, stratum.metrics[metric].value)
        for name, stratum in scores.items()
        if stratum.n and metric in stratum.metrics
    ]
    return min(found, key=lambda item: item[1]) if found else None


def _of_query(
    needs: Needs, ranking: Sequence[str], cuts: Sequence[int], threshold: int
) -> dict[str, float]:
    values = {}
    for k in cuts:
        at_threshold = outcome(needs, ranking, k, threshold)
        for name in METRICS:
            if name == "ndcg":
                value = ndcg(at_threshold if threshold == 1 else outcome(needs, ranking, k, 1))
            else:
                value = _AT_THRESHOLD[name](at_threshold)
            values[f"{name}@{k}"] = value
    return values


def _means(per_query: Iterable[Mapping[str, float]]) -> dict[str, Measurement]:
    rows = list(per_query)
    if not rows:
        return {}
    return {
        name: Measurement(round(fsum(row[name] for row in rows) / len(rows), DECIMALS))
        for name in rows[0]
    }


def _strata(judgments: Iterable[Judgment], queries: Iterable[Query]) -> dict[str, str]:
    """Return the stratum of every query that has one."""
    strata = {q.query_id: q.stratum for q in queries if q.stratum is not None}
    for judgment in judgments:
        if judgment.stratum is not None:
            strata.setdefault(judgment.query_id, judgment.stratum)
    return strata


def _per_stratum(
    strata: Mapping[str, str],
    needs: Iterable[str],
    per_query: Mapping[str, Mapping[str, float]],
) -> dict[str, Stratum]:
    """Return the scores of each stratum, in order of first appearance among the labels."""
    judged = list(needs)
    if not any(query_id in strata for query_id in judged):
        return {}
    members: dict[str, list[Mapping[str, float]]] = {}
    for query_id in judged:
        rows = members.setdefault(strata.get(query_id, UNSTRATIFIED), [])
        if query_id in per_query:
            rows.append(per_query[query_id])
    return {name: Stratum(len(rows), _means(rows)) for name, rows in members.items()}
