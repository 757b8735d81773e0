"""Languages for tests of sentences: English with a function in place of a catalogue, and languages of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from typing import Any

import pytest
from asgiref.local import Local
from django.utils import translation
from django.utils.translation import trans_real

from rules.wording.language import English, Number
from web.languages import offer


class MadeUp(English):
    """A language whose words a function gives."""

    def __init__(self, words: Callable[[str], str]) -> None:
        self.words = words

    def __call__(self, message: str, count: Number | None = None) -> str:
        """Return what the function makes of a template."""
        return self.words(super().__call__(message, count))


NAMES = {"pl": "polski", "de": "Deutsch"}


def finish(monkeypatch: pytest.MonkeyPatch, **rooms: Iterable[str]) -> None:
    """Let these rooms be finished, by language: finish(monkeypatch, pl=["people"]). All others are not.

    The language of the last request stays active, so it is forgotten with the rest after the test.
    """
    monkeypatch.setattr(trans_real, "_active", Local())
    known: Mapping[str, offer.Language] = {
        offer.ENGLISH: offer.known()[offer.ENGLISH],
        **{
            code: offer.Language(code, name, f"not yet in {code}", frozenset(rooms.get(code, ())))
            for code, name in NAMES.items()
        },
    }
    monkeypatch.setattr(offer, "known", lambda: known)


def speak(monkeypatch: pytest.MonkeyPatch, said: Callable[[str], str]) -> None:
    """Let a function say every text that gettext gives, Django's own included, for the rest of the test."""

    def choose(one: str, several: str, number: float) -> str:
        return said(one if number == 1 else several)

    functions = {
        "gettext": said,
        "pgettext": lambda context, text: said(text),
        "ngettext": choose,
        "npgettext": lambda context, one, several, number: choose(one, several, number),
    }
    for name, function in functions.items():
        monkeypatch.setattr(translation._trans, name, function, raising=False)


def speak_with_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every text that gettext gives with the code of its language, as in "pl:Save"; English stays as it is."""

    def marked(text: str) -> str:
        code = translation.get_language()
        return text if code in (None, offer.ENGLISH) or not text.strip() else f"{code}:{text}"

    speak(monkeypatch, marked)


Asked = tuple[str, str, str]
"""Context, "" for none, form for one, and form for several, "" for none."""


@contextmanager
def heard(asked: set[Asked]) -> Iterator[None]:
    """Add every text that gettext is asked for inside; it says what it says without this."""
    keys: Mapping[str, Callable[..., Asked]] = {
        "gettext": lambda text: ("", text, ""),
        "pgettext": lambda context, text: (context, text, ""),
        "ngettext": lambda one, several, number: ("", one, several),
        "npgettext": lambda context, one, several, number: (context, one, several),
    }

    def listening(said: Callable[..., str], key: Callable[..., Asked]) -> Callable[..., str]:
        def say(*texts: Any) -> str:
            asked.add(key(*map(str, texts)))
            return said(*texts)

        return say

    with pytest.MonkeyPatch.context() as patch:
        for name, key in keys.items():
            patch.setattr(translation._trans, name, listening(getattr(translation._trans, name), key))
        yield


def without_translation(asked: Iterable[Asked], language: str) -> set[Asked]:
    """Return the texts that the catalogues of a language do not have, those of Django's own parts included."""
    catalogue = trans_real.translation(language)._catalog
    found = set()
    for context, one, several in asked:
        text = "\n".join(one.splitlines())
        key = f"{context}{trans_real.CONTEXT_SEPARATOR}{text}" if context else text
        if text.strip() and (key, 0) not in catalogue if several else key not in catalogue:
            found.add((context, one, several))
    return found


_LETTERS = re.compile(r"(<[^>]*>|&\w+;|\{\w*\}|%\(\w+\)[a-z]|%[sd%])|([^\W\d_]+)")
LONGER = 0.4
"""The share by which words of the language with long words are longer."""


def lengthened(text: str) -> str:
    """Return a text with words that are LONGER; what code fills in, tags and numbers stay."""

    def longer(found: re.Match[str]) -> str:
        word = found[2]
        return found[0] if word is None else word + (word * 2)[: ceil(LONGER * len(word))].lower()

    return _LETTERS.sub(longer, text)


def speak_with_long_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the words of every text that gettext gives, for the rest of the test."""
    speak(monkeypatch, lengthened)
