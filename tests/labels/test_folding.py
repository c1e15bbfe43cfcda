"""What counts as the same text, and what never does."""

from __future__ import annotations

import pytest

from evergold.labels.folding import Lexicon, Reader, agree


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refunds take 30 days", "Refunds\n  take\u00a030 \t days"),
        ("the customer\u2019s \u201cright\u201d", 'the customer\'s "right"'),
        ("\u201eRecht\u201f", '"Recht"'),
        ("5\u201310 days \u2014 or \u22123", "5-10 days - or -3"),
        ("the re\u00adfund of\u00adfice", "the refund office"),
        ("a re\u00ad\nfund", "a refund"),
        ("the \ufb01rst of\ufb01ce \ufb02oor, \ufb03 \ufb04", "the first office floor, ffi ffl"),
        ("a **very** *important* ***word***", "a very important word"),
        ("an __important note__ and _one more_", "an important note and one more"),
        ("the retriev-\nal of chunks", "the retrieval of chunks"),
        ("a well-\nknown fact", "a well-known fact"),
        ("Vor-\nund Nachteile", "Vor- und Nachteile"),
        ("年間プランは\n返金されます。", "年間プランは返金されます。"),
        ("(see *the terms*).", "(see the terms)."),
    ],
)
def test_what_only_looks_different_is_the_same(one: str, other: str) -> None:
    """White space, shapes of quotes and dashes, ligatures, hyphenation and emphasis fold."""
    assert agree(one, other)
    assert agree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refunds take 30 days", "refunds take 30 days"),
        ("30 days", "3 0 days"),
        ("30 days", "30days"),
        ("1.5 days", "1. 5 days"),
        ("1,000", "1000"),
        ("re-cover it", "recover it"),
        ("re-\ncover it, do not re-cover", "recover it, do not re-cover"),
        ("a well-\nknown fact", "a wellknown fact, well-known"),
        ("pre-\nand post-war", "pre-and post-war, pre- and"),
        ("the __init__ name", "the init name"),
        ("my_name", "my name"),
        ("2 * 3 * 4", "2 3 4"),
        ("f(*args, *more)", "f(args, more)"),
        ("*.py and *.txt", ".py and .txt"),
        ("caf\u00e9", "cafe"),
        ("x\u00b2", "x2"),
        ("٣ days", "3 days"),
        (" days", "days"),
        ("days", "days "),
        ("cannot", "can not"),
        ("日本 語", "日本語"),
        ("", "days"),
    ],
)
def test_words_case_and_digits_never_fold(one: str, other: str) -> None:
    """What could change the meaning is a difference; so is white space that is not there."""
    assert not agree(one, other)
    assert not agree(other, one)


def test_tokens_know_their_places() -> None:
    """Offsets count code points of the text as it is, also around what folding leaves out."""
    text = "A **bold** re\u00adfund, 5.5 days"
    tokens = Reader().read(text)
    assert ["A", "bold", "re\u00adfund", ",", "5", ".", "5", "days"] == [
        text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)
    ]
    assert [True, True, True, False, True, False, False, True] == tokens.spaced.tolist()
    assert (1, 3) == tokens.covering((4, 18))
    assert (4, 18) == tokens.span((1, 3))
    # With the marks around it, the word is covered; a part of a word is not.
    assert (1, 2) == tokens.covering((2, 10))
    assert None is tokens.covering((4, 13))
    assert None is tokens.covering((10, 11))


def test_a_broken_word_is_one_token() -> None:
    """A word that a line end broke covers both halves where the other text has the word."""
    text, other = "the retriev-\nal works", "the retrieval works"
    reader = Reader()
    tokens = reader.read(text, Lexicon(text), Lexicon(other))
    assert tokens.ids.tolist() == reader.read(other).ids.tolist()
    assert (4, 15) == tokens.span((1, 2))


def test_characters_of_scripts_without_spaces_are_tokens() -> None:
    """A quote may begin and end between any two characters of such a script."""
    tokens = Reader().read("保留所有权利 2024年")
    assert 8 == len(tokens.ids)
    assert (2, 4) == tokens.covering((2, 4))


def test_an_empty_text_has_no_tokens() -> None:
    """Nothing stands in an empty text, and nothing fails."""
    for text in ("", " \n ", "\u00ad"):
        tokens = Reader().read(text)
        assert 0 == len(tokens.ids)
        assert None is tokens.covering((0, len(text)))
