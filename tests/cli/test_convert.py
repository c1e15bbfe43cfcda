"""`evergold convert`: one form to another, and what the new one cannot carry."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from retrieval_eval.cli import main as published

from evergold.formats.corpus import read_snapshot, write_snapshot
from evergold.formats.judgments import write_judgments
from evergold.formats.runs import read_run, write_run
from evergold.identity import text_sha
from evergold.model import Chunk, Judgment, Ranking, Snapshot
from tests.cli.command import Shell

ALL = "qrels, trec-run, judgments, run, corpus, snapshot, documents, queries, questions or beir"


def _write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return path


def _rows(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


LABELS = (
    Judgment("q1", "d1", 2, chunk_id="c1:" + "0" * 32, stratum="legal"),
    Judgment("q1", "d2", 0),
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), f"convert needs --to {ALL}"),
        (("--to", "csv"), f"unknown --to 'csv', expected {ALL}"),
        (("--to", "qrels"), "convert needs --judgments"),
        (("--to", "trec-run", "--qrels", "x"), "convert needs --run"),
        (("--to", "judgments"), "convert needs --qrels, --beir or --questions and --documents"),
        (
            ("--to", "judgments", "--questions", "x"),
            "convert needs --qrels, --beir or --questions and --documents",
        ),
        (
            ("--to", "qrels", "--judgments", "x", "--run", "y"),
            "convert --to qrels from --judgments takes no --run",
        ),
        (
            ("--to", "judgments", "--beir", "x", "--as-chunk-ids"),
            "convert --to judgments from --beir takes no --as-chunk-ids",
        ),
        (
            ("--to", "judgments", "--qrels", "x", "--beir", "y"),
            "convert --to judgments from --qrels takes no --beir",
        ),
        (
            ("--to", "judgments", "--qrels", "x", "--labeled-by", "ana"),
            "--labeled-by expects human:NAME or synthetic:NAME, got 'ana'",
        ),
        (
            ("--to", "beir", "--judgments", "x", "--queries", "y", "--documents", "z"),
            "convert needs --judgments, --queries, --documents and --out",
        ),
        (("--to", "run", "--run", "none"), "cannot read none: no such file or directory"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(
    arguments: tuple[str, ...], message: str, shell: Shell
) -> None:
    """In one line, with exit code 2."""
    assert (2, "", f"error: {message}\n") == shell("convert", *arguments)


def test_labels_become_qrels(tmp_path: Path, shell: Shell) -> None:
    """One line a label; the fields that stay behind are named."""
    path = tmp_path / "labels.jsonl"
    write_judgments(path, LABELS)
    expected = f"q1 0 c1:{'0' * 32} 2\nq1 0 d2 0\n"
    code, out, err = shell("convert", "--to", "qrels", "--judgments", path)
    assert (0, expected) == (code, out)
    assert "note: not in qrels: doc_uri, stratum\n" == err


def test_rows_of_qrels_with_one_key_are_counted(tmp_path: Path, shell: Shell) -> None:
    """Two passages of one document are one document in qrels."""
    path = tmp_path / "labels.jsonl"
    write_judgments(path, [Judgment("q", "d", grade, chunk_text=str(grade)) for grade in (1, 0)])
    code, out, err = shell("convert", "--to", "qrels", "--judgments", path)
    assert (0, "q 0 d 1\nq 0 d 0\n") == (code, out)
    assert err.endswith("note: 1 row of qrels with query and key of an earlier one\n")


def test_an_id_with_white_space_is_refused(tmp_path: Path, shell: Shell) -> None:
    """Nothing is written."""
    path, out = tmp_path / "labels.jsonl", tmp_path / "out.qrels"
    write_judgments(path, [Judgment("q", "my doc", 1)])
    code, _, err = shell("convert", "--to", "qrels", "--judgments", path, "--out", out)
    assert (2, False) == (code, out.exists())
    assert "error: key 'my doc' holds white space, which qrels cannot carry\n" == err


def test_a_run_becomes_a_trec_run(tmp_path: Path, shell: Shell) -> None:
    """Queries without results and repeated keys cannot be in it, and are named."""
    path = tmp_path / "run.jsonl"
    write_run(path, [Ranking("q1", ("b", "a", "b")), Ranking("q2", ()), Ranking("q3", ("a",))])
    code, out, err = shell("convert", "--to", "trec-run", "--run", path)
    lines = ["q1 Q0 b 1 2.0000 evergold", "q1 Q0 a 2 1.0000 evergold", "q3 Q0 a 1 1.0000 evergold"]
    assert (0, lines) == (code, out.splitlines())
    assert (
        "note: not in a TREC run: 1 query (q2) without results\n"
        "note: 1 key left out that the query has already\n"
    ) == err


def test_a_trec_run_becomes_a_run(tmp_path: Path, shell: Shell) -> None:
    """Ordered by score, and with a word on ties."""
    content = "".join(f"q{n} Q0 a 1 1 t\nq{n} Q0 b 2 1 t\n" for n in range(4))
    path = _write(tmp_path, "run.txt", content + "p Q0 a 1 1 t\np Q0 b 2 3 t\n")
    code, out, err = shell("convert", "--to", "run", "--run", path)
    assert 0 == code
    assert '{"query_id":"p","ranking":["b","a"]}' == out.splitlines()[4]
    expected = "4 queries (q0, q1, q2, …) with equal scores, ordered by key, descending"
    assert f"note: {expected}\n" == err


def test_qrels_become_labels(tmp_path: Path, shell: Shell) -> None:
    """With the stamps that were asked for, and what became of rows."""
    content = "query-id\tcorpus-id\tscore\r\nq1\td1\t2\r\nq1\td2\t-1\r\nq1\td1\t2\r\n"
    path = _write(tmp_path, "a.qrels", content)
    code, out, err = shell(
        *("convert", "--to", "judgments", "--qrels", path, "--as-chunk-ids"),
        *("--labeled-by", "human:ana", "--corpus-fingerprint", "recursive/9/0@0123456789ab"),
    )
    stamps = '"corpus_fingerprint":"recursive/9/0@0123456789ab","labeled_by":"human:ana"}'
    assert 0 == code
    assert [
        f'{{"query_id":"q1","doc_uri":"d1","chunk_id":"d1","relevance":2,{stamps}',
        f'{{"query_id":"q1","doc_uri":"d2","chunk_id":"d2","relevance":0,{stamps}',
    ] == out.splitlines()
    assert (
        "note: 1 negative grade became 0\nnote: 1 row left out that an earlier one says already\n"
    ) == err
    labels = _write(tmp_path, "labels.jsonl", out)
    assert 0 == shell("validate", "--judgments", labels)[0]


def test_contradicting_qrels_are_refused(tmp_path: Path, shell: Shell) -> None:
    """The line, the earlier line and the file are named."""
    path = _write(tmp_path, "a.qrels", "q 0 b 1\nq 0 b 0\n")
    message = "qrels:2: query q and document b have grade 0 here and 1 on line 1"
    expected = (2, "", f"error: {message} [{path}]\n")
    assert expected == shell("convert", "--to", "judgments", "--qrels", path)


def test_ids_that_look_the_same_are_named(tmp_path: Path, shell: Shell) -> None:
    """They stay two ids."""
    path = _write(tmp_path, "a.qrels", "q 0 caf\u00e9 1\nq 0 cafe\u0301 1\n")
    code, out, err = shell("convert", "--to", "judgments", "--qrels", path)
    assert (0, 2) == (code, len(out.splitlines()))
    apart = "1 id apart from others only by Unicode normalization"
    assert f"note: {apart}, such as 'cafe\\u0301' and 'caf\\xe9'\n" == err


SNAPSHOT = Snapshot(
    "recursive/9/0@0123456789ab",
    "recursive/9/0",
    (Chunk("a", "d", "r", 0, "é", text_sha("é"), start=0, end=1, extra={"page": 3}),),
)


def test_a_snapshot_becomes_one_object_and_lines_again(tmp_path: Path, shell: Shell) -> None:
    """Indented as the published files, fields in their order, nothing lost."""
    lines, whole, again = (tmp_path / name for name in ("c.jsonl", "c.json", "again.jsonl"))
    write_snapshot(lines, SNAPSHOT)
    assert (0, "", "") == shell("convert", "--to", "corpus", "--corpus", lines, "--out", whole)
    assert (
        '{\n  "corpus_fingerprint": "recursive/9/0@0123456789ab",\n'
        '  "chunker_fingerprint": "recursive/9/0",\n  "chunks": [\n    {\n'
        '      "chunk_id": "a",\n      "doc_uri": "d",\n      "doc_revision": "r",\n'
        '      "ordinal": 0,\n      "start": 0,\n      "end": 1,\n      "text": "é",\n'
        f'      "text_sha": "{text_sha("é")}",\n      "page": 3\n    }}\n  ]\n}}\n'
    ) == whole.read_text(encoding="utf-8")
    assert (0, "", "") == shell("convert", "--to", "snapshot", "--corpus", whole, "--out", again)
    assert SNAPSHOT == read_snapshot(again)
    assert lines.read_bytes() == again.read_bytes()


DOCUMENTS = _rows(
    {"doc_uri": "d1", "doc_revision": "v", "text": "Leave\n\n30 days.", "title": "Leave"},
    {"doc_uri": "d2", "doc_revision": "v", "text": "15 days.", "title": "Other"},
)
QUERIES = _rows({"query_id": "q1", "query": "how long?", "stratum": "legal"})


def test_a_beir_folder_goes_out_and_comes_in(tmp_path: Path, shell: Shell) -> None:
    """Labels, queries and documents are what they were; what is lost is named."""
    labels = _write(
        tmp_path,
        "labels.jsonl",
        _rows({"query_id": "q1", "query": "how long?", "doc_uri": "d1", "relevance": 2}),
    )
    queries = _write(tmp_path, "queries.jsonl", QUERIES.replace(": ", ":").replace(", ", ","))
    documents = _write(tmp_path, "documents.jsonl", DOCUMENTS)
    folder = tmp_path / "beir"
    arguments = ("--judgments", labels, "--queries", queries, "--documents", documents)
    code, out, err = shell("convert", "--to", "beir", *arguments, "--out", folder)
    assert (0, "") == (code, out)
    assert (
        "note: not in BEIR: query\n"
        "note: not in BEIR: the title of 1 document (d2), whose text does not begin with it\n"
    ) == err
    code, out, err = shell("convert", "--to", "judgments", "--beir", folder, "--split", "test")
    assert (0, labels.read_text().replace(": ", ":").replace(", ", ","), "") == (code, out, err)
    assert (0, queries.read_text(), "") == shell("convert", "--to", "queries", "--beir", folder)
    code, out, _ = shell("convert", "--to", "documents", "--beir", folder)
    assert ["Leave\n\n30 days.", "15 days."] == [
        json.loads(line)["text"] for line in out.split("\n")[:-1]
    ]


def test_labels_of_unknown_queries_are_named(tmp_path: Path, shell: Shell) -> None:
    """They have no text, and are kept."""
    _write(tmp_path, "queries.jsonl", _rows({"_id": "q1", "text": "how?"}))
    _write(tmp_path, "qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq1\td\t1\nq2\td\t1\n")
    code, out, err = shell("convert", "--to", "judgments", "--beir", tmp_path, "--split", "dev")
    assert (0, ["how?", None]) == (code, [json.loads(r).get("query") for r in out.splitlines()])
    assert "note: not among the queries: 1 query (q2)\n" == err


def test_an_input_is_never_written_over(tmp_path: Path, shell: Shell) -> None:
    """Under no other name, and not in a folder either."""
    path, link = tmp_path / "queries.jsonl", tmp_path / "link.jsonl"
    write_run(path, [Ranking("q", ("a",))])
    link.hardlink_to(path)
    before = path.read_bytes()
    code, _, err = shell("convert", "--to", "trec-run", "--run", path, "--out", link)
    assert (2, f"error: --out {link} is one of the inputs\n") == (code, err)
    arguments = ("--judgments", "none", "--queries", link, "--documents", "none")
    code, _, err = shell("convert", "--to", "beir", *arguments, "--out", tmp_path)
    assert (2, f"error: --out {path} is one of the inputs\n") == (code, err)
    _write(tmp_path, "qrels/test.tsv", "q1\td\t1\n")
    code, _, err = shell("convert", "--to", "judgments", "--beir", tmp_path, "--out", path)
    assert (2, f"error: --out {path} is one of the inputs\n") == (code, err)
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("to", "option"),
    [
        ("qrels", "--judgments"),
        ("trec-run", "--run"),
        ("judgments", "--qrels"),
        ("run", "--run"),
    ],
)
def test_nothing_becomes_nothing(tmp_path: Path, shell: Shell, to: str, option: str) -> None:
    """Not even a line end, but a note."""
    path, out = _write(tmp_path, "empty", ""), tmp_path / "out"
    note = "note: the output is empty\n"
    assert (0, "", note) == shell("convert", "--to", to, option, path)
    assert (0, "", note) == shell("convert", "--to", to, option, path, "--out", out)
    assert b"" == out.read_bytes()


QUESTIONS = """\
questions:
- id: q1
  query: how long?
  gold_snippets:
  - [30 days, thirty days]
  - 15 days
- {id: q2, query: why, reviewed: false, tags: [a]}
"""


def test_questions_become_labels_where_their_snippets_have_a_place(
    tmp_path: Path, shell: Shell
) -> None:
    """The other snippets are named, one a line, and the exit code is 1."""
    questions = _write(tmp_path, "questions.yaml", QUESTIONS)
    documents = _write(tmp_path, "documents.jsonl", DOCUMENTS)
    arguments = ("--questions", questions, "--documents", documents)
    code, out, err = shell("convert", "--to", "judgments", *arguments)
    assert 1 == code
    rows = [json.loads(line) for line in out.splitlines()]
    assert [("d1", "30 days", "0", 1), ("d2", "15 days", "1", 1)] == [
        (row["doc_uri"], row["chunk_text"], row["need"], row["relevance"]) for row in rows
    ]
    assert (
        "note: question q1, slot 0: 'thirty days' stands in no document\n"
        "note: not reviewed: 1 question (q2)\n"
    ) == err
    questions.write_text(QUESTIONS.replace(", thirty days", ""), encoding="utf-8")
    assert 0 == shell("convert", "--to", "judgments", *arguments)[0]


def test_questions_become_queries(tmp_path: Path, shell: Shell) -> None:
    """What belongs to the query is kept."""
    questions = _write(tmp_path, "questions.yaml", QUESTIONS)
    code, out, err = shell("convert", "--to", "queries", "--questions", questions)
    assert (
        '{"query_id":"q1","query":"how long?"}\n'
        '{"query_id":"q2","query":"why","tags":["a"],"reviewed":false}\n'
    ) == out
    assert (0, "note: not in queries: gold_snippets\n") == (code, err)


def test_a_dash_and_compressed_files_are_taken(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input in, gzip out."""
    data = io.BytesIO(b"q 0 d 1\r\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data, encoding="utf-8"))
    out = tmp_path / "labels.jsonl.gz"
    assert (0, "", "") == shell("convert", "--to", "judgments", "--qrels", "-", "--out", out)
    assert b'{"query_id":"q","doc_uri":"d","relevance":1}\n' == gzip.decompress(out.read_bytes())


def test_output_is_utf_8_whatever_the_console_shows(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file made by `>` is never escaped."""
    path = _write(tmp_path, "a.qrels", "q 0 caf\u00e9 1\n")
    written = io.BytesIO()
    console = io.TextIOWrapper(written, encoding="ascii")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", console)
        code, _, _ = shell("convert", "--to", "judgments", "--qrels", path)
    expected = '{"query_id":"q","doc_uri":"caf\u00e9","relevance":1}\n'
    assert (0, expected) == (code, written.getvalue().decode())


IDS = st.sampled_from(["q1", "d#1", "caf\u00e9", "\u65e5", "007", "a/b%20c"])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.tuples(IDS, IDS), st.integers(0, 3), min_size=1),
    st.dictionaries(IDS, st.lists(IDS, min_size=1, unique=True), min_size=1),
)
def test_the_published_tool_writes_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    shell: Shell,
    grades: dict[tuple[str, str], int],
    rankings: dict[str, list[str]],
) -> None:
    """Labels, qrels and runs are the same text, but for the tag of a run."""
    folder = tmp_path_factory.mktemp("convert")
    files = {name: folder / name for name in ("judgments", "run", "qrels", "trec-run")}
    write_judgments(files["judgments"], [Judgment(q, d, g) for (q, d), g in grades.items()])
    write_run(files["run"], [Ranking(query_id, tuple(keys)) for query_id, keys in rankings.items()])
    for source, to in (("judgments", "qrels"), ("run", "trec-run"), ("qrels", "judgments")):
        call = ("convert", "--to", to, f"--{source}", str(files[source]))
        code, ours, err = shell(*call)
        assert (0, "") == (code, err)
        assert 0 == published(list(call))
        assert capsys.readouterr().out.replace(" retrieval-eval\n", " evergold\n") == ours
        if to in ("qrels", "trec-run"):
            files[to].write_text(ours, encoding="utf-8")
    assert ours == files["judgments"].read_text(encoding="utf-8")
    assert read_run(files["run"]) == read_run(files["trec-run"])


QUESTION_LIST = """\
questions:
- id: q1
  query: when are plans refunded
  gold_snippets:
  - - within 30 days
    - Annual plans are refunded
  - Prices exclude shipping
  gold_answer: thirty days
  tags:
  - billing
- id: q2
  query: what is sent
  reviewed: false
  owner: ana
"""


def test_question_lists_become_labels_and_come_back(tmp_path: Path, shell: Shell) -> None:
    """Labels and queries hold all that a question list says; zeros and labels without text do not fit."""
    questions = _write(tmp_path, "questions.yaml", QUESTION_LIST)
    text = "Annual plans are refunded within 30 days. Prices exclude shipping."
    document = {"doc_uri": "d", "doc_revision": "r", "text": text}
    documents = _write(tmp_path, "documents.jsonl", _rows(document))
    labels, queries = tmp_path / "labels.jsonl", tmp_path / "queries.jsonl"
    given = ("--questions", questions)
    assert (
        0
        == shell("convert", "--to", "judgments", *given, "--documents", documents, "--out", labels)[
            0
        ]
    )
    assert 0 == shell("convert", "--to", "queries", *given, "--out", queries)[0]
    back = ("--judgments", labels, "--queries", queries)
    note = "note: not in questions: where a snippet stands, its grade, and who judged it\n"
    assert (0, QUESTION_LIST, note) == shell("convert", "--to", "questions", *back)
    assert (0, QUESTION_LIST, "") == shell("convert", "--to", "questions", *given)
    zero = {"query_id": "q1", "doc_uri": "d", "relevance": 0, "chunk_text": "Prices"}
    bare = {"query_id": "q3", "doc_uri": "d", "relevance": 1, "chunk_id": "c"}
    _write(tmp_path, "labels.jsonl", labels.read_text("utf-8") + _rows(zero, bare))
    code, out, err = shell("convert", "--to", "questions", *back)
    assert (1, QUESTION_LIST) == (code, out)
    assert [
        "note: not among the queries: 1 query (q3)",
        "note: label 4, query q1: is a zero",
        "note: label 5, query q3: has no text",
    ] == err.splitlines()[1:]
