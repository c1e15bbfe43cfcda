"""What changed in a passage, word by word, and whether that is likely to change an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

Part = tuple[str, str]

KEPT, REMOVED, ADDED = "=", "-", "+"
# What a person should look at first. A flag is a hint and decides nothing.
NUMBERS, DATES, NEGATIONS, UNITS = "numbers", "dates", "negations", "units"

_WORD = re.compile(r"\w+(?:[.,:'\u2019-]\w+)*|[^\w\s]")
_MONTHS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "januar februar märz mai juni juli oktober dezember "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_NEGATIONS = (
    "no not never none nor neither without except excluding unless cannot nobody nothing only "
    "kein keine keinen keiner nicht nie niemals ohne außer "
    "pas jamais sans aucun sauf no nunca sin ningún excepto non mai senza"
)
_UNITS = (
    "second seconds sec minute minutes min hour hours day days week weeks month months year years "
    "ms s h d kb mb gb tb kib mib gib tib kg g mg km m cm mm percent % € $ £ eur usd gbp chf "
    "sekunden minuten stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren"
)
_WORDS = {
    DATES: frozenset(_MONTHS.split()),
    NEGATIONS: frozenset(_NEGATIONS.split()),
    UNITS: frozenset(_UNITS.split()),
}
_DATE = re.compile(r"(?:19|20)\d\d|\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./:]\d{1,2}(?:[./]\d{2,4})?")
# How much longer than the quote the part of a text may be that it is compared with.
_SLACK = 1.5


def word_diff(quote: str, text: str) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return how a quote became a part of a text, and what kinds of words changed.

    The parts are runs of words that were kept (`=`), removed (`-`) or added (`+`), with the white
    space behind them, from the part of the text that shares most words with the quote. The kinds
    are of `NUMBERS`, `DATES`, `NEGATIONS` and `UNITS`, in this order.
    """
    old, new = list(_WORD.finditer(quote)), list(_WORD.finditer(text))
    new = new[slice(*_likest([m[0] for m in old], [m[0] for m in new]))]
    a, b = [match[0] for match in old], [match[0] for match in new]
    steps = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    alike = [place for place, step in enumerate(steps) if step[0] == "equal"]
    parts: list[Part] = []
    changed: list[str] = []
    for place, (name, first, last, added_from, added_to) in enumerate(steps):
        if name == "equal":
            parts.append((KEPT, _between(quote, old, first, last)))
            continue
        if last > first:
            parts.append((REMOVED, _between(quote, old, first, last)))
        # Of the words around all that is alike only so many were put in for old ones.
        count = added_to - added_from
        if not alike:
            count = 0
        elif place < alike[0] or place > alike[-1]:
            count = min(count, last - first)
        start = added_to - count if alike and place < alike[0] else added_from
        if count:
            parts.append((ADDED, _between(text, new, start, start + count)))
        changed += a[first:last] + b[start : start + count]
    return tuple(parts), _kinds(changed)


def _likest(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return the run of new words, not much longer than the old ones, with most of them.

    Of neighbours that have as many it is the middle one: it has what stands around them.
    """
    width = int(len(old) * _SLACK) + 1
    if len(new) <= width:
        return 0, len(new)
    wanted, held = Counter(old), Counter(new[:width])
    shared = best = (wanted & held).total()
    start = end = 0
    for first in range(1, len(new) - width + 1):
        gone, come = new[first - 1], new[first + width - 1]
        shared -= held[gone] <= wanted[gone]
        held[gone] -= 1
        held[come] += 1
        shared += held[come] <= wanted[come]
        if shared > best:
            best, start, end = shared, first, first
        elif shared == best and end == first - 1:
            end = first
    middle = (start + end) // 2
    return middle, middle + width


def _between(text: str, words: Sequence[re.Match[str]], first: int, last: int) -> str:
    """Return the text of some words, up to where the next one begins."""
    end = words[last].start() if last < len(words) else words[last - 1].end()
    return text[words[first].start() : end]


def _kinds(words: Sequence[str]) -> tuple[str, ...]:
    found = set()
    for word in words:
        lower = word.lower()
        found |= {kind for kind, known in _WORDS.items() if lower in known}
        if lower.endswith(("n't", "n\u2019t")):
            found.add(NEGATIONS)
        if any(map(str.isdigit, word)):
            found.add(DATES if _DATE.fullmatch(word) else NUMBERS)
    return tuple(kind for kind in (NUMBERS, DATES, NEGATIONS, UNITS) if kind in found)
