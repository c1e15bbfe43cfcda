"""The chunks that a person may choose from where no rule decides."""

from __future__ import annotations

from evergold.labels.reanchor import reanchor
from evergold.model import Candidate
from tests.labels.handbook import cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL = (0, 41)
WITHIN_30_DAYS = (26, 40)


def test_at_most_five_candidates_are_named() -> None:
    """Candidates stand by evidence coverage, then span coverage, then id, and end at five."""
    judged = label(REFUNDS, (0, 67), 3, evidence=[(0, 60)])
    live = snapshot(
        *cut(REFUNDS, "new", (0, 10), (0, 10), (10, 22), (22, 33), (33, 43), (43, 67), (59, 67))
    )
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ["new5", "new2", "new3", "new0", "new1"] == [c.chunk_id for c in resolution.candidates]


def test_equal_evidence_coverage_is_ranked_by_span_coverage() -> None:
    """Of two chunks with as much evidence the one with more of the judged text is named first."""
    judged = label(REFUNDS, (0, 67), 3, evidence=[(20, 40)])
    live = snapshot(*cut(REFUNDS, "new", (20, 30), (30, 67)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert (
        Candidate("new1", 0.5, 0.5522),
        Candidate("new0", 0.5, 0.1493),
    ) == resolution.candidates


def test_candidates_of_an_edited_text_are_ranked_by_shared_words() -> None:
    """Without a place, coverage is the share of words; chunks without any are no candidates."""
    new = document("Plans are refunded.\n\nWithin 14 days.\n\nNothing else.")
    judged = label(REFUNDS, ANNUAL, 3, evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(new, "new", (0, 19), (21, 36), (38, 51)))
    resolution = reanchor([judged], live, [new], previous=[REFUNDS]).resolutions[0]
    # Evidence "within 30 days": "days" is 1 of 3. Judged text: 7 words, "days" is one of them.
    assert (Candidate("new1", 0.3333, 0.1429),) == resolution.candidates


def test_suggested_quotes_do_not_rank_candidates() -> None:
    """Where a machine proposed the evidence, the whole judged text stands for it."""
    old = document("Zebra herds gather near the river. Annual plans are refunded.")
    new = document("Zebra herds sleep. Plans are refunded.")
    judged = label(old, (0, 61), 2, evidence=[(35, 61)], by="suggested:model")
    live = snapshot(*cut(new, "new", (0, 18), (19, 38)))
    resolution = reanchor([judged], live, [new], previous=[old]).resolutions[0]
    # Ten words: "Zebra" and "herds", "are" and "refunded".
    assert (Candidate("new0", 0.2, 0.2), Candidate("new1", 0.2, 0.2)) == resolution.candidates


def test_a_repeated_word_counts_as_often_as_it_stands() -> None:
    """The share of words is one of occurrences, capped by those that the chunk has."""
    old = document("Refunds, refunds and refunds take 30 days of time.")
    new = document("Some refunds and refunds and refunds.\n\nOne refunds desk.")
    judged = label(old, (9, 50), 3)
    live = snapshot(*cut(new, "new", (0, 37), (39, 56)))
    resolution = reanchor([judged], live, [new], previous=[old]).resolutions[0]
    # Judged "refunds and refunds take 30 days of time": 8 words; 3 and 1 of them.
    assert (
        Candidate("new0", 0.375, 0.375),
        Candidate("new1", 0.125, 0.125),
    ) == resolution.candidates
