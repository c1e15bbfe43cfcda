"""JSON and JSON Lines, strict: one error with a line for whatever is not plain JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import orjson

from evergold.errors import InputError
from evergold.formats.files import read_lines, read_text, write_text
from evergold.identity import is_safe_id


def dumps(value: object) -> str:
    """Return compact canonical JSON: given key order, non-ASCII as it is, no NaN."""
    return _encoded(value, (",", ":"))


def _encoded(value: object, separators: tuple[str, str]) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=separators, allow_nan=False)
    except RecursionError as error:
        raise InputError("nested too deeply to be written") from error


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object a line."""
    write_text(path, rows_to_text(rows))


def rows_to_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return one JSON object a line."""
    return "".join(dumps(row) + "\n" for row in rows)


def write_json(path: Path, value: object) -> None:
    """Write one JSON value for reading and for diffs: two levels indented, the rest on one line."""
    write_text(path, _indented(value, levels=2) + "\n")


def _indented(value: object, levels: int, margin: str = "") -> str:
    if not levels or not value or not isinstance(value, dict | list):
        return _encoded(value, (", ", ": "))
    inner = margin + "  "
    if isinstance(value, dict):
        opening, closing = "{", "}"
        items = [
            f"{dumps(key)}: {_indented(item, levels - 1, inner)}" for key, item in value.items()
        ]
    else:
        opening, closing = "[", "]"
        items = [_indented(item, levels - 1, inner) for item in value]
    body = ",\n".join(inner + item for item in items)
    return f"{opening}\n{body}\n{margin}{closing}"


def read_json(path: Path, source: str | None = None) -> Any:
    """Return the JSON value of a file."""
    return _loads(read_text(path), path, source, first_line=1)


def read_rows(
    path: Path, source: str | None = None, lines: Iterable[str] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) for each row; blank lines and `//` comments are passed over.

    Lines end at LF only, so that other separators may stand inside strings. One line at a time
    is in memory. `lines` are those of the file where it was read before.
    """
    for number, line in enumerate(read_lines(path) if lines is None else lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("//"):
            continue
        row = _flat_object(stripped)
        if row is None:
            row = _loads(stripped, path, source, first_line=number)
        if not isinstance(row, dict):
            found = type(row).__name__
            raise InputError(
                f"expected a JSON object, found {found}", path=path, line=number, source=source
            )
        yield number, row


_FLAT = frozenset((str, int, bool, type(None)))
_FLAT_OR_LIST = _FLAT | {list}


def _flat_object(text: str) -> dict[str, Any] | None:
    """Return an object of strings, integers and lists of such; None for any other text.

    These orjson reads as `json` does, in a quarter of the time. What it refuses, `json` says more
    of, and what is a float to it may be an integer that is too long for it.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict:
        return None
    kinds = set(map(type, value.values()))
    if not kinds <= _FLAT_OR_LIST:
        return None
    if list in kinds:
        lists = (items for items in value.values() if type(items) is list)
        if not all(_FLAT.issuperset(map(type, items)) for items in lists):
            return None
    return value


class NotJSONError(ValueError):
    """A number that Python reads and JSON does not have."""


def _refuse(constant: str) -> NoReturn:
    raise NotJSONError(f"{constant} is not JSON")


def _finite(number: str) -> float:
    value = float(number)
    return value if isfinite(value) else _refuse(number)


_SPACE = " \t\n\r"
# One for all rows: `json.loads` makes a new one for every call that has hooks.
DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


def _loads(text: str, path: Path, source: str | None, first_line: int) -> Any:
    line = first_line
    try:
        start = len(text) - len(text.lstrip(_SPACE)) if text[:1] in _SPACE else 0
        value, end = DECODER.raw_decode(text, start)
        if end < len(text) and (rest := text[end:].lstrip(_SPACE)):
            raise json.JSONDecodeError("Extra data", text, len(text) - len(rest))
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            line += error.lineno - 1
        raise InputError(reason(error), path=path, line=line, source=source) from error
    if "\\u" in text and ("\\ud" in text or "\\uD" in text) and has_lone_surrogate(value):
        raise InputError(LONE_SURROGATE, path=path, line=line, source=source)
    return value


LONE_SURROGATE = "a lone surrogate is not text"


def reason(error: ValueError | RecursionError) -> str:
    """Return what to say of a value that `DECODER` refused."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, NotJSONError):
        return str(error)
    return f"invalid JSON, {error}"  # also an integer of more digits than Python converts


def has_lone_surrogate(value: object) -> bool:
    """Return whether a string or key in a JSON value holds half of a surrogate pair."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


class Row:
    """One object of a file, with checks that name the file, the line and the field."""

    __slots__ = ("fields", "line", "path", "source")

    def __init__(
        self, fields: Mapping[str, Any], path: Path, line: int, source: str | None = None
    ) -> None:
        self.fields = fields
        self.path = path
        self.line = line
        self.source = source

    def error(self, message: str) -> InputError:
        """Return an error about this row."""
        return InputError(message, path=self.path, line=self.line, source=self.source)

    def identifier(self, name: str) -> str:
        """Return a required id: a non-empty string without line breaks or control characters."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value:
            raise self.error(f"missing {name}")
        return value if is_safe_id(value) else self.checked_identifier(name, value)

    def checked_identifier(self, name: str, value: str) -> str:
        """Return `value`, or refuse it where it would break a line or a hash."""
        if not is_safe_id(value):
            raise self.error(f"{name} {value!r} holds a control character or line break")
        return value

    def text(self, name: str) -> str | None:
        """Return an optional string."""
        value = self.fields.get(name)
        if value is not None and not isinstance(value, str):
            raise self.error(f"{name} must be a string, found {dumps(value)[:60]}")
        return value

    def label(self, name: str) -> str | None:
        """Return an optional name that people read: a string without control characters."""
        value = self.text(name)
        return value if value is None else self.checked_identifier(name, value)

    def objects(self, name: str) -> list[dict[str, Any]]:
        """Return an optional list of objects, absent as empty."""
        value = self.fields.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.error(f"{name} must be a list of objects, found {dumps(value)[:60]}")
        return value

    def integer(self, name: str) -> int | None:
        """Return an optional integer of at least 0."""
        value = self.fields.get(name)
        if value is not None and (type(value) is not int or value < 0):
            raise self.error(f"{name} must be a non-negative integer, found {dumps(value)[:60]}")
        return value

    def strings(self, name: str) -> tuple[str, ...]:
        """Return an optional list of strings, absent as empty."""
        value = self.fields.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"{name} must be a list of strings, found {dumps(value)[:60]}")
        return tuple(value)

    def span(self, name: str) -> tuple[int, int] | None:
        """Return an optional [start, end) of code points."""
        value = self.fields.get(name)
        if value is None:
            return None
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(type(offset) is int for offset in value)
            or not 0 <= value[0] <= value[1]
        ):
            raise self.error(f"{name} must be [start, end], found {dumps(value)[:60]}")
        return value[0], value[1]

    def unknown(self, known: Iterable[str]) -> dict[str, Any]:
        """Return the fields that this version does not know, in the order of the file."""
        skip = frozenset(known)
        return {name: value for name, value in self.fields.items() if name not in skip}
