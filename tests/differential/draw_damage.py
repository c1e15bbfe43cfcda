"""One thing in a file that at least one of the tools refuses."""

from __future__ import annotations

from random import Random
from typing import Any

from retrieval_eval import text_sha

Row = dict[str, Any]


def damage_rows(r: Random, rows: list[Any]) -> None:
    """Put one thing into the last row that at least one of the tools refuses."""
    if not rows:
        return
    row = dict(rows.pop())
    name, value = r.choice(
        (
            ("query_id", ""),
            ("query_id", 5),
            ("query_id", "q\x01"),
            ("doc_uri", None),
            ("doc_uri", "d\u2028"),
            ("chunk_id", "c1:" + "0" * 32 + "\n"),
            ("chunk_id", ""),
            ("stratum", "a\x7f"),
            ("relevance", -1),
            ("relevance", 1.0),
            ("relevance", True),
            ("relevance", 51),
            ("relevance", 5000),
            ("chunk_text", 5),
            ("query", True),
            ("labeled_by", ["a"]),
            ("x", float("nan")),
            ("x", float("-inf")),
            ("notes", "\ud83d"),
            ("whole", [1]),
            ("whole", 5),
            ("whole", None),
        )
    )
    rows.append(value if name == "whole" else {**row, name: value})


def damage_chunks(r: Random, chunks: list[Any]) -> None:
    """Put one thing into a chunk that at least one of the tools refuses."""
    if not chunks:
        return
    place = r.randrange(len(chunks))
    chunk = chunks[place]
    name, value = r.choice(
        (
            ("chunk_id", chunks[0]["chunk_id"]),
            ("chunk_id", chunks[0]["chunk_id"]),
            ("chunk_id", "c1:XYZ"),
            ("chunk_id", "x\x01"),
            ("chunk_id", None),
            ("doc_uri", 5),
            ("text_sha", text_sha("another text")),
            ("text_sha", text_sha("another text")),
            ("text", 5),
            ("ordinal", "2"),
            ("ordinal", -1),
            ("nothing", None),
            ("whole", None),
            ("whole", "chunk"),
            ("x", float("nan")),
        )
    )
    if name == "whole":
        chunks[place] = value
    elif name == "nothing":
        chunks[place] = {n: v for n, v in chunk.items() if n not in ("text", "text_sha")}
    else:
        chunk[name] = value


def damage_run(r: Random, rankings: list[Any]) -> None:
    """Put one thing into the last ranking that at least one of the tools refuses."""
    if not rankings:
        return
    ranking = dict(rankings.pop())
    name, value = r.choice(
        (
            ("query_id", ""),
            ("query_id", "q\x01"),
            ("query_id", rankings[0]["query_id"] if rankings else None),
            ("ranking", "d0"),
            ("ranking", ["d0", ""]),
            ("ranking", ["d0", 5]),
            ("x", float("nan")),
            ("whole", [1]),
        )
    )
    rankings.append(value if name == "whole" else {**ranking, name: value})


def damaged_text(r: Random, text: str) -> str:
    """Return lines with a byte order mark or a line that is no JSON."""
    return r.choice(("\ufeff" + text, text + '\n{"query_id": ', text + "\n{} x", "\ufeff" + text))


def damaged_corpus(r: Random, text: str) -> str:
    """Return a corpus that is no JSON object with one array of chunks."""
    return r.choice(
        (
            "\ufeff" + text,
            text[:-1],
            text + " x",
            text.replace('"chunks"', '"pieces"'),
            text[:-1] + ', "chunks": []}',
        )
    )
