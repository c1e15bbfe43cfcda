"""reanchor: labels, resolutions, the queue for people, and the metrics of the labels."""

from __future__ import annotations

import hashlib

import pytest

from tests.small_project import LABELS, QUERIES, SmallProject, rows


def changed(project: SmallProject) -> None:
    """Give the project an edited label, a label of a lost document and a zero without a place."""
    refund, opening = LABELS
    edited = {**refund, "chunk_text": "A refund takes six days from the day of the request."}
    lost = {**opening, "doc_uri": "handbook://gone.txt"}
    lost["chunk_text"] = "The garage stays closed at night, so leave by the side door."
    zero = {**opening, "doc_uri": "handbook://refunds.md", "relevance": 0}
    zero["chunk_text"] = "A parcel takes nine days from the day of the order."
    project.write("data/golden/judgments.jsonl", rows([edited, lost, zero]))


def test_every_label_of_an_unchanged_corpus_finds_its_place(small_project: SmallProject) -> None:
    """Both labels are placed, nothing waits, and the queue is an empty file."""
    assert small_project.run_through("reanchor") == 0
    assert small_project.json("reports/drift.json") == {
        "valid": 2,
        "re_anchorable": 0,
        "merged": 0,
        "split": 0,
        "orphaned": 0,
        "invalid_ratio": 0.0,
        "labels": 2,
        "re_anchored": 2,
        "same": 0,
        "interval": 0,
        "diff": 0,
        "local": 0,
        "moved": 0,
        "contained": 2,
        "inherit_zero": 0,
        "held": 0,
        "straddle": 0,
        "review": 0,
        "gone": 0,
        "re_anchored_share": 1.0,
        "open_ratio": 0.0,
    }
    assert small_project.files("reports")["reports/review.jsonl"] == b""


def test_open_labels_are_queued_and_counted_and_held_zeros_are_not_asked(
    small_project: SmallProject,
) -> None:
    """REVIEW stands before GONE; a zero that lost its place is held and in no queue."""
    changed(small_project)
    assert small_project.run_through("reanchor") == 0
    queue = small_project.rows("reports/review.jsonl")
    assert [(item["row"], item["rule"]) for item in queue] == [(0, "REVIEW"), (1, "GONE")]
    metrics = small_project.json("reports/drift.json")
    counted = {name: metrics[name] for name in ("labels", "held", "review", "gone", "re_anchored")}
    assert counted == {"labels": 3, "held": 1, "review": 1, "gone": 1, "re_anchored": 0}
    assert metrics["open_ratio"] == 0.666666666667
    assert metrics["re_anchored_share"] == 0.0


def test_resolutions_name_the_bytes_that_they_were_made_from(small_project: SmallProject) -> None:
    """The head line has the SHA-256 of labels, chunks and documents."""
    assert small_project.run_through("reanchor") == 0
    files = {**small_project.files("data/derived"), **small_project.files("data/golden")}
    named = {
        "judgments": "data/golden/judgments.jsonl",
        "corpus": "data/derived/corpus.jsonl",
        "documents": "data/derived/documents.jsonl",
    }
    inputs = small_project.rows("data/derived/resolutions.jsonl")[0]["inputs"]
    for name, path in named.items():
        assert inputs[name] == hashlib.sha256(files[path]).hexdigest()


def test_the_queue_has_no_text_where_texts_are_private(small_project: SmallProject) -> None:
    """With `privacy.text: hashes` neither the corpus nor a label can be read from the queue."""
    changed(small_project)
    small_project.edit("params.yaml", "size: 512\n  overlap: 64", "size: 20\n  overlap: 0")
    assert small_project.run_through("reanchor") == 0
    open_text = small_project.files("reports")["reports/review.jsonl"].decode()
    assert "A refund takes six days" in open_text
    assert "A refund takes five days" in open_text
    small_project.edit("params.yaml", "text: full", "text: hashes")
    assert small_project.run("reanchor") == 0
    private = small_project.files("reports")["reports/review.jsonl"].decode()
    assert [
        word for word in ("five", "six", "request", "customer", "nine") if word in private
    ] == []
    assert private.count("\n") == open_text.count("\n") == 2


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        (QUERIES[:1], "query opening is not among the queries"),
        (
            [QUERIES[0], {**QUERIES[1], "query": "opening hours"}],
            "query opening is 'when is the counter open' here and 'opening hours' among the queries",
        ),
    ],
)
def test_a_label_whose_query_nobody_asks_is_refused(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    queries: list[dict[str, object]],
    expected: str,
) -> None:
    """It would be scored as a miss of the retriever; the line is that of the label."""
    assert small_project.run_through("drift") == 0
    small_project.write("data/golden/queries.jsonl", rows(queries))
    capsys.readouterr()
    assert small_project.run("reanchor") == 2
    error = f"error: judgments:2: {expected} [data/golden/judgments.jsonl]\n"
    assert error == capsys.readouterr().err
    assert "data/derived/judgments.jsonl" not in small_project.files("data/derived")


def test_a_label_that_stands_twice_is_refused_with_both_lines(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which of two rows with one key is meant is not for a rule to say."""
    named = [{**label, "chunk_id": "mine-1"} for label in LABELS]
    small_project.write("data/golden/judgments.jsonl", rows([*named, named[0]]))
    assert small_project.run_through("reanchor") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: judgments:3: ")
    assert "refund-time" in error
    assert error.count("\n") == 1
