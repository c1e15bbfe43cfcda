"""The retrieval report as Markdown."""

from __future__ import annotations

from typing import Any

from evergold.reporting.markdown import markdown_report


def _report(**fields: Any) -> dict[str, Any]:
    report: dict[str, Any] = {
        "corpus": {"fingerprint": "fixed/9/0@0123456789ab"},
        "judgments": {
            "queries": 3,
            "queries_scored": 2,
            "labels": 5,
            "human_labels": 4,
            "synthetic_labels": 1,
        },
        "metrics": {
            f"{name}@{k}": {"value": value}
            for k in (1, 5)
            for name, value in (("recall", k / 10), ("mrr", 1 / 3))
        },
        "per_query": {
            "q1": {"recall@1": 0.0, "recall@5": 0.0},
            "q2": {"recall@1": 0.0, "recall@5": 1.0},
        },
        "settings": {"k": [1, 5], "threshold": 1},
        "verdict": {"status": "PASS", "reasons": []},
    }
    return {**report, **fields}


FULL = _report(
    verdict={
        "status": "FAIL",
        "reasons": ["recall@5 is 0.5000, below 0.8"],
        "gates": [
            {"expression": "recall@5:0.8", "status": "FAIL", "observed": 0.5},
            {"expression": "mrr@1:-0.1", "status": "PASS", "observed": 0.5, "baseline": 0.25},
            {"expression": "worst-stratum:mrr@1:0", "status": "INDETERMINATE"},
        ],
    },
    resolution_summary={"SAME": 3, "HELD": 0, "STRADDLE": 2},
    per_stratum={
        "sales": {"n": 1, "metrics": {"recall@5": {"value": 0.5}}},
        "zoo": {"n": 0, "metrics": {}},
        "legal": {"n": 2, "metrics": {"recall@5": {"value": 0.25}}},
        "archive": {"n": 0, "metrics": {}},
    },
)


def test_a_report_begins_with_its_verdict() -> None:
    """Status, reasons and gates come first, with four decimals and blanks for what is absent."""
    assert markdown_report(FULL).startswith(
        "# FAIL\n"
        "\n"
        "- recall@5 is 0.5000, below 0.8\n"
        "\n"
        "| gate | status | observed | baseline |\n"
        "| --- | --- | --- | --- |\n"
        "| `recall@5:0.8` | FAIL | 0.5000 |  |\n"
        "| `mrr@1:-0.1` | PASS | 0.5000 | 0.2500 |\n"
        "| `worst-stratum:mrr@1:0` | INDETERMINATE |  |  |\n"
        "\n"
        "## Labels\n"
    )


def test_metrics_are_a_table_by_cutoff() -> None:
    """One row a metric, one column a k."""
    assert (
        "## Metrics\n"
        "\n"
        "Means over 2 of 3 judged queries; relevant from grade 1.\n"
        "\n"
        "| metric | @1 | @5 |\n"
        "| --- | --- | --- |\n"
        "| recall | 0.1000 | 0.5000 |\n"
        "| mrr | 0.3333 | 0.3333 |\n"
    ) in markdown_report(FULL)


def test_strata_stand_worst_first_and_unscored_last() -> None:
    """Ascending by value; those without a scored query follow, by name."""
    assert (
        "## Strata, worst first\n"
        "\n"
        "| stratum | recall@5 | queries |\n"
        "| --- | --- | --- |\n"
        "| legal | 0.2500 | 2 |\n"
        "| sales | 0.5000 | 1 |\n"
        "| archive | not scored | 0 |\n"
        "| zoo | not scored | 0 |\n"
    ) in markdown_report(FULL)


def test_rules_that_decided_no_label_are_left_out() -> None:
    """Each rule that decided any has a row with its meaning."""
    text = markdown_report(FULL)
    assert "\n| SAME | 3 | still on the chunk that was judged |\n" in text
    assert "\n| STRADDLE | 2 | a chunk border cuts the evidence |\n" in text
    assert "HELD" not in text


def test_unanswered_queries_are_listed() -> None:
    """Those with 0 on the headline metric."""
    assert markdown_report(FULL).endswith("## Queries with recall@5 0\n\n- q1\n")


def test_a_long_list_of_queries_is_cut() -> None:
    """Twenty are shown and the rest are counted."""
    per_query = {f"q{number:02}": {"recall@5": 0.0} for number in range(23)}
    text = markdown_report(_report(per_query=per_query))
    assert text.endswith("- q19\n- and 3 more, in `report.json`\n")
    assert "q20" not in text


def test_sections_without_content_are_left_out() -> None:
    """No strata, no unanswered query, no gates: no headings for them."""
    text = markdown_report(_report(per_query={"q": {"recall@5": 1.0}}))
    assert ["# PASS", "## Labels", "## Metrics"] == [
        line for line in text.splitlines() if line.startswith("#")
    ]
    assert "\n\n\n" not in text


def test_without_a_metric_it_is_said() -> None:
    """Nothing scored is no table of zeros."""
    text = markdown_report(_report(metrics={}, per_query={}))
    assert text.endswith("## Metrics\n\nNo metric was computed.\n")


def test_names_cannot_break_the_page() -> None:
    """Markup, table borders and line breaks in names are text."""
    report = _report(
        per_stratum={"a|b\n# c": {"n": 1, "metrics": {"recall@5": {"value": 0.0}}}},
        per_query={"<img [y](z) *q*": {"recall@5": 0.0}},
        verdict={"status": "FAIL", "reasons": ["query `q`\n\n# PASS"]},
    )
    text = markdown_report(report)
    assert "\n| a\\|b # c | 0.0000 | 1 |\n" in text
    assert "- \\<img \\[y\\](z) \\*q\\*\n" in text
    assert text.startswith("# FAIL\n\n- query \\`q\\` # PASS\n")
