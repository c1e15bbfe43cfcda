"""Stages by name, and the one place that turns what they raise into exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO

from evergold.errors import EvergoldError, UsageError, VerdictError
from evergold.pipeline import paths
from evergold.pipeline.params import Params

STAGES = (
    "ingest",
    "fingerprint",
    "drift",
    "reanchor",
    "retrieve",
    "score",
    "gate",
    "report",
    "enforce",
)


def run_stage(arguments: Sequence[str]) -> int:
    """Run the stage that `arguments` name in the current folder; return its exit code.

    The summary goes to stdout, an error to stderr in one line.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a narrow encoding must not fail a run
            stream.reconfigure(errors="backslashreplace")
    try:
        if len(arguments) != 1 or arguments[0] not in STAGES:
            raise UsageError(f"expected the name of one stage: {', '.join(STAGES)}")
        # Loaded by name: a stage depends on its own modules, not on those of every stage.
        stage = import_module(f"evergold.pipeline.{arguments[0]}")
        _say(stage.run(Params(paths.PARAMS)), sys.stdout)
    except EvergoldError as error:
        if isinstance(error, VerdictError):
            _say(error.summary.rstrip("\n"), sys.stdout)
        _say(f"error: {error.display}", sys.stderr)
        return error.exit_code
    return 0


def _say(text: str, stream: TextIO) -> None:
    """Print a line; that nobody reads it any more is no failure of the stage."""
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:  # what is still to be flushed at the end must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
