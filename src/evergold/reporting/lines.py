"""What the console and the Markdown report say alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evergold.labels.rules import (
    CONTAINED,
    DIFF,
    GONE,
    HELD,
    INHERIT_ZERO,
    INTERVAL,
    LOCAL,
    MOVED,
    REVIEW,
    SAME,
    STRADDLE,
)

Report = Mapping[str, Any]

RULE_MEANINGS = {
    SAME: "still on the chunk that was judged",
    INTERVAL: "moved to the chunk that holds the evidence",
    DIFF: "followed through an edit of the document",
    LOCAL: "followed through an edit by its own text, the old document is not at hand",
    MOVED: "followed to another place of the document",
    CONTAINED: "moved to the chunk that holds the whole judged text",
    INHERIT_ZERO: "judged 0, moved to the chunks inside the judged text",
    HELD: "judged 0, and no chunk lies inside the judged text: a zero never moves to more text",
    STRADDLE: "a chunk border cuts the evidence",
    REVIEW: "need a person",
    GONE: "the document is gone",
}


def headline_metric(report: Report) -> str | None:
    """Return the metric to show first: recall at 5 where there is one, else any recall."""
    names: list[str] = list(report["metrics"])
    recalls = [name for name in names if name.startswith("recall@")]
    if "recall@5" in recalls:
        return "recall@5"
    return next(iter(recalls or names), None)


def compared_values(report: Report, metric: str) -> tuple[float, float] | None:
    """Return the values before and after that a gate on `metric` compared, where one did.

    Both are means over the queries that the baseline and the report share.
    """
    for gate in report["verdict"].get("gates", ()):
        if gate["expression"].partition(":")[0] == metric and "baseline" in gate:
            return float(gate["baseline"]), float(gate["observed"])
    return None


def strata_worst_first(report: Report, metric: str) -> list[tuple[str, float, int]]:
    """Return (name, value, n) of every scored stratum, worst first, then by name."""
    found = [
        (name, float(stratum["metrics"][metric]["value"]), int(stratum["n"]))
        for name, stratum in (report.get("per_stratum") or {}).items()
        if metric in stratum["metrics"]
    ]
    return sorted(found, key=lambda item: (item[1], item[0]))


def unscored_strata(report: Report) -> list[str]:
    """Return the names of the strata in which no query was scored, by name."""
    strata = report.get("per_stratum") or {}
    return sorted(name for name, stratum in strata.items() if not stratum["n"])
