"""Label drift: the five statuses of `spec/drift.md`, one finding for each row.

One pass over the chunks, in whatever order they come, answers steps 0 to 2 by look-ups on the
side of the labels. Chunks of documents with labels are gathered, and what is gathered is
compared with the judged texts (steps 3 and 4) as often as it grows large: the answers of
several such comparisons add up. So memory is that of the labels and of what is gathered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from evergold.formats.corpus import SnapshotFile
from evergold.identity import normalize, text_sha
from evergold.labels.containment import contained
from evergold.labels.verified import is_as_judged
from evergold.memory import collector_paused
from evergold.model import BareChunk, Chunk, DriftReport, Finding, Judgment, Snapshot

_AnyChunk = Chunk | BareChunk
# Code points of a file that are gathered, at least, before they are compared.
_GATHERED = 1 << 20


class CorpusIndex:
    """A snapshot arranged for look-ups by chunk id, text and document."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.by_id: dict[str, Chunk] = {}
        self.by_sha: dict[str, list[Chunk]] = {}
        self.by_document: dict[str, list[Chunk]] = {}
        for chunk in snapshot.chunks:
            self.by_id[chunk.chunk_id] = chunk
            self.by_sha.setdefault(chunk.text_sha, []).append(chunk)
            self.by_document.setdefault(chunk.doc_uri, []).append(chunk)
        for chunks in self.by_document.values():
            chunks.sort(key=lambda chunk: chunk.ordinal)


@collector_paused()
def drift(
    judgments: Sequence[Judgment],
    corpus: Snapshot | CorpusIndex | SnapshotFile,
    gathered: int = _GATHERED,
) -> DriftReport:
    """Return the status of every label against a live corpus.

    A `SnapshotFile` is read once and never held as a whole: of its texts, `gathered` code points
    are, or as many as the labels have. Raises `InputError` where it cannot be used.
    """
    labels = _Labels(judgments)
    if isinstance(corpus, SnapshotFile):
        labels.compare(corpus, gathered)
    else:
        corpus = corpus.snapshot if isinstance(corpus, CorpusIndex) else corpus
        labels.compare(corpus.chunks)
    fingerprints = {j.corpus_fingerprint for j in judgments if j.corpus_fingerprint}
    return DriftReport(
        findings=tuple(map(labels.finding, range(len(judgments)))),
        judgments_fingerprint=fingerprints.pop() if len(fingerprints) == 1 else None,
        corpus_fingerprint=corpus.corpus_fingerprint or None,
    )


class _Labels:
    """The rows of a label file with what has been found of them so far."""

    def __init__(self, judgments: Sequence[Judgment]) -> None:
        self._judgments = judgments
        self._by_id: dict[str, list[int]] = {}
        self._by_document: dict[str, list[int]] = {}
        self._judged: dict[str, int] = {}  # code points of judged texts by document
        self._shas: dict[int, str] = {}
        # What is looked for, with what is found: the first chunk of a text (by document and
        # anywhere), and whether a document has a chunk.
        self._at_home: dict[tuple[str, str], str | None] = {}
        self._anywhere: dict[str, str | None] = {}
        self._documents: dict[str, bool] = {}
        for row, judgment in enumerate(judgments):
            self._add(row, judgment)
        self._verified: dict[int, bool | None] = {}  # by row, for rows with a live id
        # By row, in the order of the file: ordinal, place in the file, id.
        self._pieces: dict[int, list[tuple[int, int, str]]] = {}
        # By row: length, ordinal, place in the file, id.
        self._holders: dict[int, tuple[int, int, int, str]] = {}

    def _add(self, row: int, judgment: Judgment) -> None:
        if judgment.chunk_id is None:
            self._documents[judgment.doc_uri] = False
            return
        self._by_id.setdefault(judgment.chunk_id, []).append(row)
        sha = judgment.text_sha
        if judgment.chunk_text is not None:
            doc_uri = judgment.doc_uri
            self._by_document.setdefault(doc_uri, []).append(row)
            self._judged[doc_uri] = self._judged.get(doc_uri, 0) + len(judgment.chunk_text)
            if not sha:
                sha = text_sha(judgment.chunk_text)
        if sha:
            self._shas[row] = sha
            self._anywhere[sha] = None
            self._at_home[sha, judgment.doc_uri] = None

    def compare(self, chunks: Iterable[_AnyChunk], least: float = inf) -> None:
        """Take in all chunks of a corpus, comparing texts when `least` code points are gathered.

        A comparison takes time also for the judged texts of the documents: it waits for as much
        text on the other side, so that the time is that of the corpus in any order of chunks.
        """
        gathered: dict[str, list[tuple[int, _AnyChunk]]] = {}
        size = judged = 0
        by_id, anywhere, at_home = self._by_id, self._anywhere, self._at_home
        for place, chunk in enumerate(chunks):
            chunk_id, doc_uri, sha = chunk.chunk_id, chunk.doc_uri, chunk.text_sha
            if chunk_id in by_id:
                for row in by_id[chunk_id]:
                    self._verified[row] = is_as_judged(self._judgments[row], chunk)
            if sha in anywhere:
                if anywhere[sha] is None:
                    anywhere[sha] = chunk_id
                if at_home.get((sha, doc_uri), "") is None:
                    at_home[sha, doc_uri] = chunk_id
            if doc_uri in self._documents:
                self._documents[doc_uri] = True
            if doc_uri in self._judged and chunk.text:
                if doc_uri not in gathered:
                    gathered[doc_uri] = []
                    judged += self._judged[doc_uri]
                gathered[doc_uri].append((place, chunk))
                size += len(chunk.text)
                if size >= least and size >= judged:
                    self._compare_texts(gathered)
                    gathered, size, judged = {}, 0, 0
        self._compare_texts(gathered)

    def _compare_texts(self, gathered: dict[str, list[tuple[int, _AnyChunk]]]) -> None:
        for doc_uri, chunks in gathered.items():
            rows: dict[str, list[int]] = {}
            for row in self._by_document[doc_uri]:
                if row not in self._verified and self._same_text(row) is None:
                    wanted = normalize(self._judgments[row].chunk_text or "")
                    rows.setdefault(wanted, []).append(row)
            rows.pop("", None)
            if rows:
                self._compare_document(rows, chunks)

    def _compare_document(
        self, rows: dict[str, list[int]], chunks: list[tuple[int, _AnyChunk]]
    ) -> None:
        """Look for pieces and holders of the judged texts (with their rows) among the chunks."""
        by_text: dict[str, list[tuple[int, int, str]]] = {}
        for place, chunk in chunks:
            found = chunk.ordinal, place, chunk.chunk_id
            by_text.setdefault(normalize(chunk.text), []).append(found)
        by_text.pop("", None)
        texts, wanted = list(by_text), list(rows)
        for text, judged in contained(texts, wanted):
            for row in rows[wanted[judged]]:
                self._pieces.setdefault(row, []).extend(by_text[texts[text]])

        # A split comes first, so of what has two pieces nobody asks who holds it.
        whole = [judged for judged in wanted if len(self._pieces.get(rows[judged][0], ())) < 2]
        tightest = [(len(text), *min(found)) for text, found in by_text.items()]
        for judged, text in contained(whole, texts):
            for row in rows[whole[judged]]:
                held = self._holders.get(row)
                if held is None or tightest[text] < held:
                    self._holders[row] = tightest[text]

    def _same_text(self, row: int) -> str | None:
        """Return the chunk with the text of a label, of its document first."""
        sha = self._shas.get(row)
        if sha is None:
            return None
        return self._at_home[sha, self._judgments[row].doc_uri] or self._anywhere[sha]

    def finding(self, row: int) -> Finding:
        """Return the answer for a row: the first of the five steps that applies."""
        judgment = self._judgments[row]
        query_id, doc_uri, chunk_id = judgment.query_id, judgment.doc_uri, judgment.chunk_id
        if chunk_id is None:
            live = self._documents[doc_uri]
            return Finding(row, query_id, doc_uri, "VALID" if live else "ORPHANED")
        if row in self._verified:
            verified = self._verified[row]
            return Finding(row, query_id, doc_uri, "VALID", chunk_id, verified=verified)
        target = self._same_text(row)
        if target is not None:
            return Finding(row, query_id, doc_uri, "RE_ANCHORABLE", chunk_id, target)
        pieces = self._pieces.get(row, [])
        if len(pieces) >= 2:
            split_into = tuple(piece for _, _, piece in sorted(pieces))
            return Finding(row, query_id, doc_uri, "SPLIT", chunk_id, split_into=split_into)
        if row in self._holders:
            return Finding(row, query_id, doc_uri, "MERGED", chunk_id, self._holders[row][-1])
        return Finding(row, query_id, doc_uri, "ORPHANED", chunk_id)
