"""What is left of a label file when `drift --fix` is killed, runs out of disk or runs twice at once.

    python benchmarks/faults.py                  60,000 labels, 200 kills
    python benchmarks/faults.py --labels 2000 --kills 20

Each label is judged on a chunk whose id is gone and whose text stands elsewhere in the snapshot, so
that `--fix` rewrites every row. Printed are counts; the exit code is 1 where a file was neither the
old nor the new one, whole. The full disk is a file system in memory, which needs root to mount: it
is passed over elsewhere.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from evergold.identity import chunk_id, text_sha

SOURCE = Path(__file__).resolve().parents[1] / "src"
COMMAND = "from evergold.cli.main import main; main()"
FINGERPRINTS = ("fixed/400/0", "fixed/300/0")  # the live one, that of the labels


def main() -> None:
    """Try everything, print what became of the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--labels", type=int, default=60_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(Path(name), options.labels)
        print(f"{options.labels} labels, --fix alone: {trial.seconds:.1f} s")
        trial.kills(options.kills, random.Random(options.seed))
        for writers in (2, 8):
            trial.writers(writers)
        trial.full_disk()
    sys.exit(1 if trial.broken else 0)


class Trial:
    """A folder with labels that `--fix` changes, and what the file may be."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.corpus = folder / "corpus.jsonl"
        self.broken = 0
        self.old = _write(self.corpus, count)
        self.labels = self._fresh("whole")
        started = time.perf_counter()
        _, said = self._start(self.labels).communicate()
        self.seconds = time.perf_counter() - started
        self.new = self.labels.read_bytes()
        if self.new == self.old:
            sys.exit(f"--fix changed nothing: {said.decode()}")

    def kills(self, count: int, chance: random.Random) -> None:
        """Kill it at random moments, half of them near its end, each on a fresh file."""
        found: Counter[str] = Counter()
        for number in range(count):
            path = self._fresh(f"kill{number}")
            process = self._start(path)
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0.8 * (number % 2), 1.1) * self.seconds)
            found["had ended" if process.poll() is not None else "killed"] += 1
            process.kill()
            process.wait()
            found[self._state(path)] += 1
            found["parts left behind"] += len(list(path.parent.iterdir())) - 1
            shutil.rmtree(path.parent)
        print(f"{count} kills: {_shown(found)}")

    def writers(self, count: int) -> None:
        """Let several write at once, then look at the file and at what each said."""
        path = self._fresh(f"writers{count}")
        processes = [self._start(path) for _ in range(count)]
        codes = Counter(f"exit {process.wait()}" for process in processes)
        print(f"{count} writers: {self._state(path)}, {_shown(codes)}")

    def full_disk(self) -> None:
        """Write where no second copy of the file has room."""
        disk = self.folder / "disk"
        disk.mkdir()
        size = len(self.old) + len(self.old) // 2
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk]
        try:
            subprocess.run(mount, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            print("full disk: not tried, nothing can be mounted")
            return
        try:
            path = disk / "labels.jsonl"
            path.write_bytes(self.old)
            process = self._start(path)
            _, said = process.communicate()
            state = self._state(path)
            parts = len(list(disk.iterdir())) - 1
            print(f"full disk: {state}, exit {process.returncode}, {parts} parts left behind")
            print(f"  {said.decode().strip()}")
        finally:
            subprocess.run(["umount", disk], check=True)

    def _fresh(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir()
        (folder / "labels.jsonl").write_bytes(self.old)
        return folder / "labels.jsonl"

    def _start(self, path: Path) -> subprocess.Popen[bytes]:
        arguments = ["drift", "--fix", "--judgments", path, "--corpus", self.corpus]
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def _state(self, path: Path) -> str:
        data = path.read_bytes()
        if data in (self.old, self.new):
            return "old" if data == self.old else "new"
        self.broken += 1
        return "BROKEN"


def _write(corpus: Path, count: int) -> bytes:
    """Write a snapshot, return the labels of its texts under ids that are gone."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    labels = []
    with corpus.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps({"corpus_fingerprint": "f", "chunks": count}) + "\n")
        for number in range(count):
            uri, text = f"doc://{number // 50}", " ".join(chance.choices(words, k=50))
            new, old = (chunk_id(uri, "", number % 50, text, name) for name in FINGERPRINTS)
            chunk = {"chunk_id": new, "doc_uri": uri, "ordinal": number % 50, "text": text}
            stream.write(json.dumps(chunk) + "\n")
            label = {"query_id": f"q{number}", "doc_uri": uri, "chunk_id": old}
            label |= {"text_sha": text_sha(text), "chunk_text": text, "relevance": 1}
            labels.append(json.dumps(label) + "\n")
    return "".join(labels).encode()


def _shown(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    main()
