"""One large JSON object, read in blocks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.json_object import ObjectStream

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\é', max_size=3), inner)
    ),
    max_leaves=6,
)
FIXTURES = [HealthCheck.function_scoped_fixture]


def _read(path: Path, block: int) -> tuple[dict[str, Any], list[Any]]:
    stream = ObjectStream(path, "chunks", "corpus", block)
    members = [value for _, value in stream.members()]
    return stream.fields, members


@settings(deadline=None, max_examples=200, suppress_health_check=FIXTURES)
@given(
    st.lists(VALUES, max_size=6),
    st.dictionaries(st.sampled_from(["a", "b", "corpus_fingerprint"]), VALUES),
    st.integers(1, 40),
    st.sampled_from([None, 1, "\r\n"]),
    st.booleans(),
)
def test_it_is_read_as_json_reads_it(
    tmp_path: Path,
    members: list[Any],
    fields: dict[str, Any],
    block: int,
    indent: int | str | None,
    escaped: bool,
) -> None:
    """Wherever a block ends: inside a number, an escape or a character of several bytes."""
    path = tmp_path / "object.json"
    parts = list(fields.items())
    whole = dict([*parts[:1], ("chunks", members), *parts[1:]])
    text = json.dumps(whole, ensure_ascii=escaped, indent=indent)
    path.write_bytes(text.encode("utf-8"))
    expected = json.loads(text)
    assert expected.pop("chunks") == members
    assert (expected, members) == _read(path, block)


@settings(deadline=None, max_examples=200, suppress_health_check=FIXTURES)
@given(
    st.integers(1, 30), st.integers(0, 200), st.sampled_from(["", "x", ",", "}", "\\", "1", " "])
)
def test_what_json_refuses_is_refused(tmp_path: Path, block: int, place: int, put: str) -> None:
    """A character put in or cut out anywhere gives the same answer as the whole text does."""
    text = '{"a": -1.5e+3, "chunks": [{"t": "é\\u00e9"}, 12, true], "b": [null, {"c": "}"}]}'
    place = min(place, len(text))
    text = text[:place] + (put or "") + text[place + (not put) :]
    path = tmp_path / "object.json"
    path.write_text(text, encoding="utf-8")
    try:
        expected: Any = json.loads(text)
    except json.JSONDecodeError:
        expected = None
    if isinstance(expected, dict) and isinstance(expected.get("chunks"), list):
        members = expected.pop("chunks")
        assert (expected, members) == _read(path, block)
    else:
        with pytest.raises(InputError, match=r"^corpus"):
            _read(path, block)
