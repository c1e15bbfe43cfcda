"""The code that a stage depends on, read from import statements."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from evergold.pipeline.code_deps import code_dependencies, with_code_dependencies
from evergold.pipeline.stage import STAGES
from tests.stage_process import REPOSITORY

ROOTS = [
    "requirements.lock",
    "src/evergold/__init__.py",
    "src/evergold/pipeline/__init__.py",
    "src/evergold/pipeline/ingest.py",
    "src/stage.py",
]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the source folder of a package with two stages, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("stage", "evergold/__init__", "evergold/pipeline/__init__", "evergold/b/__init__"):
        write(name)
    for name in (
        "evergold/pipeline/ingest",
        "evergold/pipeline/drift",
        "evergold/a",
        "evergold/b/c",
    ):
        write(name)
    return Path("src")


def write(name: str, code: str = "") -> None:
    """Write a module below the source folder."""
    path = Path("src", f"{name}.py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", set()),
        ("import json\nfrom numpy import ndarray\n", set()),
        ("import evergold.a\n", {"a"}),
        ("import evergold.b.c as d\n", {"b/__init__", "b/c"}),
        ("from evergold.a import name\n", {"a"}),
        ("from evergold import a, name\n", {"a"}),
        ("from evergold.b import c\n", {"b/__init__", "b/c"}),
        ("from evergold.b import name\n", {"b/__init__"}),
        ("def f():\n    from evergold import a\n", {"a"}),
        (
            "try:\n    import evergold.a\nexcept ImportError:\n    import evergold.b\n",
            {"a", "b/__init__"},
        ),
        ("if True:\n    import evergold.a\n", {"a"}),
        ("from evergold.gone import name\n", set()),
        ("import evergoldish.a\n", set()),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import evergold.a\n", set()),
        (
            "if TYPE_CHECKING:\n    import evergold.a\nelse:\n    import evergold.b\n",
            {"b/__init__"},
        ),
    ],
)
def test_what_is_imported_is_a_dependency(tree: Path, code: str, expected: set[str]) -> None:
    """Wherever it stands in the code; but not what only a type checker imports."""
    write("evergold/pipeline/ingest", code)
    found = code_dependencies("ingest", tree)
    assert set(found) - set(ROOTS) == {f"src/evergold/{name}.py" for name in expected}


def test_imports_are_followed_to_their_end_and_through_circles(tree: Path) -> None:
    """A module of a module counts; two modules that import each other count once each."""
    write("evergold/pipeline/ingest", "import evergold.a\n")
    write("evergold/a", "import evergold.b.c\n")
    write("evergold/b/c", "import evergold.a\nimport evergold.pipeline.ingest\n")
    expected = sorted(
        [*ROOTS[1:], "src/evergold/a.py", "src/evergold/b/__init__.py", "src/evergold/b/c.py"]
    )
    assert [ROOTS[0], *expected] == code_dependencies("ingest", tree)


def test_a_stage_does_not_depend_on_other_stages(tree: Path) -> None:
    """The entry loads a stage by its name, which makes no dependency."""
    assert code_dependencies("ingest", tree) == ROOTS


def test_generated_lines_are_renewed_and_all_others_kept(tree: Path) -> None:
    """Data dependencies, comments, settings and stages of other names stay as they are."""
    write("evergold/pipeline/drift", "import evergold.a\n")
    before = """\
# Head
stages:
  ingest:
    cmd: python src/stage.py ingest
    deps:
      - src/evergold/gone.py
      - ${corpus.path}
    outs:
      - data/x
  other:
    deps:
      - data/x
  drift:
    deps:
      - requirements.lock
      - data/y
"""
    expected = """\
# Head
stages:
  ingest:
    cmd: python src/stage.py ingest
    deps:
      - requirements.lock
      - src/evergold/__init__.py
      - src/evergold/pipeline/__init__.py
      - src/evergold/pipeline/ingest.py
      - src/stage.py
      - ${corpus.path}
    outs:
      - data/x
  other:
    deps:
      - data/x
  drift:
    deps:
      - requirements.lock
      - src/evergold/__init__.py
      - src/evergold/a.py
      - src/evergold/pipeline/__init__.py
      - src/evergold/pipeline/drift.py
      - src/stage.py
      - data/y
"""
    assert expected == with_code_dependencies(before, tree)
    assert expected == with_code_dependencies(expected, tree)


def test_every_import_of_ours_names_the_package() -> None:
    """A relative import would be no dependency, since only absolute ones are followed."""
    relative = [
        f"{path.name}:{node.lineno}"
        for path in (REPOSITORY / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@pytest.mark.parametrize("stage", STAGES)
def test_a_dependency_of_a_real_stage_is_a_file(
    stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lists begin with the lock and hold the module of the stage and its entry."""
    monkeypatch.chdir(REPOSITORY)
    found = code_dependencies(stage)
    assert found[0] == "requirements.lock"
    assert {f"src/evergold/pipeline/{stage}.py", "src/stage.py"} <= set(found)
    assert [path for path in found if not Path(path).is_file()] == []
    assert sorted(set(found[1:])) == found[1:]
