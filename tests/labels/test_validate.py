"""What is wrong with a label file in itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evergold.identity import text_sha
from evergold.labels.validate import Issue, validate
from evergold.model import Absorbed, Anchor, Judgment

MINTED = "c1:" + "0" * 32


def _label(query_id: str = "q", doc_uri: str = "d", relevance: int = 1, **fields: Any) -> Judgment:
    label = Judgment(
        query_id, doc_uri, relevance, query=f"text of {query_id}", chunk_id=f"{query_id}-{doc_uri}"
    )
    return replace(label, **fields)


def _codes(*judgments: Judgment) -> list[str]:
    return [issue.code for issue in validate(judgments)]


def test_a_sound_set_has_no_issue() -> None:
    """Labels with texts, ids and one grade above 0 are all that is needed."""
    assert () == validate([_label(), _label(doc_uri="e", relevance=0)])


def test_no_labels_are_an_error() -> None:
    """An empty set is named as such and nothing else."""
    assert (Issue("error", "empty", "no judgments"),) == validate([])


def test_a_repeated_key_is_an_error_each_time() -> None:
    """Every row that repeats query and key is reported; another query may name the key."""
    row = _label(chunk_id="c")
    issue = Issue("error", "duplicate-label", "duplicate judgment for query q and target c")
    assert (issue, issue) == validate([row, row, row, _label("p", chunk_id="c")])


def test_a_document_label_and_a_chunk_label_may_share_a_name() -> None:
    """The key is what counts: a chunk id that equals a document's address is the same key."""
    document = Judgment("q", "d", 1, query="x")
    assert "duplicate-label" in _codes(document, _label(query="x", chunk_id="d"))


def test_two_texts_of_a_query_are_an_error_at_each_change() -> None:
    """A, B, A are two changes; a row without a text changes nothing."""
    rows = [
        _label(doc_uri="1", query="A"),
        _label(doc_uri="2", query="B"),
        Judgment("q", "3", 1, chunk_id="3"),
        _label(doc_uri="4", query="A"),
    ]
    issue = Issue("error", "inconsistent-query-text", "query q has two different query strings")
    assert (issue, issue) == validate(rows)


def test_two_strata_of_a_query_are_an_error_at_each_change() -> None:
    """The stratum belongs to the query."""
    rows = [_label(doc_uri=str(row), stratum=name) for row, name in enumerate("ABBA" * 5)]
    assert ["inconsistent-stratum"] * 10 == _codes(*rows)[:-2]
    assert "query q stands in two strata" == validate(rows)[0].message


@pytest.mark.parametrize(
    ("chunk_id", "malformed"),
    [
        (MINTED, False),
        (MINTED + "\n", True),
        ("c1:XYZ", True),
        ("c1:", True),
        ("C1:XYZ", False),
        ("7f0c2d", False),
        ("doc 1 c1:XYZ", False),
    ],
)
def test_only_ids_that_begin_like_minted_ones_are_checked(
    chunk_id: str, *, malformed: bool
) -> None:
    """The ids of a vector store are opaque."""
    message = f"malformed chunk_id on query q: {chunk_id}"
    expected = (Issue("error", "bad-chunk-id", message),) if malformed else ()
    assert expected == validate([_label(chunk_id=chunk_id)])


@pytest.mark.parametrize("text_sha", ["t1:XYZ", "", "t1:" + "0" * 32 + "\n", "0" * 32, MINTED])
def test_a_malformed_hash_is_an_error(text_sha: str) -> None:
    """A hash has one form."""
    message = f"malformed text_sha on query q: {text_sha}"
    assert (Issue("error", "bad-text-sha", message),) == validate([_label(text_sha=text_sha)])


def test_a_query_without_a_text_is_a_warning() -> None:
    """One row of each query should have its text; the queries are listed by code point."""
    rows = [Judgment(q, "d", 1, chunk_id=q) for q in ("b", "a", "B")] + [_label("c")]
    assert [
        Issue("warning", "missing-query-text", f"query {q} has no query text on any row")
        for q in ("B", "a", "b")
    ] == list(validate(rows))


def test_zeros_alone_are_an_error() -> None:
    """Without anything to find there is no recall."""
    message = "no judgment has relevance >= 1, so recall is undefined for every query"
    assert (Issue("error", "no-positives", message),) == validate([_label(relevance=0)])


@pytest.mark.parametrize(
    ("origins", "warned"),
    [
        (["synthetic:x", "synthetic:y"], True),
        (["synthetic:x", "gpt"], True),
        (["synthetic:x", "human:ana"], False),
        (["human:ana"], False),
        (["gpt"], False),
    ],
)
def test_synthetic_labels_alone_are_a_warning(origins: list[str], *, warned: bool) -> None:
    """One label by a person, or none that says it is synthetic, is no warning."""
    rows = [_label(doc_uri=str(row), labeled_by=by) for row, by in enumerate(origins)]
    assert (["no-human-labels"] if warned else []) == _codes(*rows)


def test_labels_without_provenance_are_no_warning() -> None:
    """Nothing is said of what is not recorded."""
    assert [] == _codes(_label(), _label("p"))


def test_several_fingerprints_are_a_warning() -> None:
    """Labels of two snapshots have to be compared with the live one first."""
    rows = [_label(doc_uri=f, corpus_fingerprint=f) for f in ("f", "g", "h")] + [_label()]
    message = "judgments span 3 corpus fingerprints; run 'drift' before trusting any metric"
    assert (Issue("warning", "mixed-fingerprints", message),) == validate(rows)


def test_a_stratum_of_fewer_than_five_queries_is_a_warning() -> None:
    """Few labels are named as published, few queries with more labels as such; by code point."""
    rows = [_label(f"five-{row}", stratum="five") for row in range(5)]
    rows += [_label(f"four-{row}", stratum="four") for row in range(4)]
    rows += [_label("one", stratum="One")]
    rows += [_label("many", doc_uri=str(row), stratum="many") for row in range(5)]
    assert [
        Issue("warning", "thin-stratum", f"stratum '{name}' has only {n}, too few to gate on")
        for name, n in (("One", "1 labels"), ("four", "4 labels"), ("many", "1 queries"))
    ] == list(validate(rows))


@pytest.mark.parametrize("name", ["", "_unstratified"])
def test_no_stratum_is_not_thin(name: str) -> None:
    """The queries without a class are none, under whatever name they stand."""
    assert () == validate([_label(stratum=name)])


def test_labels_of_chunks_and_of_documents_together_are_a_warning() -> None:
    """Rankings can name only one of them."""
    rows = [_label(), _label("p"), Judgment("r", "d", 1, query="x")]
    message = "2/3 labels have chunk_id; the rest are document-level"
    assert (Issue("warning", "mixed-granularity", message),) == validate(rows)


def test_a_hash_of_another_text_is_a_warning() -> None:
    """Which of the two was judged is for a person to say; a malformed hash is an error already."""
    text = "Refunds take 30 days."
    sound = _label(chunk_text=text, text_sha=text_sha(text))
    wrong = _label("p", chunk_text=text, text_sha=text_sha("Refunds take 14 days."))
    message = "1 labels have a text_sha that is not that of their chunk_text, the first on query p"
    assert (Issue("warning", "text-sha-mismatch", message),) == validate([sound, wrong])
    assert ["bad-text-sha"] == _codes(_label(chunk_text=text, text_sha="t1:XYZ"))


def test_labels_of_documents_alone_are_a_warning() -> None:
    """Drift cannot look below a document."""
    message = (
        "no label has a chunk_id, so drift can only work at document granularity."
        " See spec/chunk-id.md"
    )
    issues = validate([Judgment("q", "d", 1, query="x")])
    assert (Issue("warning", "no-chunk-ids", message),) == issues


def test_rows_come_first_and_sets_after() -> None:
    """Row issues in file order, within a row in the order of the checks; then those of the set."""
    bad = Judgment(
        "q",
        "d",
        0,
        query="B",
        chunk_id="c1:X",
        text_sha="y",
        stratum="t",
        labeled_by="synthetic:x",
        corpus_fingerprint="g",
    )
    first = Judgment("q", "d", 0, query="A", stratum="s", chunk_id="c1:X", corpus_fingerprint="f")
    assert [
        "bad-chunk-id",
        "duplicate-label",
        "inconsistent-query-text",
        "bad-chunk-id",
        "bad-text-sha",
        "inconsistent-stratum",
        "missing-query-text",
        "no-positives",
        "no-human-labels",
        "mixed-fingerprints",
        "thin-stratum",
        "thin-stratum",
        "mixed-granularity",
    ] == _codes(first, bad, Judgment("p", "d", 0))


def test_two_passages_of_one_document_are_two_labels() -> None:
    """Before they have a chunk their key is the document; the same passage twice is a repeat."""
    first = Judgment("q", "d", 1, query="a", chunk_text="five days")
    second = Judgment("q", "d", 0, query="a", chunk_text="fifteen days")
    assert "duplicate-label" not in _codes(first, second)
    assert "duplicate-label" in _codes(first, second, first)


def test_an_absorbed_label_is_looked_at_too() -> None:
    """Its id, its hash and what it says of its query are those of a label."""
    guest = Judgment("q", "d", 1, query="b", chunk_id="c1:zz", text_sha="t1:zz")
    anchor = Anchor(None, None, None, absorbed=(Absorbed(1, guest),))
    host = Judgment("q", "d", 2, query="a", chunk_id="c", anchor=anchor)
    assert ["inconsistent-query-text", "bad-chunk-id", "bad-text-sha"] == _codes(host)[:3]
