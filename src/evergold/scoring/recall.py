"""Recall: the share of what was asked for that the first k results hold.

    recall@k = needs met / needs with a grade at the threshold

trec_eval: `recall_k`; ir_measures: `R@k`. Source: van Rijsbergen, "Information Retrieval", 1979,
chapter 7.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def recall(outcome: Outcome) -> float:
    """Return recall@k; there must be at least one need at the threshold."""
    return sum(map(len, outcome.hits.values())) / outcome.relevant
