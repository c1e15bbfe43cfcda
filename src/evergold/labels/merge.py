"""Two people's changes of one label file, put together row by row.

Git merges by lines that lie close together: two labels that stand in adjacent rows conflict there.
Here each row stands for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged lines, and how many rows both sides changed, each in its own way."""

    lines: tuple[str, ...]
    conflicts: int


@dataclass(frozen=True, slots=True)
class _Side:
    """What one side made of the lines of the base: each line, and what stands before each."""

    lines: list[tuple[str, ...]]
    before: list[tuple[str, ...]]


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Merged:
    """Return the lines of both sides.

    A line that one side changed or removed is what that side made of it. Lines that both added at
    one place are kept, ours first, equal ones once. A line that both changed in different ways
    stands twice, between the marks that git uses, and counts as a conflict.
    """
    mine, other = _side(base, ours), _side(base, theirs)
    lines: list[str] = []
    conflicts = 0
    for row in range(len(base) + 1):
        lines += mine.before[row]
        lines += [line for line in other.before[row] if line not in mine.before[row]]
        if row == len(base):
            break
        old, one, two = (base[row],), mine.lines[row], other.lines[row]
        if two in (old, one):
            lines += one
        elif one == old:
            lines += two
        else:
            conflicts += 1
            lines += ["<<<<<<< ours", *one, "=======", *two, ">>>>>>> theirs"]
    return Merged(tuple(lines), conflicts)


def _side(base: Sequence[str], changed: Sequence[str]) -> _Side:
    side = _Side([()] * len(base), [()] * (len(base) + 1))
    matcher = SequenceMatcher(None, base, changed, autojunk=False)
    for _, first, last, start, end in matcher.get_opcodes():
        # Rows that were replaced by as many are the same labels, changed.
        paired = min(last - first, end - start)
        for step in range(paired):
            side.lines[first + step] = (changed[start + step],)
        if start + paired < end:
            side.before[first + paired] = tuple(changed[start + paired : end])
    return side
