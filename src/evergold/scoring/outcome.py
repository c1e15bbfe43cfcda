"""What a ranking is worth for one query, before any metric: which needs it meets, and where.

A need is met by the first chunk that holds one of its labels. A chunk that holds only needs
already met is set aside: it gains nothing and takes no rank, so that chunks which overlap are
neither paid twice nor counted as misses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from evergold.labels.absorb import expand
from evergold.model import Judgment

Unit = Literal["chunk", "document"]

# No key of a ranking begins like this: keys have no control characters.
_NOWHERE = "\x00"


@dataclass(frozen=True, slots=True)
class Needs:
    """The needs of one query that anything can meet.

    `grades` has the best grade of each need; `held` says which needs each key meets, and with
    what grade. Judgments of grade 0 are in neither; `judged` has every key with a label. In
    `plain` needs each key is one need, and no other key meets it.
    """

    grades: tuple[int, ...]
    held: Mapping[str, tuple[tuple[int, int], ...]]
    judged: AbstractSet[str]
    plain: bool = False

    def relevant(self, threshold: int) -> int:
        """Return the number of needs with at least this grade."""
        return len([grade for grade in self.grades if grade >= threshold])


@dataclass(frozen=True, slots=True)
class Outcome:
    """A ranking cut to `k`, without repeats.

    `window` has its keys; `hits` has, for each rank of a hit, the grades of the needs newly met
    there, best rank first. What was set aside has no rank. `relevant` is the number of needs
    that there are to meet.
    """

    needs: Needs
    window: Sequence[str]
    hits: Mapping[int, tuple[int, ...]]
    k: int
    set_aside: int
    relevant: int


def needs_of(
    judgments: Iterable[Judgment],
    unplaced: Collection[tuple[str, str]] = (),
    unit: Unit = "chunk",
) -> Iterator[tuple[str, Needs]]:
    """Yield every judged query with its needs, in the order of the label file.

    Labels of one query with the same `need` are alternatives; a label without `need` is a need
    of its own. Of several of those with one key the last counts, as published. `unplaced` are the
    (query, key) pairs whose key is only where the label stood last: nothing meets those.

    With unit "document" the document holds what its labels hold, and its labels without `need`
    are one need, of the best of their grades.
    """
    rows: dict[str, list[Judgment]] = defaultdict(list)
    for judgment in judgments:
        rows[judgment.query_id].append(judgment)
    for query_id, of_query in rows.items():
        grades = None if unplaced or unit == "document" else _grades(of_query)
        if grades is None:
            yield query_id, _shared_needs(of_query, unplaced, unit)
        else:
            yield query_id, plain_needs(grades)


def _grades(rows: Sequence[Judgment]) -> dict[str, int] | None:
    """Return the grade of each key; None where a need may be shared or has other holders."""
    grades = {}
    for row in rows:
        anchor = row.anchor
        if row.need is not None or (anchor is not None and (anchor.also or anchor.absorbed)):
            return None
        grades[row.chunk_id or row.doc_uri] = row.relevance
    return grades


def plain_needs(grades: Mapping[str, int]) -> Needs:
    """Return the needs where each key is one, with its grade."""
    relevant = [(key, grade) for key, grade in grades.items() if grade]
    held = {key: ((need, grade),) for need, (key, grade) in enumerate(relevant)}
    return Needs(tuple([grade for _, grade in relevant]), held, grades.keys(), plain=True)


def _shared_needs(
    rows: Sequence[Judgment], unplaced: Collection[tuple[str, str]], unit: Unit
) -> Needs:
    needs: dict[tuple[str | int, ...], dict[str, int]] = {}
    judged: set[str] = set()
    for row in expand(rows):
        for index, label in enumerate(row):
            holders: tuple[str, ...] = (label.doc_uri,)
            if unit == "chunk":
                holders = (label.key, *(label.anchor.also if label.anchor else ()))
            judged.update(holders)
            if (label.query_id, label.key) in unplaced:
                holders = (f"{_NOWHERE}{label.identity}",)
            name: tuple[str | int, ...]
            if label.need is not None:
                name = ("need", label.need)
            elif unit == "document":
                name = ("document", label.doc_uri)
            else:
                name = ("label", row[0].key, index)
                needs[name] = {}
            grades = needs.setdefault(name, {})
            for holder in holders:
                grades[holder] = max(grades.get(holder, 0), label.relevance)
    best: list[int] = []
    held: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for grades in needs.values():
        if not any(grades.values()):
            continue
        for key, grade in grades.items():
            if grade:
                held[key].append((len(best), grade))
        best.append(max(grades.values()))
    return Needs(tuple(best), {key: tuple(items) for key, items in held.items()}, judged)


def outcome(needs: Needs, ranking: Sequence[str], k: int, threshold: int) -> Outcome:
    """Return what the first `k` distinct keys of a ranking are worth."""
    window = ranking[:k]
    if len(set(window)) < len(window):
        window = list(dict.fromkeys(ranking))[:k]
    met: set[int] = set()
    hits = {}
    set_aside = 0
    for place, key in enumerate(window, start=1):
        if key not in needs.held:
            continue
        new: tuple[int, ...] = ()
        counts = False
        for need, grade in needs.held[key]:
            if grade >= threshold:
                counts = True
                if need not in met:
                    met.add(need)
                    new += (grade,)
        if new:
            hits[place - set_aside] = new
        elif counts:
            set_aside += 1
    return Outcome(needs, window, hits, k, set_aside, needs.relevant(threshold))
