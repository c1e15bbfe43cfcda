"""Average precision, the summand of MAP.

    ap@k = sum over hits of (needs newly met * hits so far / rank) / needs

With one need a chunk this is the sum of precision at each hit over the number of relevant
chunks. Source: Harman, "Evaluation Issues in Information Retrieval", 1992; map_cut of trec_eval.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def average_precision(outcome: Outcome) -> float:
    """Return average precision over the first k results."""
    hits = 0
    total = 0.0
    for rank, met in enumerate(outcome.steps, start=1):
        if met:
            hits += 1
            total += len(met) * hits / rank
    return total / outcome.relevant
