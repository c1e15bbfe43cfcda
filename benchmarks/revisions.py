"""What a real revision of a document set does to a golden set.

    python benchmarks/revisions.py OLD NEW [--labels FILE --truth FILE]

Labels are sampled on the chunks of the old documents, each with one sentence as evidence, and
re-anchored on the chunks of the new ones: cut the same way, and in smaller chunks. With
`--labels` and `--truth` the labels are those of a file instead (JSON Lines with `query_id`,
`doc_uri` and `text`, and with `new_doc_uri`, `new_text` and `answer_survives` as a person saw
them), and every automatic answer is compared with what the person found.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rechunk import label_of, sample

from evergold.chunking.chunker import Chunker
from evergold.identity import normalize
from evergold.labels.drift import CorpusIndex
from evergold.labels.follow import NewText
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.labels.rules import RESOLVED
from evergold.model import Document, Judgment
from evergold.pipeline.ingest import ingest

OLD = Chunker("recursive", 512, 64)
NEW = (OLD, Chunker("recursive", 384, 64))


def main() -> None:
    """Print one table row for each chunking of the new documents."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, help="a folder of documents")
    parser.add_argument("new", type=Path, help="the same documents, later")
    parser.add_argument("--count", type=int, default=4000, help="labels to sample")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--labels", type=Path, help="labels that a person judged")
    parser.add_argument("--truth", type=Path, help="where that person found them in the new texts")
    arguments = parser.parse_args()
    started = time.perf_counter()
    old, new = ingest(arguments.old, "")[0], ingest(arguments.new, "")[0]
    read = time.perf_counter() - started
    truth: list[dict[str, str]] = []
    if arguments.labels:
        labels = _given(arguments.labels, old)
        truth = [json.loads(line) for line in arguments.truth.read_text("utf-8").splitlines()]
    else:
        labels = sample(old, OLD.snapshot(old), arguments.count, arguments.seed)
    print(f"{len(old)} to {len(new)} documents, {len(labels):,} labels; read in {read:.1f} s\n")
    print(f"{_aligned(old, new)}\n")
    print("| change | old text | re-anchored | straddle | review | gone | cut | re-anchor |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for chunker in NEW:
        for known in (True, False):
            started = time.perf_counter()
            index = CorpusIndex(chunker.snapshot(new))
            cut = time.perf_counter()
            result = reanchor(labels, index, new, previous=old if known else ())
            ended = time.perf_counter()
            old_text = "yes" if known else "no"
            change = f"{OLD.name} → {chunker.name} | {old_text}"
            _row(result, change, cut - started, ended - cut)
            if truth and chunker is OLD and known:
                _compare(result, truth)


def _aligned(old: Sequence[Document], new: Sequence[Document]) -> str:
    """Return how fast old texts are laid beside new ones, where a document was edited."""
    texts = {document.doc_uri: document.text for document in new}
    pairs = [(d.text, texts.get(d.doc_uri, d.text)) for d in old]
    edited = [(before, after) for before, after in pairs if before != after]
    rates = []
    for _ in range(5):
        started = time.perf_counter()
        for before, after in edited:
            NewText(after).since(before).follow((0, len(before)))
        rates.append(sum(len(text) for text, _ in edited) / 1e6 / (time.perf_counter() - started))
    return f"{len(edited)} edited documents: {median(rates):.1f} MB/s (median of 5)"


def _row(result: Reanchored, change: str, cut: float, seconds: float) -> None:
    counts = result.counts
    labels = len(result.labels)
    moved = sum(counts[rule] for rule in RESOLVED)
    shares = (moved, counts["STRADDLE"], counts["REVIEW"], counts["GONE"])
    cells = " | ".join(f"{count / labels:.2%}" for count in shares)
    print(
        f"| {change} | {cells} | {cut:.1f} s | {seconds:.1f} s, {labels / seconds:,.0f} labels/s |"
    )


def _given(path: Path, documents: Sequence[Document]) -> list[Judgment]:
    """Return labels whose whole text is evidence, at its only place in the old document."""
    texts = {document.doc_uri: document for document in documents}
    labels = []
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        document, quote = texts[row["doc_uri"]], normalize(row["text"])
        start = document.text.index(quote)
        if document.text.find(quote, start + 1) >= 0:
            raise SystemExit(f"{row['query_id']} stands twice in {row['doc_uri']}")
        span = (start, start + len(quote))
        labels.append(label_of(row["query_id"], document, None, span, span))
    return labels


def _compare(result: Reanchored, truth: Sequence[dict[str, str]]) -> None:
    """Print what each automatic answer is beside what a person found."""
    found: Counter[str] = Counter()
    for row, (judgment, resolution) in enumerate(
        zip(result.judgments, result.resolutions, strict=True)
    ):
        seen = truth[row]
        if resolution.rule not in RESOLVED or judgment.anchor is None:
            found[f"{resolution.rule} {resolution.reason}"] += 1
            continue
        same_text = seen["new_text"] is not None and normalize(seen["text"]) in normalize(
            seen["new_text"]
        )
        right = seen["answer_survives"] == "yes" and judgment.doc_uri == seen["new_doc_uri"]
        found[f"{resolution.rule} {'right' if right and same_text else 'WRONG'}"] += 1
    print("  ", dict(found))


if __name__ == "__main__":
    main()
