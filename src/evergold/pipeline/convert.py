"""Conversions: the text of a file in another form, with what that form cannot carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evergold.formats.beir import (
    read_beir_documents,
    read_beir_qrels,
    read_beir_queries,
    untitled,
    write_beir,
)
from evergold.formats.corpus import read_snapshot, snapshot_object, snapshot_rows
from evergold.formats.documents import document_to_json, read_documents
from evergold.formats.jsonl import rows_to_text
from evergold.formats.judgments import judgment_to_json, read_judgments
from evergold.formats.qrels import Qrels, read_consistent_qrels, to_qrels
from evergold.formats.queries import query_to_json, read_queries
from evergold.formats.questions import Question, Questions, read_questions, to_questions
from evergold.formats.runs import read_run, to_run
from evergold.formats.trec_run import to_trec_run
from evergold.identity import unicode_twins
from evergold.labels.absorb import separate
from evergold.labels.from_questions import (
    labels_of_questions,
    queries_of_questions,
    questions_of_labels,
)
from evergold.model import Judgment, Ranking

Paths = Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is not read from a file: the split of a BEIR folder, and stamps on labels."""

    split: str = "test"
    as_chunk_ids: bool = False
    labeled_by: str | None = None
    corpus_fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """The text of the output, a line on each thing that a reader must know.

    `text` is None where a folder was written. `whole` is false where a part of the input has no
    place in the output.
    """

    text: str | None
    notes: Sequence[str] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Way:
    """A conversion, with the names of the inputs that it needs and of the settings it takes."""

    needs: tuple[str, ...]
    convert: Callable[[Paths, Settings], Converted]
    takes: tuple[str, ...] = ()


def _qrels(paths: Paths, _settings: Settings) -> Converted:
    labels = separate(read_judgments(paths["judgments"]))
    targets = [(label.query_id, label.key) for label in labels]
    notes = [*_left_out(labels, "qrels"), *_twins(label.key for label in labels)]
    if len(set(targets)) < len(targets):
        repeated = _counted(len(targets) - len(set(targets)), "row")
        notes.append(f"{repeated} of qrels with query and key of an earlier one")
    return Converted(to_qrels(labels), notes)


def _trec_run(paths: Paths, _settings: Settings) -> Converted:
    run = read_run(paths["run"])
    empty = [ranking.query_id for ranking in run if not ranking.keys]
    once = [Ranking(r.query_id, tuple(dict.fromkeys(r.keys))) for r in run if r.keys]
    repeated = sum(len(ranking.keys) for ranking in run) - sum(len(r.keys) for r in once)
    notes = [*_tied(run)]
    if empty:
        notes.append(f"not in a TREC run: {_named('query', empty)} without results")
    if repeated:
        notes.append(f"{_counted(repeated, 'key')} left out that the query has already")
    return Converted(to_trec_run(once), notes)


def _run(paths: Paths, _settings: Settings) -> Converted:
    run = read_run(paths["run"])
    return Converted(to_run(run), [*_tied(run)])


def _labels_of_qrels(paths: Paths, settings: Settings) -> Converted:
    qrels = read_consistent_qrels(paths["qrels"], as_chunk_ids=settings.as_chunk_ids)
    return _labels(qrels.judgments, settings, _about(qrels))


def _labels_of_beir(paths: Paths, settings: Settings) -> Converted:
    qrels = read_beir_qrels(paths["beir"], settings.split)
    texts = {query.query_id: query.query for query in read_beir_queries(paths["beir"])}
    unknown = [label.query_id for label in qrels.judgments if label.query_id not in texts]
    notes = _about(qrels)
    if unknown:
        notes.append(f"not among the queries: {_named('query', dict.fromkeys(unknown))}")
    labels = [replace(label, query=texts.get(label.query_id)) for label in qrels.judgments]
    return _labels(labels, settings, notes)


def _labels_of_questions(paths: Paths, settings: Settings) -> Converted:
    questions = read_questions(paths["questions"]).questions
    labels, unplaced = labels_of_questions(questions, read_documents(paths["documents"]))
    converted = _labels(labels, settings, [*unplaced, *_unreviewed(questions)])
    return replace(converted, whole=not unplaced)


def _queries_of_questions(paths: Paths, _settings: Settings) -> Converted:
    questions = read_questions(paths["questions"]).questions
    rows = map(query_to_json, queries_of_questions(questions))
    return Converted(rows_to_text(rows), ["not in queries: gold_snippets"])


def _questions(paths: Paths, _settings: Settings) -> Converted:
    return Converted(to_questions(read_questions(paths["questions"])))


def _questions_of_labels(paths: Paths, _settings: Settings) -> Converted:
    labels, queries = separate(read_judgments(paths["judgments"])), read_queries(paths["queries"])
    questions, left_out = questions_of_labels(labels, queries)
    asked = {query.query_id for query in queries}
    unknown = dict.fromkeys(j.query_id for j in labels if j.query_id not in asked)
    notes = ["not in questions: where a snippet stands, its grade, and who judged it"]
    if unknown:
        notes.append(f"not among the queries: {_named('query', unknown)}")
    properties = [
        name
        for name in ("stratum", "split", "language", "answerable")
        if any(getattr(query, name) is not None for query in queries)
    ]
    if properties:
        notes.append(f"not in questions: {', '.join(properties)} of queries")
    text = to_questions(Questions(questions))
    return Converted(text, [*notes, *left_out], whole=not left_out and not unknown)


def _queries_of_beir(paths: Paths, _settings: Settings) -> Converted:
    return Converted(rows_to_text(map(query_to_json, read_beir_queries(paths["beir"]))))


def _documents_of_beir(paths: Paths, _settings: Settings) -> Converted:
    return Converted(rows_to_text(map(document_to_json, read_beir_documents(paths["beir"]))))


def _corpus(paths: Paths, _settings: Settings) -> Converted:
    return Converted(snapshot_object(read_snapshot(paths["corpus"])))


def _snapshot(paths: Paths, _settings: Settings) -> Converted:
    return Converted(rows_to_text(snapshot_rows(read_snapshot(paths["corpus"]))))


def _beir(paths: Paths, settings: Settings) -> Converted:
    labels = separate(read_judgments(paths["judgments"]))
    documents, queries = read_documents(paths["documents"]), read_queries(paths["queries"])
    notes = _left_out(labels, "BEIR")
    titles = untitled(documents)
    if titles:
        named = _named("document", titles)
        notes.append(f"not in BEIR: the title of {named}, whose text does not begin with it")
    write_beir(paths["out"], documents, queries, labels, settings.split)
    return Converted(None, notes)


_STAMPS = ("labeled_by", "corpus_fingerprint")
# The published forms first, in the published order.
WAYS: Mapping[str, tuple[Way, ...]] = {
    "qrels": (Way(("judgments",), _qrels),),
    "trec-run": (Way(("run",), _trec_run),),
    "judgments": (
        Way(("qrels",), _labels_of_qrels, ("as_chunk_ids", *_STAMPS)),
        Way(("beir",), _labels_of_beir, ("split", *_STAMPS)),
        Way(("questions", "documents"), _labels_of_questions, _STAMPS),
    ),
    "run": (Way(("run",), _run),),
    "corpus": (Way(("corpus",), _corpus),),
    "snapshot": (Way(("corpus",), _snapshot),),
    "documents": (Way(("beir",), _documents_of_beir),),
    "queries": (Way(("beir",), _queries_of_beir), Way(("questions",), _queries_of_questions)),
    "questions": (
        Way(("judgments", "queries"), _questions_of_labels),
        Way(("questions",), _questions),
    ),
    "beir": (Way(("judgments", "queries", "documents", "out"), _beir, ("split",)),),
}


def _labels(labels: Iterable[Judgment], settings: Settings, notes: Iterable[str]) -> Converted:
    stamped = [
        replace(
            label,
            labeled_by=settings.labeled_by,
            corpus_fingerprint=settings.corpus_fingerprint,
        )
        for label in labels
    ]
    twins = _twins(label.key for label in stamped)
    return Converted(rows_to_text(map(judgment_to_json, stamped)), [*notes, *twins])


def _about(qrels: Qrels) -> list[str]:
    notes = []
    if qrels.negative:
        notes.append(f"{_counted(qrels.negative, 'negative grade')} became 0")
    if qrels.repeated:
        notes.append(f"{_counted(qrels.repeated, 'row')} left out that an earlier one says already")
    return notes


def _left_out(labels: Iterable[Judgment], form: str) -> list[str]:
    """Return a note on the fields of labels that a table of query, key and grade has not."""
    names: dict[str, None] = {}
    for label in labels:
        carried = ("query_id", "relevance", "chunk_id" if label.chunk_id else "doc_uri")
        names.update({name: None for name in judgment_to_json(label) if name not in carried})
    return [f"not in {form}: {', '.join(names)}"] if names else []


def _tied(run: Iterable[Ranking]) -> list[str]:
    tied = [ranking.query_id for ranking in run if ranking.ties]
    order = "with equal scores, ordered by key, descending"
    return [f"{_named('query', tied)} {order}"] if tied else []


def _unreviewed(questions: Iterable[Question]) -> list[str]:
    waiting = [question.id for question in questions if not question.reviewed]
    return [f"not reviewed: {_named('question', waiting)}"] if waiting else []


def _twins(ids: Iterable[str]) -> list[str]:
    pairs = unicode_twins(ids)
    if not pairs:
        return []
    mine, twin = (ascii(value) for value in pairs[0])
    number = _counted(len(pairs), "id")
    return [f"{number} apart from others only by Unicode normalization, such as {mine} and {twin}"]


def _named(noun: str, names: Iterable[str]) -> str:
    """Return a number of things with the names of the first."""
    found = list(names)
    first = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
    return f"{_counted(len(found), noun)} ({first})"


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} queries" if noun == "query" else f"{number} {noun}s"
