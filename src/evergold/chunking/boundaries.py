"""Where a text may be cut: between paragraphs, lines, sentences and words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

# Coarsest first. Each matches the gap between two pieces, so that punctuation stays with the
# sentence that it ends.
_GAPS = (
    re.compile(r"\n[^\S\n]*\n\s*"),
    re.compile(r"[^\S\n]*\n\s*"),
    re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|(?<=[。！？])(?=\S)"),
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The gaps of one kind in a text: where each begins and where the next piece starts."""

    gap_starts: list[int]
    next_starts: list[int]

    def last_cut(self, after: int, until: int) -> tuple[int, int] | None:
        """Return (end, next start) of the last gap that begins in (after, until]."""
        index = bisect_right(self.gap_starts, until) - 1
        if index < 0 or self.gap_starts[index] <= after:
            return None
        return self.gap_starts[index], self.next_starts[index]

    def first_start(self, at_least: int, before: int) -> int | None:
        """Return the first place in [at_least, before) where a piece starts."""
        index = bisect_left(self.next_starts, at_least)
        if index == len(self.next_starts) or self.next_starts[index] >= before:
            return None
        return self.next_starts[index]


def boundaries(text: str) -> tuple[Boundaries, ...]:
    """Return the boundaries of `text`: paragraphs, lines, sentences, words."""
    found = []
    for gap in _GAPS:
        spans = [_outside(text, match) for match in gap.finditer(text)]
        found.append(Boundaries([start for start, _ in spans], [end for _, end in spans]))
    return tuple(found)


def _outside(text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the white space of a gap: closing quotes and brackets belong to the piece before."""
    start, end = match.span()
    while start < end and not text[start].isspace():
        start += 1
    return start, end
