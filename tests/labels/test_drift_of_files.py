"""Drift against a snapshot that is read one chunk at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evergold.errors import InputError
from evergold.formats.corpus import SnapshotFile, chunk_to_json, write_snapshot
from evergold.labels.containment import contained
from evergold.labels.drift import drift
from evergold.model import Judgment, Snapshot
from tests.published import labels_of_a_snapshot

FIXTURES = [HealthCheck.function_scoped_fixture]


@settings(deadline=None, max_examples=150, suppress_health_check=FIXTURES)
@given(labels_of_a_snapshot(), st.integers(1, 30))
def test_a_file_gives_the_findings_of_the_whole(
    tmp_path: Path, case: tuple[tuple[Judgment, ...], Snapshot], gathered: int
) -> None:
    """In either form, and however little text is held at a time."""
    judgments, snapshot = case
    lines, whole = tmp_path / "corpus.jsonl", tmp_path / "corpus.json"
    write_snapshot(lines, snapshot)
    chunks = [chunk_to_json(chunk) for chunk in snapshot.chunks]
    head = {"corpus_fingerprint": snapshot.corpus_fingerprint}
    whole.write_text(json.dumps({"chunks": chunks, **head}, indent=1), encoding="utf-8")
    expected = drift(judgments, snapshot)
    assert expected == drift(judgments, SnapshotFile(lines), gathered)
    assert expected == drift(judgments, SnapshotFile(whole), gathered)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_containment_is_that_of_the_naive_rule(data: st.DataObject) -> None:
    """Also for texts that repeat themselves, hold each other, or are very short."""
    parts = st.lists(st.sampled_from(["ab", "é", "aaaa" * 9, "x" * 40, " ", "契約"]), max_size=8)
    texts = st.lists(parts.map("".join).filter(bool), max_size=12, unique=True)
    patterns, haystacks = data.draw(texts), data.draw(texts)
    expected = {(p, h) for p, a in enumerate(patterns) for h, b in enumerate(haystacks) if a in b}
    for plain in (0, 1 << 40):
        found = list(contained(patterns, haystacks, plain))
        assert (expected, len(expected)) == (set(found), len(found))


def test_containment_of_many_texts_is_that_of_the_naive_rule() -> None:
    """Large enough that windows are hashed."""
    words = [f"{first}{second}{n}" for n in range(12) for first in "abcd" for second in "wxyz"]
    sentences = [" ".join(words[n : n + 9]) for n in range(len(words) - 9)]
    haystacks = [" ".join(sentences[n : n + 3]) for n in range(len(sentences) - 3)] * 2
    patterns = [*sentences, *words, "no such text, long enough for a window of its own"]
    expected = {(p, h) for p, a in enumerate(patterns) for h, b in enumerate(haystacks) if a in b}
    assert len(expected) > 1_000
    assert expected == set(contained(patterns, haystacks, 0))


CHUNK = '{"chunk_id": "c", "doc_uri": "d", "text": "x"}'


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "invalid JSON"),
        ("[]", "missing chunks array"),
        ("{}", "missing chunks array"),
        ('{"chunks": 3}', "missing chunks array"),
        ('{"chunks": [', "invalid JSON"),
        (f'{{"chunks": [{CHUNK},]}}', "invalid JSON"),
        (f'{{"chunks": [{CHUNK}', "invalid JSON"),
        (f'{{"chunks": [{CHUNK}]', "invalid JSON"),
        (f'{{"chunks": [{CHUNK}]}} x', "invalid JSON"),
        (f'{{"chunks": [{CHUNK}, {CHUNK}]}}', "duplicate chunk_id c"),
        ('{"chunks": [1]}', "a chunk must be a JSON object"),
        ('{"chunks": [{"chunk_id": "c", "doc_uri": "d"}]}', "neither text nor text_sha"),
        ('{"chunks": [{"doc_uri": "d", "text": "x"}]}', "missing chunk_id"),
        ('{"chunks": [{"chunk_id": "c", "doc_uri": "d", "text": NaN}]}', "NaN is not JSON"),
        (f'{{"chunks": [{CHUNK}], "x": 1e999}}', "1e999 is not JSON"),
        (f'{{"chunks": [{CHUNK}], "chunks": []}}', "chunks"),
        (
            '{"chunks": [{"chunk_id": "c", "doc_uri": "d", "text": "\\ud83d"}]}',
            "a lone surrogate is not text",
        ),
    ],
)
def test_a_single_object_that_cannot_be_used_is_one_line(
    tmp_path: Path, content: str, expected: str
) -> None:
    """As for a file that is read whole."""
    path = tmp_path / "corpus.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        list(SnapshotFile(path))
    assert str(error.value).startswith("corpus")
    assert expected in str(error.value)
    assert "\n" not in error.value.display
