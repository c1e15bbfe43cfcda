"""Judgments as JSON Lines: `spec/formats.md` and `spec/judgments.schema.json`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from evergold.errors import InputError
from evergold.formats.files import read_text
from evergold.formats.jsonl import Row, dumps, read_rows, write_rows
from evergold.identity import is_malformed_chunk_id, is_text_sha
from evergold.memory import collector_paused
from evergold.model import Absorbed, Anchor, Evidence, Judgment

# The published field order, also that of `Judgment`; unknown fields follow in the order of the
# file, `anchor` is last.
_TEXT_FIELDS = (
    "query",
    "chunk_id",
    "text_sha",
    "chunk_text",
    "corpus_fingerprint",
    "labeled_by",
    "labeled_at",
    "stratum",
    "notes",
    "need",
)
_KNOWN = frozenset(("query_id", "doc_uri", "relevance", "anchor", *_TEXT_FIELDS))
_NO_EXTRA: Mapping[str, Any] = {}
_TEXT = frozenset((str,))
_TEXT_TYPES = _TEXT | {type(None)}
_ANCHOR_KNOWN = (
    "v",
    "unit",
    "doc_sha",
    "doc_revision",
    "span",
    "evidence",
    "evidence_rule",
    "complete",
    "by",
    "also",
    "absorbed",
)
_EVIDENCE_KNOWN = ("exact", "span", "prefix", "suffix", "sha")
_ANCHOR_VERSION = 1
# nDCG gains are 2^relevance: beyond this bound they stop being exact floats.
MAX_RELEVANCE = 50


_Fields = dataclasses.make_dataclass(
    "_Fields",
    [(f.name, Any, dataclasses.field(default=None)) for f in dataclasses.fields(Judgment)],
    slots=True,
)


@collector_paused()
def read_judgments(path: Path) -> tuple[Judgment, ...]:
    """Return the rows of a judgments file, in order.

    Raises `InputError` with file and line for the first row that cannot be used.
    """
    return tuple(judgment for _, judgment in _rows(path))


def read_labels(path: Path, asked: Mapping[str, str] | None = None) -> tuple[Judgment, ...]:
    """Return the rows of a judgments file that can be worked with.

    Raises `InputError` also for a file without rows, for a row with a fault (`RowFaults`), and,
    where `asked` gives the text of every query, for a row whose query is not asked, or not so.
    """
    return read_label_file(path).checked(asked).labels


class RowFaults:
    """What rows of one file must not be, beyond the form of each: asked row by row, in order."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str | None], int] = {}
        self._said: dict[tuple[str, str], tuple[str, int]] = {}

    def of(self, row: int, judgment: Judgment) -> Iterator[tuple[str, str, int | None]]:
        """Yield code, message and the earlier row that contradicts, for every fault of a row."""
        earlier = self._rows.setdefault(judgment.identity, row)
        if earlier != row:
            message = f"duplicate judgment for query {judgment.query_id} and target {judgment.key}"
            yield "duplicate-label", message, earlier
        for label in _labels_of(judgment):
            query_id, chunk_id, sha = label.query_id, label.chunk_id, label.text_sha
            other = self._other(row, "query", query_id, label.query)
            if other is not None:
                message = f"query {query_id} has two different query strings"
                yield "inconsistent-query-text", message, other
            if chunk_id is not None and is_malformed_chunk_id(chunk_id):
                yield "bad-chunk-id", f"malformed chunk_id on query {query_id}: {chunk_id}", None
            if sha is not None and not is_text_sha(sha):
                yield "bad-text-sha", f"malformed text_sha on query {query_id}: {sha}", None
            other = self._other(row, "stratum", query_id, label.stratum)
            if other is not None:
                yield "inconsistent-stratum", f"query {query_id} stands in two strata", other

    def _other(self, row: int, name: str, query_id: str, value: str | None) -> int | None:
        """Return the last row that said another value of a query; `row` is now the last."""
        if value is None:
            return None
        last, earlier = self._said.get((query_id, name), (value, row))
        self._said[query_id, name] = value, row
        return earlier if last != value else None


def _labels_of(judgment: Judgment) -> tuple[Judgment, ...]:
    absorbed = judgment.anchor.absorbed if judgment.anchor else ()
    return judgment, *(item.judgment for item in absorbed)


def _rows(path: Path, lines: Iterable[str] | None = None) -> Iterator[tuple[Row, Judgment]]:
    for line, fields in read_rows(path, "judgments", lines):
        row = Row(fields, path, line, source="judgments")
        yield row, _plain(fields) or _judgment(row)


@dataclass(frozen=True, slots=True)
class LabelFile:
    """A label file with its text, so that what does not change is written back as it stands.

    `lines` has the line of each row, from 0.
    """

    path: Path
    text: str
    labels: tuple[Judgment, ...]
    lines: tuple[int, ...]

    def checked(self, asked: Mapping[str, str] | None = None) -> LabelFile:
        """Return the file where its rows can be worked with; raises as `read_labels` does."""
        faults = RowFaults()
        for row, judgment in enumerate(self.labels):
            for code, message, earlier in faults.of(row, judgment):
                word = "already" if code == "duplicate-label" else "another"
                place = "" if earlier is None else f", {word} on line {self.lines[earlier] + 1}"
                raise self._error(row, message + place)
            for label in _labels_of(judgment) if asked is not None else ():
                self._check_asked(row, label, asked or {})
        if not self.labels:
            raise InputError("no judgments", path=self.path, line=1, source="judgments")
        return self

    def _check_asked(self, row: int, label: Judgment, asked: Mapping[str, str]) -> None:
        query_id, text = label.query_id, asked.get(label.query_id)
        if text is None:
            raise self._error(row, f"query {query_id} is not among the queries")
        if label.query is not None and label.query != text:
            message = f"query {query_id} is {label.query!r} here and {text!r} among the queries"
            raise self._error(row, message)

    def _error(self, row: int, message: str) -> InputError:
        return InputError(message, path=self.path, line=self.lines[row] + 1, source="judgments")

    def with_labels(self, labels: Sequence[Judgment], origins: Sequence[int | None]) -> str:
        """Return the text of the file with other labels.

        `origins` has, for each label, the row that it replaces, ascending; None for one that is
        new. A row that stays the same keeps its bytes, comments stay before the row that they
        stand before, and a changed row is written in the canonical form.
        """
        before = self.text.split("\n")
        rows = frozenset(self.lines)
        after: list[str] = []
        done = 0
        for label, row in zip(labels, origins, strict=True):
            if row is None:
                after.append(dumps(judgment_to_json(label)))
                continue
            line = self.lines[row]
            after += [before[place] for place in range(done, line) if place not in rows]
            done = line + 1
            same = label == self.labels[row]
            end = "\r" if before[line].endswith("\r") else ""
            after.append(before[line] if same else dumps(judgment_to_json(label)) + end)
        after += [before[place] for place in range(done, len(before)) if place not in rows]
        return "\n".join(after)


@collector_paused()
def read_label_file(path: Path) -> LabelFile:
    """Return the labels of a file with its text; raises `InputError` as `read_judgments` does."""
    text = read_text(path)  # once: it may be a pipe, or be edited meanwhile
    rows = list(_rows(path, text.split("\n")))
    lines = tuple(row.line - 1 for row, _ in rows)
    return LabelFile(path, text, tuple(label for _, label in rows), lines)


def write_judgments(path: Path, judgments: Iterable[Judgment]) -> None:
    """Write a judgments file in its one canonical form."""
    write_rows(path, (judgment_to_json(judgment) for judgment in judgments))


def judgment_to_json(judgment: Judgment) -> dict[str, Any]:
    """Return the row as JSON data, fields in canonical order, unset fields left out."""
    fields: dict[str, Any] = {
        "query_id": judgment.query_id,
        "query": judgment.query,
        "doc_uri": judgment.doc_uri,
        "chunk_id": judgment.chunk_id,
        "text_sha": judgment.text_sha,
        "chunk_text": judgment.chunk_text,
        "relevance": judgment.relevance,
        "corpus_fingerprint": judgment.corpus_fingerprint,
        "labeled_by": judgment.labeled_by,
        "labeled_at": judgment.labeled_at,
        "stratum": judgment.stratum,
        "notes": judgment.notes,
        "need": judgment.need,
    }
    row = {name: value for name, value in fields.items() if value is not None}
    row.update(judgment.extra)  # whatever it says: null may mean something to its owner
    if judgment.anchor is not None:
        row["anchor"] = _anchor_to_json(judgment.anchor)
    return row


def graded(query_id: str, doc_uri: str, relevance: int, chunk_id: str | None) -> Judgment:
    """Return a judgment of four fields, which are taken as they are."""
    row = _Fields(query_id, doc_uri, relevance, chunk_id=chunk_id, extra=_NO_EXTRA)
    row.__class__ = Judgment  # the slots are the same, and frozen ones are slow to fill
    return cast("Judgment", row)


def _plain(fields: Mapping[str, Any]) -> Judgment | None:
    """Return the judgment of a row of the usual kind, checked all at once; None of any other."""
    texts = dict(fields)
    relevance = texts.pop("relevance", None)
    if type(relevance) is not int or not 0 <= relevance <= MAX_RELEVANCE:
        return None
    if not _TEXT.issuperset(map(type, texts.values())):
        return None
    try:
        row = _Fields(relevance=relevance, anchor=None, extra=_NO_EXTRA, **texts)
    except TypeError:  # a field that is missing, or that is not known
        return None
    names = f"{row.query_id}{row.doc_uri}{row.chunk_id}{row.stratum}{row.need}"
    if not (row.query_id and row.doc_uri and row.chunk_id and names.isprintable()):
        return None
    row.__class__ = Judgment  # the slots are the same, and frozen ones are slow to fill
    return cast("Judgment", row)


def _judgment(row: Row) -> Judgment:
    found = row.fields
    query_id = row.identifier("query_id")
    doc_uri = row.identifier("doc_uri")
    relevance = found.get("relevance")
    if type(relevance) is not int or relevance < 0:
        raise row.error("relevance must be a non-negative integer")
    if relevance > MAX_RELEVANCE:
        raise row.error(f"relevance {relevance} is above the bound of {MAX_RELEVANCE}")
    texts: list[Any] = list(map(found.get, _TEXT_FIELDS))
    if not _TEXT_TYPES.issuperset(map(type, texts)):
        for name in _TEXT_FIELDS:
            row.text(name)
    _, chunk_id, _, _, _, _, _, stratum, _, need = texts
    if chunk_id is not None:
        row.identifier("chunk_id")
    if stratum is not None or need is not None:
        row.label("stratum")
        row.label("need")
    anchor = _anchor(row) if "anchor" in found else None
    extra = _NO_EXTRA if found.keys() <= _KNOWN else row.unknown(_KNOWN)
    texts += anchor, extra
    return Judgment(query_id, doc_uri, relevance, *texts)


def _anchor(row: Row) -> Anchor | None:
    value = row.fields.get("anchor")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise row.error(f"anchor must be an object, found {dumps(value)[:60]}")
    part = Row(value, row.path, row.line, row.source)
    if type(value.get("v")) is not int or value["v"] != _ANCHOR_VERSION:
        raise row.error(f"anchor.v must be {_ANCHOR_VERSION}, found {dumps(value.get('v'))[:60]}")
    if value.get("unit", "cp") != "cp":
        raise row.error(f'anchor.unit must be "cp", found {dumps(value["unit"])[:60]}')
    complete = value.get("complete", False)
    if not isinstance(complete, bool):
        raise row.error(f"anchor.complete must be true or false, found {dumps(complete)[:60]}")
    rule = value.get("evidence_rule", "any")
    if rule not in ("any", "all"):
        raise row.error(f'anchor.evidence_rule must be "any" or "all", found {dumps(rule)[:60]}')
    return Anchor(
        doc_sha=part.text("doc_sha"),
        doc_revision=part.text("doc_revision"),
        span=part.span("span"),
        evidence=tuple(_evidence(part, item) for item in part.objects("evidence")),
        evidence_rule=rule,
        complete=complete,
        by=part.text("by"),
        also=part.strings("also"),
        absorbed=tuple(_absorbed(part, item) for item in part.objects("absorbed")),
        extra=part.unknown(_ANCHOR_KNOWN),
    )


def _evidence(row: Row, fields: dict[str, Any]) -> Evidence:
    part = Row(fields, row.path, row.line, row.source)
    span = part.span("span")
    if span is None:
        raise row.error("anchor.evidence needs a span")
    return Evidence(
        span=span,
        exact=part.text("exact"),
        prefix=part.text("prefix"),
        suffix=part.text("suffix"),
        sha=part.text("sha"),
        extra=part.unknown(_EVIDENCE_KNOWN),
    )


def _absorbed(row: Row, fields: dict[str, Any]) -> Absorbed:
    part = Row(fields, row.path, row.line, row.source)
    index = part.integer("row")
    judgment = fields.get("judgment")
    if index is None or not isinstance(judgment, dict):
        raise row.error("anchor.absorbed needs {row, judgment}")
    guest = _judgment(Row(judgment, row.path, row.line, row.source))
    if guest.anchor is not None and guest.anchor.absorbed:
        raise row.error("an absorbed judgment cannot absorb others")
    if not guest.relevance:
        raise row.error("an absorbed judgment has a relevance of at least 1: zeros meet no label")
    return Absorbed(index, guest, part.unknown(("row", "judgment")))


def _anchor_to_json(anchor: Anchor) -> dict[str, Any]:
    fields: dict[str, Any] = {"v": _ANCHOR_VERSION, "unit": "cp"}
    if anchor.doc_sha is not None:
        fields["doc_sha"] = anchor.doc_sha
    if anchor.doc_revision is not None:
        fields["doc_revision"] = anchor.doc_revision
    if anchor.span is not None:
        fields["span"] = list(anchor.span)
    if anchor.evidence:
        fields["evidence"] = [_evidence_to_json(evidence) for evidence in anchor.evidence]
        fields["evidence_rule"] = anchor.evidence_rule
    if anchor.complete:
        fields["complete"] = True
    if anchor.by is not None:
        fields["by"] = anchor.by
    fields.update(anchor.extra)
    if anchor.also:
        fields["also"] = list(anchor.also)
    if anchor.absorbed:
        fields["absorbed"] = [
            {"row": item.row, "judgment": judgment_to_json(item.judgment), **item.extra}
            for item in anchor.absorbed
        ]
    return fields


def _evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "exact": evidence.exact,
        "span": list(evidence.span),
        "prefix": evidence.prefix,
        "suffix": evidence.suffix,
        "sha": evidence.sha,
        **evidence.extra,
    }
    return {name: value for name, value in fields.items() if value is not None}
