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
    queries: list[Query] = []
    lines: dict[str, int] = {}
    for line, fields in read_rows(path, source="queries"):
        row = Row(fields, path, line, source="queries")
        query = query_of(row)
        earlier = lines.setdefault(query.query_id, line)
        if earlier != line:
            raise row.error(f"duplicate query {query.query_id}, already on line {earlier}")
        queries.append(query)
    return tuple(queries)


def query_of(row: Row) -> Query:
    """Return the query of one row, which must have a text."""
    query_id = row.identifier("query_id")
    text = row.text("query")
    if not text or not text.strip():
        raise row.error(f"query {query_id} has no text")
    answerable = row.fields.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise row.error(f"answerable must be true or false, found {answerable!r}")
    split, filters = row.text("split"), row.fields.get("filters")
    if split not in (None, "dev", "test"):
        raise row.error(f'split must be "dev" or "test", found {split!r}')
    if filters is not None and not isinstance(filters, dict):
        raise row.error(f"filters must be an object, found {filters!r}")
    return Query(
        query_id=query_id,
        query=text,
        stratum=row.label("stratum"),
        split=split,
        language=row.text("language"),
        answerable=answerable,
        extra=row.unknown(_KNOWN),
    )


def write_queries(path: Path, queries: Iterable[Query]) -> None:
    """Write a queries file, unset fields left out."""
    write_rows(path, map(query_to_json, queries))


def query_to_json(query: Query) -> dict[str, Any]:
    """Return a query as JSON data, unset fields left out."""
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
