"""Re-anchoring of labels whose recorded spans do not hold the recorded texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.identity import text_sha
from evergold.labels.reanchor import reanchor
from evergold.model import Resolution
from tests.labels.handbook import cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL = (0, 41)
WITHIN_30_DAYS = (26, 40)


@pytest.mark.parametrize(
    ("span", "evidence"),
    [((0, 45), ()), ((1, 41), ()), ((60, 101), ()), (ANNUAL, [(25, 40)]), (ANNUAL, [(26, 41)])],
    ids=["longer", "shorter", "past-the-end", "quote-early", "quote-long"],
)
def test_spans_that_do_not_hold_the_recorded_texts_give_no_place(
    span: tuple[int, int], evidence: list[tuple[int, int]]
) -> None:
    """A positive with contradicting spans goes to a person, a zero is held; both keep their row."""
    judged = label(REFUNDS, ANNUAL, 2, evidence=[WITHIN_30_DAYS])
    assert judged.anchor is not None
    quotes = tuple(replace(judged.anchor.evidence[0], span=place) for place in evidence)
    wrong = replace(judged, anchor=replace(judged.anchor, span=span, evidence=quotes))
    live = snapshot(*cut(REFUNDS, "new", (0, 100)))
    for relevance, rule in ((2, "REVIEW"), (0, "HELD")):
        row = replace(wrong, relevance=relevance)
        result = reanchor([row], live, [REFUNDS])
        assert [(rule, "SPAN_MISMATCH", None)] == [
            (r.rule, r.reason, r.target) for r in result.resolutions
        ]
        assert (row,) == result.judgments


def test_a_quote_that_is_known_by_its_hash_is_checked() -> None:
    """Where the quote is not stored, its hash must agree with the text at its span."""
    judged = label(REFUNDS, ANNUAL, 2, evidence=[WITHIN_30_DAYS])
    assert judged.anchor is not None
    hashed = replace(judged.anchor.evidence[0], exact=None, prefix=None, suffix=None)
    live = snapshot(*cut(REFUNDS, "new", (0, 100)))
    for evidence, rule in (
        (hashed, "INTERVAL"),
        (replace(hashed, sha=text_sha("within 14 days")), "REVIEW"),
    ):
        row = replace(judged, anchor=replace(judged.anchor, evidence=(evidence,)))
        assert [rule] == [r.rule for r in reanchor([row], live, [REFUNDS]).resolutions]


def test_contradicting_spans_on_a_live_chunk_leave_the_label_there() -> None:
    """A label without a place is the same as long as its chunk is live."""
    judged = label(REFUNDS, ANNUAL, 2, chunk_id="new0")
    assert judged.anchor is not None
    wrong = replace(judged, anchor=replace(judged.anchor, span=(1, 41)))
    result = reanchor([wrong], snapshot(*cut(REFUNDS, "new", ANNUAL)), [REFUNDS])
    assert (Resolution(0, "q1", "VALID", "SAME", target="new0"),) == result.resolutions


def test_a_judged_text_that_is_known_by_its_hash_is_checked() -> None:
    """Where the judged text is not stored, the span must hold a text with its hash."""
    judged = replace(label(REFUNDS, ANNUAL, 2), chunk_text=None)
    live = snapshot(*cut(REFUNDS, "new", (0, 100)))
    for sha, rule, reason in (
        (judged.text_sha, "CONTAINED", None),
        (text_sha("Annual plans are refunded within 14 days."), "REVIEW", "SPAN_MISMATCH"),
        (None, "CONTAINED", None),
    ):
        result = reanchor([replace(judged, text_sha=sha)], live, [REFUNDS])
        assert [(rule, reason)] == [(r.rule, r.reason) for r in result.resolutions]


@pytest.mark.parametrize("place", [(87, 99), (30, 50)], ids=["behind", "across-the-end"])
def test_a_quote_outside_the_judged_text_is_a_mismatch(place: tuple[int, int]) -> None:
    """Evidence that does not lie in the judged text was never judged with it."""
    judged = label(REFUNDS, ANNUAL, 2, evidence=[place])
    result = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert [("REVIEW", "SPAN_MISMATCH")] == [(r.rule, r.reason) for r in result.resolutions]
