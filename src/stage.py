"""Run one stage of the pipeline: `python src/stage.py NAME`.

DVC starts every stage with this file, so that queued and temporary experiments run the code of
their own copy of the project and not an installed one.
"""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Return the exit code of the stage that `arguments` name."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whatever Python `python` names starts this file
        return _refuse(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    try:
        from evergold.pipeline.stage import run_stage

        return run_stage(arguments)
    except ModuleNotFoundError as error:
        return _refuse(f"this Python ({sys.executable}) has no module {error.name!r}")


def _refuse(reason: str) -> int:
    print(f"error: {reason}; run `make repro`, or put .venv/bin first in PATH", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
