"""Reading the cases of `spec/fixtures`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evergold.formats.judgments import read_judgments
from evergold.formats.runs import read_run
from evergold.labels.validate import validate
from evergold.model import Judgment
from evergold.scoring.score import Scores, score

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "spec" / "fixtures"
HANDED = ROOT.parent / "shared" / "conformance"


def expected(case: str) -> dict[str, Any]:
    """Return the stated answers of a case."""
    answers: dict[str, Any] = json.loads((FIXTURES / case / "expected.json").read_text("utf-8"))
    return answers


def labels_of(case: str, name: str = "judgments.jsonl") -> tuple[Judgment, ...]:
    """Return the labels of a case."""
    return read_judgments(FIXTURES / case / name)


def scored(case: str, k: int, threshold: int = 1) -> Scores:
    """Return the scores of the run of a case."""
    return score(labels_of(case), read_run(FIXTURES / case / "run.jsonl"), (k,), threshold)


def values(scores: Scores) -> dict[str, float]:
    """Return the means by name."""
    return {name: measurement.value for name, measurement in scores.metrics.items()}


def without_notes(part: Any) -> Any:
    """Return answers without their prose."""
    if isinstance(part, dict):
        return {name: without_notes(inner) for name, inner in part.items() if name != "note"}
    return part


def issues_of(case: str) -> list[dict[str, str]]:
    """Return the issues of the labels of a case, as the answers state them."""
    return [
        {"severity": issue.severity, "code": issue.code, "message": issue.message}
        for issue in validate(labels_of(case))
    ]
