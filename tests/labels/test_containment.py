"""Texts inside texts: the fast search answers as the plain rule does."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evergold.labels.containment import contained

_AWKWARD = st.sampled_from(["", "a", "ab", "aba", "\u00e9", "\u6f22", "\U0001f600", "\ud83d", " "])
_WORDS = st.sampled_from(
    ["leave ", "sick leave ", "days\n", "caf\u00e9 ", "\u6f22\u5b57", "a", "ab"]
)
_REPEATED = st.builds(lambda unit, times: unit * times, _AWKWARD, st.integers(0, 70))
_TEXTS = st.one_of(
    _AWKWARD,
    _REPEATED,
    st.lists(_WORDS, max_size=25).map("".join),
    st.tuples(_REPEATED, _WORDS, _REPEATED).map("".join),
)


@st.composite
def _inner_and_outer(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Return texts, and others of which many are a part of one, or one itself."""
    outer = draw(st.lists(_TEXTS, max_size=8))
    inner = draw(st.lists(_TEXTS, max_size=6))
    for text in outer:
        start = draw(st.integers(0, len(text)))
        inner.append(text[start : draw(st.integers(start, len(text)))])
    return inner, outer


def _plainly(inner: list[str], outer: list[str]) -> list[tuple[int, int]]:
    return [
        (i, j) for i, text in enumerate(inner) for j, other in enumerate(outer) if text in other
    ]


@settings(deadline=None, max_examples=300)
@given(_inner_and_outer())
@example((["ab" * 40, "ba" * 40, "ab" * 16], ["ab" * 41, "ab" * 39 + "a"]))
@example((["x" * 32], ["y" + "x" * 31, "x" * 31 + "y" + "x" * 32]))
def test_windows_find_what_the_plain_rule_finds(texts: tuple[list[str], list[str]]) -> None:
    """Each pair once, for texts that are empty, repeated, nested, periodic or of any script."""
    inner, outer = texts
    assert _plainly(inner, outer) == sorted(contained(inner, outer, plain=-1))
    assert _plainly(inner, outer) == sorted(contained(inner, outer))


def test_texts_that_differ_in_one_place_are_told_apart() -> None:
    """Of texts with a common beginning, middle and end the own window is found, wherever it is."""
    shared = "the same words over and over, " * 5
    inner = [f"{shared}{number:04d}{shared}" for number in range(500)]
    outer = [f"before {text} behind" for text in reversed(inner)]
    assert [(i, 499 - i) for i in range(500)] == sorted(contained(inner, outer, plain=-1))


def test_texts_are_found_in_every_block() -> None:
    """Texts of more bytes than are hashed at once, and one that is larger than that alone."""
    outer = [f"chunk {number} " + "filler " * 60 for number in range(3000)]
    outer.append("x" * 700_000 + "needle in a hay stack of its own")
    inner = ["chunk 2999 filler", "needle in a hay stack", "chunk 0 ", "nowhere at all"]
    assert [(0, 2999), (1, 3000), (2, 0)] == sorted(contained(inner, outer, plain=-1))


@pytest.mark.parametrize(("inner", "outer"), [([], ["a"]), (["a"], []), ([], [])])
def test_nothing_is_found_in_nothing(inner: list[str], outer: list[str]) -> None:
    """No texts on either side give no pairs."""
    assert [] == list(contained(inner, outer, plain=-1))


def test_a_small_drift_does_not_load_numpy() -> None:
    """What ends at once the plain way does not wait for a library."""
    script = (
        "import sys\n"
        "from evergold.labels.drift import drift\n"
        "from evergold.model import Chunk, Judgment, Snapshot\n"
        "chunks = Chunk('a', 'd', 'r', 0, 'One. Two.', 't'), Chunk('b', 'd', 'r', 1, 'Ten.', 'u')\n"
        "labels = [Judgment('q', 'd', 1, chunk_id='old', chunk_text='Two.')]\n"
        "report = drift(labels, Snapshot(None, None, chunks))\n"
        "print(report.findings[0].status, 'numpy' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "MERGED False\n" == done.stdout
