"""Random label sets, snapshots and runs that both tools read.

What the two tools do differently on purpose stands in `spec/compatibility.md`. The generators
leave out what only one of them reads: repeated chunk ids, hashes that contradict their text,
strata that differ within a query, line feeds behind ids.
"""

from __future__ import annotations

from hypothesis import strategies as st

from evergold.identity import text_sha
from evergold.model import Chunk, Judgment, Ranking, Snapshot

# Few words, so that texts often equal, hold or overlap each other.
_WORDS = ["leave", "sick leave", "days", "cafe\u0301", "caf\u00e9", "a", "\n"]
_TEXTS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join).filter(str.strip)
_PADDED = st.tuples(_TEXTS, st.sampled_from(["", " ", "\r\n"])).map("".join)
_URIS = ["d0", "d1", "d2"]
_MINTED = [f"c1:{number:032x}" for number in range(9)]
_STRATA = [None, "legal", "returns"]


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """Return small snapshots in any order of chunks; some chunks keep only their hash."""
    chunks = []
    ids = draw(st.permutations(_MINTED[:6]))
    texts = draw(st.lists(_PADDED, max_size=6))
    ordinals = draw(st.permutations(range(6)))
    for chunk_id, text, ordinal in zip(ids, texts, ordinals, strict=False):
        chunks.append(
            Chunk(
                chunk_id=chunk_id,
                doc_uri=draw(st.sampled_from(_URIS[:2])),
                doc_revision="r",
                ordinal=ordinal,
                text=text if draw(st.integers(0, 5)) else "",
                text_sha=text_sha(text),
            )
        )
    fingerprint = draw(st.sampled_from([None, "recursive/9/0@0123456789ab"]))
    return Snapshot(fingerprint, "recursive/9/0", tuple(chunks))


@st.composite
def labels_of_a_snapshot(draw: st.DrawFn) -> tuple[tuple[Judgment, ...], Snapshot]:
    """Return labels whose texts are those of chunks, parts of them or several joined."""
    snapshot = draw(snapshots())
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        doc_uri = draw(st.sampled_from(_URIS[:2]))
        texts = [c.text for c in snapshot.chunks if c.text and c.doc_uri == doc_uri] or ["a"]
        chosen = st.sampled_from(texts)
        text = draw(
            st.one_of(
                st.none(),
                _PADDED,
                chosen,
                st.tuples(chosen, chosen).map(" and ".join),
                chosen.map(lambda whole: whole.split()[0]),
            )
        )
        hashed = draw(st.none() | st.just(text) | chosen)
        rows.append(
            Judgment(
                query_id=f"q{draw(st.integers(0, 2))}",
                doc_uri=doc_uri,
                relevance=draw(st.integers(0, 3)),
                chunk_id=draw(st.sampled_from([None, "old", "old", "old", "older", _MINTED[0]])),
                text_sha=None if hashed is None else text_sha(hashed),
                chunk_text=text,
                corpus_fingerprint=draw(st.sampled_from([None, "f", "f", "g"])),
            )
        )
    return tuple(rows), snapshot


@st.composite
def labels(draw: st.DrawFn, *, sound: bool = False) -> tuple[Judgment, ...]:
    """Return small label sets; `sound` ones have no malformed id or hash."""
    strata = draw(st.lists(st.sampled_from(_STRATA), min_size=3, max_size=3))
    chunk_ids = [None, *_MINTED] if sound else [None, *_MINTED, "c1:XYZ", "store-7"]
    rows = []
    for _ in range(draw(st.integers(0, 8))):
        query = draw(st.integers(0, 2))
        chunk_id = draw(st.sampled_from(chunk_ids))
        # Two passages of one document are two labels here, and one there.
        text = draw(st.none() | _PADDED) if chunk_id else None
        hashes = [None, text_sha(draw(_TEXTS))]
        if text is not None:
            hashes.append(text_sha(text))
        if not sound:
            hashes.append("t1:XYZ")
        rows.append(
            Judgment(
                query_id=f"q{query}",
                doc_uri=draw(st.sampled_from(_URIS)),
                relevance=draw(st.sampled_from([0, 0, 1, 1, 2, 3, 50])),
                query=draw(st.sampled_from([None, f"text {query}", "other"])),
                chunk_id=chunk_id,
                text_sha=draw(st.sampled_from(hashes)) if chunk_id else None,
                chunk_text=text,
                corpus_fingerprint=draw(st.sampled_from([None, "old", "older"])),
                labeled_by=draw(st.sampled_from([None, "human:ana", "synthetic:x", "gpt"])),
                stratum=strata[query],
            )
        )
    return tuple(rows)


@st.composite
def runs(draw: st.DrawFn) -> tuple[Ranking, ...]:
    """Return small runs over the same keys, with repeats, unjudged keys and missing queries."""
    keys = st.sampled_from([*_MINTED, *_URIS, "unjudged"])
    asked = draw(st.lists(st.sampled_from(["q0", "q1", "q2", "q9"]), unique=True))
    return tuple(Ranking(query_id, tuple(draw(st.lists(keys, max_size=9)))) for query_id in asked)
