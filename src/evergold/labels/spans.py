"""Where a text stands in a document, and which chunks hold a span."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from evergold.model import Chunk, Span

# Scripts that put no space between words: any place in them is a border.
UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xF900, 0xFAFF),  # Han, compatibility
    (0x20000, 0x3FFFF),  # Han, later extensions
)


def places_of(text: str, quote: str, most: int) -> list[Span]:
    """Return the spans, up to `most`, at which `quote` stands verbatim between word borders.

    "5 days" does not stand in "15 days", nor in "1.5 days". Places may overlap.
    """
    places: list[Span] = []
    start = text.find(quote) if quote else -1
    while start >= 0 and len(places) < most:
        end = start + len(quote)
        if is_border(text, start) and is_border(text, end):
            places.append((start, end))
        start = text.find(quote, start + 1)
    return places


def is_border(text: str, place: int) -> bool:
    """Return whether no word or number goes on across `place`."""
    if place == 0 or place == len(text):
        return True
    before, after = text[place - 1], text[place]
    if unicodedata.category(after)[0] == "M" or "\u200d" in (before, after):
        return False  # a mark, or a joined emoji
    if _in_word(before) and _in_word(after):
        return _is_unspaced(before) or _is_unspaced(after)
    if after in "'\u2019" and _in_word(before):  # can | can't
        return not (place + 1 < len(text) and _in_word(text[place + 1]))
    if after.isdigit() and before in ".,":
        return not (place >= 2 and text[place - 2].isdigit())
    if before.isdigit() and after in ".,":
        return not (place + 1 < len(text) and text[place + 1].isdigit())
    if after.isdigit() and before in "-\u2212":  # a sign, unless it joins two words or numbers
        return place >= 2 and _in_word(text[place - 2])
    return True


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _is_unspaced(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in UNSPACED)


class ChunkSpans:
    """The chunks of one document, for questions about spans.

    Chunks may overlap; those without `start` and `end` are left out.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        placed = [(c.start, c.end, c) for c in chunks if c.start is not None and c.end is not None]
        placed.sort(key=lambda item: (item[0], item[1], item[2].ordinal))
        self._placed = placed
        self._starts = [start for start, _, _ in placed]
        self._furthest = list(accumulate((end for _, end, _ in placed), max))

    def holders(self, span: Span) -> list[Chunk]:
        """Return the chunks that hold the whole span, tightest first (then by ordinal)."""
        found: list[tuple[int, int, Chunk]] = []
        for start, end, chunk in self._reaching(span[0], span[1]):
            if start <= span[0] and end >= span[1]:
                found.append((end - start, chunk.ordinal, chunk))
        found.sort(key=lambda item: item[:2])
        return [chunk for _, _, chunk in found]

    def overlapping(self, span: Span) -> list[Chunk]:
        """Return the chunks that share at least one character with the span, in order."""
        return [
            chunk
            for start, end, chunk in reversed(list(self._reaching(span[1] - 1, span[0] + 1)))
            if start < span[1] and end > span[0]
        ]

    def _reaching(self, start_by: int, end_from: int) -> list[tuple[int, int, Chunk]]:
        """Return what starts by `start_by`, last first, while anything before can reach `end_from`."""
        found = []
        for index in range(bisect_right(self._starts, start_by) - 1, -1, -1):
            if self._furthest[index] < end_from:
                break
            found.append(self._placed[index])
        return found


def shared(a: Span, b: Span) -> int:
    """Return the number of code points that two spans share."""
    return max(0, min(a[1], b[1]) - max(a[0], b[0]))
