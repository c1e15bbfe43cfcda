"""Where a label's judged text and evidence stand in the present text of its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evergold.identity import normalize, text_sha
from evergold.labels.spans import places_of
from evergold.model import Anchor, Chunk, Document, Evidence, Judgment, Span

CONTEXT = 48
# In an edited document a shorter text, even verbatim, may by now say something else.
_LEAST_IN_EDITED = 32


def placed(
    label: Judgment,
    document: Document,
    sha: str,
    live: Chunk | None,
    same_text: Sequence[Chunk],
    previous: str | None,
) -> tuple[Judgment | None, str | None]:
    """Return the label with its span in the present text, or the reason why it has none.

    `sha` is the text hash of the document, `live` the chunk that the label names where it holds
    the very text judged, `same_text` the chunks of the document with the judged text,
    `previous` the text that the label's spans count in, where it is known.
    """
    anchor = label.anchor
    if anchor is None or anchor.span is None:
        span = _first_place(label, document.text, live, same_text)
        if span is None:
            return None, "NO_TEXT" if label.chunk_text is None else "NO_PLACE"
        anchor = anchor or Anchor(doc_sha=None, doc_revision=None, span=None)
        if anchor.evidence:
            return None, "SPAN_MISMATCH"  # evidence counts from a span that nobody recorded
        return _at(label, anchor, document, sha, span, ()), None
    if anchor.doc_sha == sha:
        return (label, None) if _holds(anchor, label, document.text) else (None, "SPAN_MISMATCH")
    span = _place_after_edit(label, anchor.span, document.text, previous)
    evidence = None if span is None else _shifted(anchor, anchor.span, span, document.text)
    if span is None or evidence is None:
        return None, "EDITED"
    return _at(label, anchor, document, sha, span, evidence), None


def is_cut_from(chunk: Chunk, text: str) -> bool:
    """Return whether a chunk is the slice of this very text that it says it is.

    A chunk of an older revision is not, and a chunk without text is known by its hash.
    """
    if chunk.start is None or chunk.end is None or chunk.end > len(text):
        return False
    piece = text[chunk.start : chunk.end]
    return piece == chunk.text if chunk.text else text_sha(piece) == chunk.text_sha


def without_outer_space(text: str, span: Span) -> Span:
    """Return the span without white space at its ends."""
    inner = text[slice(*span)]
    start = span[0] + len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())


def _at(
    label: Judgment,
    anchor: Anchor,
    document: Document,
    sha: str,
    span: Span,
    evidence: tuple[Evidence, ...],
) -> Judgment:
    moved = replace(
        anchor,
        doc_sha=sha,
        doc_revision=document.doc_revision,
        span=span,
        evidence=evidence,
        also=(),
    )
    return replace(label, anchor=moved)


def _first_place(
    label: Judgment, text: str, live: Chunk | None, same_text: Sequence[Chunk]
) -> Span | None:
    """Return where the judged text stands: on its live chunk, else in one place verbatim."""
    if live is not None and is_cut_from(live, text):
        return without_outer_space(text, (live.start or 0, live.end or 0))
    if label.chunk_text is not None:
        return _only_place(text, normalize(label.chunk_text))
    if len(same_text) == 1 and is_cut_from(same_text[0], text):
        span = without_outer_space(text, (same_text[0].start or 0, same_text[0].end or 0))
        quote = text[slice(*span)]
        # A copy that is no chunk of its own may be what was judged.
        return span if quote and text.find(quote, text.find(quote) + 1) < 0 else None
    return None


def _only_place(text: str, quote: str) -> Span | None:
    """Return the place of a quote that stands in a text once, as words of its own.

    A copy inside longer words or numbers counts against it: that may be what was judged.
    """
    places = places_of(text, quote, most=1)
    first = text.find(quote)
    alone = bool(places) and text.find(quote, first + 1) < 0
    return places[0] if alone else None


def _place_after_edit(
    label: Judgment, before: Span, text: str, previous: str | None
) -> Span | None:
    """Return where the judged text stands in an edited text, where that is beyond doubt.

    It must stand word for word, once in the old text and once in the new one, and the text
    before it or after it must be the same: a copy elsewhere is not what was judged.
    """
    if previous is None:
        return None
    judged = normalize(previous[slice(*before)])
    if label.chunk_text is not None and normalize(label.chunk_text) != judged:
        return None
    if label.text_sha is not None and text_sha(judged) != label.text_sha:
        return None
    if len(judged) < _LEAST_IN_EDITED:
        return None
    old, new = _only_place(previous, judged), _only_place(text, judged)
    if old is None or new is None or old != without_outer_space(previous, before):
        return None
    ahead = previous[: old[0]][-CONTEXT:]
    behind = previous[old[1] :][:CONTEXT]
    same_ahead = ahead.strip() and ahead == text[: new[0]][-CONTEXT:]
    same_behind = behind.strip() and behind == text[new[1] :][:CONTEXT]
    return new if same_ahead or same_behind else None


def _holds(anchor: Anchor, label: Judgment, text: str) -> bool:
    """Return whether the recorded spans hold what the anchor and the label quote."""
    if anchor.span is None or anchor.span[1] > len(text):
        return False
    judged = normalize(text[slice(*anchor.span)])
    if not judged:
        return False
    if label.chunk_text is not None:
        if judged != normalize(label.chunk_text):
            return False
    elif label.text_sha is not None and text_sha(judged) != label.text_sha:
        return False
    start, end = anchor.span
    return all(
        start <= evidence.span[0] < evidence.span[1] <= end
        and (evidence.exact is None or text[slice(*evidence.span)] == evidence.exact)
        and (evidence.sha is None or text_sha(text[slice(*evidence.span)]) == evidence.sha)
        for evidence in anchor.evidence
    )


def _shifted(anchor: Anchor, before: Span, span: Span, text: str) -> tuple[Evidence, ...] | None:
    """Return the evidence at its place inside the judged text, which now stands at `span`.

    None where a quote cannot be found there by its distance from the start of the span.
    """
    moved = []
    for evidence in anchor.evidence:
        start, end = (offset - before[0] + span[0] for offset in evidence.span)
        if not span[0] <= start < end <= span[1]:
            return None
        if evidence.exact is not None and text[start:end] != evidence.exact:
            return None
        if evidence.sha is not None and text_sha(text[start:end]) != evidence.sha:
            return None
        moved.append(_with_context(evidence, (start, end), text))
    return tuple(moved)


def _with_context(evidence: Evidence, span: Span, text: str) -> Evidence:
    """Return the evidence at `span`, with fresh context where it carried any."""
    prefix = text[max(0, span[0] - CONTEXT) : span[0]] if evidence.prefix is not None else None
    suffix = text[span[1] : span[1] + CONTEXT] if evidence.suffix is not None else None
    return replace(evidence, span=span, prefix=prefix, suffix=suffix)
