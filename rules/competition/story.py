"""The story of a match: its shots, the one that decided it, and the luck of the dice.

Everything is read from stored events alone: no dice, no position, and it works for every stored match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.competition.attacks.arithmetic import CRITICAL_HIT, critical_of
from rules.core.odds import chance_to_hit

Event = Mapping[str, Any]

LAST_SIDE = "last_side"
LEAD, LAST_FALL = "lead", "last_fall"
"""Why a shot decided a match: its side has led in reputation since then, or it brought the last elimination."""


@dataclass
class Shot:
    """An attack with its consequences. `number` counts the attacks of the match from 1, `round` its rounds.

    `chance` is that of hitting the target easiest to hit, 0 to 1, when the dice fell; None in a match without the
    arithmetic. `hit` are the targets that it hit. `dealt` has the clicks by unit, its own side's too. `fallen` are
    the units and target tokens that it destroyed, and `reputation` what that brought its side.
    """

    number: int
    round: int
    unit: str
    order: str
    value: str
    critical: str | None
    chance: float | None
    hit: tuple[str, ...]
    dealt: dict[str, int] = field(default_factory=dict)
    fallen: list[str] = field(default_factory=list)
    reputation: int = 0

    @property
    def damage(self) -> int:
        """All clicks that it dealt."""
        return sum(self.dealt.values())

    @property
    def worth(self) -> tuple[int, int, int]:
        """The order of the best shots: reputation first, then clicks, then the earlier one."""
        return self.reputation, self.damage, -self.number


@dataclass(frozen=True)
class Luck:
    """How the dice of a side fell: its `rolls` against targets, the hits `expected` of them, and the `hits` rolled.

    The dice count as they first fell, before any die is rolled again by choice.
    """

    rolls: int = 0
    expected: float = 0.0
    hits: int = 0

    def __add__(self, other: Luck) -> Luck:
        """Return the luck of both together."""
        return Luck(self.rolls + other.rolls, self.expected + other.expected, self.hits + other.hits)

    @property
    def more(self) -> float:
        """By how many hits the dice gave more than expected; negative when they gave fewer."""
        return self.hits - self.expected


@dataclass(frozen=True)
class MatchStory:
    """A match as its events say it. `luck` is by side, and `best` each side's best shot; sides without one are left
    out.

    `deciding` is the shot that decided the match, None when none did, and `because` is LEAD, LAST_FALL or "".
    `luck_of_units` is the same by unit; units that rolled for no attack are left out.
    """

    shots: tuple[Shot, ...]
    luck: Mapping[str, Luck]
    luck_of_units: Mapping[str, Luck]
    best: Mapping[str, Shot]
    deciding: Shot | None = None
    because: str = ""


def story_of(setup: Mapping[str, Any], events: Iterable[Event]) -> MatchStory:
    """Return the story of a match from its setup and all its events, in order."""
    side_of = {loadout["id"]: side["id"] for side in setup["sides"] for loadout in side["units"]}
    reading = _Reading(side_of, dict.fromkeys((side["id"] for side in setup["sides"]), 0))
    for event in events:
        reading.take(event)
    deciding, because = reading.deciding()
    best: dict[str, Shot] = {}
    for shot in reading.shots:
        side = side_of.get(shot.unit, "")
        is_good = shot.reputation > 0 or shot.damage > 0
        if is_good and (side not in best or shot.worth > best[side].worth):
            best[side] = shot
    luck = {side["id"]: Luck() for side in setup["sides"]}
    for unit, own in reading.luck.items():
        luck[side_of[unit]] += own
    return MatchStory(tuple(reading.shots), luck, reading.luck, best, deciding, because)


class _Reading:
    """Events as they are read, one after the other. `turns` holds how far each side leads after each event that
    pays, with the shot behind it."""

    def __init__(self, side_of: Mapping[str, str], reputation: dict[str, int]) -> None:
        self.side_of = side_of
        self.reputation = reputation
        self.shots: list[Shot] = []
        self.luck: dict[str, Luck] = {}
        self.round = 0
        self.first_dice: Sequence[int] | None = None
        self.winner: str | None = None
        self.ended_by = ""
        self.turns: list[tuple[dict[str, int], Shot | None]] = []

    def take(self, event: Event) -> None:
        """Read the next event."""
        kind = event["event"]
        reader = getattr(self, f"_{kind}", None)
        if reader is not None:
            reader(event)

    def _round_began(self, event: Event) -> None:
        self.round = event["round"]

    def _attack_rolled(self, event: Event) -> None:
        self.first_dice = event["dice"]

    def _attack_resolved(self, event: Event) -> None:
        why = event.get("why") or {}
        rolls = list(self._rolls(event["unit"], why, self.first_dice))
        self.first_dice = None
        self.shots.append(
            Shot(
                number=len(self.shots) + 1,
                round=self.round,
                unit=event["unit"],
                order=why.get("order") or "",
                value=why.get("value") or "",
                critical=event.get("critical"),
                chance=max((chance for chance, _ in rolls), default=None),
                hit=tuple(event["hit"]),
            )
        )
        for chance, is_hit in rolls:
            self._roll(event["unit"], Luck(1, chance, int(is_hit)))

    def _roll(self, unit: str, luck: Luck) -> None:
        if unit in self.side_of:
            self.luck[unit] = self.luck.get(unit, Luck()) + luck

    def _rolls(self, unit: str, why: Event, dice: Sequence[int] | None) -> Iterator[tuple[float, bool]]:
        """Yield the chance of each roll against another side's target, and whether the dice first hit it."""
        if dice is None or len(dice) != 3:
            return
        critical = critical_of((dice[0], dice[1], dice[2]))
        for target, sums in why.get("targets", {}).items():
            if self.side_of.get(target) == self.side_of.get(unit):
                continue
            is_reached = sum(dice) + sums["attack"] >= sums["defense"]
            is_hit = critical == CRITICAL_HIT or (critical is None and is_reached)
            yield chance_to_hit(sums["attack"], sums["defense"]), is_hit

    def _second_roll(self, event: Event) -> None:
        """Count the second roll that a hit had to make: an own roll, as hard as the first."""
        attack = event["result"] - sum(event["dice"])
        self._roll(event["unit"], Luck(1, chance_to_hit(attack, event["defense"]), int(bool(event["success"]))))

    def _damage_scored(self, event: Event) -> None:
        shot = self._shot(event["unit"], event["target"])
        if shot is not None and event["dealt"] and event["target"] in self.side_of:
            shot.dealt[event["target"]] = shot.dealt.get(event["target"], 0) + event["dealt"]

    def _eliminated(self, event: Event) -> None:
        shot = self._shot(event["by"], event["unit"])
        if shot is not None and event["unit"] not in shot.fallen:
            shot.fallen.append(event["unit"])

    def _kill(self, event: Event) -> None:
        self._paid(event["side"], event["reputation"], self._shot(event["by"], event["unit"]))

    def _token_destroyed(self, event: Event) -> None:
        shot = self._shot(event["by"], event["token"])
        if shot is not None:
            shot.fallen.append(event["token"])
        self._paid(event["side"], event["reputation"], shot)

    def _reputation(self, event: Event) -> None:
        self._paid(event["side"], event["amount"], None)

    def _match_ended(self, event: Event) -> None:
        self.winner, self.ended_by = event["winner"], event["ended_by"]

    def _paid(self, side: str | None, amount: int, shot: Shot | None) -> None:
        if side is None:
            return
        self.reputation[side] += amount
        if shot is not None and self.side_of.get(shot.unit) == side:
            shot.reputation += amount
        self.turns.append((dict(self.reputation), shot))

    def _shot(self, unit: str | None, target: str) -> Shot | None:
        """Return the newest shot of a unit that hit a target; None without one."""
        return next((shot for shot in reversed(self.shots) if shot.unit == unit and target in shot.hit), None)

    def deciding(self) -> tuple[Shot | None, str]:
        """Return the shot that decided the match and why; (None, "") when no shot did.

        A match that ends with its last other side is decided by what eliminated it, however the points stood before.
        """
        if self.winner is None:
            return None, ""
        fall = self._last_fall()
        if self.ended_by == LAST_SIDE and fall is not None:
            return fall, LAST_FALL
        took_lead: Shot | None = None
        was_ahead = False
        for reputation, shot in self.turns:
            others = max((value for side, value in reputation.items() if side != self.winner), default=0)
            is_ahead = reputation[self.winner] > others
            if is_ahead and not was_ahead:
                took_lead = shot
            was_ahead = is_ahead
        if was_ahead and took_lead is not None and self.side_of.get(took_lead.unit) == self.winner:
            return took_lead, LEAD
        return (fall, LAST_FALL) if fall is not None else (None, "")

    def _last_fall(self) -> Shot | None:
        """Return the winner's newest shot that eliminated a unit of another side; None without one."""
        for shot in reversed(self.shots):
            fallen = any(self.side_of.get(name, self.winner) != self.winner for name in shot.fallen)
            if self.side_of.get(shot.unit) == self.winner and fallen:
                return shot
        return None
