"""`evergold accept`: promote re-anchored labels into the golden set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from evergold.pipeline.accept import accept_labels


@click.command("accept")
@click.option("--chunk-ids", is_flag=True, help="Also make the chunk ids those of this chunking.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
def command(*, chunk_ids: bool, dry_run: bool) -> None:
    """Promote re-anchored labels into the golden set.

    Labels whose place in their document changed get the new place; the texts of judged documents
    are kept beside them, and each change is one line in history.jsonl. Chunk ids stay as they
    were, so that trying another chunk size leaves no trace.
    """
    changes = accept_labels(chunk_ids=chunk_ids, dry_run=dry_run)
    for change in changes:
        click.echo(
            f"{change['action']:<10} {change['query_id']} in {change['doc_uri']}:"
            f" {_place(change['before'])} to {_place(change['after'])}"
        )
    labels = "1 label" if len(changes) == 1 else f"{len(changes)} labels"
    click.echo(f"{labels} {'would change' if dry_run else 'changed'}")


def _place(values: Mapping[str, Any]) -> str:
    """Return a place in a document as a person reads it."""
    span = values.get("span")
    parts = [f"{span[0]}-{span[1]}"] if span else []
    named = [values[name] for name in ("doc_uri", "chunk_id") if values.get(name)]
    revision = values.get("doc_revision")
    parts += [*map(str, named), *([f"at {revision:.11}"] if revision else [])]
    return " ".join(parts) or "no place"
