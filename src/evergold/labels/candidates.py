"""The chunks that a person may choose from. They are ranked, and decide nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evergold.labels.spans import ChunkSpans, shared
from evergold.model import Candidate, Chunk, Span

_MOST = 5
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


def by_words(
    judged_text: str, quotes: Iterable[str], chunks: Iterable[Chunk]
) -> tuple[Candidate, ...]:
    """Return the chunks that share words with the evidence; coverages are shares of words.

    Without quotes the whole judged text is the evidence.
    """
    judged = Counter(_WORD.findall(judged_text))
    evidence = Counter(_WORD.findall(" ".join(quotes))) or judged
    found = []
    for chunk in chunks:
        words = Counter(_WORD.findall(chunk.text))
        found.append(Candidate(chunk.chunk_id, _covered(evidence, words), _covered(judged, words)))
    return _best(candidate for candidate in found if candidate.evidence_coverage > 0)


def _covered(wanted: Counter[str], held: Counter[str]) -> float:
    return (wanted & held).total() / wanted.total() if wanted else 0.0


def _best(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ranked = sorted(candidates, key=lambda c: (-c.evidence_coverage, -c.span_coverage, c.chunk_id))
    return tuple(
        replace(
            candidate,
            evidence_coverage=round(candidate.evidence_coverage, 4),
            span_coverage=round(candidate.span_coverage, 4),
        )
        for candidate in ranked[:_MOST]
    )
