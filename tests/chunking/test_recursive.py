"""Windows of tokens that end at paragraphs, lines, sentences or words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.chunking.recursive import recursive
from tests.chunking.awkward import AWKWARD, PARAGRAPH, TEXTS, faults, tiktoken_count

# With windows of fewer tokens the rest of a token that a border cuts may weigh more than one.
LEAST_SIZE = 8

SENTENCES = "One two three four. Five six seven eight. Nine ten eleven twelve."


def _texts(text: str, size: int, overlap: int = 0) -> list[str]:
    return [text[start:end] for start, end in recursive(text, size, overlap)]


def _too_large(text: str, size: int, overlap: int) -> list[str]:
    """Return the chunks of more than `size` tokens that are more than one character."""
    chunks = _texts(text, size, overlap)
    return [chunk for chunk in chunks if len(chunk) > 1 and tiktoken_count(chunk) > size]


def test_a_text_that_fits_is_one_chunk() -> None:
    """Nothing is cut that fits."""
    assert [SENTENCES] == _texts(SENTENCES, 512, 64)


def test_no_text_has_no_chunk() -> None:
    """The empty text gives nothing."""
    assert [] == recursive("", 8, 0)


def test_a_chunk_ends_at_a_paragraph() -> None:
    """The last paragraph break in the window is taken, and the break is in no chunk."""
    text = "One two three four five six.\n\nSeven eight.\nNine ten. Eleven twelve thirteen."
    assert [
        "One two three four five six.",
        "Seven eight.\nNine ten. Eleven twelve thirteen.",
    ] == _texts(text, 12)


def test_a_chunk_ends_at_a_line_where_there_is_no_paragraph() -> None:
    """A line end is the next choice."""
    text = "One two three four five six\nseven eight. Nine ten eleven twelve thirteen"
    assert [
        "One two three four five six",
        "seven eight. Nine ten eleven twelve thirteen",
    ] == _texts(text, 10)


def test_a_chunk_ends_at_a_sentence_where_there_is_no_line() -> None:
    """A sentence end is the next choice; its mark stays with it."""
    assert [
        "One two three four. Five six seven eight.",
        "Nine ten eleven twelve.",
    ] == _texts(SENTENCES, 13)


def test_closing_quotes_stay_with_their_sentence() -> None:
    """A quotation mark or bracket after the full stop belongs to the piece before."""
    text = 'He said "one two three." (Four five six seven.) Eight nine ten.'
    assert [
        'He said "one two three."',
        "(Four five six seven.)",
        "Eight nine ten.",
    ] == _texts(text, 8)


def test_a_chunk_ends_at_a_word_where_there_is_no_sentence() -> None:
    """A space is the last choice but one."""
    text = "one two three four five six seven"
    assert ["one two three", "four five six", "seven"] == _texts(text, 3)


def test_a_word_is_cut_only_where_it_is_longer_than_a_window() -> None:
    """A chunk without any border ends after `size` tokens."""
    text = "pneumono" * 6
    chunks = _texts(text, 4)
    assert text == "".join(chunks)
    assert all(tiktoken_count(chunk) <= 4 for chunk in chunks)


def test_a_coarse_border_is_passed_over_where_it_leaves_little() -> None:
    """A paragraph break in the first half of a window is no place to end."""
    text = "Title\n\nOne two three four five six seven eight. Nine ten."
    assert [
        "Title\n\nOne two three four five six seven eight.",
        "Nine ten.",
    ] == _texts(text, 12)


def test_chinese_sentences_end_without_a_space() -> None:
    """The full-width full stop is a border by itself."""
    text = "机房温度。违者罚款！谁来检查？每周一次。"
    chunks = _texts(text, 16)
    assert text == "".join(chunks)
    assert all(chunk[-1] in "。！？" for chunk in chunks)
    assert len(chunks) > 1


def test_overlap_begins_at_a_sentence() -> None:
    """The next chunk begins with the first sentence within the last `overlap` tokens."""
    assert [
        "One two three four. Five six seven eight.",
        "Five six seven eight. Nine ten eleven twelve.",
    ] == _texts(SENTENCES, 13, 6)


def test_overlap_begins_at_a_word_where_there_is_no_sentence() -> None:
    """Without a sentence in reach the overlap begins at a word."""
    text = "one two three four five six seven"
    assert [
        "one two three four",
        "four five six seven",
    ] == _texts(text, 4, 1)


def test_overlap_begins_with_the_first_sentence_or_line_in_reach() -> None:
    """The earliest of them is taken, not the coarsest."""
    text = "One two three four. Five six.\nSeven eight. Nine ten eleven twelve thirteen."
    assert [
        "One two three four. Five six.\nSeven eight.",
        "Five six.\nSeven eight. Nine ten eleven twelve thirteen.",
    ] == _texts(text, 14, 6)


def test_a_window_that_ends_inside_a_character_is_cut_before_it() -> None:
    """The character of four tokens goes to the next chunk, and nothing else does."""
    letters = "pneumono" * 2
    size = tiktoken_count(letters) + 1
    assert [letters, "\U0002a6d6"] == _texts(letters + "\U0002a6d6", size)


def test_repeated_paragraphs_are_cut_alike() -> None:
    """Equal paragraphs give equal chunks, each at its own place."""
    text = (PARAGRAPH * 6).strip()
    spans = recursive(text, 16, 0)
    assert [PARAGRAPH.strip()] * 6 == [text[start:end] for start, end in spans]
    assert [68 * place for place in range(6)] == [start for start, _ in spans]


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.integers(1, 40), st.data())
def test_nothing_is_lost_and_nothing_repeated(text: str, size: int, data: st.DataObject) -> None:
    """Chunks are slices in order, each adds text, and only white space is in none of them."""
    overlap = data.draw(st.integers(0, size - 1))
    spans = recursive(text, size, overlap)
    assert [] == faults(text, spans)
    assert spans == recursive(text, size, overlap)
    assert not [start for start, end in spans if text[start].isspace()]


@settings(deadline=None, max_examples=150)
@given(TEXTS, st.integers(LEAST_SIZE, 60), st.data())
def test_no_chunk_is_above_its_size(text: str, size: int, data: st.DataObject) -> None:
    """A chunk alone counts at most `size` tokens, unless it is a single character."""
    overlap = data.draw(st.integers(0, size - 1))
    assert [] == _too_large(text, size, overlap)


@settings(deadline=None, max_examples=100)
@given(TEXTS, st.integers(1, 40))
def test_without_overlap_chunks_do_not_overlap(text: str, size: int) -> None:
    """Every character is in one chunk at most."""
    spans = recursive(text, size, 0)
    pairs = pairwise(spans)
    assert [] == [(left, right) for left, right in pairs if left[1] > right[0]]


@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (9, 8), (64, 0), (512, 64)])
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_texts_are_covered(text: str, size: int, overlap: int) -> None:
    """Nothing but white space is lost, and the size is kept."""
    assert [] == faults(text, recursive(text, size, overlap))
    assert size < LEAST_SIZE or [] == _too_large(text, size, overlap)


def test_a_text_of_several_pieces_is_covered() -> None:
    """A long document is cut like a short one."""
    text = "\n\n".join(f"## Part {part}\n\n{PARAGRAPH * 9}".strip() for part in range(200))
    assert len(text) > 100_000
    spans = recursive(text, 512, 64)
    assert [] == faults(text, spans)
    assert [] == _too_large(text, 512, 64)
