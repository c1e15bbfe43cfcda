"""Normalised discounted cumulative gain with exponential gain.

    dcg = sum over ranks of (2^grade - 1) / log2(rank + 1)        ndcg@k = dcg / ideal dcg

The grade of a chunk is the highest with which it newly meets a need; the threshold plays no
part, so that the outcome is one of threshold 1. The ideal order is built greedily: the chunk
with the highest new grade, then the one that meets the fewest new needs, then by id. It never
falls below the ranking itself. trec_eval: none, its gain is linear; ir_measures:
`nDCG(dcg='exp-log2')@k`. Source: Burges et al., "Learning to Rank using Gradient Descent", ICML
2005 (the gain); Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import log2

from evergold.scoring.outcome import Needs, Outcome


def ndcg(outcome: Outcome) -> float:
    """Return ndcg@k; 0.0 where no judged chunk has a grade above 0."""
    return normalised(outcome, exponential)


def exponential(grade: int) -> float:
    """Return the gain 2^grade - 1."""
    return 2.0**grade - 1.0


def normalised(outcome: Outcome, gain: Callable[[int], float]) -> float:
    """Return the discounted gain of an outcome over that of the ideal order, 0.0 without one.

    The order of the ideal is the same under every gain that rises with the grade.
    """
    found = _dcg([(rank, max(met)) for rank, met in outcome.hits.items()], gain)
    ideal = max(found, _ideal_dcg(_ideal(outcome.needs, outcome.k), gain))
    return found / ideal if ideal > 0 else 0.0


def _dcg(grades: Iterable[tuple[int, int]], gain: Callable[[int], float]) -> float:
    return sum([gain(grade) / log2(rank + 1) for rank, grade in grades])


@lru_cache(maxsize=4096)  # many queries have the same grades
def _ideal_dcg(grades: tuple[int, ...], gain: Callable[[int], float]) -> float:
    return _dcg(enumerate(grades, start=1), gain)


def _ideal(needs: Needs, k: int) -> tuple[int, ...]:
    """Return the grades of the ideal ranking, best first."""
    if max(map(len, needs.held.values()), default=1) == 1:
        return tuple(sorted(needs.grades, reverse=True)[:k])
    met: set[int] = set()
    order: list[int] = []
    while len(order) < k:
        offers = []
        for key, held in needs.held.items():
            new = [(need, grade) for need, grade in held if need not in met]
            if new:
                offers.append((max(grade for _, grade in new), -len(new), key, new))
        if not offers:
            break
        grade, _, _, new = max(offers, key=lambda offer: offer[:3])
        met.update(need for need, _ in new)
        order.append(grade)
    return tuple(order)
