"""Where a passage of an edited document stands now, if that is beyond doubt: `spec/anchors.md`.

A passage is followed where its own words stand unchanged, whole sentences with unchanged
surroundings, in a run of text that is one of a kind in the old text and in the new one.
Nothing is decided by likeness.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evergold.labels.folding import Lexicon, Reader, Tokens, broken_words, joined
from evergold.labels.rules import CONTEXT_CHANGED, COPIES, EDITED
from evergold.labels.spans import is_border
from evergold.model import Span

# A run of this many words that stands once in both texts ties them together.
_RUN = 6
# Surroundings on one side that count: words, and code points.
_CONTEXT = 8, 24
# In order, and where the passage has no copies, less will do: on both sides, or on one.
_NEAR_BOTH, _NEAR_ONE = 8, 18
# A passage whose surroundings nobody knows must have this many code points.
_LEAST_ALONE = 200
# How far, in words, surroundings are looked at.
_REACH = 64
_SENTENCE_REACH = 32
# Of a part of an old text, the share that has to be where its passage is: of what is one of a kind
# in both texts, and of all of it.
_TOGETHER, _THERE = 0.8, 0.5

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_ENDS_SENTENCE = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\uff61][\"'\u2019\u201d\u00bb)\]*_`]*\Z")
# What begins a list item, a heading, a quotation or a table row.
_MARKER = re.compile(r"(?:[-*+\u2022|>]|#+|\d+[.)])(?=\s|\||\Z)")
_BLANK_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands in the new text; `moved` if not in its old order."""

    span: Span
    moved: bool


class _Runs:
    """The places of the tokens of one text, and of its runs of `_RUN` tokens, by hash."""

    def __init__(self, tokens: Tokens) -> None:
        ids = tokens.ids.astype(np.uint64)
        count = max(0, len(ids) - _RUN + 1)
        hashes = np.zeros(count, np.uint64)
        for place in range(_RUN):
            hashes = hashes * _MULTIPLIER + ids[place : place + count] + np.uint64(1)
            hashes ^= hashes >> np.uint64(29)
        self._ids = tokens.ids
        self._by_id = np.argsort(tokens.ids, kind="stable")
        self._sorted_ids = tokens.ids[self._by_id]
        self.hashes = hashes
        self._order = np.argsort(hashes, kind="stable")
        self._sorted = hashes[self._order]

    def only_places(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return, for each hash, the place of its run; -1 where it has none, or several."""
        first = np.searchsorted(self._sorted, hashes, "left")
        once = np.searchsorted(self._sorted, hashes, "right") - first == 1
        places = np.full(len(hashes), -1, np.int64)
        places[once] = self._order[first[once]]
        return places

    def positions(self, passage: NDArray[np.int64], first: int, last: int) -> list[int]:
        """Return where a passage stands between two tokens of the text, up to two places."""
        if not len(passage):
            return []
        starts = np.searchsorted(self._sorted_ids, passage, "left")
        ends = np.searchsorted(self._sorted_ids, passage, "right")
        rarest = int(np.argmin(ends - starts))
        found: list[int] = []
        for place in self._by_id[starts[rarest] : ends[rarest]].tolist():
            start = place - rarest
            end = start + len(passage)
            if start < first or end > last or len(found) == 2:
                continue
            if np.array_equal(self._ids[start:end], passage):
                found.append(start)
        return found


class NewText:
    """The present text of a document, for questions about several old ones."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._reader = Reader()
        self._lexicon = Lexicon(text)
        self._broken = broken_words(text)
        self._read: dict[object, tuple[Tokens, _Runs]] = {}

    def since(self, old: str, *, whole: bool = True) -> Edition:
        """Return the edition from `old` to this text; `whole` unless `old` is only a part."""
        lexicons = (self._lexicon, Lexicon(old))
        # What is one word here depends on the old text; mostly nothing does.
        words = joined(self._broken, lexicons)
        if words not in self._read:
            tokens = self._reader.read(self._text, *lexicons)
            self._read[words] = tokens, _Runs(tokens)
        return Edition(self._reader.read(old, *lexicons), *self._read[words], whole=whole)


class Edition:
    """An old text, or a part of it, beside the new text."""

    def __init__(self, old: Tokens, new: Tokens, new_runs: _Runs, *, whole: bool) -> None:
        self._old = old
        self._new = new
        self._whole = whole
        self._new_runs = new_runs
        self._old_runs = runs = _Runs(old)
        only = np.flatnonzero(runs.only_places(runs.hashes) >= 0)
        places = new_runs.only_places(runs.hashes[only])
        self._from = only[places >= 0]
        self._to = places[places >= 0]

    def follow(self, span: Span) -> Place | str:
        """Return where the text of an old span stands, or the reason why that is not proved."""
        tokens = self._old.covering(span)
        if tokens is None:
            return EDITED
        found = [shift for shift in self._shifts(tokens) if self._stands(tokens, shift)]
        reasons = [self._doubt(tokens, shift) for shift in found]
        proved = [shift for shift, reason in zip(found, reasons, strict=True) if reason is None]
        if len(proved) > 1:
            return COPIES
        if not proved:
            return next((reason for reason in reasons if reason), EDITED)
        return Place(self._at(span, tokens, proved[0]), not self._in_order(tokens, proved[0]))

    def _at(self, span: Span, tokens: Span, shift: int) -> Span:
        """Return the place of a passage, with the marks of emphasis around it that it had."""
        start, end = self._new.span((tokens[0] + shift, tokens[1] + shift))
        first, last = self._old.span(tokens)
        ahead, behind = self._old.text[span[0] : first], self._old.text[last : span[1]]
        for opening, closing, width in self._new.emphasis:
            if closing == end and (opening >= start or behind):
                end = closing + width
            if opening + width == start and (closing < end or ahead):
                start = opening
        # Marks that are a pair no longer stand in the text as they are.
        if ahead and self._new.text.endswith(ahead, 0, start):
            start -= len(ahead)
        if behind and self._new.text.startswith(behind, end):
            end += len(behind)
        return start, end

    def only_place(self) -> Span | None:
        """Return where all of the old text stands in the new one; None for nowhere, or twice."""
        tokens = (0, len(self._old.ids))
        places = self._new_runs.positions(self._old.ids, 0, len(self._new.ids))
        if len(places) != 1 or not self._stands(tokens, places[0]):
            return None
        return self._at((0, len(self._old.text)), tokens, places[0])

    def part(self, span: Span, within: Span, place: Span) -> Span | None:
        """Return where a part of a followed span stands; None where it cuts a word."""
        if self._old.text[slice(*within)] == self._new.text[slice(*place)]:
            return span[0] - within[0] + place[0], span[1] - within[0] + place[0]
        whole, part = self._old.covering(within), self._old.covering(span)
        there = self._new.covering(place)
        if whole is None or part is None or there is None:
            return None
        return self._at(span, part, there[0] - whole[0])

    def _shifts(self, tokens: Span) -> list[int]:
        """Return how far the passage may have moved, in tokens, by what is one of a kind near it."""
        first = bisect_left(self._from, tokens[0] - _REACH)
        last = bisect_right(self._from, tokens[1] + _REACH - _RUN)
        return [int(shift) for shift in np.unique(self._to[first:last] - self._from[first:last])]

    def _stands(self, tokens: Span, shift: int) -> bool:
        """Return whether the passage stands at its place plus `shift`, as words of its own."""
        first, last = tokens[0] + shift, tokens[1] + shift
        if first < 0 or last > len(self._new.ids):
            return False
        if not np.array_equal(self._old.ids[slice(*tokens)], self._new.ids[first:last]):
            return False
        spaced = self._old.spaced[tokens[0] + 1 : tokens[1]]
        start, end = self._new.span((first, last))
        return (
            np.array_equal(spaced, self._new.spaced[first + 1 : last])
            and is_border(self._new.text, start)
            and is_border(self._new.text, end)
        )

    def _doubt(self, tokens: Span, shift: int) -> str | None:
        """Return why a place at which the passage stands is not proved, None where it is."""
        alone = self._is_alone(tokens)
        if not self._whole:  # nobody knows what else the old text held
            if not self._stays_together(shift):
                return COPIES
            if tokens == (0, len(self._old.ids)):
                start, end = self._old.span(tokens)
                return None if alone and end - start >= _LEAST_ALONE else COPIES
        before, after = self._same_before(tokens, shift), self._same_after(tokens, shift)
        if not self._is_whole(tokens, shift, before[0], after[0]):
            return CONTEXT_CHANGED
        first, last = tokens[0] - before[0], tokens[1] + after[0]
        sides = (first, tokens[0]), (tokens[1], last)
        ties = [self._is_tied(side, shift) for side in sides]
        tied = sum(ties)
        if not self._whole and not (
            self._in_order(tokens, shift)
            and all(
                tie or _is_context(same) or self._goes_on(tokens, shift, end)
                for tie, same, end in zip(ties, (before, after), (0, 1), strict=True)
            )
        ):
            return COPIES
        if tied == 2 or (tied and (alone or self._is_alone(tokens, shift, _REACH))):
            return None
        if not (alone and self._whole and self._is_tied((first, last), shift)):
            return COPIES
        if not self._in_order(tokens, shift):
            return CONTEXT_CHANGED
        if _is_context(before) or _is_context(after):
            return None
        near = min(before[1], after[1]) >= _NEAR_BOTH or max(before[1], after[1]) >= _NEAR_ONE
        return None if near and self._in_order(tokens, shift, _REACH) else CONTEXT_CHANGED

    def _same_before(self, tokens: Span, shift: int) -> Span:
        """Return how much stands unchanged before the passage: tokens, and code points."""
        old, new = self._old, self._new
        first = tokens[0]
        most = min(_REACH, first, first + shift)
        if not most or old.spaced[first] != new.spaced[first + shift]:
            return 0, 0
        here, there = slice(first - most, first), slice(first + shift - most, first + shift)
        same = (old.ids[here] == new.ids[there])[::-1]
        # White space before a token stands between it and the one further out.
        joined = (old.spaced[here] == new.spaced[there])[::-1]
        count = _run_length(same, joined)
        return count, int(old.starts[first] - old.starts[first - count])

    def _same_after(self, tokens: Span, shift: int) -> Span:
        """Return how much stands unchanged after the passage: tokens, and code points."""
        old, new = self._old, self._new
        last = tokens[1]
        most = min(_REACH, len(old.ids) - last, len(new.ids) - last - shift)
        if most <= 0:
            return 0, 0
        here, there = slice(last, last + most), slice(last + shift, last + shift + most)
        same = (old.ids[here] == new.ids[there]) & (old.spaced[here] == new.spaced[there])
        count = most if same.all() else int(np.argmin(same))
        return count, int(old.ends[last + count - 1] - old.ends[last - 1])

    def _is_tied(self, tokens: Span, shift: int) -> bool:
        """Return whether an unchanged run of tokens holds what is one of a kind in both texts."""
        first = bisect_left(self._from, tokens[0])
        last = bisect_right(self._from, tokens[1] - _RUN)
        return bool(np.any(self._to[first:last] - self._from[first:last] == shift))

    def _is_alone(self, tokens: Span, shift: int = 0, reach: int | None = None) -> bool:
        """Return whether the passage stands once in the old text and once in the new one.

        With `reach`, in tokens, only so much around its two places is looked at.
        """
        first = bisect_left(self._from, tokens[0])
        if first < bisect_right(self._from, tokens[1] - _RUN):
            return True  # a part of it does
        passage = self._old.ids[slice(*tokens)]
        around = len(self._old.ids) + len(self._new.ids) if reach is None else reach
        for runs, moved, length in (
            (self._old_runs, 0, len(self._old.ids)),
            (self._new_runs, shift, len(self._new.ids)),
        ):
            first = max(0, tokens[0] + moved - around)
            last = min(length, tokens[1] + moved + around)
            if len(runs.positions(passage, first, last)) != 1:
                return False
        return True

    @cached_property
    def _order(self) -> tuple[list[int], list[int]]:
        """Return the longest series of runs that are in the same order in both texts."""
        if np.all(np.diff(self._to) > 0):  # nothing was moved
            return self._from.tolist(), self._to.tolist()
        kept = _longest_rising(self._to.tolist())
        return self._from[kept].tolist(), self._to[kept].tolist()

    def _in_order(self, tokens: Span, shift: int, reach: int | None = None) -> bool:
        """Return whether a passage stands between what stood before it and what stood after it.

        With `reach`, in tokens, something that kept its order must stand so near on either side.
        """
        here, there = self._order
        first, last = tokens[0] + shift, tokens[1] + shift
        row = bisect_right(here, tokens[0]) - 1
        if row >= 0:
            far = max(tokens[0] - here[row], first - there[row])
            if there[row] > first or (reach is not None and far > reach):
                return False
        row = bisect_left(here, tokens[1])
        if row < len(there):
            far = max(here[row] - tokens[1], there[row] - last)
            return there[row] >= last and (reach is None or far <= reach)
        return True

    def _stays_together(self, shift: int) -> bool:
        """Return whether the old text stands about as far as the passage, as a whole.

        A copy of the passage in another section does not: the rest of it stayed where it was.
        """
        near = np.count_nonzero(np.abs(self._to - self._from - shift) <= _REACH)
        runs = len(self._old.ids) - _RUN + 1
        return bool(near >= _TOGETHER * len(self._to) and near >= _THERE * runs)

    def _goes_on(self, tokens: Span, shift: int, end: int) -> bool:
        """Return whether near one end of a passage, after a change, both texts go on alike."""
        here, there = self._order
        if end == 0:
            row = bisect_right(here, tokens[0] - _RUN) - 1
            if row < 0:
                return False
            far = tokens[0] - here[row], tokens[0] + shift - there[row]
        else:
            row = bisect_left(here, tokens[1])
            if row == len(here):
                return False
            far = here[row] - tokens[1], there[row] - tokens[1] - shift
        return min(far) >= 0 and max(far) <= _REACH

    def _is_whole(self, tokens: Span, shift: int, before: int, after: int) -> bool:
        """Return whether the sentences that the passage is a part of stand unchanged.

        `before` and `after` say how many tokens are the same on either side.
        """
        first, last = tokens
        while first > tokens[0] - _SENTENCE_REACH and not _starts_sentence(self._old, first):
            first -= 1
        while last < tokens[1] + _SENTENCE_REACH and not _starts_sentence(self._old, last):
            last += 1
        if tokens[0] - first > before or last - tokens[1] > after:
            return False
        return self._is_end(first, shift) and self._is_end(last, shift)

    def _is_end(self, row: int, shift: int) -> bool:
        """Return whether a sentence that begins at a token of the old text does so in the new."""
        # Without one, the place is so far out that it no longer counts.
        return not _starts_sentence(self._old, row) or _starts_sentence(self._new, row + shift)


def _is_context(same: Span) -> bool:
    return same[0] >= _CONTEXT[0] and same[1] >= _CONTEXT[1]


def _run_length(same: NDArray[np.bool_], joined: NDArray[np.bool_]) -> int:
    """Return how many tokens are the same from the start, what joins two of them included."""
    for count, (token, space) in enumerate(zip(same.tolist(), joined.tolist(), strict=True)):
        if not token:
            return count
        if not space:
            return count + 1
    return len(same)


def _longest_rising(values: list[int]) -> list[int]:
    """Return the rows of a longest rising series of `values`."""
    tails: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for row, value in enumerate(values):
        place = bisect_left(tails, value)
        before.append(rows[place - 1] if place else -1)
        if place == len(tails):
            tails.append(value)
            rows.append(row)
        else:
            tails[place], rows[place] = value, row
    kept = []
    row = rows[-1] if rows else -1
    while row >= 0:
        kept.append(row)
        row = before[row]
    return kept[::-1]


def _starts_sentence(tokens: Tokens, row: int) -> bool:
    """Return whether a sentence, a list item, a table row or a paragraph may begin at a token."""
    if row in (0, len(tokens.ids)):
        return True
    text = tokens.text
    end, start = int(tokens.ends[row - 1]), int(tokens.starts[row])
    if _ENDS_SENTENCE.search(text, max(0, end - 6), end) and (
        start > end or text[end - 1] in "\u3002\uff01\uff1f\uff61"
    ):
        return True
    gap = text[end:start]
    line = text[text.rfind("\n", 0, end) + 1 : end].lstrip()
    if "\n" not in gap:
        return _MARKER.fullmatch(line) is not None
    return (
        bool(_BLANK_LINE.search(gap))
        or line.startswith(("#", "|"))
        or _MARKER.match(text, start) is not None
    )
