"""Amounts of money and percentages in the reader's language."""

from __future__ import annotations

from rules.wording import challenge_words
from web.languages.reader import translate


def figures(c_bills: int) -> str:
    """Return an amount with marks between thousands and a true minus sign: −2,500,000."""
    return challenge_words.amount(c_bills, translate)


def percent_words(percent: int) -> str:
    """Return percentage points with their sign: −20 %."""
    return challenge_words.percent_words(percent, translate)
