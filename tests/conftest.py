"""Projects to run: a small one in this process, and copies of this repository for DVC."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.dvc_project import Done, DvcProject
from tests.small_project import SmallProject


@dataclass(frozen=True, slots=True)
class FirstRun:
    """A project after `dvc repro` in a fresh clone, and the files that git saw change."""

    project: DvcProject
    done: Done
    changes: str


def pytest_configure(config: pytest.Config) -> None:
    """Let the tokenizer read its vocabulary the old way; every other warning is an error."""
    config.addinivalue_line(
        "filterwarnings", "ignore:open_binary is deprecated:DeprecationWarning:bpe_openai"
    )


@pytest.fixture
def small_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """Return a project of two documents, as the current folder."""
    monkeypatch.chdir(tmp_path)
    return SmallProject.create(tmp_path)


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    """Return a copy of this repository that was run from nothing, and what that run did."""
    if find_spec("dvc") is None or shutil.which("git") is None:
        pytest.skip("DVC and git are needed")
    folder = tmp_path_factory.mktemp("dvc")
    project = DvcProject.create(folder / "project", folder / "home")
    done = project.dvc("repro")
    changes = project.git("status", "--porcelain")
    project.commit("After the first run")
    return FirstRun(project, done, changes)


@pytest.fixture
def dvc_project(first_run: FirstRun, tmp_path: Path) -> DvcProject:
    """Return a copy of the project after its first run, to change at will."""
    assert first_run.done.code == 0, first_run.done.output
    return first_run.project.copy(tmp_path / "project")
