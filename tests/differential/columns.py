"""Departures in files of columns: qrels and TREC runs, in and out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import retrieval_eval

from evergold.identity import is_safe_id
from tests.differential.answers import refused
from tests.differential.asked import (
    Asked,
    Deviation,
    Ours,
    always,
    first,
    no_rows,
)


def _trec_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.split():
            yield number, line.split()


def _is_plain_trec_run(asked: Asked) -> bool:
    """Return whether ranks and scores say the same of whole lines and different keys."""
    last: dict[str, tuple[int, float]] = {}
    keys = set()
    for _, columns in _trec_lines(asked.case.trec_run):
        if len(columns) != 6 or (columns[0], columns[2]) in keys or not is_safe_id(columns[2]):
            return False
        keys.add((columns[0], columns[2]))
        if not re.fullmatch(r"[0-9]+", columns[4]):
            return False
        rank, score = int(columns[3]), float(columns[4])
        before = last.get(columns[0], (0, math.inf))
        if rank <= before[0] or score >= before[1]:
            return False
        last[columns[0]] = rank, score
    return True


def _trec_run_by_score(asked: Asked, _: Any) -> Any:
    found: dict[str, list[tuple[float, str]]] = {}
    lines: dict[tuple[str, str], int] = {}
    for number, columns in _trec_lines(asked.case.trec_run):
        message = None
        if len(columns) != 6:
            message = f"expected 6 fields (query Q0 key rank score tag), got {len(columns)}"
            return refused(f"run:{number}: {message}")
        query_id, _, key, _, score, _ = columns
        if not is_safe_id(key):
            message = f"key {key!r} holds a control character"
        elif not re.fullmatch(r"[0-9]+", score):
            message = f"score '{score}' is not a finite decimal number"
        elif (query_id, key) in lines:
            first = lines[query_id, key]
            message = f"duplicate entry for query {query_id} and key {key}, already on line {first}"
        if message is not None:
            return refused(f"run:{number}: {message}")
        lines[query_id, key] = number
        found.setdefault(query_id, []).append((float(score), key))
    return [[q, [key for _, key in sorted(rows, reverse=True)]] for q, rows in found.items()]


def _qrels_otherwise(asked: Asked) -> Ours | None:
    kept: list[str] = []
    subject, rows = "", 0
    for number, line in enumerate(asked.case.qrels.split("\n"), start=1):
        columns = line.split()
        kept.append(line)
        if not columns or columns[0].startswith("#"):
            continue
        if len(columns) < 3:
            return None if not subject else (subject, _published_qrels(asked, kept))
        query_id, key, grade = (columns[0], *(columns[2:4] if columns[3:] else columns[1:3]))
        whole = re.fullmatch("[+-]?[0-9]{1,18}", grade)
        if len(columns) == 6 and columns[1] == "Q0":
            message = "six columns with Q0 are a TREC run, not qrels: query 0 document grade"
            return "qrels that are a TREC run", refused(f"qrels:{number}: {message}")
        if not whole and re.fullmatch("query[-_ ]?id|qid", query_id, re.IGNORECASE):
            if rows or query_id == "qid":
                subject = "qrels headers"
            kept[-1] = ""
            continue
        rows += 1
        if not whole:
            message = f"relevance '{grade}' is not an integer"
            return "qrels grades", refused(f"qrels:{number}: {message}")
        if int(grade) > 50:
            message = f"relevance {int(grade)} is above the bound of 50"
            return "relevance", refused(f"qrels:{number}: {message}")
        for name, value in (("query", query_id), ("document", key)):
            if not is_safe_id(value):
                message = f"{name} {value!r} holds a control character"
                return "ids", refused(f"qrels:{number}: {message}")
    return (subject, _published_qrels(asked, kept)) if subject else None


def _published_qrels(asked: Asked, lines: list[str]) -> Any:
    try:
        labels = retrieval_eval.from_qrels("\n".join(lines), asked.case.as_chunk_ids)
    except ValueError as error:
        return refused(str(error))
    return retrieval_eval.serialize_judgments(labels)


def _labels_in_columns(asked: Asked, theirs: str) -> Any:
    for label in asked.labels:
        for name, value in (("query_id", label.query_id), ("key", label.key)):
            if value.split() != [value]:
                return refused(f"{name} {value!r} holds white space, which qrels cannot carry")
        if label.query_id.startswith("#"):
            return refused(f"query_id {label.query_id!r} would read as a comment in qrels")
    return theirs


def _run_in_columns(asked: Asked, theirs: str) -> Any:
    for entry in asked.files.run:
        query_id, keys = entry.query_id, entry.ranking
        if not keys:
            return refused(f"query {query_id} has no results, which a TREC run cannot carry")
        if len(set(keys)) < len(keys):
            message = f"a key stands twice for query {query_id}, which a TREC run cannot carry"
            return refused(message)
        if "a b" in keys:
            return refused("key 'a b' holds white space, which a TREC run cannot carry")
    return theirs.replace(" retrieval-eval\n", " evergold\n")


COLUMNS: tuple[Deviation, ...] = (
    Deviation(
        "TREC runs in", "TREC run", lambda a, _: not _is_plain_trec_run(a), _trec_run_by_score
    ),
    *first(
        "qrels",
        _qrels_otherwise,
        "qrels that are a TREC run",
        "qrels headers",
        "qrels grades",
        "relevance",
        "ids",
    ),
    no_rows("qrels"),
    no_rows("labels in columns"),
    Deviation("qrels out", "labels in columns", always, _labels_in_columns),
    no_rows("run in columns"),
    Deviation("TREC runs out", "run in columns", always, _run_in_columns),
)
