"""How long, and in how much memory, a whole process reads labels and a run and scores them.

    python -m venv peers
    peers/bin/pip install pytrec-eval-terrier ir_measures ranx toolkit-rag-quality retrieval-eval==0.1.1
    PYTHONPATH=src python benchmarks/score.py --peers peers/bin/python

Every contender computes precision, recall, nDCG, reciprocal rank, average precision and hit rate
at 10 from the same labels and run, as JSON Lines or as TREC files; what has no reader for a form
gets the shortest one there is. Processes take turns; each cell is the median, in seconds and as a
ratio to evergold on the same form, and the greatest peak of resident memory. The first ranx of a
machine compiles for a minute: it is run once before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHAPES = ((10_000, 100), (100_000, 10))
# Of the labels of a query four are relevant and two are zeros.
GRADES = (3, 2, 1, 1, 0, 0)

_PYTREC = """
names = {"P.10", "recall.10", "ndcg_cut.10", "recip_rank", "map_cut.10", "success.10"}
found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
for name in next(iter(found.values())):
    print(name, pytrec_eval.compute_aggregated_measure(name, [row[name] for row in found.values()]))
"""
_EVERGOLD = """
for name, measurement in evergold.score(labels, evergold.read_run(Path(run)), (10,)).metrics.items():
    print(name, measurement.value)
"""
CONTENDERS = {
    "jsonl": {
        "evergold": "import evergold\nlabels = evergold.read_judgments(Path(labels))" + _EVERGOLD,
        "retrieval-eval": """
import retrieval_eval
labels = retrieval_eval.parse_judgments(Path(labels).read_text())
print(retrieval_eval.score(labels, retrieval_eval.parse_run(Path(run).read_text()), k=10).metrics)
""",
        "pytrec_eval": """
import json, pytrec_eval
qrels = {}
for row in map(json.loads, open(labels)):
    qrels.setdefault(row["query_id"], {})[row["chunk_id"]] = row["relevance"]
run = {
    row["query_id"]: {key: float(-rank) for rank, key in enumerate(row["ranking"])}
    for row in map(json.loads, open(run))
}"""
        + _PYTREC,
    },
    "trec": {
        "evergold": "import evergold\nlabels = evergold.read_qrels(Path(labels))" + _EVERGOLD,
        "pytrec_eval": """
import pytrec_eval
qrels, run = pytrec_eval.parse_qrel(open(labels)), pytrec_eval.parse_run(open(run))"""
        + _PYTREC,
        "ir_measures": """
import ir_measures
from ir_measures import AP, RR, P, R, Success, nDCG
qrels, run = ir_measures.read_trec_qrels(labels), ir_measures.read_trec_run(run)
names = [P @ 10, R @ 10, nDCG @ 10, RR @ 10, AP @ 10, Success @ 10]
print(ir_measures.calc_aggregate(names, qrels, run))
""",
        "ranx": """
import ranx
qrels, run = ranx.Qrels.from_file(labels, kind="trec"), ranx.Run.from_file(run, kind="trec")
names = ["precision@10", "recall@10", "ndcg@10", "mrr@10", "map@10", "hit_rate@10"]
print(ranx.evaluate(qrels, run, names, make_comparable=True))
""",
        "toolkit-rag-quality": """
import sys
from toolkit_rag_quality.cli import main
main(["score", "--queries", labels, "--retrieved", run, "--k", "10", "--out", "/dev/null"])
""",
    },
}


def main() -> None:
    """Print one table for each shape and form."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", type=Path, help="a Python that has the peers; without, only us")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", help="names of contenders")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for queries, depth in SHAPES:
            paths = generate(Path(folder), queries, depth)
            for form, contenders in CONTENDERS.items():
                chosen = {
                    name: code
                    for name, code in contenders.items()
                    if (name == "evergold" or arguments.peers)
                    and name in (arguments.only or contenders)
                }
                print(f"\n{queries:,} queries x {depth} results, {form}")
                report(chosen, paths[form], arguments.peers, arguments.repeats)


def report(
    contenders: dict[str, str], paths: tuple[Path, Path], peers: Path | None, repeats: int
) -> None:
    """Run the contenders in turns and print seconds, the ratio to ours, and MiB."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    memory = dict.fromkeys(contenders, 0.0)
    if "ranx" in contenders:
        measured(contenders["ranx"], paths, peers)
    for _ in range(repeats):
        for name, code in contenders.items():
            found = measured(code, paths, None if name == "evergold" else peers)
            if found is not None:
                seconds[name].append(found[0])
                memory[name] = max(memory[name], found[1])
    ours = statistics.median(seconds["evergold"]) if seconds.get("evergold") else None
    for name, times in seconds.items():
        if not times:
            print(f"  {name:20} failed")
            continue
        median = statistics.median(times)
        ratio = f"{median / ours:6.2f}" if ours else "     -"
        spread = f"{min(times):.2f} to {max(times):.2f}"
        print(f"  {name:20} {median:7.2f} s ({spread})  {ratio} x  {memory[name]:6.0f} MiB")


def measured(code: str, paths: tuple[Path, Path], peers: Path | None) -> tuple[float, float] | None:
    """Return seconds and peak MiB of one process, None where it failed."""
    labels, run = map(str, paths)
    setting = f"from pathlib import Path\nlabels, run = {labels!r}, {run!r}\n"
    python = str(peers) if peers else sys.executable
    begin = time.perf_counter()
    process = subprocess.Popen([python, "-c", setting + code], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    return None if process.returncode else (elapsed, usage.ru_maxrss / 1024)


def generate(folder: Path, queries: int, depth: int) -> dict[str, tuple[Path, Path]]:
    """Write labels and a run in both forms; return the pair of paths of each."""
    source = random.Random(queries)
    paths = {
        form: (folder / f"labels-{queries}.{form}", folder / f"run-{queries}.{form}")
        for form in ("jsonl", "trec")
    }
    with (
        paths["jsonl"][0].open("w") as labels,
        paths["jsonl"][1].open("w") as run,
        paths["trec"][0].open("w") as qrels,
        paths["trec"][1].open("w") as trec,
    ):
        for number in range(queries):
            query = f"q{number}"
            pool = [f"c{key:07d}" for key in source.sample(range(1_000_000), depth + len(GRADES))]
            judged = dict(zip(source.sample(pool[: 2 * depth], len(GRADES)), GRADES, strict=True))
            for key, grade in judged.items():
                row = {
                    "query_id": query,
                    "doc_uri": f"handbook://{key[:4]}",
                    "chunk_id": key,
                    "relevance": grade,
                    "labeled_by": "human:ana",
                }
                labels.write(json.dumps(row) + "\n")
                qrels.write(f"{query} 0 {key} {grade}\n")
            ranking = pool[:depth]
            run.write(json.dumps({"query_id": query, "ranking": ranking}) + "\n")
            for rank, key in enumerate(ranking, start=1):
                trec.write(f"{query} Q0 {key} {rank} {1 / rank:.6f} bench\n")
    return paths


if __name__ == "__main__":
    main()
