"""Rules that keep DVC from serving stale results or losing a run, checked without running it."""

from __future__ import annotations

import configparser
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from evergold.pipeline.code_deps import with_code_dependencies
from tests.stage_process import REPOSITORY

TEXT = (REPOSITORY / "dvc.yaml").read_text(encoding="utf-8")
PIPELINE = yaml.safe_load(TEXT)
STAGES: dict[str, dict[str, Any]] = PIPELINE["stages"]
PARAMS = yaml.safe_load((REPOSITORY / "params.yaml").read_text(encoding="utf-8"))
# The run cache leaves these keys out of what it compares: treeverse/dvc#10296.
LEFT_OUT = {"size", "nfiles"}


def named(entries: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the settings of each dep, out or metric."""
    for entry in entries:
        if isinstance(entry, dict):
            yield from entry.items()
        else:
            yield entry, {}


def paths(stage: str, *kinds: str) -> list[str]:
    """Return the paths that a stage declares under the given kinds."""
    entries = [named(STAGES[stage].get(kind, [])) for kind in kinds]
    return [path for kind in entries for path, _ in kind]


def param(name: str) -> Any:
    """Return the value of a param by its dotted key."""
    value = PARAMS
    for key in name.split("."):
        value = value[key]
    return value


def keys(value: Any) -> Iterator[str]:
    """Yield every key at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def git(*arguments: str) -> str:
    """Return what git says of this repository; skip where it is no repository."""
    done = subprocess.run(
        ["git", *arguments], cwd=REPOSITORY, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode == 128:
        pytest.skip("not a git repository")
    return done.stdout


@pytest.mark.parametrize("stage", STAGES)
def test_params_are_tracked_leaf_by_leaf(stage: str) -> None:
    """A tracked param is a value or a list of values, never a group of keys."""
    tracked = STAGES[stage].get("params", [])
    assert [name for name in tracked if not isinstance(name, str)] == []
    assert [name for name in tracked if isinstance(param(name), dict)] == []


@pytest.mark.parametrize("stage", STAGES)
def test_no_tracked_param_has_a_key_that_the_run_cache_leaves_out(stage: str) -> None:
    """`size` and `nfiles` as keys, at the top or inside, would make two settings look the same."""
    tracked = STAGES[stage].get("params", [])
    assert LEFT_OUT & set(tracked) == set()
    assert [name for name in tracked if LEFT_OUT & set(keys(param(name)))] == []


def test_the_lock_file_holds_no_param_that_the_run_cache_leaves_out() -> None:
    """What DVC wrote down for each stage is what its run cache compares."""
    lock = yaml.safe_load((REPOSITORY / "dvc.lock").read_text(encoding="utf-8"))["stages"]
    held = [stage.get("params", {}).get("params.yaml", {}) for stage in lock.values()]
    assert any(held)
    assert LEFT_OUT & set(keys(held)) == set()


def test_no_key_of_the_params_has_an_at_sign() -> None:
    """DVC cannot set such a key on its command line."""
    assert [key for key in keys(PARAMS) if "@" in key] == []


@pytest.mark.parametrize("stage", STAGES)
def test_a_command_runs_the_code_of_its_own_folder(stage: str) -> None:
    """`python src/stage.py NAME` is code of the copy that an experiment runs in."""
    assert STAGES[stage]["cmd"] == f"python src/stage.py {stage}"


def test_code_dependencies_are_those_of_the_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make deps` would change nothing."""
    monkeypatch.chdir(REPOSITORY)
    assert with_code_dependencies(TEXT) == TEXT


@pytest.mark.parametrize("stage", STAGES)
def test_outputs_are_cached_and_only_metrics_are_not(stage: str) -> None:
    """An uncached output that is no metric would switch the run cache off, and so would persist."""
    outs = dict(named(STAGES[stage].get("outs", [])))
    assert {path: settings for path, settings in outs.items() if settings} == {}
    metrics = dict(named(STAGES[stage].get("metrics", [])))
    assert [path for path, settings in metrics.items() if settings != {"cache": False}] == []
    assert set(STAGES[stage]) <= {"desc", "cmd", "deps", "params", "outs", "metrics"}


@pytest.mark.parametrize("stage", STAGES)
def test_no_output_is_also_a_dependency_or_lies_in_one(stage: str) -> None:
    """Nor does any stage write into the folders that people keep."""
    outputs = paths(stage, "outs", "metrics")
    kept = [*paths(stage, "deps"), "data/golden", "data/baseline", "data/corpus", "src", "spec"]
    clashes = [
        (output, dep)
        for output in outputs
        for dep in kept
        if output == dep or output.startswith(f"{dep}/") or dep.startswith(f"{output}/")
    ]
    assert clashes == []


@pytest.mark.parametrize("stage", [name for name in STAGES if "outs" in STAGES[name]])
def test_cached_outputs_are_ignored_by_git(stage: str) -> None:
    """DVC loses its own ignore lines when a later stage fails, so ours stand there already."""
    outs = paths(stage, "outs")
    assert git("check-ignore", *outs).split() == outs


METRICS = [path for name in STAGES for path in paths(name, "metrics")]


@pytest.mark.parametrize("path", METRICS)
def test_metrics_are_committed(path: str) -> None:
    """A comparison with another commit needs no remote and no cache."""
    assert git("ls-files", path).split() == [path]


def refuse(constant: str) -> None:
    """Refuse NaN and the infinities, which are no JSON."""
    raise ValueError(f"{constant} is not JSON")


@pytest.mark.parametrize("path", METRICS)
def test_metrics_are_flat_numbers_and_words(path: str) -> None:
    """No list, no nested object, no NaN, no dot in a key: DVC shows each as one column."""
    text = (REPOSITORY / path).read_text(encoding="utf-8")
    metrics = json.loads(text, parse_constant=refuse)
    assert metrics
    found = [key for key, value in metrics.items() if not isinstance(value, int | float | str)]
    assert found == []
    assert [key for key in metrics if not re.fullmatch(r"[a-z_]+(@[0-9]+)?", key)] == []


def test_metrics_of_different_files_have_different_names() -> None:
    """`dvc exp show` has one column for each name, whatever file it comes from."""
    found = [
        key
        for path in METRICS
        for key in json.loads((REPOSITORY / path).read_text(encoding="utf-8"))
    ]
    assert sorted(found) == sorted(set(found))


def test_there_is_one_pipeline_file() -> None:
    """`dvc repro` would pass over one in a sub-folder."""
    assert git("ls-files", "dvc.yaml", "**/dvc.yaml").split() == ["dvc.yaml"]
    assert git("ls-files", "dvc.lock", "**/dvc.lock").split() == ["dvc.lock"]


def test_the_lock_file_knows_every_stage_with_its_command() -> None:
    """A stage without a lock would run in every fresh clone."""
    lock = yaml.safe_load((REPOSITORY / "dvc.lock").read_text(encoding="utf-8"))["stages"]
    assert {name: stage["cmd"] for name, stage in lock.items()} == {
        name: stage["cmd"] for name, stage in STAGES.items()
    }


def dvc_config() -> configparser.ConfigParser:
    """Return the settings of DVC that are committed."""
    config = configparser.ConfigParser()
    config.read_string(git("show", "HEAD:.dvc/config"))
    return config


def test_dvc_sends_no_analytics_and_looks_for_no_update() -> None:
    """Both would use the network of whoever runs the pipeline."""
    core = dvc_config()["core"]
    assert (core["analytics"], core["check_update"]) == ("false", "false")


def test_nothing_composes_or_rewrites_the_params() -> None:
    """Hydra composition would overwrite params.yaml with each experiment."""
    config = dvc_config()
    assert [section for section in config.sections() if "hydra" in section] == []
    assert set(PIPELINE) <= {"stages", "plots"}


@pytest.mark.parametrize(
    "path",
    ["params.yaml", "dvc.yaml", "src/stage.py", "data/golden/judgments.jsonl", "data/corpus/x.md"],
)
def test_git_checks_text_out_with_line_feeds(path: str) -> None:
    """The same text with CR LF would be another text for DVC."""
    assert git("check-attr", "eol", path).strip() == f"{path}: eol: lf"


def test_folders_that_are_dependencies_hide_compiled_code() -> None:
    """DVC does not read .gitignore: compiled modules and temporary files are named in its own."""
    lines = (REPOSITORY / ".dvcignore").read_text(encoding="utf-8").splitlines()
    assert {"__pycache__", "*.pyc", ".*.tmp"} <= set(lines)


def test_an_experiment_changes_one_line_of_the_params(tmp_path: Path) -> None:
    """The file stands in the form in which DVC writes it, comments and lists included."""
    pytest.importorskip("ruamel.yaml")
    before = (REPOSITORY / "params.yaml").read_text(encoding="utf-8")
    path = tmp_path / "params.yaml"
    path.write_text(before, encoding="utf-8", newline="\n")
    code = (
        "import sys; from dvc.utils.serialize import modify_yaml\n"
        "with modify_yaml(sys.argv[1]) as data: data['chunker']['size'] = 383\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=120)
    after = path.read_text(encoding="utf-8")
    size = f"  size: {PARAMS['chunker']['size']}\n"
    assert before.count(size) == 1
    assert before.replace(size, "  size: 383\n") == after
