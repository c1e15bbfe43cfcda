"""One large JSON object, read in blocks: the members of one of its arrays come one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evergold.errors import InputError
from evergold.formats.files import read_blocks
from evergold.formats.jsonl import (
    DECODER,
    LONE_SURROGATE,
    has_lone_surrogate,
    reason,
)

_BLOCK = 1 << 20
_SPACES = " \t\n\r"
_SPACE_RUN = re.compile(f"[{_SPACES}]*")
# A number may go on behind what was decoded ("1" of "1e+5"), a literal behind the place of an
# error ("-Infinit"): so near to the end of what was read, nothing is certain.
_OPEN_NUMBER = 3
_OPEN_LITERAL = 16


class ObjectStream:
    """A file that holds one JSON object with an array named `array`.

    `fields` has what stands beside the array; it is complete when `members` has ended.
    """

    def __init__(self, path: Path, array: str, source: str, block: int = _BLOCK) -> None:
        self.fields: dict[str, Any] = {}
        self._path = path
        self._array = array
        self._source = source
        self._blocks = read_blocks(path, block)
        self._text = ""
        self._at = 0
        # Of the text before `_text`: characters, line feeds, characters behind the last of them.
        self._dropped = 0
        self._lines = 0
        self._column = 0
        self._in_batches = True

    def members(self) -> Iterator[Any]:
        """Yield the members of the array, in order.

        Raises `InputError` for what is not JSON, and where there is no such array, or a second.
        """
        found = False
        first = self._peek()
        if first and first in '["-0123456789tfn':
            raise self._missing()
        if first != "{":
            raise self._invalid("Expecting value")
        self._at += 1
        if self._peek() == "}":
            raise self._missing()
        while True:
            if self._peek() != '"':
                raise self._invalid("Expecting property name enclosed in double quotes")
            name = self._value()
            self._step_over(":")
            if name != self._array:
                self._peek()
                self.fields[name] = self._value()
            elif self._peek() != "[":
                raise self._missing()
            elif found:
                raise self._error(f"{name} stands twice")
            else:
                found = True
                yield from self._items()
            if self._peek() == "}":
                break
            self._step_over(",")
        self._at += 1
        if self._peek():
            raise self._invalid("Extra data")
        if not found:
            raise self._missing()

    def _items(self) -> Iterator[Any]:
        self._at += 1
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            yield from self._plain_items()
            self._peek()
            yield self._value()
            if self._peek() == "]":
                self._at += 1
                return
            self._step_over(",")

    def _plain_items(self) -> list[Any]:
        """Return members that end in what was read, decoded at once and stepped over.

        Up to the end of an object the text is a part of the array, so that brackets make it an
        array of its own: what decodes like this would not decode otherwise. If it does not,
        or holds what needs a closer look, members are read one by one until more is loaded.
        """
        cut = self._text.rfind("},", self._at) if self._in_batches else -1
        if cut < 0:
            return []
        try:
            values: list[Any] = DECODER.decode(f"[{self._text[self._at : cut + 1]}]")
        except (ValueError, RecursionError):
            values = []
        if not values or (
            self._text.find("\\u", self._at, cut) >= 0 and has_lone_surrogate(values)
        ):
            self._in_batches = False
            return []
        self._at = cut + 2
        return values

    def _value(self) -> Any:
        """Return the value that begins here, and go behind it."""
        while True:
            start = self._at
            try:
                value, end = DECODER.raw_decode(self._text, start)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string")
                if (cut or error.pos > len(self._text) - _OPEN_LITERAL) and self._load():
                    continue
                raise self._invalid(error.msg, error.pos) from error
            except (ValueError, RecursionError) as error:
                raise self._error(reason(error)) from error
            if end + _OPEN_NUMBER > len(self._text) and self._load():
                continue
            if self._text.find("\\u", start, end) >= 0 and has_lone_surrogate(value):
                raise self._error(LONE_SURROGATE)
            self._at = end
            return value

    def _peek(self) -> str:
        """Go to the next character that is no white space and return it, "" at the end."""
        while True:
            mark = self._text[self._at : self._at + 1]
            if mark and mark not in _SPACES:
                return mark
            self._at = _SPACE_RUN.match(self._text, self._at).end()  # type: ignore[union-attr]  # may be empty
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._load():
                return ""

    def _step_over(self, mark: str) -> None:
        if self._peek() != mark:
            raise self._invalid(f"Expecting '{mark}' delimiter")
        self._at += 1

    def _load(self) -> bool:
        """Read on, as much as is left unread: a long value is not tried at every block."""
        left = len(self._text) - self._at
        parts: list[str] = []
        size = 0
        for block in self._blocks:
            parts.append(block)
            size += len(block)
            if size >= left:
                break
        if not parts:
            return False
        self._lines, self._column = self._position(self._at)
        self._dropped += self._at
        self._text = "".join((self._text[self._at :], *parts))
        self._at = 0
        self._in_batches = True
        return True

    def _position(self, place: int) -> tuple[int, int]:
        """Return the line feeds before a place of the text, and the characters since the last."""
        feeds = self._text.count("\n", 0, place)
        if feeds:
            return self._lines + feeds, place - self._text.rfind("\n", 0, place) - 1
        return self._lines, self._column + place

    def _invalid(self, message: str, place: int | None = None) -> InputError:
        at = self._at if place is None else place
        feeds, column = self._position(at)
        where = f"line {feeds + 1} column {column + 1} (char {self._dropped + at})"
        return InputError(
            f"invalid JSON, {message}: {where}",
            path=self._path,
            line=feeds + 1,
            source=self._source,
        )

    def _error(self, message: str) -> InputError:
        line = self._position(self._at)[0] + 1
        return InputError(message, path=self._path, line=line, source=self._source)

    def _missing(self) -> InputError:
        return InputError(f"missing {self._array} array", path=self._path, source=self._source)
