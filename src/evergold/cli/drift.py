"""`evergold drift`: which labels still hold against a live corpus, and their new places."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
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
from evergold.formats.corpus import SnapshotFile, read_snapshot
from evergold.formats.documents import read_documents
from evergold.formats.files import locked, read_text, write_text
from evergold.formats.findings import drift_to_json
from evergold.formats.judgments import LabelFile, read_label_file
from evergold.labels.absorb import origins, separate
from evergold.labels.drift import CorpusIndex, drift
from evergold.labels.reanchor import reanchor
from evergold.labels.rebuild import reanchor_by_chunks
from evergold.labels.spec_fix import spec_fix
from evergold.model import STATUSES, DriftReport, Finding, Judgment

_MEANINGS = {
    "VALID": ("good", "the chunk is still there"),
    "RE_ANCHORABLE": ("warning", "the text is now another chunk"),
    "MERGED": ("warning", "the text is now inside a larger chunk"),
    "SPLIT": ("warning", "the text is now in two or more chunks"),
    "ORPHANED": ("bad", "no live chunk has the text"),
}


@dataclass(frozen=True, slots=True)
class _Fix:
    """What re-anchoring did: the new text of the file, and the state after it."""

    text: str
    report: DriftReport
    re_anchored: int

    @property
    def needs_review(self) -> int:
        return len(self.report.findings) - self.report.counts["VALID"]


@click.command("drift")
@path_option("--judgments", "Label file.")
@path_option("--corpus", "Corpus snapshot, as JSON Lines or the published JSON object.")
@path_option("--documents", "With --fix: the documents of the corpus; evidence then counts.")
@path_option("--previous", "With --documents: the documents that the labels were judged on.")
@click.option(
    "--fix",
    is_flag=False,
    flag_value="sound",
    metavar="[=spec]",
    help="Re-anchor what can be proved; =spec does what the published tool does.",
)
@path_option("--out", "With --fix: write the labels here and leave the label file alone.")
@click.option("--dry-run", is_flag=True, help="With --fix: say what would change, write nothing.")
@click.option("--max-invalid", type=float, help="Share of labels that may be invalid (default 0).")
@click.option("--list", "listed", is_flag=True, help="One line for each label.")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice(STATUSES, case_sensitive=False),
    help="With --list: only these; repeatable.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    help="With --list: the form of the list.",
)
@json_option
@color_option
def command(
    judgments: Path | None,
    corpus: Path | None,
    documents: Path | None,
    previous: Path | None,
    fix: str | None,
    out: Path | None,
    max_invalid: float | None,
    statuses: Sequence[str],
    form: str,
    printer: Printer,
    *,
    dry_run: bool,
    listed: bool,
    as_json: bool,
) -> int:
    """Say which labels still hold against a live corpus.

    Exit code 0 where every label is VALID (or all but the share of --max-invalid), 1 where not,
    2 where a file cannot be read. With --fix it is the state after the fix.
    """
    labels_path, corpus_path = needed("drift", judgments=judgments, corpus=corpus)
    if fix not in (None, "sound", "spec"):
        raise UsageError(f"--fix takes no value or spec, got '{fix}'")
    if fix is None and (out or dry_run or documents):
        raise UsageError("--out, --dry-run and --documents go with --fix")
    if previous is not None and documents is None:
        raise UsageError("--previous goes with --documents")
    if (statuses or form != "text") and not listed:
        raise UsageError("--status and --format go with --list")
    if max_invalid is not None and not 0 <= max_invalid <= 1:
        raise UsageError(f"--max-invalid expects a share from 0 to 1, got '{max_invalid}'")
    target = (
        checked_output(out, (labels_path, corpus_path, documents, previous)) if out else labels_path
    )
    fixed = None
    if fix is None:
        judged = _read(labels_path).labels
        file = SnapshotFile(corpus_path)
        report = drift(judged, file)
        _refuse_empty(corpus_path, file.count)
    else:
        index = CorpusIndex(read_snapshot(corpus_path))
        _refuse_empty(corpus_path, len(index.snapshot.chunks))
        with locked(labels_path.absolute().parent):
            labels = _read(labels_path)
            report = drift(labels.labels, index)
            fixed = _fix(labels, report, index, documents, previous, published=fix == "spec")
            if not dry_run and out is not None:
                write_text(target, fixed.text)
            elif not dry_run and fixed.text != labels.text:
                _refuse_changed(labels)
                write_text(target, fixed.text)
    if as_json:
        data = drift_to_json(report)
        if fixed is not None:
            data["fix"] = {
                "re_anchored": fixed.re_anchored,
                "needs_review": fixed.needs_review,
                "path": None if dry_run else str(target),
            }
        print_json(data)
    elif listed:
        _list([f for f in report.findings if not statuses or f.status in statuses], form, printer)
    else:
        _summary(report, printer, fixing=fixed is not None)
    if fixed is not None and not as_json:
        verb = "would re-anchor" if dry_run else "re-anchored"
        printer.line(f"fixed   {verb} {fixed.re_anchored} label(s) in {target}")
        printer.line(f"review  {fixed.needs_review} label(s) still need a human")
    state = (fixed.report if fixed else report).invalid_ratio
    return 1 if state > (max_invalid or 0) else 0


def _refuse_empty(corpus: Path, chunks: int) -> None:
    if not chunks:
        raise InputError("no chunks", path=corpus, source="corpus")


def _read(path: Path) -> LabelFile:
    labels = read_label_file(path)
    if not labels.labels:
        raise InputError("no judgments", path=path, line=1, source="judgments")
    return labels


def _fix(
    labels: LabelFile,
    report: DriftReport,
    index: CorpusIndex,
    documents: Path | None,
    previous: Path | None,
    *,
    published: bool,
) -> _Fix:
    judgments = labels.labels
    rows: list[int | None]
    after: Sequence[Judgment]
    if published:
        after = spec_fix(judgments, report)
        rows = list(range(len(after)))
    else:
        if documents is None:
            result = reanchor_by_chunks(judgments, index.snapshot)
        else:
            earlier = read_documents(previous) if previous else ()
            texts = read_documents(documents)
            result = reanchor(judgments, index, texts, report.findings, previous=earlier)
        after = result.judgments
        rows = origins(judgments, after)
    pairs = zip(separate(judgments), separate(after), strict=True)
    moved = sum(old.chunk_id != new.chunk_id for old, new in pairs)
    return _Fix(labels.with_labels(after, rows), drift(after, index), moved)


def _refuse_changed(labels: LabelFile) -> None:
    if not labels.path.is_file():
        raise UsageError(f"{labels.path} is no file; name one with --out")
    if read_text(labels.path) != labels.text:
        message = f"{labels.path} changed while its labels were re-anchored; nothing was written"
        raise InputError(message)


def _summary(report: DriftReport, printer: Printer, *, fixing: bool) -> None:
    counts = report.counts
    unverified = sum(finding.verified is False for finding in report.findings)
    printer.line(f"{len(report.findings)} labels @ {report.judgments_fingerprint or 'unknown'}")
    printer.line(f"live corpus @ {report.corpus_fingerprint or 'unknown'}")
    printer.line()
    for status, (tone, meaning) in _MEANINGS.items():
        count = counts[status]  # type: ignore[index]
        row = f"{count:>6}  {status:<14} {meaning}"
        printer.line(printer.paint(row, tone if count else "faint"))
    if unverified:
        printer.line()
        text = f"{unverified} of the VALID labels name a chunk that is not what was judged"
        printer.line(printer.paint(f"warning: {text}", "warning"))
    if not report.invalid_ratio:
        return
    printer.line()
    percent = round(report.invalid_ratio * 100) or "under 1"
    printer.line(
        f"{percent}% of the labels do not match the live corpus:"
        " a metric computed now measures two changes at once"
    )
    if not fixing:
        printer.line(
            "next: evergold drift --list to see them, --fix to re-anchor what can be proved"
        )


def _list(findings: Sequence[Finding], form: str, printer: Printer) -> None:
    head = ("row", "status", "query_id", "doc_uri", "chunk_id", "target")
    rows = [
        (
            str(f.row),
            f.status,
            f.query_id,
            f.doc_uri,
            f.chunk_id or "",
            f.reanchor_to or " ".join(f.split_into),
        )
        for f in findings
    ]
    if form == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])
        printer.line(stream.getvalue().removesuffix("\n"))
    elif form == "markdown":
        for row in (head, ("---",) * len(head), *rows):
            printer.line("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    else:
        for row in rows:
            printer.line("  ".join(cell for cell in row if cell))
