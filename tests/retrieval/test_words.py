"""Words for lexical retrieval."""

from __future__ import annotations

import pytest

from evergold.retrieval.words import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The refund, of 30 days!", ["the", "refund", "of", "30", "days"]),
        ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("ﬁne Ａ① x²", ["fine", "a1", "x2"]),
        ("Ελλάς ΕΛΛΆΣ", ["ελλάσ", "ελλάσ"]),
        ("机房 温度", ["机房", "温度"]),
        ("v1.2.3", ["v1", "2", "3"]),
        ("...", []),
        ("", []),
    ],
)
def test_words_are_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    """Compatibility forms and case do not count; everything else separates."""
    assert expected == words(text)


def test_composed_and_decomposed_letters_are_one_word() -> None:
    """The form in which an accent is written does not count."""
    assert ["café"] == words("cafe\u0301")
    assert words("CAFÉ") == words("cafe\u0301")
