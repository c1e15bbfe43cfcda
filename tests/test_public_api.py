"""The public API: what `import evergold` offers, and how little it costs."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import evergold
from evergold.errors import EvergoldError, InputError, UsageError, VerdictError


def test_all_is_sorted_and_without_repeats() -> None:
    """`__all__` lists each public name once, in order."""
    assert sorted(set(evergold.__all__)) == evergold.__all__


@pytest.mark.parametrize("name", evergold.__all__)
def test_every_public_name_loads(name: str) -> None:
    """Each name of `__all__` is a documented object of that name from its own module."""
    value = getattr(evergold, name)
    assert name == value.__name__
    assert value.__module__.startswith("evergold.")
    assert value.__doc__


def test_an_unknown_name_raises() -> None:
    """A name that is not public is no attribute, as in any module."""
    with pytest.raises(AttributeError, match="module 'evergold' has no attribute 'recalll'"):
        _ = evergold.recalll


def test_dir_lists_the_public_names_and_the_version() -> None:
    """`dir` shows what one may use, although it is loaded later."""
    assert sorted([*evergold.__all__, "__version__"]) == dir(evergold)


def test_star_import_gives_the_public_names() -> None:
    """`from evergold import *` gives what `__all__` lists."""
    names: dict[str, object] = {}
    exec("from evergold import *", names)  # noqa: S102 - a star import stands in no function
    assert set(evergold.__all__) == set(names) - {"__builtins__"}


def test_the_version_is_that_of_the_project_file() -> None:
    """One version stands in the code and in pyproject.toml."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    declared = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    assert declared == evergold.__version__


def _loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(Path(evergold.__file__).parents[1])}
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return set(process.stdout.split())


def test_import_loads_no_heavy_module() -> None:
    """`import evergold` loads neither arrays nor the command line nor YAML nor a tokenizer."""
    loaded = _loaded_by("import evergold")
    assert "evergold" in loaded
    assert set() == loaded & {"numpy", "click", "yaml", "bm25s", "bpe_openai", "json", "dvc"}


def test_identity_stays_light() -> None:
    """The functions of identity need nothing beyond the standard library."""
    loaded = _loaded_by("from evergold import chunk_id, normalize, text_sha")
    assert "evergold.identity" in loaded
    assert set() == loaded & {"numpy", "click", "yaml", "bm25s", "bpe_openai", "dvc"}


def test_errors_carry_their_exit_codes() -> None:
    """Input and usage errors exit with 2, a failed verdict with 1, an undecided one with 3."""
    assert 2 == InputError("x").exit_code
    assert 2 == UsageError("x").exit_code
    assert 1 == VerdictError("FAIL", "r", "s").exit_code
    assert 3 == VerdictError("INDETERMINATE", "r", "s").exit_code
    for kind in (InputError, UsageError, VerdictError):
        assert issubclass(kind, EvergoldError)


def test_an_input_error_names_its_place() -> None:
    """The message has the path and line, or the published name with the path in brackets."""
    assert "no such thing" == str(InputError("no such thing"))
    assert "a.jsonl:3: bad" == str(InputError("bad", path="a.jsonl", line=3))
    assert "a.jsonl: bad" == str(InputError("bad", path="a.jsonl"))
    published = InputError("missing query_id", path="a.jsonl", line=3, source="run")
    assert "run:3: missing query_id" == str(published)
    assert "run:3: missing query_id [a.jsonl]" == published.display


def test_an_error_is_shown_on_one_line() -> None:
    """Line breaks in a message do not break the one line on stderr."""
    assert "a b c" == InputError("a\nb\u2028c").display
