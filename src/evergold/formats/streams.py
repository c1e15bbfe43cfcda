"""The bytes of a file by its name: plain, `.gz`, `.zst`, or `-` for standard input."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from evergold.errors import InputError, UsageError, shown_path

# A compressed file of some kilobytes can hold more than a machine does.
MOST_BYTES = 4 << 30
_BLOCK = 1 << 20  # bytes that are read at once
# A block of zstd may hold 32,000 times its size: few bytes go in, so that few come out.
_ZSTD_BLOCK = 1 << 12
_STDIN = Path("-")
_ENDS_EARLY = "the compressed data ends too early"


def plain_suffix(path: Path) -> str:
    """Return the suffix of a name, without that of a compression: `.json` for `a.json.gz`."""
    return path.with_suffix("").suffix if path.suffix in (".gz", ".zst") else path.suffix


@contextmanager
def opened(path: Path, most: int = MOST_BYTES) -> Iterator[BinaryIO]:
    """Open a file for reading, decompressed by its suffix; `-` is standard input.

    Standard input can be read once. Raises `InputError` for compressed data that is damaged, cut
    off or of more than `most` bytes, and `OSError` as `open` does.
    """
    if path == _STDIN:
        yield sys.stdin.buffer
        return
    inflate = {".gz": _gunzip, ".zst": _unzstd}.get(path.suffix)
    with io.BufferedReader(path.open("rb", buffering=0), _BLOCK) as stream:
        if inflate is None:
            yield stream
            return
        if not stream.peek(1):  # Python takes it for an empty text, no other tool does
            raise _damaged(path, _ENDS_EARLY)
        blocks = _Blocks(inflate(stream, path), path, most)
        with io.BufferedReader(blocks, _BLOCK) as inflated:
            yield inflated


def encoded(path: Path, text: str) -> bytes:
    """Return `text` as the bytes that a file of this name holds: UTF-8, compressed by its suffix.

    The same text gives the same bytes: no time and no name is in them.
    """
    if path == _STDIN:
        raise UsageError("- is standard input: it can be read, not written")
    data = text.encode("utf-8")
    if path.suffix == ".gz":
        packed = io.BytesIO()
        # Not `gzip.compress`, whose header depends on the version of Python.
        with gzip.GzipFile("", "wb", 6, packed, mtime=0) as stream:
            stream.write(data)
        return packed.getvalue()
    if path.suffix == ".zst":
        compressor = _zstandard(path).ZstdCompressor(write_checksum=True)
        packed_data: bytes = compressor.compress(data)
        return packed_data
    return data


class _Blocks(io.RawIOBase):
    """Blocks of bytes as a stream that says when they are too many."""

    def __init__(self, blocks: Iterator[bytes], path: Path, most: int) -> None:
        self._blocks = blocks
        self._path = path
        self._most = most
        self._read = 0
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._read += len(block)
            if self._read > self._most:
                raise _damaged(self._path, f"more than {self._most} bytes when decompressed")
            self._rest = memoryview(block)
        size = min(len(target), len(self._rest))
        target[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _gunzip(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=stream) as inflated:
            yield from iter(partial(inflated.read, _BLOCK), b"")
    except EOFError as error:
        raise _damaged(path, _ENDS_EARLY) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, f"damaged gzip data ({error})") from error


def _unzstd(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    library = _zstandard(path)
    frame = None
    try:
        for block in iter(partial(stream.read, _ZSTD_BLOCK), b""):
            rest = block
            while rest:  # a file may hold several frames
                if frame is None:
                    frame = library.ZstdDecompressor().decompressobj()
                yield frame.decompress(rest)
                rest = frame.unused_data
                if frame.eof:
                    frame = None
    except library.ZstdError as error:
        reason = str(error).removeprefix("zstd decompressor error: ")
        raise _damaged(path, f"damaged zstd data ({reason})") from error
    if frame is not None:
        raise _damaged(path, _ENDS_EARLY)


def _damaged(path: Path, reason: str) -> InputError:
    return InputError(f"cannot read {shown_path(path)}: {reason}")


def _zstandard(path: Path) -> Any:
    try:
        import zstandard
    except ModuleNotFoundError as error:
        message = f"{path} needs the package zstandard: pip install zstandard"
        raise InputError(message) from error
    return zstandard
