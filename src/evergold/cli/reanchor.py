"""`evergold reanchor`: labels at their new places, and a queue of what a person has to decide."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from evergold.cli.output import (
    Printer,
    checked_output,
    color_option,
    json_option,
    needed,
    path_option,
    print_json,
)
from evergold.errors import InputError, UsageError
from evergold.formats.corpus import read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.files import write_text
from evergold.formats.findings import read_findings, summary_to_json
from evergold.formats.jsonl import write_rows
from evergold.formats.judgments import read_label_file
from evergold.labels.absorb import origins
from evergold.labels.drift import CorpusIndex, drift
from evergold.labels.reanchor import Reanchored, reanchor
from evergold.labels.rebuild import reanchor_by_chunks
from evergold.labels.rules import HELD, OPEN, RESOLVED, SAME
from evergold.model import DriftReport
from evergold.review.queue import review_queue


@click.command("reanchor")
@path_option("--judgments", "Label file.")
@path_option("--corpus", "Corpus snapshot, as JSON Lines or the published JSON object.")
@path_option("--documents", "The documents that the snapshot was cut from.")
@path_option("--previous", "The documents that the labels were judged on.")
@path_option("--findings", "What drift found, as it prints with --json.")
@path_option("--out", "Write the labels here.")
@path_option("--review", "Write the queue of open labels here.")
@json_option
@color_option
def command(
    judgments: Path | None,
    corpus: Path | None,
    documents: Path | None,
    previous: Path | None,
    findings: Path | None,
    out: Path | None,
    review: Path | None,
    printer: Printer,
    *,
    as_json: bool,
) -> int:
    """Give labels the chunks that hold their text now, where that can be proved.

    Without --documents, texts are rebuilt from the chunks; --previous follows labels through edits
    of their documents. Exit code 0 where no label waits for a person, 1 where one does, 2 where a
    file cannot be read.
    """
    labels_path, corpus_path, out_path = needed(
        "reanchor", judgments=judgments, corpus=corpus, out=out
    )
    if previous is not None and documents is None:
        raise UsageError("--previous goes with --documents")
    inputs = (labels_path, corpus_path, documents, previous, findings)
    target = checked_output(out_path, inputs)
    queue_path = checked_output(review, (*inputs, target)) if review else None
    file = read_label_file(labels_path).checked()
    index = CorpusIndex(read_snapshot(corpus_path))
    if not index.snapshot.chunks:
        raise InputError("no chunks", path=corpus_path, source="corpus")
    report = drift(file.labels, index)
    if findings is not None:
        report = DriftReport(read_findings(findings), None, index.snapshot.corpus_fingerprint)
        if [f.query_id for f in report.findings] != [label.query_id for label in file.labels]:
            raise InputError(f"{findings} is not of the labels in {labels_path}")
    if documents is None:
        result = reanchor_by_chunks(file.labels, index.snapshot)
    else:
        earlier = read_documents(previous) if previous else ()
        texts = read_documents(documents)
        result = reanchor(file.labels, index, texts, report.findings, previous=earlier)
    write_text(target, file.with_labels(result.judgments, origins(file.labels, result.judgments)))
    if queue_path is not None:
        write_rows(queue_path, review_queue(file.labels, result, index.by_id))
    if as_json:
        summary = {**summary_to_json(report), "resolution_summary": result.counts}
        print_json({"summary": summary, "path": str(target)})
    else:
        _print(report, result, printer)
    return 1 if any(result.counts[rule] for rule in OPEN) else 0


def _print(report: DriftReport, result: Reanchored, printer: Printer) -> None:
    counts = result.counts
    for status, count in report.counts.items():
        printer.line(printer.paint(f"{count:>6}  {status}", "" if count else "faint"))
    moved = sum(counts[rule] for rule in RESOLVED if rule != SAME)
    waiting = sum(counts[rule] for rule in OPEN)
    printer.line()
    printer.line(
        f"beyond the spec: {counts[SAME]} in place, {moved} re-anchored, {counts[HELD]} zeros held,"
        f" {waiting} for a person"
    )
    reasons = Counter((r.rule, r.reason) for r in result.resolutions if r.reason)
    for rule, count in counts.items():
        if count:
            tone = "good" if rule in RESOLVED else "warning" if rule in OPEN else "faint"
            why = ", ".join(f"{n} {why}" for (of, why), n in reasons.most_common() if of == rule)
            printer.line(printer.paint(f"{count:>6}  {rule:<13} {why}".rstrip(), tone))
