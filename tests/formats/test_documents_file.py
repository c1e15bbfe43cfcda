"""Documents files: canonical texts with what is known of their form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError
from evergold.formats.documents import read_documents, write_documents
from evergold.model import Document, Element

DOCUMENTS = (
    Document(
        doc_uri="handbook://a.md",
        doc_revision="v2",
        text="# Leave\n\n- 30 days",
        title="Leave",
        media_type="text/markdown",
        extractor="text/1",
        elements=(Element("heading", 0, 7, 1), Element("list", 9, 18)),
    ),
    Document("handbook://b.txt", "v1", ""),
)


def _refusal(folder: Path, *rows: dict[str, Any]) -> str:
    path = folder / "documents.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_documents(path)
    return str(error.value)


def test_documents_are_written_in_one_form(tmp_path: Path) -> None:
    """Fields stand in their order; what is unset is left out."""
    path = tmp_path / "documents.jsonl"
    write_documents(path, DOCUMENTS)
    assert (
        '{"doc_uri":"handbook://a.md","doc_revision":"v2","text":"# Leave\\n\\n- 30 days",'
        '"title":"Leave","media_type":"text/markdown","extractor":"text/1","elements":['
        '{"kind":"heading","span":[0,7],"level":1},{"kind":"list","span":[9,18]}]}\n'
        '{"doc_uri":"handbook://b.txt","doc_revision":"v1","text":""}\n'
    ) == path.read_text(encoding="utf-8")


def test_written_documents_read_back(tmp_path: Path) -> None:
    """Every field survives, in the order of the file."""
    path = tmp_path / "documents.jsonl"
    write_documents(path, DOCUMENTS)
    assert DOCUMENTS == read_documents(path)


def test_a_repeated_document_is_refused(tmp_path: Path) -> None:
    """One revision of a document stands once."""
    row = {"doc_uri": "d", "doc_revision": "r", "text": "x"}
    expected = "documents:2: duplicate document d at revision r"
    assert expected == _refusal(tmp_path, row, row)


@pytest.mark.parametrize("text", [" x", "x\n", "a\r\nb", "e\u0301", "x\u2028"])
def test_a_text_that_is_not_canonical_is_refused(tmp_path: Path, text: str) -> None:
    """Offsets would count in another text than the one that is hashed."""
    message = _refusal(tmp_path, {"doc_uri": "d", "doc_revision": "r", "text": text})
    assert "documents:1: the text of d is not canonical (NFC, LF, no outer white space)" == message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"doc_uri": None}, "missing doc_uri"),
        ({"doc_revision": ""}, "missing doc_revision"),
        ({"text": None}, "document d has no text"),
        ({"text": 5}, "text must be a string, found 5"),
        ({"title": 5}, "title must be a string, found 5"),
        ({"elements": ["heading"]}, 'elements must be a list of objects, found ["heading"]'),
        ({"elements": [{"kind": "table"}]}, "an element needs a span"),
        ({"elements": [{"span": [0, 1]}]}, "missing kind"),
        (
            {"elements": [{"kind": "table", "span": [1, 0]}]},
            "span must be [start, end], found [1,0]",
        ),
    ],
)
def test_a_malformed_document_is_refused(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    """The message names the line and what was found."""
    row = {"doc_uri": "d", "doc_revision": "r", "text": "x", **fields}
    assert f"documents:1: {message}" == _refusal(tmp_path, row)
