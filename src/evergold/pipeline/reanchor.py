"""reanchor: golden labels to labels of this corpus, and the queue of what a person must decide."""

from __future__ import annotations

from evergold.errors import InputError
from evergold.formats.corpus import read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.files import sha256
from evergold.formats.findings import read_findings, summary_to_json, write_resolutions
from evergold.formats.jsonl import write_json, write_rows
from evergold.formats.judgments import read_labels, write_judgments
from evergold.formats.queries import read_queries
from evergold.labels.drift import CorpusIndex
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.labels.rules import OPEN, RESOLVED, SAME, open_share
from evergold.model import DECIMALS, Document, DriftReport
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.review.queue import review_queue


def run(params: Params) -> str:
    """Write re-anchored labels, their resolutions, the review queue and the label metrics."""
    with_text = params.one_of("privacy.text", ("full", "hashes")) == "full"
    asked = {query.query_id: query.query for query in read_queries(paths.QUERIES)}
    golden = read_labels(paths.JUDGMENTS, asked)
    findings = read_findings(paths.FINDINGS)
    if [f.query_id for f in findings] != [label.query_id for label in golden]:
        raise InputError(f"{paths.FINDINGS} is not of the labels in {paths.JUDGMENTS}")
    snapshot = read_snapshot(paths.SNAPSHOT)
    index = CorpusIndex(snapshot)
    result = reanchor(golden, index, read_documents(paths.DOCUMENTS), findings, judged_texts())
    queue = review_queue(golden, result, index.by_id, asked, with_text=with_text)
    report = DriftReport(findings, None, snapshot.corpus_fingerprint)

    write_judgments(paths.REANCHORED, result.judgments)
    write_resolutions(paths.RESOLUTIONS, result.resolutions, input_digests())
    write_rows(paths.REVIEW, queue)
    write_json(paths.LABEL_METRICS, {**summary_to_json(report), **_metrics(result)})
    counts = ", ".join(f"{count} {rule}" for rule, count in result.counts.items() if count)
    notes = [f"{len(result.labels)} labels: {counts}"]
    if index.by_document.keys().isdisjoint(label.doc_uri for label in golden):
        notes.append(
            f"no label names a document of this corpus: the labels have {golden[0].doc_uri}, the"
            f" corpus {min(index.by_document)}; is corpus.uri_prefix right?"
        )
    return "\n".join(notes)


def judged_texts() -> tuple[Document, ...]:
    """Return the texts that the golden labels were judged on, none before the first `accept`."""
    return read_documents(paths.JUDGED_DOCUMENTS) if paths.JUDGED_DOCUMENTS.exists() else ()


def input_digests() -> dict[str, str]:
    """Return the SHA-256 of the files that re-anchoring reads."""
    named = {"judgments": paths.JUDGMENTS, "corpus": paths.SNAPSHOT, "documents": paths.DOCUMENTS}
    return {name: sha256(path) for name, path in named.items()}


def _metrics(result: Reanchored) -> dict[str, float | int]:
    """Return what became of the labels; shares are of those that had lost their place."""
    counts = result.counts
    moved = sum(counts[rule] for rule in RESOLVED if rule != SAME)
    lost = moved + sum(counts[rule] for rule in OPEN)
    return {
        "labels": len(result.labels),
        "re_anchored": moved,
        **{rule.lower(): count for rule, count in counts.items()},
        "re_anchored_share": round(moved / lost, DECIMALS) if lost else 1.0,
        "open_ratio": open_share(counts) or 0.0,
    }
