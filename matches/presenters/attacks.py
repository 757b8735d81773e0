"""The arithmetic of an attack, ready to be shown: every number that made it hit or miss, with its name and rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from matches.text.match import word
from rules.competition.forecast import Summand
from rules.core.equipment import EQUIPMENT
from rules.wording.filling import signed

Event = Mapping[str, Any]

EQUIPMENT_RULES = {key: row.rule for key, row in EQUIPMENT.items()}


@dataclass(frozen=True)
class Term:
    """One summand: its source, the signed amount, the rule. `is_own_name`: a name that is not translated."""

    name: str
    amount: str
    rule: str = ""
    is_own_name: bool = False


@dataclass(frozen=True)
class Die:
    """A die of the roll. `is_odd`: it has the other colour and never counts for critical results."""

    face: int
    is_odd: bool


@dataclass(frozen=True)
class DamageView:
    """Damage scored, what reduced it, damage dealt; in clicks."""

    scored: int
    reductions: tuple[Term, ...]
    dealt: int


@dataclass(frozen=True)
class TargetView:
    """The sum for one target. `printed_defense` is the value before `defense_terms`.

    `range` is in hexsides, None for attacks that are not ranged; `damage` is None when none was scored.
    """

    name: str
    terms: tuple[Term, ...]
    result: int
    printed_defense: int
    defense_terms: tuple[Term, ...]
    defense: int
    is_hit: bool
    range: int | None
    damage: DamageView | None


@dataclass(frozen=True)
class AttackView:
    """One roll; `attack` is the attacker's value before the modifiers.

    `damage` is what a success scores: `damage_value`, with `damage_terms` in it, unless `damage_rule` (R-CLO-07 half,
    R-IND-10 at most two; "" without one) lowers it. `critical` is None for a roll without a critical result.
    """

    dice: tuple[Die, ...]
    roll: int
    attack: int
    critical: str | None
    damage: int
    damage_value: int
    damage_rule: str
    damage_terms: tuple[Term, ...]
    targets: tuple[TargetView, ...]


def attack_view(resolved: Event, scored: Iterable[Event], names: Mapping[str, str]) -> AttackView:
    """Read an `attack_resolved` event and the `damage_scored` events that follow from it.

    `names` are those of units, tokens and pilots by their ids.
    """
    why = resolved["why"]
    damage = {event["target"]: event for event in scored}
    return AttackView(
        dice=tuple(Die(face, position == 2) for position, face in enumerate(why["dice"])),
        roll=why["roll"],
        attack=why["attack_printed"],
        critical=resolved.get("critical"),
        damage=why["damage"],
        damage_value=why.get("damage_value", why["damage"]),
        damage_rule=why.get("damage_rule") or "",
        damage_terms=_terms(why.get("damage_modifiers", {}), EQUIPMENT_RULES, names),
        targets=tuple(_target(key, target, damage.get(key), names) for key, target in why["targets"].items()),
    )


def _target(key: str, target: Mapping[str, Any], scored: Event | None, names: Mapping[str, str]) -> TargetView:
    rules = target.get("rules", {})
    return TargetView(
        name=names.get(key, key),
        terms=_terms(target["modifiers"], rules, names),
        result=target["result"],
        printed_defense=target["defense_printed"],
        defense_terms=_terms(target["defense_modifiers"], rules, names),
        defense=target["defense"],
        is_hit=target["hit"],
        range=target["range"],
        damage=None if scored is None else _damage(scored),
    )


def _damage(scored: Event) -> DamageView:
    cuts = (scored.get("why") or {}).get("reductions", ())
    return DamageView(
        scored=scored["scored"],
        reductions=tuple(Term(word(cut["name"]), signed(cut["amount"]), cut["rule"]) for cut in cuts),
        dealt=scored["dealt"],
    )


def terms_of(summands: Iterable[Summand], names: Mapping[str, str]) -> tuple[Term, ...]:
    """Return the summands of a forecast as terms."""
    return tuple(
        Term(names.get(each.name) or word(each.name), signed(each.amount), each.rule, each.name in names)
        for each in summands
    )


def _terms(amounts: Mapping[str, int], rules: Mapping[str, str], names: Mapping[str, str]) -> tuple[Term, ...]:
    """Return amounts as terms. A pilot's modifier has the pilot's id as its key, so `names` comes first."""
    return tuple(
        Term(names.get(key) or word(key), signed(amount), rules.get(key, ""), is_own_name=key in names)
        for key, amount in amounts.items()
    )
