"""The retrieval report as data: `spec/report.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import evergold
from evergold.labels.absorb import expand
from evergold.labels.rules import open_share
from evergold.labels.validate import validate
from evergold.memory import collector_paused
from evergold.model import DriftReport, GateResult, Judgment, Measurement, Snapshot, Verdict
from evergold.scoring.score import Scores

SPEC_VERSION = "1"
# Raised whenever a metric may give another number for the same labels and run.
METRIC_VERSION = "1"


@collector_paused()
def retrieval_report(
    judgments: Sequence[Judgment],
    scores: Scores,
    *,
    snapshot: Snapshot | None = None,
    drift: DriftReport | None = None,
    resolutions: Mapping[str, int] | None = None,
    inputs: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the report of one run, without a time stamp and before any gate.

    `drift` and `resolutions` (labels by rule) say what became of the labels; `inputs` are
    SHA-256 digests by name.
    """
    labels = [label for row in expand(judgments) for label in row]
    fingerprints = {j.corpus_fingerprint for j in judgments if j.corpus_fingerprint}
    report: dict[str, Any] = {
        "spec_version": SPEC_VERSION,
        "tool": {"name": "evergold", "version": evergold.__version__},
        "corpus": _corpus(snapshot),
        "judgments": {
            "queries": len(scores.queries),
            "queries_scored": len(scores.per_query),
            "labels": len(labels),
            "fingerprint": fingerprints.pop() if len(fingerprints) == 1 else None,
            "human_labels": _labeled(labels, "human:"),
            "synthetic_labels": _labeled(labels, "synthetic:"),
        },
        "metrics": measurements_to_json(scores.metrics),
    }
    if drift is not None:
        counts = {status.lower(): count for status, count in drift.counts.items()}
        report["judgments"]["drift"] = {**counts, "invalid_ratio": drift.invalid_ratio}
    if scores.per_stratum:
        report["per_stratum"] = {
            name: {"n": stratum.n, "metrics": measurements_to_json(stratum.metrics)}
            for name, stratum in scores.per_stratum.items()
        }
    report["verdict"] = verdict_to_json(base_verdict(judgments, scores, drift, resolutions))
    report["settings"] = {
        "k": list(scores.k),
        "threshold": scores.threshold,
        "unit": scores.unit,
        "gain": "exponential",
        "ties": "score descending, id descending",
        "metric_version": METRIC_VERSION,
    }
    if inputs:
        report["inputs"] = dict(inputs)
    if resolutions is not None:
        report["resolution_summary"] = dict(resolutions)
    if scores.judged:
        report["judged"] = dict(scores.judged)
    report["per_query"] = {query: dict(values) for query, values in scores.per_query.items()}
    return report


def base_verdict(
    judgments: Sequence[Judgment],
    scores: Scores,
    drift: DriftReport | None = None,
    resolutions: Mapping[str, int] | None = None,
) -> Verdict:
    """Return the verdict before any gate: what makes the numbers untrustworthy, in words."""
    reasons = []
    trusted = True
    invalid = open_share(resolutions) if resolutions else drift.invalid_ratio if drift else None
    if invalid:
        percent = round(invalid * 100) or "under 1"
        reasons.append(f"{percent}% of judgments no longer match the live corpus")
    if scores.missing:
        reasons.append(f"{len(scores.missing)} judged queries had no run entry and scored zero")
    if not scores.per_query:
        trusted = False
        reasons.append(
            f"no query had a label at relevance >= {scores.threshold}, so no metric was computed"
            if scores.queries
            else "no judged queries, so no metric was computed"
        )
    elif scores.without_positives:
        reasons.append(
            f"{len(scores.without_positives)} judged queries have no label at"
            f" relevance >= {scores.threshold} and were excluded from the averages"
        )
    if scores.per_query and not scores.answered:
        trusted = False
        reasons.append("the run has no result for any judged query")
    elif scores.per_query and not scores.recognised:
        trusted = False
        reasons.append("the run and the labels share no key: are they of the same chunks?")
    if scores.repeated:
        reasons.append(
            f"{len(scores.repeated)} queries repeated a key in their ranking;"
            " only the first occurrence of each was counted"
        )
    reasons += [
        f"{count} queries have equal scores on both sides of the cut at {k};"
        " the key decided, descending"
        for k, count in scores.tied.items()
    ]
    if scores.twins:
        key, twin = map(ascii, scores.twins[0])
        reasons.append(
            f"{len(scores.twins)} ids of the run differ from those of the labels only by Unicode"
            f" normalization, such as {key} from {twin}"
        )
    codes = sorted({i.code for i in validate(judgments) if i.severity == "error"})
    if codes:
        trusted = False
        reasons.append(
            f"the judgment set is unsound ({', '.join(codes)}); run 'evergold validate' for"
            " detail. No metric computed from it can be trusted"
        )
    return Verdict("PASS" if trusted else "INDETERMINATE", tuple(reasons))


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON data; no `gates` where there were none."""
    fields: dict[str, Any] = {"status": verdict.status, "reasons": list(verdict.reasons)}
    if verdict.gates:
        fields["gates"] = [_gate_to_json(result) for result in verdict.gates]
    return fields


def _gate_to_json(result: GateResult) -> dict[str, Any]:
    fields: dict[str, Any] = {"expression": result.expression, "status": result.status}
    if result.observed is not None:
        fields["observed"] = result.observed
    if result.baseline is not None:
        fields["baseline"] = result.baseline
    return fields


def _corpus(snapshot: Snapshot | None) -> dict[str, Any]:
    if snapshot is None:
        return {"fingerprint": None}
    return {
        "fingerprint": snapshot.corpus_fingerprint,
        "documents": len({chunk.doc_uri for chunk in snapshot.chunks}),
        "chunks": len(snapshot.chunks),
    }


def _labeled(judgments: Sequence[Judgment], prefix: str) -> int:
    return sum((judgment.labeled_by or "").startswith(prefix) for judgment in judgments)


def measurements_to_json(metrics: Mapping[str, Measurement]) -> dict[str, Any]:
    """Return measurements by name as JSON data."""
    return {name: _measurement_to_json(measurement) for name, measurement in metrics.items()}


def _measurement_to_json(measurement: Measurement) -> dict[str, Any]:
    fields: dict[str, Any] = {"value": measurement.value, "n": measurement.n}
    if measurement.stdev is not None:
        fields["stdev"] = measurement.stdev
    if measurement.ci is not None:
        fields["ci"] = list(measurement.ci)
    fields["deterministic"] = measurement.deterministic
    return fields
