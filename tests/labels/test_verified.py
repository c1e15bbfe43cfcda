"""VALID labels whose chunk is not what was judged."""

from __future__ import annotations

import pytest

from evergold.identity import text_sha
from evergold.labels.drift import drift
from evergold.model import Anchor, Chunk, Evidence, Judgment, Snapshot

JUDGED = "Sick leave: 5 days."


def _anchor(*quotes: str | None) -> Anchor:
    evidence = tuple(Evidence(span=(0, 1), exact=quote) for quote in quotes)
    return Anchor(doc_sha=None, doc_revision=None, span=(0, 19), evidence=evidence)


def _label(
    text: str | None = None, sha: str | None = None, anchor: Anchor | None = None
) -> Judgment:
    return Judgment("q", "d", 1, chunk_id="a", chunk_text=text, text_sha=sha, anchor=anchor)


def _verified(label: Judgment, text: str, doc_uri: str = "d", *, hash_only: bool = False) -> object:
    chunk = Chunk("a", doc_uri, "r", 0, "" if hash_only else text, text_sha(text))
    (finding,) = drift([label], Snapshot("live", "c", (chunk,))).findings
    assert "VALID" == finding.status
    return finding.verified


@pytest.mark.parametrize(
    "label",
    [_label(JUDGED), _label(sha=text_sha(JUDGED)), _label(JUDGED, sha=text_sha("other"))],
)
def test_the_judged_text_is_verified(label: Judgment) -> None:
    """The hash of the label or that of its text is the hash of the chunk, with text or without."""
    assert True is _verified(label, f" {JUDGED}\r\n")
    assert True is _verified(label, JUDGED, hash_only=True)


def test_a_label_on_a_larger_chunk_is_verified() -> None:
    """A chunk that holds the judged text whole, between token borders, is what was judged."""
    assert True is _verified(_label(JUDGED), f"Rules. {JUDGED} Ask.")
    assert False is _verified(_label("5 days"), "Sick leave: 15 days")
    assert True is _verified(_label("cafe\u0301\r\nbar"), "the caf\u00e9\nbar")


def test_a_quote_is_enough() -> None:
    """A label with one of its quotes in the chunk holds, though the rest of the text is elsewhere."""
    label = _label(JUDGED, anchor=_anchor("gone", "5 days"))
    assert True is _verified(label, "It is 5 days, no more.")
    assert False is _verified(label, "It is 15 days, no more.")


def test_another_text_is_not_verified() -> None:
    """The id was kept, the text was not."""
    assert False is _verified(_label(JUDGED), "Sick leave: 3 days.")
    assert False is _verified(_label(sha=text_sha(JUDGED)), "Sick leave: 3 days.")


@pytest.mark.parametrize("label", [_label(JUDGED), _label()])
def test_a_chunk_of_another_document_is_not_verified(label: Judgment) -> None:
    """Whatever its text is, and though the label has no text: the document is known."""
    assert False is _verified(label, JUDGED, doc_uri="e")


@pytest.mark.parametrize("label", [_label(), _label(anchor=_anchor(None)), _label("")])
def test_nothing_to_check_gives_no_answer(label: Judgment) -> None:
    """A label without text, hash and quotes says nothing about the chunk."""
    assert None is _verified(label, JUDGED)


def test_what_hashes_cannot_tell_gives_no_answer() -> None:
    """A chunk of a hash alone may hold the text; so may one on which only hashes were moved."""
    assert None is _verified(_label(JUDGED), f"Rules. {JUDGED}", hash_only=True)
    moved = _label(sha=text_sha(JUDGED), anchor=_anchor(None))
    assert None is _verified(moved, f"Rules. {JUDGED}")


def test_only_valid_labels_of_a_chunk_are_verified() -> None:
    """Labels of a document, and those of any other status, have no chunk to check."""
    chunk = Chunk("b", "d", "r", 0, JUDGED, text_sha(JUDGED))
    labels = [Judgment("q", "d", 1, chunk_text=JUDGED), _label(JUDGED), _label("gone")]
    findings = drift(labels, Snapshot("live", "c", (chunk,))).findings
    assert [("VALID", None), ("RE_ANCHORABLE", None), ("ORPHANED", None)] == [
        (finding.status, finding.verified) for finding in findings
    ]
