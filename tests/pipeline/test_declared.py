"""What a stage reads, loads and writes is what dvc.yaml declares, seen from outside the stage."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from evergold.pipeline.accept import accept_labels
from evergold.pipeline.baseline import promote_baseline
from evergold.pipeline.params import Params
from evergold.pipeline.stage import STAGES
from tests.small_project import SmallProject
from tests.stage_process import REPOSITORY, prepare, run_process

DECLARED = yaml.safe_load((REPOSITORY / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
PIPELINE = [name for name in STAGES if name in DECLARED]

# Python tells an audit hook of every file that is opened, listed or renamed.
WATCH = """
import atexit, json, os, sys
seen = {"read": [], "written": [], "modules": []}

def place(path):
    return os.path.relpath(os.path.realpath(os.fsdecode(path)), os.getcwd()).replace(os.sep, "/")

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        if (arguments[1] or "r")[0] == "r":
            seen["read"].append(arguments[0])
    elif event == "os.rename":
        seen["written"].append(arguments[1])

def report():
    found = {name: [place(path) for path in paths] for name, paths in seen.items()}
    found["modules"] = [
        module.__file__ for name, module in sys.modules.items() if name.startswith("evergold")
    ]
    with open(os.environ["WATCHED"], "w") as stream:
        json.dump(found, stream)

sys.addaudithook(watch)
atexit.register(report)
"""


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """Return a project that was run, accepted and promoted, so that every optional file exists."""
    project = SmallProject.create(tmp_path_factory.mktemp("complete"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.root)
        assert project.run() == 0
        accept_labels()
        promote_baseline()
        assert project.run() == 0
    return project


@pytest.fixture(scope="module")
def watched(
    complete: SmallProject, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], dict[str, list[str]]]:
    """Return what gives the files that a stage reads and writes, and those that it is made of."""

    @cache
    def watch(stage: str) -> dict[str, list[str]]:
        folder = tmp_path_factory.mktemp(stage)
        before, log = prepare(folder / "before", WATCH), folder / "watched.json"
        done = run_process(complete.root, stage, before, WATCHED=str(log))
        assert done.returncode == 0, done.stderr
        found: dict[str, list[str]] = json.loads(log.read_bytes())
        return found

    return watch


def named(entries: list[Any]) -> list[str]:
    """Return the paths of deps, outs or metrics, whether they have settings or not."""
    return [next(iter(entry)) if isinstance(entry, dict) else entry for entry in entries]


def data_deps(stage: str) -> set[str]:
    """Return the dependencies of a stage that are no code."""
    deps = named(DECLARED[stage]["deps"])
    data = {dep for dep in deps if not dep.startswith("src/") and dep != "requirements.lock"}
    return {dep.replace("${corpus.path}", "data/corpus") for dep in data}


@pytest.mark.parametrize("stage", PIPELINE)
def test_a_stage_touches_only_what_it_declares(
    watched: Callable[[str], dict[str, list[str]]], stage: str
) -> None:
    """Files read lie in the dependencies, each of which is used; files written are the outputs."""
    found = watched(stage)
    read = {path for path in found["read"] if not path.startswith("..")}
    assert "params.yaml" in read
    assert "data/golden/history.jsonl" not in read
    deps = data_deps(stage)
    homes = {
        path: [dep for dep in deps if path == dep or path.startswith(f"{dep}/")]
        for path in read - {"params.yaml"}
    }
    assert {path for path, home in homes.items() if not home} == set()
    assert {dep for home in homes.values() for dep in home} == deps
    outputs = named([*DECLARED[stage].get("outs", []), *DECLARED[stage].get("metrics", [])])
    assert sorted(found["written"]) == sorted(outputs)


@pytest.mark.parametrize("stage", PIPELINE)
def test_a_stage_loads_only_modules_that_it_depends_on(
    watched: Callable[[str], dict[str, list[str]]], stage: str
) -> None:
    """Every module of ours that is loaded stands among the dependencies, also a lazy one."""
    modules = watched(stage)["modules"]
    loaded = {Path(module).resolve().relative_to(REPOSITORY).as_posix() for module in modules}
    assert f"src/evergold/pipeline/{stage}.py" in loaded
    assert loaded - set(named(DECLARED[stage]["deps"])) == set()


class RecordedParams(Params):
    """Params that know which of their values were asked for."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: set[str] = set()

    def _value(self, name: str) -> Any:
        self.asked.add(name)
        return super()._value(name)

    def each(self, section: str, build: Any) -> Any:
        """Return what `build` makes of each text of a list."""
        self.asked.add(section)
        return super().each(section, build)


@pytest.mark.parametrize("stage", PIPELINE)
def test_a_stage_declares_the_params_that_it_reads(
    complete: SmallProject, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """A param that is read and not declared would change the result and re-run nothing."""
    monkeypatch.chdir(complete.root)
    params = RecordedParams(Path("params.yaml"))
    import_module(f"evergold.pipeline.{stage}").run(params)
    assert params.asked == set(DECLARED[stage].get("params", []))
