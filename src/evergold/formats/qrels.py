"""TREC and BEIR qrels: one `query 0 document grade`, or `query document grade`, a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from evergold.errors import InputError
from evergold.formats.files import read_text, write_text
from evergold.formats.judgments import MAX_RELEVANCE
from evergold.identity import is_safe_id
from evergold.model import Judgment

_GRADE = re.compile(r"[+-]?[0-9]{1,18}\Z")
_HEADER = re.compile(r"query[-_ ]?id\Z", re.IGNORECASE)


def read_qrels(path: Path, *, as_chunk_ids: bool = False) -> tuple[Judgment, ...]:
    """Return the judgments of a qrels file, in order.

    Blank lines and lines that begin with `#` are passed over, and so is a header before the
    first row. Negative grades become 0. With `as_chunk_ids` the document column is also the
    `chunk_id`. Raises `InputError` with the line of the first row that cannot be used.
    """
    return from_qrels(read_text(path), as_chunk_ids=as_chunk_ids, path=path)


def from_qrels(
    text: str, *, as_chunk_ids: bool = False, path: Path | None = None
) -> tuple[Judgment, ...]:
    """Return the judgments of a text in qrels form, as `read_qrels`; errors name `path`."""
    judgments: list[Judgment] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.strip().startswith("#"):
            continue
        columns = line.split()
        if len(columns) < 3:
            message = f"expected 3 or 4 fields, got {len(columns)}"
            raise InputError(message, path=path, line=number, source="qrels")
        query_id = columns[0]
        doc_uri, grade = columns[2:4] if len(columns) > 3 else columns[1:3]
        if not _GRADE.match(grade):
            if not judgments and _HEADER.match(query_id):
                continue
            message = f"relevance '{grade}' is not an integer"
            raise InputError(message, path=path, line=number, source="qrels")
        relevance = max(0, int(grade))
        if relevance > MAX_RELEVANCE:
            message = f"relevance {relevance} is above the bound of {MAX_RELEVANCE}"
            raise InputError(message, path=path, line=number, source="qrels")
        for name, value in (("query", query_id), ("document", doc_uri)):
            if not is_safe_id(value):
                message = f"{name} {value!r} holds a control character"
                raise InputError(message, path=path, line=number, source="qrels")
        judgment = Judgment(query_id, doc_uri, relevance)
        judgments.append(replace(judgment, chunk_id=doc_uri) if as_chunk_ids else judgment)
    return tuple(judgments)


def qrels_lines(judgments: Iterable[Judgment]) -> list[str]:
    """Return one TREC line for each label, in order; an id with white space is refused."""
    lines = []
    absorbed = (
        (j, *(a.judgment for a in j.anchor.absorbed)) if j.anchor else (j,) for j in judgments
    )
    for judgment in (label for row in absorbed for label in row):
        for name, value in (("query_id", judgment.query_id), ("key", judgment.key)):
            if len(value.split()) != 1 or value != value.strip():
                raise InputError(f"{name} {value!r} holds white space, which qrels cannot carry")
        if judgment.query_id.startswith("#"):
            raise InputError(f"query_id {judgment.query_id!r} would read as a comment in qrels")
        lines.append(f"{judgment.query_id} 0 {judgment.key} {judgment.relevance}")
    return lines


def write_qrels(path: Path, judgments: Iterable[Judgment]) -> None:
    """Write a TREC qrels file."""
    write_text(path, to_qrels(judgments))


def to_qrels(judgments: Iterable[Judgment]) -> str:
    """Return the text of a TREC qrels file; an id with white space is refused."""
    return "".join(f"{line}\n" for line in qrels_lines(judgments))
