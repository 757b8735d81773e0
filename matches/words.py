"""Names for people of the keys that the pages of a match show. What is not listed is shown as its key."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogue import labels

MODIFIERS: dict[str, str | Promise] = {
    "hindering": _("hindering terrain"),
    "called_shot": _("called shot"),
    "friendly_fire": _("friend in contact"),
    "indirect": _("indirect fire"),
    "rear_arc": _("rear arc"),
    "shutdown": _("target shut down"),
    "intervening": _("unit in between"),
    "assault": _("assault"),
    "dig_in": _("attacker dug in"),
    "target_dig_in": _("target digs in"),
    "defend": _("attacker defends"),
    "target_defend": _("target defends"),
    "target_dodge": _("target dodges"),
    "height": _("target stands higher"),
    "charge_line": _("charge line"),
    "death_from_above": _("death from above"),
    "heat": _("heat"),
    "pilot": _("pilot"),
}

PHASES: dict[str, str | Promise] = {
    "setup": _("Before the match"),
    "initiative": _("Initiative"),
    "special": _("Special attacks"),
    "move": _("Move"),
    "combat": _("Combat"),
    "cleanup": _("Clean-up"),
}

ORDERS: dict[str, str | Promise] = {
    "move": _("move"),
    "close": _("close combat"),
    "ranged": _("ranged combat"),
    "assault": _("assault"),
    "dig_in": _("dig in"),
    "defend": _("defend"),
    "dodge": _("dodge"),
    "vent": _("vent"),
    "pass": _("pass"),
    "charge": _("charge"),
    "death_from_above": _("death from above"),
    "pin": _("pin"),
}

VALUES: dict[str, str | Promise] = {
    "primary": _("primary"),
    "secondary": _("secondary"),
    "speed": _("speed"),
    "attack": _("attack"),
    "defense": _("defense"),
}

RANGE_TYPES: dict[str, str | Promise] = {
    "ballistic": _("ballistic"),
    "energy": _("energy"),
    "melee": _("melee"),
}

ENDINGS: dict[str, str | Promise] = {
    "last_side": _("one side was left"),
    "time_limit": _("the time was up"),
    "agreement": _("the players agreed to end it"),
    "surrender": _("a side surrendered"),
}

TIE_BREAKS: dict[str, str | Promise] = {
    "total": _("the higher build total"),
    "die": _("a die"),
}

SIDES: dict[str, str | Promise] = {
    "red": pgettext_lazy("side of a match", "Red"),
    "blue": pgettext_lazy("side of a match", "Blue"),
}


def plain(key: str) -> str:
    """The catalogue's name for an equipment or a heat effect; else the key without underscores."""
    name = labels.name(key)
    return name if name != key else key.replace("_", " ")


def word(table: dict[str, str | Promise], key: str | None) -> str:
    """The name of `key` in one of the tables above."""
    if not key:
        return ""
    return str(table.get(key) or plain(key))


def modifier_name(key: str) -> str:
    return word(MODIFIERS, key)


def signed(amount: int) -> str:
    """+2, −1 (with a true minus sign), 0."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"
