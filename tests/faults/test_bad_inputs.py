"""A file of the user that cannot be used: one line that names it, and nothing written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.small_project import LABELS, QUERIES, SmallProject, rows

JUDGMENTS = "data/golden/judgments.jsonl"
QUESTIONS = "data/golden/queries.jsonl"


def refused(
    project: SmallProject, capsys: pytest.CaptureFixture[str], stage: str, name: str, content: str
) -> str:
    """Return the line that a stage ends with after a file was replaced in a complete project.

    Checks that there is one line, that the exit code is 2, and that no other file changed.
    """
    assert project.run() == 0
    project.write(name, content)
    before = project.files(".")
    capsys.readouterr()
    code = project.run(stage)
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert before == project.files(".")
    [line] = printed.err.splitlines()
    assert line.startswith("error: ")
    return line.removeprefix("error: ")


def without(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a row without a field."""
    return {key: value for key, value in row.items() if key != name}


A, B = LABELS


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (rows([A, without(B, "query_id")]), ":2: missing query_id"),
        (rows([without(A, "doc_uri"), B]), ":1: missing doc_uri"),
        (rows([A, without(B, "relevance")]), ":2: relevance must be a non-negative integer"),
        (rows([A, {**B, "relevance": "2"}]), ":2: relevance must be a non-negative integer"),
        (rows([A, {**B, "relevance": 1.0}]), ":2: relevance must be a non-negative integer"),
        (rows([A, {**B, "relevance": True}]), ":2: relevance must be a non-negative integer"),
        (rows([A, {**B, "relevance": -1}]), ":2: relevance must be a non-negative integer"),
        (rows([A, {**B, "relevance": 51}]), ":2: relevance 51 is above the bound of 50"),
        (
            rows([A, {**B, "text_sha": "t1:zz"}]),
            ":2: malformed text_sha on query opening: t1:zz",
        ),
        (
            rows([A, {**B, "chunk_id": "c1:zz"}]),
            ":2: malformed chunk_id on query opening: c1:zz",
        ),
        (
            rows([{**A, "stratum": "a"}, {**A, "chunk_text": "five days", "stratum": "b"}]),
            ":2: query refund-time stands in two strata, another on line 1",
        ),
        (rows([A, {**B, "query": 7}]), ":2: query must be a string, found 7"),
        (rows([A, {**B, "chunk_text": ["x"]}]), ':2: chunk_text must be a string, found ["x"]'),
        (rows([A, {**B, "anchor": "x"}]), ':2: anchor must be an object, found "x"'),
        (rows([A, {**B, "anchor": {"v": 2}}]), ":2: anchor.v must be 1, found 2"),
        (
            rows([A, {**B, "query_id": "open\ning"}]),
            ":2: query_id 'open\\ning' holds a control character or line break",
        ),
        (
            rows([A, {**B, "doc_uri": "handbook://a\u2028b"}]),
            ":2: doc_uri 'handbook://a\\u2028b' holds a control character or line break",
        ),
        (
            rows([A, {**B, "chunk_id": "c\x1fd"}]),
            ":2: chunk_id 'c\\x1fd' holds a control character or line break",
        ),
        (rows([A]) + '{"query_id": "opening",\n', ":2: invalid JSON, Expecting property name"),
        ("// labels\n\n" + rows([A]) + "oops\n", ":4: invalid JSON, Expecting value"),
        (rows([A]) + "[1, 2]\n", ":2: expected a JSON object, found list"),
        (rows([A]) + '{"relevance": NaN}\n', ":2: NaN is not JSON"),
        (rows([A]) + '{"query_id": "\\ud800"}\n', ":2: a lone surrogate is not text"),
        ("", ":1: no judgments"),
        ("\n// nothing yet\n", ":1: no judgments"),
    ],
)
def test_a_label_file_that_cannot_be_used(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str], content: str, expected: str
) -> None:
    """The line of the first fault is named, with the path in brackets."""
    line = refused(small_project, capsys, "drift", JUDGMENTS, content)
    assert line.startswith(f"judgments{expected}")
    assert line.endswith(f" [{JUDGMENTS}]")


C, D = QUERIES


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (rows([C, without(D, "query_id")]), ":2: missing query_id"),
        (rows([C, without(D, "query")]), ":2: query opening has no text"),
        (rows([C, {**D, "query": " \t"}]), ":2: query opening has no text"),
        (rows([C, {**D, "query": 5}]), ":2: query must be a string, found 5"),
        (rows([C, {**D, "stratum": 5}]), ":2: stratum must be a string, found 5"),
        (rows([C, {**D, "answerable": "no"}]), ":2: answerable must be true or false, found 'no'"),
        (rows([C, D, C]), ":3: duplicate query refund-time, already on line 1"),
        (
            rows([C, {**D, "query_id": "a\rb"}]),
            ":2: query_id 'a\\rb' holds a control character or line break",
        ),
        (rows([C]) + "{\n", ":2: invalid JSON, Expecting property name"),
        (rows([C]) + '"opening"\n', ":2: expected a JSON object, found str"),
    ],
)
def test_a_query_file_that_cannot_be_used(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str], content: str, expected: str
) -> None:
    """The line of the first fault is named, with the path in brackets."""
    line = refused(small_project, capsys, "retrieve", QUESTIONS, content)
    assert line.startswith(f"queries{expected}")
    assert line.endswith(f" [{QUESTIONS}]")


def test_a_query_file_without_queries(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to retrieve for, which is no answer."""
    line = refused(small_project, capsys, "retrieve", QUESTIONS, "// none\n")
    assert line == f"{QUESTIONS}:1: no queries"


@pytest.mark.parametrize(
    ("stage", "name"), [("drift", JUDGMENTS), ("retrieve", QUESTIONS), ("ingest", "params.yaml")]
)
def test_a_file_of_another_encoding(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str], stage: str, name: str
) -> None:
    """The line of the first byte that is no UTF-8 is named, and the byte."""
    assert small_project.run() == 0
    small_project.write(name, b"// one\n// tw\xf6\n")
    golden = small_project.files("data/golden")
    capsys.readouterr()
    assert small_project.run(stage) == 2
    assert f"error: {name}:2: not UTF-8: byte 0xf6\n" == capsys.readouterr().err
    assert golden == small_project.files("data/golden")


@pytest.mark.parametrize("change", ["mark", "crlf", "blank", "unended"])
def test_marks_and_line_ends_of_other_editors_are_no_fault(
    small_project: SmallProject, change: str
) -> None:
    """A byte order mark, CR LF, blank lines or no last line end change no result."""
    assert small_project.run() == 0
    before = small_project.files("data/derived")
    names = (JUDGMENTS, QUESTIONS, "params.yaml", "data/corpus/refunds.md", "data/corpus/hours.txt")
    for name in names:
        data = (small_project.root / name).read_bytes()
        changed = {
            "mark": b"\xef\xbb\xbf" + data,
            "crlf": data.replace(b"\n", b"\r\n"),
            "blank": b"\n\n" + data + b"\n",
            "unended": data.rstrip(b"\n"),
        }
        small_project.write(name, changed[change])
    assert small_project.run() == 0
    after = small_project.files("data/derived")
    heads = {"data/derived/resolutions.jsonl"}  # its head line has digests of the bytes read
    assert {name for name in before if before[name] != after[name]} == heads


@pytest.mark.parametrize(
    ("stage", "name", "content", "expected"),
    [
        ("fingerprint", "data/derived/documents.jsonl", '{"doc_uri": "x"}\n', "documents:1: "),
        ("drift", "data/derived/corpus.jsonl", "", "corpus:1: empty corpus"),
        ("drift", "data/derived/corpus.jsonl", '{"chunks": 3}\n', "corpus:1: 3 chunks announced"),
        ("reanchor", "data/derived/findings.json", "[]", "findings: missing findings array"),
        ("score", "data/derived/run.jsonl", '{"query_id": "q"}\n', "run:1: ranking must be an"),
        ("score", "data/derived/resolutions.jsonl", "", "resolutions:1: expected a head line"),
        ("gate", "data/derived/score.json", "{", "data/derived/score.json:1: invalid JSON, "),
        ("enforce", "reports/report.json", "{", "reports/report.json:1: invalid JSON, "),
    ],
)
def test_a_derived_file_that_was_cut_off_or_changed_by_hand(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    name: str,
    content: str,
    expected: str,
) -> None:
    """It is refused like a file of the user, and never taken for an empty one."""
    assert refused(small_project, capsys, stage, name, content).startswith(expected)


def test_the_error_is_one_line_whatever_the_file_holds(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line break inside a value that is quoted in a message does not break the message."""
    value = json.dumps({**B, "anchor": {"v": "a\nb\u2028c\x85d"}})
    line = refused(small_project, capsys, "drift", JUDGMENTS, rows([A]) + value + "\n")
    assert line.startswith("judgments:2: anchor.v must be 1, found ")


@pytest.mark.parametrize(
    ("stage", "name", "part", "value", "expected"),
    [
        ("gate", "data/derived/score.json", "metrics", 1, "a retrieval report with metrics"),
        ("gate", "data/derived/score.json", "judgments", {}, "a retrieval report with all that"),
        ("report", "data/derived/verdict.json", "reasons", 1, "a verdict with status and reasons"),
        ("enforce", "reports/report.json", "verdict", {}, "a retrieval report with verdict"),
        ("enforce", "reports/report.json", "per_query", 3, "a retrieval report with per_query"),
    ],
)
def test_an_output_edited_by_hand_is_refused(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    name: str,
    part: str,
    value: object,
    expected: str,
) -> None:
    """A stage says what it needs of the stage before it, and shows no stack trace."""
    assert small_project.run() == 0
    edited = json.dumps({**small_project.json(name), part: value})
    assert f"expected {expected}" in refused(small_project, capsys, stage, name, edited)


@pytest.mark.parametrize(
    ("stage", "name"),
    [("reanchor", "data/derived/findings.json"), ("score", "data/derived/resolutions.jsonl")],
)
def test_an_output_that_lacks_its_last_row_is_refused(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str], stage: str, name: str
) -> None:
    """Findings and resolutions belong to labels row by row."""
    assert small_project.run() == 0
    if name.endswith(".jsonl"):
        cut = rows(small_project.rows(name)[:-1])
    else:
        whole = small_project.json(name)
        cut = json.dumps({**whole, "findings": whole["findings"][:-1]})
    assert f"{name} is not of the labels in" in refused(small_project, capsys, stage, name, cut)


def test_a_run_of_other_chunks_is_indeterminate(small_project: SmallProject) -> None:
    """Ids that no label knows give zeros, which say nothing about the retriever."""
    small_project.edit("params.yaml", "gates:\n- recall@5:0.9\n", "gates: []\n")
    assert small_project.run_through("retrieve") == 0
    run = [{**row, "ranking": ["another"]} for row in small_project.rows("data/derived/run.jsonl")]
    small_project.write("data/derived/run.jsonl", rows(run))
    assert small_project.run("score", "gate") == 0
    expected = {
        "status": "INDETERMINATE",
        "reasons": ["the run and the labels share no key: are they of the same chunks?"],
    }
    assert expected == small_project.json("data/derived/verdict.json")


def test_labels_of_another_prefix_are_said_to_be_so(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no label names a document, both spellings are shown."""
    small_project.edit("params.yaml", "handbook://", "docs://")
    assert small_project.run_through("reanchor") == 0
    expected = (
        "no label names a document of this corpus: the labels have handbook://refunds.md, the"
        " corpus docs://hours.txt; is corpus.uri_prefix right?"
    )
    assert expected in capsys.readouterr().out
