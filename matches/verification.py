"""Does a stored match say what the rules say? Replays it from setup, seed and actions and compares every event."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import rules
from matches.models import Match
from matches.selectors import stored_steps
from rules.competition.match import Match as EngineMatch
from rules.competition.setup import MatchSetup
from rules.core.codec import canonical_json
from rules.core.dice import SeededDice, commitment
from rules.core.refusals import Malformed, Refused


class Outcome(StrEnum):
    OK = "ok"
    DIFFERS = "differs"
    OTHER_RULES = "recorded under other rules"


@dataclass(frozen=True)
class Verification:
    """`sequence` and `position` name the first event that differs; `stored` and `replayed` are the two readings."""

    outcome: Outcome
    events: int = 0
    sequence: int | None = None
    position: int | None = None
    stored: Any = None
    replayed: Any = None


def verify(match: Match) -> Verification:
    """Replay `match` and compare commitment, events and result; a match of other rules is not judged."""
    if match.rules_version != rules.RULES_VERSION:
        return Verification(Outcome.OTHER_RULES)
    seed = bytes(match.seed)
    if commitment(seed) != match.seed_commitment:
        return Verification(Outcome.DIFFERS, stored=match.seed_commitment, replayed=commitment(seed))
    steps = stored_steps(match)
    actions: list[Any] = [step.action for step in steps[1:]]
    try:
        engine = EngineMatch.replay(MatchSetup.from_json(match.setup), SeededDice(seed), actions)
    except (Refused, Malformed) as problem:
        return Verification(Outcome.DIFFERS, replayed={"refused": problem.code, "parameters": problem.parameters})
    compared = 0
    for step, replayed in zip(steps, engine.events, strict=True):
        for position in range(max(len(step.events), len(replayed))):
            pair = [events[position] if position < len(events) else None for events in (step.events, replayed)]
            if canonical_json(pair[0]) != canonical_json(pair[1]):
                return Verification(Outcome.DIFFERS, compared, step.sequence, position, *pair)
            compared += 1
    result = engine.result.to_json() if engine.result is not None else None
    if canonical_json(result) != canonical_json(match.result):
        return Verification(Outcome.DIFFERS, compared, stored=match.result, replayed=result)
    return Verification(Outcome.OK, compared)
