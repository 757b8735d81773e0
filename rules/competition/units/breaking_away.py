"""Breaking away from base contact: the die, Evade and Jump Jets, Grapple, pins (section BRK)."""

from __future__ import annotations

from rules.competition.state.events import BREAK_AWAY_ROLLED
from rules.competition.state.match_state import MatchState
from rules.core.attack_hooks import GRIP_BREAKS_AT, holds_fast
from rules.core.card_hooks import amounts
from rules.core.equipment_hooks import break_away_minimum, jumps

ALWAYS = 1
"""The least roll of a card that works against Grapple too; pins still lower the roll (R-BRK-07, R-BRK-08)."""


def break_away(table: MatchState, unit: int, is_running: bool) -> tuple[bool, int]:
    """Roll to break away from all opponents in contact (section BRK).

    Return whether it succeeds, and the equipment bits that helped: 0 unless the roll just reaches what is needed.
    """
    active = table.equipment(unit)
    if is_running:
        active &= ~jumps(active)  # R-SEM-04: no run with Jump Jets, so they do not help a running unit
    needed, bits_used = break_away_minimum(active)
    without_grip = needed
    holders = [other for other in table.opponents_in_contact(unit) if _grips(table, other)]
    is_gripped = bool(holders)
    if is_gripped:
        needed, bits_used = GRIP_BREAKS_AT, 0
    for _, least in amounts("break_away", table.texts(unit)):
        without_grip = min(without_grip, least)
        if least < needed and (least == ALWAYS or not is_gripped):
            needed, bits_used = least, 0
    modifiers = pin_modifiers(table, unit)
    (die,) = table.dice.roll(1, "break_away")
    total = die + sum(modifiers.values())
    success = total >= needed
    table.emit(BREAK_AWAY_ROLLED, unit, die, modifiers, needed, success)
    if without_grip <= total < needed:
        for holder in holders:
            table.charge_single_use(holder, holds_fast(table.equipment(holder)))
    return success, bits_used if total == needed else 0


def _grips(table: MatchState, holder: int) -> bool:
    """Return whether a unit's Grapple holds: the unit touches exactly one opponent (R-SED-10, Q-53)."""
    return bool(holds_fast(table.equipment(holder))) and len(table.opponents_in_contact(holder)) == 1


def pin_modifiers(table: MatchState, unit: int) -> dict[str, int]:
    """Return, by name, the modifier of pins to the break away roll (R-PIN-04); {} without pins.

    It is -2 for each pinner that acts before the unit and -1 for each that acts after it.
    """
    order = table.position.order
    found = 0
    for pinner, target in table.position.pins:
        if target == unit and table.is_in_play(pinner):
            found -= 2 if order.index(pinner) < order.index(unit) else 1
    return {"pin": found} if found else {}
