"""Accepting labels: the one place that writes the golden set. No stage does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evergold.errors import InputError, UsageError
from evergold.formats.documents import read_documents, write_documents
from evergold.formats.files import locked, read_text, write_text
from evergold.formats.findings import read_resolutions
from evergold.formats.jsonl import dumps, read_rows
from evergold.formats.judgments import read_label_file, read_labels
from evergold.labels.absorb import origins, separate
from evergold.labels.accept import accept
from evergold.pipeline import paths
from evergold.pipeline.clock import now
from evergold.pipeline.current import refuse_outdated
from evergold.pipeline.reanchor import input_digests, judged_texts


def accept_labels(*, chunk_ids: bool = False, dry_run: bool = False) -> tuple[dict[str, Any], ...]:
    """Promote the labels of the last run; return the history entries of what changed.

    Raises `UsageError` where anything that they come from changed since that run.
    """
    refuse_outdated(("ingest", "fingerprint", "drift", "reanchor"))
    if not paths.GOLDEN.is_dir():
        raise InputError(f"the folder {paths.GOLDEN} does not exist")
    with locked(paths.GOLDEN):
        return _accept_labels(chunk_ids=chunk_ids, dry_run=dry_run)


def _accept_labels(*, chunk_ids: bool, dry_run: bool) -> tuple[dict[str, Any], ...]:
    inputs, resolutions = read_resolutions(paths.RESOLUTIONS)
    present = input_digests()
    stale = [name for name, digest in present.items() if inputs.get(name) != digest]
    if stale:
        raise UsageError(f"{', '.join(stale)} changed since the last run; run `dvc repro` first")
    earlier = judged_texts()
    file = read_label_file(paths.JUDGMENTS).checked()
    golden = file.labels
    reanchored = read_labels(paths.REANCHORED)
    if not len(separate(golden)) == len(separate(reanchored)) == len(resolutions):
        raise InputError(f"{paths.RESOLUTIONS} is not of the labels in {paths.REANCHORED}")
    accepted = accept(
        golden,
        reanchored,
        resolutions,
        read_documents(paths.DOCUMENTS),
        earlier,
        chunk_ids=chunk_ids,
    )
    if dry_run:
        return accepted.changes
    at = now()
    # Whoever is stopped on the way finds old labels or new ones, and the texts of both.
    known = {(d.doc_uri, d.doc_revision): d for d in (*earlier, *accepted.documents)}
    if len(known) > len(earlier):
        write_documents(paths.JUDGED_DOCUMENTS, [known[key] for key in sorted(known)])
    if accepted.changes:
        _append_history(at, accepted.changes)
    if accepted.judgments != golden:
        rows = origins(golden, accepted.judgments)
        write_text(paths.JUDGMENTS, file.with_labels(accepted.judgments, rows))
    if accepted.documents != earlier:
        write_documents(paths.JUDGED_DOCUMENTS, accepted.documents)
    return accepted.changes


def _append_history(at: str, changes: Sequence[dict[str, Any]]) -> None:
    """Append the changes, unless they are the last lines already: a stopped run wrote those."""
    text = read_text(paths.HISTORY) if paths.HISTORY.exists() else ""
    last = [fields for _, fields in read_rows(paths.HISTORY)][-len(changes) :] if text else []
    if [{name: fields[name] for name in fields if name != "at"} for fields in last] == list(
        changes
    ):
        return
    text += "\n" if text and not text.endswith("\n") else ""
    text += "".join(dumps({"at": at, **change}) + "\n" for change in changes)
    write_text(paths.HISTORY, text)
