"""The end of a match before its time: a side agrees to end it, or surrenders."""

from __future__ import annotations

from matches.host import surroundings_of
from matches.models import Match
from matches.selectors.sides import side_views
from matches.selectors.versions import looking, speaker
from matches.services.programs import AGREE, play_at_version, turn_of
from rules.competition.match import Match as EngineMatch

LEAVING = (AGREE, "surrender")
"""The words of the two ways."""


def agreed_name(match: Match, engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return the name of the side that the player of `sides` looks from if it has agreed in this phase, else "".

    It takes the few queries that the names of the sides need.
    """
    side = looking(engine, sides)
    if engine.decision is None or not engine.table.position.agreed >> engine.table.roster.side_of_name[side] & 1:
        return ""
    return next(view for view in side_views(match, surroundings_of(match)) if view.key == side).known_as


def leave(match: Match, sides: tuple[str, ...], order: str, seen: str) -> None:
    """Agree or surrender (`LEAVING`) for a person who plays `sides` and has seen the version `seen` of the page.

    The unit that speaks for the side depends only on what the player can see. Call it outside transactions. Raises what
    `play_at_version` raises.
    """
    engine = turn_of(match, sides).engine
    play_at_version(match, sides, seen, {"unit": speaker(engine, looking(engine, sides)), "order": order})
