"""One JSON object in blocks: the members and the faults that the whole file has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.json_object import ObjectStream
from evergold.formats.jsonl import read_json

_TEXTS = st.text(st.sampled_from('ab},{":[]\\\n\u00e9\u6f22\U0001f600'), max_size=8)
_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    _TEXTS,
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _objects(draw: st.DrawFn) -> str:
    """Return the text of an object with an array `chunks` between other fields."""
    fields = draw(st.dictionaries(_TEXTS, _VALUES, max_size=2))
    rest = draw(st.dictionaries(_TEXTS.map("x".__add__), _VALUES, max_size=2))
    chunks = draw(st.lists(st.dictionaries(_TEXTS, _VALUES, max_size=2) | _VALUES, max_size=5))
    return json.dumps(
        {**fields, "chunks": chunks, **rest},
        indent=draw(st.sampled_from([None, 1])),
        ensure_ascii=draw(st.booleans()),
    )


def _read(path: Path, block: int) -> tuple[dict[str, Any], list[Any]]:
    stream = ObjectStream(path, "chunks", "corpus", block)
    members = list(stream.members())
    return stream.fields, members


def _refusal(path: Path, block: int) -> str:
    with pytest.raises(InputError) as error:
        _read(path, block)
    return str(error.value)


def _file(folder: Path, content: str) -> Path:
    path = folder / "corpus.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    return path


@settings(deadline=None, max_examples=200)
@given(_objects(), st.integers(1, 80))
def test_blocks_of_any_size_give_the_whole_object(
    tmp_path_factory: pytest.TempPathFactory, content: str, block: int
) -> None:
    """Members and other fields are those of the file read at once, wherever a block ends."""
    path = _file(tmp_path_factory.mktemp("json"), content)
    fields = json.loads(content)
    chunks = fields.pop("chunks")
    assert (fields, chunks) == _read(path, block)


@settings(deadline=None, max_examples=300)
@given(_objects(), st.integers(1, 80), st.data())
@example('{"chunks":[{"a":1}]}', 4, None)
def test_a_damaged_object_is_refused_at_the_same_place(
    tmp_path_factory: pytest.TempPathFactory, content: str, block: int, data: Any
) -> None:
    """A character lost, changed or added: line and character are those of the whole file."""
    place = data.draw(st.integers(0, len(content))) if data else len(content)
    lost = data.draw(st.integers(0, 2)) if data else 0
    added = (
        data.draw(st.sampled_from(["", "{", "}", "]", ",", '"', "x", "1", "\x01"])) if data else "x"
    )
    damaged = content[:place] + added + content[place + lost :]
    path = _file(tmp_path_factory.mktemp("json"), damaged)
    whole, expected = _whole(path)
    if expected is not None:
        # What is no fault of syntax has no place: a missing array, half of a surrogate pair.
        places = _place(expected), _place(_refusal(path, block))
        if None not in places and not re.search(r",\s*[\]}]", damaged):
            assert places[0] == places[1]
        return
    if isinstance(whole, dict) and isinstance(whole.get("chunks"), list):
        fields = dict(whole)
        chunks = fields.pop("chunks")
        assert (fields, chunks) == _read(path, block)
    else:
        assert "corpus: missing chunks array" == _refusal(path, block)


def _whole(path: Path) -> tuple[Any, str | None]:
    """Return the value of a file, or what is said of it."""
    try:
        return read_json(path, source="corpus"), None
    except InputError as error:
        return None, str(error)


def _place(message: str) -> tuple[str, ...] | None:
    """Return line and character; the words differ between versions of Python.

    So does the place of a comma before the end: some name the comma, some what follows.
    """
    place = re.match(r"corpus:(\d+): .*\(char (\d+)\)$", message)
    return place and place.groups()


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"chunks":[{"a":NaN}]}', "corpus:1: NaN is not JSON"),
        ('{"chunks":[\n{"a":1},\n{"a":-Infinity}]}', "corpus:3: -Infinity is not JSON"),
        ('{"chunks":[{},\n{"a":1e999}]}', "corpus:2: 1e999 is not JSON"),
        ('{"chunks":[{},\n{"a":"\\ud83d"},{}]}', "corpus:2: a lone surrogate is not text"),
        ('{"chunks":[],\n"chunks":[]}', "corpus:2: chunks stands twice"),
        ('{"chunks":[]}\n x', "corpus:2: invalid JSON, Extra data: line 2 column 2 (char 15)"),
        ("", "corpus:1: invalid JSON, Expecting value: line 1 column 1 (char 0)"),
        ('{"chunks":[' + "[" * 99_999, "corpus:1: nested too deeply"),
    ],
)
def test_what_is_not_json_is_refused_with_its_line(
    tmp_path: Path, content: str, message: str, block: int
) -> None:
    """As in a file of rows."""
    assert message == _refusal(_file(tmp_path, content), max(block, len(content) // 9))


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """Editors write it, also before an object."""
    assert ({}, [{"a": "\u00e9"}]) == _read(_file(tmp_path, '\ufeff{"chunks":[{"a":"\u00e9"}]}'), 1)


def test_bytes_that_are_not_utf_8_are_refused_with_their_line(tmp_path: Path) -> None:
    """The line is that of the byte, in whatever block it stands."""
    path = tmp_path / "corpus.json"
    path.write_bytes(b'{"chunks":[\n{},\n{"a":"\xff"}]}')
    assert f"{path}:3: not UTF-8: byte 0xff" == _refusal(path, 4)
    assert f"{path}:3: not UTF-8: byte 0xff" == _refusal(path, 1 << 20)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    """The message names the path."""
    path = tmp_path / "nowhere.json"
    assert f"cannot read {path}: no such file or directory" == _refusal(path, 4)
