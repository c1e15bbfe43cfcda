"""`evergold validate`: what is wrong with a label file in itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from evergold.cli.output import Printer, color_option, json_option, needed, path_option, print_json
from evergold.formats.judgments import read_judgments
from evergold.identity import is_minted_chunk_id
from evergold.labels.validate import validate
from evergold.model import UNSTRATIFIED, Judgment


@click.command("validate")
@path_option("--judgments", "Label file.")
@json_option
@color_option
def command(judgments: Path | None, printer: Printer, *, as_json: bool) -> int:
    """Check a label file before you trust numbers made from it.

    Exit code 0 without errors, 1 with errors, 2 where the file cannot be read.
    """
    (path,) = needed("validate", judgments=judgments)
    labels = read_judgments(path)
    issues = validate(labels)
    sound = all(issue.severity != "error" for issue in issues)
    strata = Counter(judgment.stratum or UNSTRATIFIED for judgment in labels)
    queries = len({judgment.query_id for judgment in labels})
    if as_json:
        fingerprints = {j.corpus_fingerprint for j in labels if j.corpus_fingerprint}
        print_json(
            {
                "issues": [
                    {"severity": i.severity, "code": i.code, "message": i.message} for i in issues
                ],
                "queries": queries,
                "labels": len(labels),
                "humanLabels": _labeled(labels, "human:"),
                "syntheticLabels": _labeled(labels, "synthetic:"),
                "fingerprint": fingerprints.pop() if len(fingerprints) == 1 else None,
                "strata": dict(strata),
                "ok": sound,
            }
        )
        return 0 if sound else 1
    printer.line(f"{len(labels)} labels · {queries} queries · {len(strata)} strata")
    for issue in issues:
        tone = "bad" if issue.severity == "error" else "warning"
        printer.line(f"{printer.paint(issue.severity, tone)} [{issue.code}] {issue.message}")
    opaque = sum(bool(j.chunk_id) and not is_minted_chunk_id(j.chunk_id or "") for j in labels)
    if opaque:
        text = f"note: {opaque} labels have chunk ids of another tool, which are taken as they are"
        printer.line(printer.paint(text, "faint"))
    if not issues:
        printer.line(printer.paint("no issues", "good"))
    return 0 if sound else 1


def _labeled(labels: tuple[Judgment, ...], prefix: str) -> int:
    return sum((label.labeled_by or "").startswith(prefix) for label in labels)
