"""What holds of every re-anchoring, on generated documents, chunkings and labels."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evergold.identity import normalize, text_sha
from evergold.labels.absorb import separate
from evergold.labels.drift import drift
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.labels.rules import RESOLVED
from evergold.labels.validate import validate
from evergold.model import Chunk, Judgment, Resolution, Snapshot, Span
from tests.properties.generated import Golden, chunkings, chunks_at, golden_sets

PROPERTY = settings(
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
_TOKEN = re.compile(r"[一-龠ぁ-ん]|\d+(?:[.,]\d+)*|[^\W一-龠ぁ-ん]+|\s|[^\w\s]")


def _reanchored(golden: Golden) -> Reanchored:
    return reanchor(golden.labels, golden.live, golden.present, previous=golden.judged)


@PROPERTY
@given(golden=st.booleans().flatmap(lambda reused: golden_sets(edits=True, reused_ids=reused)))
def test_no_label_stands_where_it_is_not_proved(golden: Golden) -> None:
    """A look at every chunk confirms each place: held in place, tightest, and else not moved."""
    result = _reanchored(golden)
    for before, after, resolution in zip(
        result.labels, separate(result.judgments), result.resolutions, strict=True
    ):
        if resolution.rule not in RESOLVED:
            assert resolution.target is None
            assert (before.chunk_id, before.corpus_fingerprint) == (
                after.chunk_id,
                after.corpus_fingerprint,
            )
            if resolution.rule == "STRADDLE":
                assert [] == _holding(after, golden)
            continue
        assert resolution.target == after.chunk_id
        target = next(c for c in golden.live.chunks if c.chunk_id == after.chunk_id)
        assert after.doc_uri == target.doc_uri
        if not _is_placed(after, golden):  # on its live chunk, in an edited document
            assert ("SAME", before.chunk_id) == (resolution.rule, after.chunk_id)
            assert normalize(before.chunk_text or "") == normalize(target.text)
            continue
        _check_place(before, after, golden)
        if after.relevance == 0:
            _check_zero(after, resolution, golden)
        else:
            _check_target(after, resolution, golden)


def _check_zero(after: Judgment, resolution: Resolution, golden: Golden) -> None:
    """Check that a zero stands on the chunk of its text, else on all chunks inside it."""
    assert after.anchor is not None
    assert after.anchor.span is not None
    start, end = after.anchor.span
    places = {
        chunk.chunk_id: _without_space(chunk)
        for chunk in golden.live.chunks
        if chunk.doc_uri == after.doc_uri and chunk.text.strip()
    }
    if resolution.rule == "INHERIT_ZERO":
        inside = [each for each, place in places.items() if start <= place[0] and place[1] <= end]
        assert (start, end) not in places.values()
        assert inside == [after.chunk_id, *resolution.also]
    else:
        assert resolution.rule == "SAME" or (start, end) == places[after.chunk_id or ""]
        assert () == resolution.also


def _is_placed(judgment: Judgment, golden: Golden) -> bool:
    anchor = judgment.anchor
    return anchor is not None and anchor.doc_sha == text_sha(_text(judgment, golden))


def _check_place(before: Judgment, after: Judgment, golden: Golden) -> None:
    """Check that the span holds what was judged, and that no other place could be meant."""
    text, judged = _text(after, golden), normalize(before.chunk_text or "")
    assert after.anchor is not None
    assert after.anchor.span is not None
    held = normalize(text[slice(*after.anchor.span)])
    for quote in after.anchor.evidence:
        assert after.anchor.span[0] <= quote.span[0] < quote.span[1] <= after.anchor.span[1]
        assert quote.exact is not None
        assert quote.exact.split() == text[slice(*quote.span)].split()
    if before.anchor is None:
        assert judged == held
        assert before.chunk_id == after.chunk_id or len(_places(text, judged)) == 1
    elif before.anchor.doc_sha != after.anchor.doc_sha:
        # Either all of what was judged stands there, or every quote of a positive label does.
        quoted = after.relevance > 0 and after.anchor.evidence and not _suggested(after)
        assert judged.split() == held.split() or quoted
    else:
        assert judged == held
        assert before.anchor.span == after.anchor.span


def _suggested(judgment: Judgment) -> bool:
    by = judgment.anchor.by if judgment.anchor else None
    return by is not None and by.startswith("suggested:")


def _check_target(after: Judgment, resolution: Resolution, golden: Golden) -> None:
    """Check that the target holds what is required: the judged chunk, else the tightest."""
    holding = _holding(after, golden)
    assert after.chunk_id in [chunk.chunk_id for chunk in holding]
    if resolution.rule != "SAME":
        assert after.anchor is not None
        judged_on = [c for c in holding if _without_space(c) == after.anchor.span]
        tightest = min(judged_on or holding, key=lambda c: (len(c.text), c.ordinal))
        assert tightest.chunk_id == after.chunk_id
    others = tuple(chunk.chunk_id for chunk in holding if chunk.chunk_id != after.chunk_id)
    assert others == resolution.also


def _without_space(chunk: Chunk) -> Span:
    """Return the interval of what a chunk says, without white space around it."""
    start = (chunk.start or 0) + len(chunk.text) - len(chunk.text.lstrip())
    return start, start + len(chunk.text.strip())


def _holding(judgment: Judgment, golden: Golden) -> list[Chunk]:
    """Return every chunk, by ordinal, with what a positive requires, at its very offsets."""
    text, anchor = _text(judgment, golden), judgment.anchor
    assert anchor is not None
    assert anchor.span is not None
    quotes = [quote.span for quote in anchor.evidence]
    if _suggested(judgment) or not quotes:
        quotes = [anchor.span]
    enough = all if anchor.evidence_rule == "all" else any
    return [
        chunk
        for chunk in golden.live.chunks
        if chunk.doc_uri == judgment.doc_uri
        and enough(_holds(chunk, quote, text) for quote in quotes)
    ]


def _holds(chunk: Chunk, quote: Span, text: str) -> bool:
    first = quote[0] - (chunk.start or 0)
    last = quote[1] - (chunk.start or 0)
    return first >= 0 and chunk.text[first:last] == text[slice(*quote)]


def _places(text: str, quote: str) -> list[int]:
    """Return where `quote` stands in `text` as whole tokens, found token by token."""
    borders = {match.start() for match in _TOKEN.finditer(text)} | {len(text)}
    return [
        start
        for start in borders
        if text.startswith(quote, start) and start + len(quote) in borders
    ]


def _text(judgment: Judgment, golden: Golden) -> str:
    return next(d.text for d in golden.present if d.doc_uri == judgment.doc_uri)


@PROPERTY
@given(golden=golden_sets(edits=True, reused_ids=True, least_relevance=1))
def test_only_place_and_fingerprint_change(golden: Golden) -> None:
    """Relevance, query, text, hash, provenance and kind of evidence come out as they went in."""
    after = separate(_reanchored(golden).judgments)
    for old, new in zip(golden.labels, after, strict=True):
        assert old == replace(
            new,
            chunk_id=old.chunk_id,
            corpus_fingerprint=old.corpus_fingerprint,
            anchor=old.anchor,
        )
        if old.anchor is not None:
            assert new.anchor is not None
            assert (old.anchor.by, old.anchor.evidence_rule, old.anchor.complete) == (
                new.anchor.by,
                new.anchor.evidence_rule,
                new.anchor.complete,
            )
            assert [quote.sha for quote in old.anchor.evidence] == [
                quote.sha for quote in new.anchor.evidence
            ]


@PROPERTY
@given(golden=st.booleans().flatmap(lambda reused: golden_sets(edits=True, reused_ids=reused)))
def test_a_sound_set_stays_sound(golden: Golden) -> None:
    """What `validate` accepts before re-anchoring it accepts afterwards."""
    before = {issue for issue in validate(golden.labels) if issue.severity == "error"}
    after = {
        issue for issue in validate(_reanchored(golden).judgments) if issue.severity == "error"
    }
    assert before == after


@PROPERTY
@given(golden=st.booleans().flatmap(lambda reused: golden_sets(edits=True, reused_ids=reused)))
def test_a_second_re_anchoring_changes_nothing(golden: Golden) -> None:
    """Re-anchored labels are at rest: the same snapshot gives the same rows and the same rules."""
    once = _reanchored(golden)
    twice = reanchor(once.judgments, golden.live, golden.present, previous=golden.judged)
    assert once.judgments == twice.judgments
    assert [(r.rule in RESOLVED, r.target) for r in once.resolutions] == [
        (r.rule in RESOLVED, r.target) for r in twice.resolutions
    ]


@PROPERTY
@given(golden=golden_sets(edits=True))
def test_findings_given_or_computed_give_the_same(golden: Golden) -> None:
    """The findings of `drift` may be handed in; statuses and rows are those computed inside."""
    findings = drift(golden.labels, golden.live).findings
    given_in = reanchor(
        golden.labels, golden.live, golden.present, findings, previous=golden.judged
    )
    assert _reanchored(golden) == given_in
    assert [finding.status for finding in findings] == [r.status for r in given_in.resolutions]


@PROPERTY
@given(golden=golden_sets(edits=True, distinct_queries=True), data=st.data())
def test_permuted_rows_come_out_permuted(golden: Golden, data: st.DataObject) -> None:
    """Where nothing meets, every row is decided by itself, whatever stands around it."""
    order = data.draw(st.permutations(range(len(golden.labels))))
    straight = _reanchored(golden)
    permuted = _reanchored(replace(golden, labels=tuple(golden.labels[row] for row in order)))
    assert tuple(straight.judgments[row] for row in order) == permuted.judgments
    assert [replace(straight.resolutions[row], row=0) for row in order] == [
        replace(resolution, row=0) for resolution in permuted.resolutions
    ]


@PROPERTY
@given(golden=golden_sets(edits=True), data=st.data())
def test_the_order_of_chunks_and_documents_does_not_count(
    golden: Golden, data: st.DataObject
) -> None:
    """A snapshot in another order, with the same ordinals, gives the same rows."""
    shuffled = replace(
        golden,
        live=replace(golden.live, chunks=tuple(data.draw(st.permutations(golden.live.chunks)))),
        present=tuple(data.draw(st.permutations(golden.present))),
        judged=tuple(data.draw(st.permutations(golden.judged))),
    )
    assert _reanchored(golden).judgments == _reanchored(shuffled).judgments


@PROPERTY
@given(golden=golden_sets(least_relevance=1), data=st.data())
def test_a_visit_elsewhere_leaves_no_trace(golden: Golden, data: st.DataObject) -> None:
    """Labels that met on the way stand in the same rows as if they had come straight."""
    labels = tuple(label for label in golden.labels if label.anchor is not None)
    # A label on a live chunk with the judged text would stay there: here each has to move.
    judged = {label.text_sha for label in labels}
    whole = [chunk for d in golden.present for chunk in chunks_at(d, [(0, len(d.text))])]
    chunks = {chunk.chunk_id: chunk for chunk in (*whole, *golden.live.chunks)}
    back = Snapshot(
        "back", "hand", tuple(chunk for chunk in chunks.values() if chunk.text_sha not in judged)
    )
    elsewhere = [chunk for d in golden.present for chunk in data.draw(chunkings(d))]
    direct = reanchor(labels, back, golden.present)
    visited = reanchor(labels, Snapshot("there", "hand", tuple(elsewhere)), golden.present)
    returned = reanchor(visited.judgments, back, golden.present)
    if all(resolution.rule in RESOLVED for resolution in direct.resolutions):
        assert direct.judgments == returned.judgments
