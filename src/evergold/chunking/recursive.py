"""Windows of tokens that end at the coarsest boundary that leaves them at least half full."""

from __future__ import annotations

import re

import numpy as np

from evergold.chunking.boundaries import Boundaries, boundaries
from evergold.chunking.tokens import TokenSpans, count_tokens, token_spans
from evergold.model import Span

_SPACE = re.compile(r"\s*")


def recursive(text: str, size: int, overlap: int) -> list[Span]:
    """Return chunks of at most `size` tokens, without white space at either end.

    A chunk ends at the last paragraph break inside its window, else at the last line end,
    sentence end, word end, and only then inside a word; a coarse boundary is passed over
    where it would leave the window less than half full. The next chunk starts at the first
    paragraph, line or sentence (else word) within the last `overlap` tokens.
    """
    tokens = token_spans(text)
    levels = boundaries(text)
    spans: list[Span] = []
    start = following = previous_end = 0
    while following < len(text):
        end, onward = _cut(text, tokens, levels, start, size, previous_end)
        if end <= previous_end:  # the overlap fills the window: go on without it
            start = following
            end, onward = _cut(text, tokens, levels, start, size, previous_end)
        spans.append((start, end))
        start = _next_start(tokens, levels, start, end, onward, overlap)
        following, previous_end = onward, end
    return spans


def _cut(
    text: str,
    tokens: TokenSpans,
    levels: tuple[Boundaries, ...],
    start: int,
    size: int,
    previous_end: int,
) -> Span:
    """Return the end of the chunk that begins at `start`, and where the text goes on."""
    first = int(np.searchsorted(tokens.starts, start, side="right")) - 1
    window = size
    while True:
        last = first + window - 1
        if last >= len(tokens) - 1:
            end, following = len(text), len(text)
        else:
            limit = int(tokens.ends[last])
            if limit > start and first + window < len(tokens) and tokens.starts[last + 1] < limit:
                limit -= 1  # the character goes on in the next token
            end, following = _last_boundary(text, levels, start, limit, previous_end)
        # A slice may count more tokens alone than inside its document, by a token or two.
        excess = count_tokens(text[start:end]) - size
        if excess <= 0 or window == 1:
            return end, following
        window = max(1, min(window, len(tokens) - first) - excess)


def _last_boundary(
    text: str, levels: tuple[Boundaries, ...], start: int, limit: int, previous_end: int
) -> Span:
    half_full = max(start + (limit - start) // 2, previous_end)
    for level in levels:
        cut = level.last_cut(after=half_full, until=limit)
        if cut is not None:
            return cut
    return _trim(text, start, max(limit, start + 1))


def _trim(text: str, start: int, end: int) -> Span:
    """Return `end` without white space before it, and the next character that is none."""
    space = _SPACE.match(text, end)
    return start + len(text[start:end].rstrip()), space.end() if space else end


def _next_start(
    tokens: TokenSpans,
    levels: tuple[Boundaries, ...],
    start: int,
    end: int,
    following: int,
    overlap: int,
) -> int:
    if overlap == 0:
        return following
    last = int(np.searchsorted(tokens.ends, end))
    zone = max(int(tokens.starts[max(last - overlap + 1, 0)]), start + 1)
    *coarse, words = levels
    starts = [level.first_start(zone, end) for level in coarse]
    found = [place for place in starts if place is not None]
    if found:
        return min(found)
    word = words.first_start(zone, end)
    return following if word is None else word
