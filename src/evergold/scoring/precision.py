"""Precision: the share of the first k results that are of use.

    precision@k = hits / (k - set aside)

A hit is a chunk that newly meets a need at the threshold. k counts also where fewer chunks
were returned. trec_eval: `P_k`; ir_measures: `P@k`. Source: van Rijsbergen, "Information
Retrieval", 1979, chapter 7.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def precision(outcome: Outcome) -> float:
    """Return precision@k; there is a place left, as the first hit is never set aside."""
    return len(outcome.hits) / (outcome.k - outcome.set_aside)
