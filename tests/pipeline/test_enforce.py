"""enforce: the one stage that fails, where the params say so."""

from __future__ import annotations

import pytest

from tests.small_project import SmallProject

GATES = {"PASS": "recall@5:0.9", "FAIL": "recall@5:1.5", "INDETERMINATE": "recall@5:-0.02"}
REASONS = {
    "FAIL": "recall@5 is 1.0000, below 1.5",
    "INDETERMINATE": "recall@5:-0.02: no baseline value for 'recall@5'",
}


@pytest.mark.parametrize(
    ("status", "on_fail", "on_indeterminate", "expected"),
    [
        ("PASS", "error", "error", 0),
        ("FAIL", "error", "error", 1),
        ("FAIL", "error", "warn", 1),
        ("FAIL", "warn", "error", 0),
        ("INDETERMINATE", "error", "error", 3),
        ("INDETERMINATE", "warn", "error", 3),
        ("INDETERMINATE", "error", "warn", 0),
    ],
)
def test_the_exit_code_is_that_of_the_verdict_unless_it_only_warns(
    small_project: SmallProject,
    capsys: pytest.CaptureFixture[str],
    status: str,
    on_fail: str,
    on_indeterminate: str,
    expected: int,
) -> None:
    """FAIL is 1 and INDETERMINATE is 3; the reason is the one line on stderr."""
    small_project.edit("params.yaml", "- recall@5:0.9", f"- {GATES[status]}")
    small_project.edit("params.yaml", "on_fail: error", f"on_fail: {on_fail}")
    small_project.edit(
        "params.yaml", "on_indeterminate: error", f"on_indeterminate: {on_indeterminate}"
    )
    assert small_project.run_through("report") == 0
    capsys.readouterr()
    assert expected == small_project.run("enforce")
    printed = capsys.readouterr()
    assert status in printed.out
    assert printed.err == (f"error: verdict {status}: {REASONS[status]}\n" if expected else "")


def test_only_the_reasons_of_gates_that_failed_are_given(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gates that passed or saw nothing, and remarks on the labels, are not what it fails for."""
    gates = "- recall@5:0.9\n- recall@1:2\n- max-invalid:0\n- recall@5:+0.1"
    small_project.edit("params.yaml", "- recall@5:0.9", gates)
    small_project.edit("params.yaml", "threshold: 1", "threshold: 2")
    assert small_project.run_through("report") == 0
    capsys.readouterr()
    assert small_project.run("enforce") == 1
    expected = "error: verdict FAIL: recall@1 is 1.0000, below 2.0\n"
    assert expected == capsys.readouterr().err


def test_a_set_that_cannot_be_trusted_gives_its_reason_without_any_gate(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """INDETERMINATE of the score itself is enforced as that of a gate is."""
    small_project.edit("params.yaml", "gates:\n- recall@5:0.9\n", "gates: []\n")
    small_project.edit("params.yaml", "threshold: 1", "threshold: 3")
    assert small_project.run_through("report") == 0
    capsys.readouterr()
    assert small_project.run("enforce") == 3
    expected = (
        "error: verdict INDETERMINATE:"
        " no query had a label at relevance >= 3, so no metric was computed\n"
    )
    assert expected == capsys.readouterr().err


@pytest.mark.parametrize("key", ["on_fail", "on_indeterminate"])
def test_an_action_that_is_unknown_is_a_fault_of_the_params(
    small_project: SmallProject, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """Both words are checked whatever the verdict is, so that a misspelt one never passes."""
    small_project.edit("params.yaml", f"{key}: error", f"{key}: ignore")
    assert small_project.run_through("report") == 0
    capsys.readouterr()
    assert small_project.run("enforce") == 2
    line = small_project.line_of("params.yaml", "ignore")
    expected = (
        f"error: params.yaml:{line}: enforce.{key} cannot be 'ignore';"
        " expected one of: error, warn\n"
    )
    assert expected == capsys.readouterr().err
