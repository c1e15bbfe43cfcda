"""A chunker: a strategy with its settings, and what it makes of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evergold.chunking.fixed import fixed
from evergold.chunking.recursive import recursive
from evergold.chunking.tokens import count_tokens
from evergold.errors import InputError, UsageError
from evergold.identity import chunk_id, corpus_fingerprint, text_sha
from evergold.model import Chunk, Document, Snapshot, Span

STRATEGIES: dict[str, Callable[[str, int, int], list[Span]]] = {
    "fixed": fixed,
    "recursive": recursive,
}


@dataclass(frozen=True, slots=True)
class Chunker:
    """A strategy with its settings; `size` and `overlap` are in cl100k_base tokens."""

    strategy: str
    size: int
    overlap: int = 0

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            known = ", ".join(sorted(STRATEGIES))
            raise UsageError(
                f"unknown chunker strategy {self.strategy!r}; expected one of: {known}"
            )
        if self.size < 1:
            raise UsageError(f"chunker size must be at least 1, found {self.size}")
        if not 0 <= self.overlap < self.size:
            raise UsageError(
                f"chunker overlap must be at least 0 and smaller than the size of {self.size},"
                f" found {self.overlap}"
            )

    @property
    def name(self) -> str:
        """The name on a command line: `recursive-512-64`."""
        return f"{self.strategy}-{self.size}-{self.overlap}"

    @property
    def fingerprint(self) -> str:
        """The name inside ids and fingerprints: `recursive/512/64`."""
        return f"{self.strategy}/{self.size}/{self.overlap}"

    def cut(self, document: Document) -> list[Chunk]:
        """Return the chunks of a document, in order; none for a document without text."""
        try:
            spans = STRATEGIES[self.strategy](document.text, self.size, self.overlap)
        except InputError as error:
            raise InputError(str(error), path=document.doc_uri) from error
        return [
            self._chunk(document, ordinal, start, end) for ordinal, (start, end) in enumerate(spans)
        ]

    def snapshot(self, documents: Iterable[Document]) -> Snapshot:
        """Return all chunks of `documents`, in the order of the documents."""
        held = tuple(documents)
        return Snapshot(
            corpus_fingerprint=corpus_fingerprint(
                self.fingerprint, ((d.doc_uri, d.doc_revision) for d in held)
            ),
            chunker_fingerprint=self.fingerprint,
            chunks=tuple(chunk for document in held for chunk in self.cut(document)),
        )

    def _chunk(self, document: Document, ordinal: int, start: int, end: int) -> Chunk:
        text = document.text[start:end]
        return Chunk(
            chunk_id=chunk_id(
                document.doc_uri, document.doc_revision, ordinal, text, self.fingerprint
            ),
            doc_uri=document.doc_uri,
            doc_revision=document.doc_revision,
            ordinal=ordinal,
            text=text,
            text_sha=text_sha(text),
            start=start,
            end=end,
            token_count=count_tokens(text),
        )
