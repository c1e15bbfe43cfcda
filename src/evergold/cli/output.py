"""What every command shares: which options it needs, where its output goes, and how it looks."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from evergold.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

_COLORS = {"good": "green", "warning": "yellow", "bad": "red", "faint": "bright_black"}
_COLOR_CHOICES = ("auto", "always", "never")
_PLAIN = {"·": "-", "→": "->", "–": "-", "…": "..."}


def path_option(name: str, text: str) -> Callable[[Command], Command]:
    """Add an option that names a file."""
    return click.option(
        name,
        type=click.Path(path_type=Path),
        metavar="FILE",
        callback=_one_stdin,
        help=text,
    )


def _one_stdin(context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    if str(value) == "-" and "-" in map(str, context.params.values()):
        raise UsageError("only one file can be standard input")
    return value


def json_option(command: Command) -> Command:
    """Add `--json`: JSON on stdout, and nothing else."""
    text = "Print JSON and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(command)


def color_option(command: Command) -> Command:
    """Add `--color`; the command gets a `Printer`."""

    def printer(_context: click.Context, _parameter: click.Parameter, value: str) -> Printer:
        if value not in _COLOR_CHOICES:
            raise UsageError(f"--color expects auto, always or never, got '{value}'")
        return Printer(value)

    return click.option(
        "--color",
        "printer",
        default="auto",
        metavar="|".join(_COLOR_CHOICES),
        callback=printer,
        help="Colours: auto is on a terminal without NO_COLOR.",
    )(command)


def needed(command: str, **options: Path | None) -> tuple[Path, ...]:
    """Return the paths of options that a command cannot do without, or raise `UsageError`."""
    given = tuple(path for path in options.values() if path is not None)
    if len(given) < len(options):
        names = [f"--{name.replace('_', '-')}" for name in options]
        raise UsageError(f"{command} needs {joined(names, 'and')}")
    return given


def checked_output(out: Path, inputs: Iterable[Path | None]) -> Path:
    """Return the path of an output: a file or nothing yet, and none of the inputs."""
    if out.exists() and not out.is_file():
        raise UsageError(f"--out {out} is no file")
    for path in inputs:
        if path is not None and out.exists() and path.exists() and out.samefile(path):
            raise UsageError(f"--out {out} is one of the inputs")
    return out


def joined(names: Sequence[str], word: str) -> str:
    """Return `a, b and c`."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


class Printer:
    """Writes lines, in colours where they are wanted, in ASCII where nothing else can be shown."""

    def __init__(self, color: str) -> None:
        automatic = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self._colored = color == "always" or (color == "auto" and automatic)

    def line(self, text: str = "") -> None:
        """Write one line."""
        click.echo(encodable(text), color=self._colored)

    def paint(self, text: str, tone: str) -> str:
        """Return text in the colour of a tone: good, warning, bad or faint."""
        return click.style(text, fg=_COLORS[tone]) if self._colored else text


def print_json(value: object) -> None:
    """Write a JSON value, indented, with a line end; what the console cannot show is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, ensure_ascii=True, indent=2, allow_nan=False)
    click.echo(text)


def encodable(text: str) -> str:
    """Return text as the console can show it: the signs of ours in ASCII, others escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        for character, plain in _PLAIN.items():
            text = text.replace(character, plain)
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text
