"""Who is at the page of a match: people whose page has asked within the last minute. Nothing is stored for longer."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache

from matches.models import Match

LASTS = 60
"""How many seconds after a look a person counts as being there. A page behind others looks every five seconds."""


@dataclass(frozen=True)
class Rival:
    """A person who plays against the reader. `name` is that of their account."""

    side: str
    name: str
    is_there: bool


def look(match: Match, sides: tuple[str, ...]) -> None:
    """Note that the player of `sides` looks at the match now. Called again it changes nothing but the time."""
    for side in sides:
        cache.set(_key(match, side), True, LASTS)


def rivals_of(match: Match, sides: tuple[str, ...]) -> tuple[Rival, ...]:
    """Return the other people who play a match from `find_match`, in the order of its seats; none once it is over."""
    if match.is_over:
        return ()
    seats = [seat for seat in match.seats.all() if seat.user is not None and seat.side not in sides]
    there = cache.get_many([_key(match, seat.side) for seat in seats])
    return tuple(
        Rival(seat.side, seat.user.get_username(), _key(match, seat.side) in there)
        for seat in seats
        if seat.user is not None
    )


def _key(match: Match, side: str) -> str:
    return f"presence:{match.pk}:{side}"
