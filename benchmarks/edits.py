"""How many labels survive edits of their documents, and whether any ends in a wrong place.

    python benchmarks/edits.py data/corpus --labels 20000 --seeds 1 2 3

Documents are taken apart into sentences and edited by chance: sentences deleted, inserted,
changed in a word, a number or by a negation, copied verbatim to another place, blocks moved,
lines broken anew, quotes and dashes in other shapes, words broken at line ends, emphasis added,
documents renamed. Where each sentence went is known, so every answer can be checked: an
automatic one is wrong if its span is any other than the span of the very sentence judged. A
label can be recovered if its sentence stands with the same words (but for what folding makes
equal) and the sentence before it or after it does, too, still next to it.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rechunk import label_of

from evergold.identity import normalize, text_sha
from evergold.labels.reanchor import reanchor
from evergold.labels.rules import RESOLVED
from evergold.model import Chunk, Document, Judgment, Snapshot, Span
from evergold.pipeline.ingest import ingest

# The share of sentences that each edit befalls.
DELETED, WORD, NUMBER, NEGATED, INSERTED = 0.03, 0.03, 0.02, 0.005, 0.03
REFLOWED, SHAPES, HYPHENATED, EMPHASIZED, COPIED = 0.05, 0.03, 0.02, 0.02, 0.05
MOVED_BLOCKS, RENAMED = 0.7, 0.1  # for each document
_UNIT = re.compile(r"\S(?:(?!\n\s*\n|\n\s*(?:[-*+|#]|\d+\.)\s|(?<=[.!?])\s).)*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]{4,}")
_SHAPES = str.maketrans({"'": "\u2019", '"': "\u201d", "-": "\u2013"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence with the white space behind it; `origin` is its place among the old ones, -1 for a new one."""

    text: str
    gap: str
    origin: int = -1
    intact: bool = True


@dataclass(frozen=True, slots=True)
class Edited:
    """A document before and after; `places` has the new span of each intact old sentence."""

    old: Document
    new: Document
    spans: tuple[Span, ...]
    places: dict[int, Span]
    recoverable: frozenset[int]


def main() -> None:
    """Print, for each seed, what became of the labels with the old text at hand and without."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a folder of documents")
    parser.add_argument("--labels", type=int, default=20_000, help="labels for each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="seeds of the edits")
    parser.add_argument("--show", type=int, default=0, help="print so many labels not recovered")
    arguments = parser.parse_args()
    documents = [d for d in ingest(arguments.folder, "")[0] if len(d.text) > 400]
    size = sum(len(document.text) for document in documents) / 1e6
    print(f"{len(documents)} documents, {size:.2f} million code points\n")
    print(
        "| seed | old text | labels | recoverable | followed of these | of all | wrong | rules | labels/s | MB/s |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---|---:|---:|")
    for seed in arguments.seeds:
        choice = random.Random(seed)
        edited = [edit(document, documents, choice) for document in documents]
        labels, origins = sample(edited, arguments.labels, choice)
        for known in (True, False):
            _report(seed, edited, labels, origins, known=known, show=arguments.show)


def _report(
    seed: int,
    edited: Sequence[Edited],
    labels: Sequence[Judgment],
    origins: Sequence[tuple[int, int]],
    *,
    known: bool,
    show: int,
) -> None:
    chunks = tuple(
        Chunk(
            f"c{n}",
            e.new.doc_uri,
            e.new.doc_revision,
            0,
            e.new.text,
            text_sha(e.new.text),
            0,
            len(e.new.text),
        )
        for n, e in enumerate(edited)
    )
    previous = [e.old for e in edited] if known else []
    started = time.perf_counter()
    result = reanchor(
        labels, Snapshot("live", "one", chunks), [e.new for e in edited], previous=previous
    )
    seconds = time.perf_counter() - started
    rules = Counter(r.reason or r.rule for r in result.resolutions)
    found: Counter[str] = Counter()
    after = {label.query_id: label for label in result.judgments}
    for label, (number, origin), resolution in zip(
        labels, origins, result.resolutions, strict=True
    ):
        truth = edited[number].places.get(origin)
        possible = origin in edited[number].recoverable
        found["possible"] += possible
        if resolution.rule not in RESOLVED:
            if possible and show and found["missed"] < show:
                quote = label.anchor.evidence[0] if label.anchor else None
                print("MISSED", resolution.reason, quote)
            found["missed"] += possible
            continue
        anchor = after[label.query_id].anchor
        place = anchor.evidence[0].span if anchor else None
        right = (
            truth is not None
            and place == truth
            and after[label.query_id].doc_uri == edited[number].new.doc_uri
        )
        found["right" if right else "wrong"] += 1
        found["recovered"] += right and possible
        if not right:
            print("WRONG", resolution.rule, label.anchor, "truth", truth, "found", place)
    size = sum(len(e.old.text) + len(e.new.text) for e in edited) / 2e6
    print(
        f"| {seed} | {'yes' if known else 'no'} | {len(labels):,} | {found['possible']:,} |"
        f" {found['recovered'] / found['possible']:.2%} | {found['right'] / len(labels):.2%} |"
        f" {found['wrong']} | {dict(rules.most_common())} | {len(labels) / seconds:,.0f} |"
        f" {size / seconds:.2f} |"
    )


def edit(document: Document, others: Sequence[Document], choice: random.Random) -> Edited:
    """Return a document with edits whose truth is known."""
    text = document.text
    spans = [match.span() for match in _UNIT.finditer(text)]
    ends = [start for start, _ in spans[1:]] + [len(text)]
    units = [
        Unit(text[start:end], text[end:following], origin)
        for origin, ((start, end), following) in enumerate(zip(spans, ends, strict=True))
    ]
    kept: list[Unit] = []
    for unit in units:
        if choice.random() < DELETED:
            continue
        kept.append(_changed(unit, choice))
        if choice.random() < INSERTED:
            kept.append(Unit(_foreign(others, choice), " "))
    for _ in range(int(choice.random() < MOVED_BLOCKS)):
        kept = _with_block_moved(kept, choice)
    for unit in choice.sample(units, int(len(units) * COPIED)):
        place = choice.randrange(len(kept) + 1)
        near = {other.origin for other in kept[max(0, place - 1) : place + 1]}
        # Beside what stood around it, a copy would be the sentence at its old place.
        if near.isdisjoint(unit.origin + step for step in (-1, 0, 1)):
            kept.insert(place, replace(unit, origin=-1))
    written = "".join(unit.text + unit.gap for unit in kept)
    text = normalize(written)
    lead = len(written) - len(written.lstrip())
    places, start = {}, -lead
    for unit in kept:
        if unit.origin >= 0 and unit.intact:
            places[unit.origin] = (start, start + len(unit.text))
        start += len(unit.text) + len(unit.gap)
    neighbours = {
        one.origin: other.origin
        for one, other in pairwise(kept)
        if one.intact and other.intact and min(one.origin, other.origin) >= 0
    }
    recoverable = {
        origin
        for origin in places
        if neighbours.get(origin) == origin + 1 or neighbours.get(origin - 1) == origin
    }
    uri = document.doc_uri if choice.random() > RENAMED else f"renamed/{document.doc_uri}"
    new = Document(uri, text_sha(text), text)
    return Edited(document, new, tuple(spans), places, frozenset(recoverable))


def _changed(unit: Unit, choice: random.Random) -> Unit:
    text, gap = unit.text, unit.gap
    if choice.random() < WORD and (words := list(_WORD.finditer(text))):
        word = choice.choice(words)
        text = text[: word.start()] + word[0][::-1] + text[word.end() :]
    if choice.random() < NUMBER and (digits := list(re.finditer(r"\d", text))):
        digit = choice.choice(digits)
        text = text[: digit.start()] + str((int(digit[0]) + 3) % 10) + text[digit.end() :]
    if choice.random() < NEGATED:
        text = "It is no longer true that: " + text
    intact = text == unit.text
    if choice.random() < REFLOWED:
        text = re.sub(r"(?<=\w) (?=\w)", lambda _: choice.choice(["\n", " ", "  "]), text)
    if choice.random() < SHAPES:
        text = text.translate(_SHAPES)
    if choice.random() < HYPHENATED and (
        words := list(re.finditer(r"(?<!\S)[a-z]{7,}(?!\S)", text))
    ):
        word = choice.choice(words)
        text = text[: word.start() + 3] + "-\n" + text[word.start() + 3 :]
    if choice.random() < EMPHASIZED and (
        words := list(re.finditer(r"(?<!\S)[a-z]{4,}(?!\S)", text))
    ):
        word = choice.choice(words)
        text = f"{text[: word.start()]}**{word[0]}**{text[word.end() :]}"
    return replace(unit, text=text, gap=gap, intact=intact)


def _foreign(others: Sequence[Document], choice: random.Random) -> str:
    text = choice.choice(others).text
    units = [match[0] for match in _UNIT.finditer(text)]
    words = choice.choice(units).split()
    choice.shuffle(words)
    return " ".join(words) + "."


def _with_block_moved(units: list[Unit], choice: random.Random) -> list[Unit]:
    length = choice.randint(1, 6)
    if len(units) <= length + 2:
        return units
    start = choice.randrange(len(units) - length)
    block = units[start : start + length]
    rest = units[:start] + units[start + length :]
    place = choice.randrange(len(rest) + 1)
    return [*rest[:place], *block, *rest[place:]]


def sample(
    edited: Sequence[Edited], count: int, choice: random.Random
) -> tuple[list[Judgment], list[tuple[int, int]]]:
    """Return labels of one sentence each, judged in a passage of some ten sentences."""
    wanted = [
        (number, origin)
        for number, document in enumerate(edited)
        for origin, (start, end) in enumerate(document.spans)
        if end - start >= 20
    ]
    chosen = [choice.choice(wanted) for _ in range(count)]
    labels = []
    for row, (number, origin) in enumerate(chosen):
        old, spans = edited[number].old, edited[number].spans
        first = max(0, origin - choice.randrange(10))
        last = min(len(spans) - 1, first + 9)
        passage = (spans[first][0], spans[max(last, origin)][1])
        labels.append(label_of(f"q{row}", old, f"then{row}", passage, spans[origin]))
    return labels, chosen


if __name__ == "__main__":
    main()
