"""Everything that evergold raises on purpose.

    EvergoldError                 exit_code
    ├── InputError        2       a file, row or parameter that cannot be used
    ├── UsageError        2       a call that makes no sense, whatever the files hold
    └── VerdictError      1, 3    a verdict that is not good enough

Errors of other libraries are turned into these where they arise. The command line
prints `str(error)` on one line and exits with `exit_code`.
"""

from __future__ import annotations


def shown_path(path: object) -> str:
    """Return a path as messages show it: `-` is standard input."""
    return "<stdin>" if str(path) == "-" else str(path)


class EvergoldError(Exception):
    """Base class: catch it to catch all that evergold raises on purpose."""

    exit_code: int = 2

    @property
    def display(self) -> str:
        """The message as the command line prints it: one line."""
        return str(self)


class InputError(EvergoldError):
    """A file, row or parameter that cannot be used.

    `source` is the name that published messages carry in place of the path
    ("judgments", "run", "corpus", "qrels"); the path then follows in `display`.
    """

    def __init__(
        self,
        message: str,
        *,
        path: object = None,
        line: int | None = None,
        source: str | None = None,
    ) -> None:
        self.path = None if path is None else shown_path(path)
        self.line = line
        self.source = source
        place = source or self.path
        if place and line is not None:
            place = f"{place}:{line}"
        super().__init__(f"{place}: {message}" if place else message)

    @property
    def display(self) -> str:
        """The message as the command line prints it: one line that names the file."""
        text = " ".join(str(self).splitlines())
        return f"{text} [{self.path}]" if self.source and self.path else text


class UsageError(EvergoldError):
    """A call that makes no sense, whatever the files hold."""


class VerdictError(EvergoldError):
    """The verdict of a run is not good enough; `summary` is what a person wants to see first.

    The exit code is 1 for FAIL and 3 for INDETERMINATE.
    """

    def __init__(self, status: str, reasons: str, summary: str) -> None:
        super().__init__(f"verdict {status}: {reasons}")
        self.summary = summary
        self.exit_code = 1 if status == "FAIL" else 3
