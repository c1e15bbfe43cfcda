"""ingest: the corpus folder to documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath

from evergold.documents.text import is_supported, load
from evergold.errors import InputError, UsageError
from evergold.formats.documents import write_documents
from evergold.formats.files import read_bytes
from evergold.identity import is_safe_id
from evergold.model import Document
from evergold.pipeline import paths
from evergold.pipeline.params import Params


def run(params: Params) -> str:
    """Write the documents of the corpus folder, in the order of their paths."""
    root = Path(params.text("corpus.path"))
    prefix = params.text("corpus.uri_prefix", may_be_empty=True)
    params.built("corpus.uri_prefix", partial(_check_prefix, prefix))
    documents, notes = ingest(root, prefix)
    write_documents(paths.DOCUMENTS, documents)
    return "\n".join([f"{len(documents)} documents", *notes])


def _check_prefix(prefix: str) -> None:
    if not is_safe_id(prefix):
        raise UsageError(f"corpus.uri_prefix {prefix!r} holds a control character or line break")


def ingest(root: Path, uri_prefix: str) -> tuple[list[Document], list[str]]:
    """Return the documents under `root` and a note for each kind of file that was passed over."""
    try:
        there = root.is_dir()
    except OSError as error:  # a name that no file system takes
        raise InputError(f"cannot read the corpus folder: {error.strerror}") from error
    if not there:
        raise InputError(f"the corpus folder {root} does not exist")
    files = sorted((PurePosixPath(path.relative_to(root)), path) for path in _files(root))
    documents, passed, empty = [], [], []
    for name, path in files:
        if not is_supported(name) or not path.is_file():
            passed.append(_printable(str(name)))
            continue
        document = _loaded(path, name, uri_prefix)
        if document.text:
            documents.append(document)
        else:
            empty.append(_printable(str(name)))
    if not documents:
        raise InputError(f"the corpus folder {root} holds no document with text")
    notes = [
        f"{len(names)} files {what}: {', '.join(names)}"
        for names, what in ((passed, "of other types passed over"), (empty, "without text"))
        if names
    ]
    return documents, notes


def _printable(name: str) -> str:
    return name if is_safe_id(name) else ascii(name)


def _files(root: Path) -> Iterator[Path]:
    """Yield every file and link below a folder but for hidden ones; links to folders stay files."""

    def refuse(error: OSError) -> None:
        raise InputError(f"cannot read {error.filename}: {(error.strerror or '').lower()}")

    for folder, folders, names in os.walk(root, onerror=refuse):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (*names, *links):
            if not name.startswith("."):
                yield Path(folder) / name


def _loaded(path: Path, name: PurePosixPath, uri_prefix: str) -> Document:
    uri = uri_prefix + name.as_posix()
    if not is_safe_id(uri):
        raise InputError(f"the name of {str(path)!r} holds a control character or line break")
    try:
        return load(read_bytes(path), name, uri_prefix)
    except InputError as error:
        if error.path == str(name):  # name the file as the user knows it
            raise InputError(str(error).partition(": ")[2], path=path, line=error.line) from error
        raise
