"""A chunker: its settings, its names, its chunks and its snapshot."""

from __future__ import annotations

import pytest

from evergold.chunking.chunker import STRATEGIES, Chunker
from evergold.errors import InputError, UsageError
from evergold.identity import chunk_id, text_sha
from evergold.model import Chunk, Document
from tests.chunking.awkward import PARAGRAPH, tiktoken_count

TEXT = "One two three four. Five six seven eight."
DOCUMENT = Document("handbook://a.md", "v1", TEXT)


def test_a_chunker_has_two_names() -> None:
    """One for ids, one for places where a slash would be in the way."""
    chunker = Chunker("recursive", 512, 64)
    assert "recursive/512/64" == chunker.fingerprint
    assert "recursive-512-64" == chunker.name


@pytest.mark.parametrize(
    ("strategy", "size", "overlap", "message"),
    [
        ("semantik", 9, 0, "unknown chunker strategy 'semantik'; expected one of: "),
        ("fixed", 0, 0, "chunker size must be at least 1, found 0"),
        ("fixed", -5, 0, "chunker size must be at least 1, found -5"),
        (
            "fixed",
            9,
            9,
            "chunker overlap must be at least 0 and smaller than the size of 9, found 9",
        ),
        (
            "fixed",
            9,
            -1,
            "chunker overlap must be at least 0 and smaller than the size of 9, found -1",
        ),
    ],
)
def test_settings_that_cannot_work_are_refused(
    strategy: str, size: int, overlap: int, message: str
) -> None:
    """The message says what was found and what is expected."""
    with pytest.raises(UsageError) as error:
        Chunker(strategy, size, overlap)
    assert str(error.value).startswith(message)


def test_a_chunk_is_a_slice_with_its_identity() -> None:
    """Id, hash, place and token count are those of the slice."""
    chunks = Chunker("recursive", 6, 0).cut(DOCUMENT)
    first, second = "One two three four.", "Five six seven eight."
    assert [
        Chunk(
            chunk_id=chunk_id("handbook://a.md", "v1", ordinal, text, "recursive/6/0"),
            doc_uri="handbook://a.md",
            doc_revision="v1",
            ordinal=ordinal,
            text=text,
            text_sha=text_sha(text),
            start=start,
            end=start + len(text),
            token_count=tokens,
        )
        for ordinal, text, start, tokens in ((0, first, 0, 5), (1, second, 20, 5))
    ] == chunks


def test_a_document_without_text_has_no_chunk() -> None:
    """It counts for the fingerprint of the corpus and yields nothing."""
    empty = Document("handbook://empty.md", "v1", "")
    chunker = Chunker("fixed", 9)
    assert [] == chunker.cut(empty)
    snapshots = [chunker.snapshot([DOCUMENT]), chunker.snapshot([DOCUMENT, empty])]
    assert snapshots[0].chunks == snapshots[1].chunks
    assert snapshots[0].corpus_fingerprint != snapshots[1].corpus_fingerprint


def test_a_snapshot_keeps_the_order_of_the_documents() -> None:
    """Chunks follow the documents as given; the fingerprint does not depend on the order."""
    other = Document("handbook://b.md", "v1", PARAGRAPH.strip())
    chunker = Chunker("recursive", 6, 2)
    forth, back = chunker.snapshot([DOCUMENT, other]), chunker.snapshot([other, DOCUMENT])
    assert [*chunker.cut(DOCUMENT), *chunker.cut(other)] == list(forth.chunks)
    assert [*chunker.cut(other), *chunker.cut(DOCUMENT)] == list(back.chunks)
    assert forth.corpus_fingerprint == back.corpus_fingerprint
    assert "recursive/6/2" == forth.chunker_fingerprint


def test_ids_are_unique_where_texts_repeat() -> None:
    """Equal paragraphs are chunks of their own, by their ordinal."""
    document = Document("handbook://c.md", "v1", (PARAGRAPH * 5).strip())
    chunks = Chunker("recursive", 16).cut(document)
    assert 5 == len(chunks)
    assert 1 == len({chunk.text_sha for chunk in chunks})
    assert 5 == len({chunk.chunk_id for chunk in chunks})


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_chunks_are_verbatim_and_counted(strategy: str) -> None:
    """Every strategy gives slices of its document with their own token counts."""
    document = Document("handbook://d.md", "v1", (PARAGRAPH * 20).strip())
    chunks = Chunker(strategy, 40, 10).cut(document)
    assert len(chunks) > 1
    assert list(range(len(chunks))) == [chunk.ordinal for chunk in chunks]
    for chunk in chunks:
        assert document.text[slice(chunk.start, chunk.end)] == chunk.text
        assert tiktoken_count(chunk.text) == chunk.token_count


def test_an_error_names_the_document() -> None:
    """A text that cannot be tokenized is reported with the document that holds it."""
    with pytest.raises(InputError, match=r"handbook://word\.txt: 200,000 characters without"):
        Chunker("recursive", 9).cut(Document("handbook://word.txt", "v1", "x" * 200_000))
