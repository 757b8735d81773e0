"""Building combatants and teams: classes, build totals, cards and their requirements, Uniques (sections BLD, CEC, GER,
PLT). These functions read catalogue documents, so that matches, seasons and pages share the same checks.

A list of problems is empty when there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from rules.core.cards import SAME_VALUE, GearDefinition
from rules.core.equipment import EQUIPMENT
from rules.core.pilot_costs import pilot_points
from rules.core.refusals import Refusal
from rules.core.table_units import is_table_only
from rules.core.units import PilotDefinition, UnitDefinition
from rules.core.words import CLASS_CAPS
from rules.solaris.classes import points_class
from rules.solaris.house_rules import HouseRules

Document = Mapping[str, Any]

SLOTS_OF_A_UNIT = 2
"""The most cards that a unit has, gear and pilot together (R-CEC-06, Q-116)."""

NOT_COMPATIBLE = "R.I.S.C."
"""Gear with this in its name belongs to another game (R-CEC-02)."""


class Combatant(NamedTuple):
    """One unit with its cards as catalogue documents; two-sided gear with its declared `side`."""

    unit: Document
    pilot: Document | None = None
    gear: Sequence[Document] = ()


def takes_cards(unit: Document) -> bool:
    """Return whether a unit may have gear and pilots: units from before Age of Destruction may not (R-BLD-15)."""
    return bool(unit.get("variant"))


def class_of(unit: Document) -> str | None:
    """Return the class of a unit (R-BLD-02, R-BLD-14, Q-115): the printed one, or by points without a variant name.

    Return None if its points are above the highest cap.
    """
    return str(unit["class"]) if takes_cards(unit) else points_class(int(unit["points"]))


def combatant_points(combatant: Combatant) -> int:
    """Return the points of unit, pilot at their cost on this unit, and gear (R-BLD-08, R-CEC-03, R-CEC-04)."""
    unit, pilot, gear = combatant
    points = int(unit["points"]) + sum(int(card["points"]) for card in gear)
    return points + (pilot_points(pilot, str(unit["id"])) if pilot is not None else 0)


def build_problems(
    unit_document: Document,
    pilot_document: Document | None,
    match_class: str | None,
    house_rules: HouseRules,
    gear: Sequence[Document] = (),
) -> list[Refusal]:
    """Return the problems of this combatant in a match of `match_class` (R-BLD-03 to R-BLD-09, R-BLD-15, R-PLT-01,
    R-GER-02).

    A total may equal the cap (R-BLD-07): `build_total`, or that of `match_class`. With `match_class` None any class may
    play, and `build_total` is the only cap; a points-only match asks for no class either. A team's total is not judged
    here. The codes are those of `class_problems`, `card_problems` and `total_problems`. A unit for real tables only is
    judged by its class, its points and its cards. Raises Malformed (bad_unit, bad_pilot, unknown_ability, bad_gear).
    """
    if not is_table_only(unit_document):
        UnitDefinition.from_json(unit_document)
    if pilot_document:
        PilotDefinition.from_json(pilot_document)
    combatant = Combatant(unit_document, pilot_document or None, gear)
    needed = None if house_rules.points_only else match_class
    found = class_problems(unit_document, needed) + card_problems(combatant)
    if house_rules.build_total_per == "unit":
        found += total_problems(combatant, house_rules.build_total or CLASS_CAPS.get(match_class or ""))
    return found


def class_problems(unit: Document, match_class: str | None) -> list[Refusal]:
    """Return the problem (wrong_class) of a unit of another class (R-BLD-09); none if `match_class` is None."""
    own = class_of(unit)
    if match_class is None or own == match_class:
        return []
    return [Refusal("wrong_class", {"unit": unit["name"], "class": own, "needed": match_class})]


def total_problems(combatant: Combatant, cap: int | None) -> list[Refusal]:
    """Return the problem (over_build_total) of a combatant with more points than `cap`; None is no limit (R-BLD-07)."""
    total = combatant_points(combatant)
    if cap is None or total <= cap:
        return []
    return [Refusal("over_build_total", {"unit": combatant.unit["name"], "total": total, "cap": cap})]


def card_problems(combatant: Combatant) -> list[Refusal]:
    """Return all problems of a unit's cards: slots, requirements, another game's gear, two gear on one value.

    A unit that may have no cards has only that problem. The codes are no_cards_without_variant, too_many_cards,
    pilot_requirement, gear_not_compatible, gear_requires_class, gear_side_missing, gear_requires_type and
    gear_on_same_value. Raises Malformed (bad_gear).
    """
    unit, pilot, gear = combatant
    if (pilot is not None or gear) and not takes_cards(unit):
        return [Refusal("no_cards_without_variant", {"unit": unit["name"]})]
    found = []
    if len(gear) + (pilot is not None) > SLOTS_OF_A_UNIT:
        found.append(Refusal("too_many_cards", {"unit": unit["name"], "count": len(gear) + (pilot is not None)}))
    if pilot is not None:
        found += pilot_problems(unit, pilot)
    cards = [GearDefinition.from_json(card) for card in gear]
    for card in cards:
        found += _gear_problems(unit, card)
    for first, second in combinations(cards, 2):
        if first.location == second.location is not None and SAME_VALUE not in first.allows | second.allows:
            names = [first.name, second.name]
            found.append(Refusal("gear_on_same_value", {"gear": names, "value": first.location}))
    return found


def _types(unit: Document) -> dict[str, str]:
    return {value: unit[value]["type"] for value in ("primary", "secondary") if unit.get(value)}


def pilot_problems(unit: Document, pilot: Document) -> list[Refusal]:
    """Return the problem (pilot_requirement) of a pilot who requires another class or range type (R-PLT-01)."""
    requires = pilot.get("requires") or {}
    classes, needed = requires.get("class"), requires.get("type")
    is_of_other_type = needed and not is_table_only(unit) and needed not in _types(unit).values()
    if (classes and unit["class"] not in classes) or is_of_other_type:
        return [Refusal("pilot_requirement", {"pilot": pilot["name"], "classes": list(classes or ())})]
    return []


def _gear_problems(unit: Document, card: GearDefinition) -> list[Refusal]:
    """Return the problems of a gear card on a unit: another game, the class (R-GER-02), no side, the range type.

    The damage value with the card must have the range type. For a card on another value, or without a declared side,
    one of the two must have it. Nobody here knows the range types of a unit for real tables only.
    """
    found = []
    if NOT_COMPATIBLE in card.name:
        found.append(Refusal("gear_not_compatible", {"gear": card.name}))
    if card.classes and unit["class"] not in card.classes:
        found.append(Refusal("gear_requires_class", {"gear": card.name, "classes": list(card.classes)}))
    if card.location is None:
        found.append(Refusal("gear_side_missing", {"gear": card.name}))
    types = _types(unit)
    asked = [types[card.location]] if card.location in types else list(types.values())
    on_damage = card.equipment is not None and card.location in types
    needed = card.range_type or (EQUIPMENT[str(card.equipment)].place if on_damage else None)
    if needed and needed not in asked and not is_table_only(unit):
        found.append(Refusal("gear_requires_type", {"gear": card.name, "type": needed}))
    return found


def team_problems(team: Sequence[Combatant], match_class: str | None, house_rules: HouseRules) -> list[Refusal]:
    """Return the problems of this team: those of each combatant, repeated Uniques, and a team total above its limit.

    With the house rule `build_total_per` "team" the units share `build_total`, or their class's cap for each (Q-114).
    The codes are those of `build_problems`, `unique_problems` and `team_total_problems`. Raises Malformed (bad_unit,
    bad_pilot, unknown_ability, bad_gear).
    """
    found = []
    for combatant in team:
        found += build_problems(combatant.unit, combatant.pilot, match_class, house_rules, combatant.gear)
    return found + unique_problems(team) + team_total_problems(team, match_class, house_rules)


def team_cap(count: int, match_class: str | None, house_rules: HouseRules, sharing: int = 1) -> int | None:
    """Return the points that `count` units of a team share; None if the team has no limit of its own (Q-114).

    `sharing` stables that form a side together divide `build_total` evenly, rounded down.
    """
    if house_rules.build_total_per != "team":
        return None
    if house_rules.build_total is not None:
        return house_rules.build_total // sharing
    return CLASS_CAPS[match_class] * count if match_class else None


def team_total_problems(
    team: Sequence[Combatant], match_class: str | None, house_rules: HouseRules, sharing: int = 1
) -> list[Refusal]:
    """Return the problem of a team with more points than it shares by the house rule `build_total_per` "team" (Q-114).

    The code is team_over_build_total. `sharing` is the number of stables that form a side together (see `team_cap`).
    """
    cap = team_cap(len(team), match_class, house_rules, sharing)
    total = sum(combatant_points(combatant) for combatant in team)
    if cap is None or total <= cap:
        return []
    return [Refusal("team_over_build_total", {"total": total, "cap": cap})]


def unique_problems(team: Sequence[Combatant]) -> list[Refusal]:
    """Return the problems of Uniques that a team has twice under one collector's number (R-BLD-12, R-PLT-03, Q-113).

    Uniques are units of that rank, legendary pilots and gunslingers. Other teams may have them, too (R-BLD-13). The
    code is unique_twice.
    """
    uniques = _uniques(team)
    count = Counter(str(card["id"]) for card in uniques)
    names = {str(card["id"]): str(card["name"]) for card in uniques}
    return [Refusal("unique_twice", {"name": names[key], "number": key}) for key in count if count[key] > 1]


def unique_keys(team: Sequence[Combatant]) -> set[str]:
    """Return the collector's numbers of the Uniques in a team."""
    return {str(card["id"]) for card in _uniques(team)}


def _uniques(team: Sequence[Combatant]) -> list[Document]:
    found = []
    for unit, pilot, _ in team:
        if unit.get("rank") == "unique":
            found.append(unit)
        if pilot and pilot.get("kind", "common") != "common":
            found.append(pilot)
    return found
