"""trec_eval as an oracle of scores: untied runs, one label a key."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from evergold.formats.qrels import read_qrels
from evergold.model import Judgment, Ranking
from evergold.scoring.score import score

GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "data" / "trec-eval-golden"
CUTOFFS = (1, 3, 5, 10)
NAMES = {
    "precision": "P_{k}",
    "recall": "recall_{k}",
    "ndcg": "ndcg_cut_{k}",
    "map": "map_cut_{k}",
    "hit_rate": "success_{k}",
}
# trec_eval adds in another order and with floats of its own.
CLOSE = 1e-9

Grades = dict[str, dict[str, int]]
Rankings = dict[str, list[str]]


def _trec(grades: Grades, rankings: Rankings, threshold: int) -> dict[str, dict[str, float]]:
    """Return what trec_eval says; its gain is linear, so it gets the gain 2^g - 1 as grade."""
    measures = {
        f"{name}.{','.join(map(str, CUTOFFS))}"
        for name in ("P", "recall", "ndcg_cut", "map_cut", "success")
    }
    gains = {q: {key: 2**grade - 1 for key, grade in keys.items()} for q, keys in grades.items()}
    run = {
        q: {key: float(len(keys) - place) for place, key in enumerate(keys)}
        for q, keys in rankings.items()
    }
    evaluator = pytrec_eval.RelevanceEvaluator(gains, measures, 2**threshold - 1)
    found: dict[str, dict[str, float]] = evaluator.evaluate(run)
    for k in CUTOFFS:  # its reciprocal rank knows no cutoff: the run is cut instead
        cut = {q: dict(list(keys.items())[:k]) for q, keys in run.items()}
        ranks = pytrec_eval.RelevanceEvaluator(gains, {"recip_rank"}, 2**threshold - 1)
        for query_id, values in ranks.evaluate(cut).items():
            found[query_id][f"recip_rank_{k}"] = values["recip_rank"]
    return found


def _ours(grades: Grades, rankings: Rankings, threshold: int) -> dict[str, dict[str, float]]:
    judgments = [
        Judgment(query_id, key, grade)
        for query_id, keys in grades.items()
        for key, grade in keys.items()
    ]
    run = [Ranking(query_id, tuple(keys)) for query_id, keys in rankings.items()]
    return {q: dict(v) for q, v in score(judgments, run, CUTOFFS, threshold).per_query.items()}


def _name(metric: str) -> str:
    name, _, k = metric.partition("@")
    return f"recip_rank_{k}" if name == "mrr" else NAMES[name].format(k=k)


KEYS = st.sampled_from([f"d{number}" for number in range(14)])


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(
        st.sampled_from(["q1", "q2"]),
        st.dictionaries(KEYS, st.integers(0, 4), min_size=1, max_size=10),
        min_size=1,
    ),
    st.lists(KEYS, min_size=1, max_size=14, unique=True),
    st.integers(1, 3),
)
def test_metrics_are_those_of_trec_eval(grades: Grades, ranking: list[str], threshold: int) -> None:
    """Every metric of every query agrees at every cutoff."""
    rankings = dict.fromkeys(grades, ranking)
    theirs = _trec(grades, rankings, threshold)
    for query_id, values in _ours(grades, rankings, threshold).items():
        expected = {metric: theirs[query_id][_name(metric)] for metric in values}
        assert expected == pytest.approx(values, abs=CLOSE)


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the files of trec_eval are not at hand")
def test_metrics_are_those_of_the_test_files_of_trec_eval() -> None:
    """On its own qrels and run we print what trec_eval prints, to its four decimals."""
    rows = [line.split() for line in (GOLDEN / "results.test").read_text().splitlines()]
    retrieved: dict[str, list[tuple[float, str]]] = {}
    for query_id, _, key, _, value, _ in rows:
        retrieved.setdefault(query_id, []).append((float(value), key))
    run = [
        Ranking(query_id, tuple(key for _, key in sorted(pairs, reverse=True)))
        for query_id, pairs in retrieved.items()
    ]
    ours = score(read_qrels(GOLDEN / "qrels.test"), run, (5, 10, 100)).per_query
    printed = {
        (query_id, name): value
        for name, query_id, value in (
            line.split() for line in (GOLDEN / "out.test.aq").read_text().splitlines()
        )
    }
    assert ["301", "302", "303"] == sorted(ours)
    for query_id, values in ours.items():
        for name in ("precision", "recall", "map", "hit_rate"):
            for k in (5, 10, 100):
                trec_name = NAMES[name].format(k=k)
                if (query_id, trec_name) in printed:
                    assert printed[query_id, trec_name] == f"{values[f'{name}@{k}']:.4f}"
