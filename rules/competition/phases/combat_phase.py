"""The combat phase: the orders on a unit's own turn (sections CMB, ASL, DIG, DEF, DOD)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal

from rules.competition.attacks.armament import Armament
from rules.competition.attacks.checks import attack_problems
from rules.competition.attacks.forms import AttackChoice, as_attack, read_attack, write_attack
from rules.competition.attacks.options import (
    attack_places,
    close_attacks,
    close_choices,
    facings_in,
    ranged_attacks,
    ranged_choices,
)
from rules.competition.attacks.resolving import declare
from rules.competition.ground.hexes import bits, nth_bit, popcount
from rules.competition.phases.flushing import (
    FLUSH,
    FlushChoice,
    carry_out_flush,
    flush_choices,
    flush_problems,
    flushed_friend,
    read_flush,
    write_flush,
)
from rules.competition.phases.move_phase import (
    JUMP,
    PASS,
    WALK,
    PassChoice,
    carry_out_move,
    destinations,
    move_problem,
    path_names,
)
from rules.competition.state import reading
from rules.competition.state.events import CANCELLED, ORDER_GIVEN, PASSED, TURN_BEGAN, TURN_ENDED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import (
    ASSAULT,
    CLOSE,
    COMBAT_ORDER,
    DEFEND,
    DIG_IN,
    DODGE,
    MOVE,
    RANGED,
    RESTARTED,
    SHUTDOWN,
    TARGETED,
    UNCONSCIOUS,
    VENT,
)
from rules.competition.units import sources
from rules.competition.units.cancelling import cancel_problems
from rules.competition.units.heat import vent
from rules.competition.units.rally import ask_rally
from rules.competition.units.sources import ask_sources
from rules.core.equipment import keys_of
from rules.core.equipment_hooks import jumps, only_moves_and_vents
from rules.core.refusals import IllegalAction, Malformed, Refusal

VentChoice = tuple[Literal[128]]
"""(VENT,)."""

DigInChoice = tuple[Literal[16]]
"""(DIG_IN,)."""

AssaultChoice = tuple[Literal[8], int, int, int, tuple[int, ...] | None, AttackChoice, int]
"""(ASSAULT, mode, destination, facing, path, choice of attack, cancelled); without a path the engine chooses one."""

CombatChoice = PassChoice | VentChoice | DigInChoice | AttackChoice | FlushChoice | AssaultChoice

WITHOUT_A_TARGET: Mapping[str, CombatChoice] = {"pass": (PASS,), "vent": (VENT,), "dig_in": (DIG_IN,)}
"""The choices for orders that need no target, by name."""

FREE, ANSWERING = "free", "answering"
"""What the turn offers: any order, or only the attack that dig in or defend promised (R-DIG-05, R-DEF-03)."""

SAMPLED_ASSAULTS = 3


class Combat(DecisionKind[str, CombatChoice]):
    """A unit's turn in the combat phase. Data: FREE or ANSWERING."""

    name = "combat"

    def options(self, table: MatchState, unit: int, data: str) -> list[CombatChoice]:
        found: list[CombatChoice] = [(PASS,)]
        if data == FREE:
            if _may_vent(table, unit):
                found.append((VENT,))
            if only_vents(table, unit):
                return found
            if _may_dig_in(table, unit):
                found.append((DIG_IN,))
        found.extend(_attacks(table, unit, data))
        if data == FREE:
            found.extend(flush_choices(table, unit))
        if data == FREE and not table.opponents_in_contact(unit):
            found.extend(self._assaults(table, unit))
        return found

    def _assaults(self, table: MatchState, unit: int) -> list[AssaultChoice]:
        found: list[AssaultChoice] = []
        origin = table.position.hex[unit]
        armament = Armament(table, unit)
        for order, attacks_from in ((CLOSE, close_attacks), (RANGED, ranged_attacks)):
            seen = 0
            near = attack_places(table, unit, order)
            for mode in _assault_modes(table, unit):
                places = assault_reach(table, unit, order, mode) | (1 << origin if mode == WALK else 0)
                for place in bits(places & near & ~seen):
                    for facings, attack in attacks_from(table, unit, place, ASSAULT, armament):
                        looks = facings_in(facings)
                        found += [(ASSAULT, mode, place, facing, None, attack, 0) for facing in looks]
                seen |= places
        return found

    def sample(self, table: MatchState, unit: int, data: str, rng: random.Random) -> CombatChoice:
        pick = rng.random
        others: list[CombatChoice] = [(PASS,)]
        is_free = data == FREE
        if is_free:
            if _may_vent(table, unit):
                others.append((VENT,))
            if only_vents(table, unit):
                return others[int(pick() * len(others))]
            if _may_dig_in(table, unit):
                others.append((DIG_IN,))
            others.extend(flush_choices(table, unit))
        # Attack about as often as not when there is something to attack.
        if pick() < 0.6:
            attacks = _attacks(table, unit, data)
            if attacks:
                return attacks[int(pick() * len(attacks))]
        if is_free and pick() < 0.5 and not table.opponents_in_contact(unit):
            assault = self._sample_assault(table, unit, rng)
            if assault is not None:
                return assault
        return others[int(pick() * len(others))]

    def _sample_assault(self, table: MatchState, unit: int, rng: random.Random) -> AssaultChoice | None:
        pick = rng.random
        order = CLOSE if pick() < 0.5 else RANGED
        modes = _assault_modes(table, unit)
        mode = modes[int(pick() * len(modes))]
        places = assault_reach(table, unit, order, mode) | (1 << table.position.hex[unit] if mode == WALK else 0)
        count = popcount(places)
        if not count:
            return None
        make = close_choices if order == CLOSE else ranged_choices
        armament = Armament(table, unit)
        for _ in range(SAMPLED_ASSAULTS):
            place = nth_bit(places, int(pick() * count))
            facing = int(pick() * 12)
            attacks = make(table, unit, place, facing, ASSAULT, armament)
            if attacks:
                attack = attacks[int(pick() * len(attacks))]
                return (ASSAULT, mode, place, facing, None, attack, 0)
        return None

    def problems(self, table: MatchState, unit: int, data: str, choice: CombatChoice) -> list[Refusal]:
        name = table.fighter(unit).name
        if choice[0] == PASS:
            return []
        if data == ANSWERING and choice[0] not in (CLOSE, RANGED):
            return [Refusal("order_already_given", {"unit": name})]
        if choice[0] == VENT:
            return []
        if only_vents(table, unit):
            return [Refusal("only_move_or_vent", {"unit": name})]
        if choice[0] == DIG_IN:
            return _dig_in_problems(table, unit)
        if choice[0] == ASSAULT:
            return _assault_problems(table, unit, choice)
        if choice[0] == FLUSH:
            return flush_problems(table, unit, choice)
        return attack_problems(table, unit, choice, table.position.hex[unit], table.position.facing[unit])

    def read(self, table: MatchState, unit: int, data: str, document: Mapping[str, Any]) -> CombatChoice:
        order = document.get("order")
        if order in ("pass", "vent", "dig_in"):
            reading.only(document, "order")
            return WITHOUT_A_TARGET[order]
        if order in ("close", "ranged"):
            if order == "close" and (friend := flushed_friend(table, unit, document)) >= 0:
                return read_flush(table, unit, friend, document)
            return read_attack(table, unit, document)
        if order != "assault":
            raise IllegalAction("order_not_now", order=order, phase="combat")
        reading.only(document, "order", "path", "facing", "attack", "cancel", "jump")
        attack = document.get("attack")
        if not isinstance(attack, Mapping):
            raise Malformed("bad_field", field="attack", value=attack)
        path = reading.hexes(table.roster, document)
        facing = reading.facing(document, default=table.position.facing[unit])
        cancelled = reading.equipment(document)
        inner = read_attack(table, unit, attack)
        destination = path[-1] if path else table.position.hex[unit]
        mode = JUMP if reading.flag(document, "jump", False) else WALK
        choice: AssaultChoice = (ASSAULT, mode, destination, facing, path, inner, cancelled)
        if mode == WALK and path and self.problems(table, unit, data, choice):
            jump: AssaultChoice = (ASSAULT, JUMP, destination, facing, path, inner, cancelled)
            if not self.problems(table, unit, data, jump):
                return jump
        return choice

    def write(self, table: MatchState, unit: int, data: str, choice: CombatChoice) -> dict[str, Any]:
        if choice[0] == PASS:
            return {"order": "pass"}
        if choice[0] == VENT:
            return {"order": "vent"}
        if choice[0] == DIG_IN:
            return {"order": "dig_in"}
        if choice[0] == FLUSH:
            return write_flush(table, unit, choice)
        if choice[0] != ASSAULT:
            return write_attack(table, choice)
        _, mode, destination, facing, path, attack, cancelled = choice
        document: dict[str, Any] = {
            "order": "assault",
            "path": path_names(table, unit, mode, destination, path, cancelled),
            "facing": facing,
            "attack": write_attack(table, attack),
        }
        if mode == JUMP:
            document["jump"] = True
        if cancelled:
            document["cancel"] = keys_of(cancelled)
        return document

    def resolve(self, table: MatchState, unit: int, data: str, choice: CombatChoice) -> None:
        if choice[0] == PASS:
            table.emit(PASSED, unit)
        elif choice[0] == VENT:
            vent(table, unit)
        elif choice[0] == DIG_IN:
            table.emit(ORDER_GIVEN, unit, DIG_IN, False)
            table.note_heat(unit, 1, "dig_in")
            table.push((ask_answering, unit))
        elif choice[0] == ASSAULT:
            _carry_out_assault(table, unit, choice)
        elif choice[0] == FLUSH:
            carry_out_flush(table, unit, choice)
        else:
            cancelled = choice[-1]
            if cancelled:
                table.emit(CANCELLED, unit, cancelled)
            if data == FREE:
                order: int = choice[0]
                table.emit(ORDER_GIVEN, unit, order, False)
            else:
                order = table.position.orders[unit] & (DIG_IN | DEFEND)
            declare(table, as_attack(unit, order, choice))


COMBAT_TURN = Combat()


def _attacks(table: MatchState, unit: int, data: str) -> list[AttackChoice]:
    """Return every attack from the unit's hex and facing, as an order of its own or under the one that promised it."""
    position = table.position
    place, facing = position.hex[unit], position.facing[unit]
    promised = position.orders[unit] & (DIG_IN | DEFEND)
    close, ranged = (CLOSE, RANGED) if data == FREE else (promised, promised)
    armament = Armament(table, unit)
    found = close_choices(table, unit, place, facing, close, armament)
    return found + ranged_choices(table, unit, place, facing, ranged, armament)


def only_vents(table: MatchState, unit: int) -> bool:
    """Return whether shutdown or Salvage leaves the unit no order but vent on its turn (R-CMB-09, Q-73)."""
    return bool(table.position.status[unit] & SHUTDOWN) or only_moves_and_vents(table.equipment(unit))


def _may_vent(table: MatchState, unit: int) -> bool:
    return not table.position.status[unit] & SHUTDOWN or table.roster.house_rules.shutdown_may_vent


def _dig_in_problems(table: MatchState, unit: int) -> list[Refusal]:
    """Return why the unit may not dig in on its own turn, an empty list when it may (R-DIG-01 to R-DIG-03)."""
    orders = table.position.orders[unit]
    name = table.fighter(unit).name
    if orders & MOVE:
        return [Refusal("dig_in_after_move", {"unit": name})]
    if orders & TARGETED:
        return [Refusal("dig_in_after_target", {"unit": name})]
    return []


def _may_dig_in(table: MatchState, unit: int) -> bool:
    return not _dig_in_problems(table, unit)


def _assault_modes(table: MatchState, unit: int) -> tuple[int, ...]:
    return (WALK, JUMP) if jumps(table.equipment(unit)) else (WALK,)


def _assault_speed(table: MatchState, unit: int, order: int) -> int:
    """Return the speed of an assault: full for close combat, half and rounded up for a shot (R-ASL-02, R-ASL-03)."""
    speed = table.speed(unit)
    return speed if order == CLOSE else (speed + 1) // 2


def assault_reach(table: MatchState, unit: int, order: int, mode: int) -> int:
    """Return the hexes where the move of an assault can end, as bits, without the unit's own hex."""
    return destinations(table, unit, mode, _assault_speed(table, unit, order), table.equipment(unit), [])


def _assault_problems(table: MatchState, unit: int, choice: AssaultChoice) -> list[Refusal]:
    _, mode, destination, facing, path, attack, cancelled = choice
    assert path is not None, "an answer from outside has a path"
    name = table.fighter(unit).name
    if table.opponents_in_contact(unit):
        return [Refusal("assault_in_contact", {"unit": name})]
    cancelled |= attack[-1]  # a cancellation lasts the whole turn, in either part of the order (R-SEG-09)
    found = cancel_problems(table, unit, cancelled)
    active = table.equipment(unit) & ~cancelled
    if mode == JUMP and not jumps(active):
        found.append(Refusal("no_jump_jets", {"unit": name}))
    if found:
        return found
    problem = move_problem(table, unit, mode, path, _assault_speed(table, unit, attack[0]), active, [])
    if problem:
        return [problem]
    return attack_problems(table, unit, (*attack[:-1], cancelled), destination, facing)


def _carry_out_assault(table: MatchState, unit: int, choice: AssaultChoice) -> None:
    """Carry out an assault: move, free spins, declaration, reactions, roll, in that order (section ASL)."""
    _, mode, destination, facing, path, attack, cancelled = choice
    if cancelled | attack[-1]:
        table.emit(CANCELLED, unit, cancelled | attack[-1])
    table.emit(ORDER_GIVEN, unit, ASSAULT, False)
    table.push((declare, as_attack(unit, ASSAULT, attack)))
    used = carry_out_move(table, unit, mode, destination, facing, path, "assault")
    table.charge_single_use(unit, used)


def ask_answering(table: MatchState, unit: int) -> None:
    """Ask for the attack under dig in or defend if there is anything to attack."""
    if table.can_take_orders(unit) and _attacks(table, unit, ANSWERING):
        table.ask(COMBAT_TURN, unit, ANSWERING)


def begin_turn(table: MatchState, unit: int) -> None:
    """Begin one unit's place in the combat phase (R-CMB-03)."""
    position = table.position
    if not table.is_in_play(unit) or position.hex[unit] < 0:
        return
    table.push((end_turn, unit))
    if not table.roster.has_cards:
        take_turn(table, unit)
        return
    begins = has_turn(table, unit)
    if begins:  # before the cards, as in the move phase
        table.emit(TURN_BEGAN, unit)
    table.push((ask_rally, unit), (ask_sources, unit, sources.COMBAT_TURN), (take_turn, unit, begins))


def has_turn(table: MatchState, unit: int) -> bool:
    """Return whether the unit has a turn: it takes orders and has not dodged (R-DOD-03), or may vent (Q-73)."""
    if table.can_take_orders(unit):
        return not table.position.orders[unit] & DODGE
    may_vent = table.roster.house_rules.shutdown_may_vent and table.is_in_play(unit)
    return may_vent and _is_only_shutdown(table, unit)


def take_turn(table: MatchState, unit: int, has_begun: bool = False) -> None:
    """Ask for a unit's order, or for the attack that its reaction promised; `has_begun`: its turn has its event."""
    if not has_turn(table, unit):
        return
    if not has_begun:
        table.emit(TURN_BEGAN, unit)
    orders = table.position.orders[unit]
    if orders & (DIG_IN | DEFEND):
        ask_answering(table, unit)
    elif not orders & COMBAT_ORDER:
        table.ask(COMBAT_TURN, unit, FREE)


def _is_only_shutdown(table: MatchState, unit: int) -> bool:
    """Return whether nothing but its shutdown keeps the unit from an order (R-UNC-01, R-CMB-02, R-SHD-11)."""
    status, orders = table.position.status[unit], table.position.orders[unit]
    return bool(status & SHUTDOWN) and not status & UNCONSCIOUS and not orders & (COMBAT_ORDER | RESTARTED)


def end_turn(table: MatchState, unit: int) -> None:
    """End the unit's turn: an attack that a later reaction promises is lost (Q-19)."""
    if table.is_in_play(unit):
        table.emit(TURN_ENDED, unit)
