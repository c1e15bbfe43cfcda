"""Judged@k: the share of the first k results that carry a label, one of grade 0 included.

    judged@k = results with a label among the first k / results among the first k

It says how far the other metrics can be trusted: to them what nobody judged is a miss. It
divides by what was returned, not by k, as `Judged@k` of ir_measures does; trec_eval has none.
Source: MacAvaney, "OpenNIR", WSDM 2020.
"""

from __future__ import annotations

from evergold.scoring.outcome import Outcome


def judged(outcome: Outcome) -> float | None:
    """Return judged@k; None where nothing was returned."""
    if not outcome.window:
        return None
    labelled = outcome.needs.judged
    return len([key for key in outcome.window if key in labelled]) / len(outcome.window)
