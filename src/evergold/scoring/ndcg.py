"""Normalised discounted cumulative gain with exponential gain.

    dcg = sum over ranks of (2^grade - 1) / log2(rank + 1)        ndcg@k = dcg / ideal dcg

The grade of a chunk is the highest with which it newly meets a need; the threshold plays no
part, so that the outcome is one of threshold 1. The ideal order is built greedily: the chunk with the highest new grade, then the one that
meets the fewest new needs, then by id. It never falls below the ranking itself. Source: Burges
et al., "Learning to Rank using Gradient Descent", ICML 2005 (the gain); Järvelin and
Kekäläinen, ACM TOIS 20(4), 2002.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from evergold.scoring.outcome import Needs, Outcome


def ndcg(outcome: Outcome) -> float:
    """Return ndcg@k; 0.0 where no judged chunk has a grade above 0."""
    found = _dcg([max(met, default=0) for met in outcome.steps])
    ideal = max(found, _dcg(_ideal(outcome.needs, outcome.k)))
    return found / ideal if ideal > 0 else 0.0


def _dcg(grades: Iterable[int]) -> float:
    return sum(
        (2.0**grade - 1.0) / log2(rank + 1) for rank, grade in enumerate(grades, start=1) if grade
    )


def _ideal(needs: Needs, k: int) -> list[int]:
    """Return the grades of the ideal ranking, best first."""
    if all(len(held) == 1 for held in needs.held.values()):
        return sorted(needs.grades, reverse=True)[:k]
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
    return order
