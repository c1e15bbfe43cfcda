"""Give labels their new place, where it can be proved: `spec/anchors.md`.

A positive label moves to the tightest chunk that holds its evidence, or the whole judged text
where no evidence is recorded. A zero never moves to a chunk with more text than was judged.
What cannot be proved keeps its `chunk_id` and goes to a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from evergold.errors import InputError
from evergold.identity import text_sha
from evergold.labels.absorb import absorb, separate
from evergold.labels.candidates import ChunkWords, by_place
from evergold.labels.drift import CorpusIndex, drift
from evergold.labels.meeting import Outcome, meetings, settled
from evergold.labels.place import Present, counted_evidence, located, without_outer_space
from evergold.labels.renames import Renames, find_renames
from evergold.labels.rules import (
    CONTAINED,
    GONE,
    HELD,
    INHERIT_ZERO,
    INTERVAL,
    MOVED,
    REVIEW,
    RULES,
    SAME,
    STRADDLE,
)
from evergold.labels.spans import ChunkSpans
from evergold.memory import collector_paused
from evergold.model import (
    Anchor,
    Chunk,
    Document,
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
    are the texts that the labels were judged on: without them a label of an edited document moves
    only where its own text is enough, and no renamed document is found. Order and number of rows
    stay, except where labels of one query meet in one chunk. Relevance, judged text and who judged
    it never change. Raises `InputError` for two rows of one query and key, and for two documents
    of one name.
    """
    _refuse_duplicates(judgments)
    index = corpus if isinstance(corpus, CorpusIndex) else CorpusIndex(corpus)
    texts: dict[str, Document] = {}
    for document in documents:
        if texts.setdefault(document.doc_uri, document) is not document:
            raise InputError(f"{document.doc_uri} stands twice among the documents of the corpus")
    labels = separate(judgments)
    statuses = _statuses(judgments, labels, index, findings)
    outcomes = settled(labels, _Resolver(index, texts, previous).resolve_all(labels))
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
    return Reanchored(absorb(rows, meetings(outcomes)), labels, resolutions)


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
        self._renames = Renames({}, {})
        self._present: Present | None = None
        self._chunks = ChunkSpans([])
        self._words: dict[tuple[str, ...], ChunkWords] = {}

    def resolve_all(self, labels: Sequence[Judgment]) -> list[Outcome]:
        """Return the first rule that applies to each label, in the order of the labels."""
        self._renames = self._find_renames(labels)
        outcomes: dict[int, Outcome] = {}
        # One document after the other: what is known of one is not kept beside the next.
        rows = sorted(range(len(labels)), key=lambda row: labels[row].doc_uri)
        for doc_uri, of_document in groupby(rows, key=lambda row: labels[row].doc_uri):
            self._turn_to(self._renames.names.get(doc_uri, doc_uri))
            for row in of_document:
                outcomes[row] = self._resolve(labels[row])
        return [outcomes[row] for row in range(len(labels))]

    def _find_renames(self, labels: Sequence[Judgment]) -> Renames:
        gone: dict[str, str] = {}
        passages: dict[str, str] = {}
        for label in labels:
            uri, text = label.doc_uri, label.chunk_text
            if uri in self._documents:
                continue
            judged_on = label.anchor.doc_sha if label.anchor else None
            if (uri, judged_on or "") in self._previous:
                gone[uri] = self._previous[uri, judged_on or ""]
            elif text is not None:
                passages[uri] = f"{passages[uri]}\n{text}" if uri in passages else text
        if not gone and not passages:
            return Renames({}, {})
        previous = {uri: text for (uri, _), text in self._previous.items()}
        return find_renames(gone, passages, self._documents.values(), previous)

    def _turn_to(self, doc_uri: str) -> None:
        document = self._documents.get(doc_uri)
        self._present = Present(document) if document else None
        text = document.text if document else ""
        self._words = {}
        self._chunks = ChunkSpans(located(self._index.by_document.get(doc_uri, []), text))

    def _resolve(self, label: Judgment) -> Outcome:
        live = live_chunk(label, self._index)
        reason: str | None = "DOCUMENT_GONE"
        present = self._present
        if present is not None:
            named = label
            if present.document.doc_uri != label.doc_uri:
                named = replace(label, doc_uri=present.document.doc_uri)
            if is_of_document(label):  # a judgment of the whole document
                return Outcome(self._stamped(named), SAME if named is label else MOVED)
            same_text = [
                chunk
                for chunk in self._index.by_sha.get(label.text_sha or "", ())
                if chunk.doc_uri == named.doc_uri
            ]
            judged_on = label.anchor.doc_sha if label.anchor else None
            previous = self._previous.get((label.doc_uri, judged_on or ""))
            found = present.placed(named, live, same_text, previous)
            placed, reason = found.label, found.reason
            if placed is not None and placed.anchor is not None and placed.anchor.span is not None:
                span = without_outer_space(present.text, placed.anchor.span)
                decide = self._positive if placed.relevance else self._zero
                return decide(placed, placed.anchor, span, live, found.rule)
        if live is not None:
            return Outcome(self._stamped(label), SAME, live)
        elsewhere = self._elsewhere(label)
        if elsewhere and reason in ("DOCUMENT_GONE", "EDITED", "NO_PLACE", "NO_TEXT"):
            reason = "CROSS_DOC"
        if label.relevance == 0:
            return Outcome(label, HELD, reason=reason)
        rule = GONE if reason == "DOCUMENT_GONE" else REVIEW
        here = present.document.doc_uri if present else label.doc_uri
        shown = tuple(chunk.chunk_id for chunk in elsewhere)
        if shown not in self._words:
            chunks = [*self._index.by_document.get(here, ()), *elsewhere]
            self._words[shown] = ChunkWords(chunks)
        candidates = self._words[shown].candidates(label)
        return Outcome(label, rule, reason=reason, candidates=candidates)

    def _elsewhere(self, label: Judgment) -> list[Chunk]:
        """Return the chunks of other documents that are the judged text, or may have it."""
        same = self._index.by_sha.get(label.text_sha or "", ())
        found = [chunk for chunk in same if chunk.doc_uri != label.doc_uri]
        if self._present is not None or found:
            return found
        likely = self._renames.likely.get(label.doc_uri, ())
        return [chunk for uri in likely for chunk in self._index.by_document.get(uri, ())]

    def _positive(
        self, label: Judgment, anchor: Anchor, span: Span, live: Chunk | None, rule: str | None
    ) -> Outcome:
        evidence = [item.span for item in counted_evidence(anchor)]
        quotes = evidence or [span]
        holders = self._holders(quotes, anchor.evidence_rule)
        if not holders:
            candidates = by_place(self._chunks, quotes, span)
            return Outcome(label, STRADDLE, reason="NO_HOLDER", candidates=candidates)
        if live is not None and any(chunk.chunk_id == live.chunk_id for chunk in holders):
            target, rule = live, SAME
        else:
            # A chunk that is just the judged text goes before a tighter one: the label came from it.
            text = self._present.text if self._present else ""
            judged = [chunk for chunk in holders[1:] if _inner(chunk, text) == span]
            target = (judged or holders)[0]
            rule = rule or (INTERVAL if evidence else CONTAINED)
        also = [chunk for chunk in holders if chunk.chunk_id != target.chunk_id]
        also.sort(key=lambda chunk: chunk.ordinal)
        return self._moved(label, anchor, rule, target, also)

    def _zero(
        self, label: Judgment, anchor: Anchor, span: Span, live: Chunk | None, rule: str | None
    ) -> Outcome:
        """Return where a zero stands: on the chunk of just its text, else on those inside it."""
        if live is not None:
            return self._moved(label, anchor, SAME, live, [])
        text = self._present.text if self._present else ""
        inside = []
        for chunk in self._chunks.overlapping(span):
            start, end = _inner(chunk, text)
            if (start, end) == span:
                return self._moved(label, anchor, rule or CONTAINED, chunk, [])
            if span[0] <= start < end <= span[1]:
                inside.append(chunk)
        if inside:
            inside.sort(key=lambda chunk: chunk.ordinal)
            return self._moved(label, anchor, INHERIT_ZERO, inside[0], inside[1:])
        return Outcome(label, HELD, reason="ZERO")

    def _moved(
        self, label: Judgment, anchor: Anchor, rule: str, target: Chunk, also: Sequence[Chunk]
    ) -> Outcome:
        others = tuple([chunk.chunk_id for chunk in also])
        if others != anchor.also:
            anchor = replace(anchor, also=others)
        fingerprint = self._index.snapshot.corpus_fingerprint or label.corpus_fingerprint
        moved = label.at(target.chunk_id, fingerprint, anchor)
        return Outcome(moved, rule, target, others)

    def _stamped(self, label: Judgment) -> Judgment:
        fingerprint = self._index.snapshot.corpus_fingerprint
        return label.at(label.chunk_id, fingerprint or label.corpus_fingerprint, label.anchor)

    def _holders(self, quotes: Sequence[Span], rule: str) -> list[Chunk]:
        """Return the chunks that hold any one quote, or all of them, tightest first."""
        found = [self._chunks.holders(quote) for quote in quotes]
        if len(found) == 1:
            return found[0]
        by_id = {chunk.chunk_id: chunk for holders in found for chunk in holders}
        if rule == "all":
            common = set.intersection(*({chunk.chunk_id for chunk in holders} for holders in found))
            by_id = {chunk_id: by_id[chunk_id] for chunk_id in common}
        return sorted(by_id.values(), key=lambda c: ((c.end or 0) - (c.start or 0), c.ordinal))


def live_chunk(label: Judgment, index: CorpusIndex) -> Chunk | None:
    """Return the live chunk that the label names, where it holds the very text judged."""
    chunk = index.by_id.get(label.chunk_id or "")
    if chunk is None or chunk.doc_uri != label.doc_uri:
        return None
    judged = label.text_sha
    if judged is None and label.chunk_text is not None:
        judged = text_sha(label.chunk_text)
    return chunk if judged is None or judged == chunk.text_sha else None


def is_of_document(label: Judgment) -> bool:
    """Return whether a label judges a whole document and no passage of it."""
    passage = (label.chunk_id, label.chunk_text, label.text_sha)
    placed = label.anchor is not None and label.anchor.span is not None
    return passage == (None, None, None) and not placed


def _inner(chunk: Chunk, text: str) -> Span:
    """Return the interval of a chunk in its document, without white space at its ends."""
    return without_outer_space(text, (chunk.start or 0, chunk.end or 0))
