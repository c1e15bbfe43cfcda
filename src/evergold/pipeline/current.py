"""Whether the results of the last run are those of the files and params of now."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evergold.errors import UsageError


def refuse_outdated(stages: Sequence[str]) -> None:
    """Raise `UsageError` where one of the stages would run again, or its outputs were edited.

    DVC knows that of everything a stage reads: documents, labels, params, code. In a folder
    that is no DVC project nothing is checked.
    """
    if not Path("dvc.yaml").is_file() or not Path("dvc.lock").is_file():
        return
    command = [sys.executable, "-m", "dvc", "status", "--json", *stages]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    try:
        changed = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        reason = " ".join(done.stderr.split()) or "no answer"
        raise UsageError(f"dvc status failed: {reason}") from error
    if changed:
        names = ", ".join(stage for stage in stages if stage in changed) or ", ".join(changed)
        raise UsageError(
            f"the last run is not of the present files and params ({names});"
            " run `make repro` or `dvc repro` first"
        )
