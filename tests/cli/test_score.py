"""`evergold score`: reports, gates and exit codes, as people and programs read them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from retrieval_eval.cli import main as published

from evergold.formats.judgments import write_judgments
from evergold.formats.runs import write_run
from evergold.model import Judgment, Ranking
from tests.cli.command import Shell
from tests.published import labels, runs
from tests.small_project import rows
from tests.stage_process import BOUND, REPOSITORY, environment

SCHEMA = Path(__file__).resolve().parents[2] / "spec" / "report.schema.json"
IDS = [f"c1:{number:032x}" for number in range(4)]
LABELS: list[dict[str, Any]] = [
    {"query_id": "q1", "query": "a", "doc_uri": "d", "chunk_id": IDS[0], "relevance": 2},
    {"query_id": "q1", "query": "a", "doc_uri": "d", "chunk_id": IDS[1], "relevance": 1},
    {"query_id": "q2", "query": "b", "doc_uri": "e", "chunk_id": IDS[2], "relevance": 1},
]
RUN = [
    {"query_id": "q1", "ranking": [IDS[0], IDS[3], IDS[1]]},
    {"query_id": "q2", "ranking": ["x"]},
]


@pytest.fixture
def options(tmp_path: Path) -> tuple[str, ...]:
    """Return the options that name a label file and a run: recall is 0.5 at 5."""
    (tmp_path / "judgments.jsonl").write_text(rows(LABELS), encoding="utf-8")
    (tmp_path / "run.jsonl").write_text(rows(RUN), encoding="utf-8")
    names = ("--judgments", tmp_path / "judgments.jsonl", "--run", tmp_path / "run.jsonl")
    return ("score", *map(str, names))


@pytest.fixture(autouse=True)
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports be made at 2023-11-14T22:13:20Z."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def test_scores_are_shown_at_every_cutoff(options: tuple[str, ...], shell: Shell) -> None:
    """A row for each metric, a column for each k, and the verdict."""
    code, out, err = shell(*options, "-k", "1", "-k", "5")
    assert (0, "") == (code, err)
    lines = out.splitlines()
    assert "2 queries · 3 labels (0 human, 0 synthetic)" == lines[0]
    assert ["@1", "@5"] == lines[2].split()
    assert ["recall", "0.2500", "0.5000"] == lines[4].split()
    assert "PASS" == lines[-1]


@pytest.mark.parametrize(
    ("gates", "expected", "status"),
    [
        (("--gate", "recall@5:0.5"), 0, "PASS"),
        (("--gate", "recall@5:0.51"), 1, "FAIL"),
        (("--gate", "recall@5:-0.02"), 1, "INDETERMINATE"),
        (("--gate", "recall@5:0.5", "--gate", "recall@5:0.51"), 1, "FAIL"),
        (("--max-invalid", "0.1"), 1, "INDETERMINATE"),
    ],
)
def test_the_exit_code_is_0_for_pass_alone(
    options: tuple[str, ...], shell: Shell, gates: tuple[str, ...], expected: int, status: str
) -> None:
    """As published: FAIL and INDETERMINATE both are 1, and the JSON tells them apart."""
    code, out, _ = shell(*options, "-k", "5", *gates, "--json")
    assert (expected, status) == (code, json.loads(out)["verdict"]["status"])


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        (("--gate", "recall@5"), "gate 'recall@5': expected <metric>:<threshold>"),
        (("--gate", "recall@5:x"), "gate 'recall@5:x': 'x' is not a number"),
        (("--max-invalid", "2"), "gate 'max-invalid:2': expected a share from 0 to 1, found 2"),
    ],
)
def test_a_gate_that_cannot_be_meant_is_refused_before_any_file_is_read(
    shell: Shell, gates: tuple[str, ...], expected: str
) -> None:
    """Exit code 2, though the files do not exist."""
    found = shell("score", "--judgments", "none", "--run", "none", *gates)
    assert (2, "", f"error: {expected}\n") == found


def test_a_report_is_written_and_is_the_baseline_of_the_next(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """It is valid against the schema, has its inputs' digests and its time."""
    baseline, out = tmp_path / "baseline.json", tmp_path / "new" / "report.json"
    assert shell(*options, "-k", "5", "--out", baseline)[0] == 0
    gate = ("--baseline", baseline, "--gate", "recall@5:-0.02", "--out", out)
    assert shell(*options, "-k", "5", *gate)[0] == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.validate(report, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert "2023-11-14T22:13:20Z" == report["generated_at"]
    assert {"judgments", "run", "baseline"} == set(report["inputs"])
    [gated] = report["verdict"]["gates"]
    assert (0.5, 0.5) == (gated["observed"], gated["baseline"])


def test_a_baseline_is_read_also_without_a_gate(options: tuple[str, ...], shell: Shell) -> None:
    """A missing file is not passed over."""
    code, _, err = shell(*options, "--baseline", "missing.json")
    assert (2, "error: cannot read missing.json: no such file or directory\n") == (code, err)


@pytest.mark.parametrize("name", ["judgments.jsonl", "run.jsonl", "."])
def test_a_report_never_takes_the_place_of_an_input(
    options: tuple[str, ...], shell: Shell, tmp_path: Path, name: str
) -> None:
    """Nor of a folder."""
    before = (tmp_path / "judgments.jsonl").read_bytes()
    code, _, err = shell(*options, "--out", tmp_path / name)
    assert (2, 1) == (code, err.count("\n"))
    assert before == (tmp_path / "judgments.jsonl").read_bytes()


def test_a_run_of_other_chunks_does_not_pass(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """No key of the run is known to the labels: the zeros say nothing."""
    run = rows([{"query_id": q, "ranking": ["x", "y"]} for q in ("q1", "q2")])
    (tmp_path / "run.jsonl").write_text(run, encoding="utf-8")
    code, out, _ = shell(*options)
    assert (1, "INDETERMINATE") == (code, out.splitlines()[-2])


def test_a_run_may_come_through_a_pipe(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """It is read once, and its digest is not known."""
    pipe, content = tmp_path / "pipe", (tmp_path / "run.jsonl").read_bytes()
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    code, out, err = shell(*options[:4], pipe, "--json")
    writer.join()
    assert (0, "") == (code, err)
    assert {"judgments"} == set(json.loads(out)["inputs"])


def test_a_run_of_trec_columns_may_come_through_a_pipe(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """Its faults have a line, though it cannot be read again."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = b"q1 Q0 a 1 2.5 x\nq1 Q0 b 2 nan x\n"
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    code, _, err = shell(*options[:4], pipe)
    writer.join()
    assert (2, f"run:2: score 'nan' is not a finite decimal number [{pipe}]") == (
        code,
        err.strip().removeprefix("error: "),
    )


def test_standard_input_is_one_file(shell: Shell) -> None:
    """What is read for one option is gone for the other."""
    code, out, err = shell("score", "--judgments", "-", "--run", "-")
    assert (2, "", "error: only one file can be standard input\n") == (code, out, err)


def test_documents_can_be_the_unit(options: tuple[str, ...], shell: Shell, tmp_path: Path) -> None:
    """Labels of whole documents meet a run of chunks through the corpus."""
    labels = [{"query_id": "q1", "doc_uri": "d", "relevance": 1}]
    (tmp_path / "judgments.jsonl").write_text(rows(labels), encoding="utf-8")
    chunks = [{"chunk_id": IDS[0], "doc_uri": "e", "text": "a"}]
    chunks += [{"chunk_id": name, "doc_uri": "d", "text": name} for name in (IDS[1], IDS[3])]
    corpus = tmp_path / "corpus.json"
    corpus.write_text(json.dumps({"chunks": chunks}), encoding="utf-8")
    _, out, _ = shell(*options, "--unit", "document", "--corpus", corpus, "--json")
    report = json.loads(out)
    assert 0.5 == report["metrics"]["mrr@10"]["value"]
    assert "document" == report["settings"]["unit"]


def test_strata_of_the_queries_count(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """A stratum is a property of the query; the worst stands first."""
    queries = tmp_path / "queries.jsonl"
    queries.write_text(
        rows([{"query_id": q, "query": q, "stratum": f"s-{q}"} for q in ("q1", "q2")]),
        encoding="utf-8",
    )
    _, out, _ = shell(*options, "--queries", queries)
    lines = out.splitlines()
    place = lines.index("recall@10 by stratum, worst first")
    assert ["s-q2", "0.0000", "n", "1"] == lines[place + 1].split()
    assert ["s-q1", "1.0000", "n", "1"] == lines[place + 2].split()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_narrow_console_gets_what_it_can_show(
    options: tuple[str, ...], tmp_path: Path, encoding: str
) -> None:
    """Signs of ours have a plain form, other characters are escaped, and the answer is the same."""
    labels = [{**LABELS[0], "query": "a", "stratum": "Verträge 契約"}]
    (tmp_path / "judgments.jsonl").write_text(rows(labels), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from evergold.cli.main import main; main()", *options],
        env={**environment(REPOSITORY / "src"), "PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=BOUND,
        check=False,
    )
    assert (0, b"") == (done.returncode, done.stderr)
    assert "\\u5951\\u7d04" in done.stdout.decode(encoding)


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(labels(sound=True), runs())
def test_the_published_command_says_the_same(
    tmp_path: Path, shell: Shell, judgments: tuple[Judgment, ...], run: tuple[Ranking, ...]
) -> None:
    """Metrics and counts agree to the last decimal, on files that both tools read the same way."""
    files = (tmp_path / "j.jsonl", tmp_path / "r.jsonl")
    write_judgments(files[0], judgments)
    write_run(files[1], run)
    arguments = ["score", "--judgments", str(files[0]), "--run", str(files[1]), "-k", "3", "--json"]
    _, out, _ = shell(*arguments)
    published(arguments)
    theirs = json.loads(shell.capsys.readouterr().out)
    ours = json.loads(out)
    assert theirs["judgments"] == ours["judgments"]
    assert list(theirs["metrics"]) == list(ours["metrics"])
    for name, measurement in theirs["metrics"].items():
        assert pytest.approx(measurement["value"], abs=1.1e-12) == ours["metrics"][name]["value"]
