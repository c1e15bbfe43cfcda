"""What trec_eval says of a run, by its own names and rules.

The gain is linear; every query of both files counts, with 0 where nothing is relevant; the
cutoffs are its own. The files and the order of ties are the reader's matter: trec_eval compares
scores as 32-bit floats, see `spec/metrics.md`. Source: trec_eval 10.0,
https://github.com/usnistgov/trec_eval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from evergold.labels.absorb import expand
from evergold.model import Judgment, Ranking
from evergold.scoring.average_precision import average_precision
from evergold.scoring.hit_rate import hit_rate
from evergold.scoring.mrr import reciprocal_rank
from evergold.scoring.ndcg_linear import ndcg_linear
from evergold.scoring.outcome import Needs, outcome, plain_needs
from evergold.scoring.precision import precision
from evergold.scoring.recall import recall

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_COUNTS = ("num_ret", "num_rel", "num_rel_ret")


@dataclass(frozen=True, slots=True)
class TrecEvalScores:
    """Values by the names of trec_eval, not rounded; `overall` is its block `all`."""

    per_query: Mapping[str, Mapping[str, float]]
    overall: Mapping[str, float]


def trec_eval_scores(
    judgments: Sequence[Judgment],
    run: Iterable[Ranking],
    k: Sequence[int] = CUTOFFS,
    level: int = 1,
    *,
    complete: bool = False,
) -> TrecEvalScores:
    """Return what `trec_eval -l LEVEL` prints, with `complete` what `trec_eval -c` does.

    A label counts by its key and grade, the best one where a key has several; what needs share
    is not looked at. A query counts where both the labels and the run have it. With `complete`
    all judged queries count in the means, with 0 where the run lacks them.
    """
    rankings = {ranking.query_id: tuple(dict.fromkeys(ranking.keys)) for ranking in run}
    grades: dict[str, dict[str, int]] = {}
    for label in (label for row in expand(judgments) for label in row):
        of_query = grades.setdefault(label.query_id, {})
        of_query[label.key] = max(of_query.get(label.key, 0), label.relevance)
    per_query = {
        query_id: _of_query(plain_needs(keys), rankings[query_id], k, level)
        for query_id, keys in grades.items()
        if query_id in rankings
    }
    rows = list(per_query.values())
    if complete:
        rows += [
            _of_query(plain_needs(grades[q]), (), k, level) for q in grades if q not in rankings
        ]
    overall: dict[str, float] = {"num_q": len(rows)}
    for name in rows[0] if rows else ():
        column = [row[name] for row in rows]
        overall[name] = sum(column) if name in _COUNTS else fsum(column) / len(rows)
    return TrecEvalScores(per_query, overall)


def _of_query(
    needs: Needs, ranking: Sequence[str], cuts: Sequence[int], level: int
) -> dict[str, float]:
    whole = outcome(needs, ranking, len(ranking), level)
    some = whole.relevant > 0
    values: dict[str, float] = {
        "num_ret": len(ranking),
        "num_rel": whole.relevant,
        "num_rel_ret": len(whole.hits),
        "map": average_precision(whole) if some else 0.0,
        "recip_rank": reciprocal_rank(whole),
        "ndcg": ndcg_linear(outcome(needs, ranking, max(len(ranking), len(needs.grades)), 1)),
    }
    for cut in cuts:
        found = outcome(needs, ranking, cut, level)
        values[f"P_{cut}"] = precision(found)
        values[f"recall_{cut}"] = recall(found) if some else 0.0
        values[f"map_cut_{cut}"] = average_precision(found) if some else 0.0
        values[f"ndcg_cut_{cut}"] = ndcg_linear(
            found if level == 1 else outcome(needs, ranking, cut, 1)
        )
        values[f"success_{cut}"] = hit_rate(found)
    return values
