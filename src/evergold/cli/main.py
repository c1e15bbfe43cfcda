"""`evergold`, and the one place that turns errors into one line and an exit code."""

from __future__ import annotations

import sys
from importlib import import_module

import click

import evergold
from evergold.errors import EvergoldError, InputError

# A command is loaded when it is called: help and completion stay fast.
_COMMANDS = {
    "accept": "promote re-anchored labels into the golden set",
    "baseline": "make the current state the one that later runs are compared with",
    "stage": "run one stage of the pipeline in this project folder",
}


class _Commands(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"evergold.cli.{name}").command
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(evergold.__version__, "-v", "--version", message="%(version)s")
def cli() -> None:
    """Keep a golden set true, and judge retrieval by it."""


def main() -> None:
    """Run the command line and exit."""
    try:
        code = cli.main(standalone_mode=False)
    except EvergoldError as error:
        text = error.display if isinstance(error, InputError) else str(error)
        click.echo(f"error: {text}", err=True)
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort:
        click.echo("aborted", err=True)
        code = 130
    sys.exit(code if isinstance(code, int) else 0)
