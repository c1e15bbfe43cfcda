"""The time, for what people accept and read. No stage looks at it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from evergold.errors import UsageError


def now() -> str:
    """Return the time in UTC to the second; SOURCE_DATE_EPOCH sets it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError) as error:
        message = f"SOURCE_DATE_EPOCH must be seconds since 1970, found {epoch!r}"
        raise UsageError(message) from error
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
