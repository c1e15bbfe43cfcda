"""A sweep of four chunk sizes through the queue of DVC, two at a time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from evergold.pipeline.stage import STAGES
from tests.conftest import FirstRun
from tests.dvc_project import DvcProject

SIZES = (192, 256, 320, 448)
BOUND = 600.0  # seconds, after which the queue hangs
_INIT = "src/evergold/__init__.py"
_VERSION = r'^__version__ = ".*"$'


@dataclass(frozen=True, slots=True)
class Swept:
    """A project after the sweep: what the queue said, and the git reference of each experiment."""

    project: DvcProject
    status: str
    references: tuple[str, ...]

    def file(self, reference: str, name: str) -> str:
        """Return the text of a committed file of an experiment."""
        return self.project.git("show", f"{reference}:{name}")

    def output(self, reference: str, path: str) -> str:
        """Return the text of a cached output of an experiment."""
        lock = yaml.safe_load(self.file(reference, "dvc.lock"))["stages"].values()
        [digest] = [o["md5"] for s in lock for o in s.get("outs", []) if o["path"] == path]
        return self.project.text(f".dvc/cache/files/md5/{digest[:2]}/{digest[2:]}")


@pytest.fixture(scope="module")
def swept(first_run: FirstRun, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Swept]:
    """Queue four sizes with changed code, take the change back, and let two workers run them."""
    project = first_run.project.copy(tmp_path_factory.mktemp("queue") / "project")
    code = project.text(_INIT)
    project.edit(_INIT, _VERSION, '__version__ = "9.9.9"')
    sizes = ",".join(map(str, SIZES))
    queued = project.dvc(
        "exp", "run", "--queue", "-S", f"chunker.size={sizes}", "-S", "enforce.on_fail=warn"
    )
    assert queued.code == 0, queued.output
    (project.root / _INIT).write_bytes(code.encode("utf-8"))
    try:
        project.dvc("queue", "start", "--jobs", "2")
        status = settled(project, r"\b(?:Queued|Running)\b")
        references = project.git("for-each-ref", "--format=%(refname)", "refs/exps").split()
        yield Swept(project, status, tuple(name for name in references if name.count("/") == 4))
    finally:
        project.dvc("queue", "stop", "--kill")
        settled(project, r"[1-9][0-9]* (?:active|idle)")


def settled(project: DvcProject, busy: str) -> str:
    """Return the status of the queue as soon as it does not match `busy`, or at the bound."""
    end = time.monotonic() + BOUND
    while True:
        status = project.dvc("queue", "status").output
        if not re.search(busy, status) or time.monotonic() > end:
            return status
        time.sleep(4)  # each look costs the workers a second of work


def test_every_queued_experiment_ends_well(swept: Swept) -> None:
    """Four tasks end with success, although gates fail: the sweep asked only for a warning."""
    assert len(re.findall(r"\bSuccess\b", swept.status)) == 4, swept.status


def test_every_size_is_saved_with_its_own_chunks(swept: Swept) -> None:
    """Four experiments, each with its params and a snapshot of its size; smaller is more."""
    sizes: dict[int, int] = {}
    for reference in swept.references:
        params: dict[str, Any] = yaml.safe_load(swept.file(reference, "params.yaml"))
        size = params["chunker"]["size"]
        head = json.loads(swept.output(reference, "data/derived/corpus.jsonl").split("\n")[0])
        assert head["chunker_fingerprint"] == f"recursive/{size}/64"
        sizes[size] = head["chunks"]
    assert sorted(sizes) == list(SIZES)
    counts = [sizes[size] for size in SIZES]
    assert counts == sorted(set(counts), reverse=True)


def test_every_experiment_has_its_metrics_in_git(swept: Swept) -> None:
    """They differ from size to size, and compare without a cache."""
    texts = {swept.file(name, "reports/metrics.json") for name in swept.references}
    assert len(texts) == 4
    assert all("recall@5" in json.loads(text) for text in texts)


def test_queued_runs_execute_the_code_that_was_queued(swept: Swept) -> None:
    """The reports name the version that stood in the code then, not the one that stands there."""
    assert '"9.9.9"' not in swept.project.text(_INIT)
    for reference in swept.references:
        report = json.loads(swept.output(reference, "data/derived/score.json"))
        assert report["tool"]["version"] == "9.9.9"
    assert len(swept.references) == 4


def test_the_workspace_is_left_alone(swept: Swept) -> None:
    """Queued runs work in folders of their own: here nothing changed and nothing has to run."""
    assert swept.project.git("status", "--porcelain") == ""
    done = swept.project.dvc("repro")
    assert (done.code, done.ran & set(STAGES)) == (0, set())
