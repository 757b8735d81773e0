"""Reading the numbers that people and other programs write: one reader for all of them."""

from __future__ import annotations

MOST_DIGITS = 18
"""Any number of so many digits fits into a column of 64 bits."""


def whole_number(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """Return the number from 0 on that the digits 0-9 say; None for any other text, and for more than `most_digits`.

    `str.isdigit` also takes "²", which `int` refuses. `int` also takes "٣", " 3" and "1_0", and refuses 5,000 digits.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_number else None
