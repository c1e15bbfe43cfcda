"""A process that is killed while it writes leaves the old file or none, never a part."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from evergold.pipeline.stage import STAGES
from tests.small_project import SmallProject
from tests.stage_process import BOUND, COMMAND, REPOSITORY, environment, prepare, run_process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")

# The bytes of the file are written and not yet in its place: wait there until told to go on.
HOLD = """
import os, pathlib, time
count, write_out = 0, os.fsync

def hold(descriptor):
    global count
    count += 1
    write_out(descriptor)
    if count == int(os.environ["HOLD_AT"]):
        pathlib.Path(os.environ["HELD"]).touch()
        while not pathlib.Path(os.environ["GO_ON"]).exists():
            time.sleep(0.01)

os.fsync = hold
"""
AT = {"SOURCE_DATE_EPOCH": "1700000000"}
ACCEPT = "import sys; from evergold.cli.main import main; sys.argv[1:] = ['accept']; main()"


def outputs(stage: str) -> list[str]:
    """Return the outputs of a stage, metrics included."""
    declared = yaml.safe_load((REPOSITORY / "dvc.yaml").read_text(encoding="utf-8"))["stages"][
        stage
    ]
    entries = [*declared.get("outs", []), *declared.get("metrics", [])]
    return [entry if isinstance(entry, str) else next(iter(entry)) for entry in entries]


WRITES = [(stage, write) for stage in STAGES for write in range(1, len(outputs(stage)) + 1)]


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """Return a project that was run to its end."""
    project = SmallProject.create(tmp_path_factory.mktemp("complete"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.root)
        assert project.run() == 0
    return project


@pytest.fixture
def project(complete: SmallProject, tmp_path: Path) -> SmallProject:
    """Return a copy of the project in a folder of its own."""
    shutil.copytree(complete.root, tmp_path / "project")
    return SmallProject(tmp_path / "project")


@contextmanager
def held(
    project: SmallProject, command: tuple[str, ...], write: int
) -> Iterator[subprocess.Popen[str]]:
    """Start a command and wait until the given write of it stands before its end; kill it after."""
    folder = project.root.parent
    before = prepare(folder / "before", HOLD)
    (before / "evergold").symlink_to(REPOSITORY / "src" / "evergold")
    marks = {"HELD": str(folder / "held"), "GO_ON": str(folder / "go-on"), **AT}
    process = subprocess.Popen(
        command,
        cwd=project.root,
        env=environment(before, HOLD_AT=str(write), **marks),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    with process:
        try:
            end = time.monotonic() + BOUND
            while not (folder / "held").exists():
                if process.poll() is not None or time.monotonic() > end:
                    process.kill()
                    raise AssertionError(f"no write {write}: {process.communicate()[0]}")
                time.sleep(0.01)
            yield process
        finally:
            process.kill()


def temporary(project: SmallProject) -> list[str]:
    """Return the names of temporary files in the project."""
    return [Path(name).name for name in project.files(".") if Path(name).name.startswith(".")]


@pytest.mark.parametrize(("stage", "write"), WRITES)
def test_a_killed_stage_leaves_every_output_whole(
    project: SmallProject, stage: str, write: int
) -> None:
    """Each output is the old one or the new one; the next run ends as if nothing had happened."""
    paths = outputs(stage)
    new = {path: (project.root / path).read_bytes() for path in paths}
    for path in paths:
        project.write(path, "old\n")
    with held(project, (*COMMAND, stage), write):
        pass
    left = {path: (project.root / path).read_bytes() for path in paths}
    renewed = {path for path in paths if left[path] == new[path]}
    assert len(renewed) == write - 1
    assert {path for path in paths if left[path] == b"old\n"} == set(paths) - renewed
    [name] = temporary(project)
    ignored = (REPOSITORY / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert [pattern for pattern in ignored if fnmatch(name, pattern)] == [".*.tmp"]
    assert run_process(project.root, stage).returncode == 0
    assert {path: (project.root / path).read_bytes() for path in paths} == new


@pytest.mark.parametrize("stage", ["ingest", "gate"])
def test_a_killed_stage_leaves_no_output_where_there_was_none(
    project: SmallProject, stage: str
) -> None:
    """DVC removes outputs before a stage runs: a part of one would look like the whole."""
    for path in outputs(stage):
        (project.root / path).unlink()
    with held(project, (*COMMAND, stage), 1):
        pass
    assert [path for path in outputs(stage) if (project.root / path).exists()] == []


@pytest.mark.parametrize("write", [1, 2, 3])
def test_a_killed_accept_leaves_labels_that_can_be_accepted_again(
    project: SmallProject, complete: SmallProject, tmp_path: Path, write: int
) -> None:
    """Labels are written last: the next accept makes the same labels, texts and history."""
    undisturbed = SmallProject(tmp_path / "undisturbed")
    shutil.copytree(complete.root, undisturbed.root)
    labels = project.files("data/golden")["data/golden/judgments.jsonl"]
    with held(project, (sys.executable, "-c", ACCEPT), write):
        pass
    assert project.files("data/golden")["data/golden/judgments.jsonl"] == labels
    for place in (project, undisturbed):
        accept(place)
    golden = {n: d for n, d in project.files("data/golden").items() if not n.endswith(".tmp")}
    assert golden == undisturbed.files("data/golden")


def accept(project: SmallProject) -> None:
    """Accept labels at a fixed time."""
    subprocess.run(
        [sys.executable, "-c", ACCEPT],
        cwd=project.root,
        env=environment(REPOSITORY / "src", **AT),
        stdout=subprocess.DEVNULL,
        timeout=BOUND,
        check=True,
    )


def test_of_two_writers_the_last_one_wins_whole(project: SmallProject, tmp_path: Path) -> None:
    """The file is what one of them wrote, although both wrote at once; no trace is left."""
    project.edit("params.yaml", "size: 512\n  overlap: 64", "size: 20\n  overlap: 0")
    with held(project, (*COMMAND, "fingerprint"), 1) as slow:
        project.edit("params.yaml", "size: 20\n  overlap: 0", "size: 512\n  overlap: 64")
        assert run_process(project.root, "fingerprint").returncode == 0
        fast = project.files("data/derived")["data/derived/corpus.jsonl"]
        assert b"recursive/512/64" in fast
        (tmp_path / "go-on").touch()
        assert slow.wait(BOUND) == 0
    slow_text = project.files("data/derived")["data/derived/corpus.jsonl"]
    head, *chunks = project.rows("data/derived/corpus.jsonl")
    assert head["chunker_fingerprint"] == "recursive/20/0"
    assert head["chunks"] == len(chunks) > 2
    assert slow_text.count(b"recursive/512/64") == 0
    assert temporary(project) == []
