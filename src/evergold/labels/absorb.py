"""Labels of one query that meet in one chunk become one row, and part again.

Two rows with one key would make the file invalid; dropping one would lose a judgment. So the
row with the higher grade carries the others in `anchor.absorbed`, each with its old row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evergold.model import Absorbed, Anchor, Judgment


def separate(judgments: Sequence[Judgment]) -> tuple[Judgment, ...]:
    """Return every label as its own row, those that were absorbed at their old places."""
    hosts: list[Judgment] = []
    absorbed: list[Absorbed] = []
    for judgment in judgments:
        anchor = judgment.anchor
        if anchor is None or not anchor.absorbed:
            hosts.append(judgment)
            continue
        absorbed.extend(anchor.absorbed)
        hosts.append(replace(judgment, anchor=replace(anchor, absorbed=())))
    rows = hosts
    for item in sorted(absorbed, key=lambda item: item.row):
        rows.insert(min(item.row, len(rows)), item.judgment)
    return tuple(rows)


def absorb(rows: Sequence[Judgment], groups: Mapping[int, Sequence[int]]) -> tuple[Judgment, ...]:
    """Return `rows` with each group folded into its host.

    `groups` maps the row of a host to the rows that it takes in; a row stands in one group.
    """
    taken = {row for members in groups.values() for row in members}
    folded = []
    for row, judgment in enumerate(rows):
        if row in taken:
            continue
        members = groups.get(row)
        if not members:
            folded.append(judgment)
            continue
        anchor = judgment.anchor or Anchor(doc_sha=None, doc_revision=None, span=None)
        kept = tuple(Absorbed(member, rows[member]) for member in sorted(members))
        folded.append(replace(judgment, anchor=replace(anchor, absorbed=kept)))
    return tuple(folded)


def expand(judgments: Sequence[Judgment]) -> list[tuple[Judgment, ...]]:
    """Return, for each row, the labels that it stands for: itself, then those it absorbed."""
    return [
        (judgment, *(item.judgment for item in judgment.anchor.absorbed))
        if judgment.anchor is not None
        else (judgment,)
        for judgment in judgments
    ]
