"""Who runs a stable of the AI, in words: an invented name, and the character that its decisions are made by (reads)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.bots.owners.people import OWNERS, draw_owners
from stables.models import Season, Stable
from stables.streams import season_dice

CHARACTERS: Mapping[str, str | Promise] = {
    Stable.Character.THRIFTY: _("Thrifty: keeps Stones for repairs before buying, and leaves damaged ’Mechs at home."),
    Stable.Character.BALANCED: _("Balanced: repairs everything first, then buys spare crews and gear with the rest."),
    Stable.Character.RECKLESS: _("Reckless: buys the best there is, fields what is half broken, plays many cards."),
}
"""What the numbers of rules.bots.owners.characters come to."""


@dataclass(frozen=True)
class AiOwner:
    """The name of who runs a stable of the AI, and one sentence on the character."""

    name: str
    told: str | Promise


def owner_of(stable: Stable) -> AiOwner | None:
    """Return who runs a stable of the AI; None for a person's. No query: the stable comes with its season.

    The same stable of a season has the same owner for ever, and no two of the first two dozen share one.
    """
    if not stable.is_ai:
        return None
    return owners_of(stable.season, [stable])[stable.pk]


def owners_of(season: Season, stables: list[Stable]) -> dict[int, AiOwner]:
    """Return who runs each stable of the AI among these, by id; no query."""
    order = draw_owners(season_dice(season, "owners"))
    return {
        stable.pk: AiOwner(order[(stable.number - 1) % len(OWNERS)], CHARACTERS[stable.character])
        for stable in stables
        if stable.is_ai
    }
