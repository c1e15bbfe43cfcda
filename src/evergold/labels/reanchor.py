"""Give labels their new place, where it can be proved: `spec/anchors.md`.

A positive label moves to the tightest chunk that holds its evidence, or the whole judged text
where no evidence is recorded. A zero never moves to a chunk with more text than was judged.
What cannot be proved keeps its `chunk_id` and goes to a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evergold.errors import InputError
from evergold.identity import text_sha
from evergold.labels.absorb import absorb, separate
from evergold.labels.candidates import by_place, by_words
from evergold.labels.drift import CorpusIndex, drift
from evergold.labels.place import is_cut_from, placed, without_outer_space
from evergold.labels.rules import (
    CONTAINED,
    GONE,
    HELD,
    INTERVAL,
    RESOLVED,
    REVIEW,
    RULES,
    SAME,
    STRADDLE,
)
from evergold.labels.spans import ChunkSpans
from evergold.memory import collector_paused
from evergold.model import (
    Anchor,
    Candidate,
    Chunk,
    Document,
    Evidence,
    Finding,
    Judgment,
    Resolution,
    Snapshot,
    Span,
    Status,
)


@dataclass(frozen=True, slots=True)
class Reanchored:
    """Re-anchored labels, with one resolution for each label of the separated rows."""

    judgments: tuple[Judgment, ...]
    labels: tuple[Judgment, ...]
    resolutions: tuple[Resolution, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of labels that each rule decided."""
        found = Counter(resolution.rule for resolution in self.resolutions)
        return {rule: found[rule] for rule in RULES}


@dataclass(frozen=True, slots=True)
class _Outcome:
    judgment: Judgment
    rule: str
    target: Chunk | None = None
    also: tuple[str, ...] = ()
    reason: str | None = None
    candidates: tuple[Candidate, ...] = ()


@collector_paused()
def reanchor(
    judgments: Sequence[Judgment],
    corpus: Snapshot | CorpusIndex,
    documents: Iterable[Document],
    findings: Sequence[Finding] | None = None,
    previous: Iterable[Document] = (),
) -> Reanchored:
    """Return `judgments` with every label moved that can be, and what was decided for each.

    `findings` are those of `drift` on the same rows; they are computed where absent. `previous`
    are the texts that the labels were judged on: without them no label of an edited document
    moves. Order and
    number of rows stay, except where labels of one query meet in one chunk. Relevance, judged
    text and who judged it never change. Raises `InputError` for two rows of one query and key.
    """
    _refuse_duplicates(judgments)
    index = corpus if isinstance(corpus, CorpusIndex) else CorpusIndex(corpus)
    texts: dict[str, Document] = {}
    for document in documents:
        if texts.setdefault(document.doc_uri, document) is not document:
            raise InputError(f"{document.doc_uri} stands twice among the documents of the corpus")
    labels = separate(judgments)
    statuses = _statuses(judgments, labels, index, findings)
    resolver = _Resolver(index, texts, previous)
    outcomes = [resolver.resolve(label) for label in labels]
    outcomes = _with_keys_free(labels, _with_conflicts(labels, outcomes))
    resolutions = tuple(
        Resolution(
            row=row,
            query_id=outcome.judgment.query_id,
            status=status,
            rule=outcome.rule,
            target=outcome.target.chunk_id if outcome.target else None,
            also=outcome.also,
            reason=outcome.reason,
            candidates=outcome.candidates,
        )
        for row, (outcome, status) in enumerate(zip(outcomes, statuses, strict=True))
    )
    rows = [outcome.judgment for outcome in outcomes]
    return Reanchored(absorb(rows, _meetings(outcomes)), labels, resolutions)


def _refuse_duplicates(judgments: Sequence[Judgment]) -> None:
    seen: set[tuple[str, str, str | None]] = set()
    for judgment in judgments:
        if judgment.identity in seen:
            raise InputError(
                f"duplicate judgment for query {judgment.query_id} and target {judgment.key}"
            )
        seen.add(judgment.identity)


def _statuses(
    judgments: Sequence[Judgment],
    labels: Sequence[Judgment],
    index: CorpusIndex,
    findings: Sequence[Finding] | None,
) -> list[Status]:
    """Return the status of each separated label; findings are of the rows of the file."""
    if findings is None or len(labels) != len(judgments):
        findings = drift(labels, index).findings
    return [finding.status for finding in findings]


class _Resolver:
    def __init__(
        self,
        index: CorpusIndex,
        documents: Mapping[str, Document],
        previous: Iterable[Document],
    ) -> None:
        self._index = index
        self._documents = documents
        self._previous = {(d.doc_uri, text_sha(d.text)): d.text for d in previous}
        self._spans: dict[str, ChunkSpans] = {}
        self._shas: dict[str, str] = {}

    def resolve(self, label: Judgment) -> _Outcome:
        """Return the first rule that applies to one label."""
        document = self._documents.get(label.doc_uri)
        live = self._live_chunk(label)
        reason: str | None = "DOCUMENT_GONE"
        if document is not None:
            if _is_of_document(label):
                return _Outcome(self._stamped(label), SAME)  # a judgment of the whole document
            found, reason = self._placed(label, document, live)
            if found is not None and found.anchor is not None and found.anchor.span is not None:
                if found.relevance == 0:
                    return self._zero(found, found.anchor, found.anchor.span, live, document.text)
                return self._positive(found, found.anchor, found.anchor.span, live, document.text)
        if live is not None:
            return _Outcome(self._stamped(label), SAME, live)
        if label.relevance == 0:
            return _Outcome(label, HELD, reason=reason)
        rule = GONE if document is None else REVIEW
        chunks = self._index.by_document.get(label.doc_uri, [])
        quotes = [item.exact or "" for item in _evidence(label.anchor)]
        candidates = by_words(label.chunk_text or "", quotes, chunks)
        return _Outcome(label, rule, reason=reason, candidates=candidates)

    def _placed(
        self, label: Judgment, document: Document, live: Chunk | None
    ) -> tuple[Judgment | None, str | None]:
        if document.doc_uri not in self._shas:
            self._shas[document.doc_uri] = text_sha(document.text)
        same_text = [
            chunk
            for chunk in self._index.by_sha.get(label.text_sha or "", ())
            if chunk.doc_uri == label.doc_uri
        ]
        judged_on = label.anchor.doc_sha if label.anchor else None
        previous = self._previous.get((label.doc_uri, judged_on or ""))
        sha = self._shas[document.doc_uri]
        return placed(label, document, sha, live, same_text, previous)

    def _positive(
        self, label: Judgment, anchor: Anchor, span: Span, live: Chunk | None, text: str
    ) -> _Outcome:
        evidence = [item.span for item in _evidence(anchor)]
        quotes = evidence or [span]
        holders = self._holders(label.doc_uri, quotes, anchor.evidence_rule)
        if not holders:
            candidates = by_place(self._chunk_spans(label.doc_uri), quotes, span)
            return _Outcome(label, STRADDLE, reason="NO_HOLDER", candidates=candidates)
        if live is not None and any(chunk.chunk_id == live.chunk_id for chunk in holders):
            target, rule = live, SAME
        else:
            # A chunk that is just the judged text goes before a tighter one: the label came from it.
            just = without_outer_space(text, span)
            judged = [chunk for chunk in holders if _place(chunk, text) == just]
            target, rule = (judged or holders)[0], INTERVAL if evidence else CONTAINED
        also = [c for c in holders if c.chunk_id != target.chunk_id]
        return self._moved(label, anchor, rule, target, sorted(also, key=lambda c: c.ordinal))

    def _zero(
        self, label: Judgment, anchor: Anchor, span: Span, live: Chunk | None, text: str
    ) -> _Outcome:
        """Return where a zero stands: only on a chunk that holds just the text that was judged."""
        if live is not None:
            return self._moved(label, anchor, SAME, live, [])
        judged = without_outer_space(text, span)
        for chunk in self._chunk_spans(label.doc_uri).holders(judged):
            if _place(chunk, text) == judged:
                return self._moved(label, anchor, CONTAINED, chunk, [])
        return _Outcome(label, HELD, reason="ZERO")

    def _moved(
        self, label: Judgment, anchor: Anchor, rule: str, target: Chunk, also: Sequence[Chunk]
    ) -> _Outcome:
        others = tuple(chunk.chunk_id for chunk in also)
        moved = replace(
            self._stamped(label), chunk_id=target.chunk_id, anchor=replace(anchor, also=others)
        )
        return _Outcome(moved, rule, target, others)

    def _stamped(self, label: Judgment) -> Judgment:
        fingerprint = self._index.snapshot.corpus_fingerprint
        return replace(label, corpus_fingerprint=fingerprint or label.corpus_fingerprint)

    def _live_chunk(self, label: Judgment) -> Chunk | None:
        """Return the live chunk that the label names, where it holds the very text judged."""
        chunk = self._index.by_id.get(label.chunk_id or "")
        if chunk is None or chunk.doc_uri != label.doc_uri:
            return None
        judged = label.text_sha
        if judged is None and label.chunk_text is not None:
            judged = text_sha(label.chunk_text)
        return chunk if judged is None or judged == chunk.text_sha else None

    def _holders(self, doc_uri: str, quotes: Sequence[Span], rule: str) -> list[Chunk]:
        """Return the chunks that hold any one quote, or all of them, tightest first."""
        spans = self._chunk_spans(doc_uri)
        found = [spans.holders(quote) for quote in quotes]
        by_id = {chunk.chunk_id: chunk for holders in found for chunk in holders}
        if rule == "all":
            common = set.intersection(*({chunk.chunk_id for chunk in holders} for holders in found))
            by_id = {chunk_id: by_id[chunk_id] for chunk_id in common}
        return sorted(by_id.values(), key=lambda c: ((c.end or 0) - (c.start or 0), c.ordinal))

    def _chunk_spans(self, doc_uri: str) -> ChunkSpans:
        if doc_uri not in self._spans:
            document = self._documents.get(doc_uri)
            chunks = self._index.by_document.get(doc_uri, [])
            text = document.text if document else ""
            self._spans[doc_uri] = ChunkSpans([c for c in chunks if is_cut_from(c, text)])
        return self._spans[doc_uri]


def _is_of_document(label: Judgment) -> bool:
    """Return whether a label judges a whole document and no passage of it."""
    passage = (label.chunk_id, label.chunk_text, label.text_sha)
    placed = label.anchor is not None and label.anchor.span is not None
    return passage == (None, None, None) and not placed


def _place(chunk: Chunk, text: str) -> Span:
    """Return the interval of a chunk in its document, without white space at its ends."""
    return without_outer_space(text, (chunk.start or 0, chunk.end or 0))


def _with_conflicts(labels: Sequence[Judgment], outcomes: Sequence[_Outcome]) -> list[_Outcome]:
    """Withhold every positive that would move and contradicts a zero of its query.

    A text judged 0 has no fragment that is relevant: evidence inside it, or a target that is its
    chunk, contradicts it. People have to agree before a machine goes on.
    """
    spans: dict[tuple[str, str, str | None], list[Span]] = {}
    keys = set()
    for outcome in outcomes:
        zero = outcome.judgment
        if zero.relevance == 0:
            keys.add((zero.query_id, zero.key))
            if zero.anchor is not None and zero.anchor.span is not None:
                text = (zero.query_id, zero.doc_uri, zero.anchor.doc_sha)
                spans.setdefault(text, []).append(zero.anchor.span)
    settled = []
    for label, outcome in zip(labels, outcomes, strict=True):
        moved, anchor = outcome.judgment, outcome.judgment.anchor
        if outcome.rule not in (INTERVAL, CONTAINED) or not moved.relevance or anchor is None:
            settled.append(outcome)
            continue
        text = (moved.query_id, moved.doc_uri, anchor.doc_sha)
        required = [item.span for item in _evidence(anchor)] or [anchor.span or (0, 0)]
        denied = any(
            zero[0] <= quote[0] and quote[1] <= zero[1]
            for zero in spans.get(text, ())
            for quote in required
        )
        if denied or (moved.query_id, moved.key) in keys:
            candidate = Candidate(moved.key, 1.0, 1.0)
            withheld = _Outcome(label, REVIEW, reason="CONFLICT", candidates=(candidate,))
            settled.append(withheld)
        else:
            settled.append(outcome)
    return settled


def _evidence(anchor: Anchor | None) -> tuple[Evidence, ...]:
    """Return the evidence that counts; what a machine suggested proves nothing."""
    if anchor is None or (anchor.by or "").startswith("suggested:"):
        return ()
    return anchor.evidence


def _with_keys_free(labels: Sequence[Judgment], outcomes: Sequence[_Outcome]) -> list[_Outcome]:
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
                settled[row] = _Outcome(label, HELD if zero else REVIEW, reason="KEY_TAKEN")
                waiting = True
            elif zero:
                taken.add(key)
    return settled


def _moves(label: Judgment, outcome: _Outcome) -> bool:
    return outcome.rule in RESOLVED and outcome.judgment.key != label.key


def _key(outcome: _Outcome) -> tuple[str, str, str | None]:
    return outcome.judgment.identity


def _meetings(outcomes: Sequence[_Outcome]) -> dict[int, list[int]]:
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
