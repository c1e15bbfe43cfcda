"""What the published rules get wrong, each with the sound action."""

from __future__ import annotations

from evergold.labels.reanchor import reanchor
from evergold.labels.validate import validate
from evergold.model import Document, Judgment, Snapshot
from tests.labels.handbook import URI, bare, cut, document, label, snapshot

ANNUAL = "Annual plans are refunded within 30 days."
NOTE = "Note:"
OLD = document(f"Overview\n\n{ANNUAL}\n\n{NOTE}")
WHOLE = (0, len(OLD.text))


def decided(row: Judgment, live: Snapshot, *documents: Document) -> tuple[str, str, str | None]:
    """Return status, rule and target of one label."""
    [found] = reanchor([row], live, documents, previous=[OLD]).resolutions
    return found.status, found.rule, found.target


def test_headings_do_not_make_a_split() -> None:
    """Chunks of headings cover nothing: the status is SPLIT as published, the label moves on."""
    more = document(f"{OLD.text} some plans differ.")
    live = snapshot(*cut(more, "new", (0, 8), (53, 58), (0, len(more.text))))
    assert ("SPLIT", "CONTAINED", "new2") == decided(bare(OLD.text, 2), live, more)


def test_letters_that_stand_in_the_text_do_not_cover_it() -> None:
    """The text is gone, and chunks of single letters are no parts of it."""
    new = document("A\n\nB\n\nPrices exclude shipping.")
    row = bare("Plan A costs more than plan B does.", 2)
    live = snapshot(*cut(new, "new", (0, 1), (3, 4), (6, 30)))
    assert ("SPLIT", "REVIEW", None) == decided(row, live, new)


def test_evidence_decides_between_the_parts_of_a_text() -> None:
    """One part is just a chunk, the other lies in a larger one: the evidence says which it is."""
    live = snapshot(*cut(OLD, "new", (0, 8), (10, 58)))
    row = label(OLD, (0, 51), 2, evidence=[(10, 51)])
    assert ("ORPHANED", "INTERVAL", "new1") == decided(row, live, OLD)
    row = label(OLD, (0, 51), 2, evidence=[(0, 8)])
    assert ("ORPHANED", "INTERVAL", "new0") == decided(row, live, OLD)


def test_a_zero_does_not_travel_up_with_its_text() -> None:
    """The larger chunk holds an answer that nobody judged 0."""
    live = snapshot(*cut(OLD, "new", WHOLE))
    assert ("MERGED", "HELD", None) == decided(bare(NOTE, 0), live, OLD)


def test_two_labels_that_meet_are_one_row() -> None:
    """No two rows of one query have one key, and the set stays valid."""
    rows = [
        label(OLD, (0, 8), 1, chunk_id="a"),
        label(OLD, (10, 51), 3, chunk_id="b"),
    ]
    result = reanchor(rows, snapshot(*cut(OLD, "new", WHOLE)), [OLD])
    assert [(3, "new0")] == [(row.relevance, row.chunk_id) for row in result.judgments]
    assert [] == [issue for issue in validate(result.judgments) if issue.severity == "error"]


def test_a_copy_of_another_section_is_not_chosen_by_file_order() -> None:
    """Which of two copies was judged is not a matter of which stands first in the file."""
    twice = document(f"{ANNUAL}\n\nPartners:\n\n{ANNUAL}")
    chunks = cut(twice, "new", (0, 41), (54, 95))
    for live in (snapshot(*chunks), snapshot(*reversed(chunks))):
        assert ("RE_ANCHORABLE", "REVIEW", None) == decided(bare(ANNUAL, 2), live, twice)


def test_a_text_that_was_cut_in_two_is_not_lost() -> None:
    """A border runs through it: the label straddles, and its place is known."""
    live = snapshot(*cut(OLD, "new", (0, 30), (30, 58)))
    assert ("ORPHANED", "STRADDLE", None) == decided(bare(ANNUAL, 2), live, OLD)


def test_a_reflow_is_no_edit() -> None:
    """Line ends, a space that does not break, curly quotes, a hyphen at a line end."""
    text = "The customer's plan is refunded within thirty days, as the refund rules say."
    new = document(
        "Overview\n\nThe customer\u2019s plan is re-\nfunded within\u00a0thirty\ndays,"
        " as the refund rules say. All is refunded."
    )
    live = snapshot(*cut(new, "new", (0, len(new.text))))
    assert ("ORPHANED", "CONTAINED", "new0") == decided(bare(text, 2), live, new)


def test_a_number_is_not_found_inside_another() -> None:
    """5 days are not 15 days."""
    new = document("Refunds take 15 business days.")
    live = snapshot(*cut(new, "new", (0, 30)))
    assert ("MERGED", "REVIEW", None) == decided(bare("5 business days", 2), live, new)


def test_a_bump_of_the_revision_is_no_edit() -> None:
    """The text is the same, its hash says so."""
    new = Document(URI, "r8", OLD.text)
    live = snapshot(*cut(new, "new", WHOLE))
    assert ("MERGED", "CONTAINED", "new0") == decided(label(OLD, (10, 51), 2), live, new)


def test_labels_of_documents_are_told_apart_by_row() -> None:
    """Two judgments of whole documents, one of them gone: each gets its own answer."""
    rows = [bare(None, 1, chunk_id=None), bare(None, 1, chunk_id=None, uri="handbook://gone.md")]
    found = reanchor(rows, snapshot(*cut(OLD, "new", WHOLE)), [OLD]).resolutions
    assert [("VALID", "SAME"), ("ORPHANED", "GONE")] == [(r.status, r.rule) for r in found]


def test_a_label_that_went_up_comes_down_again() -> None:
    """The judged text is kept, so that claims do not grow with the chunks."""
    small = snapshot(*cut(OLD, "p", (0, 8), (10, 51), (53, 58)))
    row = reanchor([label(OLD, (10, 51), 2, chunk_id="p1")], small, [OLD]).judgments[0]
    up = reanchor([row], snapshot(*cut(OLD, "new", WHOLE)), [OLD]).judgments[0]
    assert ("new0", ANNUAL) == (up.chunk_id, up.chunk_text)
    assert (row,) == reanchor([up], small, [OLD]).judgments
