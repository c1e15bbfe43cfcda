"""Qrels in and out: TREC and BEIR columns, and what they cannot carry."""

from __future__ import annotations

from pathlib import Path

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.qrels import qrels_lines, read_qrels, write_qrels
from evergold.model import Judgment

AWKWARD = Path(__file__).resolve().parents[3] / "shared" / "data" / "awkward-files"


def _read(folder: Path, content: str) -> list[tuple[str, str, int]]:
    path = folder / "a.qrels"
    path.write_text(content, encoding="utf-8")
    return [(row.query_id, row.doc_uri, row.relevance) for row in read_qrels(path)]


def test_four_columns_are_trec_and_three_are_beir(tmp_path: Path) -> None:
    """The grade is the fourth column of four or more, or the third of three."""
    content = "q1 0 d1 2\nq1\td2\t1\nq2 Q0 d3 0 extra column\n"
    assert [("q1", "d1", 2), ("q1", "d2", 1), ("q2", "d3", 0)] == _read(tmp_path, content)


def test_blank_lines_comments_and_a_mark_are_passed_over(tmp_path: Path) -> None:
    """A byte order mark, blank lines, comments and CR LF are no rows."""
    content = "\ufeff# judged in May\r\n\r\n  q1 0 d1 1  \r\n#q2 0 d2 1\n"
    assert [("q1", "d1", 1)] == _read(tmp_path, content)


@pytest.mark.parametrize("head", ["query-id", "QUERY_ID", "queryid"])
def test_a_header_before_the_first_row_is_passed_over(tmp_path: Path, head: str) -> None:
    """BEIR files name their columns in the first line."""
    content = f"# BEIR\n{head}\tcorpus-id\tscore\nq1\td1\t1\n"
    assert [("q1", "d1", 1)] == _read(tmp_path, content)


def test_a_header_after_a_row_is_refused(tmp_path: Path) -> None:
    """Later the same line is a row whose grade is no number."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, "q1\td1\t1\nquery-id\tcorpus-id\tscore\n")
    assert "qrels:2: relevance 'score' is not an integer" == str(error.value)


@pytest.mark.parametrize(("grade", "relevance"), [("+2", 2), ("-1", 0), ("007", 7), ("-0", 0)])
def test_a_grade_is_a_sign_and_digits(tmp_path: Path, grade: str, relevance: int) -> None:
    """A negative grade becomes 0."""
    assert [("q", "d", relevance)] == _read(tmp_path, f"q 0 d {grade}")


@pytest.mark.parametrize("grade", ["1.0", "1e0", "1_0", "٣", "abc", "++1", "0x1", "²"])
def test_other_grades_are_refused(tmp_path: Path, grade: str) -> None:
    """What another reader takes for a number is no grade."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, f"q 0 d 1\nq 0 e {grade}")
    assert f"qrels:2: relevance '{grade}' is not an integer" == str(error.value)


def test_a_grade_above_the_bound_is_refused(tmp_path: Path) -> None:
    """The bound is that of a label."""
    with pytest.raises(InputError, match="qrels:1: relevance 51 is above the bound of 50"):
        _read(tmp_path, "q 0 d 51")


@pytest.mark.parametrize(("line", "columns"), [("q", 1), ("q d", 2)])
def test_fewer_than_three_columns_are_refused(tmp_path: Path, line: str, columns: int) -> None:
    """The message names the line and the number of columns."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, f"\n{line}\n")
    assert f"qrels:2: expected 3 or 4 fields, got {columns}" == str(error.value)


def test_the_key_may_become_the_chunk_id_as_well(tmp_path: Path) -> None:
    """On request the key of a row names a chunk."""
    path = tmp_path / "a.qrels"
    path.write_text("q 0 d 1\n", encoding="utf-8")
    assert (Judgment("q", "d", 1),) == read_qrels(path)
    assert (Judgment("q", "d", 1, chunk_id="d"),) == read_qrels(path, as_chunk_ids=True)


def test_labels_are_written_by_their_key(tmp_path: Path) -> None:
    """One line a label, in order, with the chunk where there is one."""
    path = tmp_path / "out.qrels"
    write_qrels(path, [Judgment("q2", "d", 0), Judgment("q1", "d", 3, chunk_id="c")])
    assert "q2 0 d 0\nq1 0 c 3\n" == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("value", ["a b", " a", "a\u00a0b", "a\u2028b", "a\t"])
def test_an_id_with_white_space_is_refused(value: str) -> None:
    """Its columns would move without a word."""
    with pytest.raises(InputError) as error:
        qrels_lines([Judgment("q", value, 1)])
    assert f"key {value!r} holds white space, which qrels cannot carry" == str(error.value)
    with pytest.raises(InputError, match=r"query_id .* holds white space"):
        qrels_lines([Judgment(value, "d", 1)])


IDS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=5).filter(
    lambda value: not value.startswith("#")
)


@settings(deadline=None)
@given(st.lists(st.builds(Judgment, IDS, IDS, st.integers(0, 50)), min_size=1, max_size=5))
def test_written_qrels_read_back_here_and_in_the_published_tool(
    tmp_path_factory: pytest.TempPathFactory, judgments: list[Judgment]
) -> None:
    """Query, key and grade survive, whatever the ids are made of."""
    path = tmp_path_factory.mktemp("qrels") / "a.qrels"
    write_qrels(path, judgments)
    assert tuple(judgments) == read_qrels(path)
    published = retrieval_eval.from_qrels(path.read_text(encoding="utf-8"))
    rows = [(row.query_id, row.doc_uri, row.relevance) for row in published]
    assert [(row.query_id, row.doc_uri, row.relevance) for row in judgments] == rows


@pytest.mark.skipif(not AWKWARD.is_dir(), reason="the awkward files are not at hand")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("qrels_bom.txt", [("1", "b", 1)]),
        ("qrels_comments.txt", [("1", "b", 1)]),
        ("qrels_crlf_tabs.txt", [("1", "b", 1), ("1", "a", 0)]),
        ("qrels_duplicate_contradicting.txt", [("1", "b", 1), ("1", "b", 0)]),
        ("qrels_hash_docid.txt", [("1", "d#1", 1)]),
        ("qrels_negative_grade.txt", [("1", "b", 0), ("1", "a", 1)]),
        ("qrels_nfc.txt", [("1", "caf\u00e9", 1)]),
    ],
)
def test_awkward_files_are_read(name: str, rows: list[tuple[str, str, int]]) -> None:
    """Files as editors and tools leave them give their rows."""
    found = [(row.query_id, row.doc_uri, row.relevance) for row in read_qrels(AWKWARD / name)]
    assert rows == found
