"""`dvc repro` that fails or is killed: what is kept, what is said, and what runs again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import FirstRun
from tests.dvc_project import Done, DvcProject
from tests.stage_process import BOUND, prepare

FLOOR = "recall@5:0.999"


@dataclass(frozen=True, slots=True)
class Failed:
    """Two runs in a project whose gate fails, and the outputs after each."""

    project: DvcProject
    first: Done
    outputs: dict[str, bytes]
    second: Done
    outputs_again: dict[str, bytes]


@pytest.fixture(scope="module")
def failed(first_run: FirstRun, tmp_path_factory: pytest.TempPathFactory) -> Failed:
    """Return a project with a floor that is out of reach, after two runs."""
    project = first_run.project.copy(tmp_path_factory.mktemp("failed") / "project")
    project.edit("params.yaml", r"^gates:\n", f"gates:\n- {FLOOR}\n")
    first = project.dvc("repro")
    outputs = project.outputs()
    return Failed(project, first, outputs, project.dvc("repro"), project.outputs())


def test_a_failing_gate_fails_the_run_and_names_metric_value_and_floor(failed: Failed) -> None:
    """The reason stands on the console with the numbers; the last stage is the one that failed."""
    assert failed.first.code != 0
    assert failed.first.ran == {"gate", "report", "enforce"}
    value = failed.project.json("reports/metrics.json")["recall@5"]
    reason = f"error: verdict FAIL: recall@5 is {value:.4f}, below 0.999\n"
    assert reason in failed.first.output
    assert "failed to reproduce 'enforce'" in failed.first.output


def test_every_report_of_a_failing_run_is_there(failed: Failed, first_run: FirstRun) -> None:
    """The verdict is FAIL in the reports and the metrics, and no output is missing."""
    assert set(failed.outputs) == set(first_run.project.outputs())
    assert failed.project.json("reports/verdict.json")["verdict"] == "FAIL"
    report = failed.project.json("reports/report.json")
    assert report["verdict"]["status"] == "FAIL"
    assert report["verdict"]["gates"][0]["expression"] == FLOOR
    assert failed.outputs["reports/report.md"].startswith(b"# FAIL\n")


def test_a_second_run_enforces_again_and_nothing_else(failed: Failed) -> None:
    """All other stages are locked; the verdict does not wear off."""
    assert failed.second.code != 0
    assert (failed.second.ran, failed.second.cached) == ({"enforce"}, set())
    assert failed.outputs == failed.outputs_again


# Waits where `score` has written a file and not yet put it in its place.
HOLD = """
import os, pathlib, sys, time
write_out = os.fsync

def hold(descriptor):
    write_out(descriptor)
    pathlib.Path(os.environ["HELD"]).touch()
    time.sleep(600)

if "stage.py" in "".join(sys.orig_argv) and sys.orig_argv[-1] == "score":
    os.fsync = hold
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups to kill")
def test_a_killed_run_is_taken_up_again(dvc_project: DvcProject, tmp_path: Path) -> None:
    """Killed inside `score`, DVC finds no half output and the next run ends with the same bytes."""
    before = dvc_project.outputs()
    dvc_project.forget("data/derived/score.json")
    marks = {"PYTHONPATH": str(prepare(tmp_path / "before", HOLD)), "HELD": str(tmp_path / "held")}
    with subprocess.Popen(
        [sys.executable, "-m", "dvc", "repro"],
        cwd=dvc_project.root,
        env={**dvc_project.environment, **marks},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            end = time.monotonic() + BOUND
            while not (tmp_path / "held").exists() and time.monotonic() < end:
                assert process.poll() is None
                time.sleep(0.05)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert (tmp_path / "held").exists()
    assert not (dvc_project.root / "data/derived/score.json").exists()
    done = dvc_project.dvc("repro")
    assert done.code == 0, done.output
    assert done.ran == {"score"}
    assert before == dvc_project.outputs()
    assert dvc_project.git("status", "--porcelain") == ""
