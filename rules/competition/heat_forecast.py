"""Forecasts of heat: what a unit's heat dial shows at the end of the round, if nothing else happens to the unit.

They look at the table as it is now and roll no dice. Actions are legal answers to the open decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.competition.attacks.aftermath import ORDER_HEAT
from rules.competition.attacks.damage import damage_value
from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import Attack, is_friendly
from rules.competition.forecast import attack_of, read_choice
from rules.competition.match import Match
from rules.competition.phases.impact import pay_heat
from rules.competition.phases.move_phase import RUN
from rules.competition.state.events import CANCELLED, MOVED, ORDER_GIVEN
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import DIG_IN, MOVE, SHUTDOWN, SPECIAL_MOVE, VENT
from rules.competition.units.heat import EFFECTS, vent
from rules.core.attack_hooks import follows_up, overheats
from rules.core.card_hooks import giver
from rules.core.dice import ScriptedDice
from rules.core.equipment_hooks import run_heat

SIXES = (6,) * 20
"""Dice on which no heat effect strikes."""


@dataclass(frozen=True)
class HeatRisk:
    """A heat effect that is rolled for: its key, and on how many faces of the die it strikes."""

    key: str
    faces: int


@dataclass(frozen=True)
class HeatForecast:
    """A unit's heat after an action, in steps of its dial from 0, the start.

    `now` is the step that shows before the action, `added` what the action puts on the heat die, `on_hit` what a hit
    adds to that. `hottest` is the step after the dial took the heat of the die (R-CLN-03), with its `risks`. `last` is
    the step after the unit cooled (R-CLN-05 to R-CLN-07), with its `last_risks`. At `top`, three radiation symbols, the
    unit is shut down (R-SHD-01).
    """

    unit: str
    now: int
    added: int
    on_hit: int
    hottest: int
    risks: tuple[HeatRisk, ...]
    last: int
    last_risks: tuple[HeatRisk, ...]
    top: int

    @property
    def shuts_down(self) -> bool:
        """Whether the dial reaches the radiation symbols without any roll."""
        return self.hottest == self.top


def heat_forecast(match: Match, action: Mapping[str, Any]) -> HeatForecast | None:
    """Return the heat of a move, a special attack or a combat action, and of the unit's round with it.

    Return None for other decisions, for a unit that is shut down, and for an Alpha Strike, whose die decides (Q-101).
    """
    decision = match.decision
    assert decision is not None, "the match is over"
    unit = read_choice(match, action)[2]
    position = match.table.position
    if decision.kind not in ("move", "special", "combat") or position.status[unit] & SHUTDOWN:
        return None
    found = attack_of(match, action)
    acted = _moved(match, action) if found is None else _attacked(found[0], found[1])
    if acted is None:
        return None
    table, on_hit = acted
    now, die = table.position.heat[unit], table.position.heat_die[unit]
    top = table.fighter(unit).steps
    hottest = min(top, now + die)
    cooled = (0 if table.was_ordered(unit) else 1) + (1 if table.stands_in_water(unit) else 0)
    last = max(0, hottest - cooled)
    return HeatForecast(
        unit=decision.unit,
        now=position.heat[unit],
        added=die - position.heat_die[unit],
        on_hit=on_hit,
        hottest=hottest,
        risks=_risks(table, unit, hottest) if hottest != now else (),
        last=last,
        last_risks=_risks(table, unit, last) if last != hottest and hottest != top else (),
        top=top,
    )


def _moved(match: Match, action: Mapping[str, Any]) -> tuple[MatchState, int]:
    """Return the table after an action without an attack, and 0."""
    thought, kind, unit, choice = read_choice(match, action)
    table = thought.copy(ScriptedDice(SIXES))
    if kind == "move" and choice[0] == MOVE:
        _, mode, destination, facing, _, cancelled = choice
        if cancelled:
            table.emit(CANCELLED, unit, cancelled)
        table.emit(ORDER_GIVEN, unit, MOVE, False)
        if mode == RUN:
            table.note_heat(unit, run_heat(table.equipment(unit))[0], "run")
        table.emit(MOVED, unit, (), destination, facing, "forecast")
    elif kind == "combat" and choice[0] == VENT:
        vent(table, unit)
    elif kind == "combat" and choice[0] == DIG_IN:
        table.emit(ORDER_GIVEN, unit, DIG_IN, False)
        table.note_heat(unit, 1, "dig_in")
    return table, 0


def _attacked(table: MatchState, attack: Attack) -> tuple[MatchState, int] | None:
    """Return the table after an attack without its dice, and the heat that a hit adds; None for an Alpha Strike.

    `table` is at the moment of the roll, and a copy to think with.
    """
    unit = attack.attacker
    if attack.order & SPECIAL_MOVE:
        table.emit(ORDER_GIVEN, unit, attack.order, False)
        pay_heat(table, unit, attack.order)
        return table, 0
    on_value = table.equipment_on_value(unit, attack.value)
    if on_value and not is_friendly(table, attack) and overheats(on_value, facts_of(table, attack)):
        return None
    if attack.order in ORDER_HEAT:
        name, amount = ORDER_HEAT[attack.order]
        table.note_heat(unit, amount, name)
    return table, _heat_of_a_hit(table, attack, on_value)


def _heat_of_a_hit(table: MatchState, attack: Attack, on_value: int) -> int:
    """Return what a hit costs: equipment on the value, and a second attack by Pulse or Rapid Strike."""
    if is_friendly(table, attack):
        return 0
    thrown = table.copy(ScriptedDice(SIXES))
    heat = damage_value(thrown, attack, attack.targets, None).heat
    again = follows_up(on_value, attack.is_ranged, attack.is_single) if on_value else ()
    return (heat[1] if heat else 0) + (1 if again else 0)


def _risks(table: MatchState, unit: int, step: int) -> tuple[HeatRisk, ...]:
    """Return the effects that are rolled for when the dial turns to a step, without those that a card ignores."""
    texts = table.texts(unit) if table.roster.has_texts else ()
    return tuple(
        HeatRisk(key, EFFECTS[key].safe_from - 1)
        for _, key in table.fighter(unit).effects[step]
        if not giver("ignores_heat_effect", texts, EFFECTS[key].kind)
    )
