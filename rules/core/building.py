"""Building a combatant: class, build total, pilot requirements (rules index, section BLD)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.house_rules import HouseRules
from rules.core.refusals import Refusal
from rules.core.units import CLASS_CAPS, PilotDefinition, UnitDefinition, points_class, total_points


def weight_class(unit: UnitDefinition) -> str | None:
    """The unit's class: printed, or by points for a unit without a variant name (R-BLD-02, R-BLD-14, Q-115)."""
    return unit.weight_class or points_class(unit.points)


def build_problems(
    unit_document: Mapping[str, Any],
    pilot_document: Mapping[str, Any] | None,
    match_class: str | None,
    house_rules: HouseRules,
) -> list[Refusal]:
    """What forbids this combatant in a match of `match_class` (R-BLD-03 to R-BLD-09, R-BLD-15, R-PLT-01).

    Empty when it is legal: a total may equal the cap (R-BLD-07). `match_class` None is a points-only match.
    """
    unit = UnitDefinition.from_json(unit_document)
    pilot = PilotDefinition.from_json(pilot_document) if pilot_document else None
    found = []
    own_class = weight_class(unit)
    if match_class is not None and not house_rules.points_only and own_class != match_class:
        found.append(Refusal("wrong_class", {"unit": unit.name, "class": own_class, "needed": match_class}))
    if pilot is not None:
        if unit.weight_class is None:
            found.append(Refusal("no_cards_without_variant", {"unit": unit.name}))
        elif pilot.classes and unit.weight_class not in pilot.classes:
            found.append(Refusal("pilot_requirement", {"pilot": pilot.name, "classes": list(pilot.classes)}))
    cap = house_rules.build_total or (CLASS_CAPS[match_class] if match_class else None)
    total = total_points(unit, pilot)
    if cap is not None and total > cap:
        found.append(Refusal("over_build_total", {"unit": unit.name, "total": total, "cap": cap}))
    return found
