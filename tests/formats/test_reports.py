"""Reports as files: what another tool may leave out, and what no report can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError
from evergold.formats.reports import read_report, read_verdict

WHOLE: dict[str, Any] = {
    "corpus": {"fingerprint": None},
    "judgments": {
        "queries": 1,
        "queries_scored": 1,
        "labels": 1,
        "human_labels": 0,
        "synthetic_labels": 0,
    },
    "metrics": {"recall@1": {"value": 1.0, "n": 1, "ci": [0.5, 1.0]}},
    "per_stratum": {"a": {"n": 1, "metrics": {"recall@1": {"value": 1.0}}}},
    "verdict": {"status": "PASS", "reasons": [], "gates": []},
    "settings": {"k": [1], "threshold": 1},
    "per_query": {"q": {"recall@1": 1.0}},
}


def _written(folder: Path, value: object) -> Path:
    path = folder / "report.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_report_is_read_as_it_is(tmp_path: Path) -> None:
    """Nothing is added and nothing dropped."""
    assert WHOLE == read_report(_written(tmp_path, WHOLE), complete=True)


def test_only_the_metrics_are_needed_of_another_tool(tmp_path: Path) -> None:
    """A baseline may come from a tool that writes less."""
    assert {"metrics": {}} == read_report(_written(tmp_path, {"metrics": {}}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("metrics", [1]),
        ("metrics", {"recall@1": 1.0}),
        ("metrics", {"recall@1": {"value": True}}),
        ("metrics", {"recall@1": {"value": 10**400}}),
        ("metrics", {"recall@1": {"value": 1.0, "ci": [0.5]}}),
        ("metrics", {"recall@1": {"value": 1.0, "ci": [0.5, "1"]}}),
        ("judgments", 3),
        ("judgments", {"drift": []}),
        ("judgments", {"drift": {"invalid_ratio": "1"}}),
        ("corpus", "x"),
        ("verdict", "PASS"),
        ("verdict", {"status": "GOOD"}),
        ("verdict", {"status": "PASS", "reasons": [1]}),
        ("verdict", {"status": "PASS", "gates": [{"expression": "a:1"}]}),
        ("verdict", {"status": "PASS", "gates": [{"expression": 1, "status": "PASS"}]}),
        (
            "verdict",
            {"status": "PASS", "gates": [{"expression": "a", "status": "PASS", "observed": "1"}]},
        ),
        ("settings", []),
        ("settings", {"k": 3}),
        ("per_query", {"q": 1}),
        ("per_query", {"q": {"recall@1": None}}),
        ("per_stratum", {"a": {"metrics": {}}}),
        ("per_stratum", {"a": {"n": 1, "metrics": 1}}),
        ("resolution_summary", {"SAME": 0.5}),
    ],
)
def test_a_part_of_another_shape_is_refused(tmp_path: Path, name: str, value: object) -> None:
    """The error names the part, whether or not the report is ours."""
    for complete in (False, True):
        path = _written(tmp_path, {**WHOLE, name: value})
        with pytest.raises(InputError) as error:
            read_report(path, source="baseline", complete=complete)
        assert f"baseline: expected a retrieval report with {name}" == str(error.value)


@pytest.mark.parametrize("name", ["judgments", "corpus", "verdict", "settings", "per_query"])
def test_a_report_of_ours_has_every_part(tmp_path: Path, name: str) -> None:
    """One that lacks a part was not written by a stage."""
    path = _written(tmp_path, {key: value for key, value in WHOLE.items() if key != name})
    assert name not in read_report(path)
    with pytest.raises(InputError, match=f"expected a retrieval report with {name}"):
        read_report(path, complete=True)


@pytest.mark.parametrize(
    ("part", "name"),
    [("judgments", "labels"), ("settings", "k"), ("settings", "threshold"), ("verdict", "reasons")],
)
def test_a_report_of_ours_has_what_is_in_every_part(tmp_path: Path, part: str, name: str) -> None:
    """A part that lacks a value is refused as well."""
    lacking = {key: value for key, value in WHOLE[part].items() if key != name}
    path = _written(tmp_path, {**WHOLE, part: lacking})
    assert lacking == read_report(path)[part]
    with pytest.raises(InputError, match="with all that evergold writes"):
        read_report(path, complete=True)


@pytest.mark.parametrize("value", [[], {"status": "PASS"}, {"status": "X", "reasons": []}])
def test_a_verdict_has_status_and_reasons(tmp_path: Path, value: object) -> None:
    """Anything else is not a verdict."""
    with pytest.raises(InputError, match="expected a verdict with status and reasons"):
        read_verdict(_written(tmp_path, value))
