"""Documents that live on under another name, and those that do not."""

from __future__ import annotations

from evergold.labels.renames import find_renames
from tests.labels.handbook import document

WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
]
TEXT = " ".join(WORDS)  # seven runs of eight words
OTHER = " ".join(reversed(WORDS))


def test_a_document_with_most_of_the_text_is_the_new_name() -> None:
    """Half of the runs of eight words suffice, among any other text."""
    half = " ".join(WORDS[:11])  # four of seven
    for text in (TEXT, f"{OTHER} {TEXT}", half):
        new = [document(text, "new"), document(OTHER, "other")]
        assert {"old": "new"} == find_renames({"old": TEXT}, {}, new, {}).names
    less = document(" ".join(WORDS[:10]), "new")  # three of seven
    found = find_renames({"old": TEXT}, {}, [less], {})
    assert ({}, {"old": ("new",)}) == (found.names, found.likely)


def test_a_second_document_with_half_as_much_makes_it_unclear() -> None:
    """A person has to say which of two documents the text went to."""
    for words, names in ((11, {}), (9, {"old": "a"})):  # four, and two of seven
        new = [document(TEXT, "a"), document(" ".join(WORDS[:words]), "b")]
        found = find_renames({"old": TEXT}, {}, new, {})
        assert (names, {"old": ("a", "b")}) == (found.names, found.likely)


def test_what_a_document_held_before_is_no_sign_of_a_rename() -> None:
    """A twin that was there all the time did not take the name over."""
    twin = document(TEXT, "twin")
    assert {} == find_renames({"old": TEXT}, {}, [twin], {"twin": TEXT}).names
    assert {"old": "twin"} == find_renames({"old": TEXT}, {}, [twin], {"twin": OTHER}).names


def test_two_documents_cannot_take_one_name() -> None:
    """Which of the two lives on cannot be seen."""
    new = [document(f"{TEXT} {OTHER}", "new")]
    assert {} == find_renames({"a": TEXT, "b": OTHER}, {}, new, {}).names
    assert {"a": "new"} == find_renames({"a": TEXT}, {}, new, {}).names


def test_what_labels_quote_only_shows_where_to_look() -> None:
    """Without the old text a document is not renamed by a machine."""
    found = find_renames({}, {"old": TEXT}, [document(TEXT, "new")], {})
    assert ({}, {"old": ("new",)}) == (found.names, found.likely)


def test_a_text_of_few_words_is_not_looked_for() -> None:
    """Seven words are in too many documents."""
    found = find_renames({"old": " ".join(WORDS[:7])}, {}, [document(TEXT, "new")], {})
    assert ({}, {}) == (found.names, found.likely)
