"""The organisers' hand on stables: who of them may decide about a stable of a season that has begun."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from datetime import timedelta

LINK_LASTS = timedelta(days=14)
"""How long a link that passes a stable on can be used."""

MARKET, LINE_UP, MATCH = "market", "line_up", "match"
"""What a season waits for of a stable: the end of its shopping, a line-up, its match."""

OFFER_LASTS = timedelta(hours=48)
"""How long a person may think about a place that they are offered."""


def may_decide_about(
    actor: Hashable, owner: Hashable | None, organisers: Collection[Hashable], players: Collection[Hashable]
) -> bool:
    """Return whether an organiser may decide about a stable.

    One who plays in the season may decide only about their own stable, unless every organiser plays in it. `owner` is
    None for a stable of the AI.
    """
    return actor not in players or actor == owner or set(organisers) <= set(players)


def free_places(places: int, stables: int, waiting: int) -> int:
    """Return how many places are free for people who do not wait: people on the waiting list come first."""
    return max(0, places - stables - waiting)
