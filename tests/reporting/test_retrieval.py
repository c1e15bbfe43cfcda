"""The retrieval report as data, and its verdict before any gate."""

from __future__ import annotations

from typing import Any

import pytest

import evergold
from evergold.identity import text_sha
from evergold.labels.drift import drift
from evergold.model import Absorbed, Anchor, Chunk, GateResult, Judgment, Ranking, Snapshot, Verdict
from evergold.reporting.retrieval import base_verdict, retrieval_report, verdict_to_json
from evergold.scoring.score import score


def _label(query_id: str, chunk_id: str, relevance: int = 1, **fields: Any) -> Judgment:
    return Judgment(
        query_id, "d", relevance, query=f"text of {query_id}", chunk_id=chunk_id, **fields
    )


LABELS = (
    _label("q1", "a", 2, stratum="legal", labeled_by="human:ana", corpus_fingerprint="old"),
    _label("q1", "b", 0, stratum="legal", labeled_by="human:bo", corpus_fingerprint="old"),
    _label("q2", "c", 1, labeled_by="synthetic:x"),
)
RUN = (Ranking("q1", ("a", "x")), Ranking("q2", ("x", "c")))
CHUNKS = tuple(
    Chunk(name, f"d{place}", "r", 0, name, text_sha(name)) for place, name in enumerate("abc")
)
SNAPSHOT = Snapshot("fixed/9/0@0123456789ab", "fixed/9/0", CHUNKS)


def _measured(*values: float) -> dict[str, Any]:
    names = ("precision@1", "recall@1", "ndcg@1", "mrr@1", "map@1", "hit_rate@1")
    return {
        name: {"value": value, "n": 1, "deterministic": True}
        for name, value in zip(names, values, strict=True)
    }


def test_a_report_has_every_field_in_its_order() -> None:
    """All that is known of the run, without a time stamp."""
    report = retrieval_report(
        LABELS,
        score(LABELS, RUN, k=(1,)),
        snapshot=SNAPSHOT,
        drift=drift(LABELS, SNAPSHOT),
        resolutions={"SAME": 3},
        inputs={"run": "0" * 64},
    )
    expected: dict[str, Any] = {
        "spec_version": "1",
        "tool": {"name": "evergold", "version": evergold.__version__},
        "corpus": {"fingerprint": "fixed/9/0@0123456789ab", "documents": 3, "chunks": 3},
        "judgments": {
            "queries": 2,
            "queries_scored": 2,
            "labels": 3,
            "fingerprint": "old",
            "human_labels": 2,
            "synthetic_labels": 1,
            "drift": {
                "valid": 3,
                "re_anchorable": 0,
                "merged": 0,
                "split": 0,
                "orphaned": 0,
                "invalid_ratio": 0.0,
            },
        },
        "metrics": _measured(0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
        "per_stratum": {
            "legal": {"n": 1, "metrics": _measured(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)},
            "_unstratified": {"n": 1, "metrics": _measured(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)},
        },
        "verdict": {"status": "PASS", "reasons": []},
        "settings": {
            "k": [1],
            "threshold": 1,
            "unit": "chunk",
            "gain": "exponential",
            "ties": "score descending, id descending",
            "metric_version": "1",
        },
        "inputs": {"run": "0" * 64},
        "resolution_summary": {"SAME": 3},
        "judged": {"judged@1": 0.5},
        "per_query": {
            "q1": dict.fromkeys(_measured(*[1.0] * 6), 1.0),
            "q2": dict.fromkeys(_measured(*[0.0] * 6), 0.0),
        },
    }
    assert expected == report
    assert list(expected) == list(report)
    assert "generated_at" not in report


def test_what_is_not_known_is_absent() -> None:
    """Without a snapshot, strata, resolutions or digests their fields are left out."""
    rows = (_label("q", "a"),)
    report = retrieval_report(rows, score(rows, (), k=(1,)))
    assert {"fingerprint": None} == report["corpus"]
    assert None is report["judgments"]["fingerprint"]
    absent = {"per_stratum", "inputs", "resolution_summary", "judged", "generated_at"}
    assert set() == absent & set(report)
    assert "drift" not in report["judgments"]


def test_absorbed_labels_are_counted() -> None:
    """A row that carries another label stands for two."""
    inner = _label("q", "a", labeled_by="human:ana")
    anchor = Anchor(None, None, None, absorbed=(Absorbed(1, inner),))
    rows = (_label("q", "a", 2, labeled_by="synthetic:x", anchor=anchor),)
    judged = retrieval_report(rows, score(rows, ()))["judgments"]
    assert (2, 1, 1) == (judged["labels"], judged["human_labels"], judged["synthetic_labels"])


def test_equal_inputs_give_equal_reports() -> None:
    """Nothing in a report depends on the clock."""
    first, second = (retrieval_report(LABELS, score(LABELS, RUN)) for _ in range(2))
    assert first == second


def _verdict(
    judgments: tuple[Judgment, ...], run: tuple[Ranking, ...], threshold: int = 1, **known: Any
) -> tuple[str, tuple[str, ...]]:
    verdict = base_verdict(judgments, score(judgments, run, threshold=threshold), **known)
    return verdict.status, verdict.reasons


def test_a_clean_run_passes_without_reasons() -> None:
    """Nothing is said where there is nothing to say."""
    assert ("PASS", ()) == _verdict(LABELS, RUN)


def test_decayed_labels_are_a_reason() -> None:
    """The share of rows that are not valid, in whole percent."""
    rows = (_label("q1", "a"), _label("q2", "gone"), _label("q3", "lost"))
    run = (Ranking("q1", ("a",)), Ranking("q2", ("b",)), Ranking("q3", ("b",)))
    reason = "67% of judgments no longer match the live corpus"
    assert ("PASS", (reason,)) == _verdict(rows, run, drift=drift(rows, SNAPSHOT))


def test_held_passages_of_one_document_do_not_make_a_set_unsound() -> None:
    """Two zeros that have no chunk share the document as their key, and are not one label."""
    zeros = tuple(Judgment("q1", "d", 0, chunk_text=text) for text in ("five days", "ten days"))
    assert "PASS" == base_verdict((*LABELS, *zeros), score(LABELS, RUN)).status


def test_a_share_below_half_a_percent_is_not_none() -> None:
    """One label of 201 is open: 0 % would read as if all were in place."""
    verdict = base_verdict(LABELS, score(LABELS, RUN), resolutions={"SAME": 200, "GONE": 1})
    assert "under 1% of judgments no longer match the live corpus" == verdict.reasons[0]
    verdict = base_verdict(LABELS, score(LABELS, RUN), resolutions={"SAME": 195, "GONE": 2})
    assert "1% of judgments no longer match the live corpus" == verdict.reasons[0]


def test_queries_without_a_ranking_are_a_reason() -> None:
    """They are in the means with 0."""
    reason = "1 judged queries had no run entry and scored zero"
    assert ("PASS", (reason,)) == _verdict(LABELS, RUN[:1])


def test_queries_without_a_label_at_the_threshold_are_a_reason() -> None:
    """They are in no mean, and a missing one of them is not said to have scored zero."""
    reason = "1 judged queries have no label at relevance >= 2 and were excluded from the averages"
    assert ("PASS", (reason,)) == _verdict(LABELS, RUN[:1], threshold=2)


@pytest.mark.parametrize(
    ("judgments", "reason"),
    [
        (LABELS, "no query had a label at relevance >= 3, so no metric was computed"),
        ((), "no judged queries, so no metric was computed"),
    ],
)
def test_nothing_scored_is_not_known(judgments: tuple[Judgment, ...], reason: str) -> None:
    """Without a number there is nothing to pass."""
    status, reasons = _verdict(judgments, RUN, threshold=3)
    assert "INDETERMINATE" == status
    assert reason == reasons[0]


def test_a_run_without_any_result_is_not_known() -> None:
    """Zeros everywhere are a wrong run rather than a bad one."""
    empty = (Ranking("q1", ()), Ranking("other", ("a",)))
    assert (
        "INDETERMINATE",
        (
            "1 judged queries had no run entry and scored zero",
            "the run has no result for any judged query",
        ),
    ) == _verdict(LABELS, empty)


def test_repeated_keys_are_a_reason() -> None:
    """A correction is told."""
    run = (Ranking("q1", ("a", "a")), Ranking("q2", ("c",)))
    reason = (
        "1 queries repeated a key in their ranking; only the first occurrence of each was counted"
    )
    assert ("PASS", (reason,)) == _verdict(LABELS, run)


def test_ties_across_a_cut_are_told() -> None:
    """What stands on which side is then the key's doing."""
    run = (Ranking("q1", ("a",)), Ranking("q2", ("c", *"defghijklm"), ties=(10,)))
    reason = (
        "1 queries have equal scores on both sides of the cut at 10; the key decided, descending"
    )
    assert ("PASS", (reason,)) == _verdict(LABELS, run)


def test_unicode_twins_of_ids_are_told() -> None:
    """In signs that show what parts them."""
    labels = (*LABELS, _label("q2", "caf\u00e9"))
    run = (Ranking("q1", ("a",)), Ranking("q2", ("c", "cafe\u0301")))
    reason = (
        "1 ids of the run differ from those of the labels only by Unicode normalization,"
        r" such as 'cafe\u0301' from 'caf\xe9'"
    )
    assert ("PASS", (reason,)) == _verdict(labels, run)


def test_an_unsound_set_is_not_known() -> None:
    """The codes of its errors are named, each once and sorted."""
    rows = (*LABELS, _label("q1", "a", text_sha="x"), _label("q1", "a", text_sha="y"))
    reason = (
        "the judgment set is unsound (bad-text-sha, duplicate-label); run 'evergold validate' for"
        " detail. No metric computed from it can be trusted"
    )
    assert ("INDETERMINATE", (reason,)) == _verdict(rows, RUN)


def test_reasons_stand_in_their_order() -> None:
    """All that can be said of one run, one after the other."""
    rows = (*LABELS, _label("q1", "a"), _label("q3", "b", 0), _label("q4", "gone"))
    run = (Ranking("q1", ("a", "a")), Ranking("q2", ("c",)))
    _, reasons = _verdict(rows, run, drift=drift(rows, SNAPSHOT))
    assert (
        "17% of judgments no longer match the live corpus",
        "1 judged queries had no run entry and scored zero",
        "1 judged queries have no label at relevance >= 1 and were excluded from the averages",
        "1 queries repeated a key in their ranking; only the first occurrence of each was counted",
        (
            "the judgment set is unsound (duplicate-label); run 'evergold validate' for detail."
            " No metric computed from it can be trusted"
        ),
    ) == reasons


def test_a_verdict_without_gates_has_no_list_of_them() -> None:
    """Gates are listed where there were any; what was not observed is absent."""
    assert {"status": "PASS", "reasons": ["r"]} == verdict_to_json(Verdict("PASS", ("r",)))
    gates = (GateResult("a:1", "FAIL", 0.0, 0.0, "r"), GateResult("b:1", "INDETERMINATE"))
    assert {
        "status": "FAIL",
        "reasons": [],
        "gates": [
            {"expression": "a:1", "status": "FAIL", "observed": 0.0, "baseline": 0.0},
            {"expression": "b:1", "status": "INDETERMINATE"},
        ],
    } == verdict_to_json(Verdict("FAIL", (), gates))
