"""The reader's language for the sentences of the rules."""

from __future__ import annotations

from fractions import Fraction

from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext, npgettext, pgettext

from rules.core.messages import Message
from rules.wording.filling import shown
from rules.wording.language import MARKED_FROM, Number, Stones
from web.moments import clock_words


class ReadersLanguage:
    """The language that is active for the request, mail or job."""

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return a template in the reader's language, in the form for `count` where it has one for several."""
        if not isinstance(message, Message):
            return gettext(message)
        if message.several:
            number = 0 if count is None else int(count)
            if message.context:
                return npgettext(message.context, message, message.several, number)
            return ngettext(message, message.several, number)
        return pgettext(message.context, message) if message.context else gettext(message)

    def number(self, value: Number) -> str:
        """Return a number as the reader's language writes it, with marks between thousands from 10,000 on."""
        if isinstance(value, Fraction):
            return str(value)
        return str(number_format(value, use_l10n=True, force_grouping=abs(value) >= MARKED_FROM))

    def money(self, value: int) -> str:
        """Return an amount of money as the reader's language writes it, with marks between thousands from 1,000 on."""
        return str(number_format(value, use_l10n=True, force_grouping=True))

    def moment(self, value: str) -> str:
        """Return a time as the reader's language writes it, in their zone. A time without a zone stays a clock's."""
        return clock_words(value)


translate = ReadersLanguage()
translate_lazily = lazy(translate, str)
"""The same for labels that are made once and read in many languages."""


def in_stones(amount: int) -> str:
    """Return an amount with its word in the reader's language: 50 Stones."""
    return shown(Stones(amount), translate)
