"""Gates, the reports that they judge, and samples."""

from __future__ import annotations

from random import Random
from typing import Any

Row = dict[str, Any]

METRICS = ("recall@5", "ndcg@10", "faithfulness")
_BOUNDS = ("0", "0.125", ".5", "5e-1", "1.", "0.7", "-0.05", "+0.05", "-0.1", "-0.02", "-0", "+0")
# Gates in which one of the tools, or both, see no gate, and numbers in unusual forms.
_ODD_GATES = (
    "recall@5",
    "recall@5:",
    ":0.5",
    "worst-stratum:0.5",
    "worst-stratum::0.5",
    "worst-stratum:recall@5:x",
    "a:b:0.5",
    "recall@5:ci-lower",
    "recall@5:ci-lower:",
    "recall@5:ci-lower:0.5:1",
    ":ci-lower:0.5",
    "recall@5:0.5x",
    "recall@5: 0.5",
    "recall@5:nan",
    "recall@5:٠.٥",
    "recall@5:1e999",
    "recall@5:0.5\n",
    "recall\t@5:0.5",
    "max-invalid:0.5",
    "max-invalid:0",
    "max-invalid:2",
)


def draw_gates(r: Random, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return gates on some metrics, and at times one in an unusual form."""
    forms = ("{0}:{1}", "{0}:{1}", "{0}:{1}", "worst-stratum:{0}:{1}", "{0}:ci-lower:{1}")
    found = [
        r.choice(forms).format(r.choice(names), r.choice(_BOUNDS)) for _ in range(r.randint(0, 3))
    ]
    if r.random() < 0.15:
        found.append(r.choice(_ODD_GATES))
    return tuple(found)


def _value(r: Random) -> float:
    """Return a value as a mean over some queries has it."""
    queries = r.choice((3, 8, 10, 20, 20, 100))
    return round(r.randint(0, queries) / queries, 12)


def _measurements(r: Random) -> Row:
    found: Row = {}
    for name in METRICS:
        if r.random() < 0.8:
            value = _value(r)
            found[name] = {"value": value}
            if r.random() < 0.4:
                found[name]["ci"] = [value - 0.25, value + 0.25]
    return found


def draw_reports(r: Random) -> tuple[Row, Row]:
    """Return a report and its baseline, of another tool or with settings as ours have them."""
    report, baseline = _report(r), _report(r)
    for name in report["metrics"].keys() & baseline["metrics"].keys():
        if r.random() < 0.3:  # a change that is exactly at a bound
            value = report["metrics"][name]["value"] + r.choice((0.05, 0.1, 0.02, -0.05))
            baseline["metrics"][name]["value"] = round(value, 12)
    if r.random() < 0.3:
        _make_comparable(r, report, baseline)
    return report, baseline


def _report(r: Random) -> Row:
    """Return a report of another tool, with values that need not fit together."""
    metrics = _measurements(r) if r.random() < 0.9 else {}
    scored = 3 if metrics and r.random() < 0.9 else 0
    report: Row = {
        "judgments": {"labels": r.choice((0, 9)), "queries_scored": scored},
        "metrics": metrics,
        "verdict": {"status": r.choice(("PASS", "PASS", "INDETERMINATE")), "reasons": ["before"]},
    }
    if r.random() < 0.3:
        report["judgments"]["drift"] = {"invalid_ratio": _value(r)}
    if r.random() < 0.7:
        names = r.sample(("legal", "returns", "sales"), r.randint(0, 3))
        report["per_stratum"] = {
            name: {"n": 2, "metrics": _measurements(r)}
            if r.random() < 0.8
            else {"n": 0, "metrics": {}}
            for name in names
        }
    return report


def _make_comparable(r: Random, report: Row, baseline: Row) -> None:
    """Add what a report of ours says of its settings and queries."""
    report["settings"] = {"threshold": 1, "gain": "exponential"}
    baseline["settings"] = {"threshold": r.choice((1, 1, 2)), "gain": "exponential"}
    if r.random() < 0.3:
        return
    for side in (report, baseline):
        side["per_query"] = {
            query_id: {name: r.randint(0, 4) / 4 for name in side["metrics"]}
            for query_id in "abcd"
            if r.random() < 0.7
        }


def draw_samples(r: Random) -> list[float]:
    """Return up to 130 scores, none at times; at times the first is no finite number."""
    number = r.choice((0, 1, 2, 3, 5, 8, 8, 130))
    samples = [
        r.choice((0.0, 0.5, 1.0)) if r.random() < 0.3 else r.uniform(-1, 2) for _ in range(number)
    ]
    if samples and r.random() < 0.05:
        samples[0] = r.choice((float("nan"), float("inf")))
    return samples
