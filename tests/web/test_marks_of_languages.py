"""Quotation marks, dashes and ellipses of the translations are those of their language."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator

import pytest

from web.languages.compiled import FOLDER

MARKS = {"pl": ("„", "”"), "de": ("„", "“")}
"""The quotation marks of a language: the one that opens, and the one that closes."""
OF_NO_LANGUAGE_HERE = {
    "straight quotation marks": re.compile(r'"'),
    "straight apostrophe": re.compile(r"'"),
    "hyphen in the place of a dash": re.compile(r"(?<=\s)-(?=\s)"),
    "em dash": re.compile("—"),
    "hyphen between numbers": re.compile(r"(?<![\w-])\d+-\d+(?![\w-])"),
    "dots in the place of an ellipsis": re.compile(r"\.\.\."),
}
"""What a translation may have only where its English text has it too, in a name or a list of signs, say."""
_TAGS = re.compile(r"<[^>]*>|`[^`]*`")


def translations(language: str) -> Iterator[tuple[str, str]]:
    """Yield each translation with its text, without tags and code."""
    with (FOLDER / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    for key, said in catalogue.items():
        text = key[0] if isinstance(key, tuple) else key
        if text:
            yield _TAGS.sub("", text), _TAGS.sub("", said)


def problems_of(text: str, said: str, language: str) -> list[str]:
    """Return what is wrong with the marks of a translation, [] for nothing."""
    opens, closes = MARKS[language]
    found = [name for name, sign in OF_NO_LANGUAGE_HERE.items() if sign.search(said) and not sign.search(text)]
    found += [f"mark {mark} of another language" for mark in sorted(set("“”«»") - {opens, closes}) if mark in said]
    depth = 0
    for sign in said:
        depth += (sign == opens) - (sign == closes)
        if depth not in (0, 1, 2):
            break
    return found + ["quotation that does not open or close"] * (depth != 0)


@pytest.mark.parametrize("language", MARKS)
def test_translations_have_the_marks_of_their_language(language: str) -> None:
    listed = list(translations(language))
    assert len(listed) > 1000
    assert {said: found for text, said in listed if (found := problems_of(text, said, language))} == {}


@pytest.mark.parametrize(
    ("said", "language", "problems"),
    [
        ("„Zimowy”, sezon „{name}”", "pl", 0),
        ("Saison „{name}“ – heute", "de", 0),
        ("Sezon “{name}”", "pl", 2),
        ("Sezon „{name}“", "pl", 2),
        ("Saison „{name}”", "de", 2),
        ("Saison „{name}", "de", 1),
        ('Saison "{name}" - heute...', "de", 3),
        ("1-3 — dann", "pl", 2),
        ("`a - b` GS-008", "pl", 0),
    ],
)
def test_a_wrong_mark_is_found(said: str, language: str, problems: int) -> None:
    assert len(problems_of("Season “{name}”", _TAGS.sub("", said), language)) == problems
