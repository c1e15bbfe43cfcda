"""Fixed windows of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.chunking.fixed import fixed
from tests.chunking.awkward import AWKWARD, TEXTS, faults, tiktoken_spans


def test_windows_follow_each_other() -> None:
    """Each window has `size` tokens, the last one what is left."""
    text = "one two three four five"
    assert ["one two", " three four", " five"] == [text[a:b] for a, b in fixed(text, 2, 0)]


def test_overlap_repeats_the_last_tokens() -> None:
    """Each window starts `size - overlap` tokens after the one before, until the text ends."""
    text = "one two three four five"
    windows = [text[a:b] for a, b in fixed(text, 3, 1)]
    assert ["one two three", " three four five"] == windows


def test_a_text_shorter_than_a_window_is_one_chunk() -> None:
    """Nothing is cut that fits."""
    assert [(0, 7)] == fixed("one two", 512, 64)


def test_no_text_has_no_chunk() -> None:
    """The empty text gives nothing."""
    assert [] == fixed("", 4, 0)


def test_windows_of_white_space_are_left_out() -> None:
    """A window that holds no text is no chunk."""
    text = "a" + "\n\n" * 300 + "b"
    spans = fixed(text, 1, 0)
    assert [] == faults(text, spans)
    assert ["a", "b"] == [text[start:end].strip() for start, end in spans]


def test_windows_inside_one_character_are_one_chunk() -> None:
    """A character of four tokens is a chunk once, whole, at a size of one token."""
    assert [(0, 1), (1, 2)] == fixed("\U0002a6d6x", 1, 0)


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.integers(1, 12), st.data())
def test_windows_are_those_of_the_reference_tokens(
    text: str, size: int, data: st.DataObject
) -> None:
    """The windows are recomputed from the tokens of tiktoken, one by one."""
    overlap = data.draw(st.integers(0, size - 1))
    tokens = tiktoken_spans(text)
    expected: list[tuple[int, int]] = []
    for first in range(0, len(tokens), size - overlap):
        window = tokens[first : first + size]
        start, end = window[0][0], window[-1][1]
        if text[start:end].strip() and (not expected or end > expected[-1][1]):
            expected.append((start, end))
        if first + size >= len(tokens):
            break
    assert expected == fixed(text, size, overlap)


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.integers(1, 40), st.data())
def test_nothing_is_lost_and_nothing_repeated(text: str, size: int, data: st.DataObject) -> None:
    """Chunks are slices in order, each adds text, and only white space is in none of them."""
    overlap = data.draw(st.integers(0, size - 1))
    spans = fixed(text, size, overlap)
    assert [] == faults(text, spans)
    assert spans == fixed(text, size, overlap)


@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (7, 6), (64, 0), (512, 64)])
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_texts_are_covered(text: str, size: int, overlap: int) -> None:
    """Nothing but white space is lost, at any size."""
    assert [] == faults(text, fixed(text, size, overlap))
