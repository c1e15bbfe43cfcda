"""Where a text stands in a document, and which chunks hold a span."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.labels.spans import ChunkSpans, places_of, shared
from evergold.model import Span
from tests.labels.handbook import cut, document


def test_all_places_of_a_text_are_found_in_order() -> None:
    """Every occurrence between borders is a place, up to the number asked for."""
    text = "no refund, no refund, no refund"
    assert [(0, 9), (11, 20), (22, 31)] == places_of(text, "no refund", most=9)
    assert [(0, 9), (11, 20)] == places_of(text, "no refund", most=2)
    assert [] == places_of(text, "a refund", most=9)


def test_places_may_overlap() -> None:
    """A place that begins inside another one counts too, so the text is not unique."""
    assert [(0, 6), (4, 10)] == places_of("ha, ha, ha.", "ha, ha", most=9)


def test_an_empty_text_stands_nowhere() -> None:
    """Nothing is not found, rather than found everywhere."""
    assert [] == places_of("some text", "", most=9)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("15 days", "5 days"),
        ("1.5 days", "5 days"),
        ("1,5 days", "5 days"),
        ("-5 days", "5 days"),
        ("\u22125 days", "5 days"),
        ("(-5 days", "5 days"),
        ("day 1.5", "day 1"),
        ("day 1,000", "day 1"),
        ("day 12", "day 1"),
        ("refunds", "refund"),
        ("a_refund", "refund"),
        ("refund2", "refund"),
        ("cafe\u0301s", "cafe"),
        ("x\u0301", "x"),
        ("!\u0301", "!"),
        ("straßen", "straße"),
    ],
)
def test_a_text_inside_a_word_or_number_is_no_place(text: str, quote: str) -> None:
    """A place ends neither inside a word, nor inside a number, nor before a mark."""
    assert [] == places_of(text, quote, most=2)


@pytest.mark.parametrize(
    ("text", "quote", "start"),
    [
        ("5 days", "5 days", 0),
        (".5 days", "5 days", 1),
        ("v.5 days", "5 days", 2),
        ("2-5 days", "5 days", 2),
        ("up-5 days", "5 days", 3),
        ("2 -- 5 days", "5 days", 5),
        ("$5 days", "5 days", 1),
        ("day 1.", "day 1", 0),
        ("day 1, then", "day 1", 0),
        ("refund-free", "refund", 0),
        ("'it'", "it", 1),
        ("返金は30日以内です", "返金は30日以内", 0),
        ("返金は30日以内です", "30日", 3),
        ("คืนเงินภายใน30วัน", "30วัน", 12),
        ("ページ", "ージ", 1),
        ("\U00020000\U00020001", "\U00020001", 1),
    ],
)
def test_a_text_between_borders_is_a_place(text: str, quote: str, start: int) -> None:
    """Punctuation, ranges and scripts without spaces give a border."""
    assert [(start, start + len(quote))] == places_of(text, quote, most=2)


def test_holders_are_the_enclosing_chunks_tightest_first() -> None:
    """Chunks that enclose a span stand by length, then by ordinal."""
    source = document("x" * 100)
    spans = ChunkSpans(cut(source, "c", (0, 100), (10, 40), (20, 50), (0, 30), (0, 29), (21, 60)))
    assert ["c1", "c2", "c3", "c0"] == [c.chunk_id for c in spans.holders((20, 30))]
    assert ["c5", "c0"] == [c.chunk_id for c in spans.holders((25, 55))]
    assert [] == [c.chunk_id for c in spans.holders((90, 101))]


def test_a_chunk_that_only_touches_a_span_shares_nothing() -> None:
    """Overlap is strict: chunks that end where the span begins do not overlap it."""
    source = document("x" * 60)
    spans = ChunkSpans(cut(source, "c", (0, 20), (20, 40), (40, 60)))
    assert ["c1"] == [c.chunk_id for c in spans.overlapping((20, 40))]
    assert ["c0", "c1"] == [c.chunk_id for c in spans.overlapping((19, 40))]
    assert ["c1", "c2"] == [c.chunk_id for c in spans.overlapping((39, 41))]


def test_chunks_overlap_a_span_in_order_of_their_start() -> None:
    """A long early chunk stands before the short ones that it reaches over."""
    source = document("x" * 60)
    spans = ChunkSpans(cut(source, "c", (30, 40), (0, 60), (10, 20)))
    assert ["c1", "c0"] == [c.chunk_id for c in spans.overlapping((35, 36))]


@pytest.mark.parametrize(
    ("a", "b", "length"),
    [
        ((0, 10), (5, 20), 5),
        ((5, 20), (0, 10), 5),
        ((0, 10), (10, 20), 0),
        ((0, 10), (12, 20), 0),
        ((0, 30), (10, 20), 10),
    ],
)
def test_shared_counts_the_common_code_points(a: Span, b: Span, length: int) -> None:
    """Two spans share their intersection, and nothing where they only touch."""
    assert length == shared(a, b)


_SPANS = st.tuples(st.integers(0, 40), st.integers(1, 40)).map(lambda p: (p[0], p[0] + p[1]))


@settings(deadline=None)
@given(chunks=st.lists(_SPANS, max_size=12), wanted=_SPANS)
def test_span_questions_agree_with_a_look_at_every_chunk(chunks: list[Span], wanted: Span) -> None:
    """Holders and overlapping chunks are those that brute force finds, also with nested chunks."""
    made = cut(document("x" * 80), "c", *chunks)
    spans = ChunkSpans(made)
    start, end = wanted
    holding = [
        (b - a, ordinal, f"c{ordinal}")
        for ordinal, (a, b) in enumerate(chunks)
        if a <= start and end <= b
    ]
    touching = {
        f"c{ordinal}"
        for ordinal, (a, b) in enumerate(chunks)
        if set(range(a, b)) & set(range(start, end))
    }
    assert [name for _, _, name in sorted(holding)] == [c.chunk_id for c in spans.holders(wanted)]
    found = [c.chunk_id for c in spans.overlapping(wanted)]
    assert touching == set(found)
    assert len(found) == len(touching)
