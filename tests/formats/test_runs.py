"""Run files: one ranking a line, refused where it is not clear which ranking is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.runs import read_run, write_run
from evergold.model import Ranking


def _read(folder: Path, content: str) -> tuple[Ranking, ...]:
    path = folder / "run.jsonl"
    path.write_text(content, encoding="utf-8")
    return read_run(path)


def test_a_run_is_written_best_key_first(tmp_path: Path) -> None:
    """One ranking a line, an empty one included."""
    path = tmp_path / "run.jsonl"
    write_run(path, [Ranking("q1", ("b", "a", "é")), Ranking("q2", ())])
    expected = '{"query_id":"q1","ranking":["b","a","é"]}\n{"query_id":"q2","ranking":[]}\n'
    assert expected == path.read_text(encoding="utf-8")


def test_a_ranking_keeps_repeats_and_passes_over_other_fields(tmp_path: Path) -> None:
    """A key may stand twice; what a tool adds is no part of the ranking."""
    run = _read(tmp_path, '{"tag":"x","ranking":["a","a"],"query_id":"q","scores":[2,1]}')
    assert (Ranking("q", ("a", "a")),) == run


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"ranking":[]}', "run:2: missing query_id"),
        ('{"query_id":"","ranking":5}', "run:2: missing query_id"),
        ('{"query_id":"q"}', "run:2: ranking must be an array"),
        ('{"query_id":"q","ranking":"ab"}', "run:2: ranking must be an array"),
        ('{"query_id":"q","ranking":["a",5]}', "run:2: ranking[1] must be a non-empty string"),
        ('{"query_id":"q","ranking":["",5]}', "run:2: ranking[0] must be a non-empty string"),
        ('{"query_id":"p","ranking":[null]}', "run:2: ranking[0] must be a non-empty string"),
        (
            '{"query_id":"p","ranking":[]}',
            "run:2: duplicate entry for query p, already on line 1",
        ),
    ],
)
def test_the_published_checks_come_in_their_order(tmp_path: Path, line: str, message: str) -> None:
    """The first check that fails is reported in the published words; the other tool agrees."""
    content = f'{{"query_id":"p","ranking":[]}}\n{line}'
    with pytest.raises(InputError) as error:
        _read(tmp_path, content)
    assert message == str(error.value)
    with pytest.raises(ValueError, match="run:2") as published:
        retrieval_eval.parse_run(content)
    assert message == str(published.value)


def test_a_run_in_trec_columns_is_known_by_its_first_sign(tmp_path: Path) -> None:
    """What does not begin as JSON or a comment has columns."""
    assert (Ranking("q", ("b", "a")),) == _read(tmp_path, "\n q Q0 a 1 1 t\nq Q0 b 2 2 t\n")
    assert (Ranking("q", ("a",)),) == _read(tmp_path, '// ours\n{"query_id":"q","ranking":["a"]}\n')


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "run:1: expected a JSON object, found list"),
        ("q d 1", "run:1: expected 6 fields (query Q0 key rank score tag), got 3"),
    ],
)
def test_what_is_neither_form_is_refused(tmp_path: Path, content: str, message: str) -> None:
    """In the words of the form that it begins like."""
    with pytest.raises(InputError) as error:
        _read(tmp_path, content)
    assert message == str(error.value)


def test_an_empty_file_has_no_rankings(tmp_path: Path) -> None:
    """It is a run of either form."""
    assert () == _read(tmp_path, "") == _read(tmp_path, "\n")


KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=5)


@settings(deadline=None)
@given(st.dictionaries(IDS, st.lists(KEYS, max_size=5), max_size=4))
def test_the_published_tool_reads_the_same_run(
    tmp_path_factory: pytest.TempPathFactory, rankings: dict[str, list[str]]
) -> None:
    """A written run reads back, here and there."""
    run = tuple(Ranking(query_id, tuple(keys)) for query_id, keys in rankings.items())
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    write_run(path, run)
    assert run == read_run(path)
    entries = retrieval_eval.parse_run(path.read_text(encoding="utf-8"))
    assert list(rankings.items()) == [(entry.query_id, entry.ranking) for entry in entries]
