"""Promote what re-anchoring found into the golden set.

Only what changed in the documents is promoted: the span of a label, with its evidence. Chunk
ids are a cache of one chunking; they are promoted on request, so that a visit to another chunk
size leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evergold.identity import text_sha
from evergold.labels.absorb import regroup, separate
from evergold.model import Document, Judgment, Resolution


@dataclass(frozen=True, slots=True)
class Accepted:
    """The new golden labels, the texts they were judged on, and one entry for each change."""

    judgments: tuple[Judgment, ...]
    documents: tuple[Document, ...]
    changes: tuple[dict[str, Any], ...]


def accept(
    golden: Sequence[Judgment],
    reanchored: Sequence[Judgment],
    resolutions: Sequence[Resolution],
    documents: Iterable[Document],
    judged_documents: Iterable[Document] = (),
    *,
    chunk_ids: bool = False,
) -> Accepted:
    """Return the golden set after promotion.

    `reanchored` and `resolutions` are what `reanchor` made of `golden`; `documents` are those of
    the live corpus, `judged_documents` those promoted before. The text that a label was judged
    on is kept until the label moves on.
    """
    before, after = separate(golden), separate(reanchored)
    if [label.query_id for label in before] != [label.query_id for label in after]:
        raise ValueError("the re-anchored labels are not those of the golden set")
    changes = [
        change
        for old, new, resolution in zip(before, after, resolutions, strict=True)
        if (change := _change(old, new, resolution, chunk_ids=chunk_ids)) is not None
    ]
    if chunk_ids:
        judgments = tuple(reanchored)
    else:
        promoted = [_with_place(old, new) for old, new in zip(before, after, strict=True)]
        judgments = regroup(golden, promoted)
    return Accepted(judgments, _texts(judgments, documents, judged_documents), tuple(changes))


def _with_place(old: Judgment, new: Judgment) -> Judgment:
    """Return the old row with the place that the new one has in its document."""
    if not _moved(old, new):
        return old
    if new.anchor is None:  # of a whole document, which was renamed
        return replace(old, doc_uri=new.doc_uri)
    also = old.anchor.also if old.anchor else ()
    return replace(old, doc_uri=new.doc_uri, anchor=replace(new.anchor, also=also))


def _moved(old: Judgment, new: Judgment) -> bool:
    if old.doc_uri != new.doc_uri:
        return True
    if old.anchor is None or new.anchor is None:
        return old.anchor is not new.anchor
    return (old.anchor.span, old.anchor.evidence, old.anchor.doc_sha, old.anchor.doc_revision) != (
        new.anchor.span,
        new.anchor.evidence,
        new.anchor.doc_sha,
        new.anchor.doc_revision,
    )


def _change(
    old: Judgment, new: Judgment, resolution: Resolution, *, chunk_ids: bool
) -> dict[str, Any] | None:
    """Return the history entry of one label, without who and when; None where nothing changed."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if _moved(old, new):
        before, after = _place(old), _place(new)
        if old.doc_uri != new.doc_uri:
            before["doc_uri"], after["doc_uri"] = old.doc_uri, new.doc_uri
    if chunk_ids and old.chunk_id != new.chunk_id:
        before["chunk_id"], after["chunk_id"] = old.chunk_id, new.chunk_id
    if not after:
        return None
    return {
        "by": f"rule:{resolution.rule}",
        "action": "anchored" if old.anchor is None else "reanchored",
        "query_id": old.query_id,
        "doc_uri": old.doc_uri,
        "rule": resolution.rule,
        "before": before,
        "after": after,
    }


def _place(label: Judgment) -> dict[str, Any]:
    anchor = label.anchor
    if anchor is None:
        return {}
    span = None if anchor.span is None else list(anchor.span)
    return {"span": span, "doc_revision": anchor.doc_revision}


def _texts(
    judgments: Sequence[Judgment], documents: Iterable[Document], earlier: Iterable[Document]
) -> tuple[Document, ...]:
    """Return every text that a label's span counts in, by uri and revision."""
    wanted = {
        (label.doc_uri, label.anchor.doc_sha)
        for label in separate(judgments)
        if label.anchor is not None
    }
    kept = {}
    for document in (*earlier, *documents):
        key = (document.doc_uri, text_sha(document.text))
        if key in wanted:
            kept[key] = document
    return tuple(kept[key] for key in sorted(kept))
