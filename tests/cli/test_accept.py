"""`evergold accept`: one line for each label that changed."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from evergold.cli.accept import command
from evergold.errors import UsageError
from tests.small_project import SmallProject

EXPECTED = (
    "anchored   refund-time in handbook://refunds.md:"
    " no place to 98-151 at t1:9e9a8dee\n"
    "anchored   opening in handbook://hours.txt:"
    " no place to 0-37 at t1:6ed1d4bb\n"
)


def accept(*arguments: str) -> Result:
    """Run the command; what it raises is raised."""
    return CliRunner().invoke(command, list(arguments), catch_exceptions=False)


def test_every_change_and_the_number_of_them_is_printed(small_project: SmallProject) -> None:
    """After it, with another run between, there is nothing more to change."""
    assert small_project.run() == 0
    assert accept().stdout == EXPECTED + "2 labels changed\n"
    assert small_project.run() == 0
    assert accept().stdout == "0 labels changed\n"


def test_a_dry_run_prints_the_same_and_changes_no_file(small_project: SmallProject) -> None:
    """The last line says that nothing has happened yet."""
    assert small_project.run() == 0
    before = small_project.files(".")
    assert accept("--dry-run").stdout == EXPECTED + "2 labels would change\n"
    assert before == small_project.files(".")


def test_chunk_ids_are_promoted_on_request(small_project: SmallProject) -> None:
    """Only then does a golden label name a chunk of the last run."""
    assert small_project.run() == 0
    result = accept("--chunk-ids")
    labels = small_project.rows("data/golden/judgments.jsonl")
    [_, hours, refunds] = small_project.rows("data/derived/corpus.jsonl")
    assert f" {refunds['chunk_id']} at t1:" in result.stdout
    assert [label["chunk_id"] for label in labels] == [refunds["chunk_id"], hours["chunk_id"]]


def test_a_run_that_is_out_of_date_is_refused(small_project: SmallProject) -> None:
    """Labels that changed since the run are not overwritten with older ones."""
    assert small_project.run() == 0
    small_project.edit("data/golden/judgments.jsonl", '"relevance": 2', '"relevance": 3')
    with pytest.raises(UsageError, match="judgments changed since the last run"):
        accept()
    assert small_project.rows("data/golden/judgments.jsonl")[0]["relevance"] == 3
