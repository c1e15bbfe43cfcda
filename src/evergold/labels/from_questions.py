"""Labels from question lists: a gold snippet that stands in one place is a judged text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evergold.formats.questions import Question
from evergold.identity import normalize, text_sha
from evergold.labels.spans import places_of
from evergold.model import Document, Judgment, Query


def labels_of_questions(
    questions: Iterable[Question], documents: Sequence[Document]
) -> tuple[tuple[Judgment, ...], tuple[str, ...]]:
    """Return the labels that question lists prove, and a line on each snippet that proves none.

    A snippet that stands verbatim in one place of one document becomes a label of relevance 1 on
    that document, with the snippet as `chunk_text`. The labels of one slot are alternatives: their
    `need` is the index of the slot, from 0. A snippet that stands nowhere, or in several places,
    is named in a line.
    """
    labels: dict[tuple[str, str, str], Judgment] = {}
    unplaced = []
    for question in questions:
        for index, slot in enumerate(question.gold_snippets):
            for snippet in slot:
                text = normalize(snippet)
                places = [d.doc_uri for d in documents for _ in places_of(d.text, text, 2)]
                if len(places) != 1:
                    where = "stands in several places" if places else "stands in no document"
                    unplaced.append(f"question {question.id}, slot {index}: {text!r:.60} {where}")
                    continue
                label = Judgment(
                    query_id=question.id,
                    doc_uri=places[0],
                    relevance=1,
                    query=question.query,
                    text_sha=text_sha(text),
                    chunk_text=text,
                    need=str(index),
                )
                if labels.setdefault((question.id, places[0], text), label) is not label:
                    unplaced.append(
                        f"question {question.id}, slot {index}: {text!r:.60} is the snippet of an earlier slot"
                    )
    return tuple(labels.values()), tuple(unplaced)


def queries_of_questions(questions: Iterable[Question]) -> tuple[Query, ...]:
    """Return the queries of question lists; the rest of a question but its snippets is kept."""
    return tuple([_query(question) for question in questions])


def _query(question: Question) -> Query:
    extra = {
        "gold_answer": question.gold_answer,
        "tags": list(question.tags) or None,
        "reviewed": None if question.reviewed else False,
    }
    known = {name: value for name, value in extra.items() if value is not None}
    return Query(question.id, question.query, extra={**known, **question.extra})
