"""Labels of one query that meet in one chunk become one row, and part again.

Two rows with one key would make the file invalid; dropping one would lose a judgment. So the
row with the higher grade carries the others in `anchor.absorbed`, each with its old row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evergold.model import Absorbed, Anchor, Judgment

_EMPTY = Anchor(doc_sha=None, doc_revision=None, span=None)


@dataclass(frozen=True, slots=True)
class Separated:
    """A label as its own row; `host` is the row of the file that carried it."""

    judgment: Judgment
    host: int
    absorbed: Absorbed | None = None


def separate(judgments: Sequence[Judgment]) -> tuple[Judgment, ...]:
    """Return every label as its own row, those that were absorbed at their old places."""
    return tuple(row.judgment for row in separate_rows(judgments))


def separate_rows(judgments: Sequence[Judgment]) -> list[Separated]:
    """Return what `separate` does, with where each label came from."""
    rows: list[Separated] = []
    absorbed: list[Separated] = []
    for host, judgment in enumerate(judgments):
        anchor = judgment.anchor
        if anchor is None or not anchor.absorbed:
            rows.append(Separated(judgment, host))
            continue
        absorbed.extend(Separated(item.judgment, host, item) for item in anchor.absorbed)
        alone = replace(anchor, absorbed=())
        rows.append(Separated(replace(judgment, anchor=_unless_empty(alone)), host))
    for row in sorted(absorbed, key=lambda row: row.absorbed.row if row.absorbed else 0):
        place = row.absorbed.row if row.absorbed else 0
        rows.insert(min(place, len(rows)), row)
    return rows


def _unless_empty(anchor: Anchor) -> Anchor | None:
    return None if anchor == _EMPTY else anchor


def absorb(rows: Sequence[Judgment], groups: Mapping[int, Sequence[int]]) -> tuple[Judgment, ...]:
    """Return `rows` with each group folded into its host.

    `groups` maps the row of a host to the rows that it takes in; a row stands in one group.
    """
    taken = {row for members in groups.values() for row in members}
    folded = []
    for row, judgment in enumerate(rows):
        if row in taken:
            continue
        members = sorted(groups.get(row, ()))
        folded.append(with_absorbed(judgment, [Absorbed(m, rows[m]) for m in members]))
    return tuple(folded)


def with_absorbed(judgment: Judgment, absorbed: Sequence[Absorbed]) -> Judgment:
    """Return a row that carries others."""
    if not absorbed:
        return judgment
    anchor = judgment.anchor or _EMPTY
    return replace(judgment, anchor=replace(anchor, absorbed=tuple(absorbed)))


def regroup(rows: Sequence[Judgment], labels: Sequence[Judgment]) -> tuple[Judgment, ...]:
    """Return `labels`, one for each that `separate` makes of `rows`, grouped as the rows are."""
    hosts: dict[int, Judgment] = {}
    guests: dict[int, list[Absorbed]] = defaultdict(list)
    for row, label in zip(separate_rows(rows), labels, strict=True):
        if row.absorbed is None:
            hosts[row.host] = label
        else:
            guests[row.host].append(replace(row.absorbed, judgment=label))
    return tuple(with_absorbed(hosts[host], guests[host]) for host in sorted(hosts))


def origins(before: Sequence[Judgment], after: Sequence[Judgment]) -> list[int | None]:
    """Return, for each row of `after`, the row of `before` that it was; None for one that parted.

    Both hold the same labels in the same order, once separated.
    """
    found: list[int | None] = [None] * len(after)
    for old, new in zip(separate_rows(before), separate_rows(after), strict=True):
        if new.absorbed is None and old.absorbed is None:
            found[new.host] = old.host
    return found


def expand(judgments: Sequence[Judgment]) -> list[tuple[Judgment, ...]]:
    """Return, for each row, the labels that it stands for: itself, then those it absorbed."""
    return [
        (judgment, *(item.judgment for item in judgment.anchor.absorbed))
        if judgment.anchor is not None
        else (judgment,)
        for judgment in judgments
    ]
