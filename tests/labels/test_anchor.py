"""Spans and evidence for labels that have none."""

from __future__ import annotations

from dataclasses import replace

from evergold.formats.questions import Question
from evergold.identity import text_sha
from evergold.labels.anchor import Anchored, anchor
from evergold.labels.rebuild import documents_by_offsets
from evergold.model import Anchor, Evidence, Judgment
from tests.labels.handbook import URI, bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)
LIVE = snapshot(*cut(REFUNDS, "p", ANNUAL, PRICES, MONTHLY))
SHA = text_sha(REFUNDS.text)


def anchored(*rows: Judgment) -> Anchored:
    """Return what `anchor` makes of labels, with documents and chunks at hand."""
    return anchor(rows, [REFUNDS], LIVE)


def test_each_way_to_show_a_place_is_counted() -> None:
    """By live chunk, by text, by folded text and by hash; a recorded span stays as it is."""
    twice = bare("plans", 1, query_id="q6")
    rows = (
        label(REFUNDS, PRICES, 2, query_id="q1"),
        replace(
            bare(None, 2, query_id="q2", chunk_id="p1"),
            text_sha=text_sha("Prices exclude shipping."),
        ),
        bare("Prices exclude shipping.", 2, query_id="q3"),
        bare("Prices\u00a0exclude\nshipping.", 0, query_id="q4"),
        replace(bare(None, 2, query_id="q5"), text_sha=text_sha("Prices exclude shipping.")),
        twice,
        bare("not there", 1, query_id="q7"),
        bare("Prices exclude shipping.", 1, query_id="q8", uri="handbook://other.md"),
        bare(None, 1, query_id="q9", chunk_id=None),
        bare(None, 1, query_id="q10"),
    )
    result = anchored(*rows)
    assert {
        "recorded": 1,
        "chunk_id": 1,
        "text": 1,
        "folded": 1,
        "text_sha": 1,
        "document": 1,
    } == result.spans
    assert {"NO_PLACE": 2, "NO_DOCUMENT": 1, "NO_TEXT": 1} == result.without
    assert {"judged text": 9} == result.evidence
    place = Anchor(doc_sha=SHA, doc_revision=SHA, span=PRICES)
    assert [place] * 4 == [row.anchor for row in result.judgments[1:5]]
    assert rows[0] == result.judgments[0]
    assert rows[5:] == result.judgments[5:]
    assert [replace(row, anchor=None) for row in rows] == [
        replace(row, anchor=None) for row in result.judgments
    ]


def test_a_snippet_of_a_question_becomes_evidence() -> None:
    """Where it stands once in the judged text; the variants of a slot are alternatives."""
    question = Question("q1", "when", (("within 30 days", "not refunded", "never"),))
    row = bare(REFUNDS.text, 2)
    result = anchor([row], [REFUNDS], questions=[question])
    quotes = (
        Evidence(
            (26, 40),
            "within 30 days",
            "Annual plans are refunded ",
            REFUNDS.text[40:88],
            text_sha("within 30 days"),
        ),
        Evidence((87, 99), "not refunded", REFUNDS.text[39:87], ".", text_sha("not refunded")),
    )
    expected = Anchor(SHA, SHA, (0, 100), evidence=quotes, by="questions")
    assert (replace(row, anchor=expected),) == result.judgments
    assert {"question": 1} == result.evidence


def test_snippets_of_several_slots_are_all_needed() -> None:
    """Each slot is one thing to find; a label of one need has the snippets of its slot."""
    question = Question("q1", "when", (("within 30 days",), ("not refunded",), ("never",)))
    (row,) = anchor([bare(REFUNDS.text, 2)], [REFUNDS], questions=[question]).judgments
    assert row.anchor is not None
    assert ("all", [(26, 40), (87, 99)]) == (
        row.anchor.evidence_rule,
        [item.span for item in row.anchor.evidence],
    )
    need = replace(bare(REFUNDS.text, 2), need="1")
    (row,) = anchor([need], [REFUNDS], questions=[question]).judgments
    assert row.anchor is not None
    assert ("any", [(87, 99)]) == (
        row.anchor.evidence_rule,
        [item.span for item in row.anchor.evidence],
    )


def test_evidence_is_never_guessed() -> None:
    """A snippet that stands twice, a zero, evidence of a person, an older text: nothing is added."""
    question = Question("q1", "when", (("refunded", "plan"),))
    recorded = label(REFUNDS, (0, 100), 2, evidence=[(26, 40)], by="human:ana")
    older = label(document("Plans are refunded."), (0, 19), 2)
    for row in (bare(REFUNDS.text, 2), bare(REFUNDS.text, 0), recorded, older):
        (after,) = anchor([row], [REFUNDS], questions=[question]).judgments
        before = row.anchor.evidence if row.anchor else ()
        assert after.anchor is not None
        assert before == after.anchor.evidence
    assert {"person": 1} == anchor([recorded], [REFUNDS]).evidence


def test_documents_of_chunks_with_offsets() -> None:
    """Chunks that leave nothing out tell the text; gaps, false offsets and other hashes do not."""
    whole = snapshot(*cut(REFUNDS, "c", (0, 50), (40, 100)))
    assert [REFUNDS] == list(documents_by_offsets(whole))
    gap = snapshot(*cut(REFUNDS, "c", (0, 40), (45, 100)))
    short = snapshot(*cut(REFUNDS, "c", (0, 50), (40, 90)))
    bare_chunks = snapshot(*(replace(c, start=None) for c in whole.chunks))
    false = snapshot(whole.chunks[0], replace(whole.chunks[1], start=41, end=101))
    for other in (gap, short, bare_chunks, false):
        assert () == documents_by_offsets(other)
    named = replace(short, chunks=tuple(replace(c, doc_revision="r7") for c in short.chunks))
    assert [(URI, "r7", REFUNDS.text[:90])] == [
        (d.doc_uri, d.doc_revision, d.text) for d in documents_by_offsets(named)
    ]
