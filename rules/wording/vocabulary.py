"""The words of a match as people read them inside a sentence; other words have the catalogue's display names.

A word of both lists (a class, a range type, a terrain) has its sentence form here and its heading form there.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.catalogue.wording import NAMES as CATALOGUE_NAMES
from rules.core.messages import gettext_noop, pgettext_noop
from rules.wording.cards import NAMES as CARDS
from rules.wording.language import Translate, identity

MODIFIERS: Mapping[str, str] = {
    "hindering": gettext_noop("hindering terrain"),
    "called_shot": gettext_noop("called shot"),
    "friendly_fire": gettext_noop("friend beside the target"),
    "indirect": gettext_noop("indirect fire"),
    "rear_arc": gettext_noop("rear arc"),
    "shutdown": gettext_noop("target shut down"),
    "intervening": gettext_noop("unit in between"),
    "target_dig_in": gettext_noop("target digs in"),
    "target_defend": gettext_noop("target defends"),
    "target_dodge": gettext_noop("target dodges"),
    "height": gettext_noop("target stands higher"),
    "charge_line": gettext_noop("charge line"),
    "impact": gettext_noop("impact"),
}
"""Modifiers to an attack that are not words of another table below (R-RMD, R-IND, R-TER-21)."""

ORDERS: Mapping[str, str] = {
    "move": gettext_noop("move"),
    "close": gettext_noop("close combat"),
    "ranged": gettext_noop("ranged combat"),
    "assault": pgettext_noop("order", "assault"),
    "dig_in": gettext_noop("dig in"),
    "defend": gettext_noop("defend"),
    "dodge": gettext_noop("dodge"),
    "vent": gettext_noop("vent"),
    "charge": gettext_noop("charge"),
    "death_from_above": gettext_noop("death from above"),
    "pin": gettext_noop("pin"),
    "pass": gettext_noop("pass"),
    "surrender": gettext_noop("surrender"),
    "agree": gettext_noop("agreement to end"),
    "take_back": gettext_noop("a step back"),
    "time_up": gettext_noop("end of time"),
    "run": gettext_noop("run"),
    "walk": gettext_noop("walk"),
    "jump": gettext_noop("jump"),
    "order": gettext_noop("order"),
}

PHASES: Mapping[str, str] = {
    "setup": pgettext_noop("phase", "setup"),
    "initiative": gettext_noop("initiative"),
    "special": gettext_noop("special attacks"),
    "combat": gettext_noop("combat"),
    "cleanup": gettext_noop("clean-up"),
    "finished": pgettext_noop("phase", "finished"),
}
"""The move phase has the name of the order."""

DECISIONS: Mapping[str, str] = {
    "start": gettext_noop("starting hex"),
    "token": gettext_noop("place for a target token"),
    "react": gettext_noop("reaction"),
    "cancel": gettext_noop("equipment to do without"),
    "free_spin": gettext_noop("free spin"),
    "split": gettext_noop("division of the damage"),
    "reroll": gettext_noop("die to roll again"),
    "revive": gettext_noop("revive attempt"),
    "restart": gettext_noop("restart attempt"),
    "source": gettext_noop("source of the equipment"),
    "active": gettext_noop("unit that begins"),
    "tag": gettext_noop("change of partners"),
    "flag_drop": gettext_noop("place for the flag"),
    "rally": gettext_noop("rally card"),
}

VALUES: Mapping[str, str] = {
    "primary": gettext_noop("primary damage"),
    "secondary": gettext_noop("secondary damage"),
    "speed": gettext_noop("speed"),
    "attack": gettext_noop("attack"),
    "defense": gettext_noop("defense"),
    "ballistic": gettext_noop("ballistic"),
    "energy": gettext_noop("energy"),
    "melee": gettext_noop("melee"),
    "none": gettext_noop("no range type"),
    "explosion": gettext_noop("ammunition explosion"),
    "overload": gettext_noop("heat sink overload"),
}

CLASSES: Mapping[str, str] = {
    "light": pgettext_noop("class", "light"),
    "medium": pgettext_noop("class", "medium"),
    "heavy": pgettext_noop("class", "heavy"),
    "assault": pgettext_noop("class", "assault"),
}
"""Classes of units. They stand apart, because an order is called assault too."""

TERRAIN: Mapping[str, str] = {
    "clear": gettext_noop("clear terrain"),
    "blocking": gettext_noop("blocking terrain"),
    "water": gettext_noop("water"),
    "elevated": gettext_noop("elevated terrain"),
    "abrupt": gettext_noop("abrupt elevated terrain"),
}

FORMATS: Mapping[str, str] = {
    "standard": gettext_noop("Standard match"),
    "team": gettext_noop("Team match"),
    "weapons_dead": gettext_noop("Weapons Dead match"),
    "tag_team": gettext_noop("Tag Team match"),
    "capture_the_flag": gettext_noop("Capture the Flag match"),
    "grand_melee": gettext_noop("Grand Melee"),
}

ENDINGS: Mapping[str, str] = {
    # Translators: why a match ended; stands behind “After 5 rounds:”
    "last_side": gettext_noop("only one side was left"),
    "time_limit": gettext_noop("the time was up"),
    "agreement": gettext_noop("the players agreed to end it"),
    "surrender": gettext_noop("a side surrendered"),
}

TIE_BREAKS: Mapping[str, str] = {
    # Translators: what decided between sides of equal reputation; stands behind “Decided by:”
    "total": gettext_noop("lower build total"),
    "die": gettext_noop("roll of a die"),
}

NAMES: Mapping[str, str] = {
    **CATALOGUE_NAMES,
    **CLASSES,
    **MODIFIERS,
    **ORDERS,
    **PHASES,
    **DECISIONS,
    **VALUES,
    **TERRAIN,
    **FORMATS,
    **ENDINGS,
    **TIE_BREAKS,
    **CARDS,
}
"""Every word with its name."""


CLASS_PARAMETERS = frozenset(("class", "classes", "means", "needed"))
"""Parameters of sentences that may be classes."""


def name(word: str, translate: Translate = identity, parameter: str = "") -> str:
    """Return the name of a word of the vocabulary; an unknown word gets spaces for its underscores.

    `parameter` tells what the word is in its sentence.

    >>> name("assault", parameter="class")
    'assault'
    """
    if parameter in CLASS_PARAMETERS and word in CLASSES:
        return translate(CLASSES[word])
    return translate(NAMES[word]) if word in NAMES else word.replace("_", " ")
