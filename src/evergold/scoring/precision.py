"""Precision: the share of the first k results that are of use.

    precision@k = hits / (k - set aside)

A hit is a chunk that newly meets a need at the threshold. k counts also where fewer chunks
were returned. Source: van Rijsbergen, "Information Retrieval", 1979, chapter 7; P@k of trec_eval.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def precision(outcome: Outcome) -> float:
    """Return precision@k; 0.0 where all k results were set aside."""
    hits = sum(bool(met) for met in outcome.steps)
    places = outcome.k - outcome.set_aside
    return hits / places if places else 0.0
