"""Question lists as YAML: a query with the snippets that answer it, without their documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from evergold.errors import InputError
from evergold.formats.files import read_text, write_text
from evergold.identity import is_safe_id

_MOST_ENTRIES = 1_000_000
_OTHER_BREAKS = frozenset("\r\x85\u2028\u2029\ufeff")
_KNOWN = ("id", "query", "gold_snippets", "gold_answer", "tags", "reviewed")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its slots: each is one thing to find, in any one of its variants.

    `reviewed` is whether a person has looked at it.
    """

    id: str
    query: str
    gold_snippets: tuple[tuple[str, ...], ...] = ()
    gold_answer: str | None = None
    tags: tuple[str, ...] = ()
    reviewed: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Questions:
    """A question list; `extra` has what stands beside it in its file."""

    questions: tuple[Question, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


def read_questions(path: Path) -> Questions:
    """Return a question list.

    Raises `InputError` with the line of the first item that cannot be used, and for aliases that
    would make more than a million entries.
    """
    data, lines = _loaded(path)
    items = data.get("questions") if isinstance(data, dict) else None
    if not isinstance(items, list) or not items:
        raise InputError("expected a top-level 'questions:' list", path=path, line=1)
    seen: dict[str, int] = {}
    questions = []
    for index, (item, line) in enumerate(zip(items, lines, strict=True)):
        given = item.get("id") if isinstance(item, dict) else None
        name = f"question {index + 1}" + (f" ({given})" if isinstance(given, str) else "")
        faults = list(_faults(item))
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            raise InputError(f"{name}: {faults[0]}{more}", path=path, line=line)
        if item["id"] in seen:
            message = f"{name}: id: stands already on line {seen[item['id']]}"
            raise InputError(message, path=path, line=line)
        seen[item["id"]] = line
        questions.append(_question(item))
    extra = {name: value for name, value in data.items() if name != "questions"}
    return Questions(tuple(questions), extra)


def write_questions(path: Path, questions: Questions) -> None:
    """Write a question list in block style; what has its default is left out."""
    write_text(path, to_questions(questions))


def to_questions(questions: Questions) -> str:
    """Return a question list as YAML."""
    data = {"questions": [_to_data(item) for item in questions.questions], **questions.extra}
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text


def _faults(item: Any) -> Iterator[str]:
    """Yield what is wrong with an item, a field and a message each."""
    if not isinstance(item, dict):
        yield f"expected id, query and gold_snippets, found {_found(item)}"
        return
    for name in ("id", "query"):
        value = item.get(name)
        if name not in item:
            yield f"{name}: is missing"
        elif not isinstance(value, str) or not value.strip():
            yield f"{name}: must be text, found {_found(value)}"
        elif name == "id" and not is_safe_id(value):
            yield "id: holds a control character or line break"
    slots = item.get("gold_snippets", [])
    if not isinstance(slots, list):
        yield f"gold_snippets: must be a list, found {_found(slots)}"
        slots = []
    for index, slot in enumerate(slots):
        variants = slot if isinstance(slot, list) else [slot]
        if not variants or not all(isinstance(text, str) and text.strip() for text in variants):
            yield f"gold_snippets.{index}: must be text or a list of texts, found {_found(slot)}"
    answer, tags = item.get("gold_answer"), item.get("tags", [])
    if answer is not None and not isinstance(answer, str):
        yield f"gold_answer: must be text, found {_found(answer)}"
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        yield f"tags: must be a list of texts, found {_found(tags)}"
    if not isinstance(item.get("reviewed", True), bool):
        yield f"reviewed: must be true or false, found {_found(item['reviewed'])}"


def _found(value: object) -> str:
    return repr(value)[:60]


def _question(item: Mapping[str, Any]) -> Question:
    slots = item.get("gold_snippets", [])
    return Question(
        id=item["id"],
        query=item["query"],
        gold_snippets=tuple((slot,) if isinstance(slot, str) else tuple(slot) for slot in slots),
        gold_answer=item.get("gold_answer"),
        tags=tuple(item.get("tags", [])),
        reviewed=item.get("reviewed", True),
        extra={name: value for name, value in item.items() if name not in _KNOWN},
    )


def _to_data(question: Question) -> dict[str, Any]:
    slots = [slot[0] if len(slot) == 1 else list(slot) for slot in question.gold_snippets]
    data: dict[str, Any] = {"id": question.id, "query": question.query}
    if slots:
        data["gold_snippets"] = slots
    if question.gold_answer is not None:
        data["gold_answer"] = question.gold_answer
    if question.tags:
        data["tags"] = list(question.tags)
    if not question.reviewed:
        data["reviewed"] = False
    return {**data, **question.extra}


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        # The library folds these like blanks, unless they are escaped.
        style = None if _OTHER_BREAKS.isdisjoint(data) else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", data, style)


_Dumper.add_representer(str, _Dumper.represent_str)


def _loaded(path: Path) -> tuple[Any, list[int]]:
    """Return the value of a YAML file, and the lines of its questions."""
    text = read_text(path)
    loader = None
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            return None, []
        if _entries(root, {}, path) > _MOST_ENTRIES:
            raise InputError(f"more than {_MOST_ENTRIES} entries", path=path, line=1)
        return loader.construct_document(root), _lines(root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"invalid YAML, {error.problem}", path=path, line=line) from error
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, RecursionError) as error:
        # The library lets the errors of building a value through as they are.
        raise InputError(f"invalid YAML, {error}", path=path, line=1) from error
    finally:
        if loader is not None:
            loader.dispose()


def _lines(root: yaml.Node) -> list[int]:
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in pairs:
        if key.value == "questions" and isinstance(value, yaml.SequenceNode):
            return [item.start_mark.line + 1 for item in value.value]
    return []


def _entries(node: yaml.Node, counted: dict[int, int], path: Path) -> int:
    """Return the number of entries below a node, an alias counted wherever it stands.

    A key that stands twice is refused.
    """
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in counted:
        counted[id(node)] = _MOST_ENTRIES + 1  # what a circle of aliases comes to
        inner = node.value
        if isinstance(node, yaml.MappingNode):
            _refuse_repeats(node, path)
            inner = [part for pair in node.value for part in pair]
        counted[id(node)] = 1 + sum(_entries(part, counted, path) for part in inner)
    return counted[id(node)]


def _refuse_repeats(node: yaml.MappingNode, path: Path) -> None:
    seen: set[tuple[str, Any]] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode):
            if (key.tag, key.value) in seen:
                line = key.start_mark.line + 1
                raise InputError(f"{key.value} stands twice", path=path, line=line)
            seen.add((key.tag, key.value))
