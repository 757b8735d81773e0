"""Forecasts of an action before it is played: the sum and odds of an attack, and the odds of breaking away.

A forecast looks at the table as it is now. It knows nothing of reactions, free spins and cards still to come. It rolls
no dice: when a die decides the damage, the forecast has the damage of each face. Actions are legal answers to the open
decision, and nothing here checks that: for other actions the functions that read one raise Malformed or IllegalAction,
or forecast what cannot be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.competition.attacks.aftermath import overheat
from rules.competition.attacks.approaches import FROM_THE_AIR, Approach, charge_line
from rules.competition.attacks.arithmetic import sum_of
from rules.competition.attacks.damage import damage_value
from rules.competition.attacks.facts import facts_of
from rules.competition.attacks.forms import Attack, AttackChoice, as_attack, is_friendly, order_name, plain_attack
from rules.competition.attacks.modifiers import line_to, rule_of
from rules.competition.attacks.options import close_choices, ranged_choices, swept
from rules.competition.attacks.reactions import CancelChoice, HelpfulEquipment, ReactChoice
from rules.competition.attacks.sighting import range_to
from rules.competition.match import Match
from rules.competition.phases.combat_phase import FREE, CombatChoice, only_vents
from rules.competition.phases.flushing import FLUSH
from rules.competition.phases.impact import impact_damage, strike
from rules.competition.phases.move_phase import PASS, RUN, DeclaredMove
from rules.competition.phases.special_attacks import ImpactChoice
from rules.competition.state.events import CANCELLED, MOVED, ORDER_GIVEN
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import (
    ASSAULT,
    CHARGE,
    CLOSE,
    DEATH_FROM_ABOVE,
    DEFEND,
    DIG_IN,
    MOVE,
    ORDER_NAMES,
    SPECIAL_MOVE,
    VENT,
)
from rules.competition.state.roster import DAMAGE_LOCATIONS, PRIMARY, TOKEN
from rules.competition.units.breaking_away import break_away
from rules.competition.units.free_spins import SpinChoice
from rules.core.attack_hooks import flushes, heat_for_damage, key_of
from rules.core.dice import DiceRunDry, ScriptedDice
from rules.core.equipment_hooks import Modifier, damage_modifiers
from rules.core.odds import HIGHEST, LOWEST


@dataclass(frozen=True)
class Summand:
    """One modifier: its name as in the events, the amount, the rule that gives it."""

    name: str
    amount: int
    rule: str


@dataclass(frozen=True)
class TargetForecast:
    """The sum against one target. `needed` is the lowest sum of the three dice that hits, 19 when only a critical does.

    `range` is in hexsides, None for attacks that are not ranged. `attack` and `defense` include their modifiers and are
    never below 0 (R-ATK-06). `line` has the corners, 0 to 5, of the attacker's and the target's hex between which the
    line of fire runs; None when the attack has no line. `chance` (0 to 1) includes criticals and a second roll. `again`
    is the key of the target's equipment that makes the attacker roll a second time, None without it. `equipment`: the
    bits of equipment at work on the target at that moment.
    """

    target: str
    range: int | None
    line: tuple[int, int] | None
    attack_printed: int
    modifiers: tuple[Summand, ...]
    attack: int
    defense_printed: int
    defense_modifiers: tuple[Summand, ...]
    defense: int
    needed: int
    chance: float
    again: str | None = None
    equipment: int = 0


@dataclass(frozen=True)
class AttackForecast:
    """An attack before its dice.

    `damage` is what a success scores, in points; 0 for an attack on a friend. It is None when a die decides; then
    `faces` has what each of the six faces scores. `heat` is dealt to a target instead of damage (Flamers), 0 for other
    attacks. `equipment`: the bits at work on the damage value, without those that the attacker cancels. `aid` says what
    an attack on a friend is: "repair" or "coolant_flush"; it is empty on an opponent (R-SEA-01, R-SEA-02).
    """

    order: str
    value: str
    hex: str
    is_ranged: bool
    is_indirect: bool
    targets: tuple[TargetForecast, ...]
    damage: int | None
    faces: tuple[int, ...] = ()
    heat: int = 0
    equipment: int = 0
    aid: str = ""

    @property
    def scored(self) -> float:
        """The damage that a success scores on average."""
        return sum(self.faces) / len(self.faces) if self.damage is None else self.damage


@dataclass(frozen=True)
class BreakAwayForecast:
    """The die of a unit that leaves base contact: `faces` of its six succeed (section BRK)."""

    faces: int

    @property
    def needed(self) -> int | None:
        """The lowest face that succeeds, None when no face does."""
        return 7 - self.faces if self.faces else None

    @property
    def chance(self) -> float:
        """The chance to break away, 0 to 1."""
        return self.faces / 6


def forecast(match: Match, action: Mapping[str, Any]) -> AttackForecast | None:
    """Return the attack that an action makes, or the one that a reaction or a cancellation answers.

    Return None for an action that concerns no attack.
    """
    found = attack_of(match, action)
    return None if found is None else _forecast(*found)


def break_away_forecast(match: Match, action: Mapping[str, Any]) -> BreakAwayForecast | None:
    """Return the roll to break away that a move order needs first; None for other actions and out of base contact."""
    table, kind, unit, choice = read_choice(match, action)
    if kind != "move" or choice[0] != MOVE or not table.opponents_in_contact(unit):
        return None
    move: DeclaredMove = choice
    _, mode, _, _, _, cancelled = move
    _cancel(table, unit, cancelled)
    is_running = mode == RUN
    tried = (break_away(table.copy(ScriptedDice([face])), unit, is_running) for face in range(1, 7))
    return BreakAwayForecast(sum(success for success, _ in tried))


def prospects(match: Match, action: Mapping[str, Any]) -> list[AttackForecast]:
    """Return what the unit could attack from where a move or a free spin puts it, one target at a time.

    Each target appears once, with the attack most likely to hit it; of equally likely ones with the one that scores
    most. The best chance comes first. The list is empty for other actions, and for a unit that cannot attack now.
    """
    best: dict[str, AttackForecast] = {}
    for seen in openings(match, action):
        name = seen.targets[0].target
        if name not in best or _promise(seen) > _promise(best[name]):
            best[name] = seen
    return sorted(best.values(), key=lambda each: -each.targets[0].chance)


def _promise(seen: AttackForecast) -> tuple[float, float]:
    return seen.targets[0].chance, seen.scored


def openings(match: Match, action: Mapping[str, Any]) -> list[AttackForecast]:
    """Return every attack on one opponent or token that the unit could make after a move or a free spin.

    The list is empty for other actions, and for a unit that may not attack (`only_vents`). `prospects` keeps only
    the likeliest attack on each target, which need not be the one that deals the most damage.
    """
    table, kind, unit, choice = read_choice(match, action)
    if kind == "move" and choice[0] == MOVE:
        move: DeclaredMove = choice
        _, _, destination, facing, _, _ = move
        table.emit(ORDER_GIVEN, unit, MOVE, False)
        table.emit(MOVED, unit, (), destination, facing, "forecast")
    elif kind == "free_spin":
        spin: SpinChoice = choice
        (facing,) = spin
        if facing >= 0:
            table.emit(MOVED, unit, (), table.position.hex[unit], facing, "forecast")
    else:
        return []
    return [
        _after_cancelling(table, attack, found)
        for attack, found in _attacks_of(table, unit)
        if attack.is_single and not is_friendly(table, attack)
    ]


def attacks_on(table: MatchState, unit: int, target: int) -> list[AttackForecast]:
    """Return every attack that a unit could make on one target without moving or turning.

    That includes a sweep that hits other targets too, since each of them takes the full damage. The list is empty for a
    unit that may not attack (`only_vents`).
    """
    return [
        _after_cancelling(table, attack, found)
        for attack, found in _attacks_of(table, unit)
        if target in attack.targets and (attack.is_single or not attack.is_ranged)
    ]


def _attacks_of(table: MatchState, unit: int) -> Iterator[tuple[Attack, AttackChoice]]:
    """Yield the close and ranged attacks that a unit could make from where it stands, with the choice of each."""
    if only_vents(table, unit):
        return
    place, facing = table.position.hex[unit], table.position.facing[unit]
    for found in (*close_choices(table, unit, place, facing), *ranged_choices(table, unit, place, facing)):
        yield as_attack(unit, found[0], found), found


def _after_cancelling(table: MatchState, attack: Attack, choice: AttackChoice) -> AttackForecast:
    """Return the forecast of a choice's attack, without the equipment that the choice cancels."""
    thought = table.copy(ScriptedDice([]))
    _cancel(thought, attack.attacker, choice[-1])
    return _forecast(thought, attack, None)


def read_choice(match: Match, action: Mapping[str, Any]) -> tuple[MatchState, str, int, Any]:
    """Return a copy of the table to think with, the kind and the unit of the open decision, and the action's choice.

    The type of the choice depends on the kind.
    """
    table = match.table
    assert table.open is not None, "the match is over"
    kind, unit, data = table.open
    return table.copy(ScriptedDice([])), kind.name, unit, kind.read(table, unit, data, action)


def attack_of(match: Match, action: Mapping[str, Any]) -> tuple[MatchState, Attack, Approach | None] | None:
    """Return the table at the moment of the roll as far as it can be known, the attack, and its approach.

    The approach is None unless the attack is a charge or a death from above. Return None for an action that concerns no
    attack.
    """
    table, kind, unit, choice = read_choice(match, action)
    assert match.table.open is not None
    data = match.table.open[2]
    if kind == "react":
        reaction: ReactChoice = choice
        order, cancelled = reaction
        _cancel(table, unit, cancelled)
        if order:
            table.emit(ORDER_GIVEN, unit, order, True)
        return table, data, _line_of(table, data)
    if kind == "cancel":
        declined: CancelChoice = choice
        helpful: HelpfulEquipment = data
        _cancel(table, unit, declined[0])
        return table, helpful[0], _line_of(table, helpful[0])
    if kind == "special" and choice[0] in (CHARGE, DEATH_FROM_ABOVE):
        return _special(table, unit, choice)
    if kind == "combat":
        return _combat(table, unit, data, choice)
    return None


def _line_of(table: MatchState, attack: Attack) -> Approach | None:
    """Return the line of a charge or death from above whose move is done: it was judged before the move.

    Return None for other attacks.
    """
    if not attack.order & SPECIAL_MOVE:
        return None
    for task in reversed(table.agenda):
        if task[0] is strike and len(task) > 4:
            line: Approach = task[4]
            return line
    return FROM_THE_AIR


def _special(table: MatchState, unit: int, choice: ImpactChoice) -> tuple[MatchState, Attack, Approach]:
    kind, target, destination, facing, _, cancelled = choice
    _cancel(table, unit, cancelled)
    line = charge_line(table, unit, target, destination, facing) if kind == CHARGE else FROM_THE_AIR
    table.emit(MOVED, unit, (), destination, facing, ORDER_NAMES[kind])
    return table, plain_attack(unit, kind, target), line


def _combat(table: MatchState, unit: int, data: str, choice: CombatChoice) -> tuple[MatchState, Attack, None] | None:
    if choice[0] == FLUSH:
        _, target, _, destination, facing, _, cancelled = choice
        _cancel(table, unit, cancelled)
        table.emit(MOVED, unit, (), destination, facing, "flush")
        return table, plain_attack(unit, CLOSE, target), None
    if choice[0] == ASSAULT:
        _, _, destination, facing, _, inner, cancelled = choice
        _cancel(table, unit, cancelled | inner[-1])
        table.emit(ORDER_GIVEN, unit, ASSAULT, False)
        table.emit(MOVED, unit, (), destination, facing, "assault")
        return table, _declared(table, as_attack(unit, ASSAULT, inner)), None
    if choice[0] == PASS or choice[0] == VENT or choice[0] == DIG_IN:
        return None
    kind: int = choice[0]
    _cancel(table, unit, choice[-1])
    if data == FREE:
        table.emit(ORDER_GIVEN, unit, kind, False)
    order = kind if data == FREE else table.position.orders[unit] & (DIG_IN | DEFEND)
    return table, _declared(table, as_attack(unit, order, choice)), None


def _declared(table: MatchState, attack: Attack) -> Attack:
    """Return the attack with the further targets that Full Strike adds."""
    if attack.is_ranged or is_friendly(table, attack):
        return attack
    targets = swept(table, attack.attacker, attack.value, attack.targets)
    return attack._replace(targets=targets, declared=len(targets))


def _cancel(table: MatchState, unit: int, cancelled: int) -> None:
    if cancelled:
        table.emit(CANCELLED, unit, cancelled)


def _forecast(table: MatchState, attack: Attack, line: Approach | None) -> AttackForecast:
    helps, is_special = is_friendly(table, attack), attack.order & SPECIAL_MOVE
    overheated = None if helps or is_special else overheat(table, attack)
    targets = tuple(_against(table, attack, target, line) for target in attack.targets)
    damage: int | None = 0
    faces: tuple[int, ...] = ()
    heat = 0
    aid = ""
    on_value = table.equipment_on_value(attack.attacker, attack.value)
    if helps:
        aid = "coolant_flush" if flushes(table.equipment(attack.attacker), False) else "repair"
    elif is_special:
        added = damage_modifiers(table.equipment(attack.attacker), False)
        primary = table.damage(attack.attacker, PRIMARY) + sum(amount for _, amount in added)
        damage = impact_damage(attack.order, primary).amount
    else:
        damage, faces = _damage(table, attack, overheated)
        heat = sum(amount for _, amount in heat_for_damage(on_value, facts_of(table, attack)))
    return AttackForecast(
        # An attack within a dig in or defend order has the name that players call it by.
        order=order_name(attack.order & ~(DIG_IN | DEFEND), attack.is_ranged),
        value=DAMAGE_LOCATIONS[attack.value],
        hex=table.roster.lattice.name(table.position.hex[attack.attacker]),
        is_ranged=attack.is_ranged,
        is_indirect=attack.indirect,
        targets=targets,
        damage=damage,
        faces=faces,
        heat=heat,
        equipment=on_value,
        aid=aid,
    )


def _damage(table: MatchState, attack: Attack, overheated: int | None) -> tuple[int | None, tuple[int, ...]]:
    """Return what a success scores and (); when a die decides it, None and what each of the six faces scores."""
    try:
        return damage_value(table, attack, attack.targets, overheated).amount, ()
    except DiceRunDry:
        thrown = (table.copy(ScriptedDice([face])) for face in range(1, 7))
        return None, tuple(damage_value(thought, attack, attack.targets, overheated).amount for thought in thrown)


def _against(table: MatchState, attack: Attack, target: int, line: Approach | None) -> TargetForecast:
    summed = sum_of(table, attack, target, line)
    drawn = line_to(table, attack, target) if attack.is_ranged else None
    return TargetForecast(
        target=table.roster.target_name(target),
        range=range_to(table, table.position.hex[attack.attacker], target) if attack.is_ranged else None,
        line=(drawn.line.first, drawn.line.last) if drawn is not None and drawn.line.first >= 0 else None,
        attack_printed=summed.attack_printed,
        modifiers=_summands(table, summed.modifiers),
        attack=summed.attack,
        defense_printed=summed.defense_printed,
        defense_modifiers=_summands(table, summed.defense_modifiers),
        defense=summed.defense,
        needed=min(max(summed.defense - summed.attack, LOWEST), HIGHEST + 1),
        chance=summed.chance,
        again=key_of(summed.second_roll) if summed.second_roll else None,
        equipment=table.equipment(target) if target < TOKEN else table.roster.token_armor[target - TOKEN],
    )


def _summands(table: MatchState, modifiers: Iterable[Modifier]) -> tuple[Summand, ...]:
    return tuple(Summand(name, amount, rule_of(table, name)) for name, amount in modifiers)
