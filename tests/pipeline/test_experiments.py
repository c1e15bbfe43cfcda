"""Experiments: another chunk size and back, compared, listed and taken from the run cache."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

import pytest

from evergold.pipeline.stage import STAGES
from tests.conftest import FirstRun
from tests.dvc_project import Done, DvcProject


@dataclass(frozen=True, slots=True)
class There:
    """What an experiment with chunks of 384 tokens did, and what could be seen after it."""

    project: DvcProject
    outputs_before: dict[str, bytes]
    done: Done
    outputs: dict[str, bytes]
    params_changed: str
    shown: Done
    metrics: Done
    params: Done


@dataclass(frozen=True, slots=True)
class Back:
    """The experiment with 512 tokens after it."""

    there: There
    done: Done
    outputs: dict[str, bytes]


@pytest.fixture(scope="module")
def there(first_run: FirstRun, tmp_path_factory: pytest.TempPathFactory) -> There:
    """Return what the first experiment did."""
    project = first_run.project.copy(tmp_path_factory.mktemp("there") / "project")
    before = project.outputs()
    done = project.dvc(
        "exp", "run", "--name", "smaller", "-S", "chunker.size=384", "-S", "enforce.on_fail=warn"
    )
    return There(
        project=project,
        outputs_before=before,
        done=done,
        outputs=project.outputs(),
        params_changed=project.git("diff", "--numstat", "--", "params.yaml"),
        shown=project.dvc("exp", "show", "--csv"),
        metrics=project.dvc("metrics", "diff", "--json"),
        params=project.dvc("params", "diff", "--json"),
    )


@pytest.fixture(scope="module")
def back(there: There) -> Back:
    """Return what the experiment that goes back did."""
    done = there.project.dvc(
        "exp", "run", "--name", "back", "-S", "chunker.size=512", "-S", "enforce.on_fail=error"
    )
    return Back(there, done, there.project.outputs())


def chunks(outputs: dict[str, bytes]) -> int:
    """Return the number of chunks that the head line of the snapshot announces."""
    head = json.loads(outputs["data/derived/corpus.jsonl"].splitlines()[0])
    number: int = head["chunks"]
    return number


def columns(there: There) -> dict[str, dict[str, str]]:
    """Return the rows of `dvc exp show` by the name of the experiment or its revision."""
    rows = csv.DictReader(io.StringIO(there.shown.output))
    return {row["Experiment"] or row["rev"]: row for row in rows}


def test_another_chunk_size_runs_everything_but_ingest(there: There) -> None:
    """The documents are those that were there; nothing comes from a cache."""
    assert there.done.code == 0, there.done.output
    assert (there.done.ran, there.done.cached) == (set(STAGES) - {"ingest"}, set())


def test_two_sizes_give_different_chunks(there: There) -> None:
    """Smaller chunks are more: the run cache did not serve those of the other size."""
    assert chunks(there.outputs) > chunks(there.outputs_before)
    fingerprint = json.loads(there.outputs["data/derived/score.json"])["corpus"]["fingerprint"]
    assert fingerprint.startswith("recursive/384/64@")


def test_metrics_follow_the_chunks(there: There) -> None:
    """Labels were re-anchored, and the scores are others."""
    drift = json.loads(there.outputs["reports/drift.json"])
    assert drift["invalid_ratio"] == 1.0
    assert drift["re_anchored"] > 0
    assert there.outputs["reports/metrics.json"] != there.outputs_before["reports/metrics.json"]


def test_params_change_in_the_lines_that_were_set_and_no_other(there: There) -> None:
    """DVC writes params.yaml anew; a review sees two lines."""
    assert there.params_changed == "2\t2\tparams.yaml\n"
    expected = {
        "params.yaml": {
            "chunker.size": {"old": 512, "new": 384, "diff": -128},
            "enforce.on_fail": {"old": "error", "new": "warn"},
        }
    }
    assert expected == json.loads(there.params.output)


def test_the_experiment_is_listed_with_its_metrics(there: There) -> None:
    """`dvc exp show` has a row for it, with the recall and the size of that run."""
    row = columns(there)["smaller"]
    assert row["chunker.size"] == "384"
    recall = json.loads(there.outputs["reports/metrics.json"])["recall@5"]
    assert float(row["recall@5"]) == recall
    baseline = json.loads(there.outputs_before["reports/metrics.json"])["recall@5"]
    assert float(columns(there)["main"]["recall@5"]) == baseline


def test_the_difference_of_the_metrics_can_be_reviewed(there: There) -> None:
    """`dvc metrics diff` has old and new value of exactly those metrics that moved."""
    found: dict[str, dict[str, Any]] = json.loads(there.metrics.output)
    for path in ("reports/metrics.json", "reports/drift.json"):
        old = json.loads(there.outputs_before[path])
        new = json.loads(there.outputs[path])
        moved = {name for name in old if old[name] != new[name]}
        assert moved
        assert set(found[path]) == moved
        assert {n: (d["old"], d["new"]) for n, d in found[path].items()} == {
            n: (old[n], new[n]) for n in moved
        }


def test_the_way_back_ends_where_it_began(back: Back) -> None:
    """After 512, 384, 512 every output is the same to the byte, and so are params and lock."""
    assert back.done.code == 0, back.done.output
    assert back.there.outputs_before == back.outputs
    assert back.there.project.git("status", "--porcelain") == ""


def test_the_way_back_comes_from_the_run_cache(back: Back) -> None:
    """Only `enforce`, which has no output to restore, runs."""
    assert back.done.ran == {"enforce"}
    assert back.done.cached == set(STAGES) - {"ingest", "enforce"}
