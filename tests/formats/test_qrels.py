"""Qrels in and out: TREC and BEIR columns, and what they cannot carry."""

from __future__ import annotations

from pathlib import Path

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.qrels import (
    Qrels,
    qrels_lines,
    read_consistent_qrels,
    read_qrels,
    write_qrels,
)
from evergold.model import Judgment


def _read(folder: Path, content: str) -> list[tuple[str, str, int]]:
    path = folder / "a.qrels"
    path.write_text(content, encoding="utf-8")
    return [(row.query_id, row.doc_uri, row.relevance) for row in read_qrels(path)]


def test_four_columns_are_trec_and_three_are_beir(tmp_path: Path) -> None:
    """The grade is the fourth column of four or more, or the third of three."""
    content = "q1 0 d1 2\nq1\td2\t1\nq2 Q0 d3 0 extra\n"
    assert [("q1", "d1", 2), ("q1", "d2", 1), ("q2", "d3", 0)] == _read(tmp_path, content)


def test_blank_lines_comments_and_a_mark_are_passed_over(tmp_path: Path) -> None:
    """A byte order mark, blank lines, comments and CR LF are no rows."""
    content = "\ufeff# judged in May\r\n\r\n  q1 0 d1 1  \r\n#q2 0 d2 1\n"
    assert [("q1", "d1", 1)] == _read(tmp_path, content)


def test_a_lone_cr_ends_a_row(tmp_path: Path) -> None:
    """Further columns are passed over: a second row on the line would be lost."""
    assert [("q", "d", 1), ("q", "e", 2)] == _read(tmp_path, "q 0 d 1\rq 0 e 2\r\n")


@pytest.mark.parametrize("head", ["query-id", "QUERY_ID", "queryid", "qid"])
def test_headers_are_passed_over(tmp_path: Path, head: str) -> None:
    """BEIR files name their columns in the first line; several may have become one file."""
    content = f"# BEIR\n{head}\tcorpus-id\tscore\nq1\td1\t1\n"
    assert [("q1", "d1", 1), ("q1", "d1", 1)] == _read(tmp_path, content * 2)


def test_a_query_may_be_named_as_a_header_is(tmp_path: Path) -> None:
    """With a grade, the line is a row."""
    assert [("qid", "d", 1)] == _read(tmp_path, "qid d 1\n")


def test_another_line_of_words_is_refused(tmp_path: Path) -> None:
    """It may be a row whose grade is damaged."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, "topic doc rel\n")
    assert "qrels:1: relevance 'rel' is not an integer" == str(error.value)


def test_a_run_is_not_taken_for_qrels(tmp_path: Path) -> None:
    """Its ranks would be grades."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, "q Q0 d 1 0.5 tag\n")
    expected = "six columns with Q0 are a TREC run, not qrels: query 0 document grade"
    assert f"qrels:1: {expected}" == str(error.value)


def _consistent(folder: Path, content: str, *, tabs: bool = False) -> Qrels:
    path = folder / "a.qrels"
    path.write_text(content, encoding="utf-8")
    return read_consistent_qrels(path, tabs=tabs)


def test_what_became_of_rows_is_counted(tmp_path: Path) -> None:
    """Negative grades, and rows that say again what stands above."""
    found = _consistent(tmp_path, "q 0 a -2\nq 0 b 1\nq 0 b 1\nq 0 a 0\nq 0 c -1\n")
    labels = (Judgment("q", "a", 0), Judgment("q", "b", 1), Judgment("q", "c", 0))
    assert Qrels(labels, negative=2, repeated=2) == found


def test_rows_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    """Nobody can say which of the two grades is meant."""
    with pytest.raises(InputError) as error:
        _consistent(tmp_path, "q 0 b 1\n\nq 0 b 0\n")
    assert "qrels:3: query q and document b have grade 0 here and 1 on line 1" == str(error.value)


def test_with_tabs_ids_may_hold_blanks(tmp_path: Path) -> None:
    """Columns of BEIR end at tabs, and a number sign begins no comment."""
    found = _consistent(tmp_path, "query-id\tcorpus-id\tscore\n#1 x\tmy doc\t1\r\n", tabs=True)
    assert Qrels((Judgment("#1 x", "my doc", 1),)) == found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q d 1", "expected 3 fields with tabs between them, got 1"),
        ("q\t0\td\t1", "expected 3 fields with tabs between them, got 4"),
        ("\td\t1", "missing query"),
        ("q\t\t1", "missing document"),
        ("q\td\t1 ", "relevance '1 ' is not an integer"),
    ],
)
def test_with_tabs_other_columns_are_refused(tmp_path: Path, line: str, message: str) -> None:
    """No column is guessed."""
    with pytest.raises(InputError) as error:
        _consistent(tmp_path, f"{line}\n", tabs=True)
    assert f"qrels:1: {message}" == str(error.value)


@pytest.mark.parametrize(("grade", "relevance"), [("+2", 2), ("-1", 0), ("007", 7), ("-0", 0)])
def test_a_grade_is_a_sign_and_digits(tmp_path: Path, grade: str, relevance: int) -> None:
    """A negative grade becomes 0."""
    assert [("q", "d", relevance)] == _read(tmp_path, f"q 0 d {grade}")


@pytest.mark.parametrize("grade", ["1.0", "1e0", "1_0", "٣", "abc", "++1", "0x1", "²", '"1"'])
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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q 0 b\x01 1", "document 'b\\x01' holds a control character"),
        ("q\x7f 0 b 1", "query 'q\\x7f' holds a control character"),
    ],
)
def test_an_id_with_a_control_character_is_refused(tmp_path: Path, line: str, message: str) -> None:
    """It would break a line of what is written from it."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, f"q 0 a 1\n{line}\n")
    assert f"qrels:2: {message}" == str(error.value)


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
