"""Whole files: read with a clear error, written whole or not at all."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path

from evergold.errors import InputError


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {_reason(error)}") from error


def read_text(path: Path) -> str:
    """Return a UTF-8 file as text, without a byte order mark."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = data[error.start : error.start + 1].hex()
        raise InputError(f"not UTF-8: byte 0x{found}", path=path, line=line) from error


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8: afterwards the file is the old one or the new one, never a part.

    The text goes to a temporary file in the same folder, is flushed to the disk and takes
    the place of the old file in one step. A link is replaced, not written through.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {_reason(error)}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
