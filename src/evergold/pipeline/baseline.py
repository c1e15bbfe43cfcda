"""Promoting a baseline: a decision of a person or of the main branch's CI, not of a stage."""

from __future__ import annotations

from dataclasses import replace

from evergold.formats.corpus import read_snapshot, write_snapshot
from evergold.formats.files import read_text, write_text
from evergold.formats.judgments import read_labels, write_judgments
from evergold.formats.runs import read_run
from evergold.labels.absorb import separate
from evergold.labels.private import without_text
from evergold.pipeline import paths
from evergold.pipeline.params import Params


def promote_baseline() -> list[str]:
    """Copy score, run, labels and the chunks that they name to data/baseline.

    Returns a line for each file. Texts are left out where `privacy.text` is `hashes`.
    """
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
    copies = {path: read_text(path) for path in (paths.SCORE, paths.RUN)}

    lines = []
    for path, text in copies.items():
        write_text(paths.BASELINE / path.name, text)
        lines.append(str(paths.BASELINE / path.name))
    write_judgments(paths.BASELINE / paths.REANCHORED.name, judgments)
    lines.append(str(paths.BASELINE / paths.REANCHORED.name))
    write_snapshot(paths.BASELINE / paths.SNAPSHOT.name, replace(snapshot, chunks=chunks))
    return [*lines, str(paths.BASELINE / paths.SNAPSHOT.name)]
