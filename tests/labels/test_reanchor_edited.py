"""Re-anchoring in documents that were edited, renamed or removed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.identity import text_sha
from evergold.labels.reanchor import reanchor
from evergold.model import Anchor, Candidate, Evidence, Resolution
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
OLD = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES = (0, 41), (43, 67)
WITHIN_30_DAYS = (26, 40)
# The same paragraphs behind a new first line of 9 code points.
NEW = document("Refunds\n\n" + OLD.text)


def test_a_whole_judged_text_moves_with_an_edit_elsewhere() -> None:
    """A text that still stands verbatim and once gets a new span; its evidence goes with it."""
    judged = label(OLD, ANNUAL, 3, evidence=[WITHIN_30_DAYS], by="human:ana")
    result = reanchor(
        [judged], snapshot(*cut(NEW, "new", (0, 50), (52, 109))), [NEW], previous=[OLD]
    )
    assert (Resolution(0, "q1", "MERGED", "INTERVAL", target="new0"),) == result.resolutions
    expected = Anchor(
        doc_sha=text_sha(NEW.text),
        doc_revision=text_sha(NEW.text),
        span=(9, 50),
        evidence=(
            Evidence(
                span=(35, 49),
                exact="within 30 days",
                prefix="Refunds\n\nAnnual plans are refunded ",
                suffix=".\n\nPrices exclude shipping.\n\nMonthly plans are n",
                sha=text_sha("within 30 days"),
            ),
        ),
        by="human:ana",
    )
    assert (
        replace(judged, chunk_id="new0", corpus_fingerprint="live", anchor=expected),
    ) == result.judgments


def test_the_context_of_a_quote_is_48_code_points() -> None:
    """The new context is cut to 48 code points before and after the quote."""
    old = document("Zero. Annual plans are refunded within 30 days. " + "y" * 60)
    new = document("x" * 60 + " " + old.text)
    judged = label(old, (6, 47), 3, evidence=[(32, 46)])
    live = snapshot(*cut(new, "new", (0, 169)))
    moved = reanchor([judged], live, [new], previous=[old]).judgments[0]
    assert moved.anchor is not None
    evidence = moved.anchor.evidence[0]
    assert (
        (93, 107),
        "x" * 15 + " Zero. Annual plans are refunded ",
        ". " + "y" * 46,
    ) == (evidence.span, evidence.prefix, evidence.suffix)


def test_context_that_was_not_stored_stays_away() -> None:
    """A quote without text and context moves by its hash and gets neither."""
    judged = label(OLD, ANNUAL, 3, evidence=[WITHIN_30_DAYS])
    assert judged.anchor is not None
    hashed = Evidence(span=WITHIN_30_DAYS, sha=text_sha("within 30 days"))
    row = replace(judged, anchor=replace(judged.anchor, evidence=(hashed,)))
    moved = reanchor([row], snapshot(*cut(NEW, "new", (0, 109))), [NEW], previous=[OLD]).judgments[
        0
    ]
    assert moved.anchor is not None
    assert (replace(hashed, span=(35, 49)),) == moved.anchor.evidence


def test_an_old_span_is_not_trusted_in_an_edited_document() -> None:
    """A chunk at the offsets of old is no holder where the text has moved on."""
    judged = label(OLD, ANNUAL, 3)
    result = reanchor([judged], snapshot(*cut(NEW, "new", ANNUAL, (9, 50))), [NEW], previous=[OLD])
    assert [("CONTAINED", "new1")] == [(r.rule, r.target) for r in result.resolutions]


def test_a_moved_text_may_straddle() -> None:
    """A text that lives in no single chunk straddles; it gets its new span and no other holders."""
    judged = label(OLD, ANNUAL, 3)
    assert judged.anchor is not None
    judged = replace(judged, anchor=replace(judged.anchor, also=("old1",)))
    result = reanchor(
        [judged], snapshot(*cut(NEW, "new", (0, 30), (30, 109))), [NEW], previous=[OLD]
    )
    # 21 and 20 of 41 code points.
    expected = Resolution(
        row=0,
        query_id="q1",
        status="ORPHANED",
        rule="STRADDLE",
        reason="NO_HOLDER",
        candidates=(Candidate("new0", 0.5122, 0.5122), Candidate("new1", 0.4878, 0.4878)),
    )
    assert (expected,) == result.resolutions
    sha = text_sha(NEW.text)
    moved = replace(judged, anchor=Anchor(doc_sha=sha, doc_revision=sha, span=(9, 50)))
    assert (moved,) == result.judgments


@pytest.mark.parametrize(
    "text",
    [
        "Annual plans are refunded within 14 days.\n\nPrices exclude shipping.",
        "Annual plans are  refunded within 30 days.\n\nPrices exclude shipping.",
        "annual plans are refunded within 30 days.\n\nPrices exclude shipping.",
        "BiAnnual plans are refunded within 30 days.\n\nPrices exclude shipping.",
    ],
    ids=["number", "white-space", "case", "inside-a-word"],
)
def test_an_edited_text_goes_to_a_person(text: str) -> None:
    """A judged text that no longer stands word for word between borders is EDITED."""
    new = document(text)
    judged = label(OLD, ANNUAL, 3, evidence=[(0, 12)])
    live = snapshot(*cut(new, "new", (0, len(text))))
    result = reanchor([judged], live, [new], previous=[OLD])
    assert [("REVIEW", "EDITED", None)] == [
        (r.rule, r.reason, r.target) for r in result.resolutions
    ]
    assert (judged,) == result.judgments


@pytest.mark.parametrize(
    ("before", "after"),
    [("{}", "{} And: {}"), ("{} And: {}", "{}")],
    ids=["copy-in-the-new-text", "copy-in-the-old-text"],
)
def test_a_text_with_a_copy_is_not_followed(before: str, after: str) -> None:
    """A text that stood twice, or stands twice now, may be the other copy."""
    text = "Annual plans are refunded within 30 days."
    old, new = document(before.format(text, text)), document(after.format(text, text))
    judged = label(old, (0, 41), 3)
    live = snapshot(*cut(new, "new", (0, len(new.text))))
    result = reanchor([judged], live, [new], previous=[old])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("b" * 47, "a" * 47, "CONTAINED"),
        ("b" * 47, "?" + "a" * 46, "CONTAINED"),
        ("?" + "b" * 46, "a" * 47, "CONTAINED"),
        ("?" + "b" * 46, "a" * 46 + "?", "REVIEW"),
        ("b" * 46 + "?", "?" + "a" * 46, "REVIEW"),
    ],
    ids=["both-sides", "before", "after", "neither-far", "neither-near"],
)
def test_one_side_of_the_surroundings_must_be_the_same(before: str, after: str, rule: str) -> None:
    """The 48 code points on one side of the text (a space is one) have to be unchanged."""
    text = " Annual plans are refunded within 30 days. "
    old = document("x" * 20 + "b" * 47 + text + "a" * 47 + "x" * 20)
    new = document("y" * 30 + before + text + after + "y" * 30)
    judged = label(old, (68, 109), 3)
    assert "Annual plans are refunded within 30 days." == judged.chunk_text
    live = snapshot(*cut(new, "new", (0, len(new.text))))
    result = reanchor([judged], live, [new], previous=[old])
    assert [rule] == [r.rule for r in result.resolutions]


def test_without_the_old_text_nothing_is_followed() -> None:
    """Whether a text was unique when it was judged cannot be known without the text of then."""
    judged = label(OLD, ANNUAL, 3)
    live = snapshot(*cut(NEW, "new", (0, 109)))
    other = document("Another revision.")
    for previous in ([], [NEW], [other], [replace(OLD, doc_uri="handbook://other.md")]):
        result = reanchor([judged], live, [NEW], previous=previous)
        assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


def test_the_old_text_is_found_by_its_hash() -> None:
    """Of several old texts of a document, the one that the spans count in is asked."""
    judged = label(OLD, ANNUAL, 3)
    live = snapshot(*cut(NEW, "new", (0, 109)))
    older = document("Annual plans were never refunded.")
    for previous in ([older, OLD], [OLD, older]):
        result = reanchor([judged], live, [NEW], previous=previous)
        assert ["CONTAINED"] == [r.rule for r in result.resolutions]


def test_a_label_that_contradicts_its_old_text_is_not_followed() -> None:
    """The span in the old text must hold the judged text, or the span means nothing."""
    judged = replace(label(OLD, ANNUAL, 3), chunk_text="Prices exclude shipping.")
    result = reanchor([judged], snapshot(*cut(NEW, "new", (0, 109))), [NEW], previous=[OLD])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


def test_a_label_without_text_is_followed_by_its_span() -> None:
    """Where the judged text is not stored, it is read from the old document."""
    judged = replace(label(OLD, ANNUAL, 3), chunk_text=None)
    result = reanchor([judged], snapshot(*cut(NEW, "new", (0, 109))), [NEW], previous=[OLD])
    assert result.judgments[0].anchor is not None
    assert ("CONTAINED", (9, 50)) == (
        result.resolutions[0].rule,
        result.judgments[0].anchor.span,
    )


def test_evidence_outside_the_judged_text_is_not_followed() -> None:
    """A quote that is no part of the judged text does not move with it."""
    judged = label(OLD, ANNUAL, 3, evidence=[PRICES])
    result = reanchor([judged], snapshot(*cut(NEW, "new", (0, 109))), [NEW], previous=[OLD])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


@pytest.mark.parametrize(("length", "rule"), [(31, "REVIEW"), (32, "CONTAINED")])
def test_a_short_text_does_not_prove_itself_in_an_edited_document(length: int, rule: str) -> None:
    """In an edited document a verbatim text counts from 32 code points on."""
    head = "This sentence goes before. "
    old = document(head + "x" * (length - 2) + " y")
    new = document(old.text + " and more")
    judged = label(old, (len(head), len(head) + length), 1)
    live = snapshot(*cut(new, "new", (0, len(new.text))))
    result = reanchor([judged], live, [new], previous=[old])
    assert [(rule, None if rule == "CONTAINED" else "EDITED")] == [
        (r.rule, r.reason) for r in result.resolutions
    ]


def test_a_short_text_without_an_anchor_is_placed() -> None:
    """No least length and no old text is asked of a text whose span was never recorded."""
    result = reanchor(
        [bare("Prices exclude shipping.", 1)], snapshot(*cut(NEW, "new", (0, 109))), [NEW]
    )
    assert ["CONTAINED"] == [r.rule for r in result.resolutions]


def test_a_zero_of_an_edited_text_is_held() -> None:
    """A zero whose text was edited waits, and no person is asked."""
    new = document("Annual plans are refunded within 14 days.")
    zero = label(OLD, ANNUAL, 0)
    result = reanchor([zero], snapshot(*cut(new, "new", (0, 41))), [new], previous=[OLD])
    assert (Resolution(0, "q1", "ORPHANED", "HELD", reason="EDITED"),) == result.resolutions
    assert (zero,) == result.judgments


def test_a_zero_moves_with_its_whole_text() -> None:
    """A zero whose text stands verbatim takes the chunk that is just that text, and no larger."""
    zero = label(OLD, ANNUAL, 0)
    alone = reanchor(
        [zero], snapshot(*cut(NEW, "new", (0, 7), (9, 50), (52, 109))), [NEW], previous=[OLD]
    )
    assert (Resolution(0, "q1", "RE_ANCHORABLE", "CONTAINED", target="new1"),) == alone.resolutions
    larger = reanchor([zero], snapshot(*cut(NEW, "new", (0, 50), (52, 109))), [NEW], previous=[OLD])
    assert (Resolution(0, "q1", "MERGED", "HELD", reason="ZERO"),) == larger.resolutions
    assert [("old0", "then")] == [(j.chunk_id, j.corpus_fingerprint) for j in larger.judgments]


def test_a_live_chunk_outlives_an_edit_of_its_document() -> None:
    """A label that cannot be placed stays where its live chunk holds the very text judged."""
    judged = label(OLD, PRICES, 2, chunk_id="new1")
    live = snapshot(*cut(NEW, "new", (0, 50), (52, 76), (78, 109)))
    result = reanchor([judged], live, [NEW], previous=[OLD])
    assert (Resolution(0, "q1", "VALID", "SAME", target="new1"),) == result.resolutions


@pytest.mark.parametrize(("relevance", "rule"), [(2, "GONE"), (0, "HELD")])
def test_a_document_that_is_gone_takes_its_labels_along(relevance: int, rule: str) -> None:
    """A positive of a missing document is GONE, a zero is held; a twin elsewhere is no place."""
    twin = document(OLD.text, uri="handbook://renamed.md")
    judged = label(OLD, ANNUAL, relevance)
    result = reanchor([judged], snapshot(*cut(twin, "new", ANNUAL)), [twin])
    assert (
        Resolution(0, "q1", "RE_ANCHORABLE", rule, reason="DOCUMENT_GONE"),
    ) == result.resolutions
    assert (judged,) == result.judgments


@pytest.mark.parametrize(("relevance", "rule"), [(2, "GONE"), (0, "HELD")])
def test_a_label_of_a_whole_document_goes_with_it(relevance: int, rule: str) -> None:
    """A label without chunk and text has nothing left when its document is gone."""
    whole = bare(None, relevance, chunk_id=None, uri="handbook://gone.md")
    result = reanchor([whole], snapshot(*cut(NEW, "new", (0, 109))), [NEW], previous=[OLD])
    assert (Resolution(0, "q1", "ORPHANED", rule, reason="DOCUMENT_GONE"),) == result.resolutions
    assert (whole,) == result.judgments


def test_an_old_text_of_the_same_revision_name_counts_as_edited() -> None:
    """The hash of the text decides whether a document was edited, not its revision."""
    new = replace(NEW, doc_revision=OLD.doc_revision)
    judged = label(OLD, PRICES, 2)
    result = reanchor([judged], snapshot(*cut(new, "new", (0, 109))), [new], previous=[OLD])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]
    renamed = replace(OLD, doc_revision="r8")
    result = reanchor([judged], snapshot(*cut(renamed, "new", (0, 100))), [renamed])
    assert [("CONTAINED", None)] == [(r.rule, r.reason) for r in result.resolutions]


def test_an_empty_side_is_no_surrounding() -> None:
    """A passage that ends both texts has nothing behind it that could be the same."""
    passage = "Customers may cancel at any time and get all of their money back."
    old = document("Terms of 2024.\n\n" + passage)
    new = document("The following must no longer be used:\n\n" + passage)
    judged = label(old, (16, 16 + len(passage)), 2)
    live = snapshot(*cut(new, "new", (0, len(new.text))))
    result = reanchor([judged], live, [new], previous=[old])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


def test_a_chunk_of_another_text_holds_nothing() -> None:
    """A snapshot that was not cut from these documents cannot place a label."""
    other = document("Nothing of this stands in the handbook, whatever its offsets say. Really.")
    live = snapshot(*cut(other, "new", (0, 60)))
    result = reanchor([label(OLD, ANNUAL, 3)], live, [OLD])
    assert ["STRADDLE"] == [r.rule for r in result.resolutions]
