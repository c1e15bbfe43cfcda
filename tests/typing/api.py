"""The public API as its users type it: checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import evergold


def labels_of_a_file(path: Path) -> tuple[evergold.Judgment, ...]:
    """Files come back as frozen data."""
    judgments = evergold.read_judgments(path)
    evergold.write_judgments(path, judgments)
    evergold.write_qrels(path, evergold.from_qrels(evergold.to_qrels(judgments), as_chunk_ids=True))
    return evergold.read_qrels(path, as_chunk_ids=True)


def other_forms(folder: Path) -> tuple[str, ...]:
    """Read and write runs in TREC columns, and question lists."""
    run = evergold.read_run(folder / "run.txt")
    evergold.write_trec_run(folder / "out.txt", run)
    questions = evergold.read_questions(folder / "questions.yaml")
    evergold.write_questions(folder / "out.yaml", questions)
    cuts: tuple[int, ...] = run[0].ties
    return tuple(f"{question.id} {cuts}" for question in questions.questions)


def a_corpus(path: Path) -> evergold.Snapshot:
    """Cut a document into a snapshot."""
    text = evergold.normalize("Refunds take 14 days.")
    document = evergold.Document("handbook://refunds", evergold.text_sha(text), text)
    snapshot: evergold.Snapshot = evergold.Chunker("recursive", 512, 64).snapshot([document])
    chunk: evergold.Chunk = snapshot.chunks[0]
    same: bool = chunk.chunk_id == evergold.chunk_id(
        chunk.doc_uri, chunk.doc_revision, chunk.ordinal, chunk.text, "recursive/512/64"
    )
    fingerprint: str = evergold.corpus_fingerprint("recursive/512/64", [("handbook://a", "r1")])
    evergold.write_snapshot(path, snapshot)
    assert same
    assert fingerprint != snapshot.corpus_fingerprint
    return evergold.read_snapshot(path)


def what_still_holds(
    judgments: tuple[evergold.Judgment, ...], snapshot: evergold.Snapshot
) -> Iterator[str]:
    """Read the status of a finding and the code of an issue."""
    report = evergold.drift(judgments, snapshot)
    ratio: float = report.invalid_ratio
    yield f"{ratio:.3f}"
    for finding in report.findings:
        if finding.status == "ORPHANED":
            yield finding.query_id
    for issue in evergold.validate(judgments):
        if issue.severity == "error":
            yield issue.code


def scores(folder: Path) -> Mapping[str, float]:
    """Give settings as keywords; a unit is one of two words."""
    judgments = evergold.read_judgments(folder / "judgments.jsonl")
    run = evergold.read_run(folder / "run.jsonl")
    queries = evergold.read_queries(folder / "queries.jsonl")
    found = evergold.score(judgments, run, k=(5, 10), threshold=2, queries=queries)
    documents = {"c1": "handbook://a"}
    evergold.score(judgments, run, unit="document", documents=documents)
    evergold.score(judgments, run, unit="page")  # type: ignore[arg-type]
    strata = evergold.score_by_stratum(judgments, run, (5,), 1, queries)
    worst: tuple[str, float] | None = evergold.worst_stratum(strata, "recall@5")
    trec = evergold.trec_eval_scores(judgments, run, (10,), level=2, complete=True)
    assert worst
    assert trec.overall["map"] >= 0.0
    return {name: measurement.value for name, measurement in found.metrics.items()}


def a_verdict(judgments: tuple[evergold.Judgment, ...], run: tuple[evergold.Ranking, ...]) -> str:
    """Gates are parsed, then seen by a report."""
    report = evergold.retrieval_report(judgments, evergold.score(judgments, run))
    gates = [evergold.parse_gate("recall@10:0.8"), evergold.parse_gate("max-invalid:0.05")]
    results = evergold.evaluate_gates(gates, report, baseline=None)
    return ", ".join(result.reason or result.status for result in results)


def refused(path: Path) -> str:
    """Every error on purpose has one base, an exit code and one line to show."""
    try:
        evergold.read_run(path)
    except evergold.InputError as error:
        return error.display
    except evergold.EvergoldError as error:
        code: int = error.exit_code
        return str(code)
    mean, interval = evergold.summarize([0.8, 1.0]).value, evergold.summarize([0.8, 1.0]).ci
    bounds: tuple[float, float] | None = interval
    return f"{mean:.2f} {bounds}"
