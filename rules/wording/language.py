"""What a language has to give so that a sentence can be said in it: its words, its plural forms, its numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from rules.core.messages import Message, ngettext_noop

MARKED_FROM = 10_000
"""Numbers below it have no marks between their thousands."""

Number = int | float | Fraction

STONES = ngettext_noop("{count} Stone", "{count} Stones")


class Stones(int):
    """An amount of Stones. A sentence says it with its word: 50 Stones."""


class Translate(Protocol):
    """A language. Called with a template, it returns the template in this language."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return a template, in the form for `count` where the message has one for several."""
        ...

    def number(self, value: Number) -> str:
        """Return a number as its readers write it: with their decimal sign, and with marks from 10,000 on."""
        ...

    def money(self, value: int) -> str:
        """Return an amount of money as its readers write it: with marks between thousands from 1,000 on."""
        ...

    def moment(self, value: str) -> str:
        """Return a time as its readers write it, in their zone; `value` is as refusals name it (`moment_text`)."""
        ...


class English:
    """The templates' own language."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return the template itself, or its form for several."""
        if isinstance(message, Message) and message.several and count != 1:
            return message.several
        return str(message)

    def number(self, value: Number) -> str:
        """Return 9999, 10,000, 1.5.

        >>> [identity.number(value) for value in (9999, -10_000, 1.5)]
        ['9999', '-10,000', '1.5']
        """
        return f"{value:,}" if isinstance(value, int) and abs(value) >= MARKED_FROM else str(value)

    def money(self, value: int) -> str:
        """Return 950, 2,500,000."""
        return f"{value:,}"

    def moment(self, value: str) -> str:
        """Return the time as it is."""
        return value


identity = English()
"""English: the sentences as their templates have them."""
