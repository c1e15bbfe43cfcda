"""BEIR folders: what they hold comes in, and goes out again as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.beir import (
    read_beir_documents,
    read_beir_qrels,
    read_beir_queries,
    untitled,
    write_beir,
)
from evergold.identity import normalize, text_sha
from evergold.model import Document, Element, Judgment, Query

QUERIES = (Query("q1", "how long?"),)
DOCUMENTS = (Document("d1", text_sha("x"), "x"),)


def _folder(
    folder: Path,
    corpus: list[dict[str, Any]] | None = None,
    queries: list[dict[str, Any]] | None = None,
    qrels: str = "query-id\tcorpus-id\tscore\n",
) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for name, rows in (("corpus", corpus), ("queries", queries)):
        text = "".join(f"{json.dumps(row)}\n" for row in rows or ())
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_the_title_is_part_of_the_text(tmp_path: Path) -> None:
    """Title, blank line and text, as retrievers of BEIR see them; the revision is their hash."""
    folder = _folder(
        tmp_path / "beir",
        [
            {"_id": "d1", "title": " Leave\r", "text": "30 days.\r\n", "metadata": {"year": 1}},
            {"_id": "d2", "title": "", "text": "No title."},
            {"_id": "d3", "title": "Only a title", "text": ""},
            {"_id": "d4", "text": ""},
        ],
    )
    first = "Leave\n\n30 days."
    expected = (
        Document("d1", text_sha(first), first, "Leave", extra={"metadata": {"year": 1}}),
        Document("d2", text_sha("No title."), "No title."),
        Document("d3", text_sha("Only a title"), "Only a title", "Only a title"),
        Document("d4", text_sha(""), ""),
    )
    assert expected == read_beir_documents(folder)


def test_queries_and_grades_are_read(tmp_path: Path) -> None:
    """Ids may hold blanks; negative grades are counted."""
    folder = _folder(
        tmp_path / "beir",
        queries=[{"_id": "q 1", "text": "how long?", "metadata": {}}],
        qrels="query-id\tcorpus-id\tscore\nq 1\td 1\t2\nq 1\td 2\t-1\n",
    )
    assert (Query("q 1", "how long?", extra={"metadata": {}}),) == read_beir_queries(folder)
    qrels = read_beir_qrels(folder, "test")
    assert (Judgment("q 1", "d 1", 2), Judgment("q 1", "d 2", 0)) == qrels.judgments
    assert 1 == qrels.negative


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"title": "t", "text": "x"}, "corpus:2: missing _id"),
        ({"_id": 7, "text": "x"}, "corpus:2: missing _id"),
        ({"_id": "d1", "text": "x"}, "corpus:2: duplicate _id d1, already on line 1"),
        ({"_id": "d2"}, "corpus:2: document d2 has no text"),
        ({"_id": "d2", "text": "x", "title": 5}, "corpus:2: title must be a string, found 5"),
        (
            {"_id": "d2", "text": "x", "doc_uri": "other"},
            "corpus:2: field doc_uri stands where BEIR has another name for it",
        ),
    ],
)
def test_a_document_that_cannot_be_used_is_refused(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    """With the line of its file."""
    folder = _folder(tmp_path / "beir", [{"_id": "d1", "text": "x"}, row])
    with pytest.raises(InputError) as error:
        read_beir_documents(folder)
    assert message == str(error.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"_id": "q1"}, "queries:1: query q1 has no text"),
        (
            {"_id": "q1", "text": "x", "query": "y"},
            "queries:1: field query stands where BEIR has another name for it",
        ),
    ],
)
def test_a_query_that_cannot_be_used_is_refused(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    """With the line of its file."""
    folder = _folder(tmp_path / "beir", queries=[row])
    with pytest.raises(InputError) as error:
        read_beir_queries(folder)
    assert message == str(error.value)


def test_a_folder_is_written_as_its_loaders_want_it(tmp_path: Path) -> None:
    """Three files; what BEIR does not name stands behind what it does."""
    document = Document(
        "d1", "v2", "Leave\n\n30 days.", "Leave", elements=(Element("list", 7, 15),)
    )
    query = Query("q1", "how long?", stratum="legal", extra={"title": "t"})
    write_beir(tmp_path, [document], [query], [Judgment("q1", "d1", 2)], "dev")
    assert (
        '{"_id":"d1","title":"Leave","text":"30 days.","doc_revision":"v2",'
        '"elements":[{"kind":"list","span":[7,15]}]}\n'
    ) == (tmp_path / "corpus.jsonl").read_text(encoding="utf-8")
    assert ('{"_id":"q1","text":"how long?","stratum":"legal","title":"t"}\n') == (
        tmp_path / "queries.jsonl"
    ).read_text(encoding="utf-8")
    assert ("query-id\tcorpus-id\tscore\nq1\td1\t2\n") == (
        tmp_path / "qrels" / "dev.tsv"
    ).read_text(encoding="utf-8")
    assert (document,) == read_beir_documents(tmp_path)
    assert (query,) == read_beir_queries(tmp_path)


def test_a_title_outside_of_the_text_is_named(tmp_path: Path) -> None:
    """The text stays as it is, since labels point into it."""
    documents = (
        Document("d1", "v", "# Leave\n\n30 days.", "Leave"),
        Document("d2", "v", "Leave", "Leave"),
        Document("d3", "v", "text"),
        Document("d4", "v", "Leave \n\n30 days.", "Leave "),
    )
    assert ("d1", "d4") == untitled(documents)
    write_beir(tmp_path, documents, (), (), "test")
    texts = [document.text for document in read_beir_documents(tmp_path)]
    assert ["# Leave\n\n30 days.", "Leave", "text", "Leave \n\n30 days."] == texts


PART = "the label of query q1 in d1 is of a part of it, BEIR has whole documents"


@pytest.mark.parametrize(
    ("judgments", "message"),
    [
        ([Judgment("q1", "d1", 1, chunk_id="c")], PART),
        ([Judgment("q1", "d1", 1, chunk_text="x")], PART),
        ([Judgment("q2", "d1", 1)], "query q2 of a label is not among the queries"),
        ([Judgment("q1", "d2", 1)], "document d2 of a label is not among the documents"),
        ([Judgment("q1", "d1", 1), Judgment("q1", "d1", 0)], "two labels of query q1 in d1"),
    ],
)
def test_labels_that_a_folder_cannot_carry_are_refused(
    tmp_path: Path, judgments: list[Judgment], message: str
) -> None:
    """And nothing is written."""
    with pytest.raises(InputError) as error:
        write_beir(tmp_path / "out", DOCUMENTS, QUERIES, judgments, "test")
    assert message == str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_document_in_another_normalization_is_pointed_out(tmp_path: Path) -> None:
    """A name typed here and a name read from a disk look the same."""
    document = Document("cafe\u0301", "v", "x")
    with pytest.raises(InputError, match=r"not among the documents; 'cafe\\u0301' is, in another"):
        write_beir(tmp_path, [document], QUERIES, [Judgment("q1", "caf\u00e9", 1)], "test")


def test_other_documents_that_a_folder_cannot_carry_are_refused(tmp_path: Path) -> None:
    """Two revisions of one document, and a field that would hide an id."""
    with pytest.raises(InputError, match="BEIR holds one revision of each document"):
        write_beir(tmp_path, [*DOCUMENTS, Document("d1", "v2", "y")], (), (), "test")
    hidden = Document("d1", "v", "x", extra={"_id": "other"})
    with pytest.raises(InputError, match="field _id of d1 has another meaning in BEIR"):
        write_beir(tmp_path, [hidden], (), (), "test")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
IDS = st.text(st.characters(categories=["L", "N", "P", "S", "M", "Zs"]), min_size=1, max_size=4)
METADATA = st.dictionaries(st.just("metadata"), st.dictionaries(TEXTS, st.integers()), max_size=1)


@settings(deadline=None)
@given(
    st.dictionaries(IDS, st.tuples(TEXTS, TEXTS, METADATA), max_size=4),
    st.dictionaries(IDS, st.tuples(TEXTS.filter(str.strip), METADATA), max_size=4),
    st.data(),
)
def test_what_came_in_goes_out_and_comes_in_again(
    tmp_path_factory: pytest.TempPathFactory,
    corpus: dict[str, tuple[str, str, dict[str, Any]]],
    asked: dict[str, tuple[str, dict[str, Any]]],
    data: st.DataObject,
) -> None:
    """Texts in canonical form, and all else as it stands."""
    pairs = sorted((query_id, doc_uri) for query_id in asked for doc_uri in corpus)
    graded = data.draw(st.dictionaries(st.sampled_from(pairs), st.integers(0, 3))) if pairs else {}
    one = _folder(
        tmp_path_factory.mktemp("beir") / "one",
        [{"_id": k, "title": t, "text": x, **m} for k, (t, x, m) in corpus.items()],
        [{"_id": k, "text": x, **m} for k, (x, m) in asked.items()],
        "query-id\tcorpus-id\tscore\n"
        + "".join(f"{q}\t{d}\t{g}\n" for (q, d), g in graded.items()),
    )
    documents, queries = read_beir_documents(one), read_beir_queries(one)
    judgments = read_beir_qrels(one, "test").judgments
    two = one.with_name("two")
    write_beir(two, documents, queries, judgments, "test")
    assert () == untitled(documents)
    assert documents == read_beir_documents(two)
    assert queries == read_beir_queries(two)
    assert judgments == read_beir_qrels(two, "test").judgments
    rows = [json.loads(row) for row in (two / "corpus.jsonl").read_text("utf-8").split("\n")[:-1]]
    expected = [(k, normalize(t), normalize(x)) for k, (t, x, _) in corpus.items()]
    assert expected == [(row["_id"], row["title"], row["text"]) for row in rows]
