"""Whole files: read with a clear error, written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.formats.files import read_bytes, read_text, write_text, write_texts
from tests.stage_process import REPOSITORY


def test_text_is_written_as_utf_8_and_read_back(tmp_path: Path) -> None:
    """Line ends and characters of any plane survive, and nothing is added."""
    path = tmp_path / "a.txt"
    write_text(path, "é\r\n\U0001f469\u200d\U0001f467\u2028x")
    assert (
        b"\xc3\xa9\r\n\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\xe2\x80\xa8x"
        == path.read_bytes()
    )
    assert "é\r\n\U0001f469\u200d\U0001f467\u2028x" == read_text(path)


def test_a_byte_order_mark_at_the_start_is_passed_over(tmp_path: Path) -> None:
    """The mark that editors write is no part of the text; one further on is."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfa\xef\xbb\xbfb")
    assert "a\ufeffb" == read_text(path)


def test_no_byte_order_mark_is_written(tmp_path: Path) -> None:
    """A written file begins with its text."""
    path = tmp_path / "a.txt"
    write_text(path, "a")
    assert b"a" == path.read_bytes()


def test_bytes_that_are_not_utf_8_are_refused_with_their_line(tmp_path: Path) -> None:
    """The message names file, line and byte."""
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ntwo\ncaf\xe9\n")
    with pytest.raises(InputError) as error:
        read_text(path)
    assert f"{path}:3: not UTF-8: byte 0xe9" == str(error.value)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    """The message has the path and the reason in lower case."""
    path = tmp_path / "none.txt"
    with pytest.raises(InputError) as error:
        read_bytes(path)
    assert f"cannot read {path}: no such file or directory" == str(error.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """Reading a folder is an input error."""
    with pytest.raises(InputError) as error:
        read_text(tmp_path)
    assert f"cannot read {tmp_path}: is a directory" == str(error.value)


def test_writing_makes_the_folders_and_leaves_nothing_else(tmp_path: Path) -> None:
    """Missing folders are made, and no temporary file stays behind."""
    path = tmp_path / "a" / "b" / "c.txt"
    write_text(path, "x")
    write_text(path, "y")
    assert "y" == path.read_text(encoding="utf-8")
    assert [path] == list(path.parent.iterdir())


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    """The file that a link points to, such as an object of a cache, keeps its content."""
    cached = tmp_path / "cached"
    cached.write_text("old", encoding="utf-8")
    hard, soft = tmp_path / "hard", tmp_path / "soft"
    hard.hardlink_to(cached)
    soft.symlink_to(cached)
    write_text(hard, "new")
    write_text(soft, "new")
    assert "old" == cached.read_text(encoding="utf-8")
    assert ["new", "new"] == [path.read_text(encoding="utf-8") for path in (hard, soft)]
    assert not soft.is_symlink()


def test_text_that_cannot_be_encoded_leaves_the_old_file(tmp_path: Path) -> None:
    """A lone surrogate fails before anything is replaced, and no temporary file stays."""
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800")
    assert "old" == path.read_text(encoding="utf-8")
    assert [path] == list(tmp_path.iterdir())


def test_writing_where_a_folder_stands_is_an_input_error(tmp_path: Path) -> None:
    """What cannot be replaced is reported with the path, and no temporary file stays."""
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(InputError, match="cannot write "):
        write_text(path, "x")
    assert [path] == list(tmp_path.iterdir())


def test_permissions_of_a_file_survive_its_replacement(tmp_path: Path) -> None:
    """A file that only its owner may read stays so."""
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    write_text(path, "new")
    assert (0o600, "new") == (path.stat().st_mode & 0o777, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("link", ["symbolic", "hard"])
def test_a_link_into_a_cache_is_replaced_by_a_file_of_its_own(tmp_path: Path, link: str) -> None:
    """The cached file keeps content and permissions, and the new one can be written again."""
    cached, path = tmp_path / "cached", tmp_path / "a.txt"
    cached.write_text("old", encoding="utf-8")
    cached.chmod(0o444)
    if link == "symbolic":
        path.symlink_to(cached)
    else:
        path.hardlink_to(cached)
    write_text(path, "new")
    assert (0o444, "old") == (cached.stat().st_mode & 0o777, cached.read_text(encoding="utf-8"))
    assert not path.is_symlink()
    assert (0o200, "new") == (path.stat().st_mode & 0o200, path.read_text(encoding="utf-8"))


def test_several_files_are_written_all_or_none(tmp_path: Path) -> None:
    """The first file keeps its content where the second cannot be written."""
    first, second = tmp_path / "a.txt", tmp_path / ("b" * 300)
    first.write_text("old", encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot write .*: file name too long"):
        write_texts({first: "new", second: "new"})
    assert [first] == list(tmp_path.iterdir())
    assert "old" == first.read_text(encoding="utf-8")


def test_a_lock_keeps_other_processes_waiting(tmp_path: Path) -> None:
    """Two processes that count up in a file never read the same number."""
    pytest.importorskip("fcntl", reason="locks are a matter of POSIX")
    count = tmp_path / "count"
    count.write_text("0", encoding="utf-8")
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from evergold.formats.files import locked\n"
        "path = Path(sys.argv[1])\n"
        "for _ in range(20):\n"
        "    with locked(path.parent):\n"
        "        number = int(path.read_text())\n"
        "        time.sleep(0.002)\n"
        "        path.write_text(str(number + 1))\n"
    )
    command = [sys.executable, "-c", script, str(count)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    running = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [0, 0, 0] == [process.wait(timeout=60) for process in running]
    assert "60" == count.read_text(encoding="utf-8")
    assert [count] == list(tmp_path.iterdir())
