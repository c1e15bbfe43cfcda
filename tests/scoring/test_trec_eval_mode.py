"""trec_eval by its own names and rules: its printed files, its Python binding, small literals."""

from __future__ import annotations

from math import log2
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.formats.qrels import read_qrels
from evergold.labels.absorb import with_absorbed
from evergold.model import Absorbed, Judgment, Ranking
from evergold.scoring.trec_eval import trec_eval_scores

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec-eval-golden"
CUTOFFS = (1, 2, 5, 10)
EXACT = 1e-12

Grades = dict[str, dict[str, int]]
Retrieved = dict[str, dict[str, float]]


def _run(retrieved: Retrieved, depth: int | None = None) -> list[Ranking]:
    """Return rankings by score descending, then id descending."""
    return [
        Ranking(
            query_id,
            tuple(
                key
                for _, key in sorted(((s, key) for key, s in keys.items()), reverse=True)[:depth]
            ),
        )
        for query_id, keys in retrieved.items()
    ]


def _labels(grades: Grades) -> list[Judgment]:
    return [
        Judgment(query_id, key, grade)
        for query_id, keys in grades.items()
        for key, grade in keys.items()
    ]


def _retrieved(name: str) -> Retrieved:
    found: Retrieved = {}
    for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines():
        query_id, _, key, _, value = line.split()[:5]
        found.setdefault(query_id, {})[key] = float(value)
    return found


def _printed(name: str) -> dict[tuple[str, str], str]:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    return {(query_id, name): value for name, query_id, value in map(str.split, lines)}


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the files of trec_eval are not at hand")
@pytest.mark.parametrize(
    ("output", "qrels", "results", "level", "complete", "depth"),
    [
        ("out.test", "qrels.test", "results.test", 1, False, None),
        ("out.test", "qrels.test.with-comments", "results.test", 1, False, None),
        ("out.comment.test", "qrels.comment.test", "results.comment.test", 1, False, None),
        ("out.test.a", "qrels.test", "results.test", 1, False, None),
        ("out.test.aq", "qrels.test", "results.test", 1, False, None),
        ("out.test.aqc", "qrels.test", "results.trunc", 1, True, None),
        ("out.test.aqcM", "qrels.test", "results.trunc", 1, True, 100),
        ("out.test.aql", "qrels.rel_level", "results.test", 2, False, None),
        ("out.test.meas_params", "qrels.test", "results.test", 1, False, None),
    ],
)
def test_its_own_test_files_print_the_same(
    output: str, qrels: str, results: str, level: int, complete: bool, depth: int | None
) -> None:
    """Each value that we have and it prints has its four decimals."""
    scores = trec_eval_scores(
        read_qrels(GOLDEN / qrels),
        _run(_retrieved(results), depth),
        (1, 2, 3, 5, 7, 10, 15, 20, 23, 30, 100, 200, 500, 1000, 2000),
        level,
        complete=complete,
    )
    ours = {
        (query_id, name): str(value) if name.startswith("num_") else f"{value:.4f}"
        for query_id, values in (*scores.per_query.items(), ("all", scores.overall))
        for name, value in values.items()
    }
    shared = {place: value for place, value in _printed(output).items() if place in ours}
    assert shared == {place: ours[place] for place in shared}
    assert len(shared) > 12


KEYS = st.sampled_from([f"d{number}" for number in range(12)])
GRADES = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(KEYS, st.integers(0, 4), min_size=1, max_size=8),
    min_size=1,
)


def _runs(scores: st.SearchStrategy[float]) -> st.SearchStrategy[Retrieved]:
    return st.dictionaries(
        st.sampled_from(["q1", "q2", "q3", "q9"]),
        st.dictionaries(KEYS, scores, min_size=1, max_size=12),
        min_size=1,
    )


@settings(deadline=None, max_examples=150)
@given(
    GRADES,
    _runs(st.floats(-9, 9, width=32)) | _runs(st.sampled_from([0.25, 0.5, 1.0])),
    st.integers(1, 3),
)
def test_every_value_is_that_of_its_python_binding(
    grades: Grades, retrieved: Retrieved, level: int
) -> None:
    """With and without ties, at every level, each query and each measure agree."""
    measures = {
        *("num_ret", "num_rel", "num_rel_ret", "map", "recip_rank", "ndcg"),
        *(f"{m}.1,2,5,10" for m in ("P", "recall", "ndcg_cut", "map_cut", "success")),
    }
    theirs = pytrec_eval.RelevanceEvaluator(grades, measures, level).evaluate(retrieved)
    ours = trec_eval_scores(_labels(grades), _run(retrieved), CUTOFFS, level).per_query
    assert set(theirs) == set(ours)
    for query_id, values in ours.items():
        assert theirs[query_id] == pytest.approx(values, abs=EXACT, rel=0)


def test_scores_are_compared_as_32_bit_floats_there() -> None:
    """0.1 and 0.1000000001 are tied there, and the greater id comes first; to us 0.1 is less."""
    retrieved = {"q": {"a": 0.1000000001, "b": 0.1}}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 1}}, {"recip_rank"})
    assert 0.5 == evaluator.evaluate(retrieved)["q"]["recip_rank"]
    ours = trec_eval_scores(_labels({"q": {"a": 1}}), _run(retrieved))
    assert 1.0 == ours.per_query["q"]["recip_rank"]


def test_the_gain_is_linear() -> None:
    """Grades 1, 3 at ranks 1, 2 against the order 3, 1."""
    scores = trec_eval_scores(_labels({"q": {"a": 1, "b": 3}}), [Ranking("q", ("a", "b"))], (2,))
    expected = (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert expected == scores.per_query["q"]["ndcg_cut_2"]
    assert expected == scores.per_query["q"]["ndcg"]


def test_a_query_with_zeros_only_counts() -> None:
    """Of two queries one has nothing relevant: every mean is halved."""
    labels = _labels({"q1": {"a": 1}, "q2": {"a": 0}})
    scores = trec_eval_scores(labels, [Ranking("q1", ("a",)), Ranking("q2", ("a",))], (1,))
    assert 2 == scores.overall["num_q"]
    assert 0.5 == scores.overall["map"]
    assert 0.5 == scores.overall["recall_1"]


def test_a_query_that_the_run_lacks_counts_only_if_complete() -> None:
    """`-c` averages over all judged queries, the default over those of both files."""
    labels = _labels({"q1": {"a": 1}, "q2": {"a": 1, "b": 1}})
    run = [Ranking("q1", ("a",)), Ranking("q9", ("a",))]
    shared = trec_eval_scores(labels, run, (1,))
    assert (1, 1, 1.0) == tuple(shared.overall[name] for name in ("num_q", "num_rel", "map"))
    everything = trec_eval_scores(labels, run, (1,), complete=True)
    assert (2, 3, 0.5) == tuple(everything.overall[name] for name in ("num_q", "num_rel", "map"))
    assert ["q1"] == list(everything.per_query)


def test_the_best_label_of_a_key_counts() -> None:
    """Alternatives and absorbed labels are what their rows in qrels would say."""
    row = with_absorbed(
        Judgment("q", "d", 3, chunk_id="a"), [Absorbed(1, Judgment("q", "d", 1, chunk_id="a"))]
    )
    labels = [
        row,
        Judgment("q", "d", 1, chunk_id="b", need="x"),
        Judgment("q", "d", 2, chunk_id="c", need="x"),
    ]
    scores = trec_eval_scores(labels, [Ranking("q", ("b", "c"))], (2,))
    assert 3 == scores.overall["num_rel"]
    assert 1.0 == scores.overall["P_2"]
    expected = (1 + 2 / log2(3)) / (3 + 2 / log2(3))
    assert expected == scores.overall["ndcg_cut_2"]


def test_without_a_shared_query_there_is_no_mean() -> None:
    """Only the number of queries is known."""
    assert {"num_q": 0} == trec_eval_scores(
        _labels({"q": {"a": 1}}), [Ranking("p", ("a",))]
    ).overall
