"""Give labels their new place, where it can be proved: `spec/anchors.md`.

A positive label moves to the tightest chunk that holds its evidence, or the whole judged text
where no evidence is recorded. A zero never moves to a chunk with more text than was judged.
What cannot be proved keeps its `chunk_id` and goes to a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evergold.errors import InputError
from evergold.identity import normalize, text_sha
from evergold.labels.absorb import absorb, separate
from evergold.labels.drift import CorpusIndex, drift
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
from evergold.labels.spans import ChunkSpans, places_of, shared
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

CONTEXT = 48
# In an edited document a shorter text, even verbatim, may by now say something else.
_LEAST_UNAIDED = 32
_MOST_CANDIDATES = 5
_WORD = re.compile(r"\w+")


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


def reanchor(
    judgments: Sequence[Judgment],
    corpus: Snapshot | CorpusIndex,
    documents: Iterable[Document],
    findings: Sequence[Finding] | None = None,
) -> Reanchored:
    """Return `judgments` with every label moved that can be, and what was decided for each.

    `findings` are those of `drift` on the same rows; they are computed where absent. Order and
    number of rows stay, except where labels of one query meet in one chunk. Relevance, judged
    text and who judged it never change. Raises `InputError` for two rows of one query and key.
    """
    _refuse_duplicates(judgments)
    index = corpus if isinstance(corpus, CorpusIndex) else CorpusIndex(corpus)
    texts = {document.doc_uri: document for document in documents}
    labels = separate(judgments)
    statuses = _statuses(judgments, labels, index, findings)
    resolver = _Resolver(index, texts)
    outcomes = [
        resolver.resolve(label, status) for label, status in zip(labels, statuses, strict=True)
    ]
    outcomes, groups = _meetings(labels, outcomes)
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
    return Reanchored(absorb(rows, groups), labels, resolutions)


def _refuse_duplicates(judgments: Sequence[Judgment]) -> None:
    seen: set[tuple[str, str]] = set()
    for judgment in judgments:
        label = (judgment.query_id, judgment.key)
        if label in seen:
            raise InputError(f"duplicate judgment for query {label[0]} and target {label[1]}")
        seen.add(label)


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
    def __init__(self, index: CorpusIndex, documents: Mapping[str, Document]) -> None:
        self._index = index
        self._documents = documents
        self._spans: dict[str, ChunkSpans] = {}
        self._shas: dict[str, str] = {}

    def resolve(self, label: Judgment, status: Status) -> _Outcome:
        """Return the first rule that applies to one label."""
        document = self._documents.get(label.doc_uri)
        if document is not None and label.chunk_id is None and label.chunk_text is None:
            return _Outcome(self._stamped(label), SAME)  # a judgment of the whole document
        placed, reason = self._placed(label, status, document)
        if placed is None or placed.anchor is None or placed.anchor.span is None:
            current = self._verified(label)
            if current is not None:
                return _Outcome(self._stamped(label), SAME, current)
            if label.relevance == 0:
                return _Outcome(label, HELD, reason=reason)
            rule = GONE if document is None else REVIEW
            return _Outcome(label, rule, reason=reason, candidates=self._by_words(label))
        if placed.relevance == 0:
            return self._zero(placed, placed.anchor.span, document.text if document else "")
        return self._positive(placed, placed.anchor, placed.anchor.span)

    def _positive(self, label: Judgment, anchor: Anchor, span: Span) -> _Outcome:
        suggested = (anchor.by or "").startswith("suggested:")
        evidence = () if suggested else anchor.evidence
        quotes = [item.span for item in evidence] or [span]
        holders = self._holders(label.doc_uri, quotes, anchor.evidence_rule)
        if not holders:
            return _Outcome(
                label, STRADDLE, reason="NO_HOLDER", candidates=self._by_place(label, quotes, span)
            )
        current = self._verified(label)
        if current is not None and any(c.chunk_id == current.chunk_id for c in holders):
            target, rule = current, SAME
        else:
            target, rule = holders[0], INTERVAL if evidence else CONTAINED
        also = [c for c in holders if c.chunk_id != target.chunk_id]
        return self._moved(label, anchor, rule, target, sorted(also, key=lambda c: c.ordinal))

    def _zero(self, label: Judgment, span: Span, text: str) -> _Outcome:
        """Return where a zero stands: only on a chunk that holds just the text that was judged."""
        anchor = label.anchor
        current = self._verified(label)
        if current is not None and anchor is not None:
            return self._moved(label, anchor, SAME, current, [])
        judged = _stripped(text, span)
        for chunk in self._chunk_spans(label.doc_uri).holders(judged):
            place = (chunk.start or 0, chunk.end or 0)
            if _stripped(text, place) == judged and anchor is not None:
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

    def _placed(
        self, label: Judgment, status: Status, document: Document | None
    ) -> tuple[Judgment | None, str | None]:
        """Return the label with its span in the current text, or the reason why it has none."""
        if document is None:
            return None, "DOCUMENT_GONE"
        anchor = label.anchor
        sha = self._sha(document)
        if anchor is not None and anchor.span is not None and anchor.doc_sha == sha:
            if not _quotes_stand(anchor, label, document.text):
                return None, "SPAN_MISMATCH"
            return label, None
        edited = anchor is not None and anchor.span is not None
        span = self._span_of_text(label, status, document)
        if edited and span is not None and span[1] - span[0] < _LEAST_UNAIDED:
            span = None
        if span is None:
            if edited:
                return None, "EDITED"
            return None, "NO_PLACE" if label.chunk_text is not None else "NO_TEXT"
        anchor = anchor or Anchor(doc_sha=None, doc_revision=None, span=None)
        evidence = _shifted(anchor, span, document.text)
        if evidence is None:
            return None, "EDITED"
        return replace(
            label,
            anchor=replace(
                anchor,
                doc_sha=sha,
                doc_revision=document.doc_revision,
                span=span,
                evidence=evidence,
                also=(),
            ),
        ), None

    def _span_of_text(self, label: Judgment, status: Status, document: Document) -> Span | None:
        """Return where the judged text stands: on its live chunk, else in one place verbatim."""
        current = self._verified(label) if status == "VALID" else None
        if current is not None and current.start is not None and current.end is not None:
            return current.start, current.end
        if label.chunk_text is not None:
            places = places_of(document.text, normalize(label.chunk_text), most=2)
            return places[0] if len(places) == 1 else None
        same = [
            chunk
            for chunk in self._index.by_sha.get(label.text_sha or "", [])
            if chunk.doc_uri == label.doc_uri
        ]
        if len(same) == 1 and same[0].start is not None and same[0].end is not None:
            return same[0].start, same[0].end
        return None

    def _verified(self, label: Judgment) -> Chunk | None:
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
            self._spans[doc_uri] = ChunkSpans(self._index.by_document.get(doc_uri, []))
        return self._spans[doc_uri]

    def _sha(self, document: Document) -> str:
        if document.doc_uri not in self._shas:
            self._shas[document.doc_uri] = text_sha(document.text)
        return self._shas[document.doc_uri]

    def _by_place(
        self, label: Judgment, quotes: Sequence[Span], span: Span
    ) -> tuple[Candidate, ...]:
        """Return the chunks that hold parts of the evidence."""
        length = sum(end - start for start, end in quotes) or 1
        found = {}
        for quote in quotes:
            for chunk in self._chunk_spans(label.doc_uri).overlapping(quote):
                place = (chunk.start or 0, chunk.end or 0)
                found[chunk.chunk_id] = Candidate(
                    chunk.chunk_id,
                    sum(shared(place, q) for q in quotes) / length,
                    shared(place, span) / max(1, span[1] - span[0]),
                )
        return _best(found.values())

    def _by_words(self, label: Judgment) -> tuple[Candidate, ...]:
        """Return the chunks of the document that share words with the evidence."""
        judged = Counter(_WORD.findall(label.chunk_text or ""))
        quotes = [e.exact or "" for e in label.anchor.evidence] if label.anchor else []
        evidence = Counter(_WORD.findall(" ".join(quotes))) or judged
        found = []
        for chunk in self._index.by_document.get(label.doc_uri, []):
            words = Counter(_WORD.findall(chunk.text))
            found.append(
                Candidate(chunk.chunk_id, _covered(evidence, words), _covered(judged, words))
            )
        return _best(candidate for candidate in found if candidate.evidence_coverage > 0)


def _quotes_stand(anchor: Anchor, label: Judgment, text: str) -> bool:
    """Return whether the recorded spans hold what the anchor and the label quote."""
    if anchor.span is None or anchor.span[1] > len(text):
        return False
    judged = normalize(text[slice(*anchor.span)])
    if label.chunk_text is not None and judged != normalize(label.chunk_text):
        return False
    return all(
        evidence.span[1] <= len(text)
        and evidence.span[0] < evidence.span[1]
        and (evidence.exact is None or text[slice(*evidence.span)] == evidence.exact)
        and (evidence.sha is None or text_sha(text[slice(*evidence.span)]) == evidence.sha)
        for evidence in anchor.evidence
    )


def _shifted(anchor: Anchor, span: Span, text: str) -> tuple[Evidence, ...] | None:
    """Return the evidence at its place inside the judged text, which now stands at `span`.

    None where a quote cannot be found there by its distance from the start of the span.
    """
    if not anchor.evidence:
        return ()
    if anchor.span is None:
        return None
    moved = []
    for evidence in anchor.evidence:
        start, end = (offset - anchor.span[0] + span[0] for offset in evidence.span)
        if not span[0] <= start < end <= span[1]:
            return None
        if evidence.exact is not None and text[start:end] != evidence.exact:
            return None
        if evidence.sha is not None and text_sha(text[start:end]) != evidence.sha:
            return None
        moved.append(_with_context(evidence, (start, end), text))
    return tuple(moved)


def _with_context(evidence: Evidence, span: Span, text: str) -> Evidence:
    """Return the evidence at `span`, with fresh context where it carried any."""
    prefix = text[max(0, span[0] - CONTEXT) : span[0]] if evidence.prefix is not None else None
    suffix = text[span[1] : span[1] + CONTEXT] if evidence.suffix is not None else None
    return replace(evidence, span=span, prefix=prefix, suffix=suffix)


def _stripped(text: str, span: Span) -> Span:
    """Return the span without white space at its ends."""
    inner = text[slice(*span)]
    start = span[0] + len(inner) - len(inner.lstrip())
    return start, start + len(inner.strip())


def _covered(wanted: Counter[str], held: Counter[str]) -> float:
    return (wanted & held).total() / wanted.total() if wanted else 0.0


def _best(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ranked = sorted(candidates, key=lambda c: (-c.evidence_coverage, -c.span_coverage, c.chunk_id))
    return tuple(
        replace(
            candidate,
            evidence_coverage=round(candidate.evidence_coverage, 4),
            span_coverage=round(candidate.span_coverage, 4),
        )
        for candidate in ranked[:_MOST_CANDIDATES]
    )


def _meetings(
    labels: Sequence[Judgment], outcomes: Sequence[_Outcome]
) -> tuple[list[_Outcome], dict[int, list[int]]]:
    """Find the labels of one query that meet in one chunk.

    Positive labels are folded into the row with the higher grade, the earlier one where grades
    are equal. A positive that moved onto a chunk judged zero contradicts that zero: it is
    withheld for a person.
    """
    zeros = {
        (outcome.judgment.query_id, outcome.judgment.key)
        for outcome in outcomes
        if outcome.judgment.relevance == 0
    }
    settled: list[_Outcome] = []
    meeting: dict[tuple[str, str], list[int]] = {}
    for row, outcome in enumerate(outcomes):
        label = outcome.judgment
        resolved = outcome.rule in RESOLVED and outcome.target is not None and label.relevance > 0
        if resolved and (label.query_id, label.key) in zeros:
            candidate = Candidate(label.key, 1.0, 1.0)
            settled.append(
                _Outcome(labels[row], REVIEW, reason="CONFLICT", candidates=(candidate,))
            )
            continue
        if label.relevance > 0:  # rows that were one and cannot be placed stay one
            meeting.setdefault((label.query_id, label.key), []).append(row)
        settled.append(outcome)
    groups = {}
    for rows in meeting.values():
        host = min(rows, key=lambda row: (-outcomes[row].judgment.relevance, row))
        if len(rows) > 1:
            groups[host] = [row for row in rows if row != host]
    return settled, groups
