"""`evergold validate`: issues as people and programs read them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from retrieval_eval.cli import main as published

from evergold.formats.judgments import write_judgments
from evergold.model import Judgment
from tests.cli.command import Shell
from tests.published import labels
from tests.small_project import rows

LABEL: dict[str, Any] = {
    "query_id": "q1",
    "query": "how long",
    "doc_uri": "d",
    "chunk_id": "c1:00000000000000000000000000000001",
    "relevance": 1,
    "labeled_by": "human:ana",
}


def _file(folder: Path, *labels: dict[str, Any]) -> Path:
    path = folder / "judgments.jsonl"
    path.write_text(rows(list(labels)), encoding="utf-8")
    return path


def test_a_sound_set_has_no_issues(tmp_path: Path, shell: Shell) -> None:
    """The counts and one line, and exit code 0."""
    expected = "1 labels · 1 queries · 1 strata\nno issues\n"
    assert (0, expected, "") == shell("validate", "--judgments", _file(tmp_path, LABEL))


def test_an_error_is_named_and_gives_exit_code_1(tmp_path: Path, shell: Shell) -> None:
    """Severity, code and message stand on one line."""
    code, out, _ = shell("validate", "--judgments", _file(tmp_path, LABEL, LABEL))
    assert code == 1
    assert (
        "error [duplicate-label] duplicate judgment for query q1 and target"
        " c1:00000000000000000000000000000001\n"
    ) in out


def test_a_warning_alone_is_no_failure(tmp_path: Path, shell: Shell) -> None:
    """A set of labels that only machines made can be worked with."""
    synthetic = {**LABEL, "labeled_by": "synthetic:model"}
    code, out, _ = shell("validate", "--judgments", _file(tmp_path, synthetic))
    assert code == 0
    assert "warning [no-human-labels] every label is synthetic." in out


def test_json_has_the_published_fields(tmp_path: Path, shell: Shell) -> None:
    """The names are those of the published tool, two of them in its own spelling."""
    stale = {**LABEL, "stratum": "legal", "corpus_fingerprint": "x@1"}
    code, out, err = shell("validate", "--judgments", _file(tmp_path, stale), "--json")
    assert (0, "") == (code, err)
    assert {
        "issues": [
            {
                "severity": "warning",
                "code": "thin-stratum",
                "message": "stratum 'legal' has only 1 labels, too few to gate on",
            }
        ],
        "queries": 1,
        "labels": 1,
        "humanLabels": 1,
        "syntheticLabels": 0,
        "fingerprint": "x@1",
        "strata": {"legal": 1},
        "ok": True,
    } == json.loads(out)


def test_an_empty_file_is_an_issue_and_no_fault(tmp_path: Path, shell: Shell) -> None:
    """`validate` is what tells people that there is nothing."""
    code, out, err = shell("validate", "--judgments", _file(tmp_path))
    assert (1, "") == (code, err)
    assert "error [empty] no judgments\n" in out


def test_ids_of_another_tool_are_noted(tmp_path: Path, shell: Shell) -> None:
    """They are fine here; the published tool takes them for malformed."""
    path = _file(tmp_path, {**LABEL, "chunk_id": "store-7"}, {**LABEL, "doc_uri": "e"})
    code, out, err = shell("validate", "--judgments", path)
    assert (0, "") == (code, err)
    note = "note: 1 labels have chunk ids of another tool, which are taken as they are"
    assert note in out.splitlines()


def test_a_malformed_row_is_a_fault(tmp_path: Path, shell: Shell) -> None:
    """One line on stderr with the line of the file, the path in brackets, exit code 2."""
    path = _file(tmp_path, LABEL, {**LABEL, "relevance": -1})
    expected = f"error: judgments:2: relevance must be a non-negative integer [{path}]\n"
    assert (2, "", expected) == shell("validate", "--judgments", path, "--json")


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(labels())
def test_the_published_command_says_the_same(
    tmp_path: Path, shell: Shell, judgments: tuple[Judgment, ...]
) -> None:
    """Exit code and JSON agree, but for ids of other tools, thin strata and false hashes."""
    minted = {"store-7": "c1:" + "7" * 32}
    judgments = tuple(
        replace(j, chunk_id=minted.get(j.chunk_id or "", j.chunk_id)) for j in judgments
    )
    path = tmp_path / "judgments.jsonl"
    write_judgments(path, judgments)
    code, out, _ = shell("validate", "--judgments", path, "--json")
    theirs = published(["validate", "--judgments", str(path), "--json"])
    published_json, our_json = json.loads(shell.capsys.readouterr().out), json.loads(out)
    for answer in (published_json, our_json):
        ours = ("thin-stratum", "text-sha-mismatch")
        answer["issues"] = [i for i in answer["issues"] if i["code"] not in ours]
    assert published_json == our_json
    assert theirs == code
