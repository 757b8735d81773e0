"""Names that people give: what counts as one, and which of them look the same.

Two names look the same when their keys are equal. The key folds what Unicode calls compatible (NFKC), the case of
letters, signs without a look, and signs that look alike (UTS 39, `confusables.txt` beside this module). Accounts keep
their key in the database; `people.migrations` has a copy of `name_key` as it was then. Whoever changes the function or
its table adds a migration that makes all keys again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django import forms
from django.db import models

from rules.wording.isolation import bare, isolated

TABLE = Path(__file__).with_name("confusables.txt")
"""Signs and what they look like, made by `tests.tools.confusables` from Unicode's own file."""

LONGEST_KEY = 190

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Unicode wants ignored where it cannot be drawn (Default_Ignorable_Code_Point)."""

_BLANK = str.maketrans({"\u2800": " ", "\U0001d159": " "})
"""Signs that are drawn as nothing: the Braille pattern without dots, the note without a head."""

_WRITTEN = str.maketrans({"Β": "B", "Ν": "N", "Υ": "Y", "Ϲ": "C", "ϲ": "c"})
"""Greek letters whose look is lost when case or compatible forms are folded: ν looks like v, and its capital like N."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and signs that turn the direction of text."""


def proper_name(text: str, longest: int) -> str:
    """Return a name as it is stored, "" when it is none: 1 to `longest` characters, at least one of them visible.

    Control characters and signs that turn the direction of text are left out, and white space becomes single spaces.
    The name is isolated (rules.wording.isolation).
    """
    name = " ".join(_CONTROLS.sub("", " ".join(text.split())).split())
    return isolated(name) if len(name) <= longest and is_visible(name) else ""


def printable(name: str) -> str:
    """Return a name without format characters, which definitions and setups of matches may not hold."""
    return "".join(sign for sign in name if unicodedata.category(sign) != "Cf")


def is_visible(name: str) -> bool:
    """Return whether a name has a letter, a digit, a mark or a symbol that can be seen.

    A sign that this Python does not know (Cn, Co) is drawn at least as a box, and may be an emoji of a later Unicode.
    """
    kinds = map(unicodedata.category, INVISIBLE.sub("", name).translate(_BLANK))
    return any(kind[0] in "LNPS" or kind in ("Cn", "Co") for kind in kinds)


def name_key(name: str) -> str:
    """Return the key of a name, at most LONGEST_KEY characters: names with equal keys look the same.

    >>> name_key("Iron Parish") == name_key(" iron\\u200b  PAR\\u0456SH")
    True

    Looks come before case: a Greek name in capitals may have another key than in small letters.
    """
    text = unicodedata.normalize("NFKC", name.translate(_BLANK).translate(_WRITTEN))
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_WRITTEN)).casefold()
    text = unicodedata.normalize("NFD", INVISIBLE.sub("", text)).translate(_looks())
    return " ".join(text.split())[:LONGEST_KEY]


def looks_like_one(name: str, others: Iterable[str]) -> bool:
    """Return whether a name looks the same as one of the others, or differs from it only in case."""
    key, small = name_key(name), name.casefold()
    return any(name_key(other) == key or other.casefold() == small for other in others)


class NameField(models.CharField):
    """The name that a person gives to something: isolated on every object, so wherever it is shown, and bare in the
    database. Lookups and forms take it either way. For migrations it is a CharField.
    """

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options

    def from_db_value(self, value: str | None, *details: Any) -> str | None:
        return None if value is None else isolated(value)

    def to_python(self, value: Any) -> Any:
        found = super().to_python(value)
        return bare(found) if isinstance(found, str) else found

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the name to store, and isolate it on the object, which may be shown before it is read again."""
        name = super().pre_save(model_instance, add)
        if isinstance(name, str):
            setattr(model_instance, self.attname, isolated(name))
        return name


@cache
def _looks() -> Mapping[int, str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t", 1) for line in lines if not line.startswith("#"))
    return {ord(sign): look for sign, look in pairs}


class NamesSelect(forms.Select):
    """A select of names, marked as not to be translated, except the empty option."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if value:
            option["attrs"]["translate"] = "no"
        return option
