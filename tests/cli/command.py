"""Command lines that run in this process, as the installed command runs them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

from evergold.cli.main import main


@dataclass(frozen=True, slots=True)
class Shell:
    """Calls `evergold`, and gives exit code, stdout and stderr."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: Any) -> tuple[int, str, str]:
        """Run one command."""
        self.monkeypatch.setattr(sys, "argv", ["evergold", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as caught:
            main()
        printed = self.capsys.readouterr()
        assert isinstance(caught.value.code, int)
        return caught.value.code, printed.out, printed.err


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return what calls commands in this process."""
    return Shell(monkeypatch, capsys)
