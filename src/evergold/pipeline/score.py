"""score: labels and a run to a report without a verdict of gates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evergold.errors import InputError
from evergold.formats.corpus import read_snapshot
from evergold.formats.files import sha256
from evergold.formats.findings import read_resolutions
from evergold.formats.jsonl import write_json
from evergold.formats.judgments import read_labels
from evergold.formats.queries import read_queries
from evergold.formats.runs import read_run
from evergold.labels.absorb import separate
from evergold.labels.drift import drift
from evergold.labels.rules import RESOLVED, RULES
from evergold.model import Judgment, Resolution
from evergold.pipeline import paths
from evergold.pipeline.params import Params
from evergold.reporting.retrieval import retrieval_report
from evergold.scoring.score import Scores, score, worst_stratum


def run(params: Params) -> str:
    """Write the report and the metrics that DVC compares."""
    k = params.integers("score.k")
    threshold = params.integer("score.threshold", least=1)
    judgments = read_labels(paths.REANCHORED)
    queries = read_queries(paths.QUERIES)
    snapshot = read_snapshot(paths.SNAPSHOT)
    _, resolutions = read_resolutions(paths.RESOLUTIONS)
    unplaced = _unplaced(judgments, resolutions)
    scores = score(judgments, read_run(paths.RUN), k, threshold, queries, unplaced)
    rules = Counter(resolution.rule for resolution in resolutions)
    report = retrieval_report(
        judgments,
        scores,
        snapshot=snapshot,
        drift=drift(judgments, snapshot),
        resolutions={rule: rules[rule] for rule in RULES},
        inputs={"judgments": sha256(paths.REANCHORED), "run": sha256(paths.RUN)},
    )
    write_json(paths.SCORE, report)
    write_json(paths.SCORE_METRICS, _metrics(scores))
    return f"{len(scores.per_query)} of {len(scores.queries)} judged queries scored"


def _unplaced(
    judgments: Sequence[Judgment], resolutions: Sequence[Resolution]
) -> frozenset[tuple[str, str]]:
    """Return query and key of the labels whose key is only where they stood last."""
    labels = separate(judgments)
    if len(labels) != len(resolutions):
        raise InputError(f"{paths.RESOLUTIONS} is not of the labels in {paths.REANCHORED}")
    placed: set[tuple[str, str]] = set()
    unplaced: set[tuple[str, str]] = set()
    for label, resolution in zip(labels, resolutions, strict=True):
        keys = placed if resolution.rule in RESOLVED else unplaced
        keys.add((label.query_id, label.key))
    return frozenset(unplaced - placed)


def _metrics(scores: Scores) -> dict[str, float]:
    """Return what a comparison of runs needs in one glance; the report has the rest."""
    deepest = max(scores.k)
    names = [f"recall@{k}" for k in scores.k] + [f"{m}@{deepest}" for m in ("ndcg", "mrr", "map")]
    metrics = {name: scores.metrics[name].value for name in names if name in scores.metrics}
    headline = "recall@5" if 5 in scores.k else f"recall@{deepest}"
    worst = worst_stratum(scores.per_stratum, headline)
    if worst is not None:
        metrics[f"worst_stratum_{headline}"] = worst[1]
    return metrics
