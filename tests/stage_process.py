"""Stages in a process of their own, with code that runs before them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
COMMAND = (sys.executable, str(REPOSITORY / "src" / "stage.py"))
BOUND = 120.0  # seconds, after which a process hangs


def environment(before: Path | None = None, **variables: str) -> dict[str, str]:
    """Return the environment of a stage.

    `before` is a folder with a `sitecustomize.py`, which Python runs before anything else.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    code = {} if before is None else {"PYTHONPATH": str(before)}
    return {**inherited, "PYTHONDONTWRITEBYTECODE": "1", **code, **variables}


def prepare(folder: Path, code: str) -> Path:
    """Write `code` as the `sitecustomize.py` of a new folder, and return the folder."""
    folder.mkdir(parents=True)
    (folder / "sitecustomize.py").write_text(code, encoding="utf-8")
    return folder


def run_process(
    root: Path, stage: str, before: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run one stage to its end."""
    return subprocess.run(
        [*COMMAND, stage],
        cwd=root,
        env=environment(before, **variables),
        capture_output=True,
        encoding="utf-8",
        timeout=BOUND,
        check=False,
    )
