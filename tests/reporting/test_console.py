"""The few lines that a run ends with."""

from __future__ import annotations

from typing import Any

import pytest

from evergold.labels.rules import RULES
from evergold.reporting.console import console_summary
from evergold.reporting.lines import (
    RULE_MEANINGS,
    headline_metric,
    strata_worst_first,
    unscored_strata,
)


def _report(**fields: Any) -> dict[str, Any]:
    report: dict[str, Any] = {
        "judgments": {"labels": 214, "queries_scored": 88},
        "metrics": {"recall@1": {"value": 0.5}, "recall@5": {"value": 0.874}},
        "verdict": {"status": "PASS", "reasons": []},
    }
    return {**report, **fields}


def test_a_summary_has_labels_metric_worst_stratum_and_verdict() -> None:
    """One line each, then the reasons."""
    report = _report(
        resolution_summary={
            "SAME": 31,
            "INTERVAL": 100,
            "DIFF": 40,
            "LOCAL": 2,
            "MOVED": 3,
            "CONTAINED": 30,
            "INHERIT_ZERO": 3,
            "HELD": 1,
            "STRADDLE": 3,
            "REVIEW": 2,
            "GONE": 4,
        },
        per_stratum={
            "sales": {"n": 9, "metrics": {"recall@5": {"value": 0.9}}},
            "legal": {"n": 18, "metrics": {"recall@5": {"value": 0.722}}},
        },
        verdict={
            "status": "FAIL",
            "reasons": ["recall@5 fell 0.0070, from 0.8810 to 0.8740, outside -0.005"],
            "gates": [
                {
                    "expression": "recall@5:-0.005",
                    "status": "FAIL",
                    "observed": 0.874,
                    "baseline": 0.881,
                },
                {"expression": "max-invalid:0.05", "status": "PASS", "observed": 0.0},
            ],
        },
    )
    assert (
        "labels    214 judged in 2 strata · 31 in place · 178 re-anchored · 1 held at 0"
        " · 3 straddle a border · 2 need a person · 4 gone with their document\n"
        "recall@5  0.874 over 88 queries   was 0.881 (-0.007)\n"
        "worst     legal: recall@5 0.722 (n 18)\n"
        "verdict   FAIL  recall@5:-0.005  max-invalid:0.05\n"
        "          - recall@5 fell 0.0070, from 0.8810 to 0.8740, outside -0.005"
    ) == console_summary(report)


@pytest.mark.parametrize("rule", RULES)
def test_labels_of_every_rule_are_in_the_summary(rule: str) -> None:
    """No rule is forgotten, and each has its meaning in the longer report."""
    first = console_summary(_report(resolution_summary={rule: 7})).splitlines()[0]
    assert first.startswith("labels    214 judged · 7 ")
    assert RULE_MEANINGS[rule]


def test_a_summary_leaves_out_what_is_not_known() -> None:
    """Without strata, resolutions, baseline and gates their words are missing."""
    assert (
        "labels    214 judged\nrecall@5  0.874 over 88 queries\nverdict   PASS"
    ) == console_summary(_report())


def test_a_summary_without_a_metric_has_labels_and_verdict() -> None:
    """Nothing scored leaves the reasons."""
    report = _report(
        metrics={}, verdict={"status": "INDETERMINATE", "reasons": ["no judged queries"]}
    )
    assert (
        "labels    214 judged\nverdict   INDETERMINATE\n          - no judged queries"
    ) == console_summary(report)


def test_the_headline_is_recall_at_five_where_it_can_be() -> None:
    """Else the first recall, else the first metric, else none."""
    metrics: dict[str, Any] = {"precision@5": {}, "recall@1": {}, "recall@5": {}}
    assert "recall@5" == headline_metric(_report(metrics=metrics))
    metrics.pop("recall@5")
    assert "recall@1" == headline_metric(_report(metrics=metrics))
    metrics.pop("recall@1")
    assert "precision@5" == headline_metric(_report(metrics=metrics))
    assert None is headline_metric(_report(metrics={}))


def test_strata_are_ordered_by_value_and_code_point() -> None:
    """Capitals come before small letters and umlauts last, on every machine."""
    strata = {
        name: {"n": n, "metrics": {"recall@5": {"value": value}} if n else {}}
        for name, n, value in (
            ("öl", 1, 1.0),
            ("Ähre", 0, 0.0),
            ("apfel", 1, 1.0),
            ("zug", 1, 0.5),
            ("Ufer", 0, 0.0),
            ("Zoll", 1, 1.0),
        )
    }
    report = _report(per_stratum=strata)
    scored = [name for name, _, _ in strata_worst_first(report, "recall@5")]
    assert ["zug", "Zoll", "apfel", "öl"] == scored
    assert ["Ufer", "Ähre"] == unscored_strata(report)
