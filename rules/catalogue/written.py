"""Readers of single cells as people write them: numbers, words, colours, equipment and heat effects.

Each returns None for a text that it does not understand. The caller then keeps the text, so that a check names its
place.
"""

from __future__ import annotations

import re
from typing import Any

from rules.catalogue.colours import COLOURS, EFFECTS_BY_COLOUR, EQUIPMENT_BY_COLOUR
from rules.catalogue.vocabulary import EQUIPMENT_PLACES
from rules.core.words import HEAT_EFFECTS

_LONGEST = 200
"""The most characters of a text that can be a word of the game."""

_SIGNS = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\u2010": "-", "\u2011": "-", "\uff0b": "+", "\u00a0": " ", "°": ""}
)
"""Minus signs and dashes of spreadsheets and phones, a wide plus sign, a space that does not break, and degrees."""

_NUMBER = re.compile(r"(?:#\s?)?([+-]?)\s?([0-9]{1,15})(?:[.,]0{1,2})?")

_SPELLINGS = {"armour": "armor", "defence": "defense", "grey": "gray"}
"""Other spellings of words that keys are made of."""

_EFFECTS = frozenset(effect for effects in HEAT_EFFECTS.values() for effect in effects)

_SHAPES = {"circle": True, "square": False}
"""The shape around a colour: a circle makes it single-use."""


def number(found: Any) -> int | None:
    """Return a whole number from an int, a float without a fraction, or a text such as `+1`, `−1` or `209.0`."""
    if isinstance(found, bool):
        return None
    if isinstance(found, int):
        return found
    if isinstance(found, float):
        return int(found) if found.is_integer() and abs(found) < 10**15 else None
    if not isinstance(found, str) or len(found) > _LONGEST:
        return None
    match = _NUMBER.fullmatch(found.translate(_SIGNS).strip())
    return int(match[1] + match[2]) if match else None


def key(found: str) -> str:
    """Return a text as a key: `Heavy Armour` becomes `heavy_armor`. The result is empty for a text without letters."""
    words = re.findall(r"[a-z0-9]+", found[:_LONGEST].lower())
    return "_".join(_SPELLINGS.get(word, word) for word in words)


def heading(found: str) -> str:
    """Return the heading of a column as a key; a sign that stands for "number" is one."""
    return "number" if found.strip() in ("#", "№") else key(found)


def colour(found: str) -> str | None:
    """Return a colour of COLOURS, whatever its spelling and case."""
    word = key(found)
    return word if word in COLOURS else None


def equipment(found: str, place: Any) -> tuple[str, bool] | None:
    """Return an equipment and whether it is single-use, from its key, its English name or its colour at a place.

    `place` is a key of EQUIPMENT_BY_COLOUR; anything else has no colours. `*` or `circle` at the end says single-use.
    """
    word, is_single_use = _shape(found)
    if word not in EQUIPMENT_PLACES:
        by_colour = EQUIPMENT_BY_COLOUR.get(place, {}) if isinstance(place, str) else {}
        word = by_colour.get(word, "")
    return (word, is_single_use) if word else None


def effect(found: str, family: Any) -> str | None:
    """Return a heat effect from its key, its English name or its colour at a place.

    `family` is ballistic, energy or speed; anything else shows no effects by colour.
    """
    word = _shape(found)[0]
    if word in _EFFECTS:
        return word
    return EFFECTS_BY_COLOUR.get(family, {}).get(word) if isinstance(family, str) else None


def _shape(found: str) -> tuple[str, bool]:
    """Return the key of a text without the shape at its end, and whether that shape is a circle."""
    text = found[:_LONGEST].strip()
    if text.endswith("*"):
        return key(text[:-1]), True
    word = key(text)
    before, _, last = word.rpartition("_")
    return (before, _SHAPES[last]) if before and last in _SHAPES else (word, False)
