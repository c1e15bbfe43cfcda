"""Re-anchoring in documents that were edited, renamed or removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from evergold.identity import text_sha
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.model import Anchor, Candidate, Document, Evidence, Judgment, Resolution, Span
from tests.labels.handbook import bare, cut, document, label, snapshot

INVOICES = "Invoices are sent by mail on the first working day of each month."
ANNUAL = "Annual plans are refunded in full within 30 days of the payment."
MONTHLY = "Monthly plans end with the month that has been paid for already."
PARTNERS = "Nothing in this page applies to plans that were bought from partners."
OLD = document(f"{INVOICES}\n\n{ANNUAL}\n\n{MONTHLY}\n\n{PARTNERS}")
NEW = document(f"Refunds\n\n{OLD.text}")
WITHIN_30_DAYS = "within 30 days"


def at(source: Document, quote: str) -> Span:
    """Return the only place of a quote."""
    assert 1 == source.text.count(quote)
    start = source.text.index(quote)
    return start, start + len(quote)


def judged(quote: str, relevance: int = 3, *, evidence: Sequence[str] = ()) -> Judgment:
    """Return a label of a passage of the old text."""
    return label(OLD, at(OLD, quote), relevance, evidence=[at(OLD, each) for each in evidence])


def after(
    row: Judgment, new: Document, *spans: Span, previous: Sequence[Document] = (OLD,)
) -> Reanchored:
    """Return what becomes of a label in a new text, which is one chunk or is cut at `spans`."""
    live = snapshot(*cut(new, "new", *(spans or [(0, len(new.text))])))
    return reanchor([row], live, [new], previous=previous)


def anchor_of(result: Reanchored) -> Anchor:
    """Return the anchor of the first row."""
    anchor = result.judgments[0].anchor
    assert anchor is not None
    return anchor


def test_a_judged_text_moves_with_an_edit_elsewhere() -> None:
    """A passage that still stands gets its new span; its evidence gets new spans and context."""
    row = judged(f"{ANNUAL}\n\n{MONTHLY}", evidence=[WITHIN_30_DAYS])
    result = after(row, NEW, (0, 100), (76, 207))
    assert (Resolution(0, "q1", "RE_ANCHORABLE", "DIFF", target="new1"),) == result.resolutions
    start, end = at(NEW, WITHIN_30_DAYS)
    expected = Anchor(
        doc_sha=text_sha(NEW.text),
        doc_revision=text_sha(NEW.text),
        span=at(NEW, f"{ANNUAL}\n\n{MONTHLY}"),
        evidence=(
            Evidence(
                span=(start, end),
                exact=WITHIN_30_DAYS,
                prefix=NEW.text[start - 48 : start],
                suffix=NEW.text[end : end + 48],
                sha=text_sha(WITHIN_30_DAYS),
            ),
        ),
    )
    moved = replace(row, chunk_id="new1", corpus_fingerprint="live", anchor=expected)
    assert (moved,) == result.judgments


def test_context_that_was_not_stored_stays_away() -> None:
    """A quote without text and context moves by its hash and gets neither."""
    row = judged(ANNUAL, evidence=[WITHIN_30_DAYS])
    assert row.anchor is not None
    hashed = Evidence(span=at(OLD, WITHIN_30_DAYS), sha=text_sha(WITHIN_30_DAYS))
    row = replace(row, anchor=replace(row.anchor, evidence=(hashed,)))
    expected = replace(hashed, span=at(NEW, WITHIN_30_DAYS))
    assert (expected,) == anchor_of(after(row, NEW)).evidence


def test_an_old_span_is_not_trusted_in_an_edited_document() -> None:
    """A chunk at the offsets of old is no holder where the text has moved on."""
    row = judged(ANNUAL)
    result = after(row, NEW, at(OLD, ANNUAL), at(NEW, ANNUAL))
    assert [("DIFF", "new1")] == [(r.rule, r.target) for r in result.resolutions]


def test_a_moved_text_may_straddle() -> None:
    """A text that lives in no single chunk straddles; it gets its new span and no other holders."""
    row = judged(ANNUAL)
    assert row.anchor is not None
    row = replace(row, anchor=replace(row.anchor, also=("old1",)))
    start, end = at(NEW, ANNUAL)
    result = after(row, NEW, (0, start + 16), (start + 16, len(NEW.text)))
    # 16 and 48 of 64 code points.
    expected = Resolution(
        row=0,
        query_id="q1",
        status="ORPHANED",
        rule="STRADDLE",
        reason="NO_HOLDER",
        candidates=(Candidate("new1", 0.75, 0.75), Candidate("new0", 0.25, 0.25)),
    )
    assert (expected,) == result.resolutions
    sha = text_sha(NEW.text)
    moved = replace(row, anchor=Anchor(doc_sha=sha, doc_revision=sha, span=(start, end)))
    assert (moved,) == result.judgments


def test_evidence_outlives_an_edit_of_the_judged_text() -> None:
    """The passage was edited, its evidence was not: the span is what is left of it."""
    row = judged(OLD.text, evidence=[ANNUAL])
    new = document(OLD.text.replace("each month", "each quarter"))
    result = after(row, new)
    assert [("DIFF", "new0")] == [(r.rule, r.target) for r in result.resolutions]
    assert at(new, ANNUAL) == anchor_of(result).span
    assert OLD.text == result.judgments[0].chunk_text
    # It is at rest there, and goes on from there.
    assert result.judgments == after(result.judgments[0], new).judgments
    newer = document(f"Refunds\n\n{new.text}")
    further = after(result.judgments[0], newer, previous=[new])
    assert at(newer, ANNUAL) == anchor_of(further).span


def test_all_evidence_has_to_be_followed() -> None:
    """A quote that was edited is not dropped silently, whatever the others prove."""
    row = judged(OLD.text, evidence=[ANNUAL, PARTNERS])
    result = after(row, document(OLD.text.replace("from partners", "from resellers")))
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]
    assert (row,) == result.judgments


def test_a_suggestion_does_not_outlive_an_edit() -> None:
    """Evidence that a machine proposed proves nothing: the whole judged text has to stand."""
    row = judged(OLD.text, evidence=[ANNUAL])
    assert row.anchor is not None
    row = replace(row, anchor=replace(row.anchor, by="suggested:model"))
    result = after(row, document(OLD.text.replace("each month", "each quarter")))
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


def test_a_zero_needs_its_whole_text() -> None:
    """What makes a text that was judged 0 look relevant does not carry the zero."""
    row = judged(OLD.text, 0, evidence=[ANNUAL])
    result = after(row, document(OLD.text.replace("each month", "each quarter")))
    assert (Resolution(0, "q1", "ORPHANED", "HELD", reason="EDITED"),) == result.resolutions
    assert (row,) == result.judgments


def test_quotes_are_kept_as_they_were_recorded() -> None:
    """Folded text agrees with a quote; the quote stays what the person saw, its context is new."""
    curly = OLD.text.replace("30 days of", "30\u00a0days of").replace("Annual", "*Annual*")
    row = judged(ANNUAL, evidence=[ANNUAL])
    assert row.anchor is not None
    result = after(row, document(f"Refunds\n\n{curly}"))
    evidence = anchor_of(result).evidence[0]
    assert "DIFF" == result.resolutions[0].rule
    assert (ANNUAL, row.anchor.evidence[0].sha) == (evidence.exact, evidence.sha)
    found = f"Refunds\n\n{curly}"[slice(*evidence.span)]
    assert ANNUAL.replace("30 ", "30\u00a0").replace("Annual", "*Annual*") == found
    assert result.judgments == after(result.judgments[0], document(f"Refunds\n\n{curly}")).judgments


def test_a_hash_is_no_folded_text() -> None:
    """A label that has only the hash of its text is followed where the text is verbatim."""
    row = replace(judged(ANNUAL), chunk_text=None)
    assert "DIFF" == after(row, NEW).resolutions[0].rule
    folded = document(NEW.text.replace("30 days", "30\u00a0days"))
    assert ("REVIEW", "EDITED") == (
        after(row, folded).resolutions[0].rule,
        after(row, folded).resolutions[0].reason,
    )


def test_a_block_that_moved() -> None:
    """A passage that went elsewhere with what stands around it."""
    new = document(
        f"{MONTHLY}\n\n{PARTNERS} It never did, and never will.\n\n{INVOICES}\n\n{ANNUAL}"
    )
    rules = [after(judged(quote), new).resolutions[0].rule for quote in (ANNUAL, MONTHLY)]
    assert ["DIFF", "MOVED"] == sorted(rules)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("30 days", "14 days"), "EDITED"),
        (("Annual", "Biannual"), "EDITED"),
        (("Annual plans", "annual plans"), "EDITED"),
        ((f"{ANNUAL}\n\n", ""), "EDITED"),
        ((f"{ANNUAL}\n\n{MONTHLY}", f"{ANNUAL}\n\n{ANNUAL}"), "COPIES"),
        ((ANNUAL, f"It is no longer true that: {ANNUAL}"), "CONTEXT_CHANGED"),
    ],
    ids=["number", "word", "case", "gone", "copies", "taken-back"],
)
def test_an_edited_text_goes_to_a_person(change: tuple[str, str], reason: str) -> None:
    """What is not beyond doubt keeps its row, and the reason says what is in doubt."""
    row = judged(ANNUAL, evidence=[ANNUAL])
    result = after(row, document(OLD.text.replace(*change)))
    assert [("REVIEW", reason, None)] == [(r.rule, r.reason, r.target) for r in result.resolutions]
    assert (row,) == result.judgments


def test_without_the_old_text_the_label_speaks_for_itself() -> None:
    """LOCAL: the judged text holds the evidence and its surroundings."""
    row = judged(OLD.text, evidence=[ANNUAL])
    new = document(f"Refunds\n\n{OLD.text.replace('from partners', 'from resellers')}")
    other = document("Another revision.")
    for previous in ([], [new], [other], [replace(OLD, doc_uri="handbook://other.md")]):
        result = after(row, new, previous=previous)
        assert [("LOCAL", "new0")] == [(r.rule, r.target) for r in result.resolutions]
        assert at(new, ANNUAL) == anchor_of(result).evidence[0].span
    short = after(judged(ANNUAL), new, previous=[])
    assert [("REVIEW", "COPIES")] == [(r.rule, r.reason) for r in short.resolutions]
    nothing = after(replace(row, chunk_text=None), new, previous=[])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in nothing.resolutions]


def test_recorded_surroundings_help_at_the_edge_of_the_judged_text() -> None:
    """The prefix and the suffix of a quote tell of the text before and after the judged one."""
    row = judged(f"{INVOICES}\n\n{ANNUAL}", evidence=[ANNUAL])
    assert "LOCAL" == after(row, NEW, previous=[]).resolutions[0].rule
    assert row.anchor is not None
    alone = replace(row.anchor.evidence[0], prefix=None, suffix=None)
    row = replace(row, anchor=replace(row.anchor, evidence=(alone,)))
    assert "COPIES" == after(row, NEW, previous=[]).resolutions[0].reason


def test_the_old_text_is_found_by_its_hash() -> None:
    """Of several old texts of a document, the one that the spans count in is asked."""
    older = document("Annual plans were never refunded.")
    for previous in ([older, OLD], [OLD, older]):
        result = after(judged(ANNUAL), NEW, previous=previous)
        assert ["DIFF"] == [r.rule for r in result.resolutions]


def test_a_label_that_contradicts_its_old_text_is_not_followed() -> None:
    """The span in the old text must hold the judged text, or the span means nothing."""
    row = replace(judged(ANNUAL), chunk_text=MONTHLY)
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in after(row, NEW).resolutions]


def test_evidence_outside_the_judged_text_is_not_followed() -> None:
    """A quote that is no part of the judged text does not move with it."""
    row = judged(ANNUAL, evidence=[MONTHLY])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in after(row, NEW).resolutions]


def test_a_short_text_without_an_anchor_is_placed() -> None:
    """No least length and no old text is asked of a text whose span was never recorded."""
    assert ["CONTAINED"] == [r.rule for r in after(bare("first working day", 1), NEW).resolutions]


def test_a_zero_moves_with_its_whole_text() -> None:
    """A zero whose text stands takes the chunk that is just that text, and no larger."""
    zero = judged(ANNUAL, 0)
    alone = after(zero, NEW, (0, 7), at(NEW, ANNUAL), at(NEW, MONTHLY))
    assert (Resolution(0, "q1", "RE_ANCHORABLE", "DIFF", target="new1"),) == alone.resolutions
    larger = after(zero, NEW)
    assert (Resolution(0, "q1", "MERGED", "HELD", reason="ZERO"),) == larger.resolutions
    assert [("old0", "then")] == [(j.chunk_id, j.corpus_fingerprint) for j in larger.judgments]
    start, end = at(NEW, ANNUAL)
    cut_up = after(zero, NEW, (0, start), (start, start + 20), (start + 20, end), (end, end + 9))
    assert (
        Resolution(0, "q1", "SPLIT", "INHERIT_ZERO", target="new1", also=("new2",)),
    ) == cut_up.resolutions
    assert ("new2",) == anchor_of(cut_up).also


def test_a_live_chunk_outlives_an_edit_of_its_document() -> None:
    """A label that cannot be placed stays where its live chunk holds the very text judged."""
    row = replace(judged(MONTHLY, 2), chunk_id="new0")
    new = document(f"Everything else is new. {MONTHLY} So is what follows.")
    result = after(row, new, at(new, MONTHLY))
    assert (Resolution(0, "q1", "VALID", "SAME", target="new0"),) == result.resolutions


@pytest.mark.parametrize(("relevance", "rule"), [(2, "REVIEW"), (0, "HELD")])
def test_a_document_that_is_gone_leaves_its_labels_to_a_person(relevance: int, rule: str) -> None:
    """A twin elsewhere is no place without the text of then: it is only shown."""
    twin = document(OLD.text, uri="handbook://renamed.md")
    row = judged(ANNUAL, relevance)
    result = reanchor([row], snapshot(*cut(twin, "new", at(twin, ANNUAL))), [twin])
    candidates = (Candidate("new0", 1.0, 1.0),) if relevance else ()
    assert (
        Resolution(0, "q1", "RE_ANCHORABLE", rule, reason="CROSS_DOC", candidates=candidates),
    ) == result.resolutions
    assert (row,) == result.judgments


@pytest.mark.parametrize(("relevance", "rule"), [(2, "GONE"), (0, "HELD")])
def test_what_stands_nowhere_is_gone(relevance: int, rule: str) -> None:
    """A positive of a missing document is GONE where no other one has its words, a zero waits."""
    other = document("Something else altogether, of quite other words.", uri="handbook://x.md")
    row = judged(ANNUAL, relevance)
    result = reanchor([row], snapshot(*cut(other, "new", (0, 20))), [other], previous=[OLD])
    assert [(rule, "DOCUMENT_GONE")] == [(r.rule, r.reason) for r in result.resolutions]
    assert (row,) == result.judgments


@pytest.mark.parametrize(("relevance", "rule"), [(2, "GONE"), (0, "HELD")])
def test_a_label_of_a_whole_document_goes_with_it(relevance: int, rule: str) -> None:
    """A label without chunk and text has nothing left when its document is gone."""
    whole = bare(None, relevance, chunk_id=None, uri="handbook://gone.md")
    result = after(whole, NEW)
    assert (Resolution(0, "q1", "ORPHANED", rule, reason="DOCUMENT_GONE"),) == result.resolutions
    assert (whole,) == result.judgments


def test_a_renamed_document_takes_its_labels_along() -> None:
    """The document is gone, and one other has its text: labels follow, with the new `doc_uri`."""
    new = document(f"Refunds\n\n{OLD.text}", uri="handbook://renamed.md")
    whole = bare(None, 1, chunk_id=None, query_id="q2")
    rows = [
        judged(ANNUAL, evidence=[WITHIN_30_DAYS]),
        whole,
        replace(judged(MONTHLY, 0), chunk_id="old1"),
    ]
    live = snapshot(*cut(new, "new", (0, len(new.text)), at(new, MONTHLY)))
    result = reanchor(rows, live, [new], previous=[OLD])
    assert [("DIFF", "new0"), ("MOVED", None), ("DIFF", "new1")] == [
        (r.rule, r.target) for r in result.resolutions
    ]
    assert {"handbook://renamed.md"} == {row.doc_uri for row in result.judgments}
    same = document(OLD.text, uri="handbook://renamed.md")
    exact = reanchor(rows[:1], snapshot(*cut(same, "new", (0, 200))), [same], previous=[OLD])
    assert ["INTERVAL"] == [r.rule for r in exact.resolutions]


def test_a_label_that_is_not_followed_keeps_the_name_of_its_document() -> None:
    """The rename is clear and the passage was edited: a person decides about the row as it was."""
    text = OLD.text.replace("30 days", "14 days")
    new = document(f"{text}\n\n{OLD.text.replace(ANNUAL, '')}", uri="handbook://renamed.md")
    row = judged(ANNUAL, evidence=[WITHIN_30_DAYS])
    result = reanchor([row], snapshot(*cut(new, "new", (0, 200))), [new], previous=[OLD])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]
    assert (row,) == result.judgments


def test_an_old_text_of_the_same_revision_name_counts_as_edited() -> None:
    """The hash of the text decides whether a document was edited, not its revision."""
    new = document(OLD.text.replace("30 days", "14 days"))
    result = after(judged(ANNUAL), replace(new, doc_revision=OLD.doc_revision))
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]
    renamed = replace(OLD, doc_revision="r8")
    assert [("CONTAINED", None)] == [
        (r.rule, r.reason) for r in after(judged(ANNUAL), renamed).resolutions
    ]


def test_a_chunk_of_another_text_holds_nothing() -> None:
    """A snapshot that was not cut from these documents cannot place a label."""
    other = document("Nothing of this stands in the handbook, whatever its offsets say. " * 4)
    live = snapshot(*cut(other, "new", (0, 200)))
    result = reanchor([judged(ANNUAL)], live, [OLD])
    assert ["STRADDLE"] == [r.rule for r in result.resolutions]
