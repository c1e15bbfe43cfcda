"""`evergold stage`: the same as `python src/stage.py`, by another name."""

from __future__ import annotations

import sys

import pytest

from evergold.cli.main import main
from evergold.pipeline.stage import STAGES
from tests.small_project import SmallProject


def stage(monkeypatch: pytest.MonkeyPatch, name: str) -> object:
    """Run a stage by the command line and return the exit code."""
    monkeypatch.setattr(sys, "argv", ["evergold", "stage", name])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


def test_it_writes_and_prints_what_the_stage_does(
    small_project: SmallProject,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Outputs and console are equal, stage by stage."""
    for name in STAGES:
        assert small_project.run(name) == 0
        expected = capsys.readouterr()
        before = small_project.files(".")
        assert stage(monkeypatch, name) == 0
        assert expected == capsys.readouterr()
        assert before == small_project.files(".")


@pytest.mark.parametrize(
    ("gate", "expected"), [("recall@5:1.5", 1), ("recall@5:-0.02", 3), ("recall@5:0.9", 0)]
)
def test_the_exit_code_is_that_of_the_verdict(
    small_project: SmallProject, monkeypatch: pytest.MonkeyPatch, gate: str, expected: int
) -> None:
    """FAIL is 1, INDETERMINATE is 3."""
    small_project.edit("params.yaml", "recall@5:0.9", gate)
    assert small_project.run_through("report") == 0
    assert stage(monkeypatch, "enforce") == expected


def test_a_fault_is_one_line_and_exit_code_2(
    small_project: SmallProject,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The line is that of the stage."""
    small_project.edit("params.yaml", "path: data/corpus", "path: data/none")
    assert stage(monkeypatch, "ingest") == 2
    expected = "error: the corpus folder data/none does not exist\n"
    assert expected == capsys.readouterr().err
