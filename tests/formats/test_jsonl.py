"""JSON and JSON Lines: strict on reading, canonical on writing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.jsonl import Row, dumps, read_json, read_rows, write_json, write_rows

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "file.jsonl"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def _refusal(path: Path) -> str:
    with pytest.raises(InputError) as error:
        list(read_rows(path, source="run"))
    return str(error.value)


def test_rows_are_compact_and_keep_order_and_characters(tmp_path: Path) -> None:
    """Separators have no spaces, keys their order, non-ASCII characters their form; LF ends."""
    path = tmp_path / "out.jsonl"
    write_rows(path, [{"b": 1, "a": ["é", None]}, {"x\u2028y": {}}])
    assert '{"b":1,"a":["é",null]}\n{"x\u2028y":{}}\n'.encode() == path.read_bytes()


def test_no_rows_give_an_empty_file(tmp_path: Path) -> None:
    """Nothing is written for nothing."""
    path = tmp_path / "out.jsonl"
    write_rows(path, [])
    assert b"" == path.read_bytes()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_lacks_are_not_written(value: float) -> None:
    """NaN and infinity never reach a file."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"x": value})


def test_json_is_indented_on_two_levels(tmp_path: Path) -> None:
    """Two levels stand on lines of their own, what is deeper on one line; LF at the end."""
    path = tmp_path / "out.json"
    write_json(path, {"a": {"b": {"c": [1, 2]}, "d": []}, "e": [{"f": "é"}], "g": {}})
    assert (
        "{\n"
        '  "a": {\n'
        '    "b": {"c": [1, 2]},\n'
        '    "d": []\n'
        "  },\n"
        '  "e": [\n'
        '    {"f": "é"}\n'
        "  ],\n"
        '  "g": {}\n'
        "}\n"
    ) == path.read_text(encoding="utf-8")


@settings(deadline=None)
@given(VALUES)
def test_written_json_reads_back(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    """Any JSON value survives writing and reading."""
    path = tmp_path_factory.mktemp("json") / "value.json"
    write_json(path, value)
    assert value == read_json(path)
    assert value == json.loads(path.read_text(encoding="utf-8"))


@settings(deadline=None)
@given(st.lists(st.dictionaries(TEXTS, VALUES, max_size=3), max_size=4))
def test_written_rows_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    """Rows survive with the numbers of their lines, whatever separators their strings hold."""
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    write_rows(path, rows)
    assert list(enumerate(rows, start=1)) == list(read_rows(path))


def test_blank_lines_and_comments_are_passed_over(tmp_path: Path) -> None:
    """They count as lines and give no row; white space around a row is dropped."""
    path = _file(tmp_path, '// a comment\n\n  {"a":1}  \r\n \t \n//{"b":2}\n{"c":"// no comment"}')
    assert [(3, {"a": 1}), (6, {"c": "// no comment"})] == list(read_rows(path))


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    """U+2028, U+0085 and others may stand inside a string."""
    path = _file(tmp_path, '{"a":"1\u2028\u2029\u00852"}\n{"b":3}\n')
    assert [(1, {"a": "1\u2028\u2029\u00852"}), (2, {"b": 3})] == list(read_rows(path))


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    """The first row may follow a mark."""
    path = _file(tmp_path, b'\xef\xbb\xbf{"a":1}\n')
    assert [(1, {"a": 1})] == list(read_rows(path))


def test_white_space_around_a_value_is_passed_over(tmp_path: Path) -> None:
    """A whole value may stand between blank lines, and nothing else may follow it."""
    assert {"a": 1} == read_json(_file(tmp_path, '\n \t{"a": 1}\r\n\n'))
    with pytest.raises(InputError) as error:
        read_json(_file(tmp_path, '\n{"a": 1}\n {}'), source="corpus")
    assert "corpus:3: invalid JSON, Extra data: line 3 column 2 (char 11)" == str(error.value)


def test_the_last_of_repeated_keys_counts(tmp_path: Path) -> None:
    """A key that stands twice has its last value."""
    assert [(1, {"a": 2})] == list(read_rows(_file(tmp_path, '{"a":1,"a":2}')))


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_not_json_are_refused(tmp_path: Path, constant: str) -> None:
    """They are refused with their line, however deep they stand."""
    path = _file(tmp_path, f'{{"a":1}}\n{{"b":[{{"c":{constant}}}]}}\n')
    assert f"run:2: {constant} is not JSON" == _refusal(path)


@pytest.mark.parametrize(
    "line",
    [r'{"a":"\ud83d"}', r'{"a":"x\uDE00"}', r'{"\udc00":1}', r'{"a":["\ude00\ud83d"]}'],
)
def test_a_lone_surrogate_is_refused(tmp_path: Path, line: str) -> None:
    """Half of a pair is no text, in a value or in a key, in either case of its digits."""
    assert "run:1: a lone surrogate is not text" == _refusal(_file(tmp_path, line))


def test_a_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    """An escaped pair is the character that it stands for."""
    path = _file(tmp_path, r'{"a":"\ud83d\ude00","b":"\\ud83d"}')
    assert [(1, {"a": "\U0001f600", "b": r"\ud83d"})] == list(read_rows(path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"a":1', "run:2: invalid JSON, Expecting ',' delimiter: line 1 column 7 (char 6)"),
        ("[1]", "run:2: expected a JSON object, found list"),
        ("5", "run:2: expected a JSON object, found int"),
        ("null", "run:2: expected a JSON object, found NoneType"),
        ('"a"', "run:2: expected a JSON object, found str"),
    ],
)
def test_a_row_must_be_one_object(tmp_path: Path, line: str, message: str) -> None:
    """Other values and torn rows are refused with the line on which they stand."""
    assert message == _refusal(_file(tmp_path, f'{{"ok":1}}\n{line}\n{{"later":1}}'))


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    """A value nested beyond what can be parsed is an error of its line, not a stack trace."""
    path = _file(tmp_path, '{"a":' + "[" * 200_000 + "]" * 200_000 + "}")
    assert "run:1: nested too deeply" == _refusal(path)


def test_an_endless_integer_is_refused(tmp_path: Path) -> None:
    """An integer of more digits than can be converted is an error of its line."""
    message = _refusal(_file(tmp_path, '{"a":' + "9" * 5000 + "}"))
    assert message.startswith("run:1: invalid JSON, Exceeds the limit")


def test_an_error_in_a_whole_value_names_its_line(tmp_path: Path) -> None:
    """A fault in a file of one value stands on the line of the fault, after the path."""
    path = _file(tmp_path, '{\n  "a": 1,\n  "b": }\n')
    with pytest.raises(InputError) as error:
        read_json(path)
    assert str(error.value).startswith(f"{path}:3: invalid JSON, Expecting value")


def _row(**fields: Any) -> Row:
    return Row(fields, Path("f.jsonl"), 7, "judgments")


@pytest.mark.parametrize("value", [None, "", 5, True, ["q"]])
def test_an_identifier_is_a_non_empty_string(value: object) -> None:
    """Anything else counts as missing."""
    with pytest.raises(InputError) as error:
        _row(query_id=value).identifier("query_id")
    assert "judgments:7: missing query_id" == str(error.value)


@pytest.mark.parametrize(
    "character", ["\n", "\r", "\t", "\x00", "\x1f", "\x7f", "\x85", "\u2028", "\u2029"]
)
def test_an_identifier_has_no_control_character(character: str) -> None:
    """What would break a line or a hash is refused."""
    value = f"a{character}b"
    with pytest.raises(InputError) as error:
        _row(query_id=value).identifier("query_id")
    expected = f"judgments:7: query_id {value!r} holds a control character or line break"
    assert expected == str(error.value)


@pytest.mark.parametrize("value", ["a b", " a", "é/ü#?", "\u200b", "\ufeff", "\u00a0", "漢"])
def test_an_identifier_may_hold_anything_else(value: str) -> None:
    """Spaces, marks and any script are kept as they are."""
    assert value == _row(query_id=value).identifier("query_id")


@pytest.mark.parametrize("value", [5, 1.5, True, [], {}])
def test_a_text_is_a_string(value: object) -> None:
    """Numbers and booleans are no strings; null is the same as absent."""
    with pytest.raises(InputError, match="judgments:7: notes must be a string, found "):
        _row(notes=value).text("notes")
    assert None is _row(notes=None).text("notes")
    assert None is _row().text("notes")


@pytest.mark.parametrize("value", [-1, 1.0, "1", True, False, []])
def test_an_integer_is_whole_and_not_negative(value: object) -> None:
    """Booleans, floats and strings are no integers."""
    with pytest.raises(InputError, match="ordinal must be a non-negative integer, found "):
        _row(ordinal=value).integer("ordinal")
    assert 0 == _row(ordinal=0).integer("ordinal")


@pytest.mark.parametrize("value", ["ab", [1], [None], {"a": "b"}, 0])
def test_strings_are_a_list_of_strings(value: object) -> None:
    """A lone string is no list of strings."""
    with pytest.raises(InputError, match="also must be a list of strings, found "):
        _row(also=value).strings("also")
    assert ("a", "") == _row(also=["a", ""]).strings("also")
    assert () == _row(also=None).strings("also")


@pytest.mark.parametrize("value", [[1], [2, 1], [-1, 2], [0, 1, 2], [0, True], [0.0, 1], "01", {}])
def test_a_span_is_two_offsets_in_order(value: object) -> None:
    """Start and end are integers from 0, start first."""
    with pytest.raises(InputError, match=r"span must be \[start, end\], found "):
        _row(span=value).span("span")
    assert (3, 3) == _row(span=[3, 3]).span("span")
