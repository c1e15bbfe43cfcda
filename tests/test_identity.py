"""Identity: what makes two texts, chunks or corpora the same."""

from __future__ import annotations

import hashlib
import sys
import unicodedata

import pytest
import retrieval_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.identity import (
    chunk_id,
    corpus_fingerprint,
    is_minted_chunk_id,
    is_text_sha,
    normalize,
    text_sha,
    unicode_twins,
)

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("e\u0301\r\n\t \u00a0\u2028\u0085\u001f\ufeff\u200b\u1100\u1161"),
    ),
    max_size=30,
)

# The 29 code points that `spec/identity.md` lists.
WHITE_SPACE = {
    *range(0x0009, 0x000E),
    *range(0x001C, 0x0021),
    0x0085,
    0x00A0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
}


def test_normalize_composes_unifies_line_ends_and_strips() -> None:
    """NFC, then LF line ends, then no white space at either end; the inside stays as it is."""
    assert "caf\u00e9  au\n\nlait" == normalize("\r\n cafe\u0301  au\r\n\rlait \t\r\n")


def test_normalize_keeps_case_punctuation_and_compatibility_characters() -> None:
    """Case, ligatures, full-width forms and quotes are parts of a text's identity."""
    assert "ﬁ Ａ “x” ²" == normalize("ﬁ Ａ “x” ²")


def test_white_space_is_the_listed_set() -> None:
    """Exactly the 29 listed code points are removed from the ends of a text."""
    stripped = {
        point
        for point in range(sys.maxunicode + 1)
        if not 0xD800 <= point < 0xE000 and normalize(chr(point)) == ""
    }
    assert 29 == len(WHITE_SPACE)
    assert WHITE_SPACE == stripped


@settings(deadline=None)
@given(TEXTS)
def test_normalize_twice_is_normalize_once(text: str) -> None:
    """A normalized text is its own normal form."""
    once = normalize(text)
    assert once == normalize(once)


@settings(deadline=None)
@given(TEXTS)
def test_normalize_equals_the_published_tool(text: str) -> None:
    """Text and hash are those of retrieval-eval for any text."""
    assert retrieval_eval.normalize(text) == normalize(text)
    assert retrieval_eval.text_sha(text) == text_sha(text)


def test_text_sha_is_the_published_vector() -> None:
    """The hash of `hello world` is the one that the specification states."""
    assert "t1:b94d27b9934d3e08a52e52d7da7dabfa" == text_sha("hello world")


@settings(deadline=None)
@given(TEXTS, st.sampled_from(["", " ", "\r\n", "\u2028", "\t\u00a0"]))
def test_text_sha_ignores_form_ends_and_line_ends(text: str, around: str) -> None:
    """Decomposed, padded and with CR LF, a text has the hash of its normal form."""
    variant = around + unicodedata.normalize("NFD", normalize(text)).replace("\n", "\r\n") + around
    assert text_sha(text) == text_sha(variant)


def test_text_sha_tells_different_texts_apart() -> None:
    """Case, inner white space and a zero-width space change the hash."""
    hashes = {text_sha(text) for text in ("a b", "a  b", "A b", "a\u200bb", "a\nb", "\ufeffa b")}
    assert 6 == len(hashes)


def test_a_lone_surrogate_has_no_hash() -> None:
    """A text that cannot be written as UTF-8 is refused."""
    with pytest.raises(ValueError, match="surrogates not allowed"):
        text_sha("a\ud800")


def test_chunk_id_is_the_published_vector() -> None:
    """The id of the published example is the one that the specification states."""
    assert "c1:06095518ff131adc3d109bfcf1521efa" == chunk_id(
        "s3://b/k", "v1", 0, "hello world", "recursive/512/64"
    )


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=10),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=10),
    st.integers(0, 10**6),
    TEXTS,
)
def test_chunk_id_equals_the_published_tool(
    doc_uri: str, revision: str, ordinal: int, text: str
) -> None:
    """The id of any chunk is that of retrieval-eval."""
    expected = retrieval_eval.chunk_id(doc_uri, revision, ordinal, text, "fixed/9/0")
    assert expected == chunk_id(doc_uri, revision, ordinal, text, "fixed/9/0")


def test_chunk_id_depends_on_every_field() -> None:
    """Document, revision, ordinal, text and chunker are each part of the id."""
    ids = {
        chunk_id("d", "r", 0, "t", "c"),
        chunk_id("e", "r", 0, "t", "c"),
        chunk_id("d", "s", 0, "t", "c"),
        chunk_id("d", "r", 1, "t", "c"),
        chunk_id("d", "r", 0, "u", "c"),
        chunk_id("d", "r", 0, "t", "d"),
    }
    assert 6 == len(ids)


def test_corpus_fingerprint_is_the_stated_example() -> None:
    """The two documents of the specification give the stated fingerprint, in either order."""
    pairs = [
        ("handbook://b.md", text_sha("Monthly plans are not refundable.\r\n")),
        ("handbook://a.md", text_sha("\nAnnual plans: 30 days.\n")),
    ]
    assert ("handbook://b.md", "t1:63a1f43419a5f9c0f3a0404d4c4b7864") == pairs[0]
    assert ("handbook://a.md", "t1:499f6b81574e4ffb098ae6cf08a928ea") == pairs[1]
    assert "recursive/512/64@3cf96cacef48" == corpus_fingerprint("recursive/512/64", pairs)
    assert "recursive/512/64@3cf96cacef48" == corpus_fingerprint("recursive/512/64", pairs[::-1])


def test_corpus_fingerprint_of_no_document_is_that_of_the_empty_string() -> None:
    """Without documents nothing is hashed."""
    assert "recursive/512/64@e3b0c44298fc" == corpus_fingerprint("recursive/512/64", [])


def test_corpus_fingerprint_joins_the_pairs_with_control_characters() -> None:
    """The hash is over pairs sorted by code point, joined by U+001F inside and U+001E between."""
    joined = "A\x1f1\x1eZ\x1f2\x1ea\x1f0\x1ea\x1f3"
    expected = "fixed/9/0@" + hashlib.sha256(joined.encode()).hexdigest()[:12]
    pairs = [("a", "3"), ("Z", "2"), ("a", "0"), ("A", "1")]
    assert expected == corpus_fingerprint("fixed/9/0", pairs)


def test_corpus_fingerprint_changes_with_a_revision_or_the_chunker() -> None:
    """Another revision, another document or another chunker is another corpus."""
    fingerprints = {
        corpus_fingerprint("c", [("d", "1")]),
        corpus_fingerprint("c", [("d", "2")]),
        corpus_fingerprint("c", [("e", "1")]),
        corpus_fingerprint("c", [("d", "1"), ("e", "1")]),
        corpus_fingerprint("b", [("d", "1")]),
    }
    assert 5 == len(fingerprints)


@pytest.mark.parametrize(
    ("value", "minted"),
    [
        ("c1:" + "0123456789abcdef" * 2, True),
        ("c1:" + "0123456789abcdef" * 2 + "\n", False),
        (" c1:" + "0123456789abcdef" * 2, False),
        ("c1:" + "0123456789ABCDEF" * 2, False),
        ("c1:" + "0" * 31, False),
        ("c1:" + "0" * 33, False),
        ("c1:" + "\u0660" * 32, False),
        ("t1:" + "0" * 32, False),
        ("", False),
    ],
)
def test_a_minted_chunk_id_has_one_form(value: str, *, minted: bool) -> None:
    """`c1:` and 32 lower-case hex digits, with nothing before or after, not even a line feed."""
    assert minted is is_minted_chunk_id(value)


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ("t1:" + "0123456789abcdef" * 2, True),
        ("t1:" + "0123456789abcdef" * 2 + "\n", False),
        ("t1:" + "0" * 31 + "G", False),
        ("t1:" + "0" * 33, False),
        ("c1:" + "0" * 32, False),
        ("t2:" + "0" * 32, False),
    ],
)
def test_a_text_sha_has_one_form(value: str, *, good: bool) -> None:
    """`t1:` and 32 lower-case hex digits, with nothing after, not even a line feed."""
    assert good is is_text_sha(value)


NFC, NFD = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("ids", "others", "pairs"),
    [
        ([NFD, "a"], [NFC, "b"], ((NFD, NFC),)),
        ([NFC], [NFD], ((NFC, NFD),)),
        ([NFC, NFD], [NFC, NFD], ()),
        ([NFC, NFD], [NFC], ((NFD, NFC),)),
        (["cafe", "CAF\u00c9"], [NFC], ()),
        (["K"], ["\u212a"], (("K", "\u212a"),)),
        ([NFC], [], ()),
        (["a", NFC, NFD, NFD], None, ((NFD, NFC),)),
        (["a", "b"], None, ()),
    ],
)
def test_ids_that_differ_in_normalization_only_are_named(
    ids: list[str], others: list[str] | None, pairs: tuple[tuple[str, str], ...]
) -> None:
    """Between two sets, where an id is not in the other itself, or within one."""
    assert pairs == unicode_twins(ids, others)
