"""Documents in few words, cut twice: what was judged, and what is there now."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Any

from retrieval_eval import text_sha

Row = dict[str, Any]

# Few words, so that texts often equal, hold or overlap each other, also inside words.
WORDS = ("leave", "sick", "day", "days", "14", "4", "cafe\u0301", "caf\u00e9", "a", "日本")
URIS = ("d0", "d1", "caf\u00e9.md")
QUERIES = ("q0", "q1", "q2", "q3")
_STRATA = (None, "legal", "returns", "", "_unstratified", "日")
_ORIGINS = (None, "human:ana", "synthetic:x", "gpt")
_FINGERPRINTS = (None, "old@1", "old@1", "older@2", "")


def draw_chunks(r: Random, words: dict[str, list[str]], size: int, scheme: int) -> list[Row]:
    """Return the chunks of some documents, cut after every `size` words."""
    found = []
    ordinals = r.random() < 0.9
    for place, (uri, of_document) in enumerate(words.items()):
        for start in range(0, len(of_document), size):
            text = " ".join(of_document[start : start + size])
            number = place << 16 | scheme << 12 | size << 8 | start
            chunk_id = f"store-{number}" if number % 5 == 4 else f"c1:{number:032x}"
            chunk: Row = {"chunk_id": chunk_id, "doc_uri": uri, "text": _varied(r, text)}
            if ordinals:
                chunk["ordinal"] = start // size
            found.append(chunk)
    return found


def _varied(r: Random, text: str) -> str:
    """Return a text with other white space at its ends or in another Unicode form, at times."""
    if r.random() < 0.7:
        return text
    change = r.randrange(5)
    if change < 3:
        return (text + "\r\n", f" {text}\u00a0", f"\n\t{text}")[change]
    return unicodedata.normalize("NFC" if change == 3 else "NFD", text)


def edited(r: Random, words: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return documents of which some have changed, moved or gone."""
    edited = {uri: list(of_document) for uri, of_document in words.items()}
    if r.random() < 0.3:
        del edited[r.choice(URIS)]
    if r.random() < 0.03:
        return {}
    for of_document in edited.values():
        if r.random() < 0.3:
            of_document[r.randrange(len(of_document))] = r.choice(WORDS)
        if r.random() < 0.2:
            of_document.insert(0, r.choice(WORDS))
    return edited


def draw_corpus(r: Random, chunks: list[Row]) -> dict[str, Any]:
    """Return a snapshot in the published form; some chunks have a hash, with or without text."""
    rows = [dict(chunk) for chunk in chunks]
    for row in rows:
        form = r.random()
        if form < 0.4:
            row["text_sha"] = text_sha(row["text"])
        if form < 0.1:
            del row["text"]
        if form > 0.8:
            row["doc_revision"] = "r1"
    if r.random() < 0.3:
        r.shuffle(rows)
    data: dict[str, Any] = {"chunker_fingerprint": "recursive/9/0"}
    fingerprint = r.choice((None, "live@1", "live@1", ""))
    if fingerprint is not None:
        data["corpus_fingerprint"] = fingerprint
    return {**data, "chunks": rows}


def draw_labels(r: Random, old: list[Row], new: list[Row]) -> list[Any]:
    """Return labels of old chunks, and some of new ones; at times with needs or unclear strata."""
    texts = {query_id: r.choice((None, f"text of {query_id}", "")) for query_id in QUERIES}
    stratified = r.random() < 0.4
    strata = {query_id: r.choice(_STRATA) if stratified else None for query_id in QUERIES}
    confused = stratified and r.random() < 0.1
    shared = not stratified and r.random() < 0.15
    rows: list[Any] = []
    for _ in range(r.choice((0, 1, 2, 3, 4, 5, 6, 8))):
        query_id = r.choice(QUERIES)
        stratum = r.choice(_STRATA) if confused else strata[query_id]
        rows.append(_label(r, query_id, old, new, texts[query_id], stratum))
    if rows and r.random() < 0.08:
        rows.append({**r.choice(rows), "relevance": r.randint(0, 3)})
    if shared:
        for row in rows:
            key = row.get("chunk_id") or row["doc_uri"]  # which holds one need of a query only
            if row["query_id"] != "q3":
                row["need"] = "mn"[len(key) % 2]
                row["relevance"] = 1 + len(key) % 2
    return rows


def _label(
    r: Random, query_id: str, old: list[Row], new: list[Row], query: str | None, stratum: str | None
) -> Row:
    source = r.choice(old if r.random() < 0.9 or not new else new)
    text = source["text"]
    row: Row = {"query_id": query_id, "doc_uri": source["doc_uri"]}
    if r.random() < 0.05:
        row["doc_uri"] = r.choice((*URIS, "gone"))
    row["relevance"] = r.choice((0, 0, 1, 1, 1, 2, 3, 7, 50))
    if query is not None and r.random() < 0.7:
        row["query"] = query if r.random() < 0.97 else "other"
    if r.random() < 0.85:
        row["chunk_id"] = source["chunk_id"]
    if r.random() < 0.7:
        row["chunk_text"] = r.choice((text, _varied(r, text), text.split()[0], f"{text} {text}"))
    if r.random() < 0.5:
        row["text_sha"] = text_sha(text)
    unusual = r.randrange(40)
    if unusual < 9:
        name, value = (
            ("chunk_id", "c1:XYZ"),
            ("text_sha", "t1:XYZ"),
            ("text_sha", ""),
            ("text_sha", text_sha("a") + "\n"),
            ("chunk_text", r.choice(("", " \n"))),
            ("x", r.choice((None, 5, "é", [None]))),
            ("anchor", {"v": 1, "unit": "cp", "span": [0, 1]}),
            ("chunk_id", r.choice(("a b", "#5", "caf\u00e9", "cafe\u0301"))),
            ("query_id", r.choice(("q 0", "#q"))),
        )[unusual]
        row[name] = value
        if name == "anchor":
            row["zzz"] = 1
    fields = {
        "corpus_fingerprint": r.choice(_FINGERPRINTS),
        "labeled_by": r.choice(_ORIGINS),
        "stratum": stratum,
        "notes": r.choice((None, None, None, "seen")),
    }
    for name, field in fields.items():
        if field is not None or r.random() < 0.02:
            row[name] = field
    if r.random() < 0.2:
        names = list(row)
        r.shuffle(names)
        row = {name: row[name] for name in names}
    return row


def draw_run(r: Random, rows: list[Row], new: list[Row]) -> list[Any]:
    """Return rankings with repeats, unjudged keys, missing queries and queries without results."""
    keys = [row.get("chunk_id") or row["doc_uri"] for row in rows] * 2
    keys += [*URIS, "unjudged", *(chunk["chunk_id"] for chunk in new)]
    if r.random() < 0.1:
        keys = ["of", "another", "corpus"]
    if r.random() < 0.03:
        keys.append("a b")
    asked = [query_id for query_id in (*QUERIES, "q9") if r.random() < 0.8]
    longest = r.choice((0, 6, 9, 9, 12, 12))
    rankings = []
    for query_id in asked:
        ranking = r.choices(keys, k=r.randint(0, longest))
        ranking = ranking if r.random() < 0.15 else list(dict.fromkeys(ranking))
        rankings.append({"query_id": query_id, "ranking": ranking})
    return rankings
