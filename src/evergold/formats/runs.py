"""Runs as JSON Lines: `spec/run.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evergold.formats.files import read_blocks, read_text, write_text
from evergold.formats.jsonl import Row, read_rows, rows_to_text
from evergold.formats.trec_run import read_trec_run
from evergold.memory import collector_paused
from evergold.model import Ranking


@collector_paused()
def read_run(path: Path) -> tuple[Ranking, ...]:
    """Return the rankings of a run file in JSON Lines or TREC columns, in order.

    What begins with `{`, `[` or `//` is JSON Lines. Raises `InputError` for a repeated query, and
    as `read_trec_run` does.
    """
    text = None if path.is_file() else read_text(path)  # a pipe can be read once
    blocks = read_blocks(path) if text is None else (text,)
    start = next((stripped for block in blocks if (stripped := block.lstrip())), "{")
    if not start.startswith(("{", "[", "//")):
        return read_trec_run(path, text)
    rankings: list[Ranking] = []
    lines: dict[str, int] = {}
    rows = None if text is None else text.split("\n")
    for line, fields in read_rows(path, "run", rows):
        row = Row(fields, path, line, source="run")
        query_id = row.identifier("query_id")
        keys = fields.get("ranking")
        if not isinstance(keys, list):
            raise row.error("ranking must be an array")
        if not set(map(type, keys)) <= {str} or "" in keys:
            index = next(i for i, key in enumerate(keys) if not isinstance(key, str) or not key)
            raise row.error(f"ranking[{index}] must be a non-empty string")
        if query_id in lines:
            raise row.error(
                f"duplicate entry for query {query_id}, already on line {lines[query_id]}"
            )
        lines[query_id] = line
        rankings.append(Ranking(query_id, tuple(keys)))
    return tuple(rankings)


def write_run(path: Path, run: Iterable[Ranking]) -> None:
    """Write a run file: one ranking a line, best key first."""
    write_text(path, to_run(run))


def to_run(run: Iterable[Ranking]) -> str:
    """Return the text of a run in JSON Lines."""
    return rows_to_text({"query_id": r.query_id, "ranking": list(r.keys)} for r in run)
