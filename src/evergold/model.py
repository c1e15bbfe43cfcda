"""The things that evergold talks about, as frozen data.

Offsets are Unicode code points into the canonical text of a document, end exclusive.
Fields that a file carries and this version does not know are kept in `extra`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Span = tuple[int, int]
Status = Literal["VALID", "RE_ANCHORABLE", "MERGED", "SPLIT", "ORPHANED"]
STATUSES: tuple[Status, ...] = ("VALID", "RE_ANCHORABLE", "MERGED", "SPLIT", "ORPHANED")
# Ratios and metrics are rounded to this many decimals, as in the published formats.
DECIMALS = 12
# The stratum of queries that have none, where others have one.
UNSTRATIFIED = "_unstratified"
VerdictStatus = Literal["PASS", "FAIL", "INDETERMINATE"]


@dataclass(frozen=True, slots=True)
class Element:
    """A heading, table, code block or list of a document."""

    kind: str
    start: int
    end: int
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One source file: its canonical text (`normalize` of what the loader extracted)."""

    doc_uri: str
    doc_revision: str
    text: str
    title: str | None = None
    media_type: str | None = None
    extractor: str | None = None
    elements: tuple[Element, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A verbatim slice of one document.

    `start` and `end` are absent in snapshots of other tools; `token_count` is in tokens of
    the chunker's tokenizer.
    """

    chunk_id: str
    doc_uri: str
    doc_revision: str
    ordinal: int
    text: str
    text_sha: str
    start: int | None = None
    end: int | None = None
    token_count: int | None = None
    section_path: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


class BareChunk(NamedTuple):
    """What drift looks at of a chunk: a tuple, since a large corpus makes millions of them."""

    chunk_id: str
    doc_uri: str
    ordinal: int
    text: str
    text_sha: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All chunks of one chunking of a corpus."""

    corpus_fingerprint: str | None
    chunker_fingerprint: str | None
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote inside the judged text that suffices for the grade."""

    span: Span
    exact: str | None = None
    prefix: str | None = None
    suffix: str | None = None
    sha: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Absorbed:
    """A judgment kept inside another row that stands on the same chunk.

    `row` is the index that it had, and takes again, among the separate rows.
    """

    row: int
    judgment: Judgment
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the judged text stands in its document."""

    doc_sha: str | None
    doc_revision: str | None
    span: Span | None
    evidence: tuple[Evidence, ...] = ()
    evidence_rule: Literal["any", "all"] = "any"
    complete: bool = False
    by: str | None = None
    also: tuple[str, ...] = ()
    absorbed: tuple[Absorbed, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One claim by a person: this text has this relevance for this query."""

    query_id: str
    doc_uri: str
    relevance: int
    query: str | None = None
    chunk_id: str | None = None
    text_sha: str | None = None
    chunk_text: str | None = None
    corpus_fingerprint: str | None = None
    labeled_by: str | None = None
    labeled_at: str | None = None
    stratum: str | None = None
    notes: str | None = None
    need: str | None = None
    anchor: Anchor | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What a ranking must name to meet this label: the chunk, else the document."""
        return self.chunk_id or self.doc_uri

    @property
    def identity(self) -> tuple[str, str, str | None]:
        """What no two rows may share: query, key and, before it has a chunk, the judged text."""
        text = None if self.chunk_id else self.chunk_text or self.text_sha
        return self.query_id, self.key, text

    def at(
        self, chunk_id: str | None, corpus_fingerprint: str | None, anchor: Anchor | None
    ) -> Judgment:
        """Return the judgment at another place: what `dataclasses.replace` does, in a third of the time."""
        return Judgment(
            self.query_id,
            self.doc_uri,
            self.relevance,
            self.query,
            chunk_id,
            self.text_sha,
            self.chunk_text,
            corpus_fingerprint,
            self.labeled_by,
            self.labeled_at,
            self.stratum,
            self.notes,
            self.need,
            anchor,
            self.extra,
        )


@dataclass(frozen=True, slots=True)
class Query:
    """One query of the golden set, with the properties that belong to the query."""

    query_id: str
    query: str
    stratum: str | None = None
    split: str | None = None
    language: str | None = None
    answerable: bool | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranked keys that a retriever returned for one query, best first.

    `ties` has every k at which the keys on ranks k and k + 1 have one score: a cut there is made
    by the order of ids. Runs without scores have none.
    """

    query_id: str
    keys: tuple[str, ...]
    ties: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """A score that a judge gave: for an answer to one query, or for a whole run."""

    metric: str
    score: float
    query_id: str | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """A value with what is known of its certainty."""

    value: float
    n: int = 1
    deterministic: bool = True
    stdev: float | None = None
    ci: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What drift says of one row of a label file; `row` counts from 0.

    `verified` says whether the live chunk of a VALID label is what was judged, None where
    nothing can tell.
    """

    row: int
    query_id: str
    doc_uri: str
    status: Status
    chunk_id: str | None = None
    reanchor_to: str | None = None
    split_into: tuple[str, ...] = ()
    verified: bool | None = None


@dataclass(frozen=True, slots=True)
class DriftReport:
    """The findings of a label file, in row order, with both fingerprints."""

    findings: tuple[Finding, ...]
    judgments_fingerprint: str | None
    corpus_fingerprint: str | None

    @property
    def counts(self) -> dict[Status, int]:
        """The number of rows of each status."""
        found = Counter(finding.status for finding in self.findings)
        return {status: found[status] for status in STATUSES}

    @property
    def invalid_ratio(self) -> float:
        """The share of rows that are not VALID, 0.0 for no rows."""
        total = len(self.findings)
        if not total:
            return 0.0
        return round((total - self.counts["VALID"]) / total, DECIMALS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that a person may choose for a label that could not be resolved.

    Coverages are shares from 0 to 1 of the evidence and of the judged text.
    """

    chunk_id: str
    evidence_coverage: float
    span_coverage: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """What the anchor rules say of one label, beside its status."""

    row: int
    query_id: str
    status: Status
    rule: str
    target: str | None = None
    also: tuple[str, ...] = ()
    reason: str | None = None
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class GateResult:
    """One gate with what it saw."""

    expression: str
    status: VerdictStatus
    observed: float | None = None
    baseline: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """PASS, FAIL or INDETERMINATE, with every reason."""

    status: VerdictStatus
    reasons: tuple[str, ...] = ()
    gates: tuple[GateResult, ...] = ()
