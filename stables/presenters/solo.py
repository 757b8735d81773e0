"""What the page of a solo evening offers, in honest words: lengths, difficulties, and a name for the stable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.evenings import DIFFICULTIES, FULL, LENGTHS, SIX, THREE, matches_of
from rules.campaign.classes import WEIGHT_CLASSES
from stables.selectors.honours import own_names
from stables.services.season.seasons import LONGEST_NAME
from stables.text import names as words
from web.reading import text_of

DIFFICULTY = "fair"
"""The difficulty that the form proposes."""


@dataclass(frozen=True)
class Choice:
    """One answer to a question of the form: its key, its name, what it means, and whether it is chosen.

    `matches` counts the person's matches in a season of this length; 0 for other questions.
    """

    key: str
    label: str | Promise
    description: str | Promise
    is_chosen: bool
    matches: int = 0


LENGTH_WORDS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    THREE: (
        _("Three matches"),
        _("A short evening: you shop once, then meet each of your three rivals once, one ’Mech against one."),
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
            "The rivals’ ’Mechs do anything the rules allow, by chance: in our trials the player of “fair” beat them "
            "in nine matches of ten. You keep the reputation of matches that you lose, and a sponsor and a hired pilot "
            "help when nobody is fit to fight."
        ),
    ),
    "fair": (
        _("Fair"),
        _(
            "The rivals take the best order they see at each turn and do not plan further. One owner saves, one weighs "
            "and one spends it all. The same help for you as in “easy”."
        ),
    ),
    "firm": (
        _("Firm"),
        _(
            "The rivals try a few orders in thought before they give one. That makes them a little stronger than those "
            "of “fair”, if at all: they won 59 of a hundred duels of ours against them, and 21 of forty others. Two "
            "owners weigh and one saves. The same help for you as in “easy”."
        ),
    ),
    "hard": (
        _("Hard"),
        _(
            "The rivals play each round on in thought before they give an order, and beat the player of “fair” in "
            "about seven duels of ten. All three owners repair first and keep spare crews, who loses a match keeps no "
            "reputation, and nobody helps."
        ),
    ),
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


@dataclass(frozen=True)
class Chosen:
    """What somebody chose in the form, carried through sign-up or log-in. An unknown choice becomes the default."""

    name: str = ""
    length: str = LENGTHS[0]
    difficulty: str = DIFFICULTY
    weight_class: str = WEIGHT_CLASSES[0]
    is_ready_made: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Chosen:
        """Read the fields of the form or of an address. Raises Malformed (not_a_text) for JSON that is not text."""
        length, difficulty = text_of(fields, "length"), text_of(fields, "difficulty")
        weight_class = text_of(fields, "weight_class")
        return cls(
            name=" ".join(text_of(fields, "name").split())[:LONGEST_NAME],
            length=length if length in LENGTHS else cls.length,
            difficulty=difficulty if difficulty in DIFFICULTIES else cls.difficulty,
            weight_class=weight_class if weight_class in WEIGHT_CLASSES else cls.weight_class,
            is_ready_made=fields.get("ready_made") in ("yes", True),
        )

    def address(self) -> str:
        """Return the address of the form with these choices; opening it begins nothing."""
        fields = {"length": self.length, "difficulty": self.difficulty, "weight_class": self.weight_class}
        if self.name:
            fields["name"] = self.name
        if self.is_ready_made:
            fields["ready_made"] = "yes"
        return f"{reverse('stables:solo')}?{urlencode(fields | {GO: '1'})}"


def lengths(chosen: str = LENGTHS[0]) -> list[Choice]:
    """Return the lengths with the number of the person's matches in each."""
    return [Choice(key, *LENGTH_WORDS[key], key == chosen, matches_of(key)) for key in LENGTHS]


def difficulties(chosen: str = DIFFICULTY) -> list[Choice]:
    """Return the difficulties, the easiest first."""
    return [Choice(key, *DIFFICULTY_WORDS[key], key == chosen) for key in DIFFICULTIES]


def classes(chosen: str = WEIGHT_CLASSES[0]) -> list[Choice]:
    """Return the weight classes, the lightest first."""
    return [Choice(key, words.word(words.CLASSES, key), "", key == chosen) for key in WEIGHT_CLASSES]


def suggested_name(user: Any, wanted: str = "") -> str:
    """Return a name for the stable: `wanted`, else one of the person's own stables', else one of NAMES; one query.

    For a person with stables, a wanted name from NAMES does not count: we suggested it before they logged in.
    """
    known = own_names(user)
    if wanted and not (known and wanted in NAMES and wanted not in known):
        return wanted
    return known[0] if known else NAMES[crc32(user.get_username().encode()) % len(NAMES)]
