"""A fault in params.yaml: one line with the number of the line, whichever stage meets it."""

from __future__ import annotations

import shutil

import pytest

from evergold.pipeline.stage import STAGES
from tests.small_project import SmallProject

FAULTS = [
    ("fingerprint", "size: 512", "size: 0", "chunker.size must be an integer of at least 1, "),
    ("fingerprint", "size: 512", "size: 512.0", "chunker.size must be an integer of at least 1, "),
    ("fingerprint", "size: 512", "size: '512'", "chunker.size must be an integer of at least 1, "),
    ("fingerprint", "size: 512", "size: true", "chunker.size must be an integer of at least 1, "),
    ("fingerprint", "size: 512", "size:", "chunker.size must be an integer of at least 1, "),
    (
        "fingerprint",
        "strategy: recursive",
        "strategy: recursiv",
        "unknown chunker strategy 'recursiv'; expected one of: fixed, recursive",
    ),
    (
        "fingerprint",
        "overlap: 64",
        "overlap: 512",
        "chunker overlap must be at least 0 and smaller than the size of 512, found 512",
    ),
    (
        "fingerprint",
        "overlap: 64",
        "overlap: -1",
        "chunker.overlap must be an integer of at least 0",
    ),
    (
        "fingerprint",
        "unit: tokens",
        "unit: words",
        "chunker.unit cannot be 'words'; expected one of",
    ),
    ("retrieve", "kind: bm25", "kind: bm52", "retriever.kind cannot be 'bm52'; expected one of"),
    ("retrieve", "top_k: 10", "top_k: 0", "retriever.top_k must be an integer of at least 1"),
    ("score", "  - 5", "  - 1", "score.k must list distinct positive integers, found [1, 1]"),
    ("score", "threshold: 1", "threshold: 0", "score.threshold must be an integer of at least 1"),
    ("gate", "recall@5:0.9", "recall@5", "gate 'recall@5': expected <metric>:<threshold>"),
    ("gate", "recall@5:0.9", "recall@5:high", "gate 'recall@5:high': 'high' is not a number"),
    (
        "gate",
        "recall@5:0.9",
        "max-invalid:5",
        "gate 'max-invalid:5': expected a share from 0 to 1, found 5",
    ),
    (
        "reanchor",
        "text: full",
        "text: none",
        "privacy.text cannot be 'none'; expected one of: full, ",
    ),
    (
        "enforce",
        "on_fail: error",
        "on_fail: off",
        "enforce.on_fail cannot be False; expected one of",
    ),
    ("ingest", "path: data/corpus", "path: 7", "corpus.path must be text, found 7"),
]


def last_line(project: SmallProject, capsys: pytest.CaptureFixture[str], stage: str) -> str:
    """Return the one line that a stage ends with, having changed no file, with exit code 2."""
    before = project.files(".")
    capsys.readouterr()
    code = project.run(stage)
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert before == project.files(".")
    [line] = printed.err.splitlines()
    return line


@pytest.mark.parametrize(("stage", "old", "new", "expected"), FAULTS)
def test_a_value_that_cannot_be_used(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    old: str,
    new: str,
    expected: str,
) -> None:
    """The line is that of the value; a list of cuts is named by its key."""
    assert small_project.run() == 0
    number = small_project.line_of("params.yaml", "  k:" if old == "  - 5" else old)
    small_project.edit("params.yaml", old, new)
    assert last_line(small_project, capsys, stage).startswith(
        f"error: params.yaml:{number}: {expected}"
    )


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "  overlap: 64",
            "  ovrlap: 64",
            "unknown key chunker.ovrlap; expected one of: strategy, ",
        ),
        ("enforce:", "enfroce:", "unknown section 'enfroce'; expected one of: corpus, "),
        ("score:", "score: [", "invalid YAML, "),
    ],
)
def test_a_misspelt_or_broken_part_stops_every_stage(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    old: str,
    new: str,
    expected: str,
) -> None:
    """Also a stage that does not read it: a setting is never passed over in silence."""
    number = small_project.line_of("params.yaml", old)
    small_project.edit("params.yaml", old, new)
    line = last_line(small_project, capsys, stage)
    assert expected in line
    if not expected.startswith("invalid"):  # YAML notices a bracket where something else follows
        assert line.startswith(f"error: params.yaml:{number}: ")


@pytest.mark.parametrize(
    ("stage", "key", "name"),
    [
        ("ingest", "  uri_prefix: handbook://\n", "corpus.uri_prefix"),
        ("fingerprint", "  size: 512\n", "chunker.size"),
        ("retrieve", "  top_k: 10\n", "retriever.top_k"),
        ("score", "  threshold: 1\n", "score.threshold"),
        ("enforce", "  on_indeterminate: error\n", "enforce.on_indeterminate"),
    ],
)
def test_a_missing_value_is_named_with_its_section(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    key: str,
    name: str,
) -> None:
    """There is no default that the user did not write."""
    assert small_project.run() == 0
    small_project.edit("params.yaml", key, "")
    number = small_project.line_of("params.yaml", name.partition(".")[0] + ":")
    assert last_line(small_project, capsys, stage) == (
        f"error: params.yaml:{number}: {name} is missing"
    )


def test_an_empty_corpus_is_no_answer(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without documents does not become a snapshot without chunks."""
    shutil.rmtree(small_project.root / "data/corpus")
    (small_project.root / "data/corpus").mkdir()
    expected = "error: the corpus folder data/corpus holds no document with text"
    assert expected == last_line(small_project, capsys, "ingest")


def test_a_document_of_another_encoding_is_named_as_the_user_knows_it(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Path and line of the byte, not the `doc_uri`."""
    small_project.write("data/corpus/sub/old.txt", "eins\nzwei\ndrei Stück\n".encode("cp1252"))
    expected = "error: data/corpus/sub/old.txt:3: not UTF-8: byte 0xfc"
    assert expected == last_line(small_project, capsys, "ingest")


def test_aliases_that_grow_without_end_are_refused(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nine levels of nine would be read as hundreds of millions of values."""
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    small_project.write("params.yaml", "\n".join(levels) + "\n")
    assert small_project.run("ingest") == 2
    assert capsys.readouterr().err == "error: params.yaml:1: more than 10000 entries\n"


def test_a_folder_name_that_no_system_takes_is_refused(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line says why."""
    small_project.edit("params.yaml", "path: data/corpus", f"path: {'x' * 5000}")
    assert small_project.run("ingest") == 2
    assert capsys.readouterr().err == "error: cannot read the corpus folder: File name too long\n"
