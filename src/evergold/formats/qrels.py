"""TREC and BEIR qrels: one `query 0 document grade`, or `query document grade`, a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evergold.errors import InputError
from evergold.formats.files import read_text, write_text
from evergold.formats.judgments import MAX_RELEVANCE, graded
from evergold.identity import is_safe_id
from evergold.memory import collector_paused
from evergold.model import Judgment

_GRADE = re.compile(r"[+-]?[0-9]{1,18}\Z")
_HEADER = re.compile(r"(query[-_ ]?id|qid)\Z", re.IGNORECASE)
_TREC_RUN = "six columns with Q0 are a TREC run, not qrels: query 0 document grade"


@dataclass(frozen=True, slots=True)
class Qrels:
    """The judgments of a qrels file, each query and document once.

    `negative` counts the rows whose grade below 0 became 0, `repeated` those that only said again
    what an earlier row says.
    """

    judgments: tuple[Judgment, ...]
    negative: int = 0
    repeated: int = 0


def read_qrels(path: Path, *, as_chunk_ids: bool = False) -> tuple[Judgment, ...]:
    """Return the judgments of a qrels file, one for each row, in order.

    Blank lines, lines that begin with `#` and headers are passed over. Negative grades become 0.
    With `as_chunk_ids` the document column is also the `chunk_id`. Raises `InputError` with the
    line of the first row that cannot be used.
    """
    return from_qrels(read_text(path), as_chunk_ids=as_chunk_ids, path=path)


@collector_paused()
def from_qrels(
    text: str, *, as_chunk_ids: bool = False, path: Path | None = None
) -> tuple[Judgment, ...]:
    """Return the judgments of a text in qrels form, as `read_qrels`; errors name `path`."""
    return tuple([_judgment(row, as_chunk_ids=as_chunk_ids) for row in _rows(text, path)])


@collector_paused()
def read_consistent_qrels(path: Path, *, as_chunk_ids: bool = False, tabs: bool = False) -> Qrels:
    """Return a qrels file as `read_qrels` does, with each query and document once.

    With `tabs` the columns are those of BEIR: three, with one tab between them, so that ids may
    hold blanks. Raises `InputError` also for a row that contradicts an earlier one.
    """
    lines: dict[tuple[str, str], int] = {}
    judgments: dict[tuple[str, str], Judgment] = {}
    negative = repeated = 0
    for row in _rows(read_text(path), path, tabs=tabs):
        number, query_id, key, grade = row
        negative += grade < 0
        judgment = _judgment(row, as_chunk_ids=as_chunk_ids)
        first = judgments.setdefault((query_id, key), judgment)
        line = lines.setdefault((query_id, key), number)
        if first.relevance != judgment.relevance:
            message = (
                f"query {query_id} and document {key} have grade {judgment.relevance} here"
                f" and {first.relevance} on line {line}"
            )
            raise InputError(message, path=path, line=number, source="qrels")
        repeated += line != number
    return Qrels(tuple(judgments.values()), negative, repeated)


# The number of a line, query, key and grade, which may be negative.
_Row = tuple[int, str, str, int]


def _judgment(row: _Row, *, as_chunk_ids: bool) -> Judgment:
    _, query_id, key, grade = row
    return graded(query_id, key, max(0, grade), key if as_chunk_ids else None)


def _rows(text: str, path: Path | None, *, tabs: bool = False) -> Iterator[_Row]:
    """Yield the rows of a text in qrels form."""
    if "\r" in text:  # a lone one ends a line too: what follows would be further columns
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    grades: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        columns = line.split("\t") if tabs else line.split()
        if len(columns) == 4 and columns[3] in grades and not tabs:  # what is usual, at once
            query_id, _, key, grade = columns
            if query_id.isprintable() and key.isprintable() and query_id[0] != "#":
                yield number, query_id, key, grades[grade]
                continue
        if not line.strip() or (columns[0].startswith("#") and not tabs):
            continue
        fault: str | None
        if tabs and len(columns) != 3:
            fault = f"expected 3 fields with tabs between them, got {len(columns)}"
        elif len(columns) < 3:
            fault = f"expected 3 or 4 fields, got {len(columns)}"
        elif len(columns) == 6 and columns[1] == "Q0":
            fault = _TREC_RUN
        else:
            query_id = columns[0]
            key, grade = columns[2:4] if len(columns) > 3 else columns[1:3]
            if _HEADER.match(query_id) and not _GRADE.match(grade):
                continue
            fault = _fault(query_id, key, grade)
        if fault is not None:
            raise InputError(fault, path=path, line=number, source="qrels")
        grades[grade] = int(grade)
        yield number, query_id, key, grades[grade]


def _fault(query_id: str, key: str, grade: str) -> str | None:
    """Return what is wrong with a row."""
    if not _GRADE.match(grade):
        return f"relevance '{grade}' is not an integer"
    if int(grade) > MAX_RELEVANCE:
        return f"relevance {int(grade)} is above the bound of {MAX_RELEVANCE}"
    for name, value in (("query", query_id), ("document", key)):
        if not value:
            return f"missing {name}"
        if not is_safe_id(value):
            return f"{name} {value!r} holds a control character"
    return None


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
