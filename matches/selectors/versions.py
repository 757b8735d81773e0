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
    units = table.roster.side_units[_number(engine, side)]
    return table.fighter(next((unit for unit in units if table.is_in_play(unit)), units[0])).name


def version_for(match: Match, engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return a token that changes only when the page of the person who plays `sides` changes.

    It counts the person's own answers and no others: the number of all steps would reveal that a rival kept a rally
    card. Fetch the match with its seats.
    """
    decision, table = engine.decision, engine.table
    waiting = decision.side if decision is not None else ""
    own = {table.fighter(unit).name for side in sides for unit in table.roster.side_units[_number(engine, side)]}
    answers = sum(action.get("unit") in own for action in engine.actions)
    shown: list[object] = [match.pk, len(table.log or ()), waiting, answers]
    if free_seat(match) is not None:
        shown.append("waits for a rival")
    if match.is_over and decision is not None:
        # It was closed before its end, which no step says.
        shown.append("closed")
    return salted_hmac("matches.version", repr(shown), algorithm="sha256").hexdigest()[:12]


def is_current(match: Match, engine: EngineMatch, sides: tuple[str, ...], seen: str) -> bool:
    """Return whether `seen` is the version of the person who plays `sides`. Fetch the match with its seats."""
    return constant_time_compare(seen, version_for(match, engine, sides))


def _number(engine: EngineMatch, side: str) -> int:
    return engine.table.roster.side_of_name[side]
