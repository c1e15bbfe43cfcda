"""The word diff of a passage, and the flags of what changed in it."""

from __future__ import annotations

import pytest

from evergold.review.diff import word_diff


def test_a_changed_word_is_removed_and_added() -> None:
    """Runs of words keep the white space behind them; text around what is alike is left out."""
    parts, changed = word_diff(
        "Annual plans are refunded within 30 days.",
        "Refunds in short. Annual plans are refunded\nwithin 14 days. All others are not.",
    )
    assert (
        ("=", "Annual plans are refunded\nwithin ".replace("\n", " ")),
        ("-", "30 "),
        ("+", "14 "),
        ("=", "days."),
    ) == parts
    assert ("numbers",) == changed


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("plans are refunded", "plans are not refunded", ["negations"]),
        ("plans are refunded", "plans aren't refunded", ["negations"]),
        ("Pläne werden erstattet", "Pläne werden nicht erstattet", ["negations"]),
        ("within 30 days", "within 30 weeks", ["units"]),
        ("within 30 days", "within 4 weeks", ["numbers", "units"]),
        ("until 3 May 2024", "until 3 June 2025", ["dates"]),
        ("since 2024-05-03", "since 2024-05-04", ["dates"]),
        ("costs 1,000 EUR", "costs 1,500 EUR", ["numbers"]),
        ("plans are refunded", "plans are repaid", []),
        ("plans are refunded", "plans are refunded", []),
    ],
)
def test_what_may_change_an_answer_is_flagged(old: str, new: str, changed: list[str]) -> None:
    """Numbers, dates, negations and units, in this order, whether removed or added."""
    assert changed == list(word_diff(old, new)[1])


def test_the_likest_part_of_a_long_text_is_compared() -> None:
    """A quote is not spread over a chunk by words that stand everywhere."""
    filler = "The days of the plans are the days of the year. " * 20
    parts, changed = word_diff(
        "Annual plans are refunded within 30 days.",
        f"{filler}Annual plans are refunded within 31 days. {filler}",
    )
    assert ["=", "-", "+", "="] == [kind for kind, _ in parts]
    assert ("numbers",) == changed


@pytest.mark.parametrize(("quote", "text"), [("", ""), ("", "words"), ("words", ""), (" ", "...")])
def test_nothing_to_compare(quote: str, text: str) -> None:
    """An empty side is all removed, or nothing at all."""
    parts, changed = word_diff(quote, text)
    assert [("-", "words")] * (quote == "words") == list(parts)
    assert () == changed
