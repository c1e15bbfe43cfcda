"""Whole files: read with a clear error, written whole or not at all."""

from __future__ import annotations

import codecs
import hashlib
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG

from evergold.errors import InputError, shown_path
from evergold.formats.streams import encoded, opened

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BLOCK = 1 << 20  # bytes that are read at once


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed where its name ends in .gz or .zst."""
    try:
        with opened(path) as stream:
            return stream.read()
    except OSError as error:
        raise _unreadable(path, error) from error


def sha256(path: Path) -> str:
    """Return the SHA-256 of the bytes of a file, as 64 hex digits."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {_reason(error)}") from error


def read_text(path: Path) -> str:
    """Return a UTF-8 file as text, without a byte order mark."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _not_utf8(error, path, line) from error


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, line ends included, without a byte order mark.

    Lines end at LF only. One line at a time is in memory.
    """
    try:
        with opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                data = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                try:
                    yield data.decode()
                except UnicodeDecodeError as error:
                    raise _not_utf8(error, path, number) from error
    except OSError as error:
        raise _unreadable(path, error) from error


def read_blocks(path: Path, size: int = _BLOCK) -> Iterator[str]:
    """Yield a UTF-8 file as texts of up to `size` bytes, none empty, without a byte order mark."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    lines = 0
    data = b"-"
    try:
        with opened(path) as stream:
            while data:
                data = stream.read(size)
                try:
                    text = decoder.decode(data, final=not data)
                except UnicodeDecodeError as error:
                    line = lines + error.object.count(b"\n", 0, error.start) + 1
                    raise _not_utf8(error, path, line) from error
                lines += data.count(b"\n")
                if text:
                    yield text
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot read {shown_path(path)}: {_reason(error)}")


def _not_utf8(error: UnicodeDecodeError, path: Path, line: int) -> InputError:
    found = error.object[error.start : error.start + 1].hex()
    return InputError(f"not UTF-8: byte 0x{found}", path=path, line=line)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8: afterwards the file is the old one or the new one, never a part.

    The text goes to a temporary file in the same folder, is flushed to the disk and takes
    the place of the old file in one step. A link is replaced, not written through. A name that
    ends in .gz or .zst is compressed.
    """
    write_texts({path: text})


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write several files: none takes its place before all are on the disk."""
    temporary: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.tmp")
            temporary[path] = part
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("xb") as stream:
                stream.write(encoded(path, text))
                stream.flush()
                os.fsync(stream.fileno())
            _keep_mode(path, part)
        for path, part in temporary.items():
            part.replace(path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {_reason(error)}") from error
    finally:
        for part in temporary.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process of ours writes in a folder, then keep others waiting.

    The lock is on the folder itself: no file is left behind, and the system takes it back from
    a process that ends. Where the system has no such locks nothing is locked.
    """
    if fcntl is None:
        yield
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {_reason(error)}") from error
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _keep_mode(path: Path, temporary: Path) -> None:
    """Give the new file the permissions of the old one, unless that is a link into a cache."""
    with suppress(FileNotFoundError):
        status = path.lstat()
        if S_ISREG(status.st_mode) and status.st_nlink == 1:
            temporary.chmod(S_IMODE(status.st_mode))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
