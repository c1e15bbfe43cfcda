"""Positives that contradict a zero of their query: a person has to say which of them is right."""

from __future__ import annotations

import pytest

from evergold.labels.reanchor import reanchor
from evergold.labels.validate import validate
from evergold.model import Candidate, Resolution, Span
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)
WITHIN_30_DAYS = (26, 40)
PARAGRAPHS = snapshot(*cut(REFUNDS, "p", ANNUAL, PRICES, MONTHLY))
WHOLE = snapshot(*cut(REFUNDS, "whole", (0, 100)))


def test_a_positive_does_not_move_onto_a_zero() -> None:
    """A positive whose target was judged 0 goes to a person, and both rows stay as they were."""
    zero = reanchor([label(REFUNDS, ANNUAL, 0, chunk_id="p0")], PARAGRAPHS, [REFUNDS]).judgments[0]
    positive = label(REFUNDS, (0, 67), 2, evidence=[WITHIN_30_DAYS])
    result = reanchor([positive, zero], PARAGRAPHS, [REFUNDS])
    assert (
        Resolution(
            row=0,
            query_id="q1",
            status="SPLIT",
            rule="REVIEW",
            reason="CONFLICT",
            candidates=(Candidate("p0", 1.0, 1.0),),
        ),
        Resolution(1, "q1", "VALID", "SAME", target="p0"),
    ) == result.resolutions
    assert (positive, zero) == result.judgments


@pytest.mark.parametrize(
    ("evidence", "zero_span", "rule"),
    [
        ([WITHIN_30_DAYS], ANNUAL, "REVIEW"),
        ([WITHIN_30_DAYS], WITHIN_30_DAYS, "REVIEW"),
        ([WITHIN_30_DAYS], (27, 67), "INTERVAL"),
        ([WITHIN_30_DAYS], (0, 39), "INTERVAL"),
        ([WITHIN_30_DAYS, (43, 49)], PRICES, "REVIEW"),
        ([], ANNUAL, "CONTAINED"),
        ([], (0, 100), "REVIEW"),
    ],
    ids=["inside", "equal", "begins-before", "ends-after", "one-of-two", "text-around", "text-in"],
)
def test_evidence_inside_a_text_judged_zero_is_a_contradiction(
    evidence: list[Span], zero_span: Span, rule: str
) -> None:
    """No fragment of a text judged 0 is relevant, so a positive proved by one is withheld."""
    positive = label(REFUNDS, (0, 67), 2, evidence=evidence)
    zero = label(REFUNDS, zero_span, 0, chunk_id="z0")
    result = reanchor([positive, zero], snapshot(*cut(REFUNDS, "new", (0, 99))), [REFUNDS])
    assert rule == result.resolutions[0].rule
    if rule == "REVIEW":
        assert "HELD" == result.resolutions[1].rule
        assert ("CONFLICT", (Candidate("new0", 1.0, 1.0),)) == (
            result.resolutions[0].reason,
            result.resolutions[0].candidates,
        )
        assert (positive, zero) == result.judgments


def test_a_suggestion_contradicts_nobody() -> None:
    """Evidence that a machine proposed may lie in a text judged 0; the judged text counts."""
    positive = label(REFUNDS, (0, 67), 2, evidence=[WITHIN_30_DAYS], by="suggested:model")
    zero = label(REFUNDS, ANNUAL, 0, chunk_id="z0")
    result = reanchor([positive, zero], WHOLE, [REFUNDS])
    assert ["CONTAINED", "HELD"] == [r.rule for r in result.resolutions]


def test_a_zero_of_another_text_or_document_contradicts_nobody() -> None:
    """Spans are compared within one text: another document or revision has its own offsets."""
    other = document(REFUNDS.text + " Except yours.")
    elsewhere = document(REFUNDS.text, uri="handbook://elsewhere.md")
    positive = label(REFUNDS, (0, 67), 2, evidence=[WITHIN_30_DAYS])
    for zero in (
        label(other, ANNUAL, 0, chunk_id="z0"),
        label(elsewhere, ANNUAL, 0, chunk_id="z0"),
    ):
        result = reanchor([positive, zero], WHOLE, [REFUNDS, elsewhere])
        assert ["INTERVAL", "HELD"] == [r.rule for r in result.resolutions]


def test_a_positive_that_stays_is_left_beside_a_contradicting_zero() -> None:
    """A label on the very chunk that was judged is not withheld; nothing moves on its account."""
    rows = [
        label(REFUNDS, ANNUAL, 2, chunk_id="p0", evidence=[WITHIN_30_DAYS]),
        label(REFUNDS, (0, 67), 0, chunk_id="z0"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert [("SAME", "p0"), ("HELD", None)] == [(r.rule, r.target) for r in result.resolutions]


def test_a_zero_of_another_query_is_no_contradiction() -> None:
    """A chunk may be 0 for one query and hold the answer to another."""
    zero = label(REFUNDS, ANNUAL, 0, chunk_id="p0", query_id="q2")
    positive = label(REFUNDS, (0, 67), 2, evidence=[WITHIN_30_DAYS])
    result = reanchor([positive, zero], PARAGRAPHS, [REFUNDS])
    assert ["INTERVAL", "SAME"] == [r.rule for r in result.resolutions]


def test_a_held_zero_does_not_stop_a_positive() -> None:
    """A zero that waits at an old key stands on no chunk, so nothing contradicts it."""
    rows = [label(REFUNDS, ANNUAL, 2, chunk_id="p0"), label(REFUNDS, PRICES, 0, chunk_id="p1")]
    result = reanchor(rows, WHOLE, [REFUNDS])
    assert [
        ("CONTAINED", "whole0"),
        ("HELD", None),
    ] == [(r.rule, r.target) for r in result.resolutions]
    assert ["whole0", "p1"] == [j.chunk_id for j in result.judgments]
    assert [] == [issue for issue in validate(result.judgments) if issue.severity == "error"]


def test_the_key_of_a_zero_without_a_place_is_not_taken() -> None:
    """Where a zero waits at an id that is live again, no positive of its query comes to that id."""
    zero = bare("A sentence that is gone.", 0, chunk_id="new0")
    positive = label(REFUNDS, ANNUAL, 2, evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", (0, 67), (69, 100)))
    result = reanchor([positive, zero], live, [REFUNDS])
    assert [
        ("REVIEW", "CONFLICT"),
        ("HELD", "NO_PLACE"),
    ] == [(r.rule, r.reason) for r in result.resolutions]
    assert (positive, zero) == result.judgments
