"""ingest: which files of a folder become documents, and what they become."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.pipeline.ingest import ingest
from tests.small_project import SmallProject


def fill(root: Path, files: dict[str, bytes]) -> Path:
    """Write files under a folder and return it."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def test_documents_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    """The order is that of the parts of a path, whatever order the folder lists them in."""
    names = ["b.md", "a/z.md", "a.md", "a/b/c.md", "B.md", "a-b/c.md"]
    root = fill(tmp_path, dict.fromkeys(names, b"text"))
    documents, _ = ingest(root, "")
    expected = ["B.md", "a/b/c.md", "a/z.md", "a-b/c.md", "a.md", "b.md"]
    assert expected == [document.doc_uri for document in documents]


def test_a_document_is_its_canonical_text_and_the_hash_of_it(tmp_path: Path) -> None:
    """A byte order mark, CR LF line ends and outer white space are not part of the text."""
    root = fill(tmp_path, {"a/x.md": b"\xef\xbb\xbf\r\nhello world\r\n \n"})
    [document], notes = ingest(root, "s3://bucket/")
    assert document.doc_uri == "s3://bucket/a/x.md"
    assert document.text == "hello world"
    assert document.doc_revision == "t1:b94d27b9934d3e08a52e52d7da7dabfa"
    assert document.media_type == "text/markdown"
    assert notes == []


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    """What begins with a dot, at any depth, is no document and needs no note."""
    root = fill(tmp_path, {"a.md": b"a", ".b.md": b"b", ".git/c.md": b"c", "d/.e/f.md": b"f"})
    documents, notes = ingest(root, "")
    assert [document.doc_uri for document in documents] == ["a.md"]
    assert notes == []


def test_a_hidden_folder_above_the_corpus_does_not_hide_it(tmp_path: Path) -> None:
    """Only the path inside the corpus folder counts."""
    root = fill(tmp_path / ".copy" / "corpus", {"a.md": b"a"})
    documents, _ = ingest(root, "")
    assert [document.doc_uri for document in documents] == ["a.md"]


def test_what_is_passed_over_is_counted_and_named(tmp_path: Path) -> None:
    """Files of other types and files without text are never dropped in silence."""
    root = fill(
        tmp_path, {"a.md": b"a", "b.png": b"", "c/d.exe": b"x", "e.txt": b" \n", "f.md": b""}
    )
    documents, notes = ingest(root, "")
    assert [document.doc_uri for document in documents] == ["a.md"]
    assert notes == [
        "2 files of other types passed over: b.png, c/d.exe",
        "2 files without text: e.txt, f.md",
    ]


def test_the_summary_of_the_stage_ends_with_the_notes(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is passed over stands on the console of the run."""
    small_project.write("data/corpus/logo.svg", "<svg/>")
    assert small_project.run("ingest") == 0
    expected = "2 documents\n1 files of other types passed over: logo.svg\n"
    assert expected == capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, "the corpus folder {root} holds no document with text"),
        ({"a.png": b"x"}, "the corpus folder {root} holds no document with text"),
        ({"a.md": b" \n\n"}, "the corpus folder {root} holds no document with text"),
        ({"a.md": b"ok", "b/c.rst": b"1\n2\n3 \xff\n"}, "{root}/b/c.rst:3: not UTF-8: byte 0xff"),
        ({"a.md": "é".encode("latin-1")}, "{root}/a.md:1: not UTF-8: byte 0xe9"),
    ],
)
def test_a_corpus_without_text_or_of_another_encoding_is_refused(
    tmp_path: Path, files: dict[str, bytes], expected: str
) -> None:
    """The error names the folder, or the file with the line of the byte."""
    root = fill(tmp_path, files)
    with pytest.raises(InputError) as caught:
        ingest(root, "handbook://")
    assert expected.format(root=root) == str(caught.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A folder that is not there, or is a file, is one error."""
    for place in (tmp_path / "none", fill(tmp_path, {"file.md": b"x"}) / "file.md"):
        with pytest.raises(InputError) as caught:
            ingest(place, "")
        assert f"the corpus folder {place} does not exist" == str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses such names itself")
@pytest.mark.parametrize("name", ["a\nb.md", "a\tb.md", "a\x1fb.md", "a\u2028b.md", "a\x85b.md"])
def test_a_name_that_would_break_a_line_or_a_hash_is_refused(tmp_path: Path, name: str) -> None:
    """A `doc_uri` never holds a line break or a control character."""
    root = fill(tmp_path, {"ok.md": b"ok", name: b"text"})
    with pytest.raises(InputError, match="holds a control character or line break") as caught:
        ingest(root, "")
    assert caught.value.display.isprintable()


@pytest.mark.parametrize(
    "name", ["a b.md", "a\u00a0b.md", "a\u202fb.md", "日本　語.md", "👩\u200d💻.md"]
)
def test_any_other_name_is_an_id(tmp_path: Path, name: str) -> None:
    """Spaces of every kind and joined emoji break nothing."""
    documents, _ = ingest(fill(tmp_path, {name: b"text"}), "p:")
    assert [document.doc_uri for document in documents] == [f"p:{name}"]


def test_a_prefix_that_would_break_ids_is_a_fault_of_the_params(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line is that of the prefix; no document is blamed."""
    small_project.edit("params.yaml", "handbook://", '"a\\nb"')
    line = small_project.line_of("params.yaml", "uri_prefix")
    assert small_project.run("ingest") == 2
    expected = (
        f"error: params.yaml:{line}: corpus.uri_prefix 'a\\nb'"
        " holds a control character or line break\n"
    )
    assert expected == capsys.readouterr().err


def test_a_name_that_is_passed_over_brings_no_escape_code_to_the_terminal(tmp_path: Path) -> None:
    """It is shown, and shown escaped."""
    root = fill(tmp_path, {"a.md": b"a", "b\x1b[31m.png": b"b"})
    _, notes = ingest(root, "")
    assert ["1 files of other types passed over: 'b\\x1b[31m.png'"] == notes
