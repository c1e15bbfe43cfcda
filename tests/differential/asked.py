"""What a departure is: the answer that it is about, when it applies, and what comes instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.differential.answers import Answers, Published
from tests.differential.cases import Case

# What evergold answers, with the subject of the departure.
Ours = tuple[str, Any]


@dataclass(frozen=True)
class Asked:
    """A case with the files as the published tool has read them, and all its answers."""

    case: Case
    files: Published
    theirs: Answers
    report: Any
    baseline: Any
    found: dict[Any, Any] = field(default_factory=dict)

    @property
    def labels(self) -> Any:
        """The labels, as the published tool holds them."""
        return self.files.labels

    def first(self, find: Callable[[Asked], Ours | None]) -> Ours:
        """Return what `find` finds, asked once; an empty subject where it finds nothing."""
        if find not in self.found:
            self.found[find] = find(self) or ("", None)
        found: Ours = self.found[find]
        return found


@dataclass(frozen=True, slots=True)
class Deviation:
    """One departure: `ours` turns the published answer on `answer` into that of evergold."""

    subject: str
    answer: str
    applies: Callable[[Asked, Any], bool]
    ours: Callable[[Asked, Any], Any]


def expected_answers(
    deviations: Iterable[Deviation], asked: Asked
) -> tuple[Answers, list[Deviation]]:
    """Return what evergold is to answer, and the deviations by which that differs."""
    expected, met = dict(asked.theirs), []
    for deviation in deviations:
        before = expected.get(deviation.answer)
        if before is not None and deviation.applies(asked, before):
            after = deviation.ours(asked, before)
            if after != before:
                expected[deviation.answer] = after
                met.append(deviation)
    return expected, met


def first(answer: str, find: Callable[[Asked], Ours | None], *subjects: str) -> list[Deviation]:
    """Return the deviations of an answer of which one function finds the first that applies."""

    def of(subject: str) -> Deviation:
        return Deviation(
            subject,
            answer,
            lambda asked, _: asked.first(find)[0] == subject,
            lambda asked, _: asked.first(find)[1],
        )

    return [of(subject) for subject in subjects]


def always(_asked: Asked, _theirs: Any) -> bool:
    """Return true: what comes instead decides alone."""
    return True


def no_rows(answer: str) -> Deviation:
    """Return the deviation of a text without rows: the published tool writes a line end."""
    return Deviation(
        "`convert` of an empty file",
        answer,
        lambda _, theirs: theirs == "\n",
        lambda _asked, _theirs: "",
    )
