"""Question lists: what they hold comes back, and what is wrong is named with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.questions import Question, Questions, read_questions, write_questions

EXAMPLE = Path(__file__).resolve().parents[3] / "shared" / "data" / "chunklab-example"

LIST = """\
version: 2
questions:
- id: leave
  query: How long is leave?
  gold_snippets:
  - 30 days
    of leave
  - [per year, each year]
  tags: [faq]
  reviewed: false
  owner: {name: ana}
- id: 'no'
  query: "Gibt es Überstunden?"
  gold_answer: null
"""


def _read(folder: Path, content: str) -> Questions:
    path = folder / "questions.yaml"
    path.write_bytes(content.encode())
    return read_questions(path)


def _refusal(folder: Path, content: str) -> str:
    with pytest.raises(InputError) as error:
        _read(folder, content)
    assert 1 == len(error.value.display.splitlines())
    return error.value.display.removeprefix(f"{folder / 'questions.yaml'}:")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_slots_variants_and_unknown_fields_are_read(tmp_path: Path, end: str, mark: str) -> None:
    """A text is a slot of one variant; line ends and a byte order mark are no matter."""
    expected = Questions(
        (
            Question(
                "leave",
                "How long is leave?",
                (("30 days of leave",), ("per year", "each year")),
                tags=("faq",),
                reviewed=False,
                extra={"owner": {"name": "ana"}},
            ),
            Question("no", "Gibt es Überstunden?"),
        ),
        {"version": 2},
    )
    assert expected == _read(tmp_path, mark + LIST.replace("\n", end))


def test_a_list_is_written_in_block_style(tmp_path: Path) -> None:
    """Letters of any script as they are, defaults left out, the same bytes again."""
    path = tmp_path / "out.yaml"
    write_questions(path, _read(tmp_path, LIST))
    written = (
        "questions:\n"
        "- id: leave\n"
        "  query: How long is leave?\n"
        "  gold_snippets:\n"
        "  - 30 days of leave\n"
        "  - - per year\n"
        "    - each year\n"
        "  tags:\n"
        "  - faq\n"
        "  reviewed: false\n"
        "  owner:\n"
        "    name: ana\n"
        "- id: 'no'\n"
        "  query: Gibt es Überstunden?\n"
        "version: 2\n"
    )
    assert written == path.read_text(encoding="utf-8")
    write_questions(path, read_questions(path))
    assert written == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("id: 1, query: q", "question 2: id: must be text, found 1"),
        ("id: yes, query: q", "question 2: id: must be text, found True"),
        ("id: ' ', query: q", "question 2 ( ): id: must be text, found ' '"),
        ("query: q", "question 2: id: is missing"),
        ("id: x", "question 2 (x): query: is missing"),
        ("{}", "question 2: id: is missing (and 1 more)"),
        ("id: x, query: ''", "question 2 (x): query: must be text, found ''"),
        ("id: a, query: q", "question 2 (a): id: stands already on line 2"),
        (
            'id: "x\\n", query: q',
            "question 2 (x ): id: holds a control character or line break",
        ),
        (
            "id: x, query: q, gold_snippets: text",
            "question 2 (x): gold_snippets: must be a list, found 'text'",
        ),
        (
            "id: x, query: q, gold_snippets: [y, []]",
            "question 2 (x): gold_snippets.1: must be text or a list of texts, found []",
        ),
        (
            "id: x, query: q, gold_snippets: [5], tags: t, reviewed: 1",
            "question 2 (x): gold_snippets.0: must be text or a list of texts, found 5 (and 2 more)",
        ),
        (
            "id: x, query: q, gold_answer: 2024-01-01",
            "question 2 (x): gold_answer: must be text, found datetime.date(2024, 1, 1)",
        ),
        ("id: x, query: q, id: y", "id stands twice"),
    ],
)
def test_an_item_that_cannot_be_used_is_refused(tmp_path: Path, item: str, message: str) -> None:
    """With its line, its number, its id and the field, and how many faults there are more."""
    item = item if item == "{}" else f"{{{item}}}"
    content = f"questions:\n- {{id: a, query: q}}\n\n- {item}\n"
    assert f"4: {message}" == _refusal(tmp_path, content)


@pytest.mark.parametrize("item", ["text", "5", "[a]", "null"])
def test_an_item_must_have_fields(tmp_path: Path, item: str) -> None:
    """What it is instead is said."""
    found = yaml.safe_load(item)
    expected = f"question 1: expected id, query and gold_snippets, found {found!r}"
    assert f"2: {expected}" == _refusal(tmp_path, f"questions:\n- {item}\n")


@pytest.mark.parametrize("content", ["", "[]", "text", "questions:", "questions: []", "q: [a]"])
def test_a_file_without_a_list_is_refused(tmp_path: Path, content: str) -> None:
    """An empty list is none."""
    assert "1: expected a top-level 'questions:' list" == _refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("questions:\n- id: [\n", "3: invalid YAML, expected the node content, but found '-"),
        ("questions:\n- !!python/name:os.system x\n", "2: invalid YAML, could not determine a"),
        ("questions:\n- {id: &a [*a]}\n", "1: more than 1000000 entries"),
        ("a: \x07\n", "1: invalid YAML, unacceptable character #x0007"),
        ("a: 2024-99-99\n", "1: invalid YAML, month must be in 1..12"),
        ("[" * 5000, "1: invalid YAML, maximum recursion depth exceeded"),
    ],
)
def test_what_is_no_safe_yaml_is_refused(tmp_path: Path, content: str, message: str) -> None:
    """No object is built, no circle is walked, no stack trace shown."""
    refusal = _refusal(tmp_path, content)
    assert refusal.startswith(message[:35])


@pytest.mark.parametrize("prefix", ["", "<<: "])
def test_aliases_of_aliases_are_refused_before_they_grow(tmp_path: Path, prefix: str) -> None:
    """Some hundred bytes would be billions of entries."""
    lines = ["a0: &a0 {x: y}"]
    for level in range(1, 40):
        twice = f"*a{level - 1}, *a{level - 1}"
        inner = f"{{{prefix}[{twice}]}}" if prefix else f"[{twice}]"
        lines.append(f"a{level}: &a{level} {inner}")
    content = "\n".join([*lines, "questions: [{id: a, query: q}]"])
    assert "1: more than 1000000 entries" == _refusal(tmp_path, content)


def test_aliases_that_repeat_a_little_are_read(tmp_path: Path) -> None:
    """They stand for what they name, and are written out."""
    content = "questions:\n- {id: a, query: q, tags: &t [x]}\n- {id: b, query: q, tags: *t}\n"
    found = _read(tmp_path, content)
    assert [("x",), ("x",)] == [question.tags for question in found.questions]
    write_questions(tmp_path / "out.yaml", found)
    assert "*" not in (tmp_path / "out.yaml").read_text(encoding="utf-8")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
SOLID = TEXTS.filter(str.strip)
IDS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=6).filter(
    str.strip
)
VALUES: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | TEXTS
EXTRA = st.dictionaries(st.sampled_from(["source", "owner"]), VALUES | st.lists(VALUES, max_size=2))
QUESTIONS = st.lists(
    st.builds(
        Question,
        id=IDS,
        query=SOLID,
        gold_snippets=st.lists(st.lists(SOLID, min_size=1, max_size=2).map(tuple), max_size=3).map(
            tuple
        ),
        gold_answer=st.none() | TEXTS,
        tags=st.lists(TEXTS, max_size=2).map(tuple),
        reviewed=st.booleans(),
        extra=EXTRA,
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda question: question.id,
)


@settings(deadline=None)
@given(QUESTIONS, EXTRA)
def test_written_questions_read_back(
    tmp_path_factory: pytest.TempPathFactory, questions: list[Question], extra: dict[str, Any]
) -> None:
    """Whatever texts are made of."""
    path = tmp_path_factory.mktemp("questions") / "questions.yaml"
    expected = Questions(tuple(questions), extra)
    write_questions(path, expected)
    assert expected == read_questions(path)


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the example is not at hand")
def test_the_published_example_comes_back_as_it_was(tmp_path: Path) -> None:
    """The same data by another reader of YAML."""
    source = EXAMPLE / "questions.yaml"
    write_questions(tmp_path / "out.yaml", read_questions(source))
    before = yaml.safe_load(source.read_text(encoding="utf-8"))
    assert before == yaml.safe_load((tmp_path / "out.yaml").read_text(encoding="utf-8"))
