"""The review queue: every label that could not be placed, with what a person needs to decide.

Held zeros are not asked about: a zero that lost its place cannot move a metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evergold.formats.findings import candidate_to_json
from evergold.identity import text_sha
from evergold.labels.absorb import separate_rows
from evergold.labels.reanchor import Reanchored
from evergold.labels.rules import OPEN
from evergold.model import Candidate, Chunk, Judgment, Resolution
from evergold.review.diff import word_diff


def review_queue(
    judgments: Sequence[Judgment],
    result: Reanchored,
    chunks: Mapping[str, Chunk],
    asked: Mapping[str, str] | None = None,
    *,
    with_text: bool = True,
) -> list[dict[str, Any]]:
    """Return one item for each open label, those first that move a metric most.

    That is what the label's need is worth in the recall of its query: one of two needs moves it by
    0.5. Labels that nobody can place, since nothing in the corpus is like them, come last; of
    labels that move as much, higher grades come first. `result` is what `reanchor` made of `judgments`. `row` of an item is the row of the file,
    from 0, that has the label or carries it. `asked` has the texts of queries whose labels have
    none. `with_text` is false where no corpus or label text may be shown: hashes stand instead.
    """
    labels = result.labels
    rows = [separated.host for separated in separate_rows(judgments)]
    needs: dict[str, set[object]] = {}
    for row, label in enumerate(labels):
        if label.relevance:
            needs.setdefault(label.query_id, set()).add(label.need or row)
    moves = {query_id: round(1 / len(found), 4) for query_id, found in needs.items()}
    opened = [resolution for resolution in result.resolutions if resolution.rule in OPEN]
    opened.sort(
        key=lambda r: (not r.candidates, -moves[r.query_id], -labels[r.row].relevance, r.row)
    )
    items = []
    for resolution in opened:
        label = labels[resolution.row]
        if label.query is None:
            label = replace(label, query=(asked or {}).get(label.query_id))
        item = _item(label, resolution, chunks, with_text=with_text)
        head = {"row": rows[resolution.row], "moves": moves[label.query_id]}
        items.append({**head, **item})
    return items


def _item(
    label: Judgment, resolution: Resolution, chunks: Mapping[str, Chunk], *, with_text: bool
) -> dict[str, Any]:
    evidence = label.anchor.evidence if label.anchor else ()
    quote = evidence[0].exact if evidence else None
    return {
        "query_id": label.query_id,
        "query": label.query,
        "doc_uri": label.doc_uri,
        "relevance": label.relevance,
        "rule": resolution.rule,
        "reason": resolution.reason,
        "status": resolution.status,
        "judged": _shown(label.chunk_text, with_text=with_text) or label.text_sha,
        "evidence": [_shown(item.exact, with_text=with_text) or item.sha for item in evidence],
        "candidates": [
            _candidate(
                candidate,
                chunks[candidate.chunk_id],
                quote or label.chunk_text,
                with_text=with_text,
            )
            for candidate in resolution.candidates
            if candidate.chunk_id in chunks
        ],
    }


def _candidate(
    candidate: Candidate, chunk: Chunk, quote: str | None, *, with_text: bool
) -> dict[str, Any]:
    fields = candidate_to_json(candidate)
    if not with_text:
        return {**fields, "text": chunk.text_sha}
    fields |= {"doc_uri": chunk.doc_uri, "text": chunk.text}
    if quote:
        parts, changed = word_diff(quote, chunk.text)
        fields |= {"diff": [list(part) for part in parts], "changed": list(changed)}
    return fields


def _shown(text: str | None, *, with_text: bool) -> str | None:
    return text if text is None or with_text else text_sha(text)
