"""Documents that live on under another `doc_uri`: `spec/anchors.md`, "Renames"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from zlib import crc32

from evergold.model import Document

# A shingle is a run of this many words.
_WORDS = 8
# The share of the old document that its new name must have, and what no second one may have.
_LEAST = 0.5
_SECOND = 0.5
_MOST = 3
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Renames:
    """The new `doc_uri` of documents that were clearly renamed, and where the text of others is."""

    names: Mapping[str, str]
    likely: Mapping[str, tuple[str, ...]]


def find_renames(
    gone: Mapping[str, str],
    passages: Mapping[str, str],
    documents: Iterable[Document],
    previous: Mapping[str, str],
) -> Renames:
    """Return what became of documents that are no longer there.

    `gone` has their last known texts, `passages` what labels quote of those of which no text is
    known, `previous` the old texts of documents that are still there. A document was renamed if
    one document holds at least half of its runs of eight words, not counting what that one held
    before, and no other holds half as much; two documents cannot take one name. The documents
    that hold most of the others are where a person may look.
    """
    wanted = {uri: _shingles(text) for uri, text in {**passages, **gone}.items()}
    known: dict[int, list[str]] = {}
    for uri, shingles in wanted.items():
        for shingle in shingles:
            known.setdefault(shingle, []).append(uri)
    held: dict[str, Counter[str]] = {uri: Counter() for uri in wanted}
    for document in documents if known else ():
        new = known.keys() & _shingles(document.text)
        if new and document.doc_uri in previous:
            new -= _shingles(previous[document.doc_uri])
        for shingle in new:
            for uri in known[shingle]:
                held[uri][document.doc_uri] += 1
    names, likely = {}, {}
    for uri, counts in held.items():
        # By name where counts are equal: the order of the documents decides nothing.
        best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
        if not best:
            continue
        clear = len(best) == 1 or best[1][1] < _SECOND * best[0][1]
        if uri in gone and clear and best[0][1] >= _LEAST * len(wanted[uri]):
            names[uri] = best[0][0]
        likely[uri] = tuple(name for name, _ in best)
    taken = Counter(names.values())
    return Renames({uri: name for uri, name in names.items() if taken[name] == 1}, likely)


def _shingles(text: str) -> set[int]:
    """Return the hashes of the runs of words of a text."""
    words = _WORD.findall(text)
    runs = zip(*(words[place:] for place in range(_WORDS)), strict=False)
    return {crc32("\x1f".join(run).encode()) for run in runs}
