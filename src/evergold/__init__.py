"""evergold keeps a golden set true and judges retrieval by it.

The names below are the public API, with the fields of what they take and return; everything
else may change without notice. They are loaded on first use, so that `import evergold` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Chunk",
    "Chunker",
    "Document",
    "EvergoldError",
    "InputError",
    "Judgment",
    "Query",
    "Ranking",
    "Sample",
    "Snapshot",
    "UsageError",
    "anchor",
    "chunk_id",
    "corpus_fingerprint",
    "drift",
    "evaluate_gates",
    "from_qrels",
    "measurements",
    "normalize",
    "parse_gate",
    "read_judgments",
    "read_qrels",
    "read_queries",
    "read_questions",
    "read_run",
    "read_samples",
    "read_snapshot",
    "reanchor",
    "retrieval_report",
    "score",
    "score_by_stratum",
    "summarize",
    "text_sha",
    "to_qrels",
    "trec_eval_scores",
    "validate",
    "worst_stratum",
    "write_judgments",
    "write_qrels",
    "write_questions",
    "write_run",
    "write_snapshot",
    "write_trec_run",
]

_HOMES = {
    "Chunk": "evergold.model",
    "Chunker": "evergold.chunking.chunker",
    "Document": "evergold.model",
    "EvergoldError": "evergold.errors",
    "InputError": "evergold.errors",
    "Judgment": "evergold.model",
    "Query": "evergold.model",
    "Ranking": "evergold.model",
    "Sample": "evergold.model",
    "Snapshot": "evergold.model",
    "UsageError": "evergold.errors",
    "anchor": "evergold.labels.anchor",
    "chunk_id": "evergold.identity",
    "corpus_fingerprint": "evergold.identity",
    "drift": "evergold.labels.drift",
    "evaluate_gates": "evergold.gates",
    "from_qrels": "evergold.formats.qrels",
    "measurements": "evergold.statistics.summarize",
    "normalize": "evergold.identity",
    "parse_gate": "evergold.gates",
    "read_judgments": "evergold.formats.judgments",
    "read_qrels": "evergold.formats.qrels",
    "read_queries": "evergold.formats.queries",
    "read_questions": "evergold.formats.questions",
    "read_run": "evergold.formats.runs",
    "read_samples": "evergold.formats.samples",
    "read_snapshot": "evergold.formats.corpus",
    "reanchor": "evergold.labels.reanchor",
    "retrieval_report": "evergold.reporting.retrieval",
    "score": "evergold.scoring.score",
    "score_by_stratum": "evergold.scoring.score",
    "summarize": "evergold.statistics.summarize",
    "text_sha": "evergold.identity",
    "to_qrels": "evergold.formats.qrels",
    "trec_eval_scores": "evergold.scoring.trec_eval",
    "validate": "evergold.labels.validate",
    "worst_stratum": "evergold.scoring.score",
    "write_judgments": "evergold.formats.judgments",
    "write_qrels": "evergold.formats.qrels",
    "write_questions": "evergold.formats.questions",
    "write_run": "evergold.formats.runs",
    "write_snapshot": "evergold.formats.corpus",
    "write_trec_run": "evergold.formats.trec_run",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'evergold' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted((*__all__, "__version__"))


if TYPE_CHECKING:
    from evergold.chunking.chunker import Chunker
    from evergold.errors import EvergoldError, InputError, UsageError
    from evergold.formats.corpus import read_snapshot, write_snapshot
    from evergold.formats.judgments import read_judgments, write_judgments
    from evergold.formats.qrels import from_qrels, read_qrels, to_qrels, write_qrels
    from evergold.formats.queries import read_queries
    from evergold.formats.questions import read_questions, write_questions
    from evergold.formats.runs import read_run, write_run
    from evergold.formats.samples import read_samples
    from evergold.formats.trec_run import write_trec_run
    from evergold.gates import evaluate_gates, parse_gate
    from evergold.identity import chunk_id, corpus_fingerprint, normalize, text_sha
    from evergold.labels.anchor import anchor
    from evergold.labels.drift import drift
    from evergold.labels.reanchor import reanchor
    from evergold.labels.validate import validate
    from evergold.model import Chunk, Document, Judgment, Query, Ranking, Sample, Snapshot
    from evergold.reporting.retrieval import retrieval_report
    from evergold.scoring.score import score, score_by_stratum, worst_stratum
    from evergold.scoring.trec_eval import trec_eval_scores
    from evergold.statistics.summarize import measurements, summarize
