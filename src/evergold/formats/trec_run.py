"""TREC runs: `query Q0 key rank score tag` a line, ordered by score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isfinite
from operator import eq, gt
from pathlib import Path

from evergold.errors import InputError
from evergold.formats.files import read_blocks, read_lines, write_text
from evergold.identity import is_safe_id
from evergold.memory import collector_paused
from evergold.model import Ranking

_COLUMNS = 6
_END = "\x00"  # stands where a line ends: an id cannot hold it
_BLOCK = 1 << 15  # bytes whose parts stay near the processor: twice as fast as large blocks
_Columns = tuple[list[str], list[str], list[float]]


@collector_paused()
def read_trec_run(path: Path, text: str | None = None) -> tuple[Ranking, ...]:
    """Return the rankings of a TREC run, queries in order of first appearance.

    The order of a ranking is by score, descending, then by key, descending by code point, as
    trec_eval has it; the rank column is not looked at. Raises `InputError` for the first line
    without six columns, with a score that is no finite decimal number, or with a key that its
    query has already. `text` is that of the file where it was read before.
    """
    lines = read_lines(path) if text is None else text.split("\n")
    blocks = read_blocks(path, _BLOCK) if text is None else (text,)
    found: dict[str, tuple[list[str], list[float]]] = {}
    for block in _whole_lines(blocks):
        columns = _columns(block)
        if columns is None:
            raise _refusal(path, lines)
        queries, keys, scores = columns
        start = 0
        for query_id, group in groupby(queries):
            end = start + len(list(group))
            if query_id in found:
                found[query_id][0].extend(keys[start:end])
                found[query_id][1].extend(scores[start:end])
            else:
                found[query_id] = (keys[start:end], scores[start:end])
            start = end
    rankings = []
    for query_id in list(found):
        keys, scores = found.pop(query_id)  # what has become a ranking needs no second place
        if len(set(keys)) < len(keys) or not is_safe_id(query_id):
            raise _refusal(path, lines)
        rankings.append(_ranking(query_id, keys, scores))
    return tuple(rankings)


def _ranking(query_id: str, keys: Sequence[str], scores: Sequence[float]) -> Ranking:
    if all(map(gt, scores, scores[1:])):
        return Ranking(query_id, tuple(keys))
    order = sorted(zip(scores, keys, strict=True), reverse=True)
    scores = [score for score, _ in order]
    same = map(eq, scores, scores[1:])
    ties = tuple([rank for rank, tied in enumerate(same, start=1) if tied])
    return Ranking(query_id, tuple([key for _, key in order]), ties)


def _whole_lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield a text in parts that end with a line."""
    rest = ""
    for block in blocks:
        head, end, tail = block.rpartition("\n")
        if end:
            yield f"{rest}{head}\n"
            rest = tail
        else:
            rest += tail
    if rest:
        yield f"{rest}\n"


def _columns(block: str) -> _Columns | None:
    """Return queries, keys and scores of some lines at once, None where a line must be refused."""
    if _END in block:
        return None
    fields = block.replace("\n", f" {_END} ").split()
    width = _COLUMNS + 1
    if fields[_COLUMNS::width].count(_END) * width != len(fields):
        rows = [line.split() for line in block.split("\n") if line.strip()]
        if any(len(row) != _COLUMNS for row in rows):
            return None
        fields = [field for row in rows for field in (*row, _END)]
    queries, keys, numbers = fields[::width], fields[2::width], fields[4::width]
    written = "".join(numbers)
    if not written.isascii() or "_" in written:
        return None
    try:
        scores = list(map(float, numbers))
    except ValueError:
        return None
    finite = all(map(isfinite, scores))
    return (queries, keys, scores) if finite and is_safe_id("".join(keys)) else None


def _refusal(path: Path, lines: Iterable[str]) -> InputError:
    """Return the error of the first line of a file that cannot be used."""
    seen: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        message = _fault(columns, seen) if columns else None
        if message is not None:
            return InputError(message, path=path, line=number, source="run")
        if columns:
            seen[columns[0], columns[2]] = number
    return InputError("changed while it was read", path=path, source="run")


def _fault(columns: Sequence[str], seen: dict[tuple[str, str], int]) -> str | None:
    """Return what is wrong with a line, after those that were `seen`."""
    if len(columns) != _COLUMNS:
        return f"expected 6 fields (query Q0 key rank score tag), got {len(columns)}"
    query_id, _, key, _, score, _ = columns
    for name, value in (("query", query_id), ("key", key)):
        if not is_safe_id(value):
            return f"{name} {value!r} holds a control character"
    try:
        finite = score.isascii() and "_" not in score and isfinite(float(score))
    except ValueError:
        finite = False
    if not finite:
        return f"score '{score}' is not a finite decimal number"
    if (query_id, key) in seen:
        return (
            f"duplicate entry for query {query_id} and key {key},"
            f" already on line {seen[query_id, key]}"
        )
    return None


def write_trec_run(path: Path, run: Iterable[Ranking]) -> None:
    """Write a TREC run, as `to_trec_run`."""
    write_text(path, to_trec_run(run))


def to_trec_run(run: Iterable[Ranking]) -> str:
    """Return the text of a TREC run with the tag `evergold`; scores fall by 1 from rank to rank.

    Raises `InputError` for what such a file cannot carry: an id with white space, a key that
    stands twice in a ranking, a ranking without keys.
    """
    return "".join(f"{line}\n" for ranking in run for line in _lines(ranking))


def _lines(ranking: Ranking) -> Iterator[str]:
    query_id, keys = ranking.query_id, ranking.keys
    if not keys:
        raise InputError(f"query {query_id} has no results, which a TREC run cannot carry")
    if len(set(keys)) < len(keys):
        raise InputError(f"a key stands twice for query {query_id}, which a TREC run cannot carry")
    for name, value in (("query_id", query_id), *(("key", key) for key in keys)):
        if value.split() != [value]:
            raise InputError(f"{name} {value!r} holds white space, which a TREC run cannot carry")
    for index, key in enumerate(keys):
        yield f"{query_id} Q0 {key} {index + 1} {len(keys) - index:.4f} evergold"
