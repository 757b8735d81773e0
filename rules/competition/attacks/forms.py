"""Attacks as they are chosen, declared, read and written.

In a choice of a ranged attack `lines` is None when the attacker drew no line. Otherwise it has, for each target, the
corners of the line that the attacker drew, or None for a target without one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from rules.competition.state import reading
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE, ORDER_NAMES, RANGED
from rules.competition.state.roster import DAMAGE_LOCATIONS, PRIMARY, TOKEN
from rules.core.equipment import keys_of
from rules.core.refusals import Malformed

Lines = tuple[tuple[str, ...] | None, ...]

CloseChoice = tuple[Literal[2], int, tuple[int, ...], int]
"""(CLOSE, value, targets, cancelled)."""

RangedChoice = tuple[Literal[4], int, tuple[int, ...], bool, Lines | None, bool, int]
"""(RANGED, value, targets, indirect, lines, ignore_friendly_fire, cancelled)."""

AttackChoice = CloseChoice | RangedChoice
"""A choice of attack."""


class Attack(NamedTuple):
    """A declared attack on its way to the dice. `order` is the order bit that it belongs to (heat, modifiers).

    `follow_up` holds the equipment bit of a second attack (Pulse, Rapid Strike), 0 for the first. `declared` is the
    number of targets that were declared.
    """

    attacker: int
    order: int
    is_ranged: bool
    value: int
    targets: tuple[int, ...]
    indirect: bool
    lines: Lines | None
    ignores_friendly_fire: bool
    follow_up: int = 0
    declared: int = 1

    @property
    def is_single(self) -> bool:
        """Whether a single target was declared; targets that leave later do not change the answer (Q-70)."""
        return self.declared == 1


def plain_attack(unit: int, order: int, target: int) -> Attack:
    """Return an attack in contact on one target with the primary value: a charge, death from above or Coolant Flush."""
    return Attack(unit, order, False, PRIMARY, (target,), False, None, False)


def is_friendly(table: MatchState, attack: Attack) -> bool:
    """Return whether this attack is on a friend: a Repair or a Coolant Flush (R-SEA-01, R-SEA-02)."""
    target = attack.targets[0]
    return target < TOKEN and table.roster.side_of[target] == table.roster.side_of[attack.attacker]


def order_name(order: int, is_ranged: bool) -> str:
    """Return the name of the order that an attack belongs to; ranged or close when `order` is not one order bit."""
    return ORDER_NAMES.get(order, "ranged" if is_ranged else "close")


def read_attack(table: MatchState, unit: int, document: Mapping[str, Any]) -> AttackChoice:
    """Read a `close` or `ranged` order.

    Raises Malformed (bad_field, unknown_field, unknown_target, unknown_equipment).
    """
    order = document.get("order")
    cancelled = reading.equipment(document)
    named = document.get("targets")
    if not isinstance(named, list) or not named:
        raise Malformed("bad_field", field="targets", value=named)
    targets = tuple(table.roster.target_of(name) for name in named)
    value = document.get("value", "primary")  # R-RNG-03
    if value not in DAMAGE_LOCATIONS:
        raise Malformed("bad_field", field="value", value=value)
    if order == "close":
        reading.only(document, "order", "value", "targets", "cancel")
        return (CLOSE, DAMAGE_LOCATIONS.index(value), targets, cancelled)
    if order != "ranged":
        raise Malformed("bad_field", field="order", value=order)
    reading.only(document, "order", "value", "targets", "cancel", "indirect", "line", "ignore_friendly_fire")
    drawn = document.get("line")
    lines: Lines | None = None
    if drawn is not None:
        if not isinstance(drawn, Mapping) or not set(drawn) <= set(named):
            raise Malformed("bad_field", field="line", value=drawn)
        lines = tuple(_read_line(drawn.get(name)) for name in named)
    return (
        RANGED,
        DAMAGE_LOCATIONS.index(value),
        targets,
        reading.flag(document, "indirect", False),
        lines,
        reading.flag(document, "ignore_friendly_fire", False),
        cancelled,
    )


def _read_line(corners: object) -> tuple[str, ...] | None:
    if corners is None:
        return None
    if not isinstance(corners, list) or not all(isinstance(corner, str) for corner in corners):
        raise Malformed("bad_field", field="line", value=corners)
    return tuple(corners)


def write_attack(table: MatchState, choice: AttackChoice) -> dict[str, Any]:
    """Return the JSON form of a choice of attack."""
    roster = table.roster
    if choice[0] == CLOSE:
        _, value, targets, cancelled = choice
        names = [roster.target_name(target) for target in targets]
        document: dict[str, Any] = {"order": "close", "value": DAMAGE_LOCATIONS[value], "targets": names}
    else:
        _, value, targets, indirect, drawn, ignores, cancelled = choice
        names = [roster.target_name(target) for target in targets]
        document = {"order": "ranged", "value": DAMAGE_LOCATIONS[value], "targets": names}
        if indirect:
            document["indirect"] = True
        if drawn:
            document["line"] = {name: list(line) for name, line in zip(names, drawn, strict=True) if line is not None}
        if ignores:
            document["ignore_friendly_fire"] = True
    if cancelled:
        document["cancel"] = keys_of(cancelled)
    return document


def as_attack(unit: int, order: int, choice: AttackChoice) -> Attack:
    """Return the declared attack of a choice.

    `order` is the order that the attack belongs to: its own, assault, dig in or defend.
    """
    if choice[0] == CLOSE:
        return Attack(unit, order, False, choice[1], choice[2], False, None, False, 0, len(choice[2]))
    return Attack(unit, order, True, choice[1], choice[2], choice[3], choice[4], choice[5], 0, len(choice[2]))
