"""Queries files: one query a line, each once and with a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError
from evergold.formats.queries import read_queries, write_queries
from evergold.model import Query

QUERIES = (
    Query("q1", "How many days?", "leave", "dev", "en", answerable=False, extra={"filters": {}}),
    Query("q2", "Wie viele Tage für Ältere?"),
)


def _refusal(folder: Path, *rows: dict[str, Any]) -> str:
    path = folder / "queries.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_queries(path)
    return str(error.value)


def test_queries_are_written_in_one_form(tmp_path: Path) -> None:
    """Fields stand in their order, unknown ones behind them; what is unset is left out."""
    path = tmp_path / "queries.jsonl"
    write_queries(path, QUERIES)
    assert (
        '{"query_id":"q1","query":"How many days?","stratum":"leave","split":"dev",'
        '"language":"en","answerable":false,"filters":{}}\n'
        '{"query_id":"q2","query":"Wie viele Tage für Ältere?"}\n'
    ) == path.read_text(encoding="utf-8")


def test_written_queries_read_back(tmp_path: Path) -> None:
    """Every field survives, in the order of the file."""
    path = tmp_path / "queries.jsonl"
    write_queries(path, QUERIES)
    assert QUERIES == read_queries(path)


def test_a_repeated_query_is_refused_with_its_first_line(tmp_path: Path) -> None:
    """Each id stands once."""
    row = {"query_id": "q", "query": "x"}
    message = _refusal(tmp_path, {"query_id": "p", "query": "x"}, row, row)
    assert "queries:3: duplicate query q, already on line 2" == message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"query_id": None}, "missing query_id"),
        ({"query": None}, "query q has no text"),
        ({"query": " \n"}, "query q has no text"),
        ({"query": 5}, "query must be a string, found 5"),
        ({"stratum": 5}, "stratum must be a string, found 5"),
        ({"answerable": "no"}, "answerable must be true or false, found 'no'"),
        ({"answerable": 0}, "answerable must be true or false, found 0"),
    ],
)
def test_a_malformed_query_is_refused(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    """The message names the line and what was found."""
    assert f"queries:1: {message}" == _refusal(tmp_path, {"query_id": "q", "query": "x", **fields})
