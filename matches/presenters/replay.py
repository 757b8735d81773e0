"""A stored match cut into steps that a person can follow: one unit's turn, or one part of a phase, at a time.

Positions come from the stored events alone, so a replay works under every rules version of the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.competition.replay import last_hexes, snapshots_at
from rules.competition.setups import read_setup

BOUNDARIES = ("round_began", "phase_began", "turn_began")
"""Events that begin a step, the widest first; a phase in which nobody can act has no other event."""

Event = Mapping[str, Any]


@dataclass
class Step:
    """A step of a replay. `number` counts from 1. `round` is 0 before the first round.

    `unit` is the one whose turn it is, None outside turns. `stop` is the number of the match's events up to the end of
    the step.
    """

    number: int
    round: int
    phase: str
    unit: str | None = None
    events: list[Event] = field(default_factory=list)
    stop: int = 0

    @property
    def has_kill(self) -> bool:
        """Whether a unit is eliminated in the step."""
        return any(event["event"] == "eliminated" for event in self.events)


@dataclass(frozen=True)
class Moment:
    """The position after a step: the engine's snapshot, the last hex of each eliminated unit, and the last path.

    `path` is the way of the unit that moved last in the step, from its first hex; empty if none moved.
    """

    snapshot: Mapping[str, Any]
    fallen: Mapping[str, str]
    path: tuple[str, ...]


def _depth(event: Event) -> int:
    """Return 0 for the start of a round, 1 of a phase, 2 of a turn, and 3 for every other event."""
    return BOUNDARIES.index(event["event"]) if event["event"] in BOUNDARIES else len(BOUNDARIES)


def cut_into_steps(events: Iterable[Event]) -> list[Step]:
    """Return the steps of a match, with every event in exactly one of them, in order.

    Steps never mix rounds, phases or turns.
    """
    steps = [Step(number=1, round=0, phase="setup")]
    for position, event in enumerate(events):
        step = steps[-1]
        if any(_depth(earlier) >= _depth(event) for earlier in step.events) and event["event"] in BOUNDARIES:
            step = Step(number=step.number + 1, round=step.round, phase=step.phase)
            steps.append(step)
        if event["event"] == "round_began":
            step.round, step.unit = event["round"], None
        elif event["event"] == "phase_began":
            step.phase, step.unit = event["phase"], None
        elif event["event"] == "turn_began":
            step.unit = event["unit"]
        step.events.append(event)
        step.stop = position + 1
    return steps


def moments(setup: Mapping[str, Any], events: Sequence[Event], steps: Sequence[Step]) -> list[Mapping[str, Any]]:
    """Return the engine's snapshot at the end of each step, rebuilt from the events alone.

    Raises Malformed when the present rules cannot read the setup.
    """
    return list(snapshots_at(read_setup(setup), events, [step.stop for step in steps]))


def moment(setup: Mapping[str, Any], events: Sequence[Event], step: Step) -> Moment:
    """Return the position at the end of `step`, rebuilt from the events up to there.

    Raises Malformed when the present rules cannot read the setup.
    """
    return moment_of(moments(setup, events, [step])[0], events, step)


def moment_of(now: Mapping[str, Any], events: Sequence[Event], step: Step) -> Moment:
    """Return the moment of a step from its snapshot `now`."""
    start = step.stop - len(step.events)
    hexes = last_hexes(events[:start])
    path: tuple[str, ...] = ()
    for event in events[start : step.stop]:
        if event["event"] in ("unit_placed", "moved") and event.get("path"):
            path = (hexes.get(event["unit"], event["path"][0]), *event["path"])
        hexes |= last_hexes([event])
    fallen = {key: hexes[key] for key, unit in now["units"].items() if unit["eliminated"] and key in hexes}
    return Moment(now, fallen, path)


def rounds_of(steps: Iterable[Step]) -> list[Step]:
    """Return the first step of each round, including the opening (round 0)."""
    firsts: dict[int, Step] = {}
    for step in steps:
        firsts.setdefault(step.round, step)
    return list(firsts.values())


@dataclass(frozen=True)
class Attack:
    """An attack of the replay: its step, the unit that made it, and the clicks of damage that it dealt in all."""

    step: Step
    unit: str
    dealt: int


def attacks_in(steps: Iterable[Step]) -> list[Attack]:
    """Return every attack in order, with the damage dealt before the next attack of its step."""
    found: list[Attack] = []
    for step in steps:
        rolled: Event | None = None
        dealt = 0
        for event in (*step.events, {"event": "attack_resolved", "unit": ""}):
            if event["event"] == "attack_resolved":
                if rolled is not None:
                    found.append(Attack(step, rolled["unit"], dealt))
                rolled, dealt = event, 0
            elif event["event"] == "damage_scored" and rolled is not None:
                dealt += event["dealt"]
    return found


def biggest_of(attacks: Iterable[Attack]) -> Attack | None:
    """Return the first attack that dealt the most damage, None if none dealt any."""
    best = max(attacks, key=lambda attack: attack.dealt, default=None)
    return best if best is not None and best.dealt > 0 else None
