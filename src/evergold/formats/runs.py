"""Runs as JSON Lines: `spec/run.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evergold.formats.jsonl import Row, read_rows, write_rows
from evergold.model import Ranking


def read_run(path: Path) -> tuple[Ranking, ...]:
    """Return the rankings of a run file, in order; a repeated query is refused."""
    rankings: list[Ranking] = []
    lines: dict[str, int] = {}
    for line, fields in read_rows(path, source="run"):
        row = Row(fields, path, line, source="run")
        query_id = row.identifier("query_id")
        keys = fields.get("ranking")
        if not isinstance(keys, list):
            raise row.error("ranking must be an array")
        for index, key in enumerate(keys):
            if not isinstance(key, str) or not key:
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
    write_rows(path, ({"query_id": r.query_id, "ranking": list(r.keys)} for r in run))
