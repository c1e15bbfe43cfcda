"""What of a re-anchoring is promoted into the golden set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evergold.labels.accept import Accepted, accept
from evergold.labels.reanchor import reanchor
from evergold.model import Document, Judgment, Snapshot
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
OLD = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)
PARAGRAPHS = snapshot(*cut(OLD, "p", ANNUAL, PRICES, MONTHLY))
WHOLE = snapshot(*cut(OLD, "whole", (0, 100)))
# The same paragraphs behind a new first line of 9 code points.
NEW = document("Refunds\n\n" + OLD.text)
NEW_PARAGRAPHS = snapshot(*cut(NEW, "n", (0, 7), (9, 50), (52, 76), (78, 109)))


def _accepted(
    golden: tuple[Judgment, ...], live: Snapshot, source: Document, **options: Any
) -> Accepted:
    result = reanchor(golden, live, [source], previous=[OLD])
    return accept(golden, result.judgments, result.resolutions, [source], [OLD], **options)


def _golden(*rows: Judgment) -> tuple[Judgment, ...]:
    return reanchor(rows, PARAGRAPHS, [OLD]).judgments


def test_a_visit_to_another_chunking_leaves_no_trace() -> None:
    """Chunk ids are a cache: without a change of a span nothing is promoted."""
    golden = _golden(
        label(OLD, ANNUAL, 2, chunk_id="p0"),
        label(OLD, PRICES, 1, chunk_id="p1"),
        label(OLD, MONTHLY, 0, chunk_id="p2"),
    )
    accepted = _accepted(golden, WHOLE, OLD)
    assert (golden, (OLD,), ()) == (accepted.judgments, accepted.documents, accepted.changes)


def test_chunk_ids_are_promoted_on_request() -> None:
    """With chunk ids, the golden set becomes what re-anchoring wrote, one change for each label."""
    golden = _golden(label(OLD, ANNUAL, 2, chunk_id="p0"), label(OLD, PRICES, 1, chunk_id="p1"))
    accepted = _accepted(golden, WHOLE, OLD, chunk_ids=True)
    assert reanchor(golden, WHOLE, [OLD]).judgments == accepted.judgments
    assert (
        {
            "by": "rule:CONTAINED",
            "action": "reanchored",
            "query_id": "q1",
            "doc_uri": "handbook://leave.md",
            "rule": "CONTAINED",
            "before": {"chunk_id": "p0"},
            "after": {"chunk_id": "whole0"},
        },
        {
            "by": "rule:CONTAINED",
            "action": "reanchored",
            "query_id": "q1",
            "doc_uri": "handbook://leave.md",
            "rule": "CONTAINED",
            "before": {"chunk_id": "p1"},
            "after": {"chunk_id": "whole0"},
        },
    ) == accepted.changes


def test_a_new_span_is_promoted_without_the_chunk_id() -> None:
    """A label of an edited document takes its new place and keeps the chunk it was judged on."""
    golden = _golden(label(OLD, ANNUAL, 2, chunk_id="p0", evidence=[(26, 40)]))
    accepted = _accepted(golden, NEW_PARAGRAPHS, NEW)
    (row,) = accepted.judgments
    assert row.anchor is not None
    assert ("p0", "live", (9, 50), NEW.doc_revision, [(35, 49)]) == (
        row.chunk_id,
        row.corpus_fingerprint,
        row.anchor.span,
        row.anchor.doc_revision,
        [quote.span for quote in row.anchor.evidence],
    )
    assert (
        {
            "by": "rule:DIFF",
            "action": "reanchored",
            "query_id": "q1",
            "doc_uri": "handbook://leave.md",
            "rule": "DIFF",
            "before": {"span": [0, 41], "doc_revision": OLD.doc_revision},
            "after": {"span": [9, 50], "doc_revision": NEW.doc_revision},
        },
    ) == accepted.changes


def test_other_holders_are_kept_as_they_were_judged() -> None:
    """A new place does not bring the other holders of the live chunking along."""
    golden = _golden(label(OLD, ANNUAL, 2, chunk_id="p0"))
    overlapping = snapshot(*cut(NEW, "n", (9, 50), (9, 76)))
    (row,) = _accepted(golden, overlapping, NEW).judgments
    assert row.anchor is not None
    assert () == row.anchor.also


def test_a_first_span_is_an_anchoring() -> None:
    """A label that had no anchor is promoted with its span, as `anchored` from nothing."""
    golden = (bare("Prices exclude shipping.", 1, chunk_id="p1"),)
    accepted = _accepted(golden, PARAGRAPHS, OLD)
    assert accepted.judgments[0].anchor is not None
    assert ("p1", "then", (43, 67)) == (
        accepted.judgments[0].chunk_id,
        accepted.judgments[0].corpus_fingerprint,
        accepted.judgments[0].anchor.span,
    )
    assert [("anchored", {}, {"span": [43, 67], "doc_revision": OLD.doc_revision})] == [
        (change["action"], change["before"], change["after"]) for change in accepted.changes
    ]


def test_labels_that_the_golden_set_holds_as_one_stay_one() -> None:
    """Without chunk ids, a row with absorbed labels keeps them though they parted on the way."""
    golden = reanchor(
        _golden(
            label(OLD, MONTHLY, 3, chunk_id="p2", query_id="q2"),
            label(OLD, ANNUAL, 1, chunk_id="p0"),
            label(OLD, PRICES, 2, chunk_id="p1"),
        ),
        WHOLE,
        [OLD],
    ).judgments
    assert 2 == len(golden)
    assert golden == _accepted(golden, PARAGRAPHS, OLD).judgments
    moved = _accepted(golden, NEW_PARAGRAPHS, NEW).judgments
    assert [
        ("q2", []),
        ("q1", [1]),
    ] == [(j.query_id, [a.row for a in j.anchor.absorbed]) for j in moved if j.anchor]
    assert [(78, 109), (52, 76)] == [j.anchor.span for j in moved if j.anchor]
    assert moved[1].anchor is not None
    guest = moved[1].anchor.absorbed[0].judgment
    assert guest.anchor is not None
    assert ((9, 50), "whole0") == (guest.anchor.span, guest.chunk_id)


def test_rows_may_have_been_deleted_or_put_together() -> None:
    """Guests whose old rows no longer exist, or are claimed twice, stay with their hosts."""
    first, second = (
        reanchor(
            _golden(
                label(OLD, MONTHLY, 1, chunk_id="p2", query_id="other"),
                label(OLD, ANNUAL, 2, chunk_id="p0", query_id=query_id),
                label(OLD, PRICES, 1, chunk_id="p1", query_id=query_id),
            ),
            WHOLE,
            [OLD],
        ).judgments[1]
        for query_id in ("q1", "q2")
    )
    golden = (first, second)
    assert [[2], [2]] == [[a.row for a in j.anchor.absorbed] for j in golden if j.anchor]
    assert golden == _accepted(golden, PARAGRAPHS, OLD).judgments
    assert (first,) == _accepted((first,), PARAGRAPHS, OLD).judgments


def test_the_text_of_every_span_is_kept() -> None:
    """Documents of moved labels are new, those of labels left behind are old, unused ones go."""
    unused = document("Nobody judged this.", uri="handbook://unused.md")
    golden = _golden(
        label(OLD, ANNUAL, 2, chunk_id="p0"),
        label(OLD, MONTHLY, 1, chunk_id="p2"),
    )
    new = document(NEW.text.replace("are not refunded", "may be refunded"))
    live = snapshot(*cut(new, "n", (0, 7), (9, 50), (52, 109)))
    result = reanchor(golden, live, [new, unused], previous=[OLD])
    accepted = accept(golden, result.judgments, result.resolutions, [new, unused], [OLD, unused])
    assert sorted([(new.text, new.doc_uri), (OLD.text, OLD.doc_uri)]) == sorted(
        (kept.text, kept.doc_uri) for kept in accepted.documents
    )
    only_moved = _golden(label(OLD, ANNUAL, 2, chunk_id="p0"))
    assert (NEW,) == _accepted(only_moved, NEW_PARAGRAPHS, NEW).documents


def test_accepting_twice_changes_nothing_the_second_time() -> None:
    """What was promoted is the start of the next run, which has nothing to promote."""
    golden = _golden(label(OLD, ANNUAL, 2, chunk_id="p0"), label(OLD, MONTHLY, 0, chunk_id="p2"))
    once = _accepted(golden, NEW_PARAGRAPHS, NEW).judgments
    twice = _accepted(once, NEW_PARAGRAPHS, NEW)
    assert (once, ()) == (twice.judgments, twice.changes)


def test_labels_of_another_golden_set_are_refused() -> None:
    """Re-anchored labels that are not those of the golden set are never promoted."""
    golden = _golden(label(OLD, ANNUAL, 2, chunk_id="p0"))
    other = tuple(replace(row, query_id="q2") for row in golden)
    result = reanchor(other, WHOLE, [OLD])
    with pytest.raises(ValueError, match=r"^the re-anchored labels are not those of the golden"):
        accept(golden, result.judgments, result.resolutions, [OLD])


def test_a_rename_is_promoted_with_the_labels_that_followed_it() -> None:
    """They get the new `doc_uri`, its text is kept, and the history has both names."""
    new = document(f"Refunds\n\n{OLD.text}", uri="handbook://refunds.md")
    golden = _golden(
        label(OLD, ANNUAL, 2, chunk_id="p0"),
        bare(None, 1, chunk_id=None, query_id="whole"),
    )
    live = snapshot(*cut(new, "n", (0, len(new.text))))
    accepted = _accepted(golden, live, new)
    assert [new.doc_uri] * 2 == [row.doc_uri for row in accepted.judgments]
    assert ["p0", None] == [row.chunk_id for row in accepted.judgments]
    assert (new,) == accepted.documents
    names = {"doc_uri": OLD.doc_uri}, {"doc_uri": new.doc_uri}
    assert [
        (
            "rule:DIFF",
            {"span": [0, 41], "doc_revision": OLD.doc_revision, **names[0]},
            {"span": [9, 50], "doc_revision": new.doc_revision, **names[1]},
        ),
        ("rule:MOVED", *names),
    ] == [(change["by"], change["before"], change["after"]) for change in accepted.changes]
