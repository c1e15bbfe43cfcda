"""Labels that were made to mislead, and files that cannot be meant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.formats.jsonl import read_json, write_rows
from evergold.formats.judgments import read_judgments
from evergold.formats.qrels import qrels_lines
from evergold.gates import evaluate_gates, parse_gate
from evergold.identity import is_safe_id, text_sha
from evergold.labels.reanchor import reanchor
from evergold.model import Absorbed, Anchor, Judgment, Ranking
from evergold.scoring.score import score
from tests.labels.handbook import bare, cut, document, label, snapshot

SOURCE = document("First sentence, long enough to count.\n\nSecond sentence, long enough to count.")
FIRST, SECOND = (0, 37), (39, 77)
LIVE = snapshot(*cut(SOURCE, "p", FIRST, SECOND))


def test_a_label_without_a_place_earns_nothing() -> None:
    """Its key is only where it stood last: recall is 0 though the ranking names it."""
    judgment = Judgment("q", "d", 1, chunk_id="live")
    run = [Ranking("q", ("live",))]
    assert 1.0 == score([judgment], run, (1,)).metrics["recall@1"].value
    unplaced = frozenset({("q", "live")})
    assert 0.0 == score([judgment], run, (1,), unplaced=unplaced).metrics["recall@1"].value


def test_a_hash_of_another_text_does_not_follow_an_edit() -> None:
    """Without its text a label is held to its hash, in an edited document too."""
    edited = document(SOURCE.text + "\n\nThird sentence, which is new here.")
    judged = label(SOURCE, SECOND, 2)
    judged = replace(judged, chunk_text=None, text_sha=text_sha(SOURCE.text[0:37]))
    live = snapshot(*cut(edited, "new", FIRST, SECOND))
    result = reanchor([judged], live, [edited], previous=[SOURCE])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


def test_a_label_by_hash_alone_is_no_label_of_the_document() -> None:
    """A passage known by its hash gets the chunk that holds it."""
    judged = Judgment("q1", SOURCE.doc_uri, 2, text_sha=text_sha(SOURCE.text[slice(*SECOND)]))
    result = reanchor([judged], LIVE, [SOURCE])
    assert [("CONTAINED", "p1")] == [(r.rule, r.target) for r in result.resolutions]


def test_a_label_by_span_alone_is_no_label_of_the_document() -> None:
    """The private form has spans and hashes, and neither text nor chunk."""
    judged = replace(label(SOURCE, SECOND, 2), chunk_text=None, text_sha=None, chunk_id=None)
    result = reanchor([judged], LIVE, [SOURCE])
    assert [("CONTAINED", "p1")] == [(r.rule, r.target) for r in result.resolutions]


def test_an_empty_span_proves_nothing() -> None:
    """Every chunk around a place would hold a text of no length."""
    judged = replace(label(SOURCE, (40, 40), 2), chunk_text=None, text_sha=None)
    result = reanchor([judged], LIVE, [SOURCE])
    assert [("REVIEW", "SPAN_MISMATCH")] == [(r.rule, r.reason) for r in result.resolutions]


def test_an_absorbed_label_absorbs_none(tmp_path: Path) -> None:
    """What lay deeper would be lost: the file is refused."""
    inner = {"query_id": "q", "doc_uri": "d", "relevance": 1}
    middle = {**inner, "anchor": {"v": 1, "absorbed": [{"row": 2, "judgment": inner}]}}
    outer = {**inner, "anchor": {"v": 1, "absorbed": [{"row": 1, "judgment": middle}]}}
    path = tmp_path / "judgments.jsonl"
    path.write_text(json.dumps(outer), encoding="utf-8")
    with pytest.raises(InputError, match=r"judgments:1: an absorbed judgment cannot absorb"):
        read_judgments(path)


def test_qrels_have_a_line_for_an_absorbed_label() -> None:
    """Two labels that share a row are two lines."""
    guest = Judgment("q", "d", 1, chunk_id="c")
    anchor = Anchor(None, None, None, absorbed=(Absorbed(1, guest),))
    host = Judgment("q", "d", 2, chunk_id="c", anchor=anchor)
    assert ["q 0 c 2", "q 0 c 1"] == qrels_lines([host])


def test_qrels_carry_no_id_that_reads_as_a_comment() -> None:
    """A line that begins with # would be passed over by every reader."""
    with pytest.raises(InputError, match="comment"):
        qrels_lines([Judgment("#1", "d", 1)])


def test_the_order_of_queries_moves_no_gate() -> None:
    """Means over shared queries are correctly rounded sums, so any order gives one value."""
    values = [0.1, 0.2, 0.3, 0.7, 0.6, 1.0]
    rows = {f"q{i}": {"recall@5": value} for i, value in enumerate(values)}
    base = {
        "metrics": {"recall@5": {"value": 0.5}},
        "per_query": {**rows, "old": {"recall@5": 1.0}},
    }
    results = {
        evaluate_gates(
            [parse_gate("recall@5:-0")],
            {"metrics": {"recall@5": {"value": 0.5}}, "per_query": dict(order)},
            base,
        )[0]
        for order in (list(rows.items()), list(reversed(rows.items())))
    }
    assert ["PASS"] == [result.status for result in results]


def test_a_number_beyond_all_floats_is_refused(tmp_path: Path) -> None:
    """It would be read as infinity, which cannot be written."""
    path = tmp_path / "x.json"
    path.write_text('{"a": 1e999}', encoding="utf-8")
    with pytest.raises(InputError, match=r":1: 1e999 is not JSON"):
        read_json(path)


def test_a_name_that_is_no_text_is_no_id() -> None:
    """A file name that is not UTF-8 arrives with lone surrogates."""
    assert not is_safe_id("x\udcff.md")


def test_a_bare_passage_is_not_taken_from_inside_a_longer_number() -> None:
    """Judged inside 1500, the words stand by themselves about another thing."""
    quote = "500 euros and more are approved by the board."
    source = document(f"Orders of 1{quote}\n\nThe price of a session is {quote} See above.")
    live = snapshot(*cut(source, "p", (0, 56), (58, len(source.text))))
    result = reanchor([bare(quote, 2)], live, [source])
    assert [("REVIEW", "NO_PLACE")] == [(r.rule, r.reason) for r in result.resolutions]


def test_an_absorbed_zero_is_refused(tmp_path: Path) -> None:
    """Only positives meet in one row: a zero that parts again would stand on its host's key."""
    zero = {"query_id": "q", "doc_uri": "d", "relevance": 0, "chunk_text": "t"}
    host = {**zero, "relevance": 2, "anchor": {"v": 1, "absorbed": [{"row": 1, "judgment": zero}]}}
    path = tmp_path / "judgments.jsonl"
    path.write_text(json.dumps(host), encoding="utf-8")
    with pytest.raises(InputError, match=r"judgments:1: an absorbed judgment has a relevance of"):
        read_judgments(path)


def test_a_hash_does_not_choose_between_copies() -> None:
    """The text stands twice, once as a chunk of its own: the other copy may have been judged."""
    twice = document("Refunds take five days, always. And again: Refunds take five days, always.")
    live = snapshot(*cut(twice, "p", (0, 31), (32, 74)))
    judged = Judgment("q1", twice.doc_uri, 2, text_sha=text_sha(twice.text[0:31]), chunk_id="old")
    result = reanchor([judged], live, [twice])
    assert [("REVIEW", "NO_TEXT")] == [(r.rule, r.reason) for r in result.resolutions]


def test_an_old_span_that_is_not_where_the_text_stood_proves_nothing() -> None:
    """The judged text is unique in both texts, and the recorded span is of other words."""
    edited = document(SOURCE.text + "\n\nThird sentence, which is new here.")
    judged = label(SOURCE, SECOND, 2)
    assert judged.anchor is not None
    shifted = replace(judged, anchor=replace(judged.anchor, span=(2, 40)))
    live = snapshot(*cut(edited, "new", FIRST, SECOND))
    result = reanchor([shifted], live, [edited], previous=[SOURCE])
    assert [("REVIEW", "EDITED")] == [(r.rule, r.reason) for r in result.resolutions]


@pytest.mark.parametrize("name", ["stratum", "need"])
def test_a_name_that_people_read_holds_no_escape_code(tmp_path: Path, name: str) -> None:
    """It would reach the terminal."""
    row = {"query_id": "q", "doc_uri": "d", "relevance": 1, name: "a\x1b[31m"}
    path = tmp_path / "judgments.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match=f"judgments:1: {name} .* holds a control character"):
        read_judgments(path)


def test_what_is_too_deep_to_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    """The reader takes a little more depth than the writer."""
    path = tmp_path / "rows.jsonl"
    path.write_text("old\n", encoding="utf-8")
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="nested too deeply to be written"):
        write_rows(path, [{"deep": deep}])
    assert "old\n" == path.read_text(encoding="utf-8")


def test_a_live_chunk_of_an_older_text_gives_no_place() -> None:
    """Its offsets count in a text that is gone: the label stays where it is, without a span."""
    now = document("Refunds are never paid at all, not even in part.")
    old = document("Refunds are paid within 30 days.")
    live = snapshot(*cut(old, "old", (0, 32)), *cut(now, "new", (0, len(now.text))))
    judged = bare(old.text, 2, chunk_id="old0")
    result = reanchor([judged], live, [now])
    assert [("SAME", None)] == [(r.rule, r.reason) for r in result.resolutions]
    assert ("old0", None) == (result.judgments[0].chunk_id, result.judgments[0].anchor)
    assert result.judgments == reanchor(result.judgments, live, [now]).judgments


def test_a_chunk_without_text_is_held_to_its_hash() -> None:
    """Offsets and revision fit, the hash is that of another text: it holds no label."""
    [chunk] = cut(SOURCE, "p", FIRST)
    false = replace(chunk, text="", text_sha=text_sha("another text"))
    true = replace(chunk, text="")
    judged = label(SOURCE, FIRST, 2)
    assert "STRADDLE" == reanchor([judged], snapshot(false), [SOURCE]).resolutions[0].rule
    assert "CONTAINED" == reanchor([judged], snapshot(true), [SOURCE]).resolutions[0].rule


def test_a_document_that_stands_twice_is_refused() -> None:
    """Which of two texts is the present one is not for a rule to say."""
    with pytest.raises(InputError, match=r"leave\.md stands twice among the documents"):
        reanchor([label(SOURCE, FIRST, 2)], LIVE, [SOURCE, document("Another text.")])
