"""No two rows of one query come to one key, unless positives meet there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.labels.reanchor import reanchor
from evergold.labels.validate import validate
from evergold.model import Judgment, Resolution
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)
PARAGRAPHS = snapshot(*cut(REFUNDS, "p", ANNUAL, PRICES, MONTHLY))
WHOLE = snapshot(*cut(REFUNDS, "whole", (0, 100)))


def _errors(rows: tuple[Judgment, ...]) -> list[str]:
    return [issue.message for issue in validate(rows) if issue.severity == "error"]


@pytest.mark.parametrize("zero_row", [0, 1])
def test_a_zero_does_not_come_to_the_chunk_of_a_positive(zero_row: int) -> None:
    """A zero with the very text of a positive's live chunk is held, whichever row comes first."""
    rows = [label(REFUNDS, ANNUAL, 2, chunk_id="p0")]
    rows.insert(zero_row, label(REFUNDS, ANNUAL, 0, chunk_id="old9"))
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert (
        Resolution(zero_row, "q1", "RE_ANCHORABLE", "HELD", reason="KEY_TAKEN")
        == result.resolutions[zero_row]
    )
    assert "SAME" == result.resolutions[1 - zero_row].rule
    assert rows[zero_row] == result.judgments[zero_row]
    assert [] == _errors(result.judgments)


def test_a_zero_does_not_come_to_an_id_that_an_open_label_keeps() -> None:
    """An open positive keeps its old id; where that is live again, no zero comes to it."""
    rows = [
        bare("A sentence that is gone.", 2, chunk_id="p1"),
        label(REFUNDS, PRICES, 0, chunk_id="old9"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert [("REVIEW", "NO_PLACE"), ("HELD", "KEY_TAKEN")] == [
        (r.rule, r.reason) for r in result.resolutions
    ]
    assert tuple(rows) == result.judgments


def test_a_positive_does_not_come_to_an_id_that_an_open_label_keeps() -> None:
    """A label without a place says nothing of the chunk that bears its id: no row is shared."""
    rows = [
        bare("A sentence that is gone.", 2, chunk_id="p1"),
        label(REFUNDS, PRICES, 3, chunk_id="old9"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert [("REVIEW", "NO_PLACE"), ("REVIEW", "KEY_TAKEN")] == [
        (r.rule, r.reason) for r in result.resolutions
    ]
    assert tuple(rows) == result.judgments


def test_of_two_zeros_of_one_text_the_first_moves() -> None:
    """Two zeros judged on one text under two chunkings do not become two rows with one key."""
    rows = [
        label(REFUNDS, ANNUAL, 2, chunk_id="old0"),
        label(REFUNDS, PRICES, 0, chunk_id="old1"),
        label(REFUNDS, PRICES, 0, chunk_id="other1"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert [("CONTAINED", None), ("CONTAINED", None), ("HELD", "KEY_TAKEN")] == [
        (r.rule, r.reason) for r in result.resolutions
    ]
    assert ["p0", "p1", "other1"] == [j.chunk_id for j in result.judgments]


@pytest.mark.parametrize("stale_row", [0, 1])
def test_a_zero_does_not_come_to_the_live_chunk_of_a_zero(stale_row: int) -> None:
    """A zero on its live chunk stays there; another one of its text waits."""
    rows = [label(REFUNDS, PRICES, 0, chunk_id="p1")]
    rows.insert(stale_row, label(REFUNDS, PRICES, 0, chunk_id="old1"))
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert ("HELD", "KEY_TAKEN") == (
        result.resolutions[stale_row].rule,
        result.resolutions[stale_row].reason,
    )
    assert "SAME" == result.resolutions[1 - stale_row].rule


def test_labels_of_several_queries_take_no_key_from_each_other() -> None:
    """A key belongs to one query: zeros of two queries move to one chunk."""
    rows = [
        label(REFUNDS, PRICES, 0, chunk_id="old1", query_id="q1"),
        label(REFUNDS, PRICES, 0, chunk_id="old1", query_id="q2"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert ["CONTAINED", "CONTAINED"] == [r.rule for r in result.resolutions]


def test_a_host_is_not_displaced_by_its_own_guest() -> None:
    """Rows that were one stay one where the host keeps its chunk and its guest loses its place."""
    host = label(REFUNDS, ANNUAL, 2, chunk_id="old0")
    guest = label(REFUNDS, MONTHLY, 1, chunk_id="old2")
    joined = reanchor([host, guest], WHOLE, [REFUNDS]).judgments
    edited = document(REFUNDS.text.replace("not refunded", "not returned"))
    # A store whose ids are positions: the id is live, its text is another.
    again = snapshot(*cut(edited, "whole", (0, 100)))
    result = reanchor(joined, again, [edited], previous=[REFUNDS])
    assert [("DIFF", "whole0", None), ("REVIEW", None, "EDITED")] == [
        (r.rule, r.target, r.reason) for r in result.resolutions
    ]
    assert [(2, [1])] == [
        (j.relevance, [a.judgment.relevance for a in j.anchor.absorbed])
        for j in result.judgments
        if j.anchor
    ]


def test_withholding_one_label_withholds_those_that_counted_on_its_leaving() -> None:
    """A label that has to stay keeps its key, so another one cannot come to that either."""
    rows = [
        bare("A sentence that is gone.", 1, chunk_id="p0"),
        replace(label(REFUNDS, ANNUAL, 2), chunk_id="p1"),
        label(REFUNDS, PRICES, 0, chunk_id="old9"),
    ]
    result = reanchor(rows, PARAGRAPHS, [REFUNDS])
    assert [("REVIEW", "NO_PLACE"), ("REVIEW", "KEY_TAKEN"), ("HELD", "KEY_TAKEN")] == [
        (r.rule, r.reason) for r in result.resolutions
    ]
    assert tuple(rows) == result.judgments
