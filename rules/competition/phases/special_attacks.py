"""Special attacks in the initiative phase: charge, death from above, pin (sections CHG, DFA, PIN)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from rules.competition.ground.hexes import bits, nth_bit, popcount
from rules.competition.phases.impact import approach, offer_sources, way
from rules.competition.phases.move_phase import PASS, PassChoice, destinations, move_problem, path_names
from rules.competition.state import reading
from rules.competition.state.events import CANCELLED, ORDER_GIVEN, PASSED, TURN_BEGAN
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import CHARGE, DEATH_FROM_ABOVE, ORDER_NAMES
from rules.competition.state.special_events import PINNED, SPECIAL_DECLARED
from rules.competition.units.cancelling import cancel_problems
from rules.competition.units.revivals import ask_revive
from rules.competition.units.sources import SPECIAL_TURN, ask_sources
from rules.core.equipment import keys_of
from rules.core.equipment_hooks import jumps, only_moves_and_vents
from rules.core.refusals import IllegalAction, Malformed, Refusal

PIN: Final = -1

PinChoice = tuple[Literal[-1], int]
"""(PIN, target)."""

Impact = Literal[256, 512]
"""CHARGE or DEATH_FROM_ABOVE."""

ImpactChoice = tuple[Impact, int, int, int, tuple[int, ...] | None, int]
"""(CHARGE or DEATH_FROM_ABOVE, target, destination, facing, path, cancelled); without a path the engine chooses one."""

SpecialChoice = PassChoice | PinChoice | ImpactChoice

CANNOT: Mapping[Impact, str] = {CHARGE: "cannot_charge", DEATH_FROM_ABOVE: "cannot_death_from_above"}
"""The code for a unit that cannot make this attack at all."""


def pinnable(table: MatchState, unit: int) -> list[int]:
    """Return the opponents in contact now and at the beginning of the round (R-PIN-01)."""
    then = table.position.round_hex
    if then[unit] < 0:
        return []
    contact = table.roster.arena.contact_set[then[unit]]
    return [other for other in table.opponents_in_contact(unit) if then[other] in contact]


def later_opponents(table: MatchState, unit: int) -> list[int]:
    """Return opposing units in the arena whose turn comes after this unit's (R-CHG-02, R-DFA-01)."""
    order = table.position.order
    later = order[order.index(unit) + 1 :]
    return [other for other in table.roster.opponents[unit] if other in later and table.position.hex[other] >= 0]


def is_unengaged(table: MatchState, unit: int) -> bool:
    """Return whether the unit may attack with a move: it needs an attack value above 0 and no opponent in contact.

    The rules are R-CHG-03, R-CHG-04, R-DFA-02 and R-DFA-03.
    """
    return table.attack(unit) > 0 and not table.opponents_in_contact(unit)


def runs_up(table: MatchState, unit: int) -> bool:
    """Return whether the unit can run, as a charge does (Q-83)."""
    return not table.roster.fighters[unit].no_run[table.position.heat[unit]]


def leaps(table: MatchState, unit: int) -> bool:
    """Return whether the unit can jump, as a death from above does; Salvage bars that attack (R-DFA-04, R-SEA-05)."""
    active = table.equipment(unit)
    return bool(jumps(active)) and not only_moves_and_vents(active)


ABLE: Mapping[Impact, Callable[[MatchState, int], bool]] = {CHARGE: runs_up, DEATH_FROM_ABOVE: leaps}
"""The further condition of each attack, by kind."""


class Special(DecisionKind[None, SpecialChoice]):
    """A unit's turn in the step of special attacks (R-INI-08, R-INI-09)."""

    name = "special"

    def options(self, table: MatchState, unit: int, data: None) -> list[SpecialChoice]:
        found: list[SpecialChoice] = [(PASS,), *((PIN, target) for target in pinnable(table, unit))]
        for kind, target, ends in landings(table, unit):
            found.extend((kind, target, end, facing, None, 0) for end in bits(ends) for facing in range(12))
        return found

    def sample(self, table: MatchState, unit: int, data: None, rng: random.Random) -> SpecialChoice:
        pick = rng.random
        few: list[SpecialChoice] = [(PASS,), *((PIN, target) for target in pinnable(table, unit))]
        ways = landings(table, unit)
        number = int(pick() * (len(few) + len(ways)))
        if number < len(few):
            return few[number]
        kind, target, ends = ways[number - len(few)]
        return (kind, target, nth_bit(ends, int(pick() * popcount(ends))), int(pick() * 12), None, 0)

    def problems(self, table: MatchState, unit: int, data: None, choice: SpecialChoice) -> list[Refusal]:
        if choice[0] == PASS:
            return []
        target = choice[1]
        name = table.fighter(unit).name
        target_name = table.roster.target_name(target)
        if choice[0] == PIN:
            good = target in pinnable(table, unit)
            return [] if good else [Refusal("pin_needs_contact", {"unit": name, "target": target_name})]
        kind, _, destination, _, path, cancelled = choice
        assert path is not None, "an answer from outside has a path"
        found = cancel_problems(table, unit, cancelled)
        able = is_unengaged(table, unit) and ABLE[kind](table, unit)
        if not able or (kind == DEATH_FROM_ABOVE and not jumps(table.equipment(unit) & ~cancelled)):
            found.append(Refusal(CANNOT[kind], {"unit": name}))
        elif target not in later_opponents(table, unit):
            found.append(Refusal("target_acts_before", {"target": target_name}))
        if found:
            return found
        mode, speed = way(table, unit, kind)
        problem = move_problem(table, unit, mode, path, speed, table.equipment(unit) & ~cancelled, [])
        if problem:
            return [problem]
        if not table.roster.arena.contact[table.position.hex[target]] >> destination & 1:
            return [Refusal("must_end_in_contact", {"target": target_name})]
        return []

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> SpecialChoice:
        order = document.get("order")
        if order == "pass":
            reading.only(document, "order")
            return (PASS,)
        if order not in ("pin", "charge", "death_from_above"):
            raise IllegalAction("order_not_now", order=order, phase="initiative")
        named = document.get("targets")
        if not isinstance(named, list) or len(named) != 1:
            raise Malformed("bad_field", field="targets", value=named)
        target = table.roster.target_of(named[0])
        if target not in table.roster.opponents[unit]:
            raise IllegalAction("special_needs_unit", target=named[0])  # R-CHG-15
        if order == "pin":
            reading.only(document, "order", "targets")
            return (PIN, target)
        reading.only(document, "order", "targets", "path", "facing", "cancel")
        path = reading.hexes(table.roster, document)
        destination = path[-1] if path else table.position.hex[unit]
        facing = reading.facing(document, default=table.position.facing[unit])
        kind: Impact = CHARGE if order == "charge" else DEATH_FROM_ABOVE
        return (kind, target, destination, facing, path, reading.equipment(document))

    def write(self, table: MatchState, unit: int, data: None, choice: SpecialChoice) -> dict[str, Any]:
        if choice[0] == PASS:
            return {"order": "pass"}
        targets = [table.roster.target_name(choice[1])]
        if choice[0] == PIN:
            return {"order": "pin", "targets": targets}
        kind, _, destination, facing, path, cancelled = choice
        mode, _ = way(table, unit, kind)
        document: dict[str, Any] = {
            "order": ORDER_NAMES[kind],
            "targets": targets,
            "path": path_names(table, unit, mode, destination, path, cancelled),
            "facing": facing,
        }
        if cancelled:
            document["cancel"] = keys_of(cancelled)
        return document

    def resolve(self, table: MatchState, unit: int, data: None, choice: SpecialChoice) -> None:
        if choice[0] == PASS:
            table.emit(PASSED, unit)
            return
        target = choice[1]
        if choice[0] == PIN:
            table.emit(SPECIAL_DECLARED, unit, target, "pin")
            table.push((ask_revive, target), (hold, unit, target))
            return
        kind, _, destination, facing, path, cancelled = choice
        if cancelled:
            table.emit(CANCELLED, unit, cancelled)
        table.emit(SPECIAL_DECLARED, unit, target, ORDER_NAMES[kind])
        table.emit(ORDER_GIVEN, unit, kind, False)
        table.push(
            (ask_revive, target),
            *(((offer_sources, unit, kind, target),) if table.roster.has_cards else ()),
            (approach, unit, kind, target, destination, facing, path),
        )


SPECIAL = Special()


def hold(table: MatchState, unit: int, target: int) -> None:
    """Let a pin succeed without a roll (R-PIN-02). It is a successful attack for the format too (R-FMT-18)."""
    if table.is_in_play(unit) and table.is_in_play(target):
        table.emit(PINNED, unit, target)
        table.roster.format.after_hits(table, (target,))


def landings(table: MatchState, unit: int) -> list[tuple[Impact, int, int]]:
    """Return every special attack that needs a move: kind, target, hexes to end in as bits (R-CHG-16)."""
    found: list[tuple[Impact, int, int]] = []
    later = later_opponents(table, unit)
    if not later or not is_unengaged(table, unit):
        return found
    away = table.roster.lattice.distances(table.position.hex[unit])
    for kind, able in ABLE.items():
        if not able(table, unit):
            continue
        mode, speed = way(table, unit, kind)
        # No hex costs less than 2, so a target farther off than this cannot be reached: skip the search.
        targets = [target for target in later if away[table.position.hex[target]] <= speed // 2 + 1]
        if not targets:
            continue
        ends = destinations(table, unit, mode, speed, table.equipment(unit), [])
        for target in targets:
            near = ends & table.roster.arena.contact[table.position.hex[target]]
            if near:
                found.append((kind, target, near))
    return found


def special_turns(table: MatchState) -> None:
    """Queue the turns for special attacks, in turn order (R-INI-08)."""
    table.push(*((begin_turn, unit) for unit in table.position.order))


def begin_turn(table: MatchState, unit: int) -> None:
    """Begin one unit's place in the step of special attacks."""
    if table.roster.has_cards and table.can_take_orders(unit):
        table.push((ask_sources, unit, SPECIAL_TURN), (take_turn, unit))
    else:
        take_turn(table, unit)


def take_turn(table: MatchState, unit: int) -> None:
    """Offer a special attack to a unit that can make one (Q-92)."""
    if (
        table.can_take_orders(unit)
        and table.position.hex[unit] >= 0
        and (pinnable(table, unit) or landings(table, unit))
    ):
        table.emit(TURN_BEGAN, unit)
        table.ask(SPECIAL, unit)
