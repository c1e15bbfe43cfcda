"""`evergold`: help, version, usage errors, and a start that loads almost nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import evergold
from evergold.cli.main import cli, main
from tests.small_project import SmallProject
from tests.stage_process import BOUND, REPOSITORY, environment


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["evergold", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_the_command_is_the_one_that_is_installed() -> None:
    """`evergold` is the function that these tests call."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"evergold": f"{main.__module__}:{main.__name__}"}


@pytest.mark.parametrize("option", ["--version", "-v"])
def test_the_version_is_that_of_the_package(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing else is printed, and the project file says the same."""
    assert call(monkeypatch, option) == 0
    assert f"{evergold.__version__}\n" == capsys.readouterr().out
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == evergold.__version__


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_command(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one line on what each is for."""
    assert call(monkeypatch, option) == 0
    printed = capsys.readouterr().out
    assert "\n  accept " in printed
    assert "promote re-anchored labels into the golden set" in printed
    assert "\n  baseline " in printed
    assert "\n  stage " in printed


def test_no_command_shows_the_help_and_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was answered, so the exit code is 2."""
    assert call(monkeypatch) == 2
    assert "\nLabels:\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "first"),
    [(("help",), "Usage: evergold [OPTIONS]"), (("help", "score"), "Usage: evergold score")],
)
def test_help_is_also_a_word(
    arguments: tuple[str, ...],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As in the published tool."""
    assert call(monkeypatch, *arguments) == 0
    assert capsys.readouterr().out.startswith(first)


@pytest.mark.parametrize("name", cli.list_commands(click.Context(cli)))
def test_every_command_that_is_named_has_help(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help is that of the command itself."""
    assert call(monkeypatch, name, "--help") == 0
    assert f"evergold {name} [OPTIONS]" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("acept",), "unknown command 'acept'; did you mean accept?"),
        (("xyz",), "unknown command 'xyz'; see evergold --help"),
        (("help", "nope"), "unknown command 'nope'; see evergold --help"),
        (("--nope",), "no such option '--nope'"),
        (("accept", "--nope"), "no such option '--nope'"),
        (("accept", "extra"), "got unexpected extra argument (extra); see evergold accept --help"),
        (("stage",), "missing argument"),
        (("stage", "none"), "'none' is not one of 'ingest', "),
        (("baseline", "--dry-run"), "no such option '--dry-run'"),
        (("validate",), "validate needs --judgments"),
        (("drift",), "drift needs --judgments and --corpus"),
        (("score", "--run", "r"), "score needs --judgments and --run"),
        (("validate", "--color", "red"), "--color expects auto, always or never, got 'red'"),
        (("score", "-k", "0"), "-k expects a positive integer, got '0'"),
        (("score", "-k", "1_0"), "-k expects a positive integer, got '1_0'"),
        (("score", "-k", "٥"), "-k expects a positive integer, got '٥'"),
        (("score", "--threshold", "x"), "--threshold expects a positive integer, got 'x'"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_usage_error(
    arguments: tuple[str, ...],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is wrong is one line on stderr, stdout is empty, and the exit code is 2."""
    assert call(monkeypatch, *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.replace("'", "").startswith("error: ")
    assert expected.replace("'", "") in line.replace("'", "")


@pytest.mark.parametrize("command", ["accept", "baseline"])
def test_an_error_is_one_line(
    command: str,
    small_project: SmallProject,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before the first run there is nothing to promote: the missing file is named, exit code 2."""
    before = small_project.files(".")
    assert call(monkeypatch, command) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith("error: cannot read data/derived/")
    assert line.endswith(": no such file or directory")
    assert before == small_project.files(".")


def loaded(code: str) -> set[str]:
    """Return the top packages and our modules that a Python has loaded after running `code`."""
    report = "import json, sys; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        env=environment(REPOSITORY / "src"),
        capture_output=True,
        encoding="utf-8",
        timeout=BOUND,
        check=True,
    )
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return {name for name in names if name.startswith("evergold")} | {
        name.partition(".")[0] for name in names
    }


HELP = """
import sys
from evergold.cli.main import main
sys.argv = ["evergold", "--help"]
try:
    main()
except SystemExit:
    pass
"""


def test_importing_the_package_loads_nothing_of_others() -> None:
    """What it offers is loaded on first use."""
    bare, found = loaded("pass"), loaded("import evergold")
    assert {name for name in found - bare if name not in sys.stdlib_module_names} == {"evergold"}


def test_help_loads_the_command_line_and_nothing_heavy() -> None:
    """Completion and help wait for no numpy, no tokenizer, no YAML and no DVC."""
    bare, found = loaded("pass"), loaded(HELP)
    packages = {name for name in found - bare if "." not in name}
    assert packages - set(sys.stdlib_module_names) == {"click", "evergold"}
    ours = {name for name in found if name.startswith("evergold.")}
    assert ours == {"evergold.cli", "evergold.cli.main", "evergold.errors"}


def test_the_drift_of_labels_needs_no_tokenizer_and_no_search_engine() -> None:
    """A stage loads what it uses: numpy, bm25s and the tokenizer belong to others."""
    found = loaded("import evergold.pipeline.drift, evergold.pipeline.reanchor")
    assert {"numpy", "bm25s", "bpe_openai", "dvc", "click"} & found == set()


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """`evergold drift --list | head -1` says nothing on stderr."""
    chunk = {"chunk_id": "c", "doc_uri": "d", "text": "x"}
    (tmp_path / "corpus.json").write_text(json.dumps({"chunks": [chunk]}), encoding="utf-8")
    rows = [
        json.dumps({"query_id": f"q{n}", "doc_uri": "d", "chunk_id": "c", "relevance": 1})
        for n in range(20_000)
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(rows), encoding="utf-8")
    command = "from evergold.cli.main import main; main()"
    options = ("--judgments", "labels.jsonl", "--corpus", "corpus.json")
    process = subprocess.Popen(
        [sys.executable, "-c", command, "drift", "--list", *options],
        cwd=tmp_path,
        env=environment(REPOSITORY / "src"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"0  VALID  q0  d  c\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=BOUND) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_no_answer() -> None:
    """A full disk behind a redirection is one line and exit code 2."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from evergold.cli.main import main; main()", "--help"],
            env=environment(REPOSITORY / "src"),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=BOUND,
            check=False,
        )
    expected = b"error: cannot write to standard output: no space left on device\n"
    assert (2, expected) == (done.returncode, done.stderr)
