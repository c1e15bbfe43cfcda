"""Where the judged text of a label stands in the present text of its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evergold.identity import normalize, text_sha
from evergold.labels.rules import DIFF, EDITED, LOCAL, MOVED
from evergold.labels.spans import places_of
from evergold.model import Anchor, Chunk, Document, Evidence, Judgment, Span

if TYPE_CHECKING:
    from evergold.labels.follow import Edition, NewText

CONTEXT = 48
# A chunk whose text stands in more places than this is not looked for in each of them.
_MOST_COPIES = 1000


@dataclass(frozen=True, slots=True)
class Placed:
    """A label with its span in the present text, or the reason why it has none.

    `rule` is what followed it through an edit, None where its document was not edited.
    """

    label: Judgment | None
    rule: str | None = None
    reason: str | None = None


class Present:
    """The present text of one document, for the labels that were judged on it or on older ones."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.sha = text_sha(document.text)
        self._new: NewText | None = None
        self._editions: dict[str, Edition] = {}

    def edition(self, old: str, *, whole: bool) -> Edition:
        """Return the edition from an old text to this one; a whole one is kept."""
        if self._new is None:
            from evergold.labels.follow import NewText  # with numpy, which most labels do not need

            self._new = NewText(self.text)
        if not whole:
            return self._new.since(old, whole=False)
        if old not in self._editions:
            self._editions[old] = self._new.since(old)
        return self._editions[old]

    def placed(
        self, label: Judgment, live: Chunk | None, same_text: Sequence[Chunk], previous: str | None
    ) -> Placed:
        """Return the label with its span in this text, or the reason why it has none.

        `live` is the chunk that the label names where it holds the very text judged, `same_text`
        the chunks of the document with the judged text, `previous` the text that the label's
        spans count in, where it is known.
        """
        anchor = label.anchor
        if anchor is None or anchor.span is None:
            first = self.first_place(label, live, same_text)
            if first is None:
                return Placed(None, reason="NO_TEXT" if label.chunk_text is None else "NO_PLACE")
            span, _ = first
            anchor = anchor or Anchor(doc_sha=None, doc_revision=None, span=None)
            if anchor.evidence:  # it counts from a span that nobody recorded
                return Placed(None, reason="SPAN_MISMATCH")
            return Placed(self._at(label, anchor, span, ()))
        if anchor.doc_sha == self.sha:
            if _holds(anchor, label, self.text):
                return Placed(label)
            return Placed(None, reason="SPAN_MISMATCH")
        return self._after_edit(label, anchor, anchor.span, previous)

    def first_place(
        self, label: Judgment, live: Chunk | None, same_text: Sequence[Chunk]
    ) -> tuple[Span, str] | None:
        """Return where the text of a label without a span stands, and what shows it.

        That is its live chunk (`chunk_id`), the only place of its text (`text`, or `folded`), or the
        only chunk with its hash (`text_sha`).
        """
        text = self.text
        if live is not None and is_cut_from(live, text):
            return without_outer_space(text, (live.start or 0, live.end or 0)), "chunk_id"
        if label.chunk_text is not None:
            quote = normalize(label.chunk_text)
            if quote in text:
                span = only_place(text, quote)
                return (span, "text") if span else None
            span = self.edition(quote, whole=False).only_place()
            return (span, "folded") if span else None
        if len(same_text) == 1 and is_cut_from(same_text[0], text):
            span = without_outer_space(text, (same_text[0].start or 0, same_text[0].end or 0))
            quote = text[slice(*span)]
            # A copy that is no chunk of its own may be what was judged.
            if quote and text.find(quote, text.find(quote) + 1) < 0:
                return span, "text_sha"
        return None

    def quoted(self, quote: str, within: Span) -> Evidence | None:
        """Return a quote as evidence, where it stands once in a part of the text, as words."""
        places = places_of(self.text[slice(*within)], normalize(quote), most=2)
        if len(places) != 1:
            return None
        start, end = places[0][0] + within[0], places[0][1] + within[0]
        exact = self.text[start:end]
        item = Evidence((start, end), exact, prefix="", suffix="", sha=text_sha(exact))
        return _with_context(item, item.span, self.text)

    def _after_edit(
        self, label: Judgment, anchor: Anchor, before: Span, previous: str | None
    ) -> Placed:
        """Return where a label of an older text stands, as far as that is proved.

        The whole judged text is followed, or else every quote of a positive label by itself.
        """
        rule = DIFF
        if previous is None:
            if label.chunk_text is None:
                return Placed(None, reason=EDITED)
            # What the label itself holds of the old text: offsets count from the start of that.
            rule = LOCAL
            ahead, behind = _around(anchor, before)
            start = before[0] - len(ahead)
            previous = ahead + normalize(label.chunk_text) + behind
            anchor = _counted_from(anchor, start)
            before = (before[0] - start, before[1] - start)
        if not _holds(anchor, label, previous):
            return Placed(None, reason=EDITED)
        edition = self.edition(previous, whole=rule == DIFF)
        place = edition.follow(before)
        if not isinstance(place, str):
            parts = [edition.part(item.span, before, place.span) for item in anchor.evidence]
            evidence = self._evidence(anchor, parts)
            if evidence is not None and self._is_judged(label, place.span):
                followed = self._at(label, anchor, place.span, evidence)
                return Placed(followed, MOVED if place.moved else rule)
            place = EDITED
        quotes = counted_evidence(anchor)
        if not quotes or not label.relevance:
            return Placed(None, reason=place)
        places = [edition.follow(item.span) for item in quotes]
        reason = next((place for place in places if isinstance(place, str)), None)
        proved = [place for place in places if not isinstance(place, str)]
        evidence = self._evidence(anchor, [place.span for place in proved])
        if reason is not None or evidence is None:
            return Placed(None, reason=reason or EDITED)
        followed = self._at(label, anchor, _hull(evidence), evidence)
        return Placed(followed, MOVED if any(place.moved for place in proved) else rule)

    def _evidence(
        self, anchor: Anchor, places: Sequence[Span | None]
    ) -> tuple[Evidence, ...] | None:
        """Return the evidence at new places, None where one of them does not hold its quote."""
        moved = []
        for item, place in zip(anchor.evidence, places, strict=False):
            if place is None:
                return None
            there = _with_context(item, place, self.text)
            if not _is_quoted(there, self.text):
                return None
            moved.append(there)
        return tuple(moved)

    def _is_judged(self, label: Judgment, span: Span) -> bool:
        """Return whether a label without the judged text has its hash at a place."""
        if label.chunk_text is not None or label.text_sha is None:
            return True
        return text_sha(self.text[slice(*span)]) == label.text_sha

    def _at(
        self, label: Judgment, anchor: Anchor, span: Span, evidence: tuple[Evidence, ...]
    ) -> Judgment:
        moved = Anchor(
            self.sha,
            self.document.doc_revision,
            span,
            evidence,
            anchor.evidence_rule,
            anchor.complete,
            anchor.by,
            (),
            anchor.absorbed,
            anchor.extra,
        )
        return label.at(label.chunk_id, label.corpus_fingerprint, moved)


def counted_evidence(anchor: Anchor | None) -> tuple[Evidence, ...]:
    """Return the evidence that counts; what a machine suggested proves nothing."""
    if anchor is None or (anchor.by or "").startswith("suggested:"):
        return ()
    return anchor.evidence


def is_cut_from(chunk: Chunk, text: str) -> bool:
    """Return whether a chunk is the slice of this very text that it says it is.

    A chunk of an older revision is not, and a chunk without text is known by its hash.
    """
    if chunk.start is None or chunk.end is None or chunk.end > len(text):
        return False
    piece = text[chunk.start : chunk.end]
    return piece == chunk.text if chunk.text else text_sha(piece) == chunk.text_sha


def located(chunks: Sequence[Chunk], text: str) -> list[Chunk]:
    """Return the chunks of a document with their places in its text; those without are left out.

    A chunk without offsets stands where its text does: in the only place, or in the only one
    between the chunks with lower and with higher ordinals that have one.
    """
    found = [chunk for chunk in chunks if is_cut_from(chunk, text)]
    places: list[tuple[Chunk, list[int], int]] = []
    for chunk in chunks:
        piece = normalize(chunk.text) if chunk.start is None else ""
        if piece:
            places.append((chunk, _starts(text, piece), len(piece)))
    for chunk, starts, length in places:
        if len(starts) == 1:
            found.append(replace(chunk, start=starts[0], end=starts[0] + length))
    known = sorted((chunk.ordinal, chunk.start or 0) for chunk in found)
    for chunk, starts, length in places:
        if len(starts) > 1:
            least = max((at for ordinal, at in known if ordinal < chunk.ordinal), default=-1)
            most = min((at for ordinal, at in known if ordinal > chunk.ordinal), default=len(text))
            between = [start for start in starts if least < start < most]
            if len(between) == 1:
                found.append(replace(chunk, start=between[0], end=between[0] + length))
    return found


def _starts(text: str, piece: str) -> list[int]:
    """Return where a piece begins in a text; none of too many."""
    starts: list[int] = []
    start = text.find(piece)
    while start >= 0 and len(starts) <= _MOST_COPIES:
        starts.append(start)
        start = text.find(piece, start + 1)
    return [] if len(starts) > _MOST_COPIES else starts


def without_outer_space(text: str, span: Span) -> Span:
    """Return the span without white space at its ends."""
    inner = text[slice(*span)]
    start = span[0] + len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())


def only_place(text: str, quote: str) -> Span | None:
    """Return the place of a quote that stands in a text once, as words of its own.

    A copy inside longer words or numbers counts against it: that may be what was judged.
    """
    places = places_of(text, quote, most=1)
    first = text.find(quote)
    alone = bool(places) and text.find(quote, first + 1) < 0
    return places[0] if alone else None


def _holds(anchor: Anchor, label: Judgment, text: str) -> bool:
    """Return whether the recorded spans hold what the anchor and the label quote.

    After an edit of the judged text only its evidence may be left: the span is just around it.
    """
    if anchor.span is None or anchor.span[1] > len(text):
        return False
    start, end = anchor.span
    if not all(
        start <= item.span[0] < item.span[1] <= end and _is_quoted(item, text)
        for item in anchor.evidence
    ):
        return False
    judged = text[start:end]
    if judged == label.chunk_text:
        return bool(judged) and not judged.isspace()
    judged = normalize(judged)
    if not judged:
        return False
    if label.chunk_text is not None:
        same = _agree(judged, normalize(label.chunk_text))
    else:
        same = label.text_sha is None or text_sha(judged) == label.text_sha
    if same or not label.relevance:
        return same
    evidence = counted_evidence(anchor)
    known = evidence and all(item.exact is not None or item.sha is not None for item in evidence)
    return bool(known) and _hull(evidence) == anchor.span


def _agree(one: str, other: str) -> bool:
    if one == other:
        return True
    from evergold.labels.folding import agree

    return agree(one, other)


def _is_quoted(evidence: Evidence, text: str) -> bool:
    """Return whether a quote stands at its span: as recorded, or the same when folded."""
    quote = text[slice(*evidence.span)]
    if evidence.exact is not None:
        return _agree(quote, evidence.exact)
    return evidence.sha is None or text_sha(quote) == evidence.sha


def _hull(evidence: Sequence[Evidence]) -> Span:
    return min(item.span[0] for item in evidence), max(item.span[1] for item in evidence)


def _around(anchor: Anchor, span: Span) -> tuple[str, str]:
    """Return what the surroundings of quotes tell of the text before and after the judged one."""
    ahead = behind = ""
    for item in anchor.evidence:
        before = (item.prefix or "")[: max(0, len(item.prefix or "") - (item.span[0] - span[0]))]
        after = (item.suffix or "")[max(0, span[1] - item.span[1]) :]
        ahead, behind = max(ahead, before, key=len), max(behind, after, key=len)
    return ahead, behind


def _counted_from(anchor: Anchor, start: int) -> Anchor:
    """Return the anchor with offsets that count from `start`."""
    span = None if anchor.span is None else (anchor.span[0] - start, anchor.span[1] - start)
    evidence = (
        replace(item, span=(item.span[0] - start, item.span[1] - start)) for item in anchor.evidence
    )
    return replace(anchor, span=span, evidence=tuple(evidence))


def _with_context(evidence: Evidence, span: Span, text: str) -> Evidence:
    """Return the evidence at `span`, with fresh context where it carried any."""
    prefix = text[max(0, span[0] - CONTEXT) : span[0]] if evidence.prefix is not None else None
    suffix = text[span[1] : span[1] + CONTEXT] if evidence.suffix is not None else None
    return replace(evidence, span=span, prefix=prefix, suffix=suffix)
