"""`evergold summarize`: scores of judges beside those of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.command import Shell
from tests.small_project import rows

SCHEMA = Path(__file__).resolve().parents[2] / "spec" / "report.schema.json"
# The published example: 0.8, standard deviation 0.158113883008, interval as below.
SCORES = (0.8, 1.0, 0.6, 0.9, 0.7)
FAITHFUL = {
    "value": 0.8,
    "n": 5,
    "stdev": 0.158113883008,
    "ci": [0.603675683852, 0.996324316148],
    "deterministic": False,
}


@pytest.fixture
def options(tmp_path: Path, shell: Shell) -> tuple[str, ...]:
    """Return the options that name five scores and a report of a run that `score` has judged."""
    label = {"query_id": "q", "doc_uri": "d", "chunk_id": "c", "relevance": 1}
    (tmp_path / "labels.jsonl").write_text(rows([label]), encoding="utf-8")
    run = rows([{"query_id": "q", "ranking": ["c"]}])
    (tmp_path / "run.jsonl").write_text(run, encoding="utf-8")
    files = ("--judgments", tmp_path / "labels.jsonl", "--run", tmp_path / "run.jsonl")
    code, _, err = shell(
        "score", *files, "--gate", "recall@10:0.9", "--out", tmp_path / "report.json"
    )
    assert (0, "") == (code, err)
    _write(tmp_path, [{"metric": "faithful", "score": score} for score in SCORES])
    names = ("--samples", tmp_path / "samples.jsonl", "--report", tmp_path / "report.json")
    return ("summarize", *map(str, names))


def _write(folder: Path, samples: list[dict[str, Any]]) -> None:
    (folder / "samples.jsonl").write_text(rows(samples), encoding="utf-8")


def test_measurements_are_shown_with_their_intervals(
    options: tuple[str, ...], shell: Shell
) -> None:
    """One line each, then the verdict."""
    code, out, err = shell(*options)
    assert (0, "faithful  0.8000  [0.6037, 0.9963]  n 5\n\nPASS\n", "") == (code, out, err)


def test_a_report_gets_the_measurements(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """All else in it stays, and it is the JSON that is printed."""
    before = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    code, out, err = shell(*options, "--json", "--out", tmp_path / "after.json")
    after = json.loads((tmp_path / "after.json").read_text(encoding="utf-8"))
    assert (0, "", after) == (code, err, json.loads(out))
    jsonschema.validate(after, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert FAITHFUL == after["metrics"].pop("faithful")
    assert before == after


def test_gates_judge_the_measurements(options: tuple[str, ...], shell: Shell) -> None:
    """Those that the report was judged by stay, and count."""
    gate = "faithful:ci-lower:0.61"
    code, out, _ = shell(*options, "--gate", gate, "--json")
    verdict = json.loads(out)["verdict"]
    assert (1, "FAIL") == (code, verdict["status"])
    assert ["recall@10:0.9", gate] == [found["expression"] for found in verdict["gates"]]
    assert ["faithful lower bound is 0.6037, below 0.61"] == verdict["reasons"]
    assert 0 == shell(*options, "--gate", "faithful:ci-lower:0.6")[0]


def test_measurements_can_be_made_anew(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """A second round of scores replaces the first."""
    shell(*options, "--out", tmp_path / "after.json")
    _write(tmp_path, [{"metric": "faithful", "query_id": "q", "score": 0.5}])
    code, out, _ = shell(*options[:4], tmp_path / "after.json", "--json")
    assert 0 == code
    expected = {"value": 0.5, "n": 1, "deterministic": False}
    assert expected == json.loads(out)["metrics"]["faithful"]


def test_scores_of_a_run_are_not_replaced(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """A judge's score under the name of a metric would pass for it."""
    _write(tmp_path, [{"metric": "recall@10", "score": 1}])
    code, out, err = shell(*options, "--out", tmp_path / "after.json")
    report, samples = tmp_path / "report.json", tmp_path / "samples.jsonl"
    message = f"error: samples: recall@10 is a metric of the report {report} [{samples}]\n"
    assert (2, "", message) == (code, out, err)
    assert not (tmp_path / "after.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "report: expected a retrieval report with metrics"),
        ('{"metrics":{}}', "report: expected a retrieval report with verdict"),
    ],
)
def test_what_is_no_report_is_refused(
    options: tuple[str, ...], shell: Shell, tmp_path: Path, text: str, message: str
) -> None:
    """Measurements alone are no report."""
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    assert (2, "", f"error: {message} [{path}]\n") == shell(*options)


def test_the_report_is_not_written_over(
    options: tuple[str, ...], shell: Shell, tmp_path: Path
) -> None:
    """An input is never an output."""
    report = tmp_path / "report.json"
    expected = f"error: --out {report} is one of the inputs\n"
    assert (2, "", expected) == shell(*options, "--out", report)
