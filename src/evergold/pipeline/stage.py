"""Stages by name, and the one place that turns what they raise into exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from evergold.errors import EvergoldError, InputError, UsageError, VerdictError
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
        print(stage.run(Params(paths.PARAMS)))
    except EvergoldError as error:
        if isinstance(error, VerdictError):
            print(error.summary, end="")
        text = error.display if isinstance(error, InputError) else str(error)
        print(f"error: {text}", file=sys.stderr)
        return error.exit_code
    return 0
