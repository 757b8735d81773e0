"""How words are searched and sorted for a reader, in Python and so alike with every database.

Searching finds without diacritics: "zolw" finds "żółw". A German umlaut is found as its vowel and as the vowel with an
e: "Apfel" and "Aepfel" both find "Äpfel". Sorting goes by the reader's language: in Polish ć is a letter of its own
after c, in German ä stands with a.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from django.utils.translation import get_language

SINGLE = str.maketrans({"ł": "l", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
"""Letters without a decomposition."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
SIGNS = str.maketrans({**dict.fromkeys("’‘'`´\u00ad\u200b\u2060\ufeff"), **dict.fromkeys("-‐‑–—\u00a0\u202f", " ")})
"""Apostrophes count for nothing, and what joins words as a space."""

LETTERS = {"pl": "ąćęłńóśźż"}
"""The letters that a language sorts after their plain ones, in their order."""

Key = tuple[tuple[tuple[str, int], ...], str, str]


def folded(text: str) -> str:
    """Return a text as searches compare it: small letters without marks or apostrophes, one space between words."""
    return _variants(text)[0]


def variants(text: str) -> tuple[str, ...]:
    """Return the ways in which a text may be typed, folded: with each umlaut as its vowel, and with an e after it."""
    return _variants(text)


def contains(text: str, question: str) -> bool:
    """Return whether a text has every word of a question, also within longer words; True for an empty question."""
    typed = _variants(text)
    return all(any(form in each for form in variants(word) for each in typed) for word in question.split())


@lru_cache(maxsize=16384)
def _variants(text: str) -> tuple[str, ...]:
    # Composed first, so that a vowel and its mark are one letter.
    small = unicodedata.normalize("NFC", text.casefold()).translate(SIGNS)
    return tuple(dict.fromkeys(" ".join(_bare(form).split()) for form in (small, small.translate(UMLAUTS))))


def _bare(text: str) -> str:
    """Return a text in small letters without marks."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text.translate(SINGLE))
    return "".join(part for part in parts if not unicodedata.combining(part))


def sort_key(text: str, language: str | None = None) -> Key:
    """Return the place of a word or name in a list; `language` is a code, None for the reader's.

    Signs before a word do not count: ’Mech stands under M. Words that differ in nothing that counts keep one order.
    """
    own = _own_letters(language)
    small = unicodedata.normalize("NFC", text.casefold()).translate(SIGNS)
    places: list[tuple[str, int]] = []
    for letter in small.strip().lstrip('“”„"«»‚([{.…'):
        rank = own.find(letter) + 1 if letter in own else 0
        places.extend((plain, rank) for plain in _bare(letter))
    return tuple(places), small, text


def heading(text: str, language: str | None = None) -> str:
    """Return the letter under which an index lists a word, as a capital; "" for a word without a letter or digit."""
    own = _own_letters(language)
    small = unicodedata.normalize("NFC", text.casefold())
    first = next((letter for letter in small if letter.isalnum()), "")
    return (first if first in own else _bare(first)[:1]).upper()


def _own_letters(language: str | None) -> str:
    code = (get_language() or "") if language is None else language
    return LETTERS.get(code.partition("-")[0], "")
