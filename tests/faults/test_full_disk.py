"""A disk that is full: one line, the old files, and no trace of the attempt."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.small_project import SmallProject
from tests.stage_process import BOUND, REPOSITORY, environment, prepare, run_process

pytest.importorskip("resource", reason="a limit on the size of files is a matter of POSIX")

# No file may grow beyond 16 bytes: the system refuses the rest as on a full disk.
LIMIT = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
"""
MAIN = "from evergold.cli.main import main; main()"


@pytest.mark.parametrize(
    ("stage", "first_output"),
    [
        ("ingest", "data/derived/documents.jsonl"),
        ("fingerprint", "data/derived/corpus.jsonl"),
        ("drift", "data/derived/findings.json"),
        ("reanchor", "data/derived/judgments.jsonl"),
        ("retrieve", "data/derived/run.jsonl"),
        ("score", "data/derived/score.json"),
        ("gate", "data/derived/verdict.json"),
        ("report", "reports/report.json"),
    ],
)
def test_a_stage_that_cannot_write_leaves_everything_as_it_was(
    small_project: SmallProject,
    tmp_path_factory: pytest.TempPathFactory,
    stage: str,
    first_output: str,
) -> None:
    """The error names the file and the reason; the old output is there, a temporary file is not."""
    assert small_project.run() == 0
    small_project.write(first_output, "old\n")
    before = small_project.files(".")
    done = run_process(
        small_project.root, stage, prepare(tmp_path_factory.mktemp(stage) / "before", LIMIT)
    )
    expected = f"error: cannot write {first_output}: file too large\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
    assert before == small_project.files(".")


@pytest.mark.parametrize(
    ("command", "first_output"),
    [("accept", "data/golden/documents.jsonl"), ("baseline", "data/baseline/score.json")],
)
def test_a_command_that_cannot_write_leaves_everything_as_it_was(
    small_project: SmallProject,
    tmp_path_factory: pytest.TempPathFactory,
    command: str,
    first_output: str,
) -> None:
    """The golden set and the baseline are those that were there."""
    assert small_project.run() == 0
    before = small_project.files(".")
    code = prepare(tmp_path_factory.mktemp(command) / "before", LIMIT)
    (code / "evergold").symlink_to(REPOSITORY / "src" / "evergold")
    done = subprocess.run(
        [sys.executable, "-c", MAIN, command],
        cwd=small_project.root,
        env=environment(code),
        capture_output=True,
        encoding="utf-8",
        timeout=BOUND,
        check=False,
    )
    expected = f"error: cannot write {first_output}: file too large\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
    assert before == small_project.files(".")
