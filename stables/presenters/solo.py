"""What the page of a solo evening offers, in honest words: lengths, difficulties, and a name for the stable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.evenings import FULL, SIX, THREE
from stables.selectors.honours import own_names


@dataclass(frozen=True)
class Choice:
    """One answer to a question of the form: its name, and what it means.

    `matches` counts the person's matches in a season of this length; 0 for other questions.
    """

    label: str | Promise
    description: str | Promise
    matches: int = 0


LENGTH_WORDS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    THREE: (
        _("Three matches"),
        _(
            "A short evening with one ’Mech: a duel, a duel without shooting, and a Grand Melee of all four stables. "
            "You start with the Stones for one crew and one repair (260 in light, 335 in medium, 455 in heavy, 575 in "
            "assault); before each match you shop, and after each you are paid."
        ),
    ),
    SIX: (
        _("One match a cycle"),
        _("All six formats of the arena, one match of each, with a market and a purse before the next."),
    ),
    FULL: (
        _("The full season"),
        _("All six cycles with all their matches: several evenings. You go on whenever you like."),
    ),
}

DIFFICULTY_WORDS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "easy": (
        _("Easy"),
        _(
            "Rivals pick legal orders at random. Good for a first game. You keep the reputation of matches that you "
            "lose, and a sponsor and a hired pilot help when nobody is fit to fight."
        ),
    ),
    "fair": (
        _("Fair"),
        _(
            "Rivals take the best order they see and do not plan further. One owner is thrifty, one balanced and one "
            "reckless. The same help for you as in Easy."
        ),
    ),
    "firm": (
        _("Firm"),
        _(
            "Rivals compare a few orders before choosing: about as strong as Fair, sometimes a little stronger. Two "
            "owners are balanced and one is thrifty. The same help for you as in Easy."
        ),
    ),
    "hard": (
        _("Hard"),
        _(
            "Rivals plan the whole round before they give an order. All owners are balanced. Losers keep no "
            "reputation; no sponsor helps you."
        ),
    ),
}

STANDING_WORDS: Mapping[str, str | Promise] = {
    "routine": _("Leave out routine questions"),
    "none": _("Ask me everything"),
}

NAMES = (
    "Copper Lantern",
    "Second Bell",
    "Harbour Street Works",
    "Tin Cathedral",
    "Night Shift",
    "Ninth Gear",
    "Quiet Thunder",
    "Salt and Iron",
    "The Patient Few",
    "Windward Yard",
)
"""Suggestions for a person who has no stable yet; no AI stable bears one of these names."""


GO = "go"
"""The field of an address that says: somebody made the choices in it, and only the last press is left."""


def suggested_name(user: Any, wanted: str = "") -> str:
    """Return a name for the stable: `wanted`, else one of the person's own stables', else one of NAMES; one query.

    For a person with stables, a wanted name from NAMES does not count: we suggested it before they logged in.
    """
    known = own_names(user)
    if wanted and not (known and wanted in NAMES and wanted not in known):
        return wanted
    return known[0] if known else NAMES[crc32(user.get_username().encode()) % len(NAMES)]
