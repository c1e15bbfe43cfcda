"""`evergold anchor`: spans and evidence for labels that have none."""

from __future__ import annotations

from collections.abc import Mapping
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
from evergold.errors import UsageError
from evergold.formats.corpus import read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.files import write_text
from evergold.formats.judgments import read_label_file
from evergold.formats.questions import read_questions
from evergold.labels.absorb import separate
from evergold.labels.anchor import anchor
from evergold.labels.rebuild import documents_by_offsets


@click.command("anchor")
@path_option("--judgments", "Label file.")
@path_option("--documents", "Documents that the labels were judged on.")
@path_option("--corpus", "Snapshot with offsets; with it, chunk ids show places, too.")
@path_option("--questions", "Question list: its snippets become evidence.")
@path_option("--out", "Write the labels here.")
@json_option
@color_option
def command(
    judgments: Path | None,
    documents: Path | None,
    corpus: Path | None,
    questions: Path | None,
    out: Path | None,
    printer: Printer,
    *,
    as_json: bool,
) -> int:
    """Give labels their place in their documents: by chunk id, text or hash, never by guess.

    A snippet of a question list becomes evidence where it stands once in the judged text; without
    evidence the whole judged text stands for it. Exit code 0 where every label has a span, 1 where
    not, 2 where a file cannot be read.
    """
    labels_path, out_path = needed("anchor", judgments=judgments, out=out)
    if documents is None and corpus is None:
        raise UsageError("anchor needs --documents or --corpus")
    target = checked_output(out_path, (labels_path, documents, corpus, questions))
    file = read_label_file(labels_path).checked()
    snapshot = read_snapshot(corpus) if corpus else None
    texts = read_documents(documents) if documents else ()
    if documents is None and snapshot is not None:
        texts = documents_by_offsets(snapshot)
    asked = read_questions(questions).questions if questions else ()
    result = anchor(file.labels, texts, snapshot, asked)
    write_text(target, file.with_labels(result.judgments, range(len(file.labels))))
    left = sum(result.without.values())
    if as_json:
        data = {
            "labels": len(separate(file.labels)),
            "spans": dict(result.spans),
            "without_span": dict(result.without),
            "evidence": dict(result.evidence),
            "path": str(target),
        }
        print_json(data)
    else:
        printer.line(f"labels    {len(separate(file.labels))} in {target}")
        printer.line(f"spans     {_counts(result.spans)}")
        if left:
            printer.line(printer.paint(f"without   {_counts(result.without)}", "warning"))
        printer.line(f"evidence  {_counts(result.evidence)}")
    return 1 if left else 0


def _counts(counts: Mapping[str, int]) -> str:
    found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return " · ".join(f"{count} {name}" for name, count in found) or "none"
