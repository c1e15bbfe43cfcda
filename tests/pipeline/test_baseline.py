"""Promoting a baseline: which files become what later runs are compared with."""

from __future__ import annotations

import pytest

from evergold.errors import InputError
from evergold.pipeline.baseline import promote_baseline
from tests.small_project import HOURS, SmallProject


def test_score_run_and_labels_are_copied_byte_for_byte(small_project: SmallProject) -> None:
    """The baseline is the state of the last run, with a line for each file."""
    assert small_project.run() == 0
    lines = promote_baseline()
    derived = small_project.files("data/derived")
    baseline = small_project.files("data/baseline")
    assert set(lines) == set(baseline)
    for name in ("score.json", "run.jsonl", "judgments.jsonl"):
        assert derived[f"data/derived/{name}"] == baseline[f"data/baseline/{name}"]


def test_only_chunks_that_are_retrieved_or_labelled_are_kept(small_project: SmallProject) -> None:
    """A chunk that no ranking and no label names is left out, and the head line counts the rest."""
    small_project.write("data/corpus/zebra.md", "Nothing that anybody asks.")
    small_project.edit("params.yaml", "top_k: 10", "top_k: 1")
    assert small_project.run() == 0
    promote_baseline()
    head, *chunks = small_project.rows("data/derived/corpus.jsonl")
    kept_head, *kept = small_project.rows("data/baseline/corpus.jsonl")
    assert head["chunks"] == 3
    assert {**head, "chunks": 2} == kept_head
    assert [chunk for chunk in chunks if chunk["doc_uri"] != "handbook://zebra.md"] == kept


def test_a_label_keeps_its_chunk_although_no_ranking_names_it(small_project: SmallProject) -> None:
    """The chunk of a label that the retriever missed is part of the baseline."""
    small_project.edit("data/golden/queries.jsonl", "when is the counter open", "zebra")
    small_project.edit("data/golden/judgments.jsonl", "when is the counter open", "zebra")
    small_project.edit("params.yaml", "on_fail: error", "on_fail: warn")
    small_project.edit("params.yaml", "top_k: 10", "top_k: 1")
    assert small_project.run() == 0
    assert small_project.rows("data/derived/run.jsonl")[1]["ranking"] == []
    promote_baseline()
    kept = small_project.rows("data/baseline/corpus.jsonl")[1:]
    assert HOURS.strip() in [chunk["text"] for chunk in kept]


def test_no_text_is_copied_where_texts_are_private(small_project: SmallProject) -> None:
    """With `privacy.text: hashes` chunks and labels of the baseline are hashes and places."""
    small_project.edit("params.yaml", "text: full", "text: hashes")
    assert small_project.run() == 0
    promote_baseline()
    chunks = small_project.rows("data/baseline/corpus.jsonl")[1:]
    assert ["text" in chunk for chunk in chunks] == [False, False]
    assert chunks[0]["text_sha"] == "t1:6ed1d4bb844453e96fa4f72b293b848f"
    for data in small_project.files("data/baseline").values():
        assert b"five days from" not in data
    assert small_project.run("gate") == 0


def test_the_next_run_is_compared_with_the_baseline(small_project: SmallProject) -> None:
    """A gate on a change needs a baseline, and then has the value of it."""
    small_project.edit("params.yaml", "- recall@5:0.9", "- recall@5:-0.02")
    assert small_project.run() == 3
    assert small_project.json("data/derived/verdict.json")["status"] == "INDETERMINATE"
    promote_baseline()
    assert small_project.run() == 0
    [gate] = small_project.json("data/derived/verdict.json")["gates"]
    assert gate == {
        "expression": "recall@5:-0.02",
        "status": "PASS",
        "observed": 1.0,
        "baseline": 1.0,
    }


def test_promoting_twice_changes_no_byte(small_project: SmallProject) -> None:
    """The baseline carries no time stamp."""
    assert small_project.run() == 0
    promote_baseline()
    before = small_project.files("data/baseline")
    promote_baseline()
    assert before == small_project.files("data/baseline")


def test_without_a_run_nothing_is_promoted(small_project: SmallProject) -> None:
    """A missing file of the last run is named before anything is written."""
    assert small_project.run_through("retrieve") == 0
    with pytest.raises(InputError, match=r"cannot read data[/\\]derived[/\\]score\.json"):
        promote_baseline()
    assert small_project.files("data/baseline") == {}
