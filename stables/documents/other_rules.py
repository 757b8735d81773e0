"""Matches recorded by another version of the rules: rebuilt from their events, because they cannot be played again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.replay import rebuild
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.match_state import MatchState
from rules.competition.units.scoring import result_of
from rules.core.codec import canonical_json
from rules.core.dice import ScriptedDice
from rules.core.refusals import Malformed, Refused, SeasonRefused
from stables.documents.rows import MatchRow

BROKEN = (KeyError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
OF_MATCH = ("winner", "rounds", "ended_by", "tie_break")
OF_SIDE = ("reputation", "kills")
OF_UNIT = ("clicks", "eliminated", "kills")
"""With OF_MATCH and OF_SIDE, the facts of a result that follow from events alone, under any rules."""


def check_rebuilt(match: MatchRow, place: str) -> None:
    """Compare the result of a match with its events, and refuse an opening without events.

    It does not find invented events, because it checks neither dice nor rules. Raises SeasonRefused
    (season_document_match_differs).
    """
    steps = match.row["steps"]
    # Later steps may have no events, because some answers change nothing.
    if not steps[0]["events"]:
        raise _differs(match, f"{place}.steps[0].events")
    try:
        roster = roster_of(read_setup(match.row["setup"]))
        position = rebuild(roster, [event for step in steps for event in step["events"]])
        found = result_of(MatchState(roster, position, ScriptedDice([]), None))
        stored = match.row["result"]
        if (found is None) != (stored is None):
            raise _differs(match, f"{place}.result")
        agrees = found is None or canonical_json(_facts(stored)) == canonical_json(_facts(found.to_json()))
    except (Refused, Malformed, *BROKEN) as problem:
        if isinstance(problem, SeasonRefused):
            raise
        raise _differs(match, place) from None
    if not agrees:
        raise _differs(match, f"{place}.result")


def _facts(result: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: result[name] for name in OF_MATCH},
        "sides": {side: {name: values[name] for name in OF_SIDE} for side, values in result["sides"].items()},
        "units": {unit: {name: values[name] for name in OF_UNIT} for unit, values in result["units"].items()},
    }


def _differs(match: MatchRow, place: str) -> SeasonRefused:
    return SeasonRefused("season_document_match_differs", place=place, match=match.of)
