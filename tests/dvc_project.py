"""Copies of this repository in which DVC may run, with nothing of the user's around them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.stage_process import REPOSITORY

BOUND = 300.0  # seconds, after which a command hangs
_RAN = re.compile(r"^Running stage '([^']+)'", re.MULTILINE)
_CACHED = re.compile(r"^Stage '([^']+)' is cached - skipping run", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Done:
    """A command that ended: its exit code, and stdout and stderr as one text."""

    code: int
    output: str

    @property
    def ran(self) -> set[str]:
        """The stages whose command was run."""
        return set(_RAN.findall(self.output))

    @property
    def cached(self) -> set[str]:
        """The stages whose outputs came from the run cache."""
        return set(_CACHED.findall(self.output))


@dataclass(frozen=True, slots=True)
class DvcProject:
    """A git repository with the files of this one; `home` keeps what DVC keeps elsewhere."""

    root: Path
    home: Path

    @classmethod
    def create(cls, root: Path, home: Path) -> DvcProject:
        """Copy all files but those that git ignores, and commit them; the DVC cache is empty."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=REPOSITORY,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            source, target = REPOSITORY / name, root / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        (root / ".dvc").mkdir(exist_ok=True)
        home.mkdir(parents=True, exist_ok=True)
        project = cls(root, home)
        project.git("init", "--quiet", "--initial-branch=main")
        project.git("config", "user.name", "Ana")
        project.git("config", "user.email", "ana@example.org")
        project.commit("The project as it comes")
        return project

    def copy(self, root: Path) -> DvcProject:
        """Return a copy of the project in another folder, with its DVC cache and its history."""
        shutil.copytree(self.root, root, symlinks=True)
        return DvcProject(root, self.home)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of every command: this Python first, and nothing of the user's."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DVC_", "GIT_", "PYTHON"))
        }
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        home = {
            "HOME": "home",
            "EVERGOLD_CACHE_DIR": "cache",
            "DVC_GLOBAL_CONFIG_DIR": "global",
            "DVC_SYSTEM_CONFIG_DIR": "system",
            "DVC_SITE_CACHE_DIR": "site",
        }
        return {
            **kept,
            **{name: str(self.home / folder) for name, folder in home.items()},
            "PATH": path,
            "DVC_NO_ANALYTICS": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def dvc(self, *arguments: str) -> Done:
        """Run a DVC command to its end."""
        # A file and no pipe: queue workers outlive the command and would hold a pipe open.
        log = self.home / f"{self.root.name}.log"
        with log.open("wb") as stream:
            done = subprocess.run(
                [sys.executable, "-m", "dvc", *arguments],
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                timeout=BOUND,
                check=False,
            )
        return Done(done.returncode, log.read_text(encoding="utf-8"))

    def evergold(self, *arguments: str) -> Done:
        """Run a command of this repository's code, as an installed one is run."""
        done = subprocess.run(
            [sys.executable, "-c", "from evergold.cli.main import main; main()", *arguments],
            cwd=self.root,
            env={**self.environment, "PYTHONPATH": "src"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=BOUND,
            check=False,
        )
        return Done(done.returncode, done.stdout)

    def git(self, *arguments: str) -> str:
        """Return the output of a git command that must not fail."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout

    def commit(self, message: str) -> None:
        """Commit everything that git does not ignore."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def edit(self, name: str, pattern: str, new: str) -> None:
        """Replace the one match of a regular expression in a file; `^` is the start of a line."""
        text, count = re.subn(pattern, new, self.text(name), flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"{name} holds {pattern!r} {count} times")
        (self.root / name).write_bytes(text.encode("utf-8"))

    def text(self, name: str) -> str:
        """Return the text of a file."""
        return (self.root / name).read_bytes().decode("utf-8")

    def json(self, name: str) -> Any:
        """Return the value of a JSON file."""
        return json.loads(self.text(name))

    def cached(self, path: str) -> Path:
        """Return where DVC keeps the bytes of an output that is up to date."""
        digest = hashlib.md5((self.root / path).read_bytes(), usedforsecurity=False).hexdigest()
        return self.root / ".dvc/cache/files/md5" / digest[:2] / digest[2:]

    def forget(self, path: str) -> None:
        """Remove an output, its bytes in the cache and all that DVC knows of earlier runs."""
        self.cached(path).unlink()
        (self.root / path).unlink()
        shutil.rmtree(self.root / ".dvc/cache/runs")

    def outputs(self) -> dict[str, bytes]:
        """Return the bytes of every output that is there, metrics included, by path."""
        stages = yaml.safe_load(self.text("dvc.yaml"))["stages"].values()
        entries = [
            e for stage in stages for kind in ("outs", "metrics") for e in stage.get(kind, [])
        ]
        paths = [entry if isinstance(entry, str) else next(iter(entry)) for entry in entries]
        return {
            path: (self.root / path).read_bytes() for path in paths if (self.root / path).is_file()
        }
