"""Heat: the dial, the rolls for its effects, shutdown, restart, venting (sections HET, SHD, VNT, HEF)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules.competition.state import reading
from rules.competition.state.events import (
    HEAT_DIE_LOWERED,
    HEAT_EFFECT_ROLLED,
    HEAT_TURNED,
    ORDER_GIVEN,
    RESTART,
    SHUT_DOWN,
)
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import CLEANUP, SHUTDOWN, VENT
from rules.competition.units.scoring import turn_dial
from rules.core.card_hooks import giver, total
from rules.core.refusals import Refusal

LOCATION_NAMES = ("primary", "secondary", "speed")


class Effect(NamedTuple):
    """A rolled heat effect: it strikes on a roll below `safe_from`.

    `amount` is added to the damage of an explosion, or to the heat of an overload. A shutdown unit restarts on a roll
    of `restart_from` or more; 0 means that the effect offers no restart.
    """

    rule: str
    safe_from: int
    kind: str
    amount: int
    restart_from: int


EFFECTS: Mapping[str, Effect] = {
    "avoid_ammunition_explosion_critical": Effect("R-HEF-02", 4, "explosion", 1, 0),
    "avoid_ammunition_explosion": Effect("R-HEF-03", 3, "explosion", -1, 0),
    "avoid_heat_sink_overload_critical": Effect("R-HEF-05", 4, "overload", 2, 0),
    "avoid_heat_sink_overload": Effect("R-HEF-06", 3, "overload", 1, 0),
    "avoid_shutdown_critical": Effect("R-HEF-08", 4, "shutdown", 0, 4),
    "avoid_shutdown": Effect("R-HEF-09", 3, "shutdown", 0, 3),
}


def gain(table: MatchState, unit: int, amount: int, cause: str) -> bool:
    """Turn the heat dial up by 0 or more (R-GEN-04); three radiation symbols shut the unit down (R-SHD-01).

    A shutdown unit gains none. Return whether the dial moved.

    >>> gain(match.table, 0, 2, "run"), match.snapshot()["units"]["red"]["heat"]
    (True, 2)
    """
    position = table.position
    if position.status[unit] & SHUTDOWN:
        return False
    now = position.heat[unit]
    top = table.fighter(unit).steps
    to = min(top, now + amount)
    if to == now:
        return False
    table.emit(HEAT_TURNED, unit, now, to, cause)
    if to == top:
        table.emit(SHUT_DOWN, unit, "heat")
    return True


def lose(table: MatchState, unit: int, amount: int, cause: str) -> bool:
    """Turn the heat dial down, never past the start (R-HET-21). At the start a shutdown unit restarts (R-SHD-08).

    Return whether the dial moved.
    """
    position = table.position
    now = position.heat[unit]
    to = max(0, now - amount)
    if to == now:
        return False
    table.emit(HEAT_TURNED, unit, now, to, cause)
    if to == 0 and position.status[unit] & SHUTDOWN:
        table.emit(RESTART, unit, "cooled")
    return True


def roll_effects(table: MatchState, unit: int) -> None:
    """Roll once after the dial has moved (Q-76): a die for each visible effect that no card ignores.

    All are judged on the state before. A shutdown unit is offered its restart roll instead.
    """
    position = table.position
    if not table.is_in_play(unit):
        return
    visible = table.fighter(unit).effects[position.heat[unit]]
    if not visible:
        return
    if position.status[unit] & SHUTDOWN:
        for location, key in visible:
            if EFFECTS[key].restart_from:
                table.ask(RESTART_ROLL, unit, (location, key))
        return
    struck = []
    for location, key in visible:
        effect = EFFECTS[key]
        texts = table.texts(unit) if table.roster.has_texts else ()
        if giver("ignores_heat_effect", texts, effect.kind):
            continue
        is_safe = _roll_effect(table, unit, location, key)
        if not is_safe and (again := giver("rerolls_heat_effect", texts)) is not None:
            table.use_up(unit, again)
            is_safe = _roll_effect(table, unit, location, key)
        if not is_safe:
            struck.append((location, effect))
    if struck:
        _strike(table, unit, struck)


def _roll_effect(table: MatchState, unit: int, location: int, key: str) -> bool:
    """Roll the die for one heat effect and return whether the unit is safe from it."""
    (die,) = table.dice.roll(1, key)
    needed = EFFECTS[key].safe_from
    table.emit(HEAT_EFFECT_ROLLED, unit, LOCATION_NAMES[location], key, die, needed, die >= needed)
    return die >= needed


def _strike(table: MatchState, unit: int, struck: list[tuple[int, Effect]]) -> None:
    """Apply the failed rolls of one event together, and roll again if the dial has moved (R-HET-16, R-HET-19)."""
    position = table.position
    damage = sum(
        max(0, table.damage(unit, location) + effect.amount)
        for location, effect in struck
        if effect.kind == "explosion"
    )
    # Heat first: an overload counts even when another die of the event shuts the unit down (R-HET-25).
    has_moved = gain(table, unit, sum(effect.amount for _, effect in struck if effect.kind == "overload"), "overload")
    if any(effect.kind == "shutdown" for _, effect in struck) and not position.status[unit] & SHUTDOWN:
        table.emit(SHUT_DOWN, unit, "heat_effect")
    if damage and position.phase == CLEANUP:
        turn_dial(table, unit, damage, "explosion")  # R-DMG-12
    elif damage:
        table.note_damage(unit, damage, "explosion")
    if has_moved and not position.status[unit] & SHUTDOWN:
        table.push((roll_effects, unit))


ShownEffect = tuple[int, str]
"""A heat effect that shows: the location, the effect's key."""

RestartChoice = tuple[bool]
"""(whether it tries,)."""


class RestartRoll(DecisionKind[ShownEffect, RestartChoice]):
    """Whether a shutdown unit rolls to restart (R-HEF-08, R-HEF-09: its owner's option). Data: location, effect."""

    name = "restart"

    def options(self, table: MatchState, unit: int, data: ShownEffect) -> list[RestartChoice]:
        return [(False,), (True,)]

    def problems(self, table: MatchState, unit: int, data: ShownEffect, choice: RestartChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: ShownEffect, document: Mapping[str, Any]) -> RestartChoice:
        reading.only(document, "choose", "attempt")
        return (reading.flag(document, "attempt"),)

    def write(self, table: MatchState, unit: int, data: ShownEffect, choice: RestartChoice) -> dict[str, Any]:
        return {"choose": self.name, "attempt": choice[0]}

    def why(self, table: MatchState, unit: int, data: ShownEffect) -> dict[str, Any]:
        return {"effect": data[1], "needed": EFFECTS[data[1]].restart_from}

    def resolve(self, table: MatchState, unit: int, data: ShownEffect, choice: RestartChoice) -> None:
        if not choice[0]:
            return
        location, key = data
        needed = EFFECTS[key].restart_from
        (die,) = table.dice.roll(1, "restart")
        table.emit(HEAT_EFFECT_ROLLED, unit, LOCATION_NAMES[location], key, die, needed, die >= needed)
        if die >= needed:
            table.emit(RESTART, unit, "heat_effect")


RESTART_ROLL = RestartRoll()


def vent(table: MatchState, unit: int) -> None:
    """Carry out a vent order (section VNT, Q-74)."""
    table.emit(ORDER_GIVEN, unit, VENT, False)
    shed(table, unit, table.fighter(unit).vent + total("vent", table.texts(unit)), "vent")


def shed(table: MatchState, unit: int, amount: int, cause: str) -> None:
    """Lose heat in mid-round: lower the heat die first, turn the dial by the rest, and roll its effects if it moved.

    At heat 0 nothing happens. The heat die of a shutdown unit stays as it is.
    """
    position = table.position
    if position.heat[unit] == 0:  # R-VNT-04: the starting position cannot lose heat, so the die stays too
        return
    # Heat on a shutdown unit's die is void at clean-up, so the loss need not pay for it first.
    pending = 0 if position.status[unit] & SHUTDOWN else min(position.heat_die[unit], amount)
    if pending:
        table.emit(HEAT_DIE_LOWERED, unit, pending, cause)
    if lose(table, unit, amount - pending, cause):
        roll_effects(table, unit)
