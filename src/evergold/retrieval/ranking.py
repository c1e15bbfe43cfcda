"""The one order of results: score descending, then id descending by code point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Scores = np.ndarray[tuple[int], np.dtype[np.float32]]


def top(ids: Sequence[str], scores: Scores, k: int, floor: float = 0.0) -> tuple[str, ...]:
    """Return the `k` best ids among those that score above `floor`.

    `scores` has one value for each id. Every id at the k-th score takes part in the sort, so
    that a tie across the cut is broken by the rule and not by the order of the input.
    """
    positive = int(np.count_nonzero(scores > floor))
    wanted = min(k, positive)
    if wanted == 0:
        return ()
    least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    found = [(float(scores[i]), ids[i]) for i in np.flatnonzero(scores >= least).tolist()]
    found.sort(reverse=True)
    return tuple(key for _, key in found[:wanted])
