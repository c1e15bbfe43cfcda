"""Small files of the kinds that break evaluation tools: the right value, or one line that refuses.

Each stands here as it is; the test at the end says whether a collection of such files, where there
is one, holds any that is not here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from evergold.errors import InputError
from evergold.formats.judgments import read_judgments
from evergold.formats.qrels import read_consistent_qrels, read_qrels
from evergold.formats.runs import read_run
from evergold.formats.trec_run import read_trec_run
from evergold.identity import unicode_twins
from evergold.model import Ranking
from evergold.scoring.trec_eval import trec_eval_scores

AWKWARD = Path(__file__).resolve().parents[3] / "shared" / "data" / "awkward-files"

QRELS: dict[str, tuple[bytes, list[tuple[str, str, int]]]] = {
    "empty.txt": (b"", []),
    "qrels_abc.txt": (
        b"1 0 a 0\n1 0 b 1\n1 0 c 0\n",
        [("1", "a", 0), ("1", "b", 1), ("1", "c", 0)],
    ),
    "qrels_bom.txt": (b"\xef\xbb\xbf1 0 b 1\n", [("1", "b", 1)]),
    "qrels_comments.txt": (b"#c\n1 0 b 1 # note\n", [("1", "b", 1)]),
    "qrels_crlf_tabs.txt": (
        b"1\t0\tb\t1\r\n1\t0\ta\t0\r\n",
        [("1", "b", 1), ("1", "a", 0)],
    ),
    "qrels_hash_docid.txt": (b"1 0 d#1 1\n", [("1", "d#1", 1)]),
    "qrels_many.txt": (b"q1 0 d05 1\nq1 0 d25 1\n", [("q1", "d05", 1), ("q1", "d25", 1)]),
    "qrels_negative_grade.txt": (b"1 0 b -1\n1 0 a 1\n", [("1", "b", 0), ("1", "a", 1)]),
    "qrels_nfc.txt": (b"1 0 caf\xc3\xa9 1\n", [("1", "caf\u00e9", 1)]),
    "qrels_no_overlap.txt": (b"2 0 b 1\n", [("2", "b", 1)]),
    "qrels_none_relevant.txt": (b"1 0 b 0\n1 0 a 0\n", [("1", "b", 0), ("1", "a", 0)]),
    "qrels_one.txt": (b"1 0 b 1\n", [("1", "b", 1)]),
    "qrels_two_queries.txt": (b"1 0 b 1\n2 0 b 1\n", [("1", "b", 1), ("2", "b", 1)]),
}

REFUSED_QRELS = {
    "qrels_duplicate_contradicting.txt": (
        b"1 0 b 1\n1 0 b 0\n",
        "qrels:2: query 1 and document b have grade 0 here and 1 on line 1",
    ),
    "qrels_float_grade.txt": (b"1 0 b 1.0\n", "qrels:1: relevance '1.0' is not an integer"),
}

THIRTY = [f"d{number:02}" for number in range(1, 31)]

RUNS = {
    "run_hash_docid.txt": (b"1 Q0 d#1 1 0.5 r\n", [Ranking("1", ("d#1",))]),
    "run_many_same_score.txt": (
        "".join(f"q1 Q0 {key} {int(key[1:])} 1.0 r\n" for key in THIRTY).encode(),
        [Ranking("q1", tuple(reversed(THIRTY)), tuple(range(1, 30)))],
    ),
    "run_nfd.txt": (b"1 Q0 cafe\xcc\x81 1 0.5 r\n", [Ranking("1", ("cafe\u0301",))]),
    "run_no_final_newline.txt": (b"1 Q0 b 1 0.5 r", [Ranking("1", ("b",))]),
    "run_numeric_ids_leading_zero.txt": (
        b"007 Q0 0012 1 0.9 r\n7 Q0 12 1 0.9 r\n",
        [Ranking("007", ("0012",)), Ranking("7", ("12",))],
    ),
    "run_rank_against_score.txt": (
        b"1 Q0 a 1 0.2 r\n1 Q0 b 2 0.9 r\n",
        [Ranking("1", ("b", "a"))],
    ),
    "run_scores_above_2p24.txt": (
        b"1 Q0 a 1 16777217 r\n1 Q0 b 2 16777216 r\n",
        [Ranking("1", ("a", "b"))],
    ),
    "run_ties_b_a.txt": (
        b"1 Q0 b 1 1.0 r\n1 Q0 a 2 1.0 r\n",
        [Ranking("1", ("b", "a"), (1,))],
    ),
    "run_ties_b_c.txt": (
        b"1 Q0 b 1 1.0 r\n1 Q0 c 2 1.0 r\n",
        [Ranking("1", ("c", "b"), (1,))],
    ),
}

FIELDS = "expected 6 fields (query Q0 key rank score tag), got"

REFUSED_RUNS = {
    "run_decimal_comma.txt": (
        b"1 Q0 b 1 0,5 r\n1 Q0 a 2 0.3 r\n",
        "run:1: score '0,5' is not a finite decimal number",
    ),
    "run_duplicate_doc.txt": (
        b"1 Q0 b 1 0.5 r\n1 Q0 b 2 0.4 r\n",
        "run:2: duplicate entry for query 1 and key b, already on line 1",
    ),
    "run_five_fields.txt": (b"1 Q0 b 1 0.5", f"run:1: {FIELDS} 5"),
    "run_ids_with_slash_percent.txt": (
        b"q1 Q0 docs/a%20b.md#intro 1 0.9 r\nq1 Q0 docs/a b.md 2 0.8 r\n",
        f"run:2: {FIELDS} 7",
    ),
    "run_inf.txt": (
        b"1 Q0 b 1 inf r\n1 Q0 a 2 0.5 r\n",
        "run:1: score 'inf' is not a finite decimal number",
    ),
    "run_nan.txt": (
        b"1 Q0 b 1 nan r\n1 Q0 a 2 0.5 r\n1 Q0 c 2 0.4 r\n",
        "run:1: score 'nan' is not a finite decimal number",
    ),
    "run_space_in_docid.txt": (
        b"1 Q0 my doc 1 0.5 r\n1 Q0 b 2 0.4 r\n",
        f"run:1: {FIELDS} 7",
    ),
}

# The fields have other names in these: no grade is guessed from them.
NO_GRADE = "judgments:1: relevance must be a non-negative integer"
DUPLICATE = (
    b'{"query_id":"q1","doc_uri":"d.md","text":"x","grade":1}\n'
    b'{"query_id":"q1","doc_uri":"d.md","text":"x","grade":0}\n'
)
EMPTY_QUERY = (
    b'{"query_id":"","query":"","doc_uri":"d.md","text":"x","grade":1}\n'
    b'{"query_id":"q2","query":"   ","doc_uri":"d.md","text":"","grade":1}\n'
    b'{"query_id":"q3","query":"ok","doc_uri":"d.md","text":"x","grade":null}\n'
)
REFUSED_LABELS = {
    "judgments_bom.jsonl": (
        b'\xef\xbb\xbf{"query_id":"q1","doc_uri":"d.md","text":"x","grade":1}\n',
        NO_GRADE,
    ),
    "judgments_duplicate.jsonl": (
        DUPLICATE,
        NO_GRADE,
    ),
    "judgments_empty_query.jsonl": (
        EMPTY_QUERY,
        "judgments:1: missing query_id",
    ),
}

CONTENTS = {
    name: content
    for table in (QRELS, REFUSED_QRELS, RUNS, REFUSED_RUNS, REFUSED_LABELS)
    for name, (content, _) in table.items()
}


def _file(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(CONTENTS[name])
    return path


@pytest.mark.parametrize("name", QRELS)
def test_qrels_give_their_rows(tmp_path: Path, name: str) -> None:
    """As editors and tools leave them."""
    rows = read_qrels(_file(tmp_path, name))
    assert QRELS[name][1] == [(row.query_id, row.doc_uri, row.relevance) for row in rows]


@pytest.mark.parametrize("name", REFUSED_QRELS)
def test_qrels_without_one_meaning_are_refused(tmp_path: Path, name: str) -> None:
    """With the line."""
    with pytest.raises(InputError) as error:
        read_consistent_qrels(_file(tmp_path, name))
    assert REFUSED_QRELS[name][1] == str(error.value)


@pytest.mark.parametrize("name", RUNS)
def test_runs_give_their_rankings(tmp_path: Path, name: str) -> None:
    """By score, then by key."""
    assert RUNS[name][1] == list(read_run(_file(tmp_path, name)))


@pytest.mark.parametrize("name", REFUSED_RUNS)
def test_runs_without_one_meaning_are_refused(tmp_path: Path, name: str) -> None:
    """With the line."""
    with pytest.raises(InputError) as error:
        read_run(_file(tmp_path, name))
    assert REFUSED_RUNS[name][1] == str(error.value)


@pytest.mark.parametrize("name", REFUSED_LABELS)
def test_labels_without_a_grade_are_refused(tmp_path: Path, name: str) -> None:
    """With the line."""
    with pytest.raises(InputError) as error:
        read_judgments(_file(tmp_path, name))
    assert REFUSED_LABELS[name][1] == str(error.value)


@pytest.mark.parametrize(
    ("qrels", "run", "values"),
    [
        # What trec_eval 10.0 prints: map, recip_rank, P_10, ndcg.
        ("abc", "ties_b_a", (1.0, 1.0, 0.1, 1.0)),
        ("abc", "ties_b_c", (0.5, 0.5, 0.1, 0.6309)),
        ("abc", "rank_against_score", (1.0, 1.0, 0.1, 1.0)),
        ("crlf_tabs", "ties_b_a", (1.0, 1.0, 0.1, 1.0)),
        ("hash_docid", "hash_docid", (1.0, 1.0, 0.1, 1.0)),
        ("negative_grade", "ties_b_a", (0.5, 0.5, 0.1, 0.6309)),
        ("none_relevant", "ties_b_a", (0.0, 0.0, 0.0, 0.0)),
        ("no_overlap", "ties_b_a", (0.0, 0.0, 0.0, 0.0)),
        ("two_queries", "ties_b_a", (0.5, 0.5, 0.05, 0.5)),
        ("one", "no_final_newline", (1.0, 1.0, 0.1, 1.0)),
        ("many", "many_same_score", (0.1218, 0.1667, 0.1, 0.3474)),
        # Not so in trec_eval, which takes the mark for a part of the id,
        ("bom", "ties_b_a", (1.0, 1.0, 0.1, 1.0)),
        # stops at comments,
        ("comments", "ties_b_a", (1.0, 1.0, 0.1, 1.0)),
        # and compares scores as 32-bit floats, so that `b` comes first.
        ("abc", "scores_above_2p24", (0.5, 0.5, 0.1, 0.6309)),
    ],
)
def test_values_are_those_of_trec_eval(
    tmp_path: Path, qrels: str, run: str, values: tuple[float, ...]
) -> None:
    """To the printed digits, where it reads the files."""
    labels = read_qrels(_file(tmp_path, f"qrels_{qrels}.txt"))
    found = trec_eval_scores(labels, read_run(_file(tmp_path, f"run_{run}.txt")), complete=True)
    names = ("map", "recip_rank", "P_10", "ndcg")
    assert values == tuple(round(found.overall[name], 4) for name in names)


def test_ids_of_two_normalizations_are_told_apart_and_named(tmp_path: Path) -> None:
    """They score 0, and one can see why."""
    labels = read_qrels(_file(tmp_path, "qrels_nfc.txt"))
    run = read_run(_file(tmp_path, "run_nfd.txt"))
    assert 0 == trec_eval_scores(labels, run).overall["num_rel_ret"]
    keys = [key for ranking in run for key in ranking.keys]
    assert (("cafe\u0301", "caf\u00e9"),) == unicode_twins(keys, [row.key for row in labels])


def test_an_empty_file_is_an_empty_run(tmp_path: Path) -> None:
    """Of either form."""
    path = _file(tmp_path, "empty.txt")
    assert () == read_run(path) == read_trec_run(path)


@pytest.mark.skipif(not AWKWARD.is_dir(), reason="the awkward files are not at hand")
def test_every_file_of_the_collection_stands_here() -> None:
    """With the same bytes."""
    texts = {"README.md", "TREC_EVAL_10_BEHAVIOUR.txt"}
    found = {path.name: path.read_bytes() for path in AWKWARD.iterdir() if path.name not in texts}
    assert CONTENTS == found
