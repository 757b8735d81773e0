"""Checks of recorded matches against the rules: play setup, seed and actions again and compare every event.

A replay document is `{"rules_version", "setup", "seed" (hex), "seed_commitment", "actions", "events", "result"}`, the
events in batches: the opening ones, then those of each action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rules import RULES_VERSION
from rules.competition.match import Match
from rules.competition.replay import rebuild
from rules.competition.setups import read_setup, roster_of
from rules.core.codec import canonical_json
from rules.core.dice import commitment, dice_of
from rules.core.refusals import Malformed, Refused


class Outcome(StrEnum):
    """The finding of a verification."""

    OK = "ok"
    DIFFERS = "differs"
    OTHER_RULES = "recorded under other rules"


@dataclass(frozen=True)
class Verification:
    """The outcome, the number of events that agree (under other rules: all events), and the first difference.

    `sequence` is the batch of the difference (0: the opening) and `position` the event in it. Both are None when the
    commitment, an action or the result differs. `stored` and `replayed` are what the document and the new run have
    there, None for nothing; for an action that is refused, None and {"refused": its code, "parameters"}.
    """

    outcome: Outcome
    events: int = 0
    sequence: int | None = None
    position: int | None = None
    stored: object = None
    replayed: object = None


def verify(document: Mapping[str, Any]) -> Verification:
    """Verify a replay document. A match of other rules is only rebuilt from its events, not judged.

    Raises Malformed for a document that is not a replay (bad_replay), for its setup (as `read_setup` does), and under
    other rules for its events (as `rebuild` does).
    """
    try:
        seed = bytes.fromhex(document["seed"])
        stored = document["events"]
        actions = document["actions"]
        setup = read_setup(document["setup"])
        version = document["rules_version"]
        if not all(isinstance(batch, list) for batch in (actions, stored, *stored)):
            raise TypeError("actions and events are lists")
        if not all(isinstance(event, Mapping) for batch in stored for event in batch):
            raise TypeError("events are objects")
    except (KeyError, TypeError, ValueError) as problem:
        raise Malformed("bad_replay", problem=repr(problem)) from problem
    if version != RULES_VERSION:
        rebuild(roster_of(setup), [event for batch in stored for event in batch])
        return Verification(Outcome.OTHER_RULES, sum(len(batch) for batch in stored))
    if commitment(seed) != document.get("seed_commitment"):
        return Verification(Outcome.DIFFERS, stored=document.get("seed_commitment"), replayed=commitment(seed))
    try:
        match = Match.replay(setup, dice_of(seed), actions)
    except (Refused, Malformed) as problem:
        return Verification(Outcome.DIFFERS, replayed={"refused": problem.code, "parameters": problem.parameters})
    return _compare(stored, match, document.get("result"))


def _compare(stored: Any, match: Match, result: object) -> Verification:
    replayed_batches = match.events
    compared = 0
    for sequence in range(max(len(stored), len(replayed_batches))):
        pair = [batches[sequence] if sequence < len(batches) else [] for batches in (stored, replayed_batches)]
        for position in range(max(len(pair[0]), len(pair[1]))):
            events = [batch[position] if position < len(batch) else None for batch in pair]
            if canonical_json(events[0]) != canonical_json(events[1]):
                return Verification(Outcome.DIFFERS, compared, sequence, position, *events)
            compared += 1
    replayed = match.result.to_json() if match.result is not None else None
    if canonical_json(replayed) != canonical_json(result):
        return Verification(Outcome.DIFFERS, compared, stored=result, replayed=replayed)
    return Verification(Outcome.OK, compared)
