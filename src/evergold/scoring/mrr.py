"""Mean reciprocal rank: how far down the first result of use stands.

    rr@k = 1 / rank of the first hit among the first k results, 0 without one

Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def reciprocal_rank(outcome: Outcome) -> float:
    """Return the reciprocal rank of the first hit, 0.0 without one."""
    for rank, met in enumerate(outcome.steps, start=1):
        if met:
            return 1 / rank
    return 0.0
