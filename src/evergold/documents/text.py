"""Markdown, reStructuredText and plain text, each read as the text that it is."""

from __future__ import annotations

from pathlib import PurePosixPath

from evergold.errors import InputError
from evergold.identity import normalize, text_sha
from evergold.model import Document

MEDIA_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".rst": "text/x-rst",
    ".txt": "text/plain",
}
# Part of the document: a change in what is extracted must show as a change of the extractor.
EXTRACTOR = "text/1"


def is_supported(path: PurePosixPath) -> bool:
    """Return whether a file of this name can be loaded."""
    return path.suffix.lower() in MEDIA_TYPES


def load(data: bytes, path: PurePosixPath, uri_prefix: str) -> Document:
    """Return the document that `data` holds.

    `path` is relative to the corpus folder; with the prefix it is the `doc_uri`. The
    revision of a local file is the hash of its canonical text.
    """
    try:
        raw = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = data[error.start : error.start + 1].hex()
        raise InputError(f"not UTF-8: byte 0x{found}", path=path, line=line) from error
    text = normalize(raw)
    return Document(
        doc_uri=uri_prefix + path.as_posix(),
        doc_revision=text_sha(text),
        text=text,
        media_type=MEDIA_TYPES[path.suffix.lower()],
        extractor=EXTRACTOR,
    )
