"""The arithmetic of an attack, ready to be shown: every number that made it hit or miss, with its name and rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matches.words import modifier_name, signed


@dataclass(frozen=True)
class Term:
    """One summand: a name for people, the amount with its sign, and the rule that gives it."""

    name: str
    amount: str
    rule: str


@dataclass(frozen=True)
class Die:
    face: int
    is_odd: bool


@dataclass(frozen=True)
class TargetView:
    """The sum for one target. `base_defense` is the value before `defense_terms`."""

    name: str
    terms: tuple[Term, ...]
    result: int
    base_defense: int
    defense_terms: tuple[Term, ...]
    defense: int
    hit: bool
    range: int | None
    scored: int
    reductions: tuple[Term, ...]
    dealt: int


@dataclass(frozen=True)
class AttackView:
    """One roll: `attack` is the attacker's value before the modifiers."""

    attacker: str
    order: str
    value: str
    range_type: str
    dice: tuple[Die, ...]
    roll: int
    attack: int
    critical: str | None
    targets: tuple[TargetView, ...]


def attack_view(event: Mapping[str, Any], names: Mapping[str, str]) -> AttackView:
    """Read an `attack_rolled` event; `names` are those of units and tokens by id."""
    faces = [*event["dice"]]
    odd = event.get("odd")
    dice = tuple((face, position == len(faces) - 1) for position, face in enumerate(faces))
    if odd is not None and len(faces) == 2:
        dice = (*((face, False) for face in faces), (odd, True))
    return AttackView(
        attacker=names.get(event["unit"], str(event["unit"])),
        order=str(event.get("order", "")),
        value=str(event.get("value", "")),
        range_type=str(event.get("range_type") or ""),
        dice=dice,
        roll=event["roll"],
        attack=event["attack"],
        critical=event.get("critical"),
        targets=tuple(_target(names.get(key, key), target) for key, target in event["targets"].items()),
    )


def _target(name: str, target: Mapping[str, Any]) -> TargetView:
    rules = target.get("rules", {})
    defense_modifiers = target.get("defense_modifiers", {})
    return TargetView(
        name=name,
        terms=_terms(target["modifiers"], rules),
        result=target["result"],
        base_defense=target["defense"] - sum(defense_modifiers.values()),
        defense_terms=_terms(defense_modifiers, rules),
        defense=target["defense"],
        hit=target["hit"],
        range=target.get("range"),
        scored=target.get("scored", 0),
        reductions=tuple(
            Term(modifier_name(cut["name"]), signed(-abs(cut["amount"])), cut.get("rule", ""))
            for cut in target.get("reductions", ())
        ),
        dealt=target.get("dealt", 0),
    )


def _terms(amounts: Mapping[str, int], rules: Mapping[str, str]) -> tuple[Term, ...]:
    return tuple(Term(modifier_name(name), signed(amount), rules.get(name, "")) for name, amount in amounts.items())
