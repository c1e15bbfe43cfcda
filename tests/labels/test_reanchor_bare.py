"""Re-anchoring of labels without an anchor: where the judged text stands, if that is certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.identity import text_sha
from evergold.labels.reanchor import reanchor
from evergold.model import Anchor, Candidate, Resolution, Snapshot
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
TEXT = (
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
REFUNDS = document(TEXT)
# One sentence stands at 5-28 and, under another heading, at 36-59.
TWICE = document("# A\n\nRefunds take 30 days.\n\n# Two\n\nRefunds take 30 days.")
FIRST, SECOND = (5, 26), (35, 56)


def test_a_label_without_a_span_gets_one() -> None:
    """The place of a text that stands once becomes the anchor of the label."""
    judged = bare("Prices exclude shipping.", 2)
    result = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 67), (69, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "MERGED", "CONTAINED", target="new0"),) == result.resolutions
    sha = text_sha(TEXT)
    expected = replace(
        judged,
        chunk_id="new0",
        corpus_fingerprint="live",
        anchor=Anchor(doc_sha=sha, doc_revision=sha, span=(43, 67)),
    )
    assert (expected,) == result.judgments


def test_the_judged_text_is_sought_in_its_canonical_form() -> None:
    """White space around the judged text, CR LF and decomposed letters do not hide it."""
    cafe = document("Open daily.\nThe café is closed\nin August.")
    judged = bare("\r\n The cafe\u0301 is closed\r\nin August. ", 2)
    result = reanchor([judged], snapshot(*cut(cafe, "new", (0, 41))), [cafe])
    assert result.judgments[0].anchor is not None
    assert ("CONTAINED", (12, 41)) == (
        result.resolutions[0].rule,
        result.judgments[0].anchor.span,
    )


def test_a_live_chunk_gives_the_place_of_its_label() -> None:
    """Of several copies of a text, that of the live chunk is the one that was judged."""
    judged = bare("Refunds take 30 days.", 2, chunk_id="new1")
    result = reanchor([judged], snapshot(*cut(TWICE, "new", FIRST, SECOND)), [TWICE])
    assert (Resolution(0, "q1", "VALID", "SAME", target="new1"),) == result.resolutions
    assert result.judgments[0].anchor is not None
    assert SECOND == result.judgments[0].anchor.span


def test_a_live_chunk_alone_gives_a_place() -> None:
    """A label with a chunk id and nothing else stands where its live chunk stands."""
    judged = bare(None, 2, chunk_id="new1")
    result = reanchor([judged], snapshot(*cut(TWICE, "new", FIRST, SECOND)), [TWICE])
    assert result.judgments[0].anchor is not None
    assert ("SAME", SECOND) == (result.resolutions[0].rule, result.judgments[0].anchor.span)


@pytest.mark.parametrize("chunk_text", [TEXT[41:69], None], ids=["with-text", "without-text"])
def test_a_span_neither_begins_nor_ends_with_white_space(chunk_text: str | None) -> None:
    """A chunk with outer white space gives its label the place of the text inside it."""
    padded = snapshot(*cut(REFUNDS, "new", (0, 41), (41, 69), (69, 100)))
    (row,) = reanchor([bare(chunk_text, 2, chunk_id="new1")], padded, [REFUNDS]).judgments
    assert row.anchor is not None
    assert (43, 67) == row.anchor.span
    trimmed = snapshot(*cut(REFUNDS, "t", (0, 41), (43, 67), (69, 100)))
    assert ["t1"] == [j.chunk_id for j in reanchor([row], trimmed, [REFUNDS]).judgments]


def test_copies_of_a_text_in_one_document_decide_nothing() -> None:
    """A text that stands twice has no certain place; a person sees the chunks that share it."""
    judged = bare("Refunds take 30 days.", 2)
    live = snapshot(*cut(TWICE, "new", (0, 26), (28, 56)))
    result = reanchor([judged], live, [TWICE])
    expected = Resolution(
        row=0,
        query_id="q1",
        status="MERGED",
        rule="REVIEW",
        reason="NO_PLACE",
        candidates=(Candidate("new0", 1.0, 1.0), Candidate("new1", 1.0, 1.0)),
    )
    assert (expected,) == result.resolutions
    assert (judged,) == result.judgments


def test_a_recorded_span_tells_copies_apart() -> None:
    """With a span, a label stays with the copy that was judged, in whatever order they come."""
    sha = text_sha(TWICE.text)
    for span, target in ((FIRST, "new0"), (SECOND, "new1")):
        judged = replace(
            bare("Refunds take 30 days.", 2),
            anchor=Anchor(doc_sha=sha, doc_revision=sha, span=span),
        )
        chunks = cut(TWICE, "new", (0, 26), (28, 56))
        for live in (snapshot(*chunks), snapshot(*reversed(chunks))):
            assert [target] == [r.target for r in reanchor([judged], live, [TWICE]).resolutions]


def test_a_twin_in_another_document_is_never_the_place() -> None:
    """A text that left its document does not move to a document that says the same."""
    now = document("Refunds are not offered any more.")
    twin = document("Refunds take 30 days.", uri="handbook://other-product.md")
    judged = bare("Refunds take 30 days.", 2)
    live = snapshot(*cut(twin, "twin", (0, 21)), *cut(now, "new", (0, 33)))
    result = reanchor([judged], live, [twin, now])
    # One word of four, "Refunds", is shared with the document of the label; a person may see both.
    expected = Resolution(
        row=0,
        query_id="q1",
        status="RE_ANCHORABLE",
        rule="REVIEW",
        reason="CROSS_DOC",
        candidates=(Candidate("twin0", 1.0, 1.0), Candidate("new0", 0.25, 0.25)),
    )
    assert (expected,) == result.resolutions
    assert (judged,) == result.judgments


@pytest.mark.parametrize(
    "text", ["It takes 15 days to arrive.", "It takes 1.5 days to arrive.", "It is -5 days here."]
)
def test_a_text_inside_a_number_is_not_that_text(text: str) -> None:
    """`5 days` does not stand in `15 days`, `1.5 days` or `-5 days`, though drift says MERGED."""
    source = document(text)
    result = reanchor([bare("5 days", 2)], snapshot(*cut(source, "new", (0, len(text)))), [source])
    assert [("MERGED", "REVIEW", "NO_PLACE")] == [
        (r.status, r.rule, r.reason) for r in result.resolutions
    ]


def test_a_copy_inside_a_number_makes_a_text_ambiguous() -> None:
    """`5 days` may have been judged inside `15 days`: a bare text does not say."""
    source = document("Not 15 days but 5 days.")
    result = reanchor([bare("5 days", 2)], snapshot(*cut(source, "new", (0, 23))), [source])
    assert [("REVIEW", "NO_PLACE")] == [(r.rule, r.reason) for r in result.resolutions]


@pytest.mark.parametrize(("relevance", "rule"), [(2, "REVIEW"), (0, "HELD")])
def test_a_label_without_text_and_live_chunk_has_no_place(relevance: int, rule: str) -> None:
    """Nothing is recorded by which the place could be found: NO_TEXT."""
    judged = bare(None, relevance)
    result = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "ORPHANED", rule, reason="NO_TEXT"),) == result.resolutions
    assert (judged,) == result.judgments


def test_a_zero_without_a_place_is_held() -> None:
    """A zero whose text stands nowhere waits; no person is shown candidates."""
    zero = bare("Refunds are paid in shells.", 0)
    result = reanchor([zero], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "ORPHANED", "HELD", reason="NO_PLACE"),) == result.resolutions
    assert (zero,) == result.judgments


def test_a_hash_finds_the_only_chunk_with_that_text() -> None:
    """A label with a hash and no text stands on the one chunk of its document with that hash."""
    judged = replace(bare(None, 2), text_sha=text_sha("Prices exclude shipping."))
    twin = document("Prices exclude shipping.", uri="handbook://other.md")
    live = snapshot(*cut(twin, "twin", (0, 24)), *cut(REFUNDS, "new", (0, 67), (43, 67)))
    result = reanchor([judged], live, [twin, REFUNDS])
    assert result.judgments[0].anchor is not None
    expected = Resolution(0, "q1", "RE_ANCHORABLE", "CONTAINED", target="new1", also=("new0",))
    assert (expected,) == result.resolutions
    assert (43, 67) == result.judgments[0].anchor.span


def test_a_hash_that_two_chunks_share_finds_no_place() -> None:
    """Of two chunks with the hash of the label neither is taken."""
    judged = replace(bare(None, 2), text_sha=text_sha("Refunds take 30 days."))
    result = reanchor([judged], snapshot(*cut(TWICE, "new", FIRST, SECOND)), [TWICE])
    assert [("REVIEW", None)] == [(r.rule, r.target) for r in result.resolutions]
    assert (judged,) == result.judgments


def test_text_without_a_chunk_id_is_placed_like_any_other() -> None:
    """A label that has a text and no chunk id is one of a passage, not of the document."""
    judged = bare("Prices exclude shipping.", 2, chunk_id=None)
    result = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 67), (69, 100))), [REFUNDS])
    assert [("VALID", "CONTAINED", "new0")] == [
        (r.status, r.rule, r.target) for r in result.resolutions
    ]


def test_evidence_without_a_recorded_span_gives_no_place() -> None:
    """Evidence counts from the span of the judged text; where nobody recorded that, it is void."""
    judged = label(REFUNDS, (43, 67), 2, evidence=[(50, 66)])
    assert judged.anchor is not None
    spanless = replace(judged, anchor=replace(judged.anchor, doc_sha=None, span=None))
    result = reanchor([spanless], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert [("REVIEW", "SPAN_MISMATCH")] == [(r.rule, r.reason) for r in result.resolutions]
    assert (spanless,) == result.judgments


def test_two_passages_of_one_document_are_two_labels() -> None:
    """Before they have chunks, labels of one query are told apart by the text that was judged."""
    source = document("Open from Monday to Friday.\n\nOn Saturday we open at ten.")
    live = snapshot(*cut(source, "new", (0, 27), (29, 56)))
    rows = [bare("Open from Monday to Friday.", 2), bare("On Saturday we open at ten.", 2)]
    rows = [replace(row, chunk_id=None) for row in rows]
    assert ["new0", "new1"] == [j.chunk_id for j in reanchor(rows, live, [source]).judgments]


def _without_offsets(live: Snapshot) -> Snapshot:
    chunks = (replace(chunk, start=None, end=None) for chunk in live.chunks)
    return replace(live, chunks=tuple(chunks))


def test_chunks_without_offsets_stand_where_their_text_does() -> None:
    """A snapshot of another tool beside the documents: each chunk has one place, or none."""
    source = document("Overview\n\nAnnual plans are refunded within 30 days.\n\nNote: see above.")
    live = _without_offsets(snapshot(*cut(source, "new", (0, 9), (10, 53), (53, 69))))
    rows = [
        label(source, (0, 51), 2, evidence=[(10, 51)]),
        bare("Annual plans are refunded within 30 days.", 1, query_id="q2"),
        bare("see above", 0, query_id="q3"),
    ]
    result = reanchor(rows, live, [source])
    assert [("INTERVAL", "new1"), ("CONTAINED", "new1"), ("HELD", None)] == [
        (r.rule, r.target) for r in result.resolutions
    ]


def test_a_chunk_that_stands_twice_is_found_between_its_neighbours() -> None:
    """The order of the chunks tells which copy is meant; without an order none is."""
    text = "Refunds take five days.\n\nOne.\n\nRefunds take five days.\n\nTwo."
    source = document(text)
    spans = ((0, 23), (25, 29), (31, 54), (56, 60))
    live = _without_offsets(snapshot(*cut(source, "new", *spans)))
    for start, target in ((0, "new0"), (31, "new2")):
        result = reanchor([label(source, (start, start + 23), 1)], live, [source])
        assert [("CONTAINED", target)] == [(r.rule, r.target) for r in result.resolutions]
    unordered = replace(live, chunks=tuple(replace(chunk, ordinal=0) for chunk in live.chunks))
    result = reanchor([label(source, (0, 23), 1)], unordered, [source])
    assert ["STRADDLE"] == [r.rule for r in result.resolutions]
    many = document("a " * 2_000)
    live = _without_offsets(snapshot(*cut(many, "new", (0, 1))))
    assert ["STRADDLE"] == [
        r.rule for r in reanchor([label(many, (0, 1), 1)], live, [many]).resolutions
    ]
