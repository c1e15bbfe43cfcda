"""Documents as JSON Lines: `spec/documents.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evergold.formats.jsonl import Row, read_rows, write_rows
from evergold.identity import normalize
from evergold.model import Document, Element

_KNOWN = ("doc_uri", "doc_revision", "text", "title", "media_type", "extractor", "elements")


def read_documents(path: Path) -> tuple[Document, ...]:
    """Return the documents of a file, in order; a repeated revision of one is refused."""
    documents: dict[tuple[str, str], Document] = {}
    for line, fields in read_rows(path, source="documents"):
        row = Row(fields, path, line, source="documents")
        document = document_of(row)
        identity = document.doc_uri, document.doc_revision
        if identity in documents:
            raise row.error(f"duplicate document {identity[0]} at revision {identity[1]}")
        documents[identity] = document
    return tuple(documents.values())


def document_of(row: Row) -> Document:
    """Return the document of one row, whose text must be canonical."""
    doc_uri = row.identifier("doc_uri")
    revision = row.identifier("doc_revision")
    text = row.text("text")
    if text is None:
        raise row.error(f"document {doc_uri} has no text")
    if text != normalize(text):
        raise row.error(f"the text of {doc_uri} is not canonical (NFC, LF, no outer white space)")
    return Document(
        doc_uri=doc_uri,
        doc_revision=revision,
        text=text,
        title=row.text("title"),
        media_type=row.text("media_type"),
        extractor=row.text("extractor"),
        elements=tuple(_element(row, item) for item in row.objects("elements")),
        extra=row.unknown(_KNOWN),
    )


def write_documents(path: Path, documents: Iterable[Document]) -> None:
    """Write a documents file, unset fields left out."""
    write_rows(path, map(document_to_json, documents))


def _element(row: Row, fields: dict[str, Any]) -> Element:
    part = Row(fields, row.path, row.line, row.source)
    span = part.span("span")
    if span is None:
        raise row.error("an element needs a span")
    return Element(part.identifier("kind"), *span, level=part.integer("level"))


def document_to_json(document: Document) -> dict[str, Any]:
    """Return a document as JSON data, unset fields left out."""
    fields: dict[str, Any] = {
        "doc_uri": document.doc_uri,
        "doc_revision": document.doc_revision,
        "text": document.text,
        "title": document.title,
        "media_type": document.media_type,
        "extractor": document.extractor,
        "elements": [_element_to_json(element) for element in document.elements] or None,
        **document.extra,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _element_to_json(element: Element) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": element.kind, "span": [element.start, element.end]}
    if element.level is not None:
        fields["level"] = element.level
    return fields
