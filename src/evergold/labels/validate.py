"""What is wrong with a label file in itself, whatever the corpus: `spec/formats.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evergold.formats.judgments import RowFaults
from evergold.identity import is_text_sha, text_sha
from evergold.model import UNSTRATIFIED, Judgment

# A stratum of fewer queries says nothing on a class of queries.
_THIN = 5


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that a label file should not have; an error makes every metric untrustworthy."""

    severity: Literal["error", "warning"]
    code: str
    message: str


def validate(judgments: Sequence[Judgment]) -> tuple[Issue, ...]:
    """Return the issues of a label file: those of rows in row order, then those of the set."""
    faults = RowFaults()
    of_rows = [
        Issue("error", code, message)
        for row, judgment in enumerate(judgments)
        for code, message, _ in faults.of(row, judgment)
    ]
    return (*of_rows, *_set_issues(judgments))


def _set_issues(judgments: Sequence[Judgment]) -> list[Issue]:
    issues: list[Issue] = []

    def add(severity: Literal["error", "warning"], code: str, message: str) -> None:
        issues.append(Issue(severity, code, message))

    queries = {judgment.query_id for judgment in judgments}
    named = {judgment.query_id for judgment in judgments if judgment.query is not None}
    for query_id in sorted(queries - named):
        add("warning", "missing-query-text", f"query {query_id} has no query text on any row")
    if not judgments:
        add("error", "empty", "no judgments")
        return issues
    if all(judgment.relevance < 1 for judgment in judgments):
        add(
            "error",
            "no-positives",
            "no judgment has relevance >= 1, so recall is undefined for every query",
        )
    origins = [judgment.labeled_by or "" for judgment in judgments]
    human = any(origin.startswith("human:") for origin in origins)
    if not human and any(origin.startswith("synthetic:") for origin in origins):
        add(
            "warning",
            "no-human-labels",
            "every label is synthetic. Without human labels you cannot measure judge calibration,"
            " and synthetic labels quietly become ground truth",
        )
    fingerprints = {j.corpus_fingerprint for j in judgments if j.corpus_fingerprint}
    if len(fingerprints) > 1:
        add(
            "warning",
            "mixed-fingerprints",
            f"judgments span {len(fingerprints)} corpus fingerprints; run 'drift' before trusting"
            " any metric",
        )
    labels = Counter(judgment.stratum or UNSTRATIFIED for judgment in judgments)
    members = {(judgment.stratum or UNSTRATIFIED, judgment.query_id) for judgment in judgments}
    asked = Counter(stratum for stratum, _ in members)
    for stratum in sorted(labels.keys() - {UNSTRATIFIED}):
        if asked[stratum] < _THIN:
            # The published text where the published count, that of labels, is small too.
            few = labels[stratum] < _THIN
            number = f"{labels[stratum]} labels" if few else f"{asked[stratum]} queries"
            add(
                "warning",
                "thin-stratum",
                f"stratum '{stratum}' has only {number}, too few to gate on",
            )
    located = sum(judgment.chunk_id is not None for judgment in judgments)
    if 0 < located < len(judgments):
        add(
            "warning",
            "mixed-granularity",
            f"{located}/{len(judgments)} labels have chunk_id; the rest are document-level",
        )
    if not located:
        add(
            "warning",
            "no-chunk-ids",
            "no label has a chunk_id, so drift can only work at document granularity."
            " See spec/chunk-id.md",
        )
    contradicting = [judgment for judgment in judgments if _contradicts_its_hash(judgment)]
    if contradicting:
        add(
            "warning",
            "text-sha-mismatch",
            f"{len(contradicting)} labels have a text_sha that is not that of their chunk_text,"
            f" the first on query {contradicting[0].query_id}",
        )
    return issues


def _contradicts_its_hash(judgment: Judgment) -> bool:
    text, sha = judgment.chunk_text, judgment.text_sha
    return text is not None and sha is not None and is_text_sha(sha) and text_sha(text) != sha
