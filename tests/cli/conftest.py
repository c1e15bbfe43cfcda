"""The fixture with which tests of commands call them."""

from tests.cli.command import shell

__all__ = ["shell"]
