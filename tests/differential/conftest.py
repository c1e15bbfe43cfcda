"""The fixture with which tests call commands."""

from tests.cli.command import shell

__all__ = ["shell"]
