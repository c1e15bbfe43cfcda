"""Which of many texts stand inside which of many others.

The plain rule looks for every text in every other. For larger inputs each text is found by one
window of its bytes, hashed, the rarest that it has: the hashes of all windows of the other
texts are looked up in that table, and what is found there is verified (Karp and Rabin 1987,
for many patterns at once). The work grows with the size of the texts and the number of answers.

Texts are compared as UTF-8: a text stands in another if and only if its bytes do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # numpy is loaded only where there is much to do
    import numpy as np
    import numpy.typing as npt

    _Hashes = npt.NDArray[np.uint32]

# Below this many comparisons of characters the plain rule ends before numpy is loaded.
_PLAIN = 100_000_000
# Bytes of a window, longest first; shorter texts are looked for one by one.
_WIDTHS = (32, 16, 8, 4)
_BLOCK = 1 << 19  # bytes that are hashed at once
_BETWEEN = b"\xff"  # stands in no UTF-8: no window that holds it is one of a text
_MIX = 0x9E3779B1  # odd, near 2^32 divided by the golden ratio (Knuth, multiplicative hashing)


def contained(
    inner: Sequence[str], outer: Sequence[str], plain: int = _PLAIN
) -> Iterator[tuple[int, int]]:
    """Yield each pair (i, j) for which `inner[i]` is a substring of `outer[j]`, in any order.

    An empty text is in all. `plain` bounds the comparisons (texts times characters) that are
    made one by one.
    """
    if len(inner) * sum(map(len, outer)) <= plain:
        yield from _one_by_one(range(len(inner)), inner, outer)
        return
    needles = [text.encode("utf-8", "surrogatepass") for text in inner]
    haystacks = [text.encode("utf-8", "surrogatepass") for text in outer]
    by_width: dict[int, list[int]] = {}
    for index, needle in enumerate(needles):
        width = next((width for width in _WIDTHS if width <= len(needle)), 0)
        by_width.setdefault(width, []).append(index)
    yield from _one_by_one(by_width.pop(0, []), inner, outer)
    tables = [_Table(width, members, needles) for width, members in by_width.items()]
    for first, texts in _blocks(haystacks):
        block = _Block(texts)
        for table in tables:
            for index, place in table.places(block):
                yield index, first + place


def _one_by_one(
    members: Iterable[int], inner: Sequence[str], outer: Sequence[str]
) -> Iterator[tuple[int, int]]:
    for index in members:
        text = inner[index]
        for place, other in enumerate(outer):
            if text in other:
                yield index, place


def _blocks(texts: Sequence[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the texts in groups of about a block, each with the index of its first."""
    group: list[bytes] = []
    size = 0
    for index, text in enumerate(texts):
        group.append(text)
        size += len(text) + 1
        if size >= _BLOCK:
            yield index + 1 - len(group), group
            group, size = [], 0
    if group:
        yield len(texts) - len(group), group


class _Block:
    """Texts in one row of bytes, and the hashes of all windows in it."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        import numpy as np

        self.data = _BETWEEN.join(texts)
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self.ends = np.cumsum(lengths + 1) - 1
        self.starts = self.ends - lengths
        self._hashes: dict[int, _Hashes] = {1: np.frombuffer(self.data, np.uint8).astype(np.uint32)}

    def hashes(self, width: int) -> _Hashes:
        """Return the hash of the window of `width` bytes, a power of two, at every place."""
        if width not in self._hashes:
            half = self.hashes(width // 2)
            left, right = half[: -(width // 2)], half[width // 2 :]
            # Mixed first: sums of plain products would be the same for many texts.
            self._hashes[width] = (left ^ (left >> 15)) * _uint32(_MIX) + right
        return self._hashes[width]


class _Table:
    """The rarest window of each of some texts, by its hash."""

    def __init__(self, width: int, members: Sequence[int], needles: Sequence[bytes]) -> None:
        import numpy as np

        self._width = width
        self._needles = needles
        hashes, offsets = _rarest(width, [needles[index] for index in members])
        order = np.argsort(hashes, kind="stable")
        self._members = np.asarray(members)[order].tolist()
        self._offsets = offsets[order].tolist()
        self._hashes, firsts = np.unique(hashes[order], return_index=True)
        self._firsts = [*firsts.tolist(), len(members)]
        # A sieve of 16 or more places for each hash, so that most windows need no search.
        self._bits = min(24, max(12, (16 * len(members)).bit_length()))
        self._sieve = np.zeros(1 << self._bits, dtype=np.bool_)
        self._sieve[self._slots(self._hashes)] = True

    def places(self, block: _Block) -> Iterator[tuple[int, int]]:
        """Yield each pair (text of the table, text of the block) where the first is inside."""
        import numpy as np

        if len(block.data) < self._width:
            return
        hashes = block.hashes(self._width)
        places = np.flatnonzero(self._sieve[self._slots(hashes)])
        found = hashes[places]
        groups = np.searchsorted(self._hashes, found)
        groups[groups == len(self._hashes)] = 0
        same = self._hashes[groups] == found
        places, groups = places[same], groups[same]
        texts = np.searchsorted(block.ends, places, side="right")
        # A window that stands often in one text is tried once for each text of its group.
        _, firsts, counts = np.unique(
            groups * len(block.ends) + texts, return_index=True, return_counts=True
        )
        data, needles, members, offsets = block.data, self._needles, self._members, self._offsets
        for place, group, text, once in zip(
            places[firsts].tolist(),
            groups[firsts].tolist(),
            texts[firsts].tolist(),
            (counts == 1).tolist(),
            strict=True,
        ):
            for entry in range(self._firsts[group], self._firsts[group + 1]):
                needle = needles[members[entry]]
                # Before the first byte there is too little left for a text to fit: no match.
                if data.startswith(needle, place - offsets[entry]) or (
                    not once
                    and data.find(needle, int(block.starts[text]), int(block.ends[text])) >= 0
                ):
                    yield members[entry], text

    def _slots(self, hashes: _Hashes) -> _Hashes:
        slots: _Hashes = (hashes * _uint32(_MIX)) >> _uint32(32 - self._bits)
        return slots


def _rarest(width: int, needles: Sequence[bytes]) -> tuple[_Hashes, npt.NDArray[np.int64]]:
    """Return for each text the hash of the window that the fewest others have, and its offset.

    Windows side by side, and the last: whatever tells two texts apart is in one of them.
    """
    import numpy as np

    all_hashes, all_offsets, counts = [], [], []
    for _, texts in _blocks(needles):
        block = _Block(texts)
        hashes = block.hashes(width)
        lengths = block.ends - block.starts
        windows = (lengths + width - 1) // width
        owners = np.repeat(np.arange(len(texts)), windows)
        numbers = np.arange(len(owners)) - np.repeat(np.cumsum(windows) - windows, windows)
        offsets = np.minimum(numbers * width, (lengths - width)[owners])
        all_hashes.append(hashes[block.starts[owners] + offsets])
        all_offsets.append(offsets)
        counts.append(windows)
    hashes, offsets, windows = map(np.concatenate, (all_hashes, all_offsets, counts))
    _, inverse, frequencies = np.unique(hashes, return_inverse=True, return_counts=True)
    owners = np.repeat(np.arange(len(needles)), windows)
    order = np.lexsort((frequencies[inverse], owners))
    best = order[np.cumsum(windows) - windows]
    return hashes[best], offsets[best]


def _uint32(value: int) -> Any:
    import numpy as np

    return np.uint32(value)
