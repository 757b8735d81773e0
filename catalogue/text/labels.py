"""Catalogue words and problems in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, pgettext_lazy

from rules.catalogue.problems import CatalogueError, Problem
from rules.catalogue.wording import NAMES, SENTENCES
from rules.wording.isolation import isolated
from web.languages.reader import translate

NO_DIAL = gettext_noop("This unit has no dial here: it plays at a real table only.")
"""The sentence that stands where the dial of other units stands."""

DIAL_HEADS: dict[str, str | Promise] = {
    # Translators: column of numbers, 54 pixels wide; shorten it if need be
    "primary": pgettext_lazy("heading of a dial", "Primary"),
    # Translators: column of numbers, 54 pixels wide; shorten it if need be
    "secondary": pgettext_lazy("heading of a dial", "Secondary"),
    # Translators: column of numbers, 54 pixels wide; shorten it if need be
    "speed": pgettext_lazy("heading of a dial", "Speed"),
    # Translators: column of numbers, 54 pixels wide; shorten it if need be
    "attack": pgettext_lazy("heading of a dial", "Attack"),
    # Translators: column of numbers, 54 pixels wide; shorten it if need be
    "defense": pgettext_lazy("heading of a dial", "Defense"),
}
"""The values of a dial, short enough for the heads of narrow columns."""

WORD_PARAMETERS = {"equipment", "effect", "place", "class", "means", "kind", "program"}
"""Parameters of problems that are vocabulary words; all others repeat what the file says."""

CODES_ABOUT_VALUES = {"value_rises", "equipment_wrong_value", "heat_effect_wrong_value"}


def name(word: str) -> str:
    """Return the display name of a vocabulary word; a word outside the vocabulary is returned unchanged."""
    return translate(NAMES[word]) if word in NAMES else word


def earned_by(token: Mapping[str, Any]) -> str:
    """Return which attack earns the worth of a target token, and what any other one earns."""
    if token["rp"] == token["else_rp"]:
        return gettext("by any attack")
    named = {"method": name(token["method"]), "otherwise": token["else_rp"]}
    return gettext("by an attack of the type “%(method)s”, otherwise %(otherwise)s") % named


def choices(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return words with their display names, as the choices of a form field."""
    return [(word, name(word)) for word in words]


def colour(word: str) -> str:
    """Return the name of a colour of `catalogue.text.marks`. Raises KeyError for any other word."""
    names = {
        "purple": gettext("purple"),
        "green": gettext("green"),
        "red": gettext("red"),
        "blue": gettext("blue"),
        "black": gettext("black"),
        "gray": gettext("gray"),
        "yellow": gettext("yellow"),
    }
    return names[word]


def feature(word: str) -> str:
    """Return the name of a feature of a price (a key of `rules.catalogue.pricing.FEATURES`, or `constant`).

    Raises KeyError for any other word.
    """
    names = {
        "constant": gettext("Every unit"),
        "clicks": gettext("Clicks"),
        "firepower": gettext("Better ranged value"),
        "second_weapon": gettext("Other ranged value"),
        "melee": gettext("Close combat"),
        "toughness": gettext("Defense over the clicks"),
        "speed": gettext("Speed over the clicks"),
        "reach": gettext("Range over the clicks"),
        "targets": gettext("More than one target"),
        "front_arc": gettext("Front arc"),
        "vent": gettext("Vent rating"),
        "heat_steps": gettext("Heat steps without effects"),
        "damage_equipment": gettext("Equipment on damage values"),
        "speed_equipment": gettext("Equipment on speed"),
        "attack_equipment": gettext("Equipment on attack"),
        "defense_equipment": gettext("Equipment on defense"),
    }
    return names[word]


def terrain(word: str) -> str:
    """Return the display names of the parts of a terrain such as `hindering+elevated`, separated by commas."""
    return ", ".join(name(part) for part in word.split("+"))


def sentence(code: str, parameters: Mapping[str, Any]) -> str:
    """Return the sentence for a problem code; an unknown code is returned unchanged."""
    if code not in SENTENCES:
        return code
    words = WORD_PARAMETERS | ({"value"} if code in CODES_ABOUT_VALUES else set())
    shown = {
        key: isolated(name(value) if key in words else value) if isinstance(value, str) else value
        for key, value in parameters.items()
    }
    return translate(SENTENCES[code]).format(**shown)


def refusal(error: CatalogueError) -> str:
    """Return the sentence that refuses a file: how many problems were found, and whether there may be more."""
    found = sentence(error.code, {"count": len(error.problems)})
    return f"{found} {gettext('The search stopped there; there may be more.')}" if error.is_cut else found


def location(problem: Problem) -> str:
    """Return the place of a problem in one line: the file, and its kind and id, click and field where known."""
    parts = [problem.file]
    if problem.kind:
        parts.append(f"{name(problem.kind)} {problem.id or ''}".strip())
    if problem.click is not None:
        parts.append(gettext("click {click}").format(click=problem.click))
    if problem.field:
        parts.append(problem.field)
    return " · ".join(parts)


def note(note: Mapping[str, Any]) -> str:
    """Return a mapping's note about one unit in one line: the unit, the field, the sentence."""
    parts = [note["unit"], note["field"]] if note["field"] else [note["unit"]]
    return f"{' · '.join(parts)}: {sentence(note['code'], note['parameters'])}"
