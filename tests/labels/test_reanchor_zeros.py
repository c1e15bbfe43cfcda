"""Re-anchoring of zeros: a zero never moves to a chunk with more text than was judged."""

from __future__ import annotations

from evergold.labels.reanchor import reanchor
from evergold.model import Resolution
from tests.labels.handbook import cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
REFUNDS = document(
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)


def test_a_zero_never_moves_up() -> None:
    """A zero whose text lies in a larger chunk is held, and its row is untouched."""
    zero = label(REFUNDS, PRICES, 0)
    result = reanchor([zero], snapshot(*cut(REFUNDS, "new", (0, 68), (68, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "MERGED", "HELD", reason="ZERO"),) == result.resolutions
    assert (zero,) == result.judgments


def test_a_zero_moves_to_a_chunk_with_nothing_but_its_text() -> None:
    """A chunk that adds white space only is the same text and takes the zero."""
    zero = label(REFUNDS, PRICES, 0)
    live = snapshot(*cut(REFUNDS, "new", (0, 100), (41, 69), (69, 100)))
    result = reanchor([zero], live, [REFUNDS])
    expected = Resolution(0, "q1", "RE_ANCHORABLE", "CONTAINED", target="new1")
    assert (expected,) == result.resolutions
    assert [("new1", "live", 0)] == [
        (j.chunk_id, j.corpus_fingerprint, j.relevance) for j in result.judgments
    ]


def test_a_zero_on_its_live_chunk_stays() -> None:
    """A zero whose chunk is live is the same; a larger chunk beside it is no other holder."""
    zero = label(REFUNDS, PRICES, 0, chunk_id="new1")
    live = snapshot(*cut(REFUNDS, "new", (0, 100), PRICES))
    result = reanchor([zero], live, [REFUNDS])
    assert (Resolution(0, "q1", "VALID", "SAME", target="new1"),) == result.resolutions


def test_a_zero_that_was_cut_goes_to_its_parts() -> None:
    """The parts of a text judged 0 are 0 as well: the first has the row, the others are named."""
    zero = label(REFUNDS, (0, 67), 0)
    live = snapshot(*cut(REFUNDS, "new", ANNUAL, PRICES, MONTHLY))
    result = reanchor([zero], live, [REFUNDS])
    expected = Resolution(0, "q1", "SPLIT", "INHERIT_ZERO", target="new0", also=("new1",))
    assert (expected,) == result.resolutions
    assert [("new0", 0)] == [(j.chunk_id, j.relevance) for j in result.judgments]
    # Back in the old chunks it stands where it was judged, with nothing else.
    back = reanchor(result.judgments, snapshot(*cut(REFUNDS, "old", (0, 67), MONTHLY)), [REFUNDS])
    assert [("CONTAINED", "old0", ())] == [(r.rule, r.target, r.also) for r in back.resolutions]


def test_a_chunk_that_reaches_out_of_a_text_judged_zero_inherits_nothing() -> None:
    """Only chunks that lie inside the text are parts of it."""
    zero = label(REFUNDS, (0, 67), 0)
    live = snapshot(*cut(REFUNDS, "new", (0, 20), (20, 68), (60, 100)))
    result = reanchor([zero], live, [REFUNDS])
    expected = Resolution(0, "q1", "SPLIT", "INHERIT_ZERO", target="new0", also=("new1",))
    assert (expected,) == result.resolutions
    beyond = snapshot(*cut(REFUNDS, "new", (0, 70), (66, 100)))
    assert ["HELD"] == [r.rule for r in reanchor([zero], beyond, [REFUNDS]).resolutions]


def test_a_zero_on_a_live_id_with_another_text_is_held() -> None:
    """A zero is not kept on a chunk that holds more than was judged, though its id is live."""
    zero = label(REFUNDS, PRICES, 0, chunk_id="new0")
    result = reanchor([zero], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "VALID", "HELD", reason="ZERO"),) == result.resolutions


def test_a_zero_on_a_live_id_of_another_document_is_held() -> None:
    """A twin in another document is no place for a zero, though it bears the id and the text."""
    twin = document("Prices exclude shipping.", uri="handbook://twin.md")
    zero = label(REFUNDS, PRICES, 0, chunk_id="twin0")
    live = snapshot(*cut(REFUNDS, "new", (0, 100)), *cut(twin, "twin", (0, 24)))
    result = reanchor([zero], live, [REFUNDS, twin])
    assert (Resolution(0, "q1", "VALID", "HELD", reason="ZERO"),) == result.resolutions
    assert (zero,) == result.judgments
