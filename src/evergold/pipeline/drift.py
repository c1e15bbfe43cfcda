"""drift: golden labels and a corpus snapshot to findings."""

from __future__ import annotations

from evergold.formats.corpus import SnapshotFile
from evergold.formats.findings import write_findings
from evergold.formats.judgments import read_labels
from evergold.labels.drift import drift
from evergold.pipeline import paths
from evergold.pipeline.params import Params


def run(_params: Params) -> str:
    """Write the status of every golden label."""
    report = drift(read_labels(paths.JUDGMENTS), SnapshotFile(paths.SNAPSHOT))
    write_findings(paths.FINDINGS, report)
    counts = ", ".join(
        f"{count} {status.lower()}" for status, count in report.counts.items() if count
    )
    return f"{len(report.findings)} labels: {counts}"
