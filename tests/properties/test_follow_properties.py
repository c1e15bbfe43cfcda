"""Passages through generated edits whose truth is known."""

from __future__ import annotations

import random

import pytest

from evergold.labels.follow import NewText
from evergold.model import Span

WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
]
# A sentence of the old text has its number, one that was put in or changed has -1.
Sentence = tuple[int, str]


def _sentence(choice: random.Random) -> str:
    words = [choice.choice(WORDS) for _ in range(choice.randint(5, 14))]
    return " ".join(words).capitalize() + "."


def _edited(old: list[Sentence], pool: list[str], choice: random.Random) -> list[Sentence]:
    """Return sentences with some taken out, changed, put in, moved, and copied elsewhere."""
    new: list[Sentence] = []
    for number, text in old:
        fate = choice.random()
        if fate < 0.06:
            continue
        if fate < 0.12:
            words = text.split()
            words[choice.randrange(len(words))] = choice.choice(WORDS)
            changed = " ".join(words)
            new.append((number if changed == text else -1, changed))
        else:
            new.append((number, text))
        if choice.random() < 0.06:
            new.append((-1, choice.choice([*pool, _sentence(choice)])))
    if choice.random() < 0.5:
        start = choice.randrange(len(new) - 6)
        block = new[start : start + choice.randint(1, 5)]
        rest = new[:start] + new[start + len(block) :]
        place = choice.randrange(len(rest))
        new = [*rest[:place], *block, *rest[place:]]
    for _ in range(choice.randint(0, 4)):
        new.insert(choice.randrange(len(new) + 1), (-1, choice.choice(old)[1]))
    return new


def _written(sentences: list[Sentence], between: str) -> tuple[str, dict[int, Span]]:
    text, places = "", {}
    for number, sentence in sentences:
        text += between if text else ""
        if number >= 0:
            places[number] = (len(text), len(text) + len(sentence))
        text += sentence
    return text, places


@pytest.mark.parametrize("seed", range(120))
def test_a_passage_is_followed_to_itself_or_not_at_all(seed: int) -> None:
    """With the same sentence in many places, what is followed is the very one, or stands where it did.

    A copy that was put in just beside an old neighbour of a sentence that is gone is at its place.
    """
    choice = random.Random(seed)  # noqa: S311 - a test, not a key
    pool = [_sentence(choice) for _ in range(choice.randint(6, 30))]
    copied = choice.choice((0.05, 0.2, 0.5))
    texts = [
        choice.choice(pool) if choice.random() < copied else _sentence(choice)
        for _ in range(choice.randint(20, 80))
    ]
    between = choice.choice((" ", "\n\n"))
    old = list(enumerate(texts))
    before, spans = _written(old, between)
    after, places = _written(_edited(old, pool, choice), between)
    edition = NewText(after).since(before)
    found = 0
    for number, span in spans.items():
        place = edition.follow(span)
        if isinstance(place, str):
            continue
        found += 1
        start, end = place.span
        assert texts[number] == after[start:end]
        left = number > 0 and after[:start].endswith(texts[number - 1] + between)
        right = number + 1 < len(texts) and after[end:].startswith(between + texts[number + 1])
        assert places.get(number) == place.span or left or right
    assert found >= 0.6 * len(places)
