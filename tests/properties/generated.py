"""Generated documents with their chunkings and labels, for properties of re-anchoring."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

from evergold.identity import normalize, text_sha
from evergold.model import Chunk, Document, Judgment, Snapshot, Span
from tests.labels.handbook import document, label

# Few sentences, so that documents repeat them; numbers and words that hold each other.
_SENTENCES = (
    "Annual plans are refunded within 30 days.",
    "Refunds take 5 days.",
    "Refunds take 15 days, or 1.5 weeks.",
    "No refund is given for monthly plans of any kind.",
    "Les frais de café sont à payer.",
    "返金は30日以内です。",
    "See refunds, refund and prices for more on all of this.",
    "Prices exclude VAT.",
)
_GAPS = (" ", "\n", "\n\n", "  \n")
_QUERIES = ("q1", "q2", "q3")


@dataclass(frozen=True)
class Golden:
    """Labels judged on one chunking, with what they meet now."""

    labels: tuple[Judgment, ...]
    judged: tuple[Document, ...]
    present: tuple[Document, ...]
    live: Snapshot


@st.composite
def golden_sets(
    draw: st.DrawFn,
    *,
    edits: bool = False,
    reused_ids: bool = False,
    least_relevance: int = 0,
    distinct_queries: bool = False,
) -> Golden:
    """Draw labels on one to three documents and a live chunking of these.

    With `edits`, some documents have changed since. With `reused_ids`, a chunk id names a
    position and not a content, as in some vector stores: live ids may bear other texts.
    """
    judged, present, then, now = [], [], [], []
    for number in range(draw(st.integers(1, 3))):
        sentences = draw(st.lists(st.sampled_from(_SENTENCES), min_size=1, max_size=8))
        gap = draw(st.sampled_from(_GAPS))
        old = document(normalize(gap.join(sentences)), uri=f"handbook://{number}.md")
        new = old
        if edits and draw(st.booleans()):
            changed = draw(_edited(sentences))
            new = document(normalize(gap.join(changed)), uri=old.doc_uri)
        judged.append(old)
        present.append(new)
        then.extend(draw(chunkings(old, reused_ids=reused_ids)))
        now.extend(draw(chunkings(new, reused_ids=reused_ids)))
    sources = {source.doc_uri: source for source in judged}
    places = draw(
        st.lists(
            st.tuples(st.sampled_from(_QUERIES), st.sampled_from(then)),
            min_size=1,
            max_size=8,
            unique_by=lambda place: (place[0], place[1].chunk_id),
        )
    )
    labels = tuple(
        draw(
            _labels(
                sources[chunk.doc_uri],
                chunk,
                f"q{row}" if distinct_queries else query_id,
                least_relevance,
            )
        )
        for row, (query_id, chunk) in enumerate(places)
    )
    return Golden(labels, tuple(judged), tuple(present), Snapshot("live", "hand", tuple(now)))


@st.composite
def chunkings(draw: st.DrawFn, source: Document, *, reused_ids: bool = False) -> list[Chunk]:
    """Draw chunks of a document at arbitrary places: they overlap, nest, touch and leave gaps."""
    length = len(source.text)
    ends = st.tuples(st.integers(0, length - 1), st.integers(1, length))
    spans = draw(
        st.lists(
            ends.map(lambda pair: (pair[0], min(length, pair[0] + pair[1]))),
            max_size=6,
        )
    )
    # No two chunks with one text: they would differ in white space only.
    texts = {
        stripped(source.text, span): span for span in spans if source.text[slice(*span)].strip()
    }
    return chunks_at(source, list(texts.values()) or [(0, length)], reused_ids=reused_ids)


def chunks_at(source: Document, spans: list[Span], *, reused_ids: bool = False) -> list[Chunk]:
    """Return the chunks at `spans`; an id is that of the place in this very text, if not reused."""
    chunks = []
    for ordinal, (start, end) in enumerate(spans):
        text = source.text[start:end]
        place = str(ordinal) if reused_ids else f"{source.doc_revision}:{start}-{end}"
        chunks.append(
            Chunk(
                chunk_id=f"{source.doc_uri}#{place}",
                doc_uri=source.doc_uri,
                doc_revision=source.doc_revision,
                ordinal=ordinal,
                text=text,
                text_sha=text_sha(text),
                start=start,
                end=end,
            )
        )
    return chunks


@st.composite
def _edited(draw: st.DrawFn, sentences: list[str]) -> list[str]:
    """Draw the sentences after one is put in, left out or replaced, or two change places."""
    changed = list(sentences)
    place = draw(st.integers(0, len(changed) - 1))
    other = draw(st.sampled_from(_SENTENCES))
    kind = draw(st.sampled_from(("insert", "delete", "replace", "swap")))
    if kind == "insert":
        changed.insert(place, other)
    elif kind == "delete" and len(changed) > 1:
        del changed[place]
    elif kind == "replace":
        changed[place] = other
    else:
        changed[0], changed[place] = changed[place], changed[0]
    return changed


@st.composite
def _labels(
    draw: st.DrawFn, source: Document, chunk: Chunk, query_id: str, least_relevance: int
) -> Judgment:
    """Draw a label on one chunk: with or without an anchor, evidence and a suggestion."""
    start, end = stripped(source.text, (chunk.start or 0, chunk.end or 0))
    ends = st.tuples(st.integers(start, end - 1), st.integers(1, 30))
    quotes = ends.map(lambda pair: (pair[0], min(end, pair[0] + pair[1])))
    made = label(
        source,
        (start, end),
        draw(st.integers(least_relevance, 3)),
        chunk_id=chunk.chunk_id,
        query_id=query_id,
        evidence=draw(st.lists(quotes, max_size=2, unique=True)),
        rule=draw(st.sampled_from(("any", "all"))),
        by=draw(st.sampled_from(("human:ana", None, "suggested:model"))),
    )
    return replace(made, anchor=None) if draw(st.integers(0, 4)) == 0 else made


def stripped(text: str, span: Span) -> Span:
    """Return the span without the white space at its ends."""
    start, end = span
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    return start, end
