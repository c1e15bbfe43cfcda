"""`evergold merge`: what git calls for label files."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import Shell


def test_the_command_marks_conflicts(tmp_path: Path, shell: Shell) -> None:
    """Exit 1, one line on stderr, both versions in the file of ours; without one, exit 0."""
    for name, text in (("base", "a\nb\n"), ("ours", "x\nb\n"), ("theirs", "y\nB\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in ("base", "ours", "theirs")]
    assert (1, "", "1 row was changed on both sides\n") == shell("merge", *paths)
    merged = "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nB\n"
    assert merged == (tmp_path / "ours").read_text("utf-8")
    (tmp_path / "ours").write_text("a\nb\nc\n", encoding="utf-8")
    assert (0, "", "") == shell("merge", *paths)
    assert "y\nB\nc\n" == (tmp_path / "ours").read_text("utf-8")
