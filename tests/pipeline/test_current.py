"""Accept and baseline promote what the last run made of the files of now, and nothing else."""

from __future__ import annotations

import pytest

from tests.dvc_project import DvcProject

OUTDATED = "error: the last run is not of the present files and params"


def test_a_current_run_is_promoted(dvc_project: DvcProject) -> None:
    """Right after a run both commands work, and the committed state is already promoted."""
    assert "0 labels changed\n" in dvc_project.evergold("accept").output
    done = dvc_project.evergold("baseline")
    assert (0, "") == (done.code, dvc_project.git("status", "--porcelain"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data/corpus/api/authentication.md", "One more line.\n"),
        ("params.yaml", "# and another size\n"),
        ("data/derived/judgments.jsonl", "// edited by hand\n"),
    ],
)
def test_an_outdated_run_is_not_promoted(dvc_project: DvcProject, name: str, text: str) -> None:
    """A document, a param or an output that changed since the run stops both, and nothing is written."""
    path = dvc_project.root / name
    if name == "params.yaml":
        whole = path.read_text(encoding="utf-8").replace("size: 512", "size: 384")
        path.write_text(whole, encoding="utf-8")
    else:
        path.chmod(0o644)
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    before = dvc_project.git("status", "--porcelain")
    for command in (("accept", "--chunk-ids"), ("baseline",)):
        done = dvc_project.evergold(*command)
        assert (2, True) == (done.code, done.output.startswith(OUTDATED)), done.output
        assert done.output.count("\n") == 1
    assert before == dvc_project.git("status", "--porcelain")
