"""Labels from question lists: a gold snippet that stands in one place is a judged text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evergold.formats.questions import Question
from evergold.identity import normalize, text_sha
from evergold.labels.place import counted_evidence
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


def questions_of_labels(
    labels: Iterable[Judgment], queries: Iterable[Query]
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """Return the question list of labels and their queries, and a line on each label left out.

    The evidence of a positive label, else its judged text, is a snippet; labels of one need are the
    variants of one slot. A zero has no snippet, nor has a label without text.
    """
    slots: dict[str, dict[str, dict[str, None]]] = {}
    left_out = []
    for row, label in enumerate(labels):
        quotes = [item.exact for item in counted_evidence(label.anchor) if item.exact is not None]
        texts = quotes or ([label.chunk_text] if label.chunk_text else [])
        if not label.relevance or not texts:
            why = "has no text" if label.relevance else "is a zero"
            left_out.append(f"label {row + 1}, query {label.query_id}: {why}")
            continue
        if label.anchor is not None and quotes and label.anchor.evidence_rule == "all":
            needs = [f"label {row} quote {place}" for place in range(len(texts))]
        else:
            needs = [f"need {label.need}" if label.need is not None else f"label {row}"] * len(
                texts
            )
        for need, text in zip(needs, texts, strict=True):
            slots.setdefault(label.query_id, {}).setdefault(need, {})[text] = None
    questions = []
    for query in queries:
        extra = dict(query.extra)
        known = {name: extra.pop(name, None) for name in ("gold_answer", "tags", "reviewed")}
        snippets = tuple(tuple(slot) for slot in slots.get(query.query_id, {}).values())
        questions.append(
            Question(
                query.query_id,
                query.query,
                snippets,
                gold_answer=known["gold_answer"],
                tags=tuple(known["tags"] or ()),
                reviewed=known["reviewed"] is not False,
                extra=extra,
            )
        )
    return tuple(questions), tuple(left_out)


def _query(question: Question) -> Query:
    extra = {
        "gold_answer": question.gold_answer,
        "tags": list(question.tags) or None,
        "reviewed": None if question.reviewed else False,
    }
    known = {name: value for name, value in extra.items() if value is not None}
    return Query(question.id, question.query, extra={**known, **question.extra})
