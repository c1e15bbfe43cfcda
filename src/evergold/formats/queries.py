"""Queries as JSON Lines: `spec/queries.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evergold.formats.jsonl import Row, read_rows, write_rows
from evergold.model import Query

_KNOWN = ("query_id", "query", "stratum", "split", "language", "answerable")


def read_queries(path: Path) -> tuple[Query, ...]:
    """Return the queries of a file, in order; a repeated or empty query is refused."""
    queries: dict[str, Query] = {}
    lines: dict[str, int] = {}
    for line, fields in read_rows(path, source="queries"):
        row = Row(fields, path, line, source="queries")
        query_id = row.identifier("query_id")
        if query_id in queries:
            raise row.error(f"duplicate query {query_id}, already on line {lines[query_id]}")
        text = row.text("query")
        if not text or not text.strip():
            raise row.error(f"query {query_id} has no text")
        answerable = fields.get("answerable")
        if answerable is not None and not isinstance(answerable, bool):
            raise row.error(f"answerable must be true or false, found {answerable!r}")
        split, filters = row.text("split"), fields.get("filters")
        if split not in (None, "dev", "test"):
            raise row.error(f'split must be "dev" or "test", found {split!r}')
        if filters is not None and not isinstance(filters, dict):
            raise row.error(f"filters must be an object, found {filters!r}")
        lines[query_id] = line
        queries[query_id] = Query(
            query_id=query_id,
            query=text,
            stratum=row.label("stratum"),
            split=split,
            language=row.text("language"),
            answerable=answerable,
            extra=row.unknown(_KNOWN),
        )
    return tuple(queries.values())


def write_queries(path: Path, queries: Iterable[Query]) -> None:
    """Write a queries file, unset fields left out."""
    write_rows(path, (_to_json(query) for query in queries))


def _to_json(query: Query) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "query_id": query.query_id,
        "query": query.query,
        "stratum": query.stratum,
        "split": query.split,
        "language": query.language,
        "answerable": query.answerable,
        **query.extra,
    }
    return {name: value for name, value in fields.items() if value is not None}
