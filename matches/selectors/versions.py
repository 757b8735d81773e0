"""Short tokens for what a person has seen of a match, which change when there is more; and who speaks for a side."""

from __future__ import annotations

from django.utils.crypto import constant_time_compare, salted_hmac

from matches.models import Match
from matches.selectors.matches import free_seat
from rules.competition.match import Match as EngineMatch


def looking(engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return the side whose view the player of `sides` gets: the one that must decide if it is theirs, or their first.

    `sides` has at least one.
    """
    decision = engine.decision
    return decision.side if decision is not None and decision.side in sides else sides[0]


def speaker(engine: EngineMatch, side: str) -> str:
    """Return the id of the unit that agrees or surrenders for a side.

    It is the side's first unit in play, or the first of all when none is.
    """
    table = engine.table
    units = table.roster.side_units[table.roster.side_of_name[side]]
    return table.fighter(next((unit for unit in units if table.is_in_play(unit)), units[0])).name


def state_token(match: Match) -> str:
    """Return a token for the match's last step, for forms.

    The number itself would reveal that a rival kept a rally card.
    """
    return salted_hmac("matches.seen", f"{match.pk}:{match.last_sequence}", algorithm="sha256").hexdigest()[:16]


def is_current(match: Match, seen: str) -> bool:
    """Return whether a form was made at the match's last step."""
    return constant_time_compare(seen, state_token(match))


def version_for(match: Match, engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return a token that changes only when the page of the person who plays `sides` changes.

    Fetch the match with its seats.
    """
    decision = engine.decision
    waiting = decision.side if decision is not None else ""
    shown = [match.pk, len(engine.table.log or ()), waiting]
    if waiting in sides:
        shown.append(match.last_sequence)
    if free_seat(match) is not None:
        shown.append("waits for a rival")
    return salted_hmac("matches.version", repr(shown), algorithm="sha256").hexdigest()[:12]
