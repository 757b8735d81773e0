"""A step taken back in a match against the AI: it was the player's own, no die fell and nothing hidden was shown since.

Whoever may ask for advice may take a step back: both are help, and both are for matches against the AI alone. There are
at most MOST_STEPS_BACK (matches.services.matches) in a match.
"""

from __future__ import annotations

from collections.abc import Container

from matches.host import Surroundings, surroundings_of
from matches.models import Match
from matches.selectors.versions import looking, speaker
from matches.services.advice import may_ask
from matches.services.matches import has_steps_back, require_steps_back
from matches.services.programs import play_at_version, turn_of
from rules.competition.match import Match as EngineMatch
from rules.core.refusals import IllegalAction

TAKE_BACK = "take_back"
"""The order that takes a step back."""


def answers_to_take_back(
    match: Match, engine: EngineMatch, side: str, surroundings: Surroundings, unasked: Container[int]
) -> int | None:
    """Return how many answers of a side its player takes back at once, None without a step to take back. No query.

    `match` comes from `find_match`. Steps in `unasked` were answered without asking the player, and go with the one
    before them. What was played before the player took the seat is not their own.
    """
    if engine.decision is None or engine.decision.side != side or not may_ask(match, (side,), surroundings):
        return None
    if not has_steps_back(engine):
        return None
    since = max((seat.taken_at for seat in match.seats.all() if seat.side == side), default=0)
    steps = enumerate(reversed(engine.steps_to_take_back(side)), start=1)
    return next((count for count, step in steps if step > since and step not in unasked), None)


def take_back(match: Match, sides: tuple[str, ...], seen: str) -> None:
    """Take back the newest step of the player of `sides` who has seen version `seen`.

    Call it outside transactions. Raises Refused (taken_back_too_often), IllegalAction (nothing_to_take_back), and what
    `play_at_version` raises.
    """
    engine = turn_of(match, sides).engine
    require_steps_back(engine)
    side = looking(engine, sides)
    unasked = set(match.actions.exclude(cause="").values_list("sequence", flat=True))
    count = answers_to_take_back(match, engine, side, surroundings_of(match), unasked)
    if count is None:
        raise IllegalAction("nothing_to_take_back", answers=1)
    play_at_version(match, sides, seen, {"unit": speaker(engine, side), "order": TAKE_BACK, "answers": count})
