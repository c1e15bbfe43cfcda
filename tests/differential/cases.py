"""Cases for two tools: label sets, corpora, runs, qrels, gates and samples, from a number alone.

The number of a case is its seed. At most one of its files is damaged, so that what a tool says of
the damage is not hidden by another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.differential.draw_damage import (
    damage_chunks,
    damage_rows,
    damage_run,
    damaged_corpus,
    damaged_text,
)
from tests.differential.draw_tables import draw_lines, draw_qrels, draw_trec_run
from tests.differential.draw_texts import (
    URIS,
    WORDS,
    Row,
    draw_chunks,
    draw_corpus,
    draw_labels,
    draw_run,
    edited,
)
from tests.differential.draw_verdicts import (
    METRICS,
    draw_gates,
    draw_reports,
    draw_samples,
)


@dataclass(frozen=True, slots=True)
class Case:
    """What both tools are asked.

    `rows` are the labels as data and `lines` the line of each in the text `labels`, from 1;
    `corpus_data` is what the text `corpus` holds. `report` and `baseline` are None where those of
    the case itself, and of its run read backwards, are to be judged by the gates.
    """

    number: int
    rows: list[Any]
    lines: list[int]
    labels: str
    corpus_data: dict[str, Any]
    corpus: str
    run_rows: list[Any]
    run: str
    trec_run: str
    qrels: str
    as_chunk_ids: bool
    k: tuple[int, ...]
    threshold: int
    gates: tuple[str, ...]
    report: dict[str, Any] | None
    baseline: dict[str, Any] | None
    with_baseline: bool
    samples: list[float]


def case_of(number: int) -> Case:
    """Return the case of a number, always the same."""
    r = Random(number)  # noqa: S311 - no secret
    damaged = r.choice(("labels", "corpus", "run", *[""] * 9))
    words = {uri: r.choices(WORDS, k=r.randint(1, 8)) for uri in URIS}
    before, after = r.randint(1, 4), r.randint(1, 4)
    old = draw_chunks(r, words, before, 0)
    same_ids = r.random() < 0.7
    new = draw_chunks(r, edited(r, words), after, 0 if same_ids else 1)
    rows = draw_labels(r, old, new)
    if number % 400 == 7:
        rows = _many_labels(new[0]["doc_uri"] if new else "d0")
    run_rows = draw_run(r, rows, new)
    trec_run = draw_trec_run(r, run_rows)
    in_text = r.random() < 0.3
    if damaged == "labels" and not in_text:
        damage_rows(r, rows)
    labels, lines = draw_lines(r, rows)
    corpus_data = draw_corpus(r, new)
    if damaged == "corpus" and not in_text:
        damage_chunks(r, corpus_data["chunks"])
    corpus = json.dumps(corpus_data, ensure_ascii=r.random() < 0.5)
    if damaged == "run" and not in_text:
        damage_run(r, run_rows)
    run, _ = draw_lines(r, run_rows)
    if in_text:
        labels = damaged_text(r, labels) if damaged == "labels" else labels
        corpus = damaged_corpus(r, corpus) if damaged == "corpus" else corpus
        run = damaged_text(r, run) if damaged == "run" else run
    own = r.random() < 0.5
    report, baseline = (None, None) if own else draw_reports(r)
    k = tuple(sorted(r.sample((1, 2, 3, 5, 10), 2)))
    return Case(
        number=number,
        rows=rows,
        lines=lines,
        labels=labels,
        corpus_data=corpus_data,
        corpus=corpus,
        run_rows=run_rows,
        run=run,
        trec_run=trec_run,
        qrels=draw_qrels(r, rows),
        as_chunk_ids=r.random() < 0.5,
        k=k,
        threshold=r.choice((1, 1, 2, 3)),
        gates=draw_gates(r, (f"recall@{k[0]}", f"ndcg@{k[0]}") if own else METRICS),
        report=report,
        baseline=baseline,
        with_baseline=r.random() < 0.8,
        samples=draw_samples(r),
    )


def _many_labels(live: str) -> list[Row]:
    """Return so many labels that the share of the one decayed label rounds to nothing."""
    rows: list[Row] = [
        {"query_id": f"many-{number}", "doc_uri": live, "relevance": 1, "stratum": "legal"}
        for number in range(210)
    ]
    return [*rows, {"query_id": "many-0", "doc_uri": "gone", "relevance": 1, "query": "x"}]
