"""Files in lines: JSON Lines, TREC runs and qrels, in their many forms."""

from __future__ import annotations

import json
from random import Random
from typing import Any

Row = dict[str, Any]


def draw_lines(r: Random, rows: list[Any]) -> tuple[str, list[int]]:
    """Return rows as JSON Lines in one of their forms, and the line of each, from 1."""
    end = r.choice(("\n", "\n", "\r\n"))
    raw = r.random() < 0.5
    text, lines = [], []
    for row in rows:
        if r.random() < 0.05:
            text.append(r.choice(("", "// a comment", "  ")))
        escaped = json.dumps(row, ensure_ascii=True)
        # A lone surrogate can stand in a file as an escape only.
        text.append(
            escaped if "\\ud8" in escaped or not raw else json.dumps(row, ensure_ascii=False)
        )
        lines.append(len(text))
    return end.join(text) + (end if text and r.random() < 0.8 else ""), lines


def draw_trec_run(r: Random, rankings: list[Row]) -> str:
    """Return the run in columns; at times with equal or rising scores, or lines to refuse."""
    unusual = r.choice(("", "", "", "tied", "shuffled", "short", "repeat", "score", "control"))
    lines = []
    for ranking in rankings:
        keys = [key for key in dict.fromkeys(ranking["ranking"]) if " " not in key]
        for rank, key in enumerate(keys, start=1):
            score = r.choice((1, 1, 2)) if unusual == "tied" else len(keys) - rank
            shown = r.randint(1, 9) if unusual == "shuffled" else rank
            lines.append(f"{ranking['query_id']} Q0 {key} {shown} {score} tag")
    if lines:
        columns = r.choice(lines).split()
        extra = {
            "short": columns[:3],
            "repeat": columns,
            "score": [*columns[:2], "other", "1", r.choice(("nan", "0,5", "1_0")), "tag"],
            "control": [*columns[:2], "o\x01", "1", "1", "tag"],
        }
        if unusual in extra:
            lines.append(" ".join(extra[unusual]))
    return "".join(f"{line}\n" for line in lines)


def draw_qrels(r: Random, rows: list[Any]) -> str:
    """Return qrels in three or four columns; at times with rows that only one tool reads."""
    short = r.random() < 0.5
    lines = []
    if short and r.random() < 0.4:
        lines.append(r.choice(("query-id corpus-id score", "QueryID\td\tscore", "qid docid rel")))
    for row in rows:
        if not isinstance(row, dict):
            continue
        columns = [str(row.get(name, "")).strip() for name in ("query_id", "doc_uri", "relevance")]
        if all(column.isprintable() and column for column in columns):
            lines.append(_qrels_line(columns, short=short))
        if r.random() < 0.05:
            lines.append(r.choice(("", "# a comment", "  ")))
    if r.random() < 0.3:
        columns = ["q0", f"d{r.randrange(99)}", "1"]
        columns[2] = r.choice(
            ("-1", "+2", "1_0", "٣", "1.0", "x", "51", "9" * 20, "-0", "\u20095", "1")
        )
        columns[r.randrange(2)] += r.choice(("", "", "", "\x01", "#", "\ufeff"))
        lines.append(_qrels_line(columns, short=short))
    if r.random() < 0.05:
        lines.append(r.choice(("q0 Q0 d0 1 9.5 tag", "query-id corpus-id score", "q0 d0", "#")))
    if lines and r.random() < 0.1:
        lines.append(r.choice(lines))
    return r.choice(("\n", "\n", "\r\n")).join(lines) + r.choice(("", "\n"))


def _qrels_line(columns: list[str], *, short: bool) -> str:
    query_id, key, grade = columns
    return f"{query_id}\t{key}\t{grade}" if short else f"{query_id} 0 {key} {grade}"
