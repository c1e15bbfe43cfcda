"""Files by their names: compressed ones and standard input, and what is wrong with them."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evergold.errors import InputError, UsageError
from evergold.formats.corpus import read_snapshot, snapshot_object, write_snapshot
from evergold.formats.files import read_blocks, read_bytes, read_lines, read_text, write_text
from evergold.formats.judgments import read_judgments, write_judgments
from evergold.formats.streams import encoded, opened
from evergold.identity import text_sha
from evergold.model import Chunk, Judgment, Snapshot

TEXT = "\ufeffone\r\ncafé\u2028x\n" + "filler " * 50_000


def _packed(suffix: str, data: bytes) -> bytes:
    """Return data as another program compresses it."""
    if suffix == ".gz":
        return gzip.compress(data)
    zstandard: Any = pytest.importorskip("zstandard", reason="files named .zst need it")
    packed: bytes = zstandard.ZstdCompressor(write_checksum=True).compress(data)
    return packed


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], Path]:
    """Return what puts bytes on standard input, and gives its path."""

    def given(data: bytes) -> Path:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        return Path("-")

    return given


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_file_reads_as_the_text_in_it(tmp_path: Path, suffix: str) -> None:
    """Whole, by line and by block, without the byte order mark."""
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(_packed(suffix, TEXT.encode()))
    assert TEXT[1:] == read_text(path)
    assert ["one\r\n", "café\u2028x\n", "filler " * 50_000] == list(read_lines(path))
    assert TEXT[1:] == "".join(read_blocks(path, 1000))


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_parts_that_were_packed_one_by_one_are_read_on(tmp_path: Path, suffix: str) -> None:
    """Compressed files may be concatenated, as log archives are."""
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(b"".join(_packed(suffix, part) for part in (b"one\n", b"", b"two\n")))
    assert b"one\ntwo\n" == read_bytes(path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("kept", [0, 6, -1, -4, -9])
def test_a_compressed_file_that_was_cut_off_is_refused(
    tmp_path: Path, suffix: str, kept: int
) -> None:
    """Wherever it ends: nothing of it is taken for the whole."""
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(_packed(suffix, TEXT.encode())[:kept])
    with pytest.raises(InputError) as error:
        read_text(path)
    assert f"cannot read {path}: the compressed data ends too early" == str(error.value)


@pytest.mark.parametrize(("suffix", "name"), [(".gz", "gzip"), (".zst", "zstd")])
def test_damaged_data_is_refused_in_one_line(tmp_path: Path, suffix: str, name: str) -> None:
    """A changed byte is found by its checksum; what is not compressed at all has no header."""
    path = tmp_path / f"a.txt{suffix}"
    _packed(suffix, b"")  # skips where the package is missing
    packed = bytearray(encoded(path, "".join(map(chr, range(32, 127)))))
    packed[len(packed) // 2] ^= 0x11
    for data in (bytes(packed), b"plain text and no more"):
        path.write_bytes(data)
        with pytest.raises(InputError, match=f"cannot read .*: damaged {name} data") as error:
            read_bytes(path)
        assert 1 == len(error.value.display.splitlines())


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_more_than_the_bound_is_refused(tmp_path: Path, suffix: str) -> None:
    """A file of some kilobytes cannot fill the memory of a machine."""
    path = tmp_path / f"bomb{suffix}"
    path.write_bytes(_packed(suffix, bytes(3_000_000)))
    with opened(path, most=3_000_000) as stream:
        assert 3_000_000 == len(stream.read())
    with (
        pytest.raises(InputError, match=r"bomb.*: more than 2999999 bytes when decompressed"),
        opened(path, most=2_999_999) as stream,
    ):
        stream.read()


def test_without_its_package_zst_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line says what to install, on reading and on writing."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    message = f"{path} needs the package zstandard: pip install zstandard"
    with pytest.raises(InputError) as error:
        read_text(path)
    assert message == str(error.value)
    with pytest.raises(InputError) as error:
        write_text(path, "x")
    assert message == str(error.value)
    assert [path] == list(tmp_path.iterdir())


def test_the_same_text_is_compressed_to_the_same_bytes() -> None:
    """No time, no name and no version of Python is in them."""
    expected = (
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no flags, no time, unknown system
        b"\x4b\x04\x00\x43\xbe\xb7\xe8\x01\x00\x00\x00"
    )
    assert expected == encoded(Path("one.gz"), "a") == encoded(Path("two.gz"), "a")


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_file_is_written_as_its_name_says(tmp_path: Path, suffix: str) -> None:
    """Other programs read it, and so do we."""
    data = TEXT.encode()
    if suffix == ".zst":
        _packed(suffix, data)  # skips where the package is missing
    path = tmp_path / f"a.txt{suffix}"
    write_text(path, TEXT)
    assert (data == path.read_bytes()) is (not suffix)
    assert data == read_bytes(path)
    if suffix == ".gz":
        assert data == gzip.decompress(path.read_bytes())


def test_labels_and_snapshots_may_be_compressed(tmp_path: Path) -> None:
    """The published object is known by the name before the suffix."""
    labels = (Judgment("q", "d", 1),)
    write_judgments(tmp_path / "labels.jsonl.gz", labels)
    assert labels == read_judgments(tmp_path / "labels.jsonl.gz")
    snapshot = Snapshot("f", "c", (Chunk("a", "d", "r", 0, "é", text_sha("é")),))
    write_snapshot(tmp_path / "corpus.jsonl.gz", snapshot)
    write_text(tmp_path / "corpus.json.gz", snapshot_object(snapshot))
    assert snapshot == read_snapshot(tmp_path / "corpus.jsonl.gz")
    assert snapshot == read_snapshot(tmp_path / "corpus.json.gz")


def test_a_dash_is_standard_input(stdin: Callable[[bytes], Path]) -> None:
    """With a byte order mark and CRLF, as a file may be."""
    path = stdin(b'\xef\xbb\xbf{"query_id":"q","doc_uri":"d","relevance":1}\r\n')
    assert (Judgment("q", "d", 1),) == read_judgments(path)


def test_errors_of_standard_input_name_it(stdin: Callable[[bytes], Path]) -> None:
    """In brackets where the name of the format stands first."""
    with pytest.raises(InputError) as error:
        read_judgments(stdin(b'{"query_id":"q"}\n'))
    assert "judgments:1: missing doc_uri [<stdin>]" == error.value.display
    with pytest.raises(InputError) as error:
        read_text(stdin(b"a\n\xff\n"))
    assert "<stdin>:2: not UTF-8: byte 0xff" == error.value.display


def test_standard_input_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of that name comes to be."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"- is standard input: it can be read, not written"):
        write_text(Path("-"), "x")
    assert [] == list(tmp_path.iterdir())
