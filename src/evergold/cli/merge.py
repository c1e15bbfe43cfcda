"""`evergold merge`: the merge driver of git for label files."""

from __future__ import annotations

from pathlib import Path

import click

from evergold.formats.files import read_text, write_text
from evergold.labels.merge import merge_lines


@click.command("merge")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("ours", type=click.Path(path_type=Path))
@click.argument("theirs", type=click.Path(path_type=Path))
def command(base: Path, ours: Path, theirs: Path) -> int:
    """Merge the changes that two people made to a label file, row by row, into OURS.

    Git calls it for files with the attribute merge=evergold, once it knows the command:

    \b
    git config merge.evergold.driver "evergold merge %O %A %B"

    Exit code 0 where no row was changed by both, 1 where one was: it stands there twice, marked.
    """  # noqa: D301 - click keeps the lines of a paragraph that begins so
    before, mine, other = (read_text(path) for path in (base, ours, theirs))
    merged = merge_lines(before.splitlines(), mine.splitlines(), other.splitlines())
    write_text(ours, "".join(f"{line}\n" for line in merged.lines))
    if merged.conflicts:
        rows = "1 row was" if merged.conflicts == 1 else f"{merged.conflicts} rows were"
        click.echo(f"{rows} changed on both sides", err=True)
    return 1 if merged.conflicts else 0
