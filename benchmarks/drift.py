"""Drift of large label sets beside retrieval-eval: seconds and memory of whole processes.

    python benchmarks/drift.py                        a small set of each kind
    python benchmarks/drift.py --full                 also the large ones (2 GB of disk)
    python benchmarks/drift.py --judgments J --corpus C

Each set is made by a generator with a fixed seed: documents of equal size in random words, and
of 100 labels 40 with a live id, 20 with the text of a live chunk, 15 with half of one, 15 with
two joined, 10 with a text that is nowhere (or 100 of these, for sets named `orphan`). Runs of
the tools alternate; printed are medians, and the ratio to `retrieval-eval drift` (0.1.1, from
the same environment) on the single JSON object. A peer that takes longer than `--timeout`
seconds is stopped. Peak memory is that of the child process.
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path

from evergold.identity import chunk_id, text_sha

PREFIXES = ["re", "con", "pro", "in", "ex", "sub", "ad", "per", "trans", "de"]
STEMS = [
    "fund",
    "tract",
    "duct",
    "voice",
    "port",
    "mit",
    "vert",
    "form",
    "cede",
    "ply",
    "serve",
    "tain",
    "pose",
    "dict",
]
CHARACTERS = 400
PEER = Path(sys.executable).with_name("retrieval-eval")
OURS = (
    "import sys; from pathlib import Path\n"
    "from evergold.formats.corpus import SnapshotFile\n"
    "from evergold.formats.findings import write_findings\n"
    "from evergold.formats.judgments import read_judgments\n"
    "from evergold.labels.drift import drift\n"
    "labels, corpus, out = map(Path, sys.argv[1:])\n"
    "write_findings(out, drift(read_judgments(labels), SnapshotFile(corpus)))\n"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A set to be made: how many labels, chunks and documents."""

    name: str
    labels: int
    chunks: int
    documents: int
    orphans: bool = False


SMALL = (
    Case("mixed", 1_000, 10_000, 1_000),
    Case("one document", 1_000, 10_000, 1),
    Case("one document, orphan", 1_000, 10_000, 1, orphans=True),
)
LARGE = (
    Case("one document, large", 100_000, 94_000, 1),
    Case("large", 100_000, 1_000_000, 100_000),
)


def main() -> None:
    """Print one table row for each set and tool."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--full", action="store_true", help="also the large sets")
    parser.add_argument("--judgments", type=Path, help="a judgments file, in place of made sets")
    parser.add_argument("--corpus", type=Path, help="its corpus")
    parser.add_argument("--runs", type=int, default=3, help="runs of each tool")
    parser.add_argument(
        "--timeout", type=float, default=120, help="seconds, then a peer is stopped"
    )
    options = parser.parse_args()

    print("| set | tool | seconds | MiB | ratio to the peer |")
    print("|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.judgments and options.corpus:
            measure("given", options.judgments, [options.corpus], folder, options)
            return
        for case in (*SMALL, *LARGE) if options.full else SMALL:
            labels, corpora = folder / "judgments.jsonl", make(case, folder)
            measure(case.name, labels, corpora, folder, options)


def measure(
    name: str, labels: Path, corpora: Sequence[Path], folder: Path, options: argparse.Namespace
) -> None:
    """Run the tools in turn and print the medians of each."""
    findings = str(folder / "findings.json")
    commands = {
        f"evergold {path.suffix}": [sys.executable, "-c", OURS, str(labels), str(path), findings]
        for path in corpora
    }
    peer = [str(PEER), "drift", "--judgments", str(labels), "--corpus", str(corpora[0]), "--json"]
    commands["retrieval-eval"] = peer
    found: dict[str, list[tuple[float, float]]] = {tool: [] for tool in commands}
    stopped = set()
    for _ in range(options.runs):
        for tool in commands.keys() - stopped:
            run = timed(commands[tool], options.timeout)
            if run is None:
                stopped.add(tool)
            else:
                found[tool].append(run)
    base = statistics.median(seconds for seconds, _ in found["retrieval-eval"] or [(nan, nan)])
    for tool, runs in found.items():
        if tool in stopped:
            print(f"| {name} | {tool} | over {options.timeout:.0f} | | |", flush=True)
            continue
        seconds = statistics.median(seconds for seconds, _ in runs)
        memory = statistics.median(memory for _, memory in runs)
        ratio = "" if isnan(base) else f"{seconds / base:.2f}"
        print(f"| {name} | {tool} | {seconds:.2f} | {memory:.0f} | {ratio} |", flush=True)


def timed(command: Sequence[str], timeout: float) -> tuple[float, float] | None:
    """Return seconds and peak memory in MiB of a process, None if it was stopped."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        seconds = time.monotonic() - started
        if pid:
            break
        if seconds > timeout:
            process.kill()
            os.wait4(process.pid, 0)
            process.returncode = -1
            return None
        time.sleep(0.005)
    process.returncode = os.waitstatus_to_exitcode(status)
    # The peer answers 1 where labels have decayed.
    if process.returncode not in (0, 1) or (process.returncode and command[0] == sys.executable):
        message = process.stderr.read().decode() if process.stderr else ""
        raise SystemExit(f"{command[0]} failed: {message}")
    return seconds, usage.ru_maxrss / 1024


def make(case: Case, folder: Path) -> list[Path]:
    """Write the labels of a set, and its corpus in both forms; return the paths of these."""
    per_document = case.chunks // case.documents
    choice = random.Random(7)
    texts = [text(number, choice) for number in range(per_document * case.documents)]
    ids = [
        chunk_id(uri(number // per_document), "r", number % per_document, words, "made/1")
        for number, words in enumerate(texts)
    ]
    rows = (
        json.dumps(
            {
                "chunk_id": ids[number],
                "doc_uri": uri(number // per_document),
                "doc_revision": "r",
                "ordinal": number % per_document,
                "text": words,
                "text_sha": text_sha(words),
            }
        )
        for number, words in enumerate(texts)
    )
    paths = [folder / "corpus.json", folder / "corpus.jsonl"]
    with paths[0].open("w") as whole, paths[1].open("w") as lines:
        whole.write('{"corpus_fingerprint":"made/1","chunks":[\n')
        lines.write(json.dumps({"corpus_fingerprint": "made/1", "chunks": len(texts)}) + "\n")
        for number, row in enumerate(rows):
            whole.write((",\n" if number else "") + row)
            lines.write(row + "\n")
        whole.write("\n]}\n")
    with (folder / "judgments.jsonl").open("w") as stream:
        stream.writelines(labels(case, texts, ids, choice))
    return paths


def labels(
    case: Case, texts: Sequence[str], ids: Sequence[str], choice: random.Random
) -> Iterator[str]:
    """Yield the lines of a judgments file."""
    per_document = case.chunks // case.documents
    for number in range(case.labels):
        # A prime step visits every part of the corpus.
        place = number * 7919 % len(texts)
        last = place % per_document == per_document - 1
        share = 99 if case.orphans else number % 100
        stale = f"c1:{number:032x}"
        if share < 40:
            judged, stale = texts[place], ids[place]
        elif share < 60:
            judged = texts[place]
        elif share < 75:
            judged = texts[place][: CHARACTERS // 2].strip()
        elif share < 90:
            judged = (
                f"{texts[place - 1]}\n\n{texts[place]}"
                if last
                else "\n\n".join(texts[place : place + 2])
            )
        else:
            judged = text(-1 - number, choice)
        row = {
            "query_id": f"q{number // 10}",
            "doc_uri": uri(place // per_document),
            "chunk_id": stale,
            "relevance": number % 3,
            "chunk_text": judged,
            "text_sha": text_sha(judged),
        }
        yield json.dumps(row) + "\n"


def text(number: int, choice: random.Random) -> str:
    """Return random words behind a number that no other text has."""
    words = " ".join(choice.choice(PREFIXES) + choice.choice(STEMS) for _ in range(CHARACTERS // 7))
    return f"[{number}] {words}"[:CHARACTERS].strip()


def uri(document: int) -> str:
    """Return the name of a document."""
    return f"kb://document/{document:07d}"


if __name__ == "__main__":
    main()
