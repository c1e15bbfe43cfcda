"""How many labels survive a re-chunk: re-anchoring by evidence beside the published rule.

    python benchmarks/rechunk.py data/corpus

Labels are sampled on the chunks of one chunking, each with one sentence as evidence, and
re-anchored on another. Every answer is verified by a look at all chunks of the document: a
target is wrong if it does not hold the very sentence at its place, and a label straddles if no
chunk holds it. The published rule keeps a label whose status is RE_ANCHORABLE or MERGED.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evergold.chunking.chunker import Chunker
from evergold.identity import text_sha
from evergold.labels.drift import CorpusIndex, drift
from evergold.labels.reanchor import reanchor
from evergold.labels.rules import OPEN, RESOLVED
from evergold.labels.spans import ChunkSpans
from evergold.model import Anchor, Document, Evidence, Judgment, Snapshot, Span
from evergold.pipeline.ingest import ingest

CHANGES = (
    (Chunker("recursive", 512, 64), Chunker("recursive", 384, 64)),
    (Chunker("recursive", 512, 64), Chunker("recursive", 1024, 128)),
    (Chunker("recursive", 1024, 128), Chunker("recursive", 384, 64)),
    (Chunker("fixed", 512, 64), Chunker("recursive", 512, 64)),
    # Windows without overlap cut sentences: here some labels do straddle.
    (Chunker("recursive", 512, 64), Chunker("fixed", 384, 0)),
)
# There and back again: the labels must end as they began.
CHAIN = tuple(
    Chunker("recursive", size, overlap)
    for size, overlap in ((512, 64), (384, 64), (1024, 128), (512, 64))
)
CONTEXT = 48
_SENTENCE = re.compile(r"\S[^\n.!?]{18,}[^\s.!?](?:[.!?](?=\s)|(?=[^\S\n]*(?:\n|\Z)))")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the labels of one change; counts of labels, and labels a second."""

    reanchored: int
    straddling: int
    wrong: int
    missed: int
    published: int
    reanchor_rate: float
    drift_rate: float


def main() -> None:
    """Print one table row for each change of the chunking."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a folder of documents")
    parser.add_argument("--labels", type=int, default=4000, help="labels to sample")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    arguments = parser.parse_args()

    documents, _ = ingest(arguments.folder, "")
    size = sum(len(document.text) for document in documents)
    print(f"{len(documents)} documents, {size:,} code points, {arguments.labels:,} labels\n")
    print("| change | re-anchored | straddle | wrong | missed | published | labels/s | drift/s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for old, new in CHANGES:
        labels = sample(documents, old.snapshot(documents), arguments.labels, arguments.seed)
        found = measure(documents, labels, new.snapshot(documents))
        shares = (found.reanchored, found.straddling, found.wrong, found.missed, found.published)
        cells = [f"{100 * count / len(labels):.2f}%" for count in shares]
        rates = [f"{rate:,.0f}" for rate in (found.reanchor_rate, found.drift_rate)]
        print(f"| {old.name} → {new.name} | {' | '.join([*cells, *rates])} |")
    print(
        f"\n{_lookups(documents, labels, new.snapshot(documents)):,.0f} intervals looked up a second"
    )
    labels = sample(documents, CHAIN[0].snapshot(documents), arguments.labels, arguments.seed)
    _chain(documents, [_in_shared_queries(row, label) for row, label in enumerate(labels)])


def _lookups(
    documents: Sequence[Document], labels: Sequence[Judgment], snapshot: Snapshot
) -> float:
    """Return how often a second the chunks that hold a quote are found, the rule by itself."""
    index = CorpusIndex(snapshot)
    spans = {d.doc_uri: ChunkSpans(index.by_document.get(d.doc_uri, [])) for d in documents}
    asked = [
        (spans[label.doc_uri], label.anchor.evidence[0].span)
        for label in labels
        if label.anchor is not None
    ]
    started = time.perf_counter()
    for chunks, quote in asked:
        chunks.holders(quote)
    return len(asked) / (time.perf_counter() - started)


def _in_shared_queries(row: int, label: Judgment) -> Judgment:
    """Return a label of one of many to a query, so that labels meet; every fifth is a zero."""
    grade = (0, 1, 2, 3, 1)[row % 5]
    return replace(label, query_id=f"q{row // 10}", relevance=grade)


def _chain(documents: Sequence[Document], labels: Sequence[Judgment]) -> None:
    """Print how labels fare from chunking to chunking, and whether they end where they began."""
    unique = {label.identity: label for label in labels}
    start = reanchor(list(unique.values()), CHAIN[0].snapshot(documents), documents).judgments
    rows, steps = start, []
    for chunker in CHAIN[1:]:
        result = reanchor(rows, chunker.snapshot(documents), documents)
        open_labels = sum(result.counts[rule] for rule in OPEN)
        steps.append(f"{chunker.name}: {len(result.judgments)} rows, {open_labels} open")
        rows = result.judgments
    print(f"\nchain of {len(start)} rows from {CHAIN[0].name}: {'; '.join(steps)};", end=" ")
    print("the same rows as before" if rows == start else "OTHER ROWS THAN BEFORE")


def sample(
    documents: Sequence[Document], snapshot: Snapshot, count: int, seed: int
) -> list[Judgment]:
    """Return `count` labels: a random chunk, and a random sentence in it, with replacement."""
    choice = random.Random(seed)
    texts = {document.doc_uri: document for document in documents}
    sentences = [
        (chunk, spans)
        for chunk in snapshot.chunks
        if (spans := [match.span() for match in _SENTENCE.finditer(chunk.text)])
    ]
    labels = []
    for number in range(count):
        chunk, spans = choice.choice(sentences)
        start, end = choice.choice(spans)
        place = chunk.start or 0
        evidence = (place + start, place + end)
        first = place + len(chunk.text) - len(chunk.text.lstrip())
        judged = (first, first + len(chunk.text.strip()))
        labels.append(
            label_of(f"q{number}", texts[chunk.doc_uri], chunk.chunk_id, judged, evidence)
        )
    return labels


def measure(
    documents: Sequence[Document], labels: Sequence[Judgment], snapshot: Snapshot
) -> Outcome:
    """Re-anchor `labels` on `snapshot` and verify every answer."""
    index = CorpusIndex(snapshot)
    started = time.perf_counter()
    findings = drift(labels, index).findings
    compared = time.perf_counter()
    result = reanchor(labels, index, documents, findings)
    ended = time.perf_counter()

    resolved = [resolution.rule in RESOLVED for resolution in result.resolutions]
    holders = [_holders(label, index) for label in labels]
    return Outcome(
        reanchored=sum(resolved),
        straddling=sum(not held for held in holders),
        wrong=sum(
            done and resolution.target not in held
            for done, resolution, held in zip(resolved, result.resolutions, holders, strict=True)
        ),
        missed=sum(bool(held) and not done for done, held in zip(resolved, holders, strict=True)),
        published=sum(finding.status in ("RE_ANCHORABLE", "MERGED") for finding in findings),
        reanchor_rate=len(labels) / (ended - compared),
        drift_rate=len(labels) / (compared - started),
    )


def _holders(label: Judgment, index: CorpusIndex) -> set[str]:
    """Return the chunks that hold the evidence at its place, by a look at every chunk."""
    if label.anchor is None:
        return set()
    quote = label.anchor.evidence[0]
    return {
        chunk.chunk_id
        for chunk in index.by_document.get(label.doc_uri, [])
        if (first := quote.span[0] - (chunk.start or 0)) >= 0
        and chunk.text[first : first + len(quote.exact or "")] == quote.exact
    }


def label_of(
    query_id: str, document: Document, chunk_id: str | None, judged: Span, evidence: Span
) -> Judgment:
    """Return a label of the text at `judged` in a document, with one quote as evidence."""
    start, end = evidence
    text, exact = document.text[slice(*judged)], document.text[start:end]
    return Judgment(
        query_id=query_id,
        doc_uri=document.doc_uri,
        chunk_id=chunk_id,
        text_sha=text_sha(text),
        chunk_text=text,
        relevance=1,
        anchor=Anchor(
            doc_sha=text_sha(document.text),
            doc_revision=document.doc_revision,
            span=judged,
            evidence=(
                Evidence(
                    span=evidence,
                    exact=exact,
                    prefix=document.text[max(0, start - CONTEXT) : start],
                    suffix=document.text[end : end + CONTEXT],
                    sha=text_sha(exact),
                ),
            ),
            by="synthetic:benchmark",
        ),
    )


if __name__ == "__main__":
    main()
