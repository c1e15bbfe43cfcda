"""Where a text may be cut: between paragraphs, lines, sentences and words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

_SPACE = re.compile(r"\s+")
# Sentences of scripts that put no space after them.
_CLOSED = re.compile(r"(?<=[。！？])(?=[^\s」』】）〕》])")
_ENDS = frozenset(".!?。！？")
_CLOSERS = "\"'”’)]»」』】）〕》"

Gap = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The gaps of one kind in a text: where each begins and where the next piece starts."""

    gap_starts: list[int]
    next_starts: list[int]

    def last_cut(self, after: int, until: int) -> Gap | None:
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
    """Return the boundaries of `text`, coarsest first: paragraphs, lines, sentences, words.

    A gap is a whole run of white space, so that no piece begins or ends with any.
    """
    words = [match.span() for match in _SPACE.finditer(text)]
    breaks = [text.count("\n", *gap) for gap in words]
    closed = [match.span() for match in _CLOSED.finditer(text)]
    sentences = [gap for gap in words if _ends_sentence(text, gap[0])]
    return (
        _level(gap for gap, count in zip(words, breaks, strict=True) if count > 1),
        _level(gap for gap, count in zip(words, breaks, strict=True) if count),
        _level(sorted(sentences + closed)),
        _level(words),
    )


def _level(gaps: Iterable[Gap]) -> Boundaries:
    held = list(gaps)
    return Boundaries([start for start, _ in held], [end for _, end in held])


def _ends_sentence(text: str, place: int) -> bool:
    """Return whether a sentence ends at `place`, after closing quotes and brackets if any."""
    before = text[max(0, place - 8) : place].rstrip(_CLOSERS)
    return before[-1:] in _ENDS
