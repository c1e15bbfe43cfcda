"""What each of the two tools says of a case, as the same plain data, by subject.

A subject is left out where a tool refuses a file that it needs; what it says then is the answer on
the reading of that file: `["refused", message]`, or `["trace", error]` where a stack trace would
end the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import retrieval_eval
from retrieval_eval.gate import Gate as PublishedGate

from evergold.errors import EvergoldError
from evergold.formats.corpus import read_snapshot
from evergold.formats.findings import drift_to_json
from evergold.formats.jsonl import rows_to_text
from evergold.formats.judgments import judgment_to_json, read_judgments
from evergold.formats.qrels import from_qrels, to_qrels
from evergold.formats.runs import read_run
from evergold.formats.trec_run import read_trec_run, to_trec_run
from evergold.gates import Gate, evaluate_gates, parse_gate
from evergold.labels.drift import drift
from evergold.labels.spec_fix import spec_fix
from evergold.labels.validate import validate
from evergold.model import GateResult, Judgment, Measurement, Ranking, Snapshot
from evergold.reporting.retrieval import retrieval_report
from evergold.scoring.score import Scores, score, worst_stratum
from evergold.statistics.summarize import summarize
from tests.differential.cases import Case

Answers = dict[str, Any]
FILES = ("labels", "corpus", "run")
# What ends the published commands with a stack trace.
_TRACES = (AttributeError, KeyError, OverflowError, TypeError)
# The published names of the values of one query, in the order of the metrics.
_QUERY_VALUES = ("precision", "recall", "ndcg", "mrr", "ap", "hit_rate")
# The checks of one row; the others are of the whole set.
ROW_CODES = ("duplicate-label", "inconsistent-query-text", "bad-chunk-id", "bad-text-sha")


def refused(message: str) -> list[str]:
    """Return the answer of a tool that does not take a file or an expression."""
    return ["refused", message]


def is_refused(answer: Any) -> bool:
    """Return whether a tool has not taken a file or an expression."""
    return isinstance(answer, list) and answer[:1] in (["refused"], ["trace"])


def _tried(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except EvergoldError as error:
        return refused(str(error))
    except ValueError as error:
        return refused(str(error))
    except _TRACES as error:
        return ["trace", type(error).__name__]


@dataclass(frozen=True, slots=True)
class Published:
    """The files of a case as the published tool has read them; a list where it has not."""

    labels: Any
    corpus: Any
    run: Any


def published_files(labels: str, corpus: str, run: str) -> Published:
    """Return the files of these texts, read by the published tool."""
    return Published(
        labels=_tried(lambda: tuple(retrieval_eval.parse_judgments(labels))),
        corpus=_tried(lambda: retrieval_eval.parse_corpus(corpus)),
        run=_tried(lambda: tuple(retrieval_eval.parse_run(run))),
    )


def published_readings(files: Published) -> Answers:
    """Return the answers on the reading of labels, corpus and run."""
    labels, corpus, run = files.labels, files.corpus, files.run
    return {
        "labels": labels if is_refused(labels) else retrieval_eval.serialize_judgments(labels),
        "corpus": corpus if is_refused(corpus) else _corpus(corpus),
        "run": run if is_refused(run) else [[entry.query_id, entry.ranking] for entry in run],
    }


def published_answers(case: Case, files: Published, ours: Answers) -> Answers:
    """Return what the published tool says; of files that `ours` refuses, the reading alone."""
    answers: Answers = {
        **published_readings(files),
        "TREC run": _tried(
            lambda: [
                [entry.query_id, entry.ranking]
                for entry in retrieval_eval.from_trec_run(case.trec_run)
            ]
        ),
        "qrels": _tried(
            lambda: retrieval_eval.serialize_judgments(
                retrieval_eval.from_qrels(case.qrels, as_chunk_ids=case.as_chunk_ids)
            )
        ),
        "gates": [_published_gate(expression) for expression in case.gates],
        "summary": _tried(lambda: _measurement(retrieval_eval.summarize(case.samples))),
    }
    labels, corpus, run = (
        ours[name] if is_refused(ours[name]) else file
        for name, file in zip(FILES, (files.labels, files.corpus, files.run), strict=True)
    )
    if not is_refused(run):
        answers["run in columns"] = retrieval_eval.to_trec_run(run)
    if is_refused(labels):
        return answers
    answers["labels in columns"] = retrieval_eval.to_qrels(labels)
    answers["issues"] = published_issues(labels)
    found = None
    if not is_refused(corpus):
        found = retrieval_eval.drift(labels, corpus)
        answers["drift"] = found.to_dict()
        answers["fix"] = [j.to_dict() for j in retrieval_eval.fix(labels, found).judgments]
    if not is_refused(run):
        answers["scores"] = [
            published_scores(labels, run, k, case.threshold, strata=_has_strata(labels))
            for k in case.k
        ]
        live = None if is_refused(corpus) else corpus
        report = retrieval_eval.build_report(labels, run, case.k[0], case.threshold, live, found)
        answers["report"] = report.to_dict()
    return answers


def our_answers(case: Case, folder: Path) -> Answers:
    """Return what evergold says of the same files."""
    labels = _read(folder / "labels.jsonl", case.labels, read_judgments)
    snapshot = _read(folder / "corpus.json", case.corpus, read_snapshot)
    run = _read(folder / "run.jsonl", case.run, read_run)
    trec_run = _tried(lambda: read_trec_run(Path("run"), case.trec_run))
    answers: Answers = {
        "labels": labels if is_refused(labels) else _text(labels),
        "corpus": snapshot if is_refused(snapshot) else _snapshot(snapshot),
        "run": run if is_refused(run) else _rankings(run),
        "TREC run": trec_run if is_refused(trec_run) else _rankings(trec_run),
        "qrels": _tried(lambda: _text(from_qrels(case.qrels, as_chunk_ids=case.as_chunk_ids))),
        "gates": [_our_gate(expression) for expression in case.gates],
        "summary": _tried(lambda: _measurement(summarize(case.samples))),
    }
    if not is_refused(run):
        answers["run in columns"] = _tried(lambda: to_trec_run(run))
    if is_refused(labels):
        return answers
    answers["labels in columns"] = _tried(lambda: to_qrels(labels))
    answers["issues"] = [[i.severity, i.code, i.message] for i in validate(labels)]
    found = None
    if not is_refused(snapshot):
        found = drift(labels, snapshot)
        answers["drift"] = drift_to_json(found)
        answers["fix"] = [judgment_to_json(label) for label in spec_fix(labels, found)]
    if not is_refused(run):
        scores = score(labels, run, case.k, case.threshold)
        answers["scores"] = [_our_scores(scores, k) for k in case.k]
        live = None if is_refused(snapshot) else snapshot
        first = score(labels, run, case.k[:1], case.threshold)
        answers["report"] = retrieval_report(labels, first, snapshot=live, drift=found)
    return answers


def _read(path: Path, text: str, reader: Callable[[Path], Any]) -> Any:
    path.unlink(missing_ok=True)  # a new file is written faster than an old one is cut
    path.write_bytes(text.encode())
    return _tried(lambda: reader(path))


def _text(labels: Iterable[Judgment]) -> str:
    return rows_to_text(map(judgment_to_json, labels))


def _rankings(run: Iterable[Ranking]) -> list[list[Any]]:
    return [[ranking.query_id, list(ranking.keys)] for ranking in run]


def _corpus(corpus: retrieval_eval.Corpus) -> list[Any]:
    """Return a snapshot with what absent fields stand for."""
    chunks = [
        [
            chunk.chunk_id,
            chunk.doc_uri,
            chunk.doc_revision or "",
            chunk.ordinal or 0,
            chunk.text or "",
            chunk.text_sha
            or (chunk.text is not None and _tried(partial(retrieval_eval.text_sha, chunk.text))),
        ]
        for chunk in corpus.chunks
    ]
    return [corpus.corpus_fingerprint, corpus.chunker_fingerprint, chunks]


def _snapshot(snapshot: Snapshot) -> list[Any]:
    chunks = [
        [c.chunk_id, c.doc_uri, c.doc_revision, c.ordinal, c.text, c.text_sha]
        for c in snapshot.chunks
    ]
    return [snapshot.corpus_fingerprint, snapshot.chunker_fingerprint, chunks]


def published_issues(labels: Sequence[retrieval_eval.Judgment]) -> list[list[list[str]]]:
    """Return the issues of each row, and last those of the set.

    The published tool says only all at once: of a row is what the rows up to it have more.
    """
    issues = _issues(labels)
    rows = [issue for issue in issues if issue[1] in ROW_CODES]
    if not rows:
        return [*([] for _ in labels), issues]
    ends = [
        len([issue for issue in _issues(labels[:end]) if issue[1] in ROW_CODES])
        for end in range(len(labels) + 1)
    ]
    return [*(rows[start:end] for start, end in pairwise(ends)), issues[len(rows) :]]


def _issues(labels: Sequence[retrieval_eval.Judgment]) -> list[list[str]]:
    found = retrieval_eval.validate(labels).issues
    return [[issue.severity, issue.code, issue.message] for issue in found]


def _has_strata(labels: Iterable[retrieval_eval.Judgment]) -> bool:
    return any(label.stratum is not None for label in labels)


def published_scores(
    labels: Sequence[retrieval_eval.Judgment],
    run: Sequence[retrieval_eval.RunEntry],
    k: int,
    threshold: int,
    *,
    strata: bool,
) -> dict[str, Any]:
    """Return what the published tool scores at one k; of queries, those in the means."""
    found = retrieval_eval.score(labels, run, k=k, threshold=threshold)
    out = found.queries_without_positives
    by_stratum = {}
    if strata:
        by_stratum = retrieval_eval.score_by_stratum(labels, run, k=k, threshold=threshold)
    worst = retrieval_eval.worst_stratum(by_stratum, f"ndcg@{k}")
    return {
        "metrics": _values(found.metrics),
        "queries": {
            query_id: [round(getattr(values, name), 12) for name in _QUERY_VALUES]
            for query_id, values in found.per_query.items()
            if query_id not in out
        },
        "strata": {name: [s.n, _values(s.metrics)] for name, s in by_stratum.items()},
        "worst": worst and list(worst[:2]),
        "without": out,
        "missing": [query_id for query_id in found.missing_queries if query_id not in out],
        "repeated": sorted(found.queries_with_duplicates),
    }


def _our_scores(scores: Scores, k: int) -> dict[str, Any]:
    def of_k(metrics: Any) -> dict[str, float]:
        return {name: m.value for name, m in metrics.items() if name.endswith(f"@{k}")}

    worst = worst_stratum(scores.per_stratum, f"ndcg@{k}")
    return {
        "metrics": of_k(scores.metrics),
        "queries": {
            query_id: [value for name, value in values.items() if name.endswith(f"@{k}")]
            for query_id, values in scores.per_query.items()
        },
        "strata": {name: [s.n, of_k(s.metrics)] for name, s in scores.per_stratum.items()},
        "worst": worst and list(worst),
        "without": list(scores.without_positives),
        "missing": list(scores.missing),
        "repeated": sorted(scores.repeated),
    }


def _values(metrics: Any) -> dict[str, float]:
    return {name: measurement.value for name, measurement in metrics.items()}


def _measurement(measurement: Measurement | retrieval_eval.Measurement) -> list[Any]:
    ci = measurement.ci
    return [
        measurement.value,
        measurement.n,
        measurement.stdev,
        ci and list(ci),
        measurement.deterministic,
    ]


def _published_gate(expression: str) -> Any:
    def read() -> list[Any]:
        gate = retrieval_eval.parse_gate(expression)
        return [gate.metric, gate.threshold]

    return _tried(read)


def _our_gate(expression: str) -> Any:
    def read() -> list[Any]:
        gate = parse_gate(expression)
        return [gate.metric, gate.bound]

    return _tried(read)


def published_results(
    gates: Iterable[PublishedGate], report: Any, baseline: Any
) -> list[dict[str, Any]]:
    """Return the result and the reason of each gate by the published tool."""
    judged = retrieval_eval.Report.from_dict(report)
    before = None if baseline is None else retrieval_eval.Report.from_dict(baseline)
    results = []
    for gate in gates:
        found = retrieval_eval.evaluate_gates(judged, [gate], before)
        (result,) = found.results
        results.append(
            {
                "expression": result.expression,
                "status": result.status,
                "observed": result.observed,
                "baseline": result.baseline,
                "reason": found.reasons[0] if found.reasons else None,
            }
        )
    return results


def our_results(gates: Iterable[Gate], report: Any, baseline: Any) -> list[dict[str, Any]]:
    """Return the result and the reason of each gate by evergold."""
    return [_result(result) for result in evaluate_gates(gates, report, baseline)]


def _result(result: GateResult) -> dict[str, Any]:
    return {
        "expression": result.expression,
        "status": result.status,
        "observed": result.observed,
        "baseline": result.baseline,
        "reason": result.reason,
    }
