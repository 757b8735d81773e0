"""Forecasts of a unit's heat: what its dial shows after an act, what it shows in the clean-up, and what that risks.

They know only what the unit itself does until then: heat from others, and later orders, come on top.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.competition.branching import Way, events_of, ways_of
from rules.competition.phases.rounds import cool
from rules.competition.state.events import DIAL_TURNED, HEAT_DIE_LOWERED, PHASE_BEGAN
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLEANUP, SHUTDOWN
from rules.competition.units.heat import EFFECTS, gain, roll_effects
from rules.competition.units.scoring import pending_turn
from rules.core.card_hooks import giver


@dataclass(frozen=True)
class HeatRisk:
    """A heat effect that is rolled for: its key, its rule, and on how many faces of the die it strikes."""

    key: str
    rule: str
    faces: int


@dataclass(frozen=True)
class HeatWay:
    """One amount of heat that an act may leave behind, with its chance (0 to 1). Steps count from 0, the start.

    `added` is what the act adds to dial and heat die, below 0 when it cools. `hottest` is the step in the clean-up
    after the dial took the heat of the die (R-CLN-03), with its `risks`; `last` the one after the unit cooled (R-CLN-05
    to R-CLN-07), with its `last_risks`, both as long as no effect strikes. `shutdown` is the chance that the unit is
    shut down when the round ends, and `explosion` the chance that ammunition damages it in the clean-up.
    """

    chance: float
    added: int
    hottest: int
    risks: tuple[HeatRisk, ...]
    last: int
    last_risks: tuple[HeatRisk, ...]
    shutdown: float
    explosion: float


@dataclass(frozen=True)
class HeatForecast:
    """A unit's heat before an act, and after it: the step that shows (`now`), and what is on its heat die (`die`).

    At `top`, three radiation symbols, it is shut down (R-SHD-01). `ways` are in
    ascending order of the heat added; there is one unless dice decide.
    """

    unit: str
    now: int
    die: int
    top: int
    ways: tuple[HeatWay, ...]

    @property
    def shutdown(self) -> float:
        """The chance that the unit is shut down when the round ends, 0 to 1."""
        return sum(way.chance * way.shutdown for way in self.ways)


def heat_forecast(before: MatchState, unit: int, ways: Iterable[Way]) -> HeatForecast:
    """Return the heat of a unit by the ways of an act; `before` is the table that they began at."""
    now, die = before.position.heat[unit], before.position.heat_die[unit]
    alike: dict[tuple[int, ...], tuple[MatchState, Fraction]] = {}
    for way in ways:
        if way.share:
            continue
        position = way.table.position
        # Damage decides which numbers an explosion reads, so it is part of what makes two ways alike.
        key = (
            position.heat[unit] + position.heat_die[unit] - now - die,
            position.heat[unit],
            position.status[unit] & SHUTDOWN,
            pending_turn(way.table, unit)[0],
        )
        first, chance = alike.get(key, (way.table, Fraction(0)))
        alike[key] = first, chance + way.chance
    found = [_way(alike[key][0], unit, key[0], alike[key][1]) for key in sorted(alike)]
    return HeatForecast(before.fighter(unit).name, now, die, before.fighter(unit).steps, tuple(_merged(found)))


def _merged(found: Iterable[HeatWay]) -> Iterable[HeatWay]:
    """Return the ways with one for each step; those that differ only in chances become one."""
    alike: dict[tuple[object, ...], list[HeatWay]] = {}
    for way in found:
        alike.setdefault((way.added, way.hottest, way.risks, way.last, way.last_risks), []).append(way)
    for ways in alike.values():
        chance = sum(way.chance for way in ways)
        shutdown = sum(way.chance * way.shutdown for way in ways) / chance
        explosion = sum(way.chance * way.explosion for way in ways) / chance
        yield replace(ways[0], chance=chance, shutdown=shutdown, explosion=explosion)


def _way(table: MatchState, unit: int, added: int, chance: Fraction) -> HeatWay:
    position = table.position
    is_shut_down = bool(position.status[unit] & SHUTDOWN)
    step = position.heat[unit]
    top = table.fighter(unit).steps
    hottest = step if is_shut_down else min(top, step + position.heat_die[unit])
    is_down = is_shut_down or hottest == top
    cooled = (0 if table.was_ordered(unit) else 1) + (1 if table.stands_in_water(unit) else 0)
    last = max(0, hottest - cooled)
    begun = table.copy(table.dice, None)
    begun.agenda.clear()
    shutdown = explosion = Fraction(0)
    for way in ways_of(begun, (clean_up, unit)):
        shutdown += way.chance if way.table.position.status[unit] & SHUTDOWN else 0
        explosion += way.chance if _has_exploded(way.table) else 0
    return HeatWay(
        chance=float(chance),
        added=added,
        hottest=hottest,
        risks=risks_of(table, unit, hottest) if hottest != step and not is_down else (),
        last=last,
        last_risks=risks_of(table, unit, last) if last != hottest and not is_down else (),
        shutdown=float(shutdown),
        explosion=float(explosion),
    )


def _has_exploded(table: MatchState) -> bool:
    return any(event[4] == "explosion" for event in events_of(table, DIAL_TURNED))


def clean_up(table: MatchState, unit: int) -> None:
    """Do what the clean-up does with one unit's dials: damage, heat, cooling, the rolls for heat effects (Q-24)."""
    table.emit(PHASE_BEGAN, CLEANUP)
    now = table.position.clicks[unit]
    to, _ = pending_turn(table, unit)
    if to != now:
        table.emit(DIAL_TURNED, unit, now, to, "damage_die")
    if to == table.fighter(unit).clicks:
        return  # it is eliminated before its heat counts
    amount = table.position.heat_die[unit]
    table.push((cool, unit))
    if amount:
        table.emit(HEAT_DIE_LOWERED, unit, amount, "cleanup")
        if gain(table, unit, amount, "heat_die") and not table.position.status[unit] & SHUTDOWN:
            table.push((roll_effects, unit))


def risks_of(table: MatchState, unit: int, step: int) -> tuple[HeatRisk, ...]:
    """Return the effects that are rolled for when the dial turns to a step, without those that a card ignores."""
    texts = table.texts(unit) if table.roster.has_texts else ()
    return tuple(
        HeatRisk(key, EFFECTS[key].rule, EFFECTS[key].safe_from - 1)
        for _, key in table.fighter(unit).effects[step]
        if not giver("ignores_heat_effect", texts, EFFECTS[key].kind)
    )
