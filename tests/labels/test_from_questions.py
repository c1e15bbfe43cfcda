"""Labels from question lists: only a snippet with one place becomes one."""

from __future__ import annotations

from evergold.formats.questions import Question
from evergold.identity import text_sha
from evergold.labels.from_questions import (
    labels_of_questions,
    queries_of_questions,
    questions_of_labels,
)
from evergold.model import Document, Judgment, Query
from tests.labels.handbook import document, label

DOCUMENTS = (
    Document("a", "v", "Leave is 30 days. Days off: 15 days."),
    Document("b", "v", "Caf\u00e9 hours: see above. See above."),
)


def _label(doc_uri: str, text: str, need: str) -> Judgment:
    sha = text_sha(text)
    return Judgment("q", doc_uri, 1, "how?", text_sha=sha, chunk_text=text, need=need)


def test_a_snippet_with_one_place_is_a_label() -> None:
    """Variants of a slot share its need, counted from 0; composition of letters is no matter."""
    question = Question("q", "how?", (("30 days", "Cafe\u0301 hours"), (" 15 days\r\n",)))
    expected = (
        _label("a", "30 days", "0"),
        _label("b", "Caf\u00e9 hours", "0"),
        _label("a", "15 days", "1"),
    )
    assert (expected, ()) == labels_of_questions([question], DOCUMENTS)


def test_other_snippets_are_named() -> None:
    """What stands nowhere, in two documents, twice in one, or only inside a word is no label."""
    slots = (("fifty",), ("above",), ("5 days",), (".",))
    twice = (*DOCUMENTS, Document("c", "v", "fifty"), Document("d", "v", "fifty"))
    labels, lines = labels_of_questions([Question("q", "how?", slots)], twice)
    assert () == labels
    assert (
        "question q, slot 0: 'fifty' stands in several places",
        "question q, slot 1: 'above' stands in several places",
        "question q, slot 2: '5 days' stands in no document",
        "question q, slot 3: '.' stands in several places",
    ) == lines


def test_one_snippet_in_two_slots_is_one_label() -> None:
    """Two rows of one query and text would be a set that cannot be used."""
    question = Question("q", "how?", (("30 days",), ("30 days",)))
    labels, lines = labels_of_questions([question], DOCUMENTS)
    assert (_label("a", "30 days", "0"),) == labels
    assert ("question q, slot 1: '30 days' is the snippet of an earlier slot",) == lines


def test_a_question_becomes_a_query() -> None:
    """What it has beside its snippets is kept."""
    questions = (
        Question("q", "how?", (("x",),), "30", ("faq",), reviewed=False, extra={"owner": "ana"}),
        Question("p", "why?"),
    )
    extra = {"gold_answer": "30", "tags": ["faq"], "reviewed": False, "owner": "ana"}
    assert (Query("q", "how?", extra=extra), Query("p", "why?")) == queries_of_questions(questions)


def test_evidence_is_the_snippet_of_a_label() -> None:
    """Alternatives are variants of one slot, quotes that are all needed are slots of their own."""
    text = "Annual plans are refunded within 30 days. Prices exclude shipping."
    source = document(text)
    rows = [
        label(source, (0, 66), 2, evidence=[(26, 40), (42, 65)], query_id="any"),
        label(source, (0, 66), 2, evidence=[(26, 40), (42, 65)], query_id="all", rule="all"),
        label(source, (0, 41), 1, query_id="whole"),
    ]
    queries = [Query(name, "asked") for name in ("any", "all", "whole", "none")]
    questions, left_out = questions_of_labels(rows, queries)
    assert () == left_out
    quotes = ("within 30 days", "Prices exclude shipping")
    assert [(quotes,), ((quotes[0],), (quotes[1],)), ((text[:41],),), ()] == [
        question.gold_snippets for question in questions
    ]
