"""Names among other words: a name from the right to the left turns nothing around it.

An isolated text stands between two invisible signs of Unicode (UAX 9), so that its direction ends where it ends, on a
page, in a mail, in a calendar or in a picture. A text that turns nothing needs no signs and stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import bidirectional

FIRST, LAST = "\u2068", "\u2069"
"""FSI and PDI: between them the text has the direction of its own first letter."""

_BEGINNINGS = frozenset("\u2066\u2067\u2068")
_TURNING = frozenset(("R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def isolated(text: str) -> str:
    """Return a text that turns nothing around it. A text isolated before stays as it is.

    >>> isolated("Iron Parish")
    'Iron Parish'
    >>> ascii(isolated("\\u05d0\\u05d1"))
    "'\\\\u2068\\\\u05d0\\\\u05d1\\\\u2069'"
    """
    if text.isascii() or not any(bidirectional(sign) in _TURNING for sign in text):
        return text
    depth, is_whole, kept = 0, text[0] == FIRST, []
    for place, sign in enumerate(text, 1):
        if sign in _BEGINNINGS:
            depth += 1
        elif sign == LAST and not depth:
            # It would end what stands around the text.
            continue
        elif sign == LAST:
            depth -= 1
            is_whole &= depth > 0 or place == len(text)
        kept.append(sign)
    inner = "".join(kept) + LAST * depth
    return inner if is_whole else FIRST + inner + LAST


def name_of(definition: Mapping[str, Any]) -> str:
    """Return the name of a definition, isolated, for a sentence, a choice or a cell. Documents hold the bare name."""
    return isolated(str(definition["name"]))


def bare(text: str) -> str:
    """Return a text without the signs that isolate."""
    return text.replace(FIRST, "").replace(LAST, "")
