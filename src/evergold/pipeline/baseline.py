"""Promoting a baseline: a decision of a person or of the main branch's CI, not of a stage."""

from __future__ import annotations

from dataclasses import replace

from evergold.formats.corpus import read_snapshot, snapshot_rows
from evergold.formats.files import read_text, write_texts
from evergold.formats.jsonl import rows_to_text
from evergold.formats.judgments import judgment_to_json, read_labels
from evergold.formats.reports import read_report
from evergold.formats.runs import read_run
from evergold.labels.absorb import separate
from evergold.labels.private import without_text
from evergold.pipeline import paths
from evergold.pipeline.current import refuse_outdated
from evergold.pipeline.params import Params


def promote_baseline() -> list[str]:
    """Copy score, run, labels and the chunks that they name to data/baseline.

    Returns a line for each file. Texts are left out where `privacy.text` is `hashes`. Raises
    `UsageError` where anything that they come from changed since the last run.
    """
    refuse_outdated(("ingest", "fingerprint", "drift", "reanchor", "retrieve", "score"))
    with_text = Params(paths.PARAMS).one_of("privacy.text", ("full", "hashes")) == "full"
    judgments = read_labels(paths.REANCHORED)
    labels = separate(judgments)
    named = {key for ranking in read_run(paths.RUN) for key in ranking.keys}
    named.update(label.key for label in labels)
    named.update(key for label in labels if label.anchor for key in label.anchor.also)
    snapshot = read_snapshot(paths.SNAPSHOT)
    chunks = tuple(chunk for chunk in snapshot.chunks if chunk.chunk_id in named)
    if not with_text:
        judgments = tuple(map(without_text, judgments))
        chunks = tuple(replace(chunk, text="") for chunk in chunks)
    read_report(paths.SCORE, complete=True)
    texts = {
        paths.SCORE: read_text(paths.SCORE),
        paths.RUN: read_text(paths.RUN),
        paths.REANCHORED: rows_to_text(map(judgment_to_json, judgments)),
        paths.SNAPSHOT: rows_to_text(snapshot_rows(replace(snapshot, chunks=chunks))),
    }
    copies = {paths.BASELINE / path.name: text for path, text in texts.items()}
    write_texts(copies)
    return [str(path) for path in copies]
