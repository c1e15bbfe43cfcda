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
from evergold.model import Chunk, Judgment, Resolution

_ORDER = {rule: place for place, rule in enumerate(OPEN)}


def review_queue(
    judgments: Sequence[Judgment],
    result: Reanchored,
    chunks: Mapping[str, Chunk],
    asked: Mapping[str, str] | None = None,
    *,
    with_text: bool = True,
) -> list[dict[str, Any]]:
    """Return one item for each open label: straddles, then reviews, then gone; higher grades first.

    `result` is what `reanchor` made of `judgments`. `row` of an item is the row of the file,
    from 0, that has the label or carries it. `asked` has the texts of queries whose labels have
    none. `with_text` is false where no corpus or label text may be shown: hashes stand instead.
    """
    labels = result.labels
    rows = [separated.host for separated in separate_rows(judgments)]
    opened = [resolution for resolution in result.resolutions if resolution.rule in _ORDER]
    opened.sort(key=lambda r: (_ORDER[r.rule], -labels[r.row].relevance, r.row))
    items = []
    for resolution in opened:
        label = labels[resolution.row]
        if label.query is None:
            label = replace(label, query=(asked or {}).get(label.query_id))
        item = _item(label, resolution, chunks, with_text=with_text)
        items.append({"row": rows[resolution.row], **item})
    return items


def _item(
    label: Judgment, resolution: Resolution, chunks: Mapping[str, Chunk], *, with_text: bool
) -> dict[str, Any]:
    evidence = label.anchor.evidence if label.anchor else ()
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
            {
                **candidate_to_json(candidate),
                "text": chunks[candidate.chunk_id].text
                if with_text
                else chunks[candidate.chunk_id].text_sha,
            }
            for candidate in resolution.candidates
            if candidate.chunk_id in chunks
        ],
    }


def _shown(text: str | None, *, with_text: bool) -> str | None:
    return text if text is None or with_text else text_sha(text)
