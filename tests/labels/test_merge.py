"""Two people's changes of one label file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evergold.labels.merge import merge_lines

REPOSITORY = Path(__file__).resolve().parents[2]
BASE = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        ("a B c d", "a b C d", "a B C d"),
        ("A b c d", "a b c D", "A b c D"),
        ("a B c d", "a B c d", "a B c d"),
        ("b c d", "a b c D", "b c D"),
        ("a b c d e", "a b c d f", "a b c d e f"),
        ("a b c d e", "a b c d e", "a b c d e"),
        ("a b x c d", "A b c d", "A b x c d"),
        ("a B x c d", "A b c d", "A B x c d"),
        ("", "a b c d", ""),
    ],
)
def test_each_row_stands_for_itself(ours: str, theirs: str, merged: str) -> None:
    """Rows that one side changed, removed or added, also side by side, are merged."""
    found = merge_lines(BASE, ours.split(), theirs.split())
    assert (tuple(merged.split()), 0) == (found.lines, found.conflicts)


def test_a_row_that_both_changed_is_a_conflict() -> None:
    """Both versions stand there, in the marks that git uses."""
    found = merge_lines(BASE, ["a", "X", "c", "d"], ["a", "Y", "C", "d"])
    expected = ("a", "<<<<<<< ours", "X", "=======", "Y", ">>>>>>> theirs", "C", "d")
    assert (expected, 1) == (found.lines, found.conflicts)
    removed = merge_lines(BASE, ["a", "c", "d"], ["a", "Y", "c", "d"])
    assert 1 == removed.conflicts


@given(
    base=st.lists(st.integers(0, 99).map(str), unique=True, max_size=8),
    changed=st.sets(st.integers(0, 7)),
    others=st.sets(st.integers(0, 7)),
)
def test_changes_of_different_rows_never_conflict(
    base: list[str], changed: set[int], others: set[int]
) -> None:
    """Whatever rows two people change, if they are different ones both changes are in."""

    def with_marks(rows: set[int], mark: str) -> list[str]:
        return [line + mark if row in rows else line for row, line in enumerate(base)]

    others -= changed
    found = merge_lines(base, with_marks(changed, "x"), with_marks(others, "y"))
    both = [
        line + ("x" if row in changed else "y" if row in others else "")
        for row, line in enumerate(base)
    ]
    assert (tuple(both), 0) == (found.lines, found.conflicts)


def test_git_merges_what_two_people_accepted(tmp_path: Path) -> None:
    """Adjacent labels, lines of history and texts, by the attributes of this repository."""

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)

    golden = tmp_path / "data" / "golden"
    golden.mkdir(parents=True)
    names = ("judgments.jsonl", "history.jsonl", "documents.jsonl")

    def write(*rows: str) -> None:
        for name in names:
            (golden / name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        git("add", "-A")
        git("commit", "-qm", "change")

    git("init", "-q", "-b", "main")
    git("config", "user.email", "a@example.com")
    git("config", "user.name", "a")
    git("config", "merge.evergold.driver", "evergold merge %O %A %B")
    (tmp_path / ".gitattributes").write_bytes((REPOSITORY / ".gitattributes").read_bytes())
    write('"a"', '"b"')
    git("checkout", "-qb", "theirs")
    write('"a"', '"b2"', '"their line"')
    git("checkout", "-q", "main")
    write('"a2"', '"b"', '"our line"')
    git("merge", "-q", "--no-edit", "theirs")
    assert '"a2"\n"b2"\n"our line"\n"their line"\n' == (golden / names[0]).read_text("utf-8")
    for name in names[1:]:
        lines = (golden / name).read_text("utf-8").split("\n")
        assert {'"a2"', '"b2"', '"our line"', '"their line"'} <= set(lines)
