"""Twenty thousand cases, answered by the published tool and by evergold.

A case is its number: `differences(number, folder)` runs one alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import retrieval_eval
from retrieval_eval.gate import worse_status

from evergold.gates import parse_gate, verdict
from tests.differential.answers import (
    Answers,
    is_refused,
    our_answers,
    our_results,
    published_answers,
    published_files,
    published_results,
)
from tests.differential.asked import Asked, Deviation, expected_answers
from tests.differential.cases import Case, case_of
from tests.differential.deviations import DEVIATIONS

CASES = 20_000
COMPATIBILITY = Path(__file__).resolve().parents[2] / "spec" / "compatibility.md"
# A plain sum and the correctly rounded one differ in the last of 12 decimals at most.
LAST_DECIMAL = 1.1e-12
MEANS = "means"
ADDITIONS = {"settings", "judged", "per_query"}
# Departures of commands, which `test_commands.py` meets.
OF_COMMANDS = {
    "no labels, or no chunks",
    "exit code after a fix",
    "result of a fix with `--json`",
    "writing of a fix",
    "rows of qrels that repeat or contradict each other, in `convert`",
    "TREC runs out",
    "`convert` of an empty file",
}
# Departures that no answer here can show; each names its own test there.
ELSEWHERE = {
    "findings",
    "zeros",
    "labels that meet",
    "targets of a fix",
    "decay",
    "options",
    "`--baseline` without a gate",
    "`--out`",
    "human output",
    "options of `convert` without use",
    "lone CR",
}


def asked_of(case: Case, ours: Answers) -> Asked:
    """Return a case with what the published tool says of it."""
    files = published_files(case.labels, case.corpus, case.run)
    theirs = published_answers(case, files, ours)
    report, baseline = case.report, case.baseline
    if report is None and "report" in theirs:
        report = theirs["report"]
        baseline = _report_backwards(case, files)
    if not case.with_baseline:
        baseline = None
    return Asked(case, files, theirs, report, baseline)


def _report_backwards(case: Case, files: Any) -> Any:
    run = [retrieval_eval.RunEntry(entry.query_id, entry.ranking[::-1]) for entry in files.run]
    return retrieval_eval.build_report(files.labels, run, case.k[0], case.threshold).to_dict()


def differences(number: int, folder: Path) -> tuple[list[str], Counter[Any]]:
    """Return what no deviation covers of a case, and which deviations change an answer on it."""
    case = case_of(number)
    ours = our_answers(case, folder)
    asked = asked_of(case, ours)
    expected, met = expected_answers(DEVIATIONS, asked)
    found: Counter[Any] = Counter((deviation.subject, deviation.answer) for deviation in met)
    if "issues" in expected:
        expected["issues"] = [issue for issues in expected["issues"] for issue in issues]
    if is_refused(asked.theirs["corpus"]) and not is_refused(ours["corpus"]):
        expected.pop("report", None)  # only ours can say what became of the labels
    for answers in (expected, ours):
        answers.get("report", {}).pop("tool", None)
    for name in ADDITIONS:
        ours.get("report", {}).pop(name, None)
    unexplained = [f"{answer}: no answer" for answer in expected.keys() - ours.keys()]
    for answer in expected.keys() & ours.keys():
        if expected[answer] != ours[answer]:
            lines = differing(expected[answer], ours[answer], answer)
            found[MEANS, answer] += not lines
            unexplained += lines
    lines, met = _gate_differences(asked, expected["gates"])
    found.update((deviation.subject, deviation.answer) for deviation in met)
    return unexplained + lines, found


def _gate_differences(asked: Asked, gates: list[Any]) -> tuple[list[str], list[Deviation]]:
    """Return what no deviation covers of the gates that both tools take."""
    if asked.report is None:
        return [], []
    expressions = [
        expression
        for expression, mine, theirs in zip(
            asked.case.gates, gates, asked.theirs["gates"], strict=True
        )
        if not is_refused(mine) and not is_refused(theirs)
    ]
    there = [retrieval_eval.parse_gate(expression) for expression in expressions]
    here = [parse_gate(expression) for expression in expressions]
    report, baseline = asked.report, asked.baseline
    results = Asked(
        asked.case,
        asked.files,
        {"results": published_results(there, report, baseline)},
        report,
        baseline,
    )
    expected, met = expected_answers(DEVIATIONS, results)
    lines = differing(expected["results"], our_results(here, report, baseline), "results")
    status = report["verdict"]["status"]
    for result in expected["results"]:
        status = worse_status(status, result["status"])
    reasons = [r["reason"] for r in expected["results"] if r["reason"] is not None]
    joined = verdict(report, here, baseline)
    lines += differing(
        [status, [*report["verdict"]["reasons"], *reasons]],
        [joined.status, list(joined.reasons)],
        "verdict",
    )
    return lines, met


def differing(expected: Any, ours: Any, place: str) -> list[str]:
    """Return where two answers differ, other than in the last decimal of a mean."""
    return [] if expected == ours else list(_differences(expected, ours, place))


def _differences(expected: Any, ours: Any, place: str) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(ours, dict):
        names = [
            sorted(part) if place.startswith("fix") else list(part) for part in (expected, ours)
        ]
        if names[0] != names[1]:
            yield f"{place}: expected {list(expected)}, found {list(ours)}"
            return
        for name, part in expected.items():
            yield from _differences(part, ours[name], f"{place}.{name}")
    elif isinstance(expected, list) and isinstance(ours, list) and len(expected) == len(ours):
        for index, (part, other) in enumerate(zip(expected, ours, strict=True)):
            yield from _differences(part, other, f"{place}[{index}]")
    elif isinstance(expected, float) and isinstance(ours, float):
        if abs(expected - ours) > LAST_DECIMAL:
            yield f"{place}: expected {expected}, found {ours}"
    elif expected != ours:
        yield f"{place}: expected {expected!r}, found {ours!r}"


def test_only_documented_departures_differ(tmp_path: Path) -> None:
    """Every difference is that of a named deviation, with the value documented for it."""
    met: Counter[tuple[str, str]] = Counter()
    unexplained: list[str] = []
    for number in range(CASES):
        lines, found = differences(number, tmp_path)
        met += found
        unexplained += [f"case {number}: {line}" for line in lines[:3]]
        if len(unexplained) > 20:
            break
    assert [] == unexplained, "\n".join(unexplained)
    named = {(deviation.subject, deviation.answer) for deviation in DEVIATIONS}
    assert set() == {*named, (MEANS, "scores")} - met.keys()


def test_every_documented_departure_is_named() -> None:
    """The table of the specification and that of the tests have the same subjects."""
    page = COMPATIBILITY.read_text(encoding="utf-8").partition("## Additions")[0]
    subjects = {line.split(" | ")[0].removeprefix("| ") for line in page.split("\n| ")[2:]}
    named = {deviation.subject for deviation in DEVIATIONS}
    assert sorted(named | OF_COMMANDS | ELSEWHERE | {MEANS}) == sorted(subjects)
