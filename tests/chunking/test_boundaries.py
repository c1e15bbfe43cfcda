"""Where a text may be cut."""

from __future__ import annotations

from evergold.chunking.boundaries import Boundaries, boundaries

TEXT = 'One.  \n\n \n Two\nthree. "Four." Five'


def _gaps(level: Boundaries) -> list[tuple[int, int]]:
    return list(zip(level.gap_starts, level.next_starts, strict=True))


def test_each_level_has_its_gaps() -> None:
    """Paragraphs, lines, sentences and words, each with the white space that it covers."""
    paragraphs, lines, sentences, words = boundaries(TEXT)
    assert 11 in [after for _, after in _gaps(paragraphs)]
    assert 1 == len(_gaps(paragraphs))
    assert [(4, 11), (14, 15)] == _gaps(lines)
    assert [(4, 11), (21, 22), (29, 30)] == _gaps(sentences)
    assert [(4, 11), (14, 15), (21, 22), (29, 30)] == _gaps(words)


def test_a_decimal_point_ends_no_sentence() -> None:
    """A full stop without white space behind it is no border."""
    *_, sentences, _ = boundaries("1.5 or e.g.this? Yes.")
    assert [(16, 17)] == _gaps(sentences)


def test_an_ideographic_full_stop_is_a_border_by_itself() -> None:
    """No white space is needed behind it; an empty gap is a gap."""
    *_, sentences, _ = boundaries("一。二！ 三")
    assert [(2, 2), (4, 5)] == _gaps(sentences)


def test_a_text_without_borders_has_none() -> None:
    """One word has no place to cut."""
    assert [[], [], [], []] == [_gaps(level) for level in boundaries("word")]


def test_the_last_cut_lies_after_and_until() -> None:
    """The last gap that begins in (after, until] is found, or none."""
    level = Boundaries([4, 9, 20], [6, 10, 25])
    assert (9, 10) == level.last_cut(after=0, until=19)
    assert (9, 10) == level.last_cut(after=4, until=9)
    assert (20, 25) == level.last_cut(after=4, until=20)
    assert None is level.last_cut(after=9, until=19)
    assert None is level.last_cut(after=0, until=3)


def test_the_first_start_lies_within() -> None:
    """The first piece that starts in [at_least, before) is found, or none."""
    level = Boundaries([4, 9, 20], [6, 10, 25])
    assert 6 == level.first_start(at_least=0, before=7)
    assert 6 == level.first_start(at_least=6, before=30)
    assert 10 == level.first_start(at_least=7, before=30)
    assert None is level.first_start(at_least=7, before=10)
    assert None is level.first_start(at_least=26, before=90)
