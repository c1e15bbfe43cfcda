"""`evergold convert`: labels, runs, documents and snapshots from one form to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from evergold.cli.output import checked_output, encodable, joined, path_option
from evergold.errors import UsageError
from evergold.formats.beir import beir_files
from evergold.formats.files import write_text
from evergold.pipeline.convert import WAYS, Settings, Way

_SETTINGS = tuple(setting.name for setting in fields(Settings))


@click.command("convert")
@click.option("--to", metavar="FORMAT", help="What to write: see above.")
@path_option("--judgments", "Label file.")
@path_option("--run", "Run, as JSON Lines or in TREC columns.")
@path_option("--qrels", "Qrels, in TREC or BEIR columns.")
@path_option("--corpus", "Corpus snapshot, as JSON Lines or the published JSON object.")
@path_option("--documents", "Documents, as JSON Lines.")
@path_option("--queries", "Queries, as JSON Lines.")
@path_option("--questions", "Question list, as YAML.")
@click.option("--beir", type=click.Path(path_type=Path), metavar="DIR", help="BEIR folder.")
@click.option("--split", metavar="NAME", help="Which qrels of a BEIR folder (default test).")
@click.option("--as-chunk-ids", is_flag=True, help="The documents of qrels are also chunk ids.")
@click.option("--labeled-by", metavar="WHO", help="Stamp on new labels, such as human:ana.")
@click.option("--corpus-fingerprint", metavar="TEXT", help="Stamp on new labels: their snapshot.")
@path_option("--out", "Write here and not to stdout; a folder for beir.")
def command(to: str | None, out: Path | None, **options: Any) -> int:
    """Convert files from one form to another.

    \b
    qrels      from --judgments
    trec-run   from --run
    judgments  from --qrels, --beir, or --questions and --documents
    run        from --run
    corpus     from --corpus: the published JSON object
    snapshot   from --corpus: JSON Lines
    documents  from --beir
    queries    from --beir or --questions
    questions  from --judgments and --queries, or --questions
    beir       from --judgments, --queries and --documents

    What the new form cannot carry is refused, or named on stderr. Exit code 1 where snippets of
    questions have no one place in the documents, 2 where nothing was written.
    """  # noqa: D301 - click keeps the lines of a paragraph that begins so
    formats = joined(list(WAYS), "or")
    if to is None:
        raise UsageError(f"convert needs --to {formats}")
    if to not in WAYS:
        raise UsageError(f"unknown --to '{to}', expected {formats}")
    given = {name: value for name, value in options.items() if value not in (None, False)}
    if to == "beir" and out is not None:
        given["out"] = out
    way = _way(to, given)
    settings = Settings(**{name: given[name] for name in _SETTINGS if name in given})
    who = settings.labeled_by
    if who is not None and not who.startswith(("human:", "synthetic:")):
        raise UsageError(f"--labeled-by expects human:NAME or synthetic:NAME, got '{who}'")
    paths = {name: given[name] for name in way.needs}
    inputs = _files({name: path for name, path in paths.items() if name != "out"}, settings)
    if out is not None:
        for target in beir_files(out, settings.split) if to == "beir" else (out,):
            checked_output(target, inputs)
    converted = way.convert(paths, settings)
    for note in converted.notes:
        click.echo(encodable(f"note: {note}"), err=True)
    if converted.text == "":
        click.echo("note: the output is empty", err=True)
    if converted.text is not None:
        if out is None:
            click.echo(converted.text.encode(), nl=False)
        else:
            write_text(out, converted.text)
    return 0 if converted.whole else 1


def _way(to: str, given: Mapping[str, Any]) -> Way:
    """Return the conversion for the inputs that were given, which must be all of one and no more."""
    ways = WAYS[to]
    way = next((way for way in ways if not given.keys().isdisjoint(way.needs)), None)
    if way is None or not given.keys() >= set(way.needs):
        wanted = [joined([_option(name) for name in w.needs], "and") for w in ways]
        raise UsageError(f"convert needs {joined(wanted, 'or')}")
    for name in given:
        if name not in (*way.needs, *way.takes):
            raise UsageError(
                f"convert --to {to} from {_option(way.needs[0])} takes no {_option(name)}"
            )
    return way


def _files(paths: Mapping[str, Path], settings: Settings) -> list[Path]:
    files = [path for name, path in paths.items() if name != "beir"]
    return [*files, *beir_files(paths["beir"], settings.split)] if "beir" in paths else files


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
