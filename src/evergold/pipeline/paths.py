"""Where the pipeline keeps its files, relative to the project folder."""

from __future__ import annotations

from pathlib import Path

PARAMS = Path("params.yaml")

GOLDEN = Path("data/golden")
JUDGMENTS = GOLDEN / "judgments.jsonl"
QUERIES = GOLDEN / "queries.jsonl"
JUDGED_DOCUMENTS = GOLDEN / "documents.jsonl"
HISTORY = GOLDEN / "history.jsonl"

BASELINE = Path("data/baseline")

DERIVED = Path("data/derived")
DOCUMENTS = DERIVED / "documents.jsonl"
SNAPSHOT = DERIVED / "corpus.jsonl"
FINDINGS = DERIVED / "findings.json"
REANCHORED = DERIVED / "judgments.jsonl"
RESOLUTIONS = DERIVED / "resolutions.jsonl"
RUN = DERIVED / "run.jsonl"
SCORE = DERIVED / "score.json"
VERDICT = DERIVED / "verdict.json"

REPORTS = Path("reports")
LABEL_METRICS = REPORTS / "drift.json"
SCORE_METRICS = REPORTS / "metrics.json"
VERDICT_METRICS = REPORTS / "verdict.json"
REVIEW = REPORTS / "review.jsonl"
REPORT_JSON = REPORTS / "report.json"
REPORT_MARKDOWN = REPORTS / "report.md"
SUMMARY = REPORTS / "summary.txt"
