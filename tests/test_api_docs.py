"""The examples of docs/api.md give what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"


def test_the_examples_of_the_page_hold() -> None:
    """Every block runs, one after the other with what the earlier ones defined."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    said: list[str] = []
    runner = doctest.DocTestRunner()
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    result = runner.run(example, out=said.append)
    assert "" == "".join(said)
    assert 0 == result.failed
    assert result.attempted > 30
