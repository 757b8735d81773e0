"""A stored match cut into steps that a person can follow: one unit's turn, or one part of a phase, at a time.

Positions come from the stored events alone, so a replay works under every rules version of the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
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
class Leap:
    """The steps before and after the shown one at which a new round, turn or attack begins; None without one.

    `kind` is "round", "unit" or "attack".
    """

    kind: str
    previous: int | None
    next: int | None


def leaps_from(shown: Step, steps: Sequence[Step], attacks: Iterable[Attack]) -> tuple[Leap, ...]:
    """Return how the shown step leads to others by round, by the turn of a unit, and by attack.

    From inside a round or a turn the way back leads to its own beginning.
    """
    of_attacks = {attack.step.number for attack in attacks}
    stops = {
        "round": [step.number for step in rounds_of(steps)],
        "unit": [step.number for step in steps if step.unit is not None],
        "attack": sorted(of_attacks),
    }
    return tuple(
        Leap(
            kind,
            max((number for number in numbers if number < shown.number), default=None),
            min((number for number in numbers if number > shown.number), default=None),
        )
        for kind, numbers in stops.items()
    )


@dataclass(frozen=True)
class Attack:
    """An attack of the replay: its step, the unit that made it, its targets, and what it did to them.

    `place` is that of its `attack_resolved` among the match's events. `dealt` are the clicks by which it turned the
    dials of its targets: no more than they had left, and none of the damage that others took by it. `destroyed` are the
    target tokens that fell.
    """

    step: Step
    unit: str
    targets: tuple[str, ...]
    place: int
    dealt: int
    destroyed: tuple[str, ...] = ()


def step_of_attack(steps: Iterable[Step], number: int) -> Step:
    """Return the step in which attack `number` of a match is resolved, counted from 1."""
    resolving = (step for step in steps for event in step.events if event["event"] == "attack_resolved")
    return next(islice(resolving, number - 1, None))


def attacks_in(setup: Mapping[str, Any], steps: Iterable[Step], snapshots: Sequence[Mapping[str, Any]]) -> list[Attack]:
    """Return every attack in order. `snapshots` are those at the ends of `steps`."""
    lengths = {loadout["id"]: len(loadout["unit"]["dial"]) for side in setup["sides"] for loadout in side["units"]}
    found: list[Attack] = []
    for number, step in enumerate(steps):
        left = _clicks_left(lengths, snapshots[number - 1] if number else {}, setup)
        start = step.stop - len(step.events)
        for position, event in enumerate(step.events):
            if event["event"] == "damage_noted" and event["unit"] in left:
                left[event["unit"]] = max(0, left[event["unit"]] - event["amount"])
            elif event["event"] == "attack_resolved":
                found.append(_attack(step, start + position, event, step.events[position + 1 :], left))
    return found


def _clicks_left(lengths: Mapping[str, int], snapshot: Mapping[str, Any], setup: Mapping[str, Any]) -> dict[str, int]:
    """Return how many clicks each unit has before it is eliminated, those on its damage die taken away."""
    units = snapshot.get("units") or {
        loadout["id"]: {"clicks": loadout["clicks"]} for side in setup["sides"] for loadout in side["units"]
    }
    return {
        key: max(0, length - units[key]["clicks"] - (units[key].get("damage_die") or 0))
        for key, length in lengths.items()
        if key in units
    }


def _attack(step: Step, place: int, resolved: Event, following: Iterable[Event], left: Mapping[str, int]) -> Attack:
    targets = tuple((resolved.get("why") or {}).get("targets") or resolved["hit"])
    dealt: dict[str, int] = {}
    destroyed: list[str] = []
    for event in following:
        if event["event"] == "attack_resolved":
            break
        if event["event"] == "damage_scored" and event["target"] in targets and event["target"] in left:
            dealt[event["target"]] = dealt.get(event["target"], 0) + event["dealt"]
        elif event["event"] == "token_destroyed" and event["token"] in targets:
            destroyed.append(event["token"])
    clicks = sum(min(amount, left[target]) for target, amount in dealt.items())
    return Attack(step, resolved["unit"], targets, place, clicks, tuple(destroyed))


def biggest_of(attacks: Iterable[Attack]) -> Attack | None:
    """Return the first attack that dealt the most damage, None if none dealt any."""
    best = max(attacks, key=lambda attack: attack.dealt, default=None)
    return best if best is not None and best.dealt > 0 else None
