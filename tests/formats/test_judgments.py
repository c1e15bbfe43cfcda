"""Judgments files: what is read, what is refused, and the one form in which they are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.judgments import read_judgments, read_labels, write_judgments
from evergold.model import Absorbed, Anchor, Evidence, Judgment

FULL = Judgment(
    query_id="q1",
    doc_uri="handbook://leave.md",
    relevance=2,
    query="How many days?",
    chunk_id="c-7",
    text_sha="t1:" + "0" * 32,
    chunk_text="Thirty days — 30.",
    corpus_fingerprint="recursive/512/64@3cf96cacef48",
    labeled_by="human:ana",
    labeled_at="2024-05-02T10:00:00Z",
    stratum="leave",
    notes="checked",
    need="days",
    anchor=Anchor(
        doc_sha="t1:" + "1" * 32,
        doc_revision="2024-05-02",
        span=(310, 842),
        evidence=(
            Evidence((377, 431), "Thirty days", "before ", " after", "t1:" + "2" * 32),
            Evidence((500, 510)),
        ),
        evidence_rule="all",
        complete=True,
        by="human:ana",
        also=("c-8", "c-9"),
        absorbed=(Absorbed(4, Judgment("q1", "handbook://leave.md", 1, chunk_id="c-7")),),
        extra={"x_page": 4},
    ),
    extra={"x_tool": {"b": 1, "a": [2]}},
)

FULL_LINE = (
    '{"query_id":"q1","query":"How many days?","doc_uri":"handbook://leave.md","chunk_id":"c-7",'
    '"text_sha":"t1:00000000000000000000000000000000","chunk_text":"Thirty days — 30.",'
    '"relevance":2,"corpus_fingerprint":"recursive/512/64@3cf96cacef48",'
    '"labeled_by":"human:ana","labeled_at":"2024-05-02T10:00:00Z","stratum":"leave",'
    '"notes":"checked","need":"days","x_tool":{"b":1,"a":[2]},'
    '"anchor":{"v":1,"unit":"cp","doc_sha":"t1:11111111111111111111111111111111",'
    '"doc_revision":"2024-05-02","span":[310,842],"evidence":[{"exact":"Thirty days",'
    '"span":[377,431],"prefix":"before ","suffix":" after",'
    '"sha":"t1:22222222222222222222222222222222"},{"span":[500,510]}],"evidence_rule":"all",'
    '"complete":true,"by":"human:ana","x_page":4,"also":["c-8","c-9"],"absorbed":[{"row":4,'
    '"judgment":{"query_id":"q1","doc_uri":"handbook://leave.md","chunk_id":"c-7",'
    '"relevance":1}}]}}\n'
)


def _read(folder: Path, *lines: str) -> tuple[Judgment, ...]:
    path = folder / "labels.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return read_judgments(path)


def _refusal(folder: Path, line: str) -> str:
    with pytest.raises(InputError) as error:
        _read(folder, '{"query_id":"q","doc_uri":"d","relevance":1}', line)
    return str(error.value)


def _line(**fields: Any) -> str:
    return json.dumps({"query_id": "q", "doc_uri": "d", "relevance": 1, **fields})


def test_a_label_is_written_in_the_canonical_order(tmp_path: Path) -> None:
    """Published fields, `need`, unknown fields and `anchor` stand in one order, unset ones out."""
    path = tmp_path / "out.jsonl"
    write_judgments(path, [FULL, Judgment("q2", "d", 0)])
    short = '{"query_id":"q2","doc_uri":"d","relevance":0}\n'
    assert FULL_LINE + short == path.read_text(encoding="utf-8")


def test_a_written_label_reads_back(tmp_path: Path) -> None:
    """Every field survives, unknown ones included."""
    assert (FULL,) == _read(tmp_path, FULL_LINE)


def test_any_order_of_fields_is_written_as_one(tmp_path: Path) -> None:
    """The order of a file does not count, but unknown fields keep theirs."""
    fields = dict(reversed(json.loads(FULL_LINE).items()))
    fields["z_last"], fields["a_last"] = 1, 2
    path = tmp_path / "out.jsonl"
    write_judgments(path, _read(tmp_path, json.dumps(fields)))
    expected = FULL_LINE.replace('"a":[2]},', '"a":[2]},"z_last":1,"a_last":2,')
    assert expected == path.read_text(encoding="utf-8")


def test_comments_blank_lines_and_nulls_do_not_survive(tmp_path: Path) -> None:
    """They are read and not written again; a null in a field of somebody else is."""
    rows = _read(tmp_path, "// labels", "", _line(query=None, anchor=None, x=None, notes="n"))
    path = tmp_path / "out.jsonl"
    write_judgments(path, rows)
    expected = '{"query_id":"q","doc_uri":"d","relevance":1,"notes":"n","x":null}\n'
    assert expected == path.read_text(encoding="utf-8")


def test_a_lone_cr_ends_no_row(tmp_path: Path) -> None:
    """Two rows on one line are refused, not read in part."""
    with pytest.raises(InputError, match="judgments:1: invalid JSON, Extra data"):
        _read(tmp_path, f"{_line()}\r{_line()}")


def test_the_key_is_the_chunk_or_else_the_document() -> None:
    """A ranking names chunks where a label has one."""
    assert "c" == Judgment("q", "d", 1, chunk_id="c").key
    assert "d" == Judgment("q", "d", 1).key


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"query_id":"q"', "judgments:2: invalid JSON, "),
        ('{"doc_uri":"d","relevance":1}', "judgments:2: missing query_id"),
        ('{"query_id":"","doc_uri":5,"relevance":-1}', "judgments:2: missing query_id"),
        ('{"query_id":"q","relevance":-1}', "judgments:2: missing doc_uri"),
        ('{"query_id":"q","doc_uri":7,"relevance":1}', "judgments:2: missing doc_uri"),
    ],
)
def test_the_published_checks_come_in_their_order(tmp_path: Path, line: str, message: str) -> None:
    """The first check that fails is reported, in the published words, with the physical line."""
    assert _refusal(tmp_path, line).startswith(message)


@pytest.mark.parametrize("value", ["true", "false", "1.0", "1e0", '"1"', "null", "-1", "[1]"])
def test_a_grade_is_a_whole_number_from_zero(tmp_path: Path, value: str) -> None:
    """Booleans, floats, strings and negative numbers are no grades; so is no grade at all."""
    message = "judgments:2: relevance must be a non-negative integer"
    line = f'{{"query_id":"q","doc_uri":"d","relevance":{value}}}'
    assert message == _refusal(tmp_path, line)
    assert message == _refusal(tmp_path, '{"query_id":"q","doc_uri":"d"}')


def test_a_grade_has_an_upper_bound(tmp_path: Path) -> None:
    """50 is read; a greater grade, whose gain is no exact number, is refused."""
    assert 50 == _read(tmp_path, _line(relevance=50))[0].relevance
    message = "judgments:2: relevance 51 is above the bound of 50"
    assert message == _refusal(tmp_path, _line(relevance=51))


@pytest.mark.parametrize(
    "field",
    [
        "query",
        "text_sha",
        "chunk_text",
        "corpus_fingerprint",
        "labeled_by",
        "labeled_at",
        "stratum",
        "notes",
        "need",
        "chunk_id",
    ],
)
@pytest.mark.parametrize("value", [5, True, ["x"], {}])
def test_optional_fields_are_strings(tmp_path: Path, field: str, value: object) -> None:
    """A number, boolean, list or object is refused with the name of the field."""
    message = _refusal(tmp_path, _line(**{field: value}))
    assert message.startswith(f"judgments:2: {field} must be a string, found ")


@pytest.mark.parametrize("field", ["query_id", "doc_uri", "chunk_id"])
def test_ids_hold_no_line_break(tmp_path: Path, field: str) -> None:
    """A control character in an id is refused."""
    message = _refusal(tmp_path, _line(**{field: "a\nb"}))
    assert f"judgments:2: {field} 'a\\nb' holds a control character or line break" == message


def test_a_chunk_id_is_not_empty(tmp_path: Path) -> None:
    """An empty id is no id."""
    assert "judgments:2: missing chunk_id" == _refusal(tmp_path, _line(chunk_id=""))


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ([], "anchor must be an object, found []"),
        ({"unit": "cp"}, "anchor.v must be 1, found null"),
        ({"v": 2}, "anchor.v must be 1, found 2"),
        ({"v": "1"}, 'anchor.v must be 1, found "1"'),
        ({"v": 1, "unit": "utf-16"}, 'anchor.unit must be "cp", found "utf-16"'),
        ({"v": 1, "span": [5, 2]}, "span must be [start, end], found [5,2]"),
        (
            {"v": 1, "evidence_rule": "most"},
            'anchor.evidence_rule must be "any" or "all", found "most"',
        ),
        ({"v": 1, "evidence": [3]}, "evidence must be a list of objects, found [3]"),
        ({"v": 1, "evidence": 0}, "evidence must be a list of objects, found 0"),
        ({"v": 1, "evidence": False}, "evidence must be a list of objects, found false"),
        ({"v": 1, "evidence": [{}]}, "anchor.evidence needs a span"),
        ({"v": 1, "also": "c"}, 'also must be a list of strings, found "c"'),
        ({"v": 1, "absorbed": [{"row": 1}]}, "anchor.absorbed needs {row, judgment}"),
        ({"v": 1, "absorbed": [{"judgment": {}}]}, "anchor.absorbed needs {row, judgment}"),
        ({"v": 1, "absorbed": [{"row": 0, "judgment": {}}]}, "missing query_id"),
        ({"v": 1, "by": 5}, "by must be a string, found 5"),
    ],
)
def test_an_anchor_is_checked(tmp_path: Path, anchor: object, message: str) -> None:
    """What an anchor cannot be is refused with the line and the field."""
    assert f"judgments:2: {message}" == _refusal(tmp_path, _line(anchor=anchor))


def test_an_anchor_without_a_place_is_read(tmp_path: Path) -> None:
    """Only the version is required; what is absent has its default."""
    (judgment,) = _read(tmp_path, _line(anchor={"v": 1}))
    assert Anchor(doc_sha=None, doc_revision=None, span=None) == judgment.anchor


def test_labels_must_exist(tmp_path: Path) -> None:
    """A file without a label is read as such, and refused where labels are needed."""
    assert () == _read(tmp_path, "// nothing yet")
    with pytest.raises(InputError) as error:
        read_labels(tmp_path / "labels.jsonl")
    assert "judgments:1: no judgments" == str(error.value)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
IDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=6)
JUDGMENTS = st.builds(
    Judgment,
    query_id=IDS,
    doc_uri=IDS,
    relevance=st.integers(0, 50),
    query=st.none() | TEXTS,
    chunk_id=st.none() | IDS,
    chunk_text=st.none() | TEXTS,
    labeled_by=st.none() | TEXTS,
    stratum=st.none() | IDS,
    extra=st.dictionaries(TEXTS.map("x_".__add__), st.integers() | TEXTS, max_size=2),
)


@settings(deadline=None)
@given(st.lists(JUDGMENTS, min_size=1, max_size=4))
def test_the_published_tool_reads_and_writes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, judgments: list[Judgment]
) -> None:
    """retrieval-eval reads what is written here and writes it back unchanged; so do we."""
    path = tmp_path_factory.mktemp("judgments") / "labels.jsonl"
    write_judgments(path, judgments)
    content = path.read_text(encoding="utf-8")
    rows = retrieval_eval.parse_judgments(content)
    assert content == retrieval_eval.serialize_judgments(rows)
    assert tuple(judgments) == read_judgments(path)
