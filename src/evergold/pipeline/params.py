"""`params.yaml`: every value is read with its line, so that a fault is one line that names it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import yaml

from evergold.errors import InputError, UsageError
from evergold.formats.files import read_text

_KNOWN = {
    "corpus": ("path", "uri_prefix"),
    "chunker": ("strategy", "size", "overlap", "unit"),
    "retriever": ("kind", "top_k"),
    "score": ("k", "threshold"),
    "gates": (),
    "enforce": ("on_fail", "on_indeterminate"),
    "privacy": ("text",),
}

_MOST_ENTRIES = 10_000
_INTEGER = "tag:yaml.org,2002:int"
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")

Value = TypeVar("Value")


class Params:
    """The values of a params file by dotted key.

    Each stage asks for those that it declares. Every method raises `InputError` with the line
    of a value that cannot be used; so does the constructor for a section or key that nothing
    reads, since a misspelt one would be ignored.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        text = read_text(path)
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
            self._lines = dict(islice(_lines(node, "", path), _MOST_ENTRIES))
            if len(self._lines) == _MOST_ENTRIES:  # aliases of aliases grow without end
                raise InputError(f"more than {_MOST_ENTRIES} entries", path=path, line=1)
            values = yaml.safe_load(text)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise InputError(f"invalid YAML, {error.problem}", path=path, line=line) from error
        except (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError) as error:
            # The library lets the errors of building a value through as they are.
            raise InputError(f"invalid YAML, {error}", path=path, line=1) from error
        if not isinstance(values, dict):
            raise InputError("expected sections such as chunker: and score:", path=path, line=1)
        self._values: Mapping[str, Any] = values
        self._refuse_unknown()

    def text(self, name: str, *, may_be_empty: bool = False) -> str:
        """Return a text."""
        value = self._value(name)
        if not isinstance(value, str) or not (value or may_be_empty):
            raise self._error(name, f"{name} must be text, found {value!r}")
        return value

    def one_of(self, name: str, known: tuple[str, ...]) -> str:
        """Return one of the `known` words."""
        value = self._value(name)
        if value not in known:
            raise self._error(name, f"{name} cannot be {value!r}", known)
        return str(value)

    def integer(self, name: str, *, least: int) -> int:
        """Return an integer of at least `least`."""
        value = self._value(name)
        if type(value) is not int or value < least:
            raise self._error(
                name, f"{name} must be an integer of at least {least}, found {value!r}"
            )
        return value

    def integers(self, name: str) -> tuple[int, ...]:
        """Return a list of distinct positive integers, at least one."""
        value = self._value(name)
        usable = isinstance(value, list) and value and all(type(k) is int and k > 0 for k in value)
        if not usable or len(set(value)) < len(value):
            raise self._error(name, f"{name} must list distinct positive integers, found {value!r}")
        return tuple(value)

    def each(self, section: str, build: Callable[[str], Value]) -> tuple[Value, ...]:
        """Return what `build` makes of each text of a list."""
        values = self._values.get(section)
        if not isinstance(values, list):
            raise self._error(section, f"{section} must be a list, found {values!r}")
        built = []
        for index, value in enumerate(values):
            name = f"{section}.{index}"
            if not isinstance(value, str):
                raise self._error(name, f"{section} must be a list of texts, found {value!r}")
            built.append(self.built(name, partial(build, value)))
        return tuple(built)

    def built(self, name: str, build: Callable[[], Value]) -> Value:
        """Return what `build` makes; what it refuses is reported at the line of `name`."""
        try:
            return build()
        except UsageError as error:
            raise self._error(name, str(error)) from error

    def _refuse_unknown(self) -> None:
        for section, value in self._values.items():
            if section not in _KNOWN:
                raise self._error(str(section), f"unknown section {section!r}", _KNOWN)
            known = _KNOWN[section]
            if not known:
                continue
            if not isinstance(value, dict):
                raise self._error(section, f"{section} must be a section with keys", known)
            for key in value:
                if key not in known:
                    name = f"{section}.{key}"
                    raise self._error(name, f"unknown key {name}", known)

    def _value(self, name: str) -> Any:
        section, _, key = name.partition(".")
        values = self._values.get(section)
        if not isinstance(values, dict) or key not in values:
            raise self._error(section, f"{name} is missing")
        return values[key]

    def _error(self, name: str, message: str, known: Iterable[str] = ()) -> InputError:
        expected = ", ".join(known)
        message = f"{message}; expected one of: {expected}" if expected else message
        return InputError(message, path=self._path, line=self._lines.get(name, 1))


def _lines(node: Any, name: str, path: Path) -> Iterator[tuple[str, int]]:
    """Yield every dotted key of a YAML node with its line.

    Raises `InputError` for a key that stands twice, and for an integer that YAML 1.1 and 1.2
    read differently: DVC reads the newer version.
    """
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            inner = f"{name}.{key.value}" if name else str(key.value)
            if inner in seen:
                raise InputError(f"{inner} stands twice", path=path, line=line)
            seen.add(inner)
            yield inner, line
            yield from _lines(value, inner, path)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield f"{name}.{index}", item.start_mark.line + 1
            yield from _lines(item, f"{name}.{index}", path)
    elif node is not None and node.tag == _INTEGER and not _DECIMAL.match(node.value):
        line = node.start_mark.line + 1
        message = f"{name} must be an integer in decimal digits, found {node.value[:60]}"
        raise InputError(message, path=path, line=line)
