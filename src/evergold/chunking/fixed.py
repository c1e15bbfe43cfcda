"""Fixed windows of tokens."""

from __future__ import annotations

from evergold.chunking.tokens import token_spans
from evergold.model import Span


def fixed(text: str, size: int, overlap: int) -> list[Span]:
    """Return windows of `size` tokens, each starting `size - overlap` tokens after the last.

    The last window ends with the text. Windows of white space only are left out, and so are
    those that add no character, where one character is several tokens. Tokens are those of
    the whole text: where a window cuts a word or character, its text may count a few more.
    """
    tokens = token_spans(text)
    spans: list[Span] = []
    for first in range(0, len(tokens), size - overlap):
        last = min(first + size, len(tokens)) - 1
        start, end = int(tokens.starts[first]), int(tokens.ends[last])
        adds_text = not spans or end > spans[-1][1]
        if adds_text and text[start:end].strip():
            spans.append((start, end))
        if last == len(tokens) - 1:
            break
    return spans
