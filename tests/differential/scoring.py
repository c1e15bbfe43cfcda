"""Departures of scores, reports and summaries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

import retrieval_eval

from tests.differential.answers import published_scores, refused
from tests.differential.asked import (
    Asked,
    Deviation,
    always,
    expected_answers,
)
from tests.differential.judging import JUDGING


def _names_several_strata(asked: Asked, _: Any) -> bool:
    return _restratified(asked) != list(asked.labels)


def _restratified(asked: Asked) -> list[Any]:
    """Return the labels, each with the stratum that its query is first said to have."""
    strata: dict[str, str] = {}
    for label in asked.labels:
        if label.stratum is not None:
            strata.setdefault(label.query_id, label.stratum)
    return [replace(label, stratum=strata.get(label.query_id)) for label in asked.labels]


def _by_query_stratum(asked: Asked, theirs: Any) -> Any:
    labels = _restratified(asked)
    scores = [
        published_scores(labels, asked.files.run, k, asked.case.threshold, strata=True)
        for k in asked.case.k
    ]
    return [
        {**old, "strata": new["strata"], "worst": new["worst"]}
        for old, new in zip(theirs, scores, strict=True)
    ]


def _shares_needs(asked: Asked, _: Any) -> bool:
    return any("need" in label.extra for label in asked.labels)


def _by_need(asked: Asked, theirs: Any) -> Any:
    """Return the scores with one key in place of all alternatives of a need.

    In these cases a key holds one need, and its labels have one grade. The published tool counts a
    repeated key once; the window is cut before, and what is set aside has no rank.
    """
    rankings = {entry.query_id: entry.ranking for entry in asked.files.run}
    changed = []
    for k, old in zip(asked.case.k, theirs, strict=True):
        queries = dict(old["queries"])
        for query_id in queries:
            labels = [label for label in asked.labels if label.query_id == query_id]
            if any("need" in label.extra for label in labels):
                window = retrieval_eval.dedupe(rankings.get(query_id, []))[:k]
                queries[query_id] = _need_values(labels, window, k, asked.case.threshold)
        columns = zip(*queries.values(), strict=True)
        means = [round(math.fsum(column) / len(queries), 12) for column in columns]
        metrics = dict(zip(old["metrics"], means, strict=True)) if means else {}
        changed.append({**old, "queries": queries, "metrics": metrics})
    return changed


def _need_values(labels: list[Any], window: list[str], k: int, threshold: int) -> list[float]:
    def values(least: int) -> tuple[Any, int]:
        names = {
            label.key: f"need {label.extra['need']}" if "need" in label.extra else label.key
            for label in labels
            if label.relevance >= least
        }
        grades = {names[j.key]: j.relevance for j in labels if j.relevance >= least}
        keys = [names.get(key, key) for key in window]
        aside = len(keys) - len(set(keys))
        return retrieval_eval.query_metrics(grades, keys, k=k, threshold=least), aside

    found, aside = values(threshold)
    graded, _ = values(1)
    precision = found.precision * k / (k - aside)
    row = (precision, found.recall, graded.ndcg, found.mrr, found.ap, found.hit_rate)
    return [round(value, 12) for value in row]


def _without_time(_: Asked, theirs: Any) -> Any:
    return {name: part for name, part in theirs.items() if name != "generated_at"}


def _rescored(scores: Callable[[Asked, Any], Any]) -> Callable[[Asked, Any], Any]:
    """Return what puts the values of other scores into a report."""

    def ours(asked: Asked, theirs: Any) -> Any:
        first = scores(asked, asked.theirs["scores"])[0]
        report = {**theirs, "metrics": _measurements(first["metrics"])}
        if "per_stratum" in report:
            report["per_stratum"] = {
                name: {"n": n, "metrics": _measurements(metrics)}
                for name, (n, metrics) in first["strata"].items()
            }
        return report

    return ours


def _measurements(values: Any) -> Any:
    return {n: {"value": v, "n": 1, "deterministic": True} for n, v in values.items()}


def _with_verdict(report: Any, status: str, reasons: list[str]) -> Any:
    return {**report, "verdict": {"status": status, "reasons": reasons}}


def _our_errors(asked: Asked) -> list[str]:
    expected, _ = expected_answers(
        JUDGING,
        replace(asked, theirs={"issues": asked.theirs["issues"], "corpus": asked.theirs["corpus"]}),
    )
    found = [issue for issues in expected["issues"] for issue in issues]
    return sorted({code for severity, code, _ in found if severity == "error"})


def _unsound(asked: Asked, theirs: Any) -> Any:
    codes = _our_errors(asked)
    reasons = [r for r in theirs["verdict"]["reasons"] if "set is unsound" not in r]
    if codes:
        reasons.append(
            f"the judgment set is unsound ({', '.join(codes)}); run 'evergold validate' for detail."
            " No metric computed from it can be trusted"
        )
    trusted = theirs["judgments"]["queries_scored"] and not codes
    return _with_verdict(theirs, "PASS" if trusted else "INDETERMINATE", reasons)


def _foreign_run(asked: Asked) -> str | None:
    """Return what is wrong with a run in which nothing was judged, or nothing was found."""
    keys: dict[str, set[str]] = {}
    for label in asked.labels:
        keys.setdefault(label.query_id, set()).add(label.key)
    found = {e.query_id: e.ranking for e in asked.files.run if e.query_id in keys and e.ranking}
    if not found:
        return "the run has no result for any judged query"
    if not any(keys[query_id].intersection(ranking) for query_id, ranking in found.items()):
        return "the run and the labels share no key: are they of the same chunks?"
    return None


def _said_foreign(asked: Asked, theirs: Any) -> Any:
    message = _foreign_run(asked)
    if not theirs["judgments"]["queries_scored"] or message is None:
        return theirs
    reasons = list(theirs["verdict"]["reasons"])
    later = ("repeated a key", "set is unsound")
    place = next((i for i, r in enumerate(reasons) if any(t in r for t in later)), len(reasons))
    reasons.insert(place, message)
    return _with_verdict(theirs, "INDETERMINATE", reasons)


def _twins(asked: Asked) -> list[tuple[str, str]]:
    """Return keys of the run that differ only in NFC from a key that the query is judged on."""
    keys: dict[str, list[str]] = {}
    for label in asked.labels:
        keys.setdefault(label.query_id, []).append(label.key)
    rankings = {entry.query_id: entry.ranking for entry in asked.files.run}
    pairs = [
        (key, other)
        for query_id, judged in keys.items()
        for key in rankings.get(query_id, ())
        if key not in judged
        for other in judged
        if normalize("NFC", key) == normalize("NFC", other)
    ]
    return list(dict.fromkeys(pairs))


def _said_twins(asked: Asked, theirs: Any) -> Any:
    pairs = _twins(asked)
    key, twin = map(ascii, pairs[0])
    reasons = list(theirs["verdict"]["reasons"])
    place = next((i for i, r in enumerate(reasons) if "set is unsound" in r), len(reasons))
    reasons.insert(
        place,
        f"{len(pairs)} ids of the run differ from those of the labels only by Unicode"
        f" normalization, such as {key} from {twin}",
    )
    return _with_verdict(theirs, theirs["verdict"]["status"], reasons)


def _under_one(_: Asked, theirs: Any) -> Any:
    verdict = theirs["verdict"]
    zero = "0% of judgments no longer match"
    reasons = [
        f"under 1{reason[1:]}" if reason.startswith(zero) else reason
        for reason in verdict["reasons"]
    ]
    return _with_verdict(theirs, verdict["status"], reasons)


SCORING: tuple[Deviation, ...] = (
    Deviation("stratum", "scores", _names_several_strata, _by_query_stratum),
    Deviation("chunks that share a need", "scores", _shares_needs, _by_need),
    Deviation("time stamp", "report", always, _without_time),
    Deviation("stratum", "report", _names_several_strata, _rescored(_by_query_stratum)),
    Deviation("chunks that share a need", "report", _shares_needs, _rescored(_by_need)),
    Deviation("reason of an unsound set", "report", always, _unsound),
    Deviation(
        "run without any result for a judged query, or without any key that a label names",
        "report",
        lambda a, _: _foreign_run(a) is not None,
        _said_foreign,
    ),
    Deviation(
        "ids of a run that Unicode normalization alone parts from those of the labels",
        "report",
        lambda a, _: bool(_twins(a)),
        _said_twins,
    ),
    Deviation("share of decayed labels under 0.5 %", "report", always, _under_one),
    Deviation(
        "`summarize` of NaN or infinity",
        "summary",
        lambda a, _: not all(map(math.isfinite, a.case.samples)),
        lambda a, _: refused(f"a sample must be a finite number, found {a.case.samples[0]}"),
    ),
)
