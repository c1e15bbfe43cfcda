"""Scores that judges gave: what a file may hold, and how the rest is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.formats.samples import read_samples
from evergold.model import Sample


def test_scores_are_read_in_order(tmp_path: Path) -> None:
    """Comments, blank lines and fields of others are passed over."""
    path = tmp_path / "samples.jsonl"
    path.write_text(
        "\ufeff// two judges\r\n"
        '{"metric":"faithful","query_id":"q1","score":1,"judge":"a"}\r\n\r\n'
        '{"metric":"style","score":-0.5,"query_id":null}\r\n',
        encoding="utf-8",
    )
    assert (Sample("faithful", 1.0, "q1"), Sample("style", -0.5)) == read_samples(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"score":1}', "missing metric"),
        ('{"metric":"a:b","score":1}', "metric 'a:b' holds a colon, which gates part"),
        ('{"metric":"a"}', "score must be a finite number, found null"),
        ('{"metric":"a","score":true}', "score must be a finite number, found true"),
        ('{"metric":"a","score":"1"}', 'score must be a finite number, found "1"'),
        ('{"metric":"a","score":NaN}', "NaN is not JSON"),
        ('{"metric":"a","score":1e999}', "1e999 is not JSON"),
        ('{"metric":"a","score":1' + "0" * 400 + "}", "score must be a finite number"),
        ('{"metric":"m","score":1}', "m has no query_id here, unlike on line 1"),
        ('{"metric":"m","score":1,"query_id":""}', "missing query_id"),
    ],
)
def test_a_row_that_is_no_score_is_refused(tmp_path: Path, row: str, message: str) -> None:
    """With the line, and before anything is computed."""
    path = tmp_path / "samples.jsonl"
    path.write_text(f'{{"metric":"m","query_id":"q","score":0}}\n{row}\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_samples(path)
    assert f"samples:2: {message}" == str(error.value)[: len(f"samples:2: {message}")]


def test_a_file_without_scores_is_refused(tmp_path: Path) -> None:
    """Nothing would be measured."""
    path = tmp_path / "samples.jsonl"
    path.write_text("// none\n", encoding="utf-8")
    with pytest.raises(InputError, match="samples:1: no samples"):
        read_samples(path)
