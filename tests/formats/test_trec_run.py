"""TREC runs: ordered by score, refused where a column cannot be what it should be."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.runs import read_run
from evergold.formats.trec_run import read_trec_run, to_trec_run, write_trec_run
from evergold.model import Ranking


def _read(folder: Path, content: str) -> tuple[Ranking, ...]:
    path = folder / "run.txt"
    path.write_bytes(content.encode())
    return read_trec_run(path)


def _refusal(folder: Path, content: str) -> str:
    with pytest.raises(InputError) as error:
        _read(folder, content)
    return str(error.value)


def test_the_score_decides_and_not_the_rank(tmp_path: Path) -> None:
    """Rank 0 on every line, or ranks against the scores, change nothing."""
    content = "q Q0 a 0 0.2 t\nq Q0 b 0 0.9 t\nq Q0 c 0 -1e3 t\n"
    assert (Ranking("q", ("b", "a", "c")),) == _read(tmp_path, content)


def test_equal_scores_are_ordered_by_key_descending(tmp_path: Path) -> None:
    """By code point, as trec_eval does; the cuts that fall into them are known."""
    content = "q Q0 a 1 2.0 t\nq Q0 \u00e9 2 1 t\nq Q0 z 3 1.0 t\nq Q0 Z 4 1.0e0 t\nq Q0 0 5 0 t\n"
    assert (Ranking("q", ("a", "\u00e9", "z", "Z", "0"), ties=(2, 3)),) == _read(tmp_path, content)


def test_scores_that_32_bits_cannot_tell_apart_are_no_tie(tmp_path: Path) -> None:
    """Scores are compared as 64-bit floats."""
    content = "1 Q0 a 1 16777217 r\n1 Q0 b 2 16777216 r\n"
    assert (Ranking("1", ("a", "b")),) == _read(tmp_path, content)


def test_tabs_blanks_and_line_ends_of_any_kind_separate_columns(tmp_path: Path) -> None:
    """A byte order mark, CR LF, empty lines and a missing last line end are no matter."""
    content = "\ufeffq1\tQ0\ta\t1\t2\tt\r\n\r\n   \nq1 Q0  b 2 1 t \nq2 Q0 IPCC_report,_1992 1 1 t"
    expected = (Ranking("q1", ("a", "b")), Ranking("q2", ("IPCC_report,_1992",)))
    assert expected == _read(tmp_path, content)


def test_lines_of_a_query_need_not_stand_together(tmp_path: Path) -> None:
    """Queries come in order of first appearance."""
    content = "q2 Q0 a 1 1 t\nq1 Q0 a 1 1 t\nq2 Q0 b 2 2 t\n"
    assert (Ranking("q2", ("b", "a")), Ranking("q1", ("a",))) == _read(tmp_path, content)


def test_ids_are_taken_as_they_stand(tmp_path: Path) -> None:
    """Signs, zeros and compositions of Unicode are part of an id."""
    content = "007 Q0 d#1 1 3 t\n007 Q0 a%20b/c,d 2 2 t\n#7 Q0 cafe\u0301 1 1 t\n"
    expected = (Ranking("007", ("d#1", "a%20b/c,d")), Ranking("#7", ("cafe\u0301",)))
    assert expected == _read(tmp_path, content)


FIELDS = "expected 6 fields (query Q0 key rank score tag), got"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q Q0 b 1 0.5", f"{FIELDS} 5"),
        ("q Q0 my doc 1 0.5 t", f"{FIELDS} 7"),
        ("q Q0 my\u00a0doc 1 0.5 t", f"{FIELDS} 7"),
        ("q 0 b 1", f"{FIELDS} 4"),
        ("q Q0 b 1 nan t", "score 'nan' is not a finite decimal number"),
        ("q Q0 b 1 -inf t", "score '-inf' is not a finite decimal number"),
        ("q Q0 b 1 1e999 t", "score '1e999' is not a finite decimal number"),
        ("q Q0 b 1 0,5 t", "score '0,5' is not a finite decimal number"),
        ("q Q0 b 1 1_0 t", "score '1_0' is not a finite decimal number"),
        ("q Q0 b 1 ٣ t", "score '٣' is not a finite decimal number"),
        ("q Q0 b 1 high t", "score 'high' is not a finite decimal number"),
        ("q Q0 a 1 0.5 t", "duplicate entry for query q and key a, already on line 1"),
        ("q Q0 \x00 1 0.5 t", "key '\\x00' holds a control character"),
        ("q\x01 Q0 b 1 0.5 t", "query 'q\\x01' holds a control character"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused(tmp_path: Path, line: str, message: str) -> None:
    """With its number; nothing of it is read as something else."""
    content = f"q Q0 a 1 1 t\n\n{line}\n"
    assert f"run:3: {message}" == _refusal(tmp_path, content)
    # The first refused line ends the reading.
    assert f"run:3: {message}" == _refusal(tmp_path, f"{content}q Q0 a 3 nan t\n")


def test_too_few_and_too_many_fields_do_not_make_up_for_each_other(tmp_path: Path) -> None:
    """Five and seven are not twice six."""
    assert f"run:1: {FIELDS} 5" == _refusal(tmp_path, "q Q0 b 1 0.5\nq Q0 c 2 0.4 t x\n")


def test_lines_longer_than_a_block_are_read_whole(tmp_path: Path) -> None:
    """Ids of any length, and a file of many blocks, keep every line."""
    long = "x" * 100_000
    content = "".join(f"q{n} Q0 {long if n == 7 else n} 1 1 t\n" for n in range(5000))
    run = _read(tmp_path, content)
    assert (5000, Ranking("q7", (long,))) == (len(run), run[7])
    assert [f"q{n}" for n in range(5000)] == [ranking.query_id for ranking in run]


def test_a_file_without_lines_has_no_rankings(tmp_path: Path) -> None:
    """Nothing was asked."""
    assert () == _read(tmp_path, "") == _read(tmp_path, "\n\n")


def test_a_run_is_written_with_falling_scores(tmp_path: Path) -> None:
    """One line a key; the tag says who wrote it."""
    path = tmp_path / "run.txt"
    write_trec_run(path, [Ranking("q2", ("b", "a")), Ranking("q1", ("é",))])
    expected = "q2 Q0 b 1 2.0000 evergold\nq2 Q0 a 2 1.0000 evergold\nq1 Q0 é 1 1.0000 evergold\n"
    assert expected == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        (Ranking("q", ()), "query q has no results, which a TREC run cannot carry"),
        (Ranking("q", ("a", "a")), "a key stands twice for query q, which a TREC run cannot carry"),
        (Ranking("q", ("a b",)), "key 'a b' holds white space, which a TREC run cannot carry"),
        (Ranking("a\u2003b", ("a",)), r"query_id 'a\u2003b' holds white space"),
        (Ranking("", ("a",)), "query_id '' holds white space"),
    ],
)
def test_what_a_run_cannot_carry_is_refused(ranking: Ranking, message: str) -> None:
    """Its columns would move, or its queries vanish, without a word."""
    with pytest.raises(InputError) as error:
        to_trec_run([ranking])
    assert str(error.value).startswith(message)


IDS = st.text(st.characters(categories=["L", "N", "P", "S", "M"]), min_size=1, max_size=4)
RUNS = st.dictionaries(IDS, st.lists(IDS, min_size=1, max_size=5, unique=True), max_size=4)


@settings(deadline=None)
@given(RUNS)
def test_a_written_run_reads_back(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[str]]
) -> None:
    """Queries, keys and their order survive, whatever the ids are made of."""
    run = tuple(Ranking(query_id, tuple(keys)) for query_id, keys in rankings.items())
    path = tmp_path_factory.mktemp("run") / "run.txt"
    write_trec_run(path, run)
    assert run == read_trec_run(path)


SCORED = st.dictionaries(
    st.sampled_from(["a", "b", "B", "10", "9", "é"]),
    st.sampled_from([0.0, -0.0, 0.5, 1.0, -2.0, 1e9]),
    min_size=1,
)


@settings(deadline=None)
@given(SCORED, st.sampled_from(["a", "b", "B", "10", "9", "é"]), st.randoms(use_true_random=False))
def test_trec_eval_has_the_same_order(
    tmp_path_factory: pytest.TempPathFactory,
    scores: dict[str, float],
    relevant: str,
    random: Random,
) -> None:
    """The one relevant key has the rank here that trec_eval gives it, in any order of lines."""
    lines = [f"q Q0 {key} 1 {score!r} t\n" for key, score in scores.items()]
    random.shuffle(lines)
    path = tmp_path_factory.mktemp("run") / "run.txt"
    path.write_text("".join(lines), encoding="utf-8")
    (ranking,) = read_run(path)
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {relevant: 1}}, {"recip_rank"})
    expected = evaluator.evaluate({"q": scores})["q"]["recip_rank"]
    assert expected == (1 / (ranking.keys.index(relevant) + 1) if relevant in scores else 0)
    values = [scores[key] for key in ranking.keys]
    assert ranking.ties == tuple(k for k in range(1, len(values)) if values[k - 1] == values[k])
