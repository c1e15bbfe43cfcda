"""The chunks that a person may choose from. They are ranked, and decide nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evergold.labels.place import counted_evidence
from evergold.labels.spans import ChunkSpans, shared
from evergold.model import Candidate, Chunk, Judgment, Span

_MOST = 5
_DECIMALS = 4
_WORD = re.compile(r"\w+")


def by_place(chunks: ChunkSpans, quotes: Sequence[Span], span: Span) -> tuple[Candidate, ...]:
    """Return the chunks that hold a part of the evidence; coverages are shares of code points."""
    length = sum(end - start for start, end in quotes) or 1
    found = {}
    for quote in quotes:
        for chunk in chunks.overlapping(quote):
            place = (chunk.start or 0, chunk.end or 0)
            found[chunk.chunk_id] = Candidate(
                chunk.chunk_id,
                sum(shared(place, q) for q in quotes) / length,
                shared(place, span) / max(1, span[1] - span[0]),
            )
    return _best(found.values())


class ChunkWords:
    """The words of the chunks that a passage may be in, counted once for all labels."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._words = [(chunk.chunk_id, Counter(_WORD.findall(chunk.text))) for chunk in chunks]

    def candidates(self, label: Judgment) -> tuple[Candidate, ...]:
        """Return the chunks that share words with the evidence; coverages are shares of words.

        Without evidence the whole judged text counts. Of chunks that hold as much of both, those
        go first that hold more of what stood around the evidence, then more of its numbers.
        """
        quotes = counted_evidence(label.anchor)
        judged = Counter(_WORD.findall(label.chunk_text or ""))
        evidence = Counter(_WORD.findall(" ".join(item.exact or "" for item in quotes))) or judged
        around = " ".join(f"{item.prefix or ''} {item.suffix or ''}" for item in quotes)
        context = Counter(_WORD.findall(around))
        numbers = Counter({word: n for word, n in evidence.items() if word[0].isdigit()})
        shares = [(_covered(evidence, words), name, words) for name, words in self._words]
        shares.sort(key=lambda item: -item[0])
        if len(shares) > _MOST:
            least = shares[_MOST - 1][0]
            shares = [item for item in shares if item[0] >= least]
        ranked = sorted(
            (
                -share,
                -_covered(judged, words),
                -_covered(context, words),
                -_covered(numbers, words),
                name,
            )
            for share, name, words in shares
            if share > 0
        )
        return tuple(
            Candidate(name, round(-share, _DECIMALS), round(-span, _DECIMALS))
            for share, span, _, _, name in ranked[:_MOST]
        )


def _covered(wanted: Counter[str], held: Counter[str]) -> float:
    total = wanted.total()
    shared = sum(min(count, held[word]) for word, count in wanted.items() if word in held)
    return shared / total if total else 0.0


def _best(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ranked = sorted(candidates, key=lambda c: (-c.evidence_coverage, -c.span_coverage, c.chunk_id))
    return tuple(
        replace(
            candidate,
            evidence_coverage=round(candidate.evidence_coverage, _DECIMALS),
            span_coverage=round(candidate.span_coverage, _DECIMALS),
        )
        for candidate in ranked[:_MOST]
    )
