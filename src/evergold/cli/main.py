"""`evergold`, and the one place that turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

import evergold
from evergold.errors import EvergoldError

# A command is loaded when it is called: help and completion stay fast.
_GROUPS = {
    "Labels": {
        "drift": "say which labels still hold against a live corpus, and re-anchor them",
        "anchor": "give labels their place in their documents",
        "reanchor": "give labels the chunks that hold their text now",
        "validate": "check a label file in itself",
        "accept": "promote re-anchored labels into the golden set",
        "merge": "put two people's changes of a label file together, for git",
    },
    "Scores": {
        "score": "score a run against labels, and judge it by gates",
        "summarize": "add scores that judges gave to a report, with intervals",
        "baseline": "make the current state the one that later runs are compared with",
    },
    "Files": {
        "convert": "write labels, runs, documents and snapshots in another form",
    },
    "Pipeline": {
        "stage": "run one stage of the pipeline in this project folder",
    },
}
_COMMANDS = {name: text for group in _GROUPS.values() for name, text in group.items()}


class _Commands(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"evergold.cli.{name}").command
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(evergold.__version__, "-v", "--version", message="%(version)s")
def cli() -> None:
    """Keep a golden set true, and judge retrieval by it.

    Exit codes: 0 good, 1 a bad answer, 2 no answer (usage, unreadable input), 3 undecided.
    """


def main() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a narrow encoding must not fail a command
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on: say nothing, here and in the interpreter's own flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141  # what the shell reports of a program that a closed pipe ended
    except OSError as error:  # such as a full disk behind a redirection
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _complain(f"cannot write to standard output: {(error.strerror or '').lower()}")
        code = 2
    sys.exit(code)


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        click.echo(cli.get_help(click.Context(cli, info_name="evergold")))
        return 2
    if arguments[0] == "help":
        arguments = [*arguments[1:2], "--help"]
    if "_EVERGOLD_COMPLETE" in os.environ:
        cli.main(prog_name="evergold")  # completion of a shell
    try:
        # Not `cli.main`, which takes a closed pipe for a failure of the command.
        with cli.make_context("evergold", list(arguments)) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as request:  # --help and --version end so
        return request.exit_code
    except EvergoldError as error:
        _complain(error.display)
        return error.exit_code
    except click.ClickException as error:
        _complain(_explained(error, arguments))
        return error.exit_code
    except click.Abort:
        _complain("aborted")
        return 130
    return code if isinstance(code, int) else 0


def _complain(text: str) -> None:
    click.echo(f"error: {text}", err=True)


def _explained(error: click.ClickException, arguments: Sequence[str]) -> str:
    """Return the message of click in one line, with what may have been meant."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and (context is None or context.parent is None):
        name = next((word for word in arguments if not word.startswith("-")), "")
        if name and name not in _COMMANDS:
            close = get_close_matches(name, _COMMANDS, n=1)
            meant = f"; did you mean {close[0]}?" if close else "; see evergold --help"
            return f"unknown command '{name}'{meant}"
    message = " ".join(error.format_message().split()).rstrip(".")
    message = message[:1].lower() + message[1:]
    path = context.command_path if context is not None else "evergold"
    return f"{message}; see {path} --help"
