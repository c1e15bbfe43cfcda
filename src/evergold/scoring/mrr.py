"""Mean reciprocal rank: how far down the first result of use stands.

    rr@k = 1 / rank of the first hit among the first k results, 0 without one

trec_eval: `recip_rank`, which knows no cutoff; ir_measures: `RR@k`. Source: Voorhees, "The TREC-8
Question Answering Track Report", 1999.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def reciprocal_rank(outcome: Outcome) -> float:
    """Return the reciprocal rank of the first hit, 0.0 without one."""
    return next((1 / rank for rank in outcome.hits), 0.0)
