"""What a change re-runs, and what it does not: the table of the design, row by row."""

from __future__ import annotations

import json

import pytest
import yaml

from evergold.pipeline.code_deps import code_dependencies
from evergold.pipeline.stage import STAGES
from tests.conftest import FirstRun
from tests.dvc_project import DvcProject
from tests.stage_process import REPOSITORY

ALL = set(STAGES)
SCORE_AND_LATER = {"score", "gate", "report", "enforce"}


def test_a_fresh_clone_runs_every_stage_and_ends_as_committed(first_run: FirstRun) -> None:
    """The first `dvc repro` passes, and lock file, metrics and params are those in git."""
    assert first_run.done.code == 0, first_run.done.output
    # The last stage has no output: where the report is the committed one, its lock still holds.
    assert ALL - {"enforce"} <= first_run.done.ran
    assert first_run.changes == ""


def test_a_second_run_does_nothing(dvc_project: DvcProject) -> None:
    """Without a change no stage runs and `dvc status` is clean."""
    done = dvc_project.dvc("repro")
    assert (done.code, done.ran, done.cached) == (0, set(), set())
    assert "Data and pipelines are up to date." in dvc_project.dvc("status").output
    assert dvc_project.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("name", "pattern", "new", "expected"),
    [
        pytest.param("data/corpus/legal/sla-2026.md", r"\Z", "\nMore.\n", ALL, id="a document"),
        pytest.param(
            "data/golden/judgments.jsonl",
            r"\A(.*?)\"relevance\":[0-9]+",
            r'\1"relevance":5',
            {"drift", "reanchor"} | SCORE_AND_LATER,
            id="a label",
        ),
        pytest.param(
            "params.yaml",
            r"^  top_k: 50$",
            "  top_k: 40",
            {"retrieve"} | SCORE_AND_LATER,
            id="retriever.top_k",
        ),
        pytest.param("params.yaml", r"^  k:\n  - 1$", "  k:\n  - 2", SCORE_AND_LATER, id="score.k"),
        pytest.param(
            "params.yaml",
            r"^gates:\n",
            "gates:\n- recall@1:0.01\n",
            {"gate", "report", "enforce"},
            id="gates",
        ),
        pytest.param(
            "params.yaml", r"^  on_fail: error$", "  on_fail: warn", {"enforce"}, id="enforce"
        ),
    ],
)
def test_a_change_runs_the_stages_that_it_can_matter_to(
    dvc_project: DvcProject, name: str, pattern: str, new: str, expected: set[str]
) -> None:
    """Exactly these stages run, and none of them finds itself in the run cache."""
    dvc_project.edit(name, pattern, new)
    done = dvc_project.dvc("repro")
    assert (done.ran, done.cached) == (expected, set()), done.output
    # A gate may fail on the changed project; nothing else may.
    assert done.code == 0 or "ERROR: failed to reproduce 'enforce'" in done.output


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [("size", "512", "384"), ("overlap", "64", "32"), ("strategy", "recursive", "fixed")],
)
def test_a_setting_of_the_chunker_changes_the_chunks_and_not_the_documents(
    dvc_project: DvcProject, key: str, old: str, new: str
) -> None:
    """DVC sees one changed stage; that all later ones follow is tested with an experiment."""
    dvc_project.edit("params.yaml", f"^  {key}: {old}$", f"  {key}: {new}")
    status = json.loads(dvc_project.dvc("status", "--json").output)
    expected = {"fingerprint": [{"changed deps": {"params.yaml": {f"chunker.{key}": "modified"}}}]}
    assert expected == status


def test_a_comment_or_other_line_ends_in_the_params_re_run_nothing(
    dvc_project: DvcProject,
) -> None:
    """DVC compares values, not the text of params.yaml."""
    text = dvc_project.text("params.yaml")
    changed = "# A remark\n" + text
    (dvc_project.root / "params.yaml").write_bytes(changed.replace("\n", "\r\n").encode())
    done = dvc_project.dvc("repro")
    assert (done.code, done.ran, done.cached) == (0, set(), set())


def test_a_change_of_code_runs_the_stages_that_import_it(
    dvc_project: DvcProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the result is the same, the stages after them are spared."""
    monkeypatch.chdir(REPOSITORY)
    module = "src/evergold/retrieval/words.py"
    importing = {stage for stage in STAGES if module in code_dependencies(stage)}
    assert "retrieve" in importing
    assert "ingest" not in importing
    dvc_project.edit(module, r"\Z", "\n# A remark\n")
    done = dvc_project.dvc("repro")
    assert (done.code, done.ran) == (0, importing)
    lock = yaml.safe_load(dvc_project.text("dvc.lock"))["stages"]
    before = yaml.safe_load(dvc_project.git("show", "HEAD:dvc.lock"))["stages"]
    assert {name: stage.get("outs") for name, stage in lock.items()} == {
        name: stage.get("outs") for name, stage in before.items()
    }


def test_a_clone_without_the_cache_is_up_to_date_by_its_lock_file(
    dvc_project: DvcProject,
) -> None:
    """`dvc repro --allow-missing --dry` finds nothing to do: a cheap check of a pull request."""
    for path in dvc_project.outputs():
        if path.startswith("data/derived/"):
            (dvc_project.root / path).unlink()
    done = dvc_project.dvc("repro", "--allow-missing", "--dry")
    assert (done.code, done.ran) == (0, set()), done.output
    dvc_project.edit("params.yaml", r"^  on_fail: error$", "  on_fail: warn")
    assert dvc_project.dvc("repro", "--allow-missing", "--dry").ran == {"enforce"}
