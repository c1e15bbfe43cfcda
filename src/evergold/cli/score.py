"""`evergold score`: a run against labels, judged by gates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from evergold.cli.output import (
    Printer,
    checked_output,
    color_option,
    json_option,
    needed,
    path_option,
)
from evergold.cli.verdict import judged
from evergold.errors import InputError, UsageError
from evergold.formats.corpus import read_snapshot
from evergold.formats.files import sha256
from evergold.formats.judgments import read_judgments
from evergold.formats.queries import read_queries
from evergold.formats.reports import read_report
from evergold.formats.runs import read_run
from evergold.gates import parse_gate
from evergold.labels.drift import drift
from evergold.model import Snapshot
from evergold.pipeline.clock import now
from evergold.reporting.console import score_lines
from evergold.reporting.retrieval import retrieval_report
from evergold.scoring.score import score

_POSITIVE = re.compile(r"0*[1-9][0-9]{0,8}\Z")


def _positive(_context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Return the positive integers that an option was given."""
    given = value if isinstance(value, tuple) else (value,)
    for text in given:
        if not _POSITIVE.match(text):
            raise UsageError(f"{parameter.opts[0]} expects a positive integer, got '{text}'")
    numbers = tuple(dict.fromkeys(map(int, given)))
    return numbers if isinstance(value, tuple) else numbers[0]


@click.command("score")
@path_option("--judgments", "Label file.")
@path_option("--run", "Run, as JSON Lines or in TREC columns.")
@path_option("--corpus", "Corpus snapshot: drift of the labels, documents of the chunks.")
@path_option("--queries", "Queries; their strata count before those of the labels.")
@click.option(
    "-k",
    multiple=True,
    default=("10",),
    metavar="N",
    callback=_positive,
    help="Cutoff; repeatable (default 10).",
)
@click.option(
    "--threshold",
    default="1",
    metavar="N",
    callback=_positive,
    help="Lowest grade that is relevant (default 1).",
)
@click.option(
    "--unit",
    type=click.Choice(["chunk", "document"]),
    default="chunk",
    help="What is ranked (default chunk).",
)
@click.option(
    "--gate", "gates", multiple=True, metavar="GATE", help="Such as recall@5:-0.02; repeatable."
)
@click.option("--max-invalid", metavar="SHARE", help="Short for --gate max-invalid:SHARE.")
@path_option("--baseline", "Report that gates on a change compare with.")
@path_option("--out", "Write the report here.")
@json_option
@color_option
def command(
    judgments: Path | None,
    run: Path | None,
    corpus: Path | None,
    queries: Path | None,
    k: tuple[int, ...],
    threshold: int,
    unit: str,
    gates: Sequence[str],
    max_invalid: str | None,
    baseline: Path | None,
    out: Path | None,
    printer: Printer,
    *,
    as_json: bool,
) -> int:
    """Score a run against labels.

    Exit code 0 only for PASS, 1 for FAIL and INDETERMINATE, 2 where a file cannot be read.
    """
    labels_path, run_path = needed("score", judgments=judgments, run=run)
    expressions = [*gates, *([] if max_invalid is None else [f"max-invalid:{max_invalid}"])]
    parsed = [parse_gate(expression) for expression in expressions]
    given = {
        "judgments": labels_path,
        "run": run_path,
        "corpus": corpus,
        "queries": queries,
        "baseline": baseline,
    }
    inputs = {name: path for name, path in given.items() if path is not None}
    if out is not None:
        checked_output(out, inputs.values())
    before = None if baseline is None else read_report(baseline, source="baseline")
    labels = read_judgments(labels_path)
    snapshot = None if corpus is None else _snapshot(corpus)
    scores = score(
        labels,
        read_run(run_path),
        k,
        threshold,
        () if queries is None else read_queries(queries),
        unit="document" if unit == "document" else "chunk",
        documents=None if snapshot is None else {c.chunk_id: c.doc_uri for c in snapshot.chunks},
    )
    report = retrieval_report(
        labels,
        scores,
        snapshot=snapshot,
        drift=None if snapshot is None else drift(labels, snapshot),
        # What came through a pipe is gone.
        inputs={name: sha256(path) for name, path in inputs.items() if path.is_file()},
    )
    report["generated_at"] = now()
    return judged(report, parsed, before, out, printer, score_lines, as_json=as_json)


def _snapshot(path: Path) -> Snapshot:
    snapshot = read_snapshot(path)
    if not snapshot.chunks:
        raise InputError("no chunks", path=path, source="corpus")
    return snapshot
