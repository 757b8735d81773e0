"""The end of a match before its time: a side agrees to end it, or surrenders."""

from __future__ import annotations

from matches.host import surroundings_of
from matches.models import Match
from matches.selectors.sides import side_views
from matches.selectors.versions import looking, speaker
from matches.services.programs import AGREE, play_at_version, turn_of
from rules.competition.match import Match as EngineMatch

LEAVING = (AGREE, "surrender")
"""The orders that end a match early."""


def agreed_name(match: Match, engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return the name of the player's side if it has agreed to end the match in this phase, otherwise "".

    The side is that of `looking`. Fetch the match by `find_match`; only a name takes queries, those of the hosts.
    """
    side = looking(engine, sides)
    if engine.decision is None or not engine.table.position.agreed >> engine.table.roster.side_of_name[side] & 1:
        return ""
    return next(view for view in side_views(match, surroundings_of(match)) if view.key == side).known_as


def leave(match: Match, sides: tuple[str, ...], order: str, seen: str) -> None:
    """Agree to the end or surrender (`order`, one of LEAVING) for the player of `sides` who has seen version `seen`.

    The order goes to the unit that `speaker` names, which depends only on what the player can see. Call it outside
    transactions. Raises what `play_at_version` raises.
    """
    engine = turn_of(match, sides).engine
    play_at_version(match, sides, seen, {"unit": speaker(engine, looking(engine, sides)), "order": order})
