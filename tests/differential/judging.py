"""Departures of validation and drift."""

from __future__ import annotations

import re
from typing import Any

from retrieval_eval import normalize, text_sha

from tests.differential.asked import (
    Asked,
    Deviation,
)


def _opaque_ids(_: Asked, theirs: Any) -> Any:
    *of_rows, of_set = theirs
    kept = [
        [
            issue
            for issue in issues
            if issue[1] != "bad-chunk-id" or issue[2].split(": ")[1].startswith("c1:")
        ]
        for issues in of_rows
    ]
    return [*kept, of_set]


def _whole_hashes(asked: Asked, theirs: Any) -> Any:
    *of_rows, of_set = theirs
    longer = [list(issues) for issues in of_rows]
    for label, issues in zip(asked.labels, longer, strict=True):
        if (label.text_sha or "").endswith("\n"):
            message = f"malformed text_sha on query {label.query_id}: {label.text_sha}"
            issues.append(["error", "bad-text-sha", message])
    return [*longer, of_set]


def _passages(asked: Asked, theirs: Any) -> Any:
    *of_rows, of_set = theirs
    seen = set()
    kept = []
    for label, issues in zip(asked.labels, of_rows, strict=True):
        text = None if label.chunk_id else label.chunk_text or label.text_sha
        passage = label.query_id, label.key, text
        again = passage in seen
        kept.append([issue for issue in issues if again or issue[1] != "duplicate-label"])
        seen.add(passage)
    return [*kept, of_set]


def _strata_contradict(asked: Asked, theirs: Any) -> Any:
    *of_rows, of_set = theirs
    last: dict[str, str] = {}
    longer = []
    for label, issues in zip(asked.labels, of_rows, strict=True):
        query_id, stratum = label.query_id, label.stratum
        if stratum is not None:
            if last.setdefault(query_id, stratum) != stratum:
                message = f"query {query_id} stands in two strata"
                issues = [*issues, ["error", "inconsistent-stratum", message]]  # noqa: PLW2901
            last[query_id] = stratum
        longer.append(issues)
    return [*longer, of_set]


def _few_queries(asked: Asked, theirs: Any) -> Any:
    queries: dict[str, set[str]] = {}
    labels: dict[str, int] = {}
    for label in asked.labels:
        if label.stratum not in (None, "", "_unstratified"):
            queries.setdefault(label.stratum, set()).add(label.query_id)
            labels[label.stratum] = labels.get(label.stratum, 0) + 1
    few = {name for name, asking in queries.items() if len(asking) < 5}
    thin = {}
    for name in sorted(few):
        counted = f"{labels[name]} labels" if labels[name] < 5 else f"{len(queries[name])} queries"
        thin[name] = f"stratum '{name}' has only {counted}, too few to gate on"
    *of_rows, of_set = theirs
    last = ("mixed-granularity", "no-chunk-ids")
    before = [issue for issue in of_set if issue[1] not in ("thin-stratum", *last)]
    after = [issue for issue in of_set if issue[1] in last]
    found = [["warning", "thin-stratum", message] for message in thin.values()]
    return [*of_rows, [*before, *found, *after]]


def _contradicts(label: Any) -> bool:
    text, sha = label.chunk_text, label.text_sha or ""
    whole = re.fullmatch("t1:[0-9a-f]{32}", sha) is not None
    return text is not None and whole and text_sha(text) != sha


def _said_contradicting(asked: Asked, theirs: Any) -> Any:
    *of_rows, of_set = theirs
    found = [label for label in asked.labels if _contradicts(label)]
    message = (
        f"{len(found)} labels have a text_sha that is not that of their chunk_text,"
        f" the first on query {found[0].query_id}"
    )
    return [*of_rows, [*of_set, ["warning", "text-sha-mismatch", message]]]


def _unverified(asked: Asked) -> list[int]:
    """Return the rows of VALID labels whose chunk is not what was judged."""
    chunks = {chunk.chunk_id: chunk for chunk in asked.files.corpus.chunks}
    rows = []
    for row, label in enumerate(asked.labels):
        chunk = chunks.get(label.chunk_id)
        if label.chunk_id is None or chunk is None:
            continue
        judged, live = normalize(label.chunk_text or ""), normalize(chunk.text or "")
        live_sha = chunk.text_sha or text_sha(chunk.text)
        if chunk.doc_uri != label.doc_uri:
            rows.append(row)
        elif live_sha in (label.text_sha, label.chunk_text is not None and text_sha(judged)):
            continue
        elif judged and live:
            # In a script without spaces every place is a border.
            part = re.escape(judged)
            start = "" if judged[0] in "日本" else "(?:(?<!\\w)|(?<=[日本]))"
            end = "" if judged[-1] in "日本" else "(?:(?!\\w)|(?=[日本]))"
            if not re.search(start + part + end, live):
                rows.append(row)
        elif label.text_sha and "anchor" not in label.extra and live:
            rows.append(row)
    return rows


def _said_unverified(asked: Asked, theirs: Any) -> Any:
    findings = [dict(finding) for finding in theirs["findings"]]
    for row in _unverified(asked):
        findings[row]["verified"] = False
    return {**theirs, "findings": findings}


JUDGING: tuple[Deviation, ...] = (
    Deviation(
        "chunk ids",
        "issues",
        lambda a, _: any(not (j.chunk_id or "c1:").startswith("c1:") for j in a.labels),
        _opaque_ids,
    ),
    Deviation(
        "repeated label",
        "issues",
        lambda a, _: any(j.chunk_id is None for j in a.labels),
        _passages,
    ),
    Deviation(
        "patterns",
        "issues",
        lambda a, _: any("\n" in (j.text_sha or "") for j in a.labels),
        _whole_hashes,
    ),
    Deviation(
        "stratum", "issues", lambda a, _: any(j.stratum for j in a.labels), _strata_contradict
    ),
    Deviation(
        "thin stratum", "issues", lambda a, _: any(j.stratum for j in a.labels), _few_queries
    ),
    Deviation(
        "text and hash of a label",
        "issues",
        lambda a, _: any(map(_contradicts, a.labels)),
        _said_contradicting,
    ),
    Deviation("VALID", "drift", lambda a, _: bool(_unverified(a)), _said_unverified),
)
