"""A project of two documents and two labels, for stages and commands that run in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evergold.pipeline.stage import STAGES, run_stage

PARAMS = """\
corpus:
  path: data/corpus
  uri_prefix: handbook://
chunker:
  strategy: recursive
  size: 512
  overlap: 64
  unit: tokens
retriever:
  kind: bm25
  top_k: 10
score:
  k:
  - 1
  - 5
  threshold: 1
gates:
- recall@5:0.9
enforce:
  on_fail: error
  on_indeterminate: error
privacy:
  text: full
"""
REFUNDS = """\
# Refunds

This page is about money that goes back to a customer, and about nothing else at all.

A refund takes five days from the day of the request.

Cards are refunded before bank accounts, whatever the amount is.
"""
HOURS = "The counter is open from nine to five, and the telephone from eight to six.\n"
LABELS: list[dict[str, Any]] = [
    {
        "query_id": "refund-time",
        "query": "how long does a refund take",
        "doc_uri": "handbook://refunds.md",
        "chunk_text": "A refund takes five days from the day of the request.",
        "relevance": 2,
        "labeled_by": "human:ana",
    },
    {
        "query_id": "opening",
        "query": "when is the counter open",
        "doc_uri": "handbook://hours.txt",
        "chunk_text": "The counter is open from nine to five",
        "relevance": 1,
        "labeled_by": "human:ana",
    },
]
QUERIES: list[dict[str, Any]] = [
    {"query_id": "refund-time", "query": "how long does a refund take", "stratum": "billing"},
    {"query_id": "opening", "query": "when is the counter open", "stratum": "support"},
]


@dataclass(frozen=True, slots=True)
class SmallProject:
    """A project folder that is the current folder."""

    root: Path

    @classmethod
    def create(cls, root: Path) -> SmallProject:
        """Write the project into an empty folder."""
        project = cls(root)
        project.write("params.yaml", PARAMS)
        project.write("data/corpus/refunds.md", REFUNDS)
        project.write("data/corpus/hours.txt", HOURS)
        project.write("data/golden/judgments.jsonl", rows(LABELS))
        project.write("data/golden/queries.jsonl", rows(QUERIES))
        return project

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, with LF line ends where `content` is text."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace the one place of a file that holds `old`."""
        text = (self.root / name).read_bytes().decode("utf-8")
        if text.count(old) != 1:
            raise ValueError(f"{name} holds {old!r} {text.count(old)} times")
        self.write(name, text.replace(old, new))

    def line_of(self, name: str, part: str) -> int:
        """Return the line of a file that holds `part`, counted from 1."""
        lines = (self.root / name).read_bytes().decode("utf-8").split("\n")
        [number] = [number for number, line in enumerate(lines, start=1) if part in line]
        return number

    def json(self, name: str) -> Any:
        """Return the value of a JSON file."""
        return json.loads((self.root / name).read_bytes())

    def rows(self, name: str) -> list[Any]:
        """Return the values of a JSON Lines file."""
        return [json.loads(line) for line in (self.root / name).read_bytes().splitlines()]

    def files(self, folder: str) -> dict[str, bytes]:
        """Return the bytes of every file under a folder, by path in the project."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file()
        }

    def run(self, *stages: str) -> int:
        """Run stages until one fails, all of them where none is named; return the exit code."""
        for stage in stages or STAGES:
            code = run_stage([stage])
            if code:
                return code
        return 0

    def run_through(self, last: str) -> int:
        """Run the stages from the first one to `last`; return the exit code."""
        return self.run(*STAGES[: STAGES.index(last) + 1])


def rows(values: list[dict[str, Any]]) -> str:
    """Return JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
