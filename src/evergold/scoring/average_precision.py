"""Average precision, the summand of MAP.

    ap@k = sum over hits of (needs newly met * hits so far / rank) / needs

With one need a chunk this is the sum of precision at each hit over the number of relevant
chunks. trec_eval: `map_cut_k`, uncut `map`; ir_measures: `AP@k`. Source: Harman, "Evaluation
Issues in Information Retrieval", 1992.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def average_precision(outcome: Outcome) -> float:
    """Return average precision over the first k results; there must be at least one need."""
    total = 0.0
    for count, (rank, met) in enumerate(outcome.hits.items(), start=1):
        total += len(met) * count / rank
    return total / outcome.relevant
