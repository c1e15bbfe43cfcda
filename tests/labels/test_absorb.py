"""Labels of one query that meet in one chunk, and what becomes of them when they part."""

from __future__ import annotations

from dataclasses import replace

from evergold.labels.absorb import absorb, expand, separate
from evergold.labels.reanchor import reanchor
from evergold.model import Absorbed, Anchor, Judgment, Resolution
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
PAIRS = snapshot(*cut(REFUNDS, "pair", (0, 67), MONTHLY))
WHOLE = snapshot(*cut(REFUNDS, "whole", (0, 100)))


def _on_paragraphs(*grades: int) -> list[Judgment]:
    """Return labels of one query, judged on the three paragraphs, as `reanchor` leaves them."""
    spans = (ANNUAL, PRICES, MONTHLY)
    rows = [
        label(REFUNDS, span, grade, chunk_id=f"p{place}")
        for place, (span, grade) in enumerate(zip(spans, grades, strict=False))
    ]
    return list(reanchor(rows, PARAGRAPHS, [REFUNDS]).judgments)


def test_the_higher_grade_takes_in_the_lower() -> None:
    """Two labels that meet become the row of the higher grade, the other kept whole inside it."""
    low, high = _on_paragraphs(1, 3)
    result = reanchor([low, high], PAIRS, [REFUNDS])
    moved_low = replace(low, chunk_id="pair0", corpus_fingerprint="live")
    assert high.anchor is not None
    host = replace(
        high,
        chunk_id="pair0",
        corpus_fingerprint="live",
        anchor=replace(high.anchor, absorbed=(Absorbed(0, moved_low),)),
    )
    assert (host,) == result.judgments
    assert (
        Resolution(0, "q1", "MERGED", "CONTAINED", target="pair0"),
        Resolution(1, "q1", "MERGED", "CONTAINED", target="pair0"),
    ) == result.resolutions


def test_of_equal_grades_the_earlier_row_is_the_host() -> None:
    """A tie of grades leaves the first row in place."""
    first, second = _on_paragraphs(2, 2)
    result = reanchor([first, second], PAIRS, [REFUNDS])
    assert [ANNUAL] == [j.anchor.span for j in result.judgments if j.anchor]
    assert [[1]] == [[a.row for a in j.anchor.absorbed] for j in result.judgments if j.anchor]
    swapped = reanchor([second, first], PAIRS, [REFUNDS])
    assert [PRICES] == [j.anchor.span for j in swapped.judgments if j.anchor]


def test_absorbed_labels_stand_in_the_order_of_their_rows() -> None:
    """A host in the middle takes in what stands before and after it, each with its row."""
    rows = _on_paragraphs(1, 3, 2)
    result = reanchor(rows, WHOLE, [REFUNDS])
    assert [(3, [(0, 1), (2, 2)])] == [
        (j.relevance, [(a.row, a.judgment.relevance) for a in j.anchor.absorbed])
        for j in result.judgments
        if j.anchor
    ]


def test_a_host_stays_at_its_own_place() -> None:
    """Rows of other queries keep their order around a row that takes in an earlier one."""
    low, high = _on_paragraphs(1, 3)
    between = label(REFUNDS, MONTHLY, 2, query_id="q2", chunk_id="p2")
    after = label(REFUNDS, PRICES, 1, query_id="q3", chunk_id="p1")
    result = reanchor([low, between, high, after], PAIRS, [REFUNDS])
    assert [
        ("q2", "pair1"),
        ("q1", "pair0"),
        ("q3", "pair0"),
    ] == [(j.query_id, j.chunk_id) for j in result.judgments]


def test_labels_of_several_queries_do_not_meet() -> None:
    """One chunk may bear a label of each query."""
    rows = [
        label(REFUNDS, ANNUAL, 1, query_id="q1"),
        label(REFUNDS, PRICES, 3, query_id="q2"),
    ]
    result = reanchor(rows, WHOLE, [REFUNDS])
    assert [
        ("q1", "whole0"),
        ("q2", "whole0"),
    ] == [(j.query_id, j.chunk_id) for j in result.judgments]


def test_labels_part_again_and_come_back_in_place() -> None:
    """Labels that met, in two steps, stand in their old rows once they have chunks of their own."""
    rows = _on_paragraphs(1, 3, 2)
    other = replace(rows[0], query_id="q2", query="the text of q2")
    start = [rows[0], other, rows[1], rows[2]]
    pairs = reanchor(start, PAIRS, [REFUNDS]).judgments
    assert 3 == len(pairs)
    whole = reanchor(pairs, WHOLE, [REFUNDS]).judgments
    assert 2 == len(whole)
    assert tuple(start) == reanchor(whole, PARAGRAPHS, [REFUNDS]).judgments


def test_some_part_while_others_stay_together() -> None:
    """Of three labels in one row, the one with a key of its own leaves; the others stay."""
    whole = reanchor(_on_paragraphs(1, 3, 2), WHOLE, [REFUNDS]).judgments
    result = reanchor(whole, PAIRS, [REFUNDS])
    assert [("pair0", 3, [0]), ("pair1", 2, [])] == [
        (j.chunk_id, j.relevance, [a.row for a in j.anchor.absorbed])
        for j in result.judgments
        if j.anchor
    ]


def test_an_absorbed_label_absorbs_nothing_itself() -> None:
    """A host that is taken in by a still higher grade leaves its own guests to the new host."""
    pairs = reanchor(_on_paragraphs(1, 2, 3), PAIRS, [REFUNDS]).judgments
    assert [2, 3] == [j.relevance for j in pairs]
    whole = reanchor(pairs, WHOLE, [REFUNDS]).judgments
    assert whole[0].anchor is not None
    assert [(0, 1, ()), (1, 2, ())] == [
        (a.row, a.judgment.relevance, a.judgment.anchor.absorbed)
        for a in whole[0].anchor.absorbed
        if a.judgment.anchor
    ]


def test_labels_of_one_row_that_lose_their_place_stay_one_row() -> None:
    """Two labels that share a row and straddle together keep the key they share, in one row."""
    rows = [
        label(REFUNDS, (0, 67), 2, chunk_id="a0", evidence=[(30, 60)]),
        label(REFUNDS, (0, 100), 1, chunk_id="b0", evidence=[(20, 60)]),
    ]
    joined = reanchor(rows, WHOLE, [REFUNDS]).judgments
    cut_apart = reanchor(joined, PARAGRAPHS, [REFUNDS])
    assert ["STRADDLE", "STRADDLE"] == [r.rule for r in cut_apart.resolutions]
    assert joined == cut_apart.judgments


def test_a_guest_that_loses_its_place_parts_from_its_host() -> None:
    """A guest that straddles keeps the old key, which is its own once the host has moved on."""
    rows = [
        label(REFUNDS, (0, 67), 2, chunk_id="a0", evidence=[(0, 6)]),
        label(REFUNDS, (0, 100), 1, chunk_id="b0", evidence=[(20, 60)]),
    ]
    joined = reanchor(rows, WHOLE, [REFUNDS]).judgments
    parted = reanchor(joined, PARAGRAPHS, [REFUNDS])
    assert [
        ("INTERVAL", "p0"),
        ("STRADDLE", None),
    ] == [(r.rule, r.target) for r in parted.resolutions]
    assert ["p0", "whole0"] == [j.chunk_id for j in parted.judgments]


def test_separate_and_absorb_undo_each_other() -> None:
    """Groups that are folded and put back give the same rows, and the same groups once more."""
    rows = tuple(bare(f"text {n}", 1, chunk_id=f"c{n}") for n in range(5))
    folded = absorb(rows, {1: [0, 4], 3: [2]})
    assert ["c1", "c3"] == [j.chunk_id for j in folded]
    assert rows == separate(folded)
    assert folded == absorb(separate(folded), {1: [0, 4], 3: [2]})


def test_a_row_beyond_the_end_is_the_last() -> None:
    """An absorbed label whose old row no longer exists is put at the end."""
    guest = bare("text 1", 1, chunk_id="c1")
    host = replace(
        bare("text 0", 2, chunk_id="c0"),
        anchor=Anchor(None, None, None, absorbed=(Absorbed(7, guest),)),
    )
    last = bare("text 2", 1, chunk_id="c2")
    assert ["c0", "c2", "c1"] == [j.chunk_id for j in separate([host, last])]


def test_two_guests_of_one_row_are_put_back_in_order_of_appearance() -> None:
    """Both are inserted at their row, one after the other, so the later one stands in front."""
    guests = [Absorbed(1, bare(f"text {n}", 1, chunk_id=f"g{n}")) for n in range(2)]
    hosts = [
        replace(
            bare("host", 2, chunk_id=f"h{n}"),
            anchor=Anchor(None, None, None, absorbed=(guest,)),
        )
        for n, guest in enumerate(guests)
    ]
    assert ["h0", "g1", "g0", "h1"] == [j.chunk_id for j in separate(hosts)]


def test_expand_names_every_label_that_a_row_stands_for() -> None:
    """A row stands for itself first, then for those that it absorbed."""
    low, high = _on_paragraphs(1, 3)
    alone = bare("other", 1, query_id="q2")
    host = reanchor([low, high], PAIRS, [REFUNDS]).judgments[0]
    assert [[3, 1], [1]] == [[j.relevance for j in labels] for labels in expand([host, alone])]
    assert host == expand([host])[0][0]
