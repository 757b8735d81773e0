"""What the greedy bot does with cards: it plays a rally card when it helps now, and lets the better item serve."""

from __future__ import annotations

from typing import Any

from rules.bots.estimates import best_facing, heat_risk
from rules.competition.gearing import Conflict
from rules.competition.position import SHUTDOWN, TARGETED, UNCONSCIOUS
from rules.competition.rally import playable
from rules.competition.sources import TARGET, matters
from rules.competition.table import Choice, Table

ATTACKING = frozenset({"take_aim", "press_the_attack", "second_look"})
DEFENDING = frozenset({"brace", "shrug_off"})
WAKING = frozenset({"restart", "wake_up"})


def helps_now(table: Table, unit: int, effect: str) -> bool:
    """Whether an effect does something for the unit in this place: an attack to make, one to suffer, heat to lose."""
    position = table.position
    if effect in ATTACKING:
        able = table.can_take_orders(unit)
        return able and best_facing(table, unit, position.hex[unit])[1] is not None
    if effect in DEFENDING:
        return bool(position.orders[unit] & TARGETED)
    if effect == "shed_heat":
        return position.heat[unit] + position.heat_die[unit] > 1
    if effect == "keep_running":
        return heat_risk(table, unit, 1) > 0.5
    if effect == "slip_free":
        return len(table.opponents_in_contact(unit)) > 1
    if effect in WAKING:
        return bool(position.status[unit] & (SHUTDOWN if effect == "restart" else UNCONSCIOUS))
    if effect == "patch_up":
        return not table.fighter(unit).repair_markers[position.clicks[unit]]
    return not table.opponents_in_contact(unit) and best_facing(table, unit, position.hex[unit])[1] is None


def play_rally(table: Table, unit: int, data: Any) -> Choice:
    """The first card that helps now, else none."""
    hand = table.roster.hands[table.roster.side_of[unit]]
    for card in playable(table, unit):
        if helps_now(table, unit, hand[card].effect):
            return (card,)
    return (None,)


def choose_source(table: Table, unit: int, data: Conflict) -> Choice:
    """Under attack the item that defends; on the own turn the dial's, which is the dearer one to lose."""
    if table.position.turn != unit and data.gear & matters(TARGET) and not data.dial & matters(TARGET):
        return ("gear",)
    return ("dial",)
