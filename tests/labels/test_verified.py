"""Whether the chunk that a label names is still what was judged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evergold.identity import text_sha
from evergold.labels.verified import is_as_judged
from evergold.model import Anchor, Chunk, Evidence, Judgment

CHUNK = Chunk("c", "d", "r", 0, "It takes 15 days. Ask us.", text_sha("It takes 15 days. Ask us."))
HASHED = replace(CHUNK, text="")
LABEL = Judgment("q", "d", 1, chunk_id="c")
QUOTE = Anchor(None, None, (0, 17), evidence=(Evidence((9, 16), exact="15 days"),))


@pytest.mark.parametrize(
    ("label", "chunk", "expected"),
    [
        (LABEL, CHUNK, None),
        (replace(LABEL, doc_uri="e"), CHUNK, False),
        (replace(LABEL, text_sha=CHUNK.text_sha), CHUNK, True),
        (replace(LABEL, text_sha=text_sha("other")), CHUNK, False),
        (replace(LABEL, chunk_text=CHUNK.text), HASHED, True),
        (replace(LABEL, chunk_text="It takes 15 days."), CHUNK, True),
        (replace(LABEL, chunk_text="5 days"), CHUNK, False),
        (replace(LABEL, chunk_text="It took 15 days.", anchor=QUOTE), CHUNK, True),
        (replace(LABEL, chunk_text="It took 15 days."), CHUNK, False),
        (replace(LABEL, chunk_text="It takes 15 days."), HASHED, None),
        (replace(LABEL, text_sha=text_sha("other")), HASHED, None),
    ],
)
def test_a_chunk_is_what_was_judged_if_it_holds_it(
    label: Judgment, chunk: Chunk, expected: bool | None
) -> None:
    """By hash, by the whole text or by a quote; None where nothing can tell."""
    assert is_as_judged(label, chunk) is expected
