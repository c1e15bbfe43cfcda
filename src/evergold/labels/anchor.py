"""Spans and evidence for labels that have none, where it is beyond doubt: `spec/anchors.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evergold.formats.questions import Question
from evergold.labels.absorb import regroup, separate
from evergold.labels.drift import CorpusIndex
from evergold.labels.place import Present, counted_evidence
from evergold.labels.reanchor import is_of_document, live_chunk
from evergold.model import Anchor, Document, Evidence, Judgment, Snapshot

BY_QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Anchored:
    """Labels with their spans, and what each separated label got.

    `spans` counts what showed the place: `recorded` (it had a span), `chunk_id`, `text`, `folded`,
    `text_sha`, `document` (a judgment of a whole document, which needs none); `without` the reasons
    of labels that have none. `evidence` counts positive labels by where their evidence is from:
    `person`, `question`, or `judged text`, where the whole of it stands for it.
    """

    judgments: tuple[Judgment, ...]
    spans: Mapping[str, int]
    without: Mapping[str, int]
    evidence: Mapping[str, int]


def anchor(
    judgments: Sequence[Judgment],
    documents: Iterable[Document],
    corpus: Snapshot | None = None,
    questions: Iterable[Question] = (),
) -> Anchored:
    """Return `judgments` with a span for each label whose place in its document can be shown.

    `corpus` helps where labels name chunks that are live. The snippets of a question become
    evidence of its positive labels that have none, where they stand once in the judged text:
    those of one slot are alternatives, of several slots all are needed. Nothing else changes.
    """
    index = CorpusIndex(corpus or Snapshot(None, None, ()))
    texts = {document.doc_uri: document for document in documents}
    asked = {question.id: question for question in questions}
    present: dict[str, Present] = {}
    spans: Counter[str] = Counter()
    without: Counter[str] = Counter()
    evidence: Counter[str] = Counter()
    anchored = []
    for old in separate(judgments):
        label, document = old, texts.get(old.doc_uri)
        if document is not None and document.doc_uri not in present:
            present[document.doc_uri] = Present(document)
        here = present.get(old.doc_uri)
        if label.anchor is not None and label.anchor.span is not None:
            spans["recorded"] += 1
        elif is_of_document(label):
            spans["document"] += 1
        elif here is None:
            without["NO_DOCUMENT"] += 1
        else:
            live = live_chunk(label, index)
            same_text = index.by_sha.get(label.text_sha or "", ())
            same_text = [chunk for chunk in same_text if chunk.doc_uri == label.doc_uri]
            found = here.placed(label, live, same_text, None)
            place = here.first_place(label, live, same_text)
            if found.label is None or place is None:
                without[found.reason or "NO_PLACE"] += 1
            else:
                label = found.label
                spans[place[1]] += 1
        if here is not None and label.query_id in asked:
            label = _with_snippets(label, here, asked[label.query_id])
        if label.relevance:
            evidence[_source(label)] += 1
        anchored.append(label)
    return Anchored(regroup(judgments, anchored), spans, without, evidence)


def _with_snippets(label: Judgment, present: Present, question: Question) -> Judgment:
    where = label.anchor
    if not label.relevance or where is None or where.span is None or where.evidence:
        return label
    if where.doc_sha != present.sha:
        return label
    found: dict[int, list[Evidence]] = {}
    for slot, snippets in enumerate(question.gold_snippets):
        if label.need is None or label.need == str(slot):
            items = [present.quoted(snippet, where.span) for snippet in snippets]
            found[slot] = [item for item in items if item is not None]
    slots = [items for items in found.values() if items]
    if not slots:
        return label
    # Of several slots one snippet each is needed: the first that stands there.
    quotes = slots[0] if len(slots) == 1 else [items[0] for items in slots]
    quotes = sorted({item.span: item for item in quotes}.values(), key=lambda item: item.span)
    return replace(label, anchor=_with_evidence(where, quotes, needs_all=len(slots) > 1))


def _with_evidence(where: Anchor, quotes: Sequence[Evidence], *, needs_all: bool) -> Anchor:
    rule = "all" if needs_all else "any"
    return replace(where, evidence=tuple(quotes), evidence_rule=rule, by=BY_QUESTIONS)  # type: ignore[arg-type]


def _source(label: Judgment) -> str:
    if label.anchor is None or not counted_evidence(label.anchor):
        return "judged text"
    return "question" if label.anchor.by == BY_QUESTIONS else "person"
