"""Stages by name: which exist, how they end, and that the same inputs give the same bytes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from evergold.pipeline.stage import STAGES, run_stage
from tests.small_project import SmallProject
from tests.stage_process import BOUND, COMMAND, REPOSITORY, environment, run_process


def test_dvc_has_exactly_these_stages_in_this_order() -> None:
    """Every stage of dvc.yaml can be run, and every stage that can be run is in dvc.yaml."""
    declared = yaml.safe_load((REPOSITORY / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    assert set(declared) == set(STAGES)


@pytest.mark.parametrize("arguments", [[], ["none"], ["ingest", "drift"], [""], ["params"]])
def test_anything_but_the_name_of_one_stage_is_a_usage_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The stages are listed on one line of stderr, and the exit code is 2."""
    assert run_stage(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: expected the name of one stage: ingest, fingerprint, ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_outside_a_project_names_what_is_missing(
    stage: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a folder without params.yaml every stage is one line and exit code 2."""
    monkeypatch.chdir(tmp_path)
    assert run_stage([stage]) == 2
    expected = "error: cannot read params.yaml: no such file or directory\n"
    assert expected == capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_stage_before_its_turn_names_the_file_that_it_misses(
    stage: str, small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the outputs of earlier stages there is one line, and nothing is written."""
    assert run_stage([stage]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: cannot read ")
    assert error.endswith(": no such file or directory\n")
    assert error.count("\n") == 1
    assert small_project.files("data/derived") == small_project.files("reports") == {}


def test_a_stage_run_twice_writes_the_same_bytes(small_project: SmallProject) -> None:
    """No output has a time stamp, a random part or a trace of the run before."""
    assert small_project.run() == 0
    before = {**small_project.files("data/derived"), **small_project.files("reports")}
    assert small_project.run() == 0
    assert {**small_project.files("data/derived"), **small_project.files("reports")} == before


def test_another_place_time_zone_locale_and_hash_seed_give_the_same_bytes(
    small_project: SmallProject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Only inputs and params decide on the outputs."""
    assert small_project.run() == 0
    elsewhere = SmallProject(tmp_path_factory.mktemp("else where") / "projét")
    shutil.copytree(small_project.root, elsewhere.root)
    for folder in ("data/derived", "reports"):
        shutil.rmtree(elsewhere.root / folder)
    for stage in STAGES:
        done = run_process(
            elsewhere.root, stage, PYTHONHASHSEED="7", LC_ALL="C", TZ="Asia/Kathmandu", LANG="C"
        )
        assert (done.returncode, done.stderr) == (0, "")
    for folder in ("data/derived", "reports"):
        assert small_project.files(folder) == elsewhere.files(folder)


def test_the_order_in_which_files_were_made_does_not_matter(
    small_project: SmallProject,
) -> None:
    """A corpus that was written in another order, or again, is the same corpus."""
    assert small_project.run() == 0
    before = small_project.files("data/derived")
    corpus = small_project.files("data/corpus")
    shutil.rmtree(small_project.root / "data/corpus")
    for name, data in reversed(corpus.items()):
        small_project.write(name, data)
    assert small_project.run() == 0
    assert before == small_project.files("data/derived")


def test_a_python_without_the_dependencies_says_what_to_do(small_project: SmallProject) -> None:
    """The stage names the missing module and this Python in one line, with exit code 2."""
    bare = [sys.executable, "-S", *COMMAND[1:], "ingest"]  # -S: no site-packages
    done = subprocess.run(
        bare,
        cwd=small_project.root,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=BOUND,
        check=False,
    )
    expected = (
        f"error: this Python ({sys.executable}) has no module 'yaml';"
        " run `make repro`, or put .venv/bin first in PATH\n"
    )
    assert (done.returncode, done.stderr) == (2, expected)
