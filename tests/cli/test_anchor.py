"""`evergold anchor` and `evergold reanchor`: files in, files out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evergold.formats.corpus import write_snapshot
from evergold.formats.documents import write_documents
from evergold.formats.jsonl import read_rows
from evergold.formats.judgments import read_judgments, write_judgments
from tests.cli.command import Shell
from tests.labels.handbook import bare, cut, document, label, snapshot

FIRST = "Invoices are sent by mail on the first working day of each month."
SECOND = "Annual plans are refunded in full within 30 days of the payment."
THIRD = "Monthly plans end with the month that has been paid for already."
OLD = document(f"{FIRST}\n\n{SECOND}\n\n{THIRD}")
NEW = document(f"Refunds\n\n{OLD.text}")


def files(folder: Path) -> dict[str, str]:
    """Write documents of then and now, a snapshot of now, and labels; return their paths."""
    write_documents(folder / "old.jsonl", [OLD])
    write_documents(folder / "new.jsonl", [NEW])
    write_snapshot(folder / "corpus.jsonl", snapshot(*cut(NEW, "new", (0, len(NEW.text)))))
    rows = [
        bare(SECOND, 2, query_id="q1"),
        label(OLD, (67, 131), 2, query_id="q2", evidence=[(67, 131)]),
        bare("not there", 1, query_id="q3"),
    ]
    write_judgments(folder / "labels.jsonl", rows)
    return {
        name: str(folder / f"{name}.jsonl")
        for name in ("old", "new", "corpus", "labels", "out", "review")
    }


def test_anchor_says_what_each_label_got(tmp_path: Path, shell: Shell) -> None:
    """Spans by what showed them, evidence by where it is from; exit 1 where a span is missing."""
    paths = files(tmp_path)
    options = ["--judgments", paths["labels"], "--documents", paths["new"], "--out", paths["out"]]
    code, out, _ = shell("anchor", *options)
    assert (
        "labels    3 in " + paths["out"],
        "spans     1 recorded · 1 text",
        "without   1 NO_PLACE",
        "evidence  2 judged text · 1 person",
    ) == tuple(out.splitlines())
    assert 1 == code
    anchors = [row.anchor for row in read_judgments(tmp_path / "out.jsonl")]
    assert [(76, 140), (67, 131), None] == [each.span if each else None for each in anchors]
    as_json: dict[str, Any] = json.loads(shell("anchor", *options, "--json")[1])
    assert {"recorded": 1, "text": 1} == as_json["spans"]


def test_anchor_takes_the_texts_from_the_chunks(tmp_path: Path, shell: Shell) -> None:
    """A snapshot with offsets does instead of documents."""
    paths = files(tmp_path)
    options = ["--judgments", paths["labels"], "--corpus", paths["corpus"], "--out", paths["out"]]
    assert "1 recorded · 1 text" in shell("anchor", *options)[1]


def test_reanchor_follows_labels_through_edits(tmp_path: Path, shell: Shell) -> None:
    """With the old documents a label of an older text gets its chunk; the rest is queued."""
    paths = files(tmp_path)
    code, out, _ = shell(
        "reanchor", "--judgments", paths["labels"], "--corpus", paths["corpus"],
        "--documents", paths["new"], "--previous", paths["old"],
        "--out", paths["out"], "--review", paths["review"],
    )  # fmt: skip
    assert "beyond the spec: 0 in place, 2 re-anchored, 0 zeros held, 1 for a person" in out
    assert "     1  REVIEW        1 NO_PLACE" in out.splitlines()
    assert 1 == code
    assert ["new0", "new0", "old0"] == [
        row.chunk_id for row in read_judgments(tmp_path / "out.jsonl")
    ]
    assert ["q3"] == [item["query_id"] for _, item in read_rows(tmp_path / "review.jsonl")]


def test_reanchor_takes_findings_and_prints_json(tmp_path: Path, shell: Shell) -> None:
    """What drift printed may be handed in; of other labels it is refused."""
    paths = files(tmp_path)
    given = ("--judgments", paths["labels"], "--corpus", paths["corpus"])
    printed = shell("drift", *given, "--json")[1]
    (tmp_path / "findings.json").write_text(printed, encoding="utf-8")
    findings = ("--findings", str(tmp_path / "findings.json"), "--documents", paths["new"])
    _, out, _ = shell("reanchor", *given, *findings, "--out", paths["out"], "--json")
    summary = json.loads(out)["summary"]
    assert (2, 1) == (summary["merged"], summary["orphaned"])
    assert {"LOCAL": 1, "CONTAINED": 1, "REVIEW": 1} == {
        rule: count for rule, count in summary["resolution_summary"].items() if count
    }
    data = json.loads(printed)
    data["findings"].pop()
    (tmp_path / "findings.json").write_text(json.dumps(data), encoding="utf-8")
    code, _, err = shell("reanchor", *given, *findings, "--out", paths["out"])
    assert (2, True) == (code, "is not of the labels in" in err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["anchor"], "anchor needs --judgments and --out"),
        (
            ["anchor", "--judgments", "{labels}", "--out", "{out}"],
            "anchor needs --documents or --corpus",
        ),
        (
            ["anchor", "--judgments", "{labels}", "--documents", "{new}", "--out", "{labels}"],
            "is one of the inputs",
        ),
        (
            ["drift", "--judgments", "{labels}", "--corpus", "{corpus}", "--status", "VALID"],
            "--status and --format go with --list",
        ),
        (["reanchor", "--judgments", "{labels}"], "reanchor needs --judgments, --corpus and --out"),
        (
            [
                "reanchor",
                "--judgments",
                "{labels}",
                "--corpus",
                "{corpus}",
                "--out",
                "{out}",
                "--previous",
                "{old}",
            ],
            "--previous goes with --documents",
        ),
        (
            [
                "reanchor",
                "--judgments",
                "{labels}",
                "--corpus",
                "{corpus}",
                "--out",
                "{out}",
                "--review",
                "{corpus}",
            ],
            "is one of the inputs",
        ),
        (
            [
                "drift",
                "--judgments",
                "{labels}",
                "--corpus",
                "{corpus}",
                "--fix",
                "--previous",
                "{old}",
            ],
            "--previous goes with --documents",
        ),
    ],
)
def test_usage_errors_are_one_line(
    tmp_path: Path, shell: Shell, arguments: list[str], message: str
) -> None:
    """What is missing or cannot be, exit 2, and no file is touched."""
    paths = files(tmp_path)
    before = (tmp_path / "labels.jsonl").read_bytes()
    code, _, err = shell(*(argument.format(**paths) for argument in arguments))
    assert 2 == code
    assert message in err
    assert 1 == err.count("\n")
    assert before == (tmp_path / "labels.jsonl").read_bytes()
    assert not (tmp_path / "out.jsonl").exists()


def test_fix_follows_edits_with_the_documents_of_then(tmp_path: Path, shell: Shell) -> None:
    """`drift --fix --documents --previous` uses the same rules."""
    paths = files(tmp_path)
    shell("drift", "--judgments", paths["labels"], "--corpus", paths["corpus"], "--fix",
        "--documents", paths["new"], "--previous", paths["old"])  # fmt: skip
    assert ["new0", "new0", "old0"] == [
        row.chunk_id for row in read_judgments(tmp_path / "labels.jsonl")
    ]
