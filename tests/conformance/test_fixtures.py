"""Every case of `spec/fixtures`, through the code, to all stated decimals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError, UsageError
from evergold.formats.corpus import read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.findings import drift_to_json, write_resolutions
from evergold.formats.jsonl import read_rows
from evergold.formats.judgments import write_judgments
from evergold.formats.qrels import qrels_lines, read_qrels
from evergold.formats.runs import read_run
from evergold.gates import evaluate_gates, parse_gate, verdict
from evergold.identity import chunk_id, normalize, text_sha
from evergold.labels.drift import drift
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.labels.rules import HELD, OPEN
from evergold.model import UNSTRATIFIED, Measurement
from evergold.reporting.lines import strata_worst_first, unscored_strata
from evergold.reporting.retrieval import base_verdict, retrieval_report
from evergold.scoring.outcome import needs_of, outcome
from evergold.scoring.score import Scores, score, worst_stratum
from evergold.statistics.summarize import summarize
from tests.conformance.fixtures import (
    FIXTURES,
    HANDED,
    expected,
    issues_of,
    labels_of,
    scored,
    values,
    without_notes,
)

CASES = (
    "basic",
    "chunk-id",
    "drift",
    "duplicate-ranking",
    "held-zero",
    "meet-in-one-chunk",
    "merge",
    "needs-overlap",
    "no-positives",
    "nothing-scored",
    "qrels",
    "strata",
    "stratum-order",
    "summarize",
    "unsorted-queries",
    "unsound-judgments",
)
HANDED_FILES = sorted(path.relative_to(HANDED).as_posix() for path in HANDED.glob("*/*"))

# The names of the published cases for one query.
SHORT = {"precision", "recall", "ndcg", "mrr", "ap", "hit_rate"}


def test_every_folder_is_a_case_with_a_test_here() -> None:
    """A case that is added to the folder has to be added to this file."""
    folders = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    source = Path(__file__).read_text(encoding="utf-8")
    assert list(CASES) == folders
    assert [] == [case for case in CASES if f"def test_{case.replace('-', '_')}" not in source]


@pytest.mark.skipif(not HANDED_FILES, reason="the handed cases are not at hand")
def test_published_cases_are_the_handed_ones() -> None:
    """Each handed file stands here with the same bytes."""
    assert [] == [
        name
        for name in HANDED_FILES
        if (HANDED / name).read_bytes() != (FIXTURES / name).read_bytes()
    ]


def _short_values(scores: Scores, k: int) -> dict[str, dict[str, float]]:
    """Return the values of each query under the short names of the published cases."""
    return {
        query_id: {
            "ap" if name == f"map@{k}" else name.partition("@")[0]: value
            for name, value in found.items()
        }
        for query_id, found in scores.per_query.items()
    }


def test_basic_scores_and_qrels() -> None:
    """Means at two cutoffs, values by query, and the lines of the qrels."""
    answers = expected("basic")
    scores = scored("basic", answers["k"])
    assert answers["metrics"] == values(scores)
    assert answers["metrics_k1"] == values(scored("basic", 1))
    assert answers["per_query"] == _short_values(scores, answers["k"])
    assert answers["qrels_lines"] == qrels_lines(labels_of("basic"))


def test_chunk_id_vectors() -> None:
    """Normal form, text hash and chunk id of the vectors."""
    answers = expected("chunk-id")
    for vector in answers["normalize"]:
        assert vector["out"] == normalize(vector["in"])
    for vector in answers["text_sha"]:
        assert vector["out"] == text_sha(vector["text"])
    for vector in answers["chunk_id"]:
        fields = {name: value for name, value in vector.items() if name != "out"}
        assert vector["out"] == chunk_id(**fields)


def _drift_answers(case: str) -> dict[str, Any]:
    """Return statuses, targets and pieces by query, and the summary."""
    found = drift_to_json(drift(labels_of(case), read_snapshot(FIXTURES / case / "corpus.json")))
    by_query = {finding["query_id"]: finding for finding in found["findings"]}
    answers = {
        "statuses": {query_id: f["status"] for query_id, f in by_query.items()},
        "summary": found["summary"],
        "reanchor": {q: f["reanchor_to"] for q, f in by_query.items() if "reanchor_to" in f},
        "split_into": {q: f["split_into"] for q, f in by_query.items() if "split_into" in f},
    }
    return {name: answer for name, answer in answers.items() if answer}


def test_drift_statuses() -> None:
    """One of each status but MERGED, with target and pieces."""
    assert expected("drift") == _drift_answers("drift")


def test_merge_statuses() -> None:
    """Labels of two queries in one larger chunk."""
    assert expected("merge") == _drift_answers("merge")


def test_duplicate_ranking_counts_each_key_once() -> None:
    """Repeats have no rank and are told."""
    answers = expected("duplicate-ranking")
    labels, k = labels_of("duplicate-ranking"), answers["k"]
    run = read_run(FIXTURES / "duplicate-ranking" / "run.jsonl")
    scores = scored("duplicate-ranking", k)
    assert answers["queries_with_duplicates"] == list(scores.repeated)
    assert answers["metrics"] == values(scores)
    assert answers["deduped_rankings"] == {r.query_id: list(dict.fromkeys(r.keys)) for r in run}
    needs = dict(needs_of(labels))
    for ranking in run:
        distinct = answers["deduped_rankings"][ranking.query_id]
        found = outcome(needs[ranking.query_id], ranking.keys, k, 1)
        assert outcome(needs[ranking.query_id], distinct, k, 1) == found
    short = _short_values(scores, k)
    for query_id, stated in answers["per_query"].items():
        assert stated == {name: short[query_id][name] for name in stated}
        assert set(stated) <= SHORT
    found_verdict = base_verdict(labels, scores)
    assert answers["verdict"] == found_verdict.status
    assert [answers["reason"]] == list(found_verdict.reasons)


@pytest.mark.parametrize("rejected", expected("duplicate-ranking")["rejected"]["cases"])
def test_duplicate_ranking_refuses(rejected: dict[str, str]) -> None:
    """Runs that are not clear are refused in the stated words."""
    with pytest.raises(InputError) as error:
        read_run(FIXTURES / "duplicate-ranking" / rejected["file"])
    assert rejected["message"] == str(error.value)


def test_no_positives_leaves_the_query_out() -> None:
    """A query without a label at the threshold is in no mean."""
    answers = expected("no-positives")
    scores = scored("no-positives", answers["k"])
    assert answers["metrics"] == values(scores)
    assert answers["queries"] == len(scores.queries)
    assert answers["queries_scored"] == len(scores.per_query)
    assert answers["queries_without_positives"] == list(scores.without_positives)


def test_nothing_scored_is_indeterminate() -> None:
    """No metric, and a reason of the report and of the gate."""
    answers = expected("nothing-scored")
    labels = labels_of("nothing-scored")
    scores = scored("nothing-scored", 3, answers["threshold"])
    report = retrieval_report(labels, scores)
    assert {} == report["metrics"]
    assert answers["queries"] == report["judgments"]["queries"]
    assert answers["queries_scored"] == report["judgments"]["queries_scored"]
    found = verdict(report, [parse_gate("recall@3:0.5")])
    assert answers["status"] == found.status
    assert [answers["reason"], answers["gate_reason"]] == list(found.reasons)


def test_qrels_in_both_forms() -> None:
    """Rows of both forms, and the lines written from one of them."""
    answers = expected("qrels")
    folder = FIXTURES / "qrels"
    for form, name in (("beir", "beir.tsv"), ("trec", "trec.qrels")):
        rows = read_qrels(folder / name)
        assert answers[form] == [
            {"query_id": row.query_id, "doc_uri": row.doc_uri, "relevance": row.relevance}
            for row in rows
        ]
    assert answers["qrels_lines"] == qrels_lines(read_qrels(folder / "beir.tsv"))


def test_strata_values_order_and_reasons() -> None:
    """Strata in order, a tie for the worst, one with nothing scored, and what is told."""
    answers = expected("strata")
    scores = scored("strata", answers["k"], answers["threshold"])
    report = retrieval_report(labels_of("strata"), scores)
    assert answers["metrics"] == values(scores)
    assert answers["queries"] == report["judgments"]["queries"]
    assert answers["queries_scored"] == report["judgments"]["queries_scored"]
    found = {
        name: {"n": s.n, "metrics": {metric: m.value for metric, m in s.metrics.items()}}
        for name, s in scores.per_stratum.items()
    }
    assert answers["per_stratum"] == found
    assert list(answers["per_stratum"]) == list(found)
    _assert_worst(answers["worst_stratum"], scores)
    assert answers["verdict"] == report["verdict"]["status"]
    assert answers["reasons"] == report["verdict"]["reasons"]


def _assert_worst(answer: dict[str, Any], scores: Scores) -> None:
    worst = worst_stratum(scores.per_stratum, answer["metric"])
    assert (answer["name"], answer["value"]) == worst
    assert answer["n"] == scores.per_stratum[answer["name"]].n


def test_stratum_order_by_value_and_code_point() -> None:
    """The order of a table of strata, and that of the data."""
    answers = expected("stratum-order")
    scores = scored("stratum-order", answers["k"], answers["threshold"])
    report = retrieval_report(labels_of("stratum-order"), scores)
    metric = answers["metric"]
    assert answers["scored_order"] == [n for n, _, _ in strata_worst_first(report, metric)]
    assert answers["unscored_order"] == unscored_strata(report)
    assert answers["per_stratum_n"] == {n: s.n for n, s in scores.per_stratum.items()}
    assert list(answers["per_stratum_n"]) == list(scores.per_stratum)
    assert answers["per_stratum_value"] == {
        name: s.metrics[metric].value for name, s in scores.per_stratum.items() if s.n
    }
    assert answers["metrics"] == values(scores)
    _assert_worst(answers["worst_stratum"], scores)


@pytest.mark.parametrize("name", expected("summarize")["cases"])
def test_summarize_samples(name: str) -> None:
    """Mean, deviation and interval of each list of samples."""
    case = expected("summarize")["cases"][name]
    stated = dict(case["expected"])
    if "ci" in stated:
        stated["ci"] = tuple(stated["ci"])
    assert Measurement(**stated) == summarize(case["samples"])


def test_summarize_refuses_nothing() -> None:
    """Without a sample there is no measurement."""
    rejected = expected("summarize")["rejected"]
    with pytest.raises(UsageError) as error:
        summarize(rejected["samples"])
    assert rejected["message"] == str(error.value)


def test_unsorted_queries_are_listed_by_code_point() -> None:
    """The order of the issues, whatever the order of the file."""
    answers = expected("unsorted-queries")
    labels = labels_of("unsorted-queries")
    issues = issues_of("unsorted-queries")
    assert answers["issues"] == issues
    assert answers["ok"] is all(issue["severity"] != "error" for issue in issues)
    judged = retrieval_report(labels, score(labels, ()))["judgments"]
    for name in ("queries", "labels", "human_labels", "synthetic_labels"):
        assert answers[name] == judged[name]
    strata = [label.stratum or UNSTRATIFIED for label in labels]
    assert answers["strata"] == {name: strata.count(name) for name in strata}
    assert list(answers["strata"]) == list(dict.fromkeys(strata))


def test_unsound_judgments_are_indeterminate() -> None:
    """A gate passes and the verdict is none; the last row of a key counts."""
    answers = expected("unsound-judgments")
    labels = labels_of("unsound-judgments")
    scores = scored("unsound-judgments", answers["k"], answers["threshold"])
    report = retrieval_report(labels, scores)
    errors = [i for i in issues_of("unsound-judgments") if i["severity"] == "error"]
    assert answers["validate"]["errors"] == [
        {"code": issue["code"], "message": issue["message"]} for issue in errors
    ]
    assert answers["validate"]["ok"] is (not errors)
    assert answers["queries"] == report["judgments"]["queries"]
    assert answers["queries_scored"] == report["judgments"]["queries_scored"]
    assert answers["metrics"] == values(scores)
    assert answers["verdict"] == report["verdict"]["status"]
    assert [answers["reason"]] == report["verdict"]["reasons"]
    gate = parse_gate(answers["gate"]["expression"])
    (result,) = evaluate_gates([gate], report)
    assert answers["gate"]["status"] == result.status
    assert answers["gate"]["observed"] == result.observed
    assert answers["gate"]["verdict"] == verdict(report, [gate]).status


def test_needs_overlap_at_two_thresholds() -> None:
    """Shared needs, several holders and absorbed labels, by query and in the means."""
    answers = expected("needs-overlap")
    k = answers["k"]
    report = retrieval_report(labels_of("needs-overlap"), scored("needs-overlap", k))
    assert answers["labels"] == report["judgments"]["labels"]
    for stated in (answers, answers["threshold_2"]):
        scores = scored("needs-overlap", k, stated["threshold"])
        assert stated["metrics"] == values(scores)
        assert without_notes(stated["per_query"]) == scores.per_query
        assert stated["queries_scored"] == len(scores.per_query)
        left_out = stated.get("queries_without_positives", [])
        assert left_out == list(scores.without_positives)
        assert answers["queries"] == len(scores.queries)


def _assert_resolutions(stated: list[dict[str, Any]], found: Reanchored, folder: Path) -> None:
    """Compare records, where null, an empty array and an absent field are the same."""
    path = folder / "resolutions.jsonl"
    write_resolutions(path, found.resolutions, {})
    records = [row for _, row in read_rows(path)][1:]
    assert [
        {n: v for n, v in record.items() if v not in (None, [])} for record in stated
    ] == records


def test_held_zero_is_not_open(tmp_path: Path) -> None:
    """A zero moves only to a chunk that is exactly its own text, and nobody is asked."""
    answers = expected("held-zero")
    folder = FIXTURES / "held-zero"
    labels, snapshot = labels_of("held-zero"), read_snapshot(folder / "corpus.jsonl")
    report = drift(labels, snapshot)
    assert answers["statuses"] == [finding.status for finding in report.findings]
    assert answers["summary"] == drift_to_json(report)["summary"]
    found = reanchor(labels, snapshot, read_documents(folder / "documents.jsonl"))
    _assert_resolutions(answers["resolutions"], found, tmp_path)
    assert answers["resolution_summary"] == found.counts
    assert answers["open"] == sum(found.counts[rule] for rule in OPEN)
    assert answers["held"] == found.counts[HELD]
    write_judgments(tmp_path / "after.jsonl", found.judgments)
    assert (folder / answers["judgments"]).read_bytes() == (tmp_path / "after.jsonl").read_bytes()


@pytest.mark.parametrize("step", expected("meet-in-one-chunk")["steps"], ids=lambda s: s["corpus"])
def test_meet_in_one_chunk_and_part(step: dict[str, Any], tmp_path: Path) -> None:
    """Labels meet, meet again and part; each file is what it should be, byte for byte."""
    folder = FIXTURES / "meet-in-one-chunk"
    labels = labels_of("meet-in-one-chunk", step["judgments"])
    snapshot = read_snapshot(folder / step["corpus"])
    assert step["statuses"] == [finding.status for finding in drift(labels, snapshot).findings]
    found = reanchor(labels, snapshot, read_documents(folder / "documents.jsonl"))
    _assert_resolutions(step["resolutions"], found, tmp_path)
    assert step["resolution_summary"] == found.counts
    assert step["rows"] == len(found.judgments)
    write_judgments(tmp_path / "after.jsonl", found.judgments)
    assert (folder / step["after"]).read_bytes() == (tmp_path / "after.jsonl").read_bytes()


def test_meet_in_one_chunk_ends_where_it_began() -> None:
    """The last step gives the file of the first."""
    steps = expected("meet-in-one-chunk")["steps"]
    assert steps[0]["judgments"] == steps[-1]["after"]
    assert [step["after"] for step in steps[:-1]] == [step["judgments"] for step in steps[1:]]
