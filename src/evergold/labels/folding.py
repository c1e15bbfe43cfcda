"""Texts as tokens, so that what only looks different compares equal: `spec/anchors.md`, "Folding".

Folded are white space, soft hyphens, the shapes of quotes and dashes, ligatures, Markdown
emphasis and words broken by a hyphen at the end of a line. Case, digits and words never are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evergold.labels.spans import UNSPACED
from evergold.model import Span

_UNSPACED_CLASS = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
_LETTERS = rf"[^\W_{_UNSPACED_CLASS}]+"
# A word with its soft hyphens and inner underscores, or any other character that is no space.
_TOKEN = re.compile(rf"({_LETTERS}(?:(?:_+|\u00ad+(?:[^\S\n]*\n[^\S\n]*)?){_LETTERS})*|\S)")
_LOOKS_LIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
        "\u00ad": "",
    }
)
# A pair around words of one paragraph, as `*very* important`: not inside a word, nor with a space
# inside (2 * 3, *args). A pair of underscores around a single word may be a name.
_EMPHASIS = re.compile(
    r"(?<![\w*\\])(\*{1,3})(?=[^\s*])((?:[^*\n]|\n(?!\s*\n)){1,400}?)(?<=[^\s*])\1(?![\w*])"
    r"|(?<![\w\\])(_{1,2})(?=[^\s_])((?:[^_\n]|\n(?!\s*\n)){1,400}?)(?<=[^\s_])\3(?!\w)"
)
_HALF = r"[^\W\d_]+"
_LINE_END = re.compile(rf"[-\u2010]\n\s*(?={_HALF})")
_FIRST_HALF = re.compile(rf"{_HALF}\Z")
_SECOND_HALF = re.compile(_HALF)
_LONGEST_HALF = 40
_COMPOUND = re.compile(rf"(?<![^\W\d_])(?=({_HALF}-{_HALF}))")


# Where a pair of marks of emphasis opens and closes, and how many characters each of them has.
Emphasis = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text: arrays of one length, offsets in code points of the text.

    `ids` name folded forms; `spaced` says whether white space stands before a token, where that
    counts. `emphasis` are the marks that are no tokens. Two texts can be compared if they were read by one `Reader`.
    """

    text: str
    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    spaced: NDArray[np.bool_]
    emphasis: tuple[Emphasis, ...] = ()

    def covering(self, span: Span) -> Span | None:
        """Return the tokens of a span, first and last plus one; None where it cuts a token."""
        first = int(np.searchsorted(self.ends, span[0], "right"))
        last = int(np.searchsorted(self.starts, span[1], "left"))
        if first >= last or self.starts[first] < span[0] or self.ends[last - 1] > span[1]:
            return None
        return first, last

    def span(self, tokens: Span) -> Span:
        """Return the place in the text of the tokens from first up to last."""
        return int(self.starts[tokens[0]]), int(self.ends[tokens[1] - 1])


class Reader(dict[str, int]):
    """Reads texts into tokens whose ids agree between all texts that it reads."""

    def __init__(self) -> None:
        super().__init__()
        self._forms: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        form = token
        if not token.isascii():
            form = token.translate(_LOOKS_LIKE)
            if "\n" in form:  # a soft hyphen at the end of a line
                form = "".join(form.split())
        found = self._forms.setdefault(form, len(self._forms)) if form else -1
        self[token] = found
        return found

    def read(self, text: str, *lexicons: Lexicon) -> Tokens:
        """Return the tokens of `text`.

        A word broken at the end of a line is read as one word where the lexicons have that word,
        and as two with a hyphen where they have that.
        """
        parts = _TOKEN.split(text)
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        ends = np.cumsum(lengths)
        ids = np.fromiter(map(self.__getitem__, parts[1::2]), np.int64, len(parts) // 2)
        blank = np.cumsum(lengths[0::2])[:-1]
        starts, ends = ends[0::2][:-1], ends[1::2]
        kept = ids >= 0
        emphasis = _emphasis(text)
        for opening, closing, width in emphasis:
            for place in (opening, closing):
                row = int(np.searchsorted(starts, place))
                kept[row : row + width] = False
        for broken, whole in joined(broken_words(text), lexicons):
            row = int(np.searchsorted(starts, broken.start))
            joint = int(np.searchsorted(starts, broken.hyphen))
            if starts[row] != broken.start or joint != row + 1:
                continue  # a part of a longer token
            if whole:
                ids[row], ends[row] = self["".join(broken.halves)], broken.end
                kept[joint : joint + 2] = False
            else:
                blank[joint + 1 :] -= blank[joint + 1] - blank[joint]
        ids, starts, ends, blank = ids[kept], starts[kept], ends[kept], blank[kept]
        spaced = np.diff(blank, prepend=-1) > 0
        if not text.isascii():
            _close_lines(text, starts, ends, spaced)
        return Tokens(text, ids, starts, ends, spaced, emphasis)


class BrokenWord(NamedTuple):
    """A word with a hyphen and a line end in it: where it starts, its hyphen, its end."""

    start: int
    hyphen: int
    end: int
    halves: tuple[str, str]


class Lexicon:
    """The words of a text, and its words with hyphens; made when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text."""
        return frozenset(_TOKEN.findall(self._text))

    @cached_property
    def compounds(self) -> frozenset[str]:
        """Every two halves that a hyphen joins within a line."""
        return frozenset(_COMPOUND.findall(self._text))


def agree(one: str, other: str) -> bool:
    """Return whether two texts are the same, but for what folding makes equal.

    White space at the ends counts.
    """
    if one == other:
        return True
    if any(a.isspace() != b.isspace() for a, b in ((one[:1], other[:1]), (one[-1:], other[-1:]))):
        return False
    reader, lexicons = Reader(), (Lexicon(one), Lexicon(other))
    a, b = reader.read(one, *lexicons), reader.read(other, *lexicons)
    return np.array_equal(a.ids, b.ids) and np.array_equal(a.spaced[1:], b.spaced[1:])


def broken_words(text: str) -> list[BrokenWord]:
    """Return the words of a text that may have been broken at the end of a line."""
    found = []
    for match in _LINE_END.finditer(text):
        first = _FIRST_HALF.search(text, max(0, match.start() - _LONGEST_HALF), match.start())
        second = _SECOND_HALF.match(text, match.end())
        if first and second:
            halves = first[0], second[0]
            found.append(BrokenWord(first.start(), match.start(), second.end(), halves))
    return found


def joined(
    broken: Sequence[BrokenWord], lexicons: Sequence[Lexicon]
) -> tuple[tuple[BrokenWord, bool], ...]:
    """Return which of them are one word (true), or two with a hyphen, as the lexicons tell."""
    found = []
    for word in broken:
        if any("-".join(word.halves) in lexicon.compounds for lexicon in lexicons):
            found.append((word, False))
        elif any("".join(word.halves) in lexicon.words for lexicon in lexicons):
            found.append((word, True))
    return tuple(found)


def _emphasis(text: str) -> tuple[Emphasis, ...]:
    """Return the pairs of marks that only emphasize what is between them."""
    if "*" not in text and "_" not in text:
        return ()
    return tuple(
        (match.start(), match.end() - len(mark), len(mark))
        for match in _EMPHASIS.finditer(text)
        if (mark := match[1] or match[3])
        and (match[1] or any(character.isspace() for character in match[4]))
    )


def _close_lines(
    text: str, starts: NDArray[np.int64], ends: NDArray[np.int64], spaced: NDArray[np.bool_]
) -> None:
    """Take the line ends between characters of scripts without spaces for nothing."""
    for row in np.flatnonzero(spaced[1:]) + 1:
        before, after = text[ends[row - 1] - 1], text[starts[row]]
        if before.isascii() or after.isascii():
            continue
        if "\n" in text[ends[row - 1] : starts[row]] and _is_unspaced(before, after):
            spaced[row] = False


def _is_unspaced(*characters: str) -> bool:
    return all(
        any(first <= ord(character) <= last for first, last in UNSPACED)
        or character in "\u3001\u3002\uff0c\uff01\uff1f"
        for character in characters
    )
