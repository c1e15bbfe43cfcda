"""fingerprint: documents to a corpus snapshot."""

from __future__ import annotations

from evergold.chunking.chunker import Chunker
from evergold.formats.corpus import write_snapshot
from evergold.formats.documents import read_documents
from evergold.pipeline import paths
from evergold.pipeline.params import Params


def run(params: Params) -> str:
    """Write the chunks of all documents."""
    params.one_of("chunker.unit", ("tokens",))
    strategy = params.text("chunker.strategy")
    size = params.integer("chunker.size", least=1)
    overlap = params.integer("chunker.overlap", least=0)
    params.built("chunker.strategy", lambda: Chunker(strategy, size))
    chunker = params.built("chunker.overlap", lambda: Chunker(strategy, size, overlap))
    snapshot = chunker.snapshot(read_documents(paths.DOCUMENTS))
    write_snapshot(paths.SNAPSHOT, snapshot)
    return f"{len(snapshot.chunks)} chunks @ {snapshot.corpus_fingerprint}"
