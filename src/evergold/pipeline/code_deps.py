"""Keep the code dependencies in dvc.yaml true: `python -m evergold.pipeline.code_deps`.

A stage depends on the modules that it imports, however deep, and on the lock file. The lists
are read from the import statements, never kept by hand; a test compares them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from evergold.formats.files import read_text, write_text
from evergold.pipeline.stage import STAGES

PIPELINE = Path("dvc.yaml")
SOURCE = Path("src")
LOCK = "requirements.lock"

_STAGE = re.compile(r"^  (\w+):$")
_DEPS = "    deps:"
_GENERATED = re.compile(rf"^      - ({SOURCE.as_posix()}/|{re.escape(LOCK)}$)")


def code_dependencies(stage: str, source: Path = SOURCE) -> list[str]:
    """Return the paths of every module that a stage imports, directly or not, and of the lock."""
    found: set[Path] = set()
    waiting = [source / "stage.py", *_files(f"evergold.pipeline.{stage}", source)]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for module in _imports(ast.parse(path.read_text(encoding="utf-8"))):
            waiting.extend(_files(module, source))
    return [LOCK, *sorted(path.as_posix() for path in found)]


def with_code_dependencies(text: str, source: Path = SOURCE) -> str:
    """Return the text of a dvc.yaml with the code dependencies of every stage brought up to date."""
    lines: list[str] = []
    stage = None
    for line in text.splitlines():
        header = _STAGE.match(line)
        if header:
            stage = header.group(1)
        if _GENERATED.match(line):
            continue
        lines.append(line)
        if line == _DEPS and stage in STAGES:
            lines.extend(f"      - {path}" for path in code_dependencies(stage, source))
    return "\n".join(lines) + "\n"


def _files(module: str, source: Path) -> list[Path]:
    """Return the file of one of our modules with those of its packages; nothing for others."""
    parts = module.split(".")
    if parts[0] != "evergold":
        return []
    files: list[Path] = []
    for length in range(1, len(parts) + 1):
        place = source.joinpath(*parts[:length])
        candidates = (place / "__init__.py", place.with_suffix(".py"))
        files.extend(candidate for candidate in candidates if candidate.is_file())
    return files


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a file imports anywhere, but for those of type checking only."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        waiting.extend(ast.iter_child_nodes(node))


if __name__ == "__main__":
    write_text(PIPELINE, with_code_dependencies(read_text(PIPELINE)))
