"""Re-anchoring in documents that did not change: every rule and reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.errors import InputError
from evergold.identity import text_sha
from evergold.labels.reanchor import reanchor
from evergold.model import Anchor, Candidate, Resolution
from tests.labels.handbook import bare, cut, document, label, snapshot

# Paragraphs at 0-41, 43-67 and 69-100.
TEXT = (
    "Annual plans are refunded within 30 days.\n\n"
    "Prices exclude shipping.\n\n"
    "Monthly plans are not refunded."
)
REFUNDS = document(TEXT)
ANNUAL, PRICES, MONTHLY = (0, 41), (43, 67), (69, 100)
WITHIN_30_DAYS = (26, 40)
EXCLUDE_SHIPPING = (50, 66)
NOT_REFUNDED = (87, 99)


def test_a_label_of_a_whole_document_is_the_same_while_the_document_lives() -> None:
    """A label without chunk and text stays, and takes the fingerprint of the snapshot."""
    whole = bare(None, 2, chunk_id=None)
    result = reanchor([whole], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])
    assert (Resolution(0, "q1", "VALID", "SAME"),) == result.resolutions
    assert (replace(whole, corpus_fingerprint="live"),) == result.judgments


def test_a_positive_on_its_live_chunk_stays_there() -> None:
    """A live chunk is kept although a tighter one holds the evidence; the others go to `also`."""
    judged = label(REFUNDS, (0, 67), 2, chunk_id="new1", evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", ANNUAL, (0, 67), (0, 100)))
    result = reanchor([judged], live, [REFUNDS])
    expected = Resolution(0, "q1", "VALID", "SAME", target="new1", also=("new0", "new2"))
    assert (expected,) == result.resolutions
    assert [("new1", "live")] == [(j.chunk_id, j.corpus_fingerprint) for j in result.judgments]


def test_evidence_takes_a_positive_to_the_tightest_holder() -> None:
    """The shortest chunk that holds the evidence is the target, the others follow by ordinal."""
    judged = label(REFUNDS, ANNUAL, 3, evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", (0, 100), (0, 67), (20, 67), (41, 100)))
    result = reanchor([judged], live, [REFUNDS])
    expected = Resolution(0, "q1", "MERGED", "INTERVAL", target="new2", also=("new0", "new1"))
    assert (expected,) == result.resolutions
    assert ("new2", "live") == (
        result.judgments[0].chunk_id,
        result.judgments[0].corpus_fingerprint,
    )
    assert judged.anchor is not None
    assert replace(judged.anchor, also=("new0", "new1")) == result.judgments[0].anchor


def test_of_two_holders_of_equal_length_the_lower_ordinal_is_taken() -> None:
    """A tie of length is decided by ordinal, whatever the order of the snapshot."""
    judged = label(REFUNDS, ANNUAL, 3, evidence=[WITHIN_30_DAYS])
    first, second = cut(REFUNDS, "new", (10, 60), (20, 70))
    for live in (snapshot(first, second), snapshot(second, first)):
        resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
        assert ("INTERVAL", "new0", ("new1",)) == (
            resolution.rule,
            resolution.target,
            resolution.also,
        )


def test_a_label_comes_back_to_the_chunk_it_was_judged_on() -> None:
    """A chunk that is just the judged text goes before a tighter one that holds the evidence."""
    judged = label(REFUNDS, (0, 67), 2, chunk_id="p0", evidence=[WITHIN_30_DAYS])
    start = snapshot(*cut(REFUNDS, "p", (0, 67), (20, 41), (43, 100)))
    golden = reanchor([judged], start, [REFUNDS]).judgments
    away = reanchor(golden, snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS]).judgments
    back = reanchor(away, start, [REFUNDS])
    assert ["new0"] == [j.chunk_id for j in away]
    assert (
        Resolution(0, "q1", "RE_ANCHORABLE", "INTERVAL", target="p0", also=("p1",)),
    ) == back.resolutions
    assert golden == back.judgments


def test_without_evidence_the_whole_text_must_be_held() -> None:
    """A positive without evidence moves to the tightest chunk with all of its text."""
    judged = label(REFUNDS, PRICES, 1)
    live = snapshot(*cut(REFUNDS, "new", (0, 66), (0, 100), (41, 100)))
    result = reanchor([judged], live, [REFUNDS])
    expected = Resolution(0, "q1", "MERGED", "CONTAINED", target="new2", also=("new1",))
    assert (expected,) == result.resolutions


def test_a_holder_may_begin_and_end_with_the_evidence() -> None:
    """A chunk whose borders are those of the evidence holds it."""
    judged = label(REFUNDS, ANNUAL, 3, evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", (0, 26), (26, 40), (40, 100)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ("SPLIT", "INTERVAL", "new1", ()) == (
        resolution.status,
        resolution.rule,
        resolution.target,
        resolution.also,
    )


def test_a_border_through_the_evidence_is_a_straddle() -> None:
    """A positive that no chunk holds keeps its row; its pieces are candidates by coverage."""
    judged = label(REFUNDS, (0, 67), 3, evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", (0, 30), (30, 67), (67, 100)))
    result = reanchor([judged], live, [REFUNDS])
    # Evidence of 14 code points: 4 and 10 of them; text of 67: 30 and 37.
    expected = Resolution(
        row=0,
        query_id="q1",
        status="SPLIT",
        rule="STRADDLE",
        reason="NO_HOLDER",
        candidates=(Candidate("new1", 0.7143, 0.5522), Candidate("new0", 0.2857, 0.4478)),
    )
    assert (expected,) == result.resolutions
    assert (judged,) == result.judgments


def test_one_missing_character_makes_a_straddle() -> None:
    """No share of coverage, however large, moves a label."""
    judged = label(REFUNDS, ANNUAL, 3, evidence=[(0, 41)])
    live = snapshot(*cut(REFUNDS, "new", (0, 40), (40, 100)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ("STRADDLE", None) == (resolution.rule, resolution.target)
    assert Candidate("new0", 0.9756, 0.9756) == resolution.candidates[0]


def test_any_one_quote_suffices_by_default() -> None:
    """With the rule `any`, the tightest chunk that holds one of the quotes is the target."""
    judged = label(REFUNDS, (0, 67), 3, evidence=[WITHIN_30_DAYS, EXCLUDE_SHIPPING])
    live = snapshot(*cut(REFUNDS, "new", (0, 75), (20, 41), (43, 67), (67, 100)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ("INTERVAL", "new1", ("new0", "new2")) == (
        resolution.rule,
        resolution.target,
        resolution.also,
    )


def test_the_rule_all_demands_every_quote_in_one_chunk() -> None:
    """With the rule `all`, a chunk with one of two quotes is no holder."""
    quotes = [WITHIN_30_DAYS, EXCLUDE_SHIPPING]
    judged = label(REFUNDS, (0, 67), 3, evidence=quotes, rule="all")
    live = snapshot(*cut(REFUNDS, "new", (0, 100), (20, 41), (43, 67), (0, 70)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ("INTERVAL", "new3", ("new0",)) == (
        resolution.rule,
        resolution.target,
        resolution.also,
    )


def test_quotes_that_must_stand_together_and_are_parted_straddle() -> None:
    """With the rule `all`, coverage is the share of all quotes taken together."""
    quotes = [WITHIN_30_DAYS, EXCLUDE_SHIPPING]
    judged = label(REFUNDS, (0, 67), 3, evidence=quotes, rule="all")
    live = snapshot(*cut(REFUNDS, "new", (0, 41), (43, 67)))
    resolution = reanchor([judged], live, [REFUNDS]).resolutions[0]
    assert ("STRADDLE", "NO_HOLDER") == (resolution.rule, resolution.reason)
    # 14 and 16 of 30 code points; 41 and 24 of 67.
    assert (
        Candidate("new1", 0.5333, 0.3582),
        Candidate("new0", 0.4667, 0.6119),
    ) == resolution.candidates


def test_suggested_evidence_proves_nothing() -> None:
    """Evidence that a machine proposed is passed over: the whole text must be held."""
    judged = label(REFUNDS, (0, 67), 3, evidence=[WITHIN_30_DAYS], by="suggested:model")
    parted = snapshot(*cut(REFUNDS, "new", (0, 41), (41, 100)))
    resolution = reanchor([judged], parted, [REFUNDS]).resolutions[0]
    assert ("STRADDLE", "NO_HOLDER") == (resolution.rule, resolution.reason)
    # 41 and 26 of 67 code points of the judged text, which stands for the evidence.
    assert (
        Candidate("new0", 0.6119, 0.6119),
        Candidate("new1", 0.3881, 0.3881),
    ) == resolution.candidates
    joined = snapshot(*cut(REFUNDS, "new", (0, 41), (0, 100)))
    resolution = reanchor([judged], joined, [REFUNDS]).resolutions[0]
    assert ("CONTAINED", "new1") == (resolution.rule, resolution.target)


def test_a_live_id_with_another_text_is_not_the_chunk_of_the_label() -> None:
    """A VALID label whose chunk now holds another text moves to where its evidence stands."""
    judged = label(REFUNDS, ANNUAL, 2, chunk_id="new0", evidence=[WITHIN_30_DAYS])
    live = snapshot(*cut(REFUNDS, "new", (43, 100), (0, 42)))
    result = reanchor([judged], live, [REFUNDS])
    expected = Resolution(0, "q1", "VALID", "INTERVAL", target="new1")
    assert (expected,) == result.resolutions
    assert ["new1"] == [j.chunk_id for j in result.judgments]


def test_a_live_id_of_another_document_is_not_the_chunk_of_the_label() -> None:
    """A chunk id that now names a chunk of another document counts as lost."""
    other = document("Annual plans are refunded within 30 days.", uri="handbook://other.md")
    judged = label(REFUNDS, ANNUAL, 2, chunk_id="other0")
    live = snapshot(*cut(REFUNDS, "new", (0, 100)), *cut(other, "other", (0, 41)))
    resolution = reanchor([judged], live, [REFUNDS, other]).resolutions[0]
    assert ("VALID", "CONTAINED", "new0") == (
        resolution.status,
        resolution.rule,
        resolution.target,
    )


def test_nothing_but_place_and_fingerprint_changes() -> None:
    """A moved label differs from the old one in `chunk_id`, `corpus_fingerprint` and `anchor`."""
    judged = replace(
        label(REFUNDS, ANNUAL, 2, evidence=[WITHIN_30_DAYS], by="human:ana"),
        labeled_at="2024-05-02",
        stratum="refunds",
        notes="read twice",
        need="period",
        extra={"colour": "blue"},
    )
    moved = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS]).judgments[0]
    assert replace(judged, chunk_id="new0", corpus_fingerprint="live") == moved


def test_a_snapshot_without_fingerprint_leaves_that_of_the_label() -> None:
    """A label that moved keeps its old fingerprint where the snapshot has none to give."""
    nameless = replace(snapshot(*cut(REFUNDS, "new", (0, 100))), corpus_fingerprint=None)
    moved = reanchor([label(REFUNDS, ANNUAL, 2)], nameless, [REFUNDS]).judgments[0]
    assert ("new0", "then") == (moved.chunk_id, moved.corpus_fingerprint)


def test_two_rows_with_one_query_and_key_are_refused() -> None:
    """Which of two rows with one key is meant is not for a rule to say."""
    rows = [label(REFUNDS, ANNUAL, 2), label(REFUNDS, PRICES, 1)]
    with pytest.raises(InputError, match=r"^duplicate judgment for query q1 and target old0$"):
        reanchor(rows, snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS])


def test_labels_are_counted_by_rule_in_the_order_of_the_specification() -> None:
    """Every rule is counted, also with 0, resolved ones first."""
    rows = [
        label(REFUNDS, ANNUAL, 2, evidence=[WITHIN_30_DAYS]),
        label(REFUNDS, (43, 100), 1, chunk_id="old1"),
        label(REFUNDS, MONTHLY, 0, chunk_id="old2"),
        bare("not in any document", 1, chunk_id="old3"),
        bare(None, 1, chunk_id=None, uri="handbook://gone.md"),
    ]
    result = reanchor(rows, snapshot(*cut(REFUNDS, "new", (0, 67), (60, 100))), [REFUNDS])
    assert [
        ("SAME", 0),
        ("INTERVAL", 1),
        ("DIFF", 0),
        ("LOCAL", 0),
        ("MOVED", 0),
        ("CONTAINED", 0),
        ("INHERIT_ZERO", 0),
        ("HELD", 1),
        ("STRADDLE", 1),
        ("REVIEW", 1),
        ("GONE", 1),
    ] == list(result.counts.items())


def test_an_anchor_keeps_what_this_version_does_not_know() -> None:
    """Unknown keys, `complete` and `by` of an anchor survive a move."""
    judged = replace(
        label(REFUNDS, ANNUAL, 2),
        anchor=Anchor(
            doc_sha=text_sha(TEXT),
            doc_revision="r7",
            span=ANNUAL,
            complete=True,
            by="human:ana",
            extra={"page": 3},
        ),
    )
    moved = reanchor([judged], snapshot(*cut(REFUNDS, "new", (0, 100))), [REFUNDS]).judgments[0]
    assert judged.anchor == moved.anchor
