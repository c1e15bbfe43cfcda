"""Accepting labels: what is written to the golden set, and what leaves no trace there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evergold.errors import InputError, UsageError
from evergold.pipeline.accept import accept_labels
from tests.small_project import SmallProject

JUDGMENTS = "data/golden/judgments.jsonl"
HOURS_SHA = "t1:6ed1d4bb844453e96fa4f72b293b848f"
REFUNDS_SHA = "t1:9e9a8deee28f597771f33ac52964e1e1"
ANCHORED: list[dict[str, Any]] = [
    {
        "by": "rule:CONTAINED",
        "action": "anchored",
        "query_id": "refund-time",
        "doc_uri": "handbook://refunds.md",
        "rule": "CONTAINED",
        "before": {},
        "after": {"span": [98, 151], "doc_revision": REFUNDS_SHA},
    },
    {
        "by": "rule:CONTAINED",
        "action": "anchored",
        "query_id": "opening",
        "doc_uri": "handbook://hours.txt",
        "rule": "CONTAINED",
        "before": {},
        "after": {"span": [0, 37], "doc_revision": HOURS_SHA},
    },
]


@pytest.fixture(autouse=True)
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let history be written at 2023-11-14T22:13:20Z."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


@pytest.fixture
def accepted(small_project: SmallProject) -> SmallProject:
    """Return the project after a run, an accept and another run."""
    assert small_project.run() == 0
    accept_labels()
    assert small_project.run() == 0
    return small_project


def test_labels_get_their_place_and_keep_everything_else(small_project: SmallProject) -> None:
    """The anchor of a label is promoted; no chunk id comes into the golden set."""
    before = small_project.rows("data/golden/judgments.jsonl")
    assert small_project.run() == 0
    assert tuple(ANCHORED) == accept_labels()
    after = small_project.rows("data/golden/judgments.jsonl")
    anchors = [row.pop("anchor") for row in after]
    assert before == after
    assert [anchor["span"] for anchor in anchors] == [[98, 151], [0, 37]]
    assert [anchor["doc_sha"] for anchor in anchors] == [REFUNDS_SHA, HOURS_SHA]


def test_the_texts_of_judged_documents_are_kept_by_uri(accepted: SmallProject) -> None:
    """`documents.jsonl` holds the canonical text that each span counts in."""
    documents = accepted.rows("data/golden/documents.jsonl")
    assert [d["doc_uri"] for d in documents] == ["handbook://hours.txt", "handbook://refunds.md"]
    assert documents[0]["text"][0:37] == "The counter is open from nine to five"
    expected = "A refund takes five days from the day of the request."
    assert expected == documents[1]["text"][98:151]


def test_each_change_is_one_line_of_history(accepted: SmallProject) -> None:
    """A line has the time, the rule, and what was before and after."""
    expected = [{"at": "2023-11-14T22:13:20Z", **change} for change in ANCHORED]
    assert expected == accepted.rows("data/golden/history.jsonl")


def test_a_second_accept_changes_no_byte(accepted: SmallProject) -> None:
    """Where nothing moved nothing is written, and history does not grow."""
    before = accepted.files("data/golden")
    assert accept_labels(chunk_ids=False) == ()
    assert before == accepted.files("data/golden")


def test_a_visit_to_another_chunk_size_leaves_no_trace(accepted: SmallProject) -> None:
    """512 to 20 and back to 512, with an accept at each, ends where it began."""
    before = accepted.files("data/golden")
    derived = accepted.files("data/derived")
    accepted.edit("params.yaml", "size: 512\n  overlap: 64", "size: 20\n  overlap: 4")
    assert accepted.run() == 0
    assert len(accepted.rows("data/derived/corpus.jsonl")) > 3
    assert accept_labels() == ()
    assert before == accepted.files("data/golden")
    accepted.edit("params.yaml", "size: 20\n  overlap: 4", "size: 512\n  overlap: 64")
    assert accepted.run() == 0
    assert accept_labels() == ()
    assert before == accepted.files("data/golden")
    assert derived == accepted.files("data/derived")


def test_chunk_ids_are_promoted_only_on_request(accepted: SmallProject) -> None:
    """With `chunk_ids` the golden labels become those of the last run, byte for byte."""
    changes = accept_labels(chunk_ids=True)
    chunk = accepted.rows("data/derived/judgments.jsonl")[0]["chunk_id"]
    assert len(changes) == 2
    assert changes[0]["before"] == {"chunk_id": None}
    assert changes[0]["after"] == {"chunk_id": chunk}
    golden = accepted.files("data/golden")["data/golden/judgments.jsonl"]
    assert accepted.files("data/derived")["data/derived/judgments.jsonl"] == golden
    assert len(accepted.rows("data/golden/history.jsonl")) == 4


def test_a_label_of_an_edited_document_takes_its_new_place(accepted: SmallProject) -> None:
    """The span moves with the text, the old text of the document goes, history has both."""
    accepted.edit("data/corpus/refunds.md", "# Refunds\n", "# Refunds and returns\n")
    assert accepted.run() == 0
    [change] = accept_labels()
    assert change["action"] == "reanchored"
    assert change["before"] == {"span": [98, 151], "doc_revision": REFUNDS_SHA}
    assert change["after"]["span"] == [110, 163]
    [hours, refunds] = accepted.rows("data/golden/documents.jsonl")
    assert hours["doc_revision"] == HOURS_SHA
    assert refunds["doc_revision"] == change["after"]["doc_revision"]
    assert refunds["text"].startswith("# Refunds and returns\n")
    assert len(accepted.rows("data/golden/history.jsonl")) == 3


def test_the_text_of_an_open_label_is_kept(accepted: SmallProject) -> None:
    """A label whose text was edited keeps its place in the old text, which stays to compare."""
    golden = accepted.files("data/golden")
    accepted.edit("data/corpus/refunds.md", "takes five days", "takes two weeks")
    accepted.edit("params.yaml", "on_fail: error", "on_fail: warn")
    assert accepted.run() == 0
    assert accept_labels() == ()
    assert golden == accepted.files("data/golden")


def test_a_dry_run_says_the_same_and_writes_nothing(small_project: SmallProject) -> None:
    """The entries are those of the accept that would follow."""
    assert small_project.run() == 0
    before = small_project.files("data/golden")
    assert tuple(ANCHORED) == accept_labels(dry_run=True)
    assert before == small_project.files("data/golden")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("data/golden/judgments.jsonl", "judgments changed"),
        ("data/derived/corpus.jsonl", "corpus changed"),
        ("data/derived/documents.jsonl", "documents changed"),
    ],
)
def test_a_run_that_is_out_of_date_is_not_accepted(
    small_project: SmallProject, name: str, expected: str
) -> None:
    """Any change of labels, chunks or documents since the run is named, and nothing is written."""
    assert small_project.run() == 0
    small_project.write(name, small_project.files("data")[name] + b"\n")
    before = small_project.files("data/golden")
    with pytest.raises(UsageError) as caught:
        accept_labels()
    assert f"{expected} since the last run; run `dvc repro` first" == str(caught.value)
    assert before == small_project.files("data/golden")


def test_without_a_run_there_is_nothing_to_accept(small_project: SmallProject) -> None:
    """The missing file is named, and nothing is written."""
    before = small_project.files("data/golden")
    with pytest.raises(InputError, match=r"cannot read data[/\\]derived[/\\]resolutions\.jsonl"):
        accept_labels()
    assert before == small_project.files("data/golden")


def test_history_is_appended_and_never_rewritten(small_project: SmallProject) -> None:
    """Lines that are there stay as they are, byte for byte, also those of another tool."""
    earlier = b'{"at": "2020-01-01T00:00:00Z", "by": "human:ana",  "action": "added"}\n'
    small_project.write("data/golden/history.jsonl", earlier)
    assert small_project.run() == 0
    accept_labels()
    history = small_project.files("data/golden")["data/golden/history.jsonl"]
    assert history.startswith(earlier)
    assert len(history.splitlines()) == 3


@pytest.mark.parametrize("epoch", ["yesterday", "²", "9" * 30, ""])
def test_a_time_that_is_none_is_refused_before_anything_is_written(
    small_project: SmallProject, monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    """A change of the golden set without its line of history must not be possible."""
    assert small_project.run() == 0
    before = small_project.files("data/golden")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH must be seconds since 1970, found"):
        accept_labels()
    assert before == small_project.files("data/golden")


def test_comments_and_rows_that_stay_keep_their_bytes(small_project: SmallProject) -> None:
    """Only a label that moved is written anew: the change is as small as what changed."""
    assert small_project.run() == 0
    accept_labels()
    [first, second] = small_project.files("data/golden")[JUDGMENTS].decode("utf-8").splitlines()
    spaced = json.dumps(json.loads(second), ensure_ascii=False)
    small_project.write(JUDGMENTS, f"// refunds\n{first}\n\n// hours\n{spaced}\n// the end\n")
    small_project.edit("data/corpus/refunds.md", "# Refunds", "# All refunds")
    assert small_project.run() == 0
    [change] = accept_labels()
    assert change["query_id"] == "refund-time"
    lines = small_project.files("data/golden")[JUDGMENTS].decode("utf-8").splitlines()
    assert "// refunds" == lines[0]
    assert [102, 155] == json.loads(lines[1])["anchor"]["span"]
    assert ["", "// hours", spaced, "// the end"] == lines[2:]
