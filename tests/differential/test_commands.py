"""Each hundredth case on the command lines of both tools: files, JSON and exit codes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import retrieval_eval
from retrieval_eval.cli import main as published
from retrieval_eval.gate import worse_status

from evergold.errors import UsageError
from evergold.gates import parse_gate
from tests.cli.command import Shell
from tests.differential.answers import Answers, is_refused, our_answers, published_results
from tests.differential.asked import Asked, expected_answers
from tests.differential.cases import case_of
from tests.differential.deviations import DEVIATIONS
from tests.differential.test_differential import CASES, OF_COMMANDS, asked_of, differing

EVERY = 100


@dataclass(frozen=True, slots=True)
class Both:
    """The two command lines on the files of one case."""

    shell: Shell
    folder: Path
    asked: Asked
    expected: Answers
    met: Counter[str]

    def file(self, name: str) -> str:
        """Return the path of a file of the case."""
        return str(self.folder / name)

    def ours(self, *arguments: str) -> tuple[int, str, str]:
        """Run `evergold`."""
        return self.shell(*arguments)

    def theirs(self, *arguments: str) -> tuple[int, str]:
        """Run the published command."""
        code = published(list(arguments))
        return code, self.shell.capsys.readouterr().out

    def refusal(self, name: str) -> str | None:
        """Return the message where evergold refuses a file."""
        answer = self.expected[name]
        return str(answer[1]) if is_refused(answer) else None

    def refused(self, message: str, *arguments: str) -> list[str]:
        """Return what is wrong where a message and exit code 2 are due."""
        code, out, err = self.ours(*arguments)
        if (code, out) == (2, "") and err.startswith(f"error: {' '.join(message.splitlines())}"):
            return []
        return [f"{arguments[0]}: expected {message!r}, found {code} {err!r}"]


def _validate(both: Both) -> list[str]:
    arguments = ("validate", "--judgments", both.file("labels.jsonl"), "--json")
    message = both.refusal("labels")
    if message is not None:
        return both.refused(message, *arguments)
    code, out, _ = both.ours(*arguments)
    if is_refused(both.asked.labels):  # a byte order mark
        return []
    _, text = both.theirs(*arguments)
    expected = json.loads(text)
    issues = [issue for issues in both.expected["issues"] for issue in issues]
    expected["issues"] = [
        dict(zip(("severity", "code", "message"), issue, strict=True)) for issue in issues
    ]
    expected["ok"] = all(severity != "error" for severity, _, _ in issues)
    return [
        *differing(expected, json.loads(out), "validate"),
        *differing(0 if expected["ok"] else 1, code, "exit code of validate"),
    ]


def _drift(both: Both) -> list[str]:
    files = ("--judgments", both.file("labels.jsonl"), "--corpus", both.file("corpus.json"))
    message = both.refusal("labels")
    if message is None and both.expected["labels"] == "":
        message = "judgments:1: no judgments"
        both.met["no labels, or no chunks"] += 1
    message = message or both.refusal("corpus")
    if message is None and not both.expected["corpus"][2]:
        message = "corpus: no chunks"
        both.met["no labels, or no chunks"] += 1
    if message is not None:
        return both.refused(message, "drift", *files, "--json")
    if "drift" not in both.expected:  # a byte order mark
        return []
    code, out, _ = both.ours("drift", *files, "--json")
    their_code, text = both.theirs("drift", *files, "--json")
    expected = {**json.loads(text), "findings": both.expected["drift"]["findings"]}
    lines = differing(expected, json.loads(out), "drift")
    lines += differing(their_code, code, "exit code of drift")
    return lines + _fix(both, files)


def _fix(both: Both, files: tuple[str, ...]) -> list[str]:
    path = Path(both.file("labels.jsonl"))
    before = path.read_bytes()
    corpus = retrieval_eval.parse_corpus(both.asked.case.corpus)
    code, out, _ = both.ours("drift", *files, "--fix=spec", "--json")
    ours = path.read_text(encoding="utf-8")
    path.write_bytes(before)
    their_code, text = both.theirs("drift", *files, "--fix", "--json")
    theirs = path.read_text(encoding="utf-8")
    path.write_bytes(before)
    fixed = retrieval_eval.parse_judgments(theirs)
    lines = differing(
        [label.to_dict() for label in fixed],
        [label.to_dict() for label in retrieval_eval.parse_judgments(ours)],
        "fix",
    )
    kept = {*before.decode().splitlines(), *theirs.splitlines()}
    both.met["writing of a fix"] += ours != theirs
    if "need" not in ours and "anchor" not in ours:
        lines += [f"fix: {row!r} is new" for row in ours.splitlines() if row not in kept]
    after = 1 if retrieval_eval.drift(fixed, corpus).summary.invalid_ratio else 0
    both.met["exit code after a fix"] += after != their_code
    moved = json.loads(out)["fix"]["re_anchored"]
    both.met["result of a fix with `--json`"] += f"re-anchored {moved} label(s)" in text
    lines += differing(after, code, "exit code of the fix")
    return lines + [f"fix: {moved} moved, {text[-200:]}"] * (f"re-anchored {moved} l" not in text)


def _score(both: Both) -> list[str]:
    case = both.asked.case
    arguments = ["score", "--judgments", both.file("labels.jsonl"), "--run", both.file("run.jsonl")]
    arguments += ["-k", str(case.k[0]), "--threshold", str(case.threshold), "--json"]
    message = both.refusal("labels") or both.refusal("run")
    if message is not None:
        return both.refused(message, *arguments)
    if "report" not in both.expected:
        return []
    with_corpus = "drift" in both.expected and both.expected["corpus"][2]
    if with_corpus:
        arguments += ["--corpus", both.file("corpus.json")]
    elif "documents" in both.expected["report"]["corpus"]:
        return []  # no chunks
    gates = [expression for expression in case.gates if _is_gate(expression)]
    report, baseline = both.expected["report"], both.asked.baseline if gates else None
    for gate in gates:
        arguments += ["--gate", gate]
    if baseline is not None:
        Path(both.file("baseline.json")).write_text(json.dumps(baseline), encoding="utf-8")
        arguments += ["--baseline", both.file("baseline.json")]
    parsed = [retrieval_eval.parse_gate(gate) for gate in gates]
    results = published_results(parsed, report, baseline)
    asked = Asked(case, both.asked.files, {"results": results}, report, baseline)
    results = expected_answers(DEVIATIONS, asked)[0]["results"]
    verdict = dict(report["verdict"])
    for result in results:
        verdict["status"] = worse_status(verdict["status"], result["status"])
    reasons = [result["reason"] for result in results if result["reason"] is not None]
    verdict["reasons"] = [*verdict["reasons"], *reasons]
    if results:
        names = ("expression", "status", "observed", "baseline")
        verdict["gates"] = [{n: r[n] for n in names if r[n] is not None} for r in results]
    code, out, _ = both.ours(*arguments)
    found = json.loads(out)
    lines = differing({**report, "verdict": verdict}, {n: found[n] for n in report}, "report")
    return lines + differing(0 if verdict["status"] == "PASS" else 1, code, "exit code of score")


def _is_gate(expression: str) -> bool:
    try:
        parse_gate(expression)
    except UsageError:
        return False
    return True


def _convert(both: Both) -> list[str]:
    return [*_labels_to_qrels(both), *_run_to_trec(both), *_qrels_to_labels(both)]


def _labels_to_qrels(both: Both) -> list[str]:
    arguments = ("convert", "--to", "qrels", "--judgments", both.file("labels.jsonl"))
    message = both.refusal("labels")
    if message is not None or "labels in columns" not in both.expected:
        return [] if message is None else both.refused(message, *arguments)
    expected = both.expected["labels in columns"]
    if is_refused(expected):
        return both.refused(expected[1], *arguments)
    both.met["`convert` of an empty file"] += both.theirs(*arguments) != (0, expected)
    code, out, _ = both.ours(*arguments)
    return differing([0, expected], [code, out], "labels to qrels")


def _run_to_trec(both: Both) -> list[str]:
    arguments = ("convert", "--to", "trec-run", "--run", both.file("run.jsonl"))
    message = both.refusal("run")
    if message is not None or is_refused(both.asked.files.run):
        return [] if message is None else both.refused(message, *arguments)
    run = [
        retrieval_eval.RunEntry(entry.query_id, retrieval_eval.dedupe(entry.ranking))
        for entry in both.asked.files.run
        if entry.ranking
    ]
    if any("a b" in entry.ranking for entry in run):
        message = "key 'a b' holds white space, which a TREC run cannot carry"
        return both.refused(message, *arguments)
    text = retrieval_eval.to_trec_run(run).replace(" retrieval-eval\n", " evergold\n")
    expected = text if run else ""
    theirs = both.theirs(*arguments)[1].replace(" retrieval-eval\n", " evergold\n")
    both.met["TREC runs out"] += theirs != expected
    code, out, _ = both.ours(*arguments)
    return differing([0, expected], [code, out], "run to TREC run")


def _qrels_to_labels(both: Both) -> list[str]:
    arguments = ["convert", "--to", "judgments", "--qrels", both.file("a.qrels")]
    arguments += ["--as-chunk-ids"] * both.asked.case.as_chunk_ids
    Path(both.file("a.qrels")).write_bytes(both.asked.case.qrels.encode())
    message = both.refusal("qrels")
    first: dict[tuple[str, str], tuple[int, str]] = {}
    rows = [] if message else both.expected["qrels"].splitlines(keepends=True)
    for row in rows:
        label = json.loads(row)
        query_id, key, grade = label["query_id"], label["doc_uri"], label["relevance"]
        before, _ = first.setdefault((query_id, key), (grade, row))
        if before != grade and message is None:
            message = f"query {query_id} and document {key} have grade {grade} here and {before}"
            both.met["rows of qrels that repeat or contradict each other, in `convert`"] += 1
            code, out, err = both.ours(*arguments)
            return [] if (code, out) == (2, "") and message in err else [f"qrels: {err}"]
    if message is not None:
        lines = both.refused(message, *arguments)
        return [line for line in lines if " have grade " not in line]  # on a line before that
    expected = "".join(row for _, row in first.values())
    code, out, _ = both.ours(*arguments)
    if both.expected["qrels"] == both.asked.theirs["qrels"]:
        theirs = both.theirs(*arguments)[1]
        repeats = len(first) < len(rows)
        both.met["rows of qrels that repeat or contradict each other, in `convert`"] += repeats
        if not repeats and theirs != expected:
            return ["qrels: the published commands differ from each other"]
    return differing([0, expected], [code, out], "qrels to labels")


def test_commands_differ_where_documented(tmp_path: Path, shell: Shell) -> None:
    """JSON, files and exit codes are those of the published commands but for named departures."""
    met: Counter[str] = Counter()
    wrong = []
    for number in range(0, CASES, EVERY):
        case = case_of(number)
        asked = asked_of(case, our_answers(case, tmp_path))
        both = Both(shell, tmp_path, asked, expected_answers(DEVIATIONS, asked)[0], met)
        both.expected.get("report", {}).pop("tool", None)
        for command in (_validate, _drift, _score, _convert):
            wrong += [f"case {number}: {line}" for line in command(both)]
    assert [] == wrong, wrong[:9]
    assert set() == OF_COMMANDS - {name for name, times in met.items() if times}
