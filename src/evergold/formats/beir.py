"""A BEIR folder: `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv`.

The canonical text of a document is its BEIR title, a blank line and its BEIR text, as retrievers
of BEIR see both. Fields that BEIR does not name stand beside those that it does, in both
directions; its loaders pass over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from evergold.errors import InputError
from evergold.formats.documents import document_of, document_to_json
from evergold.formats.files import write_texts
from evergold.formats.jsonl import Row, read_rows, rows_to_text
from evergold.formats.qrels import Qrels, read_consistent_qrels
from evergold.formats.queries import query_of, query_to_json
from evergold.identity import normalize, text_sha, unicode_twins
from evergold.model import Document, Judgment, Query

_HEADER = "query-id\tcorpus-id\tscore\n"
_Item = TypeVar("_Item", Document, Query)


def read_beir_documents(folder: Path) -> tuple[Document, ...]:
    """Return the documents of `corpus.jsonl`; without a revision of its own, the text's hash."""
    return _read(folder / "corpus.jsonl", "corpus", _document)


def read_beir_queries(folder: Path) -> tuple[Query, ...]:
    """Return the queries of `queries.jsonl`."""
    return _read(folder / "queries.jsonl", "queries", _query)


def read_beir_qrels(folder: Path, split: str) -> Qrels:
    """Return the judgments of `qrels/SPLIT.tsv`, which are of whole documents."""
    return read_consistent_qrels(folder / "qrels" / f"{split}.tsv", tabs=True)


def beir_files(folder: Path, split: str) -> tuple[Path, Path, Path]:
    """Return the paths of documents, queries and qrels in a BEIR folder."""
    return folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / f"{split}.tsv"


def write_beir(
    folder: Path,
    documents: Sequence[Document],
    queries: Sequence[Query],
    judgments: Iterable[Judgment],
    split: str,
) -> None:
    """Write a BEIR folder: all files or none.

    A title that does not begin the text of its document is left out: `untitled` names those.
    Raises `InputError` for a label that is not of a whole document, that stands twice, or whose
    query or document is not among those given, and for two revisions of one document.
    """
    corpus, asked, qrels = beir_files(folder, split)
    known = frozenset(document.doc_uri for document in documents)
    if len(known) < len(documents):
        raise InputError("BEIR holds one revision of each document")
    ids = frozenset(query.query_id for query in queries)
    lines: dict[tuple[str, str], str] = {}
    for judgment in judgments:
        _check(judgment, known, ids)
        query_id, doc_uri = judgment.query_id, judgment.doc_uri
        if (query_id, doc_uri) in lines:
            raise InputError(f"two labels of query {query_id} in {doc_uri}")
        lines[query_id, doc_uri] = f"{query_id}\t{doc_uri}\t{judgment.relevance}\n"
    write_texts(
        {
            corpus: rows_to_text(map(_document_row, documents)),
            asked: rows_to_text(map(_query_row, queries)),
            qrels: _HEADER + "".join(lines.values()),
        }
    )


def untitled(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the ids of documents whose title a BEIR folder cannot carry."""
    return tuple([d.doc_uri for d in documents if d.title is not None and _body(d) is None])


def _read(path: Path, source: str, build: Callable[[Row], _Item]) -> tuple[_Item, ...]:
    lines: dict[str, int] = {}
    items = []
    for line, fields in read_rows(path, source):
        row = Row(fields, path, line, source)
        key = row.identifier("_id")
        earlier = lines.setdefault(key, line)
        if earlier != line:
            raise row.error(f"duplicate _id {key}, already on line {earlier}")
        items.append(build(row))
    return tuple(items)


def _document(row: Row) -> Document:
    body, title = row.text("text"), normalize(row.text("title") or "")
    if body is None:
        raise row.error(f"document {row.fields['_id']} has no text")
    text = normalize(f"{title}\n\n{normalize(body)}")
    own = {"doc_uri": row.fields["_id"], "text": text, "title": title or None}
    return document_of(_renamed(row, own, {"doc_revision": text_sha(text)}))


def _query(row: Row) -> Query:
    own = {"query_id": row.fields["_id"], "query": row.fields.get("text")}
    return query_of(_renamed(row, own, {}))


def _renamed(row: Row, own: Mapping[str, Any], defaults: Mapping[str, Any]) -> Row:
    """Return a row under our names, the fields that BEIR does not name as they are."""
    rest = row.unknown(("_id", "text", *own))
    for name in own:
        if name not in ("text", "title") and name in row.fields:
            raise row.error(f"field {name} stands where BEIR has another name for it")
    return Row({**defaults, **own, **rest}, row.path, row.line, row.source)


def _document_row(document: Document) -> dict[str, Any]:
    body = _body(document)
    own = {
        "_id": document.doc_uri,
        "title": "" if body is None else document.title,
        "text": document.text if body is None else body,
    }
    rest = document_to_json(document)
    if document.doc_revision == text_sha(document.text):
        del rest["doc_revision"]
    return _row(own, rest, ("doc_uri", "text", "title"))


def _query_row(query: Query) -> dict[str, Any]:
    own = {"_id": query.query_id, "text": query.query}
    return _row(own, query_to_json(query), ("query_id", "query"))


def _row(own: dict[str, Any], fields: dict[str, Any], renamed: Sequence[str]) -> dict[str, Any]:
    rest = {name: value for name, value in fields.items() if name not in renamed}
    for name in own:
        if name in rest:
            raise InputError(f"field {name} of {own['_id']} has another meaning in BEIR")
    return {**own, **rest}


def _body(document: Document) -> str | None:
    """Return the text behind the title, None where the text does not begin with the title."""
    title, text = document.title, document.text
    if not title or normalize(title) != title:
        return None
    if text == title:
        return ""
    return text.removeprefix(f"{title}\n\n") if text.startswith(f"{title}\n\n") else None


def _check(judgment: Judgment, documents: frozenset[str], queries: frozenset[str]) -> None:
    query_id, doc_uri = judgment.query_id, judgment.doc_uri
    if judgment.key != doc_uri or judgment.chunk_text is not None:
        raise InputError(
            f"the label of query {query_id} in {doc_uri} is of a part of it, BEIR has whole documents"
        )
    if query_id not in queries:
        raise InputError(f"query {query_id} of a label is not among the queries")
    if doc_uri not in documents:
        twins = unicode_twins([doc_uri], documents)
        meant = f"; {twins[0][1]!a} is, in another Unicode normalization" if twins else ""
        raise InputError(f"document {doc_uri} of a label is not among the documents{meant}")
