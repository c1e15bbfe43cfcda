"""Tokens: counts and spans are those of tiktoken, on any text and across the piece border."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.chunking.tokens import TokenSpans, count_tokens, token_spans
from evergold.errors import InputError
from tests.chunking.awkward import (
    AWKWARD,
    FAMILY,
    PARAGRAPH,
    TEXTS,
    tiktoken_count,
    tiktoken_spans,
)

# Above 100,000 characters a text is encoded in pieces.
LONG: dict[str, str] = {
    "prose": PARAGRAPH * 1_600,
    "one line of words": "word and another " * 7_000,
    "lines of code": "    if x == 1:\n\treturn [x, 'y']  # why\n\n" * 2_700,
    "spaces between words": ("word" + " " * 700) * 160,
    "lines without letters": "1234 5678 -- 90\n" * 7_000,
    "Thai lines": "แผนรายปีสามารถขอคืนเงินได้ ภายในสามสิบวัน\n" * 2_600,
    "Chinese lines": "机房夏天的温度不得超过二十六度。\n" * 6_500,
    "emoji and marks": f"{FAMILY} cafe\u0301 q\u0308\u0301 naïve\n" * 4_400,
    "separators": "One.\u2028Two.\fThree.\u0085Four. five\x1c six\r\n" * 3_000,
}


def _pairs(spans: TokenSpans) -> list[tuple[int, int]]:
    return list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True))


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_texts_have_the_tokens_of_tiktoken(text: str) -> None:
    """Number and place of every token agree, and the spans cover the text."""
    assert tiktoken_count(text) == count_tokens(text)
    assert tiktoken_spans(text) == _pairs(token_spans(text))


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_texts_of_several_pieces_have_the_tokens_of_tiktoken(text: str) -> None:
    """The places where a long text is cut into pieces leave every token as it is."""
    assert len(text) > 100_000
    assert tiktoken_count(text) == count_tokens(text)
    assert tiktoken_spans(text) == _pairs(token_spans(text))


@settings(deadline=None, max_examples=200)
@given(TEXTS | st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_has_the_tokens_of_tiktoken(text: str) -> None:
    """Number and place agree on random texts of any script."""
    assert tiktoken_count(text) == count_tokens(text)
    assert tiktoken_spans(text) == _pairs(token_spans(text))


@settings(deadline=None, max_examples=10)
@given(st.lists(TEXTS, min_size=1, max_size=6), st.integers(0, 60_000))
def test_any_text_of_several_pieces_has_the_tokens_of_tiktoken(
    parts: list[str], extra: int
) -> None:
    """A cut may fall anywhere in a long random text."""
    body = "\nword ".join(["x", *parts])
    text = (body * (170_000 // len(body) + 1))[: 100_001 + extra]
    assert tiktoken_count(text) == count_tokens(text)


def test_spans_are_in_code_points_and_widened_to_characters() -> None:
    """A token inside a character has the span of the whole character."""
    assert [(0, 1), (0, 1), (0, 1), (0, 1), (1, 2)] == _pairs(token_spans("\U0002a6d6x"))
    assert [(0, 5), (5, 11)] == _pairs(token_spans("hello world"))


def test_no_text_has_no_tokens() -> None:
    """The empty text counts 0."""
    assert 0 == count_tokens("")
    assert 0 == len(token_spans(""))


def test_special_tokens_are_plain_text() -> None:
    """The name of a special token is several tokens, as any other text."""
    assert tiktoken_count("<|endoftext|>") == count_tokens("<|endoftext|>")
    assert count_tokens("<|endoftext|>") > 1


def test_a_long_text_without_spaces_is_cut_at_its_stops() -> None:
    """A book in Chinese has stops and no spaces; its tokens are those of the whole text."""
    text = (
        "\u5e74\u8ba1\u5212\u53ef\u4ee5\u5728\u7eed\u8ba2\u540e\u4e09\u5341\u5929\u5185\u9000\u6b3e\uff0c\u6708\u8ba1\u5212\u4e0d\u53ef\u4ee5\u3002"
        * 4_000
    )
    assert tiktoken_count(text) == count_tokens(text)


def test_what_cannot_be_cut_is_refused() -> None:
    """A text too long for the encoder, without a border between words, is an input error."""
    with pytest.raises(InputError) as error:
        count_tokens("x" * 200_000)
    expected = "200,000 characters without any break cannot be tokenized"
    assert expected == str(error.value)
