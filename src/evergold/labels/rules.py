"""The names of what the anchor rules decide: `spec/anchors.md`."""

from __future__ import annotations

from collections.abc import Mapping

from evergold.model import DECIMALS

SAME = "SAME"
INTERVAL = "INTERVAL"
DIFF = "DIFF"
LOCAL = "LOCAL"
MOVED = "MOVED"
CONTAINED = "CONTAINED"
INHERIT_ZERO = "INHERIT_ZERO"
HELD = "HELD"
STRADDLE = "STRADDLE"
REVIEW = "REVIEW"
GONE = "GONE"

# Why a label was not followed through an edit.
EDITED = "EDITED"
COPIES = "COPIES"
CONTEXT_CHANGED = "CONTEXT_CHANGED"

# A label has its place; a zero waits without one; a label waits for a person.
RESOLVED = (SAME, INTERVAL, DIFF, LOCAL, MOVED, CONTAINED, INHERIT_ZERO)
OPEN = (STRADDLE, REVIEW, GONE)
RULES = (*RESOLVED, HELD, *OPEN)


def open_share(labels_by_rule: Mapping[str, int]) -> float | None:
    """Return the share of labels that wait for a person, None without labels.

    Zeros that are held count among the labels and not among the open ones: they move no metric.
    """
    labels = sum(labels_by_rule.values())
    if not labels:
        return None
    return round(sum(labels_by_rule.get(rule, 0) for rule in OPEN) / labels, DECIMALS)
