"""The JSON Schemas of `spec/`, and the committed files that they describe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evergold.formats.corpus import read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.findings import drift_to_json
from evergold.formats.judgments import read_judgments, write_judgments
from evergold.formats.queries import read_queries
from evergold.formats.runs import read_run
from evergold.identity import text_sha
from evergold.labels.reanchor import reanchor
from evergold.labels.validate import validate
from evergold.model import DriftReport, Finding, Judgment
from evergold.review.queue import review_queue

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "spec"
FIXTURES = SPEC / "fixtures"
GOLDEN = ROOT / "data" / "golden"
BASELINE = ROOT / "data" / "baseline"
SCHEMAS = sorted(path.name.partition(".")[0] for path in SPEC.glob("*.schema.json"))

# Written on purpose with faults that a schema can see.
MALFORMED = {
    "unsound-judgments/judgments.jsonl",
    "duplicate-ranking/run-non-string-key.jsonl",
}
READERS: dict[str, Any] = {
    "corpus": read_snapshot,
    "documents": read_documents,
    "judgments": read_judgments,
    "queries": read_queries,
    "run": read_run,
}


def _validator(schema: str) -> Any:
    return Draft202012Validator(json.loads((SPEC / f"{schema}.schema.json").read_text("utf-8")))


def _values(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return [json.loads(text)]
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _faults(schema: str, values: list[Any]) -> list[str]:
    validator = _validator(schema)
    return [
        f"{number}: {error.json_path}: {error.message[:200]}"
        for number, value in enumerate(values, start=1)
        for error in validator.iter_errors(value)
    ]


def _schema_of(path: Path) -> str | None:
    """Return the schema of a file by its name."""
    stem = path.name.partition(".")[0].partition("-")[0]
    named = {"after": "judgments", "reanchored": "judgments", "score": "report"}
    schema = named.get(stem, stem)
    return schema if schema in SCHEMAS else None


def _committed(*folders: Path) -> list[str]:
    """Return the files below the folders that have a schema, relative to the project."""
    paths = [path for folder in folders for path in sorted(folder.rglob("*.json*"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if _schema_of(path)]


def test_all_schemas_are_here() -> None:
    """One for each kind of file that another tool may read or write."""
    assert [
        "corpus",
        "documents",
        "findings",
        "judgments",
        "queries",
        "report",
        "review",
        "run",
        "verdict",
    ] == SCHEMAS


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_is_valid(schema: str) -> None:
    """Each is a JSON Schema of 2020-12 with an id, a title and a description."""
    content = json.loads((SPEC / f"{schema}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(content)
    assert "https://json-schema.org/draft/2020-12/schema" == content["$schema"]
    assert f"{schema}.schema.json" == content["$id"]
    assert content["title"]
    assert content["description"]


@pytest.mark.parametrize("name", _committed(GOLDEN, BASELINE))
def test_a_committed_file_validates(name: str) -> None:
    """Golden set and baseline are what their schemas describe, and not empty."""
    path = ROOT / name
    values = _values(path)
    assert values
    assert [] == _faults(str(_schema_of(path)), values)


@pytest.mark.parametrize("name", _committed(FIXTURES))
def test_a_fixture_validates(name: str) -> None:
    """Cases are what their schemas describe, but for those that are malformed on purpose."""
    path = ROOT / name
    faults = _faults(str(_schema_of(path)), _values(path))
    assert (path.relative_to(FIXTURES).as_posix() in MALFORMED) is bool(faults)


def test_the_committed_files_are_all_there() -> None:
    """Labels, queries, documents; labels, run, chunks and score of the baseline."""
    assert {
        "data/golden/judgments.jsonl",
        "data/golden/queries.jsonl",
        "data/golden/documents.jsonl",
        "data/baseline/judgments.jsonl",
        "data/baseline/run.jsonl",
        "data/baseline/corpus.jsonl",
        "data/baseline/score.json",
    } <= set(_committed(GOLDEN, BASELINE))


@pytest.mark.parametrize("name", _committed(GOLDEN, BASELINE))
def test_a_committed_file_is_read(name: str) -> None:
    """What a schema allows and cannot say is checked by the reader."""
    path = ROOT / name
    schema = str(_schema_of(path))
    if schema == "report":
        assert {"PASS", "FAIL", "INDETERMINATE"} >= {_values(path)[0]["verdict"]["status"]}
    else:
        assert READERS[schema](path)


@pytest.mark.parametrize("folder", [GOLDEN, BASELINE], ids=["golden", "baseline"])
def test_committed_labels_are_sound_and_canonical(folder: Path, tmp_path: Path) -> None:
    """`validate` finds no error, and writing them again changes no byte."""
    labels = read_judgments(folder / "judgments.jsonl")
    assert [] == [issue for issue in validate(labels) if issue.severity == "error"]
    write_judgments(tmp_path / "labels.jsonl", labels)
    assert (folder / "judgments.jsonl").read_bytes() == (tmp_path / "labels.jsonl").read_bytes()


def test_every_golden_label_has_a_query() -> None:
    """Queries of labels are asked, in the words of the labels."""
    queries = {query.query_id: query.query for query in read_queries(GOLDEN / "queries.jsonl")}
    labels = read_judgments(GOLDEN / "judgments.jsonl")
    assert [] == [
        label.query_id for label in labels if label.query not in (None, queries[label.query_id])
    ]


def test_every_golden_span_holds_its_text() -> None:
    """The recorded places stand in the recorded documents."""
    texts = {text_sha(d.text): d.text for d in read_documents(GOLDEN / "documents.jsonl")}
    quotes: list[tuple[str, str | None]] = []
    for label in read_judgments(GOLDEN / "judgments.jsonl"):
        anchor = label.anchor
        if anchor is None or anchor.span is None or anchor.doc_sha is None:
            continue
        text = texts[anchor.doc_sha]
        quotes.append((text[slice(*anchor.span)], label.chunk_text))
        quotes += [(text[slice(*e.span)], e.exact) for e in anchor.evidence if e.exact is not None]
    assert quotes
    assert [] == [(found, quote) for found, quote in quotes if found != quote]


@pytest.mark.parametrize("with_text", [True, False])
def test_a_review_queue_validates(*, with_text: bool) -> None:
    """Every open label gives a line that its schema describes, with texts or with hashes."""
    folder = FIXTURES / "held-zero"
    snapshot = read_snapshot(folder / "corpus.jsonl")
    documents = read_documents(folder / "documents.jsonl")
    text = documents[0].text
    labels = [
        Judgment("q1", documents[0].doc_uri, 1, chunk_id="old", chunk_text=text),
        Judgment("q2", documents[0].doc_uri, 2, chunk_id="old", chunk_text="not in the text"),
        Judgment("q3", "handbook://gone.md", 3, chunk_id="old", chunk_text="gone"),
        Judgment("q4", documents[0].doc_uri, 1, chunk_id="old"),
    ]
    found = reanchor(labels, snapshot, documents)
    chunks = {chunk.chunk_id: chunk for chunk in snapshot.chunks}
    queue = review_queue(labels, found, chunks, with_text=with_text)
    assert ["REVIEW", "STRADDLE", "GONE", "REVIEW"] == [item["rule"] for item in queue]
    assert [] == _faults("review", queue)


def test_findings_validate() -> None:
    """A report with every status is what its schema describes, the field of ours included."""
    findings = (
        Finding(0, "q", "d", "VALID", "a", verified=False),
        Finding(1, "q", "d", "RE_ANCHORABLE", "b", reanchor_to="c"),
        Finding(2, "q", "d", "MERGED", "e", reanchor_to="c"),
        Finding(3, "q", "d", "SPLIT", "f", split_into=("g", "h")),
        Finding(4, "q", "d", "ORPHANED"),
    )
    assert [] == _faults("findings", [drift_to_json(DriftReport(findings, None, "live"))])
    assert [] == _faults("findings", [drift_to_json(DriftReport((), "f", None))])


INVALID: list[tuple[str, dict[str, Any]]] = [
    ("judgments", {"query_id": "q", "doc_uri": "d"}),
    ("judgments", {"query_id": "q", "doc_uri": "d", "relevance": 1.5}),
    ("judgments", {"query_id": "q", "doc_uri": "d", "relevance": 51}),
    ("judgments", {"query_id": "q", "doc_uri": "d", "relevance": 1, "chunk_id": "c1:x"}),
    ("judgments", {"query_id": "q", "doc_uri": "d", "relevance": 1, "text_sha": "t1:x"}),
    ("judgments", {"query_id": "q", "doc_uri": "d", "relevance": 1, "anchor": {"v": 2}}),
    ("run", {"query_id": "q", "ranking": [""]}),
    ("run", {"query_id": "q"}),
    ("queries", {"query_id": "q", "query": ""}),
    ("queries", {"query_id": "q", "query": "x", "split": "train"}),
    ("corpus", {"chunk_id": "a"}),
    ("corpus", {"corpus_fingerprint": "f", "chunker_fingerprint": "c", "chunks": -1}),
    ("documents", {"doc_uri": "d", "doc_revision": "r"}),
    ("documents", {"doc_uri": "d", "doc_revision": "r", "text": "x", "elements": [{}]}),
    ("findings", {"findings": [{"query_id": "q", "doc_uri": "d", "status": "MOVED"}]}),
    ("review", {"row": 0}),
    ("verdict", {"status": "OK", "reasons": []}),
    ("report", {"spec_version": "2"}),
]


@pytest.mark.parametrize(("schema", "value"), INVALID)
def test_a_schema_refuses(schema: str, value: dict[str, Any]) -> None:
    """What a file must not hold is seen."""
    assert [] != _faults(schema, [value])
