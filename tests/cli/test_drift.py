"""`evergold drift`: statuses, lists and new places, as people and programs read them."""

from __future__ import annotations

import csv
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from retrieval_eval.cli import main as published

from evergold.formats.documents import write_documents
from evergold.formats.judgments import read_judgments
from evergold.identity import chunk_id, text_sha
from evergold.model import Document
from tests.cli.command import Shell

TEXT = "Annual plans are refunded within 30 days.\n\nPrices exclude shipping."
PLANS, PRICES = TEXT.split("\n\n")
URI = "handbook://refunds.md"


def _chunk(text: str, ordinal: int, name: str = "live/1") -> dict[str, Any]:
    return {
        "chunk_id": chunk_id(URI, "r2", ordinal, text, name),
        "doc_uri": URI,
        "ordinal": ordinal,
        "text": text,
    }


def _label(query: str, text: str, grade: int, ordinal: int = 0) -> dict[str, Any]:
    return {
        "query_id": query,
        "query": f"the text of {query}",
        "doc_uri": URI,
        "chunk_id": chunk_id(URI, "r1", ordinal, text, "old/1"),
        "text_sha": text_sha(text),
        "chunk_text": text,
        "relevance": grade,
        "labeled_by": "human:ana",
    }


SAME = _chunk(PLANS, 0)
ROWS = [
    {**_label("q1", PLANS, 2), "chunk_id": SAME["chunk_id"]},
    _label("q2", PLANS, 1),
    _label("q3", "Monthly plans are not refunded.", 1, 1),
]


class Files:
    """A label file and a corpus in a folder."""

    def __init__(self, folder: Path, labels: str | list[dict[str, Any]], *chunks: Any) -> None:
        self.labels = folder / "judgments.jsonl"
        self.corpus = folder / "corpus.json"
        text = labels
        if not isinstance(text, str):
            text = "".join(
                json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in text
            )
        self.labels.write_bytes(text.encode("utf-8"))
        corpus = {"corpus_fingerprint": "live/1@2", "chunks": list(chunks)}
        self.corpus.write_text(json.dumps(corpus), encoding="utf-8")
        self.options = ("--judgments", self.labels, "--corpus", self.corpus)


def test_a_set_in_place_gives_exit_code_0(tmp_path: Path, shell: Shell) -> None:
    """Every label is VALID: five counts, and nothing to do."""
    files = Files(tmp_path, ROWS[:1], SAME)
    code, out, err = shell("drift", *files.options)
    assert (0, "") == (code, err)
    assert [
        "1 labels @ unknown",
        "live corpus @ live/1@2",
        "",
        "     1  VALID          the chunk is still there",
        "     0  RE_ANCHORABLE  the text is now another chunk",
    ] == out.splitlines()[:5]
    assert "do not match" not in out


def test_decay_gives_exit_code_1_and_the_next_step(tmp_path: Path, shell: Shell) -> None:
    """The share is said, and what to call."""
    code, out, _ = shell("drift", *Files(tmp_path, ROWS, SAME).options)
    assert code == 1
    assert "67% of the labels do not match the live corpus" in out
    assert out.endswith("--fix to re-anchor what can be proved\n")


def test_a_share_may_be_allowed(tmp_path: Path, shell: Shell) -> None:
    """Up to it the exit code is 0."""
    files = Files(tmp_path, ROWS, SAME)
    assert shell("drift", *files.options, "--max-invalid", "0.67")[0] == 0
    assert shell("drift", *files.options, "--max-invalid", "0.66")[0] == 1
    code, _, err = shell("drift", *files.options, "--max-invalid", "1.5")
    assert (2, "error: --max-invalid expects a share from 0 to 1, got '1.5'\n") == (code, err)


def test_json_is_that_of_the_published_command(tmp_path: Path, shell: Shell) -> None:
    """Exit code and data agree, and stdout is JSON alone."""
    files = Files(tmp_path, ROWS, SAME)
    code, out, err = shell("drift", *files.options, "--json")
    theirs = published(["drift", *map(str, files.options), "--json"])
    assert json.loads(shell.capsys.readouterr().out) == json.loads(out)
    assert (theirs, "") == (code, err)


def test_labels_are_listed_and_filtered(tmp_path: Path, shell: Shell) -> None:
    """One line a label, of the statuses that are asked for."""
    files = Files(tmp_path, ROWS, SAME)
    _, out, _ = shell("drift", *files.options, "--list")
    assert ["VALID", "RE_ANCHORABLE", "ORPHANED"] == [row.split()[1] for row in out.splitlines()]
    _, out, _ = shell("drift", *files.options, "--list", "--status", "orphaned")
    assert f"2  ORPHANED  q3  {URI}  {ROWS[2]['chunk_id']}\n" == out


def test_a_list_as_csv_can_be_read_back(tmp_path: Path, shell: Shell) -> None:
    """Quotes and commas of ids survive."""
    odd = {**ROWS[2], "query_id": 'q,"3"'}
    _, out, _ = shell("drift", *Files(tmp_path, [odd], SAME).options, "--list", "--format", "csv")
    head, row = csv.reader(io.StringIO(out))
    assert ["row", "status", "query_id", "doc_uri", "chunk_id", "target"] == head
    assert ["0", "ORPHANED", 'q,"3"', URI, odd["chunk_id"], ""] == row


def test_a_list_as_markdown_keeps_its_columns(tmp_path: Path, shell: Shell) -> None:
    """A bar in an id opens no column."""
    odd = {**ROWS[2], "query_id": "q|3"}
    options = (*Files(tmp_path, [odd], SAME).options, "--list", "--format", "markdown")
    lines = shell("drift", *options)[1].splitlines()
    assert "| row | status | query_id | doc_uri | chunk_id | target |" == lines[0]
    assert f"| 0 | ORPHANED | q\\|3 | {URI} | {odd['chunk_id']} |  |" == lines[2]


def test_a_fix_writes_what_can_be_proved_and_exits_by_the_state_after_it(
    tmp_path: Path, shell: Shell
) -> None:
    """The moved label has its new chunk, the orphan waits, and the file is otherwise the same."""
    files = Files(tmp_path, ROWS, SAME)
    before = files.labels.read_text(encoding="utf-8").splitlines()
    code, out, _ = shell("drift", *files.options, "--fix")
    assert code == 1
    assert f"fixed   re-anchored 1 label(s) in {files.labels}\n" in out
    assert "review  1 label(s) still need a human\n" in out
    after = files.labels.read_text(encoding="utf-8").splitlines()
    assert SAME["chunk_id"] == json.loads(after[1])["chunk_id"]
    assert before[2] == after[2]
    assert shell("drift", *Files(tmp_path, ROWS[:2], SAME).options, "--fix")[0] == 0


def test_a_second_fix_changes_no_byte(tmp_path: Path, shell: Shell) -> None:
    """And the file is not written at all."""
    files = Files(tmp_path, ROWS, SAME)
    shell("drift", *files.options, "--fix")
    before = (files.labels.read_bytes(), files.labels.stat().st_ino)
    shell("drift", *files.options, "--fix")
    assert before == (files.labels.read_bytes(), files.labels.stat().st_ino)


def test_comments_line_ends_and_unchanged_rows_keep_their_bytes(
    tmp_path: Path, shell: Shell
) -> None:
    """Only the row that moved is written anew."""
    spaced = json.dumps(ROWS[2], ensure_ascii=False)
    text = f"// first\r\n\r\n{json.dumps(ROWS[1])}\r\n// about q3\r\n{spaced}\r\n// the end"
    files = Files(tmp_path, text, SAME)
    shell("drift", *files.options, "--fix")
    lines = files.labels.read_bytes().decode("utf-8").split("\n")
    assert ["// first\r", "\r"] == lines[:2]
    assert SAME["chunk_id"] == json.loads(lines[2])["chunk_id"]
    assert lines[2].endswith("\r")
    assert ["// about q3\r", f"{spaced}\r", "// the end"] == lines[3:]


def test_a_dry_run_writes_nothing_and_out_leaves_the_labels_alone(
    tmp_path: Path, shell: Shell
) -> None:
    """The new labels go to the other file."""
    files = Files(tmp_path, ROWS, SAME)
    before = files.labels.read_bytes()
    _, out, _ = shell("drift", *files.options, "--fix", "--dry-run")
    assert "fixed   would re-anchor 1 label(s)" in out
    target = tmp_path / "new.jsonl"
    shell("drift", *files.options, "--fix", "--out", target)
    assert before == files.labels.read_bytes()
    assert SAME["chunk_id"] == read_judgments(target)[1].chunk_id


@pytest.mark.parametrize("name", ["judgments.jsonl", "corpus.json", "link"])
def test_an_output_is_never_an_input(tmp_path: Path, shell: Shell, name: str) -> None:
    """Not by another name either."""
    files = Files(tmp_path, ROWS, SAME)
    (tmp_path / "link").symlink_to(files.corpus)
    before = [path.read_bytes() for path in (files.labels, files.corpus)]
    out = tmp_path / name
    code, _, err = shell("drift", *files.options, "--fix", "--out", out)
    assert (2, f"error: --out {out} is one of the inputs\n") == (code, err)
    assert before == [path.read_bytes() for path in (files.labels, files.corpus)]


def test_a_fix_of_a_pipe_needs_another_output(tmp_path: Path, shell: Shell) -> None:
    """It is read once, and cannot be written back."""
    files = Files(tmp_path, ROWS, SAME)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = files.labels.read_bytes()
    options = ("--judgments", pipe, "--corpus", files.corpus, "--fix")
    for more, expected in (((), 2), (("--dry-run",), 1), (("--out", tmp_path / "new"), 1)):
        writer = threading.Thread(target=pipe.write_bytes, args=(content,))
        writer.start()
        code, _, err = shell("drift", *options, *more)
        writer.join()
        assert expected == code
        assert err in ("", f"error: {pipe} is no file; name one with --out\n")
    assert 3 == len(read_judgments(tmp_path / "new"))


def test_an_output_is_a_file(tmp_path: Path, shell: Shell) -> None:
    """Nothing else is replaced: no folder, no pipe, no device."""
    files = Files(tmp_path, ROWS, SAME)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for out in (tmp_path, pipe, Path(os.devnull)):
        code, _, err = shell("drift", *files.options, "--fix", "--out", out)
        assert (2, f"error: --out {out} is no file\n") == (code, err)
    assert pipe.is_fifo()


def test_the_result_of_a_fix_is_part_of_the_json(tmp_path: Path, shell: Shell) -> None:
    """Stdout holds one JSON value."""
    files = Files(tmp_path, ROWS, SAME)
    _, out, _ = shell("drift", *files.options, "--fix", "--json")
    expected = {"re_anchored": 1, "needs_review": 1, "path": str(files.labels)}
    assert expected == json.loads(out)["fix"]


def test_a_zero_never_moves_to_more_text(tmp_path: Path, shell: Shell) -> None:
    """The published fix says of the whole chunk that it is not relevant; ours waits."""
    rows = [_label("q1", PRICES, 0)]
    whole = _chunk(TEXT, 0)
    files = Files(tmp_path, rows, whole)
    code, out, _ = shell("drift", *files.options, "--fix")
    assert (1, True) == (code, "re-anchored 0 label(s)" in out)
    assert rows[0]["chunk_id"] == read_judgments(files.labels)[0].chunk_id
    shell("drift", *files.options, "--fix=spec")
    assert whole["chunk_id"] == read_judgments(files.labels)[0].chunk_id


def test_labels_that_meet_are_one_row_that_validate_accepts(tmp_path: Path, shell: Shell) -> None:
    """The published fix writes two rows with one key."""
    files = Files(tmp_path, [_label("q1", PLANS, 1), _label("q1", PRICES, 3, 1)], _chunk(TEXT, 0))
    code, out, _ = shell("drift", *files.options, "--fix")
    assert (0, True) == (code, "re-anchored 2 label(s)" in out)
    [row] = read_judgments(files.labels)
    assert (3, 1) == (row.relevance, len(row.anchor.absorbed if row.anchor else ()))
    assert shell("validate", "--judgments", files.labels)[0] == 0


def test_a_text_inside_a_longer_word_is_not_followed(tmp_path: Path, shell: Shell) -> None:
    """`5 days` does not stand in `15 days`."""
    files = Files(tmp_path, [_label("q1", "5 days", 2)], _chunk("It takes 15 days.", 0))
    code, out, _ = shell("drift", *files.options, "--fix")
    assert (1, True) == (code, "re-anchored 0 label(s)" in out)


def test_of_two_copies_none_is_chosen(tmp_path: Path, shell: Shell) -> None:
    """Which one was judged is not known; the published fix takes the first of the file."""
    files = Files(tmp_path, [_label("q1", PLANS, 2)], _chunk(PLANS, 0), _chunk(PLANS, 1))
    assert "re-anchored 0 label(s)" in shell("drift", *files.options, "--fix")[1]


def test_with_documents_evidence_decides(tmp_path: Path, shell: Shell) -> None:
    """The judged text straddles two chunks; its quote stands in one of them."""
    start = TEXT.index("within 30 days")
    row = _label("q1", TEXT, 2)
    row["anchor"] = {
        "v": 1,
        "doc_sha": text_sha(TEXT),
        "span": [0, len(TEXT)],
        "evidence": [{"span": [start, start + 14], "exact": "within 30 days"}],
    }
    chunks = [{**_chunk(PLANS, 0), "start": 0, "end": len(PLANS)}]
    chunks.append({**_chunk(PRICES, 1), "start": len(PLANS) + 2, "end": len(TEXT)})
    files = Files(tmp_path, [row], *chunks)
    documents = tmp_path / "documents.jsonl"
    write_documents(documents, [Document(URI, text_sha(TEXT), TEXT)])
    code, out, _ = shell("drift", *files.options, "--fix", "--documents", documents)
    assert (0, True) == (code, "re-anchored 1 label(s)" in out)
    assert chunks[0]["chunk_id"] == read_judgments(files.labels)[0].chunk_id


def test_a_live_id_on_another_text_is_said_to_be_so(tmp_path: Path, shell: Shell) -> None:
    """The status is the published one, and a warning and the JSON say what it hides."""
    rows = [{**ROWS[0], "chunk_text": PRICES, "text_sha": text_sha(PRICES)}, ROWS[0]]
    rows[1] = {**rows[1], "query_id": "q2"}
    files = Files(tmp_path, rows, SAME)
    code, out, _ = shell("drift", *files.options)
    assert code == 0
    assert "warning: 1 of the VALID labels name a chunk that is not what was judged\n" in out
    findings = json.loads(shell("drift", *files.options, "--json")[1])["findings"]
    assert [("VALID", False), ("VALID", None)] == [
        (finding["status"], finding.get("verified")) for finding in findings
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--fix=all",), "--fix takes no value or spec, got 'all'"),
        (("--dry-run",), "--out, --dry-run and --documents go with --fix"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    tmp_path: Path, shell: Shell, options: tuple[str, ...], expected: str
) -> None:
    """Nothing is ignored."""
    code, _, err = shell("drift", *Files(tmp_path, ROWS, SAME).options, *options)
    assert (2, f"error: {expected}\n") == (code, err)


def test_an_empty_side_is_a_fault(tmp_path: Path, shell: Shell) -> None:
    """Of no labels none has decayed, and of no chunks all have: a dump that failed."""
    files = Files(tmp_path, "// nothing yet\n", SAME)
    assert (2, "", f"error: judgments:1: no judgments [{files.labels}]\n") == shell(
        "drift", *files.options
    )
    files = Files(tmp_path, ROWS)
    assert (2, "", f"error: corpus: no chunks [{files.corpus}]\n") == shell("drift", *files.options)
