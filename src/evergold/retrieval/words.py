"""Words for lexical retrieval."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of `text`: runs of letters and digits, NFKC, case folded."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
