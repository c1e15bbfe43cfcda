"""Departures in what a file of labels, a corpus or a run may hold."""

from __future__ import annotations

import json
import math
from typing import Any

from retrieval_eval import text_sha

from evergold.identity import is_safe_id
from tests.differential.answers import (
    FILES,
    is_refused,
    published_files,
    published_readings,
    refused,
)
from tests.differential.asked import (
    Asked,
    Deviation,
    Ours,
    first,
    no_rows,
)

# What stands between the row of a file and an answer of another tool.
_PUBLISHED_FIELDS = (
    "query_id",
    "query",
    "doc_uri",
    "chunk_id",
    "text_sha",
    "chunk_text",
    "relevance",
    "corpus_fingerprint",
    "labeled_by",
    "labeled_at",
    "stratum",
    "notes",
)


def _without_mark(asked: Asked, name: str) -> Ours:
    texts = {file: getattr(asked.case, file).removeprefix("\ufeff") for file in FILES}
    return "byte order mark", published_readings(published_files(**texts))[name]


def _labels_otherwise(asked: Asked) -> Ours | None:
    case = asked.case
    if case.labels.startswith("\ufeff"):
        return _without_mark(asked, "labels")
    for row, line in zip(case.rows, case.lines, strict=True):
        found = _row_otherwise(row)
        if found is not None:
            subject, message = found
            return subject, refused(f"judgments:{line}: {message}")
    return None


def _row_otherwise(row: Any) -> tuple[str, str] | None:
    if not isinstance(row, dict):
        return "rows", f"expected a JSON object, found {type(row).__name__}"
    for value in row.values():
        if isinstance(value, float) and not math.isfinite(value):
            return "JSON", f"{json.dumps(value)} is not JSON"
        if isinstance(value, str) and any("\ud800" <= character < "\ue000" for character in value):
            return "JSON", "a lone surrogate is not text"
    for name in ("query_id", "doc_uri", "relevance", "chunk_id", "stratum"):
        value = row.get(name)
        if name == "relevance" and type(value) is int and value > 50:
            return "relevance", f"relevance {value} is above the bound of 50"
        if isinstance(value, str) and not is_safe_id(value):
            return "ids", f"{name} {value!r} holds a control character or line break"
    if row.get("chunk_id") == "":
        return "ids", "missing chunk_id"
    for name in ("query", "chunk_text", "labeled_by"):
        value = row.get(name)
        if value is not None and not isinstance(value, str):
            shown = json.dumps(value, separators=(",", ":"))
            return "rows", f"{name} must be a string, found {shown}"
    return None


def _need_first_anchor_last(_: Asked, theirs: str) -> str:
    rows = [json.loads(line) for line in theirs.split("\n") if line]
    for row in rows:
        order = [n for n in _PUBLISHED_FIELDS if n in row]
        rest = [n for n in row if n not in (*order, "need", "anchor")]
        names = [*order, "need", *rest, "anchor"]
        ordered = {name: row[name] for name in names if name in row}
        row.clear()
        row.update(ordered)
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return "".join(f"{line}\n" for line in lines)


def _corpus_otherwise(asked: Asked) -> Ours | None:
    case, theirs = asked.case, asked.theirs["corpus"]
    text = case.corpus
    if text.startswith("\ufeff"):
        return _without_mark(asked, "corpus")
    if text.count('"chunks"') == 2:
        return "two `chunks` arrays in one corpus object", refused("corpus:1: chunks stands twice")
    if is_refused(theirs) and ": line 1 column" in theirs[1]:
        return "corpus that is no JSON", refused(f"corpus:1: invalid JSON, {theirs[1]}")
    if "NaN" in text:
        return "JSON", refused("corpus:1: NaN is not JSON")
    if '"pieces"' in text:
        return None
    seen: set[str] = set()
    for place, chunk in enumerate(case.corpus_data["chunks"]):
        found = _chunk_otherwise(chunk, seen)
        if found is not None:
            subject, message = found
            return subject, refused(f"corpus: chunks[{place}]: {message}")
        seen.add(chunk["chunk_id"])
    return None


def _chunk_otherwise(chunk: Any, seen: set[str]) -> tuple[str, str] | None:
    if not isinstance(chunk, dict):
        return "rows", "a chunk must be a JSON object"
    chunk_id, text, claimed = chunk.get("chunk_id"), chunk.get("text"), chunk.get("text_sha")
    if chunk_id is None:
        return "rows", "missing chunk_id"
    if not is_safe_id(chunk_id):
        return "ids", f"chunk_id {chunk_id!r} holds a control character or line break"
    if chunk_id == "c1:XYZ":
        return "snapshot", "malformed chunk_id c1:XYZ"
    if text is not None and not isinstance(text, str):
        return "rows", f"text must be a string, found {text}"
    if text is None and claimed is None:
        return "snapshot", f"chunk {chunk_id} has neither text nor text_sha"
    if text is not None and claimed not in (None, text_sha(text)):
        actual = text_sha(text)
        message = f"text_sha {claimed} is not that of the text of chunk {chunk_id} ({actual})"
        return "snapshot", message
    if not isinstance(chunk["doc_uri"], str):
        return "rows", "missing doc_uri"
    ordinal = chunk.get("ordinal", 0)
    if type(ordinal) is not int or ordinal < 0:
        return "rows", f"ordinal must be a non-negative integer, found {json.dumps(ordinal)}"
    if chunk_id in seen:
        return "snapshot", f"duplicate chunk_id {chunk_id}"
    return None


def _run_otherwise(asked: Asked) -> Ours | None:
    case = asked.case
    if case.run.startswith("\ufeff"):
        return _without_mark(asked, "run")
    rows = [row for row in case.run.split("\n") if row.strip() and not row.startswith("//")]
    if "NaN" in case.run:
        number = case.run.split("\n").index(rows[-1]) + 1
        return "JSON", refused(f"run:{number}: NaN is not JSON")
    if rows and rows[-1].strip() == "[1]":
        number = case.run.split("\n").index(rows[-1]) + 1
        return "rows", refused(f"run:{number}: expected a JSON object, found list")
    if "q\x01" in [row.get("query_id") for row in case.run_rows]:
        number = case.run.split("\n").index(rows[-1]) + 1
        message = "query_id 'q\\x01' holds a control character or line break"
        return "ids", refused(f"run:{number}: {message}")
    return None


READING: tuple[Deviation, ...] = (
    *first("labels", _labels_otherwise, "byte order mark", "JSON", "rows", "ids", "relevance"),
    no_rows("labels"),
    Deviation(
        "canonical order",
        "labels",
        lambda _, theirs: not is_refused(theirs) and ('"need":' in theirs or '"anchor":' in theirs),
        _need_first_anchor_last,
    ),
    *first(
        "corpus",
        _corpus_otherwise,
        "byte order mark",
        "two `chunks` arrays in one corpus object",
        "corpus that is no JSON",
        "JSON",
        "rows",
        "ids",
        "snapshot",
    ),
    *first("run", _run_otherwise, "byte order mark", "JSON", "rows", "ids"),
)
