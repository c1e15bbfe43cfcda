"""Scores that judges gave, as JSON Lines: `spec/formats.md`."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from evergold.errors import InputError
from evergold.formats.jsonl import Row, dumps, read_rows
from evergold.model import Sample

_SOURCE = "samples"


def read_samples(path: Path) -> tuple[Sample, ...]:
    """Return the scores of a file, in order; fields that are not known are passed over.

    Raises `InputError` for a row without a metric or a finite score, for a metric with some rows
    that name a query and some that do not, and for a file without rows.
    """
    samples: list[Sample] = []
    first: dict[str, tuple[bool, int]] = {}
    for line, fields in read_rows(path, _SOURCE):
        row = Row(fields, path, line, _SOURCE)
        metric, score = row.identifier("metric"), fields.get("score")
        if ":" in metric:
            raise row.error(f"metric {metric!r} holds a colon, which gates part their fields with")
        if type(score) is bool or not isinstance(score, int | float) or not _is_finite(score):
            raise row.error(f"score must be a finite number, found {dumps(score)[:60]}")
        query_id = row.identifier("query_id") if fields.get("query_id") is not None else None
        named, earlier = first.setdefault(metric, (query_id is not None, line))
        if named != (query_id is not None):
            has = "no query_id" if named else "a query_id"
            raise row.error(f"{metric} has {has} here, unlike on line {earlier}")
        samples.append(Sample(metric, float(score), query_id))
    if not samples:
        raise InputError("no samples", path=path, line=1, source=_SOURCE)
    return tuple(samples)


def _is_finite(number: float) -> bool:
    try:
        return isfinite(number)
    except OverflowError:  # an integer beyond the floats
        return False
