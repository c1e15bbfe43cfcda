"""`evergold baseline`: one line for each file that it writes."""

from __future__ import annotations

from click.testing import CliRunner

from evergold.cli.baseline import command
from tests.small_project import SmallProject


def test_the_files_of_the_baseline_are_printed(small_project: SmallProject) -> None:
    """They are all that stands in the folder, and a second call prints the same."""
    assert small_project.run() == 0
    result = CliRunner().invoke(command, [], catch_exceptions=False)
    printed = result.stdout.splitlines()
    assert sorted(printed) == sorted(small_project.files("data/baseline"))
    assert "data/baseline/score.json" in printed
    assert CliRunner().invoke(command, [], catch_exceptions=False).stdout == result.stdout


def test_what_else_stands_in_the_folder_is_left_alone(small_project: SmallProject) -> None:
    """A note of the user beside the baseline survives its renewal."""
    assert small_project.run() == 0
    small_project.write("data/baseline/README.md", "Promoted after the audit.\n")
    CliRunner().invoke(command, [], catch_exceptions=False)
    note = small_project.files("data/baseline")["data/baseline/README.md"]
    assert note == b"Promoted after the audit.\n"
