"""Normalised discounted cumulative gain with linear gain, as trec_eval has it.

    dcg = sum over ranks of grade / log2(rank + 1)        ndcg_linear@k = dcg / ideal dcg

All but the gain is as in `ndcg`; the two agree where no grade is above 1. trec_eval: `ndcg_cut_k`,
uncut `ndcg`; ir_measures: `nDCG@k`. Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
"""

from __future__ import annotations

from evergold.scoring.ndcg import normalised
from evergold.scoring.outcome import Outcome


def ndcg_linear(outcome: Outcome) -> float:
    """Return ndcg_linear@k; 0.0 where no judged chunk has a grade above 0."""
    return normalised(outcome, float)
