"""Markdown, reStructuredText and plain text as documents."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from evergold.documents.text import is_supported, load
from evergold.errors import InputError
from evergold.identity import text_sha
from evergold.model import Document


def test_a_file_is_loaded_as_canonical_text() -> None:
    """Address, revision, text, type and extractor are set; the text is normalized."""
    data = b"\xef\xbb\xbf# Leave\r\n\r\n30 days, cafe\xcc\x81.\r\n"
    assert Document(
        doc_uri="handbook://leave/rules.md",
        doc_revision=text_sha("# Leave\n\n30 days, caf\u00e9."),
        text="# Leave\n\n30 days, caf\u00e9.",
        media_type="text/markdown",
        extractor="text/1",
    ) == load(data, PurePosixPath("leave/rules.md"), "handbook://")


def test_the_text_is_kept_as_it_is_written() -> None:
    """Markup, inner white space, form feeds and separators are text."""
    text = "| a |  b |\n\n\n```\n  code\t\n\fPage\u2028line \\* &amp; <b>"
    assert text == load(text.encode(), PurePosixPath("a.txt"), "").text


def test_without_a_prefix_the_path_is_the_address() -> None:
    """Nothing is escaped, and folders are joined by slashes."""
    path = PurePosixPath("Größe 100%/a b#c.txt")
    assert "Größe 100%/a b#c.txt" == load(b"x", path, "").doc_uri


def test_line_ends_and_outer_white_space_are_no_new_revision() -> None:
    """A file whose canonical text is the same has the same revision."""
    path = PurePosixPath("a.md")
    unix, windows = load(b"a\nb", path, ""), load(b"\xef\xbb\xbfa\r\nb\r\n\r\n", path, "")
    assert unix == windows
    assert unix.doc_revision != load(b"a\n\nb", path, "").doc_revision


def test_a_file_without_text_is_an_empty_document() -> None:
    """White space alone is no text."""
    assert "" == load(b" \r\n\t", PurePosixPath("a.md"), "").text


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.md", "text/markdown"),
        ("a.MD", "text/markdown"),
        ("a.markdown", "text/markdown"),
        ("a.rst", "text/x-rst"),
        ("a.b.txt", "text/plain"),
    ],
)
def test_the_type_follows_the_name(name: str, media_type: str) -> None:
    """The ending of the name decides, in any case."""
    path = PurePosixPath("folder.d") / name
    assert is_supported(path)
    assert media_type == load(b"x", path, "").media_type


@pytest.mark.parametrize("name", ["a.pdf", "README", ".md", "a.md.bak", "a.html", "txt"])
def test_other_names_are_not_supported(name: str) -> None:
    """What no loader knows is not loaded."""
    assert not is_supported(PurePosixPath(name))


def test_bytes_that_are_not_utf_8_are_refused_with_their_line() -> None:
    """The message names file, line and byte."""
    with pytest.raises(InputError) as error:
        load(b"one\r\ncaf\xe9\n", PurePosixPath("leave/a.md"), "handbook://")
    assert "leave/a.md:2: not UTF-8: byte 0xe9" == str(error.value)
