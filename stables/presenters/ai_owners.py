"""The owner of an AI stable, in words: an invented name, the character of their decisions, how hard their matches are.

Fetch stables with their seasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.evenings import DIFFICULTY_OF
from rules.bots.owners.people import OWNERS, draw_owners
from stables.models import Season, Stable
from stables.presenters.solo import DIFFICULTY_WORDS
from stables.selectors.seeds import season_dice

CHARACTERS: Mapping[str, str | Promise] = {
    Stable.Character.THRIFTY: _("Thrifty: keeps Stones for repairs before buying, and leaves damaged ’Mechs at home."),
    Stable.Character.BALANCED: _("Balanced: fills and repairs the crews of a match first, then buys spares and gear."),
    Stable.Character.RECKLESS: _("Reckless: buys the best there is, fields what is half broken, plays many cards."),
}
"""Character -> a sentence: what the numbers of rules.bots.owners.characters mean for an owner's decisions."""

PLAYS: Mapping[str, str | Promise] = {
    "random": _("Its ’Mechs pick legal orders at random."),
    "greedy": _("Its ’Mechs take the best order they see and do not plan further."),
    "quick": _("Its ’Mechs compare a few orders before choosing."),
    "tactical": _("Its ’Mechs plan the whole round before they give an order."),
    "strong": _("Its ’Mechs think as long as they may before they give an order."),
}
"""Bot -> a sentence on how it plays the matches of a stable."""


@dataclass(frozen=True)
class AiOwner:
    """The name of an AI stable's owner, one sentence on their character and one on how their matches are played.

    `how_hard` is the name of the bot's difficulty in solo seasons, empty for a bot that solo seasons do not use.
    """

    name: str
    character: str | Promise
    plays: str | Promise
    how_hard: str | Promise


def owner_of(stable: Stable) -> AiOwner | None:
    """Return the owner of an AI stable; None for a person's stable. No query.

    A stable never changes its owner. No two of a season's first 24 stables have the same owner.
    """
    if not stable.is_ai:
        return None
    return owners_of(stable.season, [stable])[stable.pk]


def owners_of(season: Season, stables: list[Stable]) -> dict[int, AiOwner]:
    """Return the owner of each AI stable among these stables of one season, by the stable's id; no query."""
    order = draw_owners(season_dice(season, "owners"))
    return {
        stable.pk: AiOwner(
            order[(stable.number - 1) % len(OWNERS)],
            CHARACTERS[stable.character],
            PLAYS.get(stable.bot, ""),
            how_hard(stable.bot),
        )
        for stable in stables
        if stable.is_ai
    }


def how_hard(bot: str) -> str | Promise:
    """Return the name of a bot's difficulty in solo seasons; empty for a bot that solo seasons do not use."""
    difficulty = DIFFICULTY_OF.get(bot)
    return "" if difficulty is None else DIFFICULTY_WORDS[difficulty][0]
