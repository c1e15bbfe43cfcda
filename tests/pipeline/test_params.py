"""`params.yaml`: values by dotted key, and faults that name their line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evergold.errors import InputError, UsageError
from evergold.pipeline.params import Params

TEXT = """\
corpus:
  path: data/corpus
  uri_prefix: ''
chunker:
  size: 512
  overlap: true
  unit: 3
score:
  k: [1, 5]
gates:
- recall@5:0.9
- recall@5
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a params file may stand."""
    return tmp_path / "params.yaml"


def params(path: Path, text: str) -> Params:
    """Return the params of a file that holds `text`."""
    path.write_text(text, encoding="utf-8")
    return Params(path)


def test_values_are_read_by_their_dotted_key(path: Path) -> None:
    """Texts, words, integers and lists come back as what they are."""
    values = params(path, TEXT)
    assert values.text("corpus.path") == "data/corpus"
    assert values.text("corpus.uri_prefix", may_be_empty=True) == ""
    assert values.one_of("corpus.path", ("data/corpus", "data")) == "data/corpus"
    assert values.integer("chunker.size", least=512) == 512
    assert values.integers("score.k") == (1, 5)
    assert values.each("gates", str.upper) == ("RECALL@5:0.9", "RECALL@5")


def test_a_byte_order_mark_is_passed_over(path: Path) -> None:
    """A params file that an editor saved with a byte order mark is read as any other."""
    path.write_bytes(b"\xef\xbb\xbfchunker:\r\n  size: 7\r\n")
    assert Params(path).integer("chunker.size", least=1) == 7


def refuse(text: str) -> str:
    """Refuse a gate, as the parser of gates does."""
    if text == "recall@5":
        raise UsageError(f"gate '{text}': expected <metric>:<threshold>")
    return text


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda p: p.text("corpus.uri_prefix"), "3: corpus.uri_prefix must be text, found ''"),
        (lambda p: p.text("chunker.size"), "5: chunker.size must be text, found 512"),
        (lambda p: p.text("chunker.strategy"), "4: chunker.strategy is missing"),
        (lambda p: p.text("privacy.text"), "1: privacy.text is missing"),
        (
            lambda p: p.one_of("chunker.unit", ("tokens", "words")),
            "7: chunker.unit cannot be 3; expected one of: tokens, words",
        ),
        (
            lambda p: p.integer("chunker.size", least=513),
            "5: chunker.size must be an integer of at least 513, found 512",
        ),
        (
            lambda p: p.integer("chunker.overlap", least=0),
            "6: chunker.overlap must be an integer of at least 0, found True",
        ),
        (
            lambda p: p.integers("chunker.size"),
            "5: chunker.size must list distinct positive integers, found 512",
        ),
        (lambda p: p.each("score", refuse), "8: score must be a list, found {'k': [1, 5]}"),
        (lambda p: p.each("privacy", refuse), "1: privacy must be a list, found None"),
        (
            lambda p: p.each("gates", refuse),
            "12: gate 'recall@5': expected <metric>:<threshold>",
        ),
        (lambda p: p.built("score.k", lambda: refuse("recall@5")), "9: gate 'recall@5': expected"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_its_line(
    path: Path, read: Callable[[Params], object], expected: str
) -> None:
    """The error has the line of the value, or of its section where the value is missing."""
    values = params(path, TEXT)
    with pytest.raises(InputError) as caught:
        read(values)
    assert str(caught.value).startswith(f"{path}:{expected}")


@pytest.mark.parametrize("found", ["[]", "[0]", "[1, 1]", "[1, -5]", "[1, '5']", "[1, true]", "{}"])
def test_a_list_of_cuts_holds_distinct_positive_integers(path: Path, found: str) -> None:
    """Nothing else is a list of cuts, and a boolean is no integer."""
    values = params(path, f"score:\n  threshold: 1\n  k: {found}\n")
    with pytest.raises(InputError, match=r":3: score\.k must list distinct positive integers"):
        values.integers("score.k")


def test_a_gate_that_is_no_text_is_named_with_its_own_line(path: Path) -> None:
    """The line is that of the item and not of its list."""
    values = params(path, "gates:\n- recall@5:0.9\n- 5\n")
    with pytest.raises(InputError, match=":3: gates must be a list of texts, found 5"):
        values.each("gates", str)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1: expected sections such as chunker: and score:"),
        ("- a\n", "1: expected sections such as chunker: and score:"),
        ("chunker:\n  size: 1\nchuncker:\n  size: 2\n", "3: unknown section 'chuncker'; expected"),
        ("7: x\n", "1: unknown section 7; expected one of: corpus, chunker, "),
        ("chunker:\n  size: 1\n  ovrlap: 2\n", "3: unknown key chunker.ovrlap; expected one of"),
        ("score: 3\n", "1: score must be a section with keys; expected one of: k, threshold"),
        ("chunker:\n  size: [1\nscore:\n", "3: invalid YAML, "),
        ("chunker:\n\tsize: 1\n", "2: invalid YAML, found character '\\t' that cannot start"),
        ("chunker: *gone\n", "1: invalid YAML, found undefined alias 'gone'"),
        ("gates: []\n---\ngates: []\n", "2: invalid YAML, but found another document"),
        ("corpus:\n  path: !!python/name:os.getcwd\n", "2: invalid YAML, could not determine"),
        ("corpus:\n  path: \x07\n", "1: invalid YAML, unacceptable character #x0007"),
        ("chunker:\n  size: 1\n  size: 2\n", "3: "),
        ("chunker:\n  size: 1\nchunker:\n  size: 2\n", "3: "),
        ("chunker:\n  size: 2024-13-01\n", "1: invalid YAML, "),
        ("chunker:\n  strategy: !!bool x\n", "1: invalid YAML, "),
        ("chunker:\n  strategy: !!timestamp x\n", "1: invalid YAML, "),
        ("chunker: &a\n  <<: *a\n", "1: invalid YAML, "),
        ("[" * 2000, "1: invalid YAML, "),
    ],
)
def test_a_file_that_is_no_params_file_is_refused(path: Path, text: str, expected: str) -> None:
    """Broken YAML, a missing section and a name that nothing reads are errors with a line."""
    with pytest.raises(InputError) as caught:
        params(path, text)
    assert str(caught.value).startswith(f"{path}:{expected}")
    assert caught.value.display.count("\n") == 0


def test_a_params_file_that_is_not_utf_8_is_named_with_its_line(path: Path) -> None:
    """The line is that of the first byte that is not UTF-8."""
    path.write_bytes(b"corpus:\n  path: caf\xe9\n")
    with pytest.raises(InputError) as caught:
        Params(path)
    assert f"{path}:2: not UTF-8: byte 0xe9" == str(caught.value)


def test_a_missing_params_file_is_named(path: Path) -> None:
    """Without the file there is one error that names it."""
    with pytest.raises(InputError) as caught:
        Params(path)
    assert f"cannot read {path}: no such file or directory" == str(caught.value)


@pytest.mark.parametrize(
    "value", ["010", "0x10", "0b1", "1_0", "190:20:30", "0x_", "!!int x", "9" * 5000]
)
def test_an_integer_is_written_in_decimal_digits(path: Path, value: str) -> None:
    """YAML 1.1 and 1.2 read other forms as different numbers, and DVC tracks those of 1.2."""
    with pytest.raises(InputError) as caught:
        params(path, f"chunker:\n  size: {value}\n").integer("chunker.size", least=1)
    assert str(caught.value).startswith(
        f"{path}:2: chunker.size must be an integer in decimal digits, found "
    )
