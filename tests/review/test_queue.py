"""The queue of labels that wait for a person."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from evergold.identity import text_sha
from evergold.labels.drift import CorpusIndex
from evergold.labels.reanchor import reanchor
from evergold.model import Document, Judgment, Snapshot
from evergold.review.queue import review_queue
from tests.labels.handbook import bare, cut, document, label, snapshot

SCHEMA = Path(__file__).resolve().parents[2] / "spec" / "review.schema.json"

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
CUT_IN_TWO = snapshot(*cut(REFUNDS, "new", (0, 30), (30, 100)))
STRADDLING = label(REFUNDS, (0, 67), 3, query_id="q1", evidence=[(26, 40)])


def _queue(
    rows: list[Judgment], live: Snapshot, source: Document, *, with_text: bool = True
) -> list[dict[str, object]]:
    index = CorpusIndex(live)
    result = reanchor(rows, index, [source])
    return review_queue(rows, result, index.by_id, with_text=with_text)


def test_an_item_has_what_a_person_needs_to_decide() -> None:
    """An open label comes with its text, its quotes and the texts of its candidates."""
    assert [
        {
            "row": 0,
            "moves": 1.0,
            "query_id": "q1",
            "query": "the text of q1",
            "doc_uri": "handbook://leave.md",
            "relevance": 3,
            "rule": "STRADDLE",
            "reason": "NO_HOLDER",
            "status": "ORPHANED",
            "judged": "Annual plans are refunded within 30 days.\n\nPrices exclude shipping.",
            "evidence": ["within 30 days"],
            "candidates": [
                {
                    "chunk_id": "new1",
                    "evidence_coverage": 0.7143,
                    "span_coverage": 0.5522,
                    "doc_uri": "handbook://leave.md",
                    "text": "in 30 days.\n\nPrices exclude shipping.\n\nMonthly plans are not refunded.",
                    "diff": [["-", "within "], ["+", "in "], ["=", "30 days"]],
                    "changed": [],
                },
                {
                    "chunk_id": "new0",
                    "evidence_coverage": 0.2857,
                    "span_coverage": 0.4478,
                    "doc_uri": "handbook://leave.md",
                    "text": "Annual plans are refunded with",
                    "diff": [["-", "within 30 days"]],
                    "changed": ["numbers", "units"],
                },
            ],
        }
    ] == _queue([STRADDLING], CUT_IN_TWO, REFUNDS)


def test_resolved_and_held_labels_are_not_asked_about() -> None:
    """Only open labels stand in the queue, a zero never does."""
    rows = [
        label(REFUNDS, (69, 100), 2, query_id="q1"),
        label(REFUNDS, (0, 41), 0, query_id="q2"),
        bare("not there", 0, query_id="q3"),
        bare(None, 0, query_id="q4", chunk_id=None, uri="handbook://gone.md"),
    ]
    assert [] == _queue(rows, CUT_IN_TWO, REFUNDS)


def test_what_moves_a_metric_most_stands_first() -> None:
    """The only label of a query goes before one of two; labels that share a need are one."""
    rows = [
        label(REFUNDS, (0, 41), 3, query_id="two", chunk_id="a"),
        label(REFUNDS, (69, 100), 1, query_id="two", chunk_id="b"),
        replace(label(REFUNDS, (0, 41), 1, query_id="one", chunk_id="a"), need="n"),
        replace(label(REFUNDS, (69, 100), 1, query_id="one", chunk_id="b"), need="n"),
    ]
    assert [(2, 1.0), (0, 0.5)] == [
        (item["row"], item["moves"]) for item in _queue(rows, CUT_IN_TWO, REFUNDS)
    ]


def test_of_equal_labels_higher_grades_stand_first() -> None:
    """Then rows count; a label that is like nothing in the corpus comes last."""
    rows = [
        bare(None, 3, query_id="gone", chunk_id=None, uri="handbook://gone.md"),
        bare("not there", 1, query_id="review-1"),
        bare("not here", 2, query_id="review-2"),
        label(REFUNDS, (0, 41), 1, query_id="straddle-1a"),
        label(REFUNDS, (0, 41), 1, query_id="straddle-1b"),
        label(REFUNDS, (0, 41), 2, query_id="straddle-2"),
    ]
    assert [
        (2, "review-2"),
        (5, "straddle-2"),
        (1, "review-1"),
        (3, "straddle-1a"),
        (4, "straddle-1b"),
        (0, "gone"),
    ] == [(item["row"], item["query_id"]) for item in _queue(rows, CUT_IN_TWO, REFUNDS)]


def test_the_row_of_an_absorbed_label_is_that_of_its_host() -> None:
    """A person looks for the row in the file; the item shows the absorbed label."""
    whole = snapshot(*cut(REFUNDS, "whole", (0, 100)))
    rows = [
        label(REFUNDS, (0, 67), 1, chunk_id="a0", evidence=[(26, 40)]),
        label(REFUNDS, (69, 100), 2, chunk_id="b0"),
    ]
    joined = list(reanchor(rows, whole, [REFUNDS]).judgments)
    assert 1 == len(joined)
    items = _queue(joined, CUT_IN_TWO, REFUNDS)
    assert [(0, 1, ["within 30 days"])] == [
        (item["row"], item["relevance"], item["evidence"]) for item in items
    ]


def test_hashes_stand_where_text_must_not() -> None:
    """Without text, judged text, quotes and candidates are given by their hashes."""
    (item,) = _queue([STRADDLING], CUT_IN_TWO, REFUNDS, with_text=False)
    assert text_sha(REFUNDS.text[0:67]) == item["judged"]
    assert [text_sha("within 30 days")] == item["evidence"]
    candidates = item["candidates"]
    assert isinstance(candidates, list)
    assert [text_sha(REFUNDS.text[30:100]), text_sha(REFUNDS.text[0:30])] == [
        candidate["text"] for candidate in candidates
    ]
    for part in ("Annual", "within", "Prices", "Monthly"):
        assert part not in json.dumps(item)


def test_a_chunk_without_text_is_shown_by_its_hash() -> None:
    """A snapshot may leave texts out; the hash of the chunk is known all the same."""
    live = replace(CUT_IN_TWO, chunks=tuple(replace(c, text="") for c in CUT_IN_TWO.chunks))
    (item,) = _queue([STRADDLING], live, REFUNDS, with_text=False)
    candidates = item["candidates"]
    assert isinstance(candidates, list)
    assert [text_sha(REFUNDS.text[30:100]), text_sha(REFUNDS.text[0:30])] == [
        candidate["text"] for candidate in candidates
    ]


def test_items_agree_with_their_schema() -> None:
    """Every kind of open label, with and without text, is a valid line of the queue."""
    rows = [
        STRADDLING,
        bare("Annual plans take 14 days.", 2, query_id="q2"),
        bare(None, 1, query_id="q3"),
        bare(None, 1, query_id="q4", chunk_id=None, uri="handbook://gone.md"),
    ]
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for with_text in (True, False):
        items = _queue(rows, CUT_IN_TWO, REFUNDS, with_text=with_text)
        assert 4 == len(items)
        assert [] == [error.message for item in items for error in validator.iter_errors(item)]
