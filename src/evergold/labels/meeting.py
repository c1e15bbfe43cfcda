"""Labels of one query at their new places: who may have a key, and who shares one.

`spec/anchors.md`, "Meeting": no label takes a place that a person has to decide about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evergold.labels.place import counted_evidence
from evergold.labels.rules import HELD, RESOLVED, REVIEW, SAME
from evergold.model import Candidate, Chunk, Judgment, Span


class Outcome(NamedTuple):
    """What a rule made of one label: the row after it, and where it stands."""

    judgment: Judgment
    rule: str
    target: Chunk | None = None
    also: tuple[str, ...] = ()
    reason: str | None = None
    candidates: tuple[Candidate, ...] = ()


def settled(labels: Sequence[Judgment], outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes with every label withheld that contradicts another or finds its key taken.

    `labels` are the rows before the rules, `outcomes` what the rules made of them.
    """
    return _with_keys_free(labels, _with_conflicts(labels, outcomes))


def _with_conflicts(labels: Sequence[Judgment], outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Withhold every positive that would move and contradicts a zero of its query, and that zero.

    A text judged 0 has no fragment that is relevant: evidence inside it, or a target that is its
    chunk, contradicts it. People have to agree before a machine goes on.
    """
    spans: dict[tuple[str, str, str | None], list[tuple[Span, int]]] = {}
    keys: dict[tuple[str, str], int] = {}
    for row, outcome in enumerate(outcomes):
        zero = outcome.judgment
        if zero.relevance == 0:
            keys[zero.query_id, zero.key] = row
            if zero.anchor is not None and zero.anchor.span is not None:
                text = (zero.query_id, zero.doc_uri, zero.anchor.doc_sha)
                spans.setdefault(text, []).append((zero.anchor.span, row))
    settled = list(outcomes)
    for row, (label, outcome) in enumerate(zip(labels, outcomes, strict=True)):
        moved, anchor = outcome.judgment, outcome.judgment.anchor
        stays = outcome.rule not in RESOLVED or outcome.rule == SAME
        if stays or not moved.relevance or anchor is None:
            continue
        text = (moved.query_id, moved.doc_uri, anchor.doc_sha)
        required = [item.span for item in counted_evidence(anchor)] or [anchor.span or (0, 0)]
        zeros = [
            zero_row
            for zero, zero_row in spans.get(text, ())
            if any(zero[0] <= quote[0] and quote[1] <= zero[1] for quote in required)
        ]
        if (moved.query_id, moved.key) in keys:
            zeros.append(keys[moved.query_id, moved.key])
        if zeros:
            candidate = Candidate(moved.key, 1.0, 1.0)
            settled[row] = Outcome(label, REVIEW, reason="CONFLICT", candidates=(candidate,))
        for zero_row in zeros:
            if settled[zero_row].rule not in (SAME, HELD):
                settled[zero_row] = Outcome(labels[zero_row], HELD, reason="CONFLICT")
    return settled


def _with_keys_free(labels: Sequence[Judgment], outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Withhold every label that would come to a key which another row of its query has.

    Rows that cannot be placed keep their old key, and an id that is a position may be live again
    for another text. Only positives that are placed share a key: they become one row.
    """
    settled = list(outcomes)
    waiting = True
    while waiting:
        waiting = False
        unplaced = {_key(o) for o in settled if o.rule not in RESOLVED}
        taken = {_key(o) for o, label in zip(settled, labels, strict=True) if not _moves(label, o)}
        positive = {_key(o) for o in settled if o.judgment.relevance}
        for row, (label, outcome) in enumerate(zip(labels, settled, strict=True)):
            if not _moves(label, outcome):
                continue
            key = _key(outcome)
            zero = outcome.judgment.relevance == 0
            if key in unplaced or (zero and (key in taken or key in positive)):
                settled[row] = Outcome(label, HELD if zero else REVIEW, reason="KEY_TAKEN")
                waiting = True
            elif zero:
                taken.add(key)
    return settled


def _moves(label: Judgment, outcome: Outcome) -> bool:
    return outcome.rule in RESOLVED and outcome.judgment.key != label.key


def _key(outcome: Outcome) -> tuple[str, str, str | None]:
    return outcome.judgment.identity


def meetings(outcomes: Sequence[Outcome]) -> dict[int, list[int]]:
    """Return the rows of one query that stand on one chunk, by the row that takes the others in.

    That is the one with the highest grade, the earliest where grades are equal. Rows that were
    one and cannot be placed stay one.
    """
    meeting: dict[tuple[str, str, str | None], list[int]] = {}
    for row, outcome in enumerate(outcomes):
        label = outcome.judgment
        if label.relevance > 0:
            meeting.setdefault(label.identity, []).append(row)
    groups = {}
    for rows in meeting.values():
        host = min(rows, key=lambda row: (-outcomes[row].judgment.relevance, row))
        if len(rows) > 1:
            groups[host] = [row for row in rows if row != host]
    return groups
