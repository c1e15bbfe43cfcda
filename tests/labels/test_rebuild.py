"""Texts of documents from their chunks alone, and what can be proved with them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.labels.rebuild import reanchor_by_chunks, rebuilt
from evergold.model import Chunk, Judgment, Snapshot
from tests.labels.handbook import bare, cut, document, label, snapshot

SOURCE = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping, and taxes too.\n\n"
    "Monthly plans are not refunded at all."
)


def _without_places(live: Snapshot) -> Snapshot:
    """Return a snapshot as a vector store gives it: no offsets."""
    return replace(live, chunks=tuple(replace(c, start=None, end=None) for c in live.chunks))


def _moves(judgments: list[Judgment], live: Snapshot) -> list[tuple[str, str | None]]:
    result = reanchor_by_chunks(judgments, _without_places(live))
    return [(r.rule, r.target) for r in result.resolutions]


def test_overlaps_are_laid_upon_each_other() -> None:
    """Chunks that share 40 characters give the text that they were cut from."""
    live = snapshot(*cut(SOURCE, "p", (0, 82), (43, 122)))
    [whole], placed = rebuilt(_without_places(live))
    assert SOURCE.text == whole.text
    assert [(0, 82), (43, 122)] == [(c.start, c.end) for c in placed.chunks]


def test_chunks_without_overlap_stand_apart() -> None:
    """No word is joined to the next chunk's first."""
    live = snapshot(*cut(SOURCE, "p", (0, 41), (43, 82)))
    [whole], placed = rebuilt(_without_places(live))
    assert SOURCE.text[0:82] == whole.text
    assert ["Annual", "Prices"] == [whole.text[c.start : c.end][:6] for c in placed.chunks]


def test_a_text_in_an_overlap_stands_in_one_place() -> None:
    """Both chunks hold it: the label goes to the tighter one, the other is named beside it."""
    live = _without_places(snapshot(*cut(SOURCE, "p", (0, 82), (43, 122))))
    result = reanchor_by_chunks([bare("Prices exclude shipping, and taxes too.", 2)], live)
    [moved] = result.judgments
    assert ("p1", ("p0",)) == (moved.chunk_id, moved.anchor.also if moved.anchor else None)


def test_a_copy_is_not_an_overlap() -> None:
    """Two chunks with one text are two places, and none is chosen."""
    twice = document("Refunds take five days, always.\n\nRefunds take five days, always.")
    live = snapshot(*cut(twice, "p", (0, 31), (33, 64)))
    judged = bare("Refunds take five days, always.", 2)
    assert [("REVIEW", None)] == _moves([judged], live)


def test_recorded_spans_are_kept_and_none_are_made_up() -> None:
    """Spans of a rebuilt text mean nothing elsewhere."""
    placed = label(SOURCE, (43, 82), 2)
    live = _without_places(snapshot(*cut(SOURCE, "p", (0, 41), (43, 122))))
    with_anchor, without = reanchor_by_chunks(
        [placed, bare("Monthly plans are not refunded at all.", 1, query_id="q2")], live
    ).judgments
    assert placed.anchor == with_anchor.anchor
    assert ("p1", "p1", None) == (with_anchor.chunk_id, without.chunk_id, without.anchor)


def test_absorbed_labels_part_again() -> None:
    """Two labels that met in a coarse chunk come back to chunks of their own."""
    rows = [bare("Annual plans are refunded within 30 days.", 1, chunk_id="a")]
    rows.append(bare("Monthly plans are not refunded at all.", 3, chunk_id="b"))
    coarse = _without_places(snapshot(*cut(SOURCE, "whole", (0, 122))))
    fine = _without_places(snapshot(*cut(SOURCE, "p", (0, 41), (43, 82), (84, 122))))
    joined = reanchor_by_chunks(rows, coarse).judgments
    assert 1 == len(joined)
    parted = reanchor_by_chunks(joined, fine).judgments
    assert [(1, "p0"), (3, "p2")] == [(row.relevance, row.chunk_id) for row in parted]
    assert [row.chunk_text for row in rows] == [row.chunk_text for row in parted]


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_a_label_moves_only_to_a_chunk_with_its_text(data: st.DataObject) -> None:
    """Whatever the chunks are, the target holds the judged text."""
    words = st.lists(
        st.sampled_from(["alpha", "beta", "gamma", "5", "15", "days", "refund"]), max_size=30
    )
    text = " ".join(data.draw(words))
    source = document(text)
    spans = []
    start = 0
    while start < len(text):
        end = min(len(text), start + data.draw(st.integers(5, 60)))
        spans.append((start, end))
        start = max(start + 1, end - data.draw(st.integers(0, 30)))
    live = _without_places(snapshot(*cut(source, "p", *spans)))
    begin = data.draw(st.integers(0, max(0, len(text) - 1)))
    judged = text[begin : begin + data.draw(st.integers(1, 20))].strip()
    chunks = {chunk.chunk_id: chunk.text for chunk in live.chunks}
    for resolution in reanchor_by_chunks([bare(judged or None, 2)], live).resolutions:
        if resolution.target is not None:
            assert judged
            assert judged in chunks[resolution.target]


def test_a_chunk_without_text_holds_nothing() -> None:
    """It is left where it is."""
    hashed = Chunk("h", SOURCE.doc_uri, "r", 0, "", "t1:" + "0" * 32)
    live = Snapshot(None, None, (hashed,))
    assert [("REVIEW", None)] == _moves([bare("Annual plans", 2)], live)


def test_evidence_counts_without_documents() -> None:
    """A label whose passage was cut follows its quote, by its place in the judged text."""
    twice = document(f"{SOURCE.text} Prices exclude shipping.")
    judged = label(twice, (0, 82), 2, evidence=[(43, 66)])
    assert judged.anchor is not None
    assert "Prices exclude shipping" == judged.anchor.evidence[0].exact
    live = _without_places(snapshot(*cut(twice, "p", (0, 70), (30, 110), (90, len(twice.text)))))
    result = reanchor_by_chunks([judged], live)
    assert [("INTERVAL", "p0", ("p1",))] == [(r.rule, r.target, r.also) for r in result.resolutions]
    [moved] = result.judgments
    assert replace(judged.anchor, also=("p1",)) == moved.anchor


def test_where_a_chunk_is_missing_a_quote_has_to_stand_once() -> None:
    """The judged text cannot be put together: the quote alone shows the place, if it is one place."""
    judged = label(SOURCE, (0, 82), 2, evidence=[(43, 66)])
    live = snapshot(*cut(SOURCE, "p", (0, 20), (43, 82), (84, 122)))
    assert [("INTERVAL", "p1")] == _moves([judged], live)
    again = document(SOURCE.text[:84] + "Prices exclude shipping")
    live = snapshot(*cut(again, "p", (0, 20), (43, 82), (84, 107)))
    assert [("REVIEW", None)] == _moves([judged], live)
