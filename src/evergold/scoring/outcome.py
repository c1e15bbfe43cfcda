"""What a ranking is worth for one query, before any metric: which needs it meets, and where.

A need is met by the first chunk that holds one of its labels. A chunk that holds only needs
already met is set aside: it gains nothing and takes no rank, so that chunks which overlap are
neither paid twice nor counted as misses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evergold.labels.absorb import expand
from evergold.model import Judgment

# No key of a ranking begins like this: keys have no control characters.
_NOWHERE = "\x00"


@dataclass(frozen=True, slots=True)
class Needs:
    """The needs of one query that anything can meet.

    `grades` has the best grade of each need; `held` says which needs each key meets, and with
    what grade. Judgments of grade 0 are in neither.
    """

    grades: tuple[int, ...]
    held: Mapping[str, tuple[tuple[int, int], ...]]

    def relevant(self, threshold: int) -> int:
        """Return the number of needs with at least this grade."""
        return sum(grade >= threshold for grade in self.grades)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A ranking cut to `k`, without repeats and without what was set aside.

    `steps` has, for each rank, the grades of the needs newly met there, all at least
    `threshold`.
    """

    needs: Needs
    steps: tuple[tuple[int, ...], ...]
    k: int
    set_aside: int
    threshold: int

    @property
    def relevant(self) -> int:
        """The number of needs that there are to meet."""
        return self.needs.relevant(self.threshold)


def needs_of(
    judgments: Iterable[Judgment], unplaced: Container[tuple[str, str]] = ()
) -> dict[str, Needs]:
    """Return the needs of every judged query, in the order of the label file.

    Labels of one query with the same `need` are alternatives; a label without `need` is a need
    of its own. Of several of those with one key the last counts, as published. `unplaced` are the
    (query, key) pairs whose key is only where the label stood last: nothing meets those.
    """
    grouped: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for row in expand(tuple(judgments)):
        for index, label in enumerate(row):
            name = f"need:{label.need}"
            if label.need is None:
                name = f"label:{row[0].key}:{index}"
                grouped[label.query_id][name] = {}
            grades = grouped[label.query_id][name]
            holders = (label.key, *(label.anchor.also if label.anchor else ()))
            if (label.query_id, label.key) in unplaced:
                holders = (f"{_NOWHERE}{label.identity}",)
            for holder in holders:
                grades[holder] = max(grades.get(holder, 0), label.relevance)
    return {query_id: _needs(needs.values()) for query_id, needs in grouped.items()}


def _needs(needs: Iterable[Mapping[str, int]]) -> Needs:
    grades: list[int] = []
    held: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for holders in needs:
        best = max(holders.values())
        if best == 0:
            continue
        for key, grade in holders.items():
            if grade:
                held[key].append((len(grades), grade))
        grades.append(best)
    return Needs(tuple(grades), {key: tuple(items) for key, items in held.items()})


def outcome(needs: Needs, ranking: Sequence[str], k: int, threshold: int) -> Outcome:
    """Return what the first `k` distinct keys of a ranking are worth."""
    met: set[int] = set()
    steps = []
    set_aside = 0
    for key in list(dict.fromkeys(ranking))[:k]:
        held = [(need, grade) for need, grade in needs.held.get(key, ()) if grade >= threshold]
        new = [(need, grade) for need, grade in held if need not in met]
        if held and not new:
            set_aside += 1
            continue
        met.update(need for need, _ in new)
        steps.append(tuple(grade for _, grade in new))
    return Outcome(needs, tuple(steps), k, set_aside, threshold)
