"""Why a repair, a purchase or a mounting is suggested to an owner, as coded reasons: numbers before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.bots.advice.reason import Reason
from rules.bots.owners.shopping import FOR_UNIT, NEEDED, Purchase
from rules.bots.owners.wares import Definition, Market, Means
from rules.campaign.garage.repair import ELIMINATED, SALVAGE
from rules.campaign.line_ups.checks import MatchTerms, OwnedUnit
from rules.solaris.building import Combatant, class_of, combatant_points

VALUES = ("attack", "defense", "primary", "secondary", "speed")
"""The combat values, in the order in which they are shown."""


def restored(unit: OwnedUnit) -> dict[str, list[int]]:
    """Return the combat values that a repair restores: name -> [value now, value on the start marker].

    Return {} for a unit that is eliminated or undamaged, or has no dial here.
    """
    dial = unit.definition.get("dial", ())
    if unit.state == ELIMINATED or not 0 < unit.clicks < len(dial):
        return {}
    now, then = dial[unit.clicks], dial[0]
    return {value: [now[value], then[value]] for value in VALUES if now[value] != then[value]}


def reasons_to_repair(
    unit: OwnedUnit,
    terms: MatchTerms,
    cost: int,
    *,
    able: int | None,
    undamaged: int | None,
    gain: int,
    sits_out: bool,
) -> tuple[Reason, ...]:
    """Return what a repair brings.

    `able` is how many able crews there are without the repair if it makes one more, else None. `undamaged` is how many
    undamaged crews there are without it if it makes one more, else None. `gain` is the worth that the repair adds to
    the crews to be fielded, in points. `sits_out`: the unit misses the next match.
    """
    found = [_clicks(unit, cost)]
    changes = restored(unit)
    if changes:
        found.append(Reason("restores", {"values": changes}))
    if unit.state == SALVAGE:
        found.append(Reason("salvage_ends", {"rule": "Q-155"}))
    found.append(_match(terms))
    if able is not None:
        found.append(Reason("able_crews_lack", {"able": able, "needed": terms.size}))
    elif undamaged is not None:
        found.append(Reason("undamaged_crews_lack", {"undamaged": undamaged, "needed": terms.size}))
    if gain > 0:
        found.append(Reason("raises_worth", {"points": gain}))
    if sits_out:
        found.append(Reason("back_after_next", {"rule": "R-CRP-09"}))
    return tuple(found)


def _clicks(unit: OwnedUnit, cost: int) -> Reason:
    if unit.state == ELIMINATED:
        return Reason("raised_for", {"stones": cost})
    return Reason("clicks_for", {"clicks": unit.clicks, "stones": cost})


def _match(terms: MatchTerms) -> Reason:
    return Reason("next_match", {"format": terms.format, "class": terms.match_class})


def reasons_to_wait(
    unit: OwnedUnit, terms: MatchTerms, cost: int, left: int, undamaged: int, at_close: bool, sits_out: bool
) -> tuple[Reason, ...]:
    """Return why a repair can wait.

    The repair is done at the close of the cycle, costs more than `left` Stones, comes too late for the next match
    (`sits_out`, R-CRP-09) or changes nothing for it. `undamaged` is the number of crews without damage.
    """
    found = []
    changes = restored(unit)
    if changes:
        found.append(Reason("misses", {"values": changes}))
    if at_close:
        return (*found, Reason("repaired_at_close", {"stones": cost, "rule": "R-CRP-10"}))
    is_other_class = class_of(unit.definition) != terms.match_class and not terms.house_rules.points_only
    if sits_out and not is_other_class:
        found.append(Reason("repair_too_late", {"rule": "R-CRP-09"}))
    if cost > left:
        found.append(Reason("too_dear", {"stones": cost, "missing": cost - left}))
    elif is_other_class:
        found.append(Reason("not_its_match", {"class": terms.match_class, "format": terms.format}))
    elif undamaged >= terms.size:
        found.append(Reason("undamaged_crews_suffice", {"undamaged": undamaged, "needed": terms.size, "stones": cost}))
    elif not sits_out:
        found.append(Reason("changes_nothing", {"stones": cost}))
    return tuple(found)


def reasons_to_mount(card: Definition, unit: str) -> tuple[Reason, ...]:
    """Return what idle gear would do for a unit."""
    return (Reason("idle_on_list", {"unit": unit}), *_gifts(card))


def _gifts(card: Definition) -> list[Reason]:
    """Return the modifiers and the equipment that a pilot or a gear card gives."""
    found = []
    if card.get("modifiers"):
        found.append(Reason("adds", {"modifiers": dict(card["modifiers"])}))
    if card.get("equipment"):
        found.append(Reason("gives", {"equipment": card["equipment"]}))
    return found


def reasons_to_buy(
    purchase: Purchase,
    definition: Definition,
    means: Means,
    market: Market,
    terms: MatchTerms,
    is_needed: bool,
    tells_crew: bool,
) -> tuple[Reason, ...]:
    """Return what a purchase is for, and what it brings.

    `means` are the owner's before the plan of the purchase. `is_needed`: the coming match lacks the crew. `tells_crew`:
    this is the first purchase of the crew, so its reasons also say what the crew is for.
    """
    if purchase.kind == "rally_card":
        return _of_card(definition, means, market)
    if purchase.purpose == FOR_UNIT:
        return (Reason("gear_for", {"unit": purchase.beside[0]}), *_gifts(definition))
    found: list[Reason] = []
    if tells_crew and purchase.kind != "gear":
        found.append(_crew(is_needed or purchase.purpose == NEEDED, terms))
    if purchase.beside:
        found.append(Reason("goes_with", {"others": list(purchase.beside)}))
    if purchase.kind == "unit":
        return (*found, *_points(purchase, definition, means, market, terms))
    return (*found, *_gifts(definition))


def _crew(is_needed: bool, terms: MatchTerms) -> Reason:
    if is_needed:
        return Reason("crew_needed", {"class": terms.match_class, "format": terms.format, "needed": terms.size})
    return Reason("crew_in_reserve", {"rule": "R-CRP-09"})


def reasons_of_want(reach: int, terms: MatchTerms, missing: int) -> tuple[Reason, ...]:
    """Return the reasons when the Stones make fewer crews than the match takes.

    They make `reach` crews; `missing` is how many Stones are lacking for one more.
    """
    found = [Reason("crews_want", {"able": reach, "needed": terms.size})]
    if reach:
        found.append(Reason("fields_fewer", {"rule": "Q-154"}))
    return (*found, Reason("one_more_wants", {"missing": missing}))


def _points(purchase: Purchase, unit: Definition, means: Means, market: Market, terms: MatchTerms) -> list[Reason]:
    """Return the points of the crew and their ceiling; an empty list without a ceiling."""
    pilot = _pilot(purchase, means, market)
    gear = [card for card in market.gear if str(card["id"]) in purchase.beside]
    if terms.ceiling is None:
        return []
    total = combatant_points(Combatant(unit, pilot, gear))
    return [Reason("comes_to", {"points": total, "ceiling": terms.ceiling})]


def _pilot(purchase: Purchase, means: Means, market: Market) -> Definition | None:
    own = next((pilot.definition for pilot in means.pilots if pilot.key in purchase.beside), None)
    if own is not None:
        return own
    return next((pilot for key, pilot in market.pilots.items() if key in purchase.beside), None)


def _of_card(card: Definition, means: Means, market: Market) -> tuple[Reason, ...]:
    found = [Reason("card_for_hand", {"effect": card["ability"]})]
    # There may be no unit at all: every unit on sale may be over the limit of the house rules.
    unit = max(_units(means, market), key=lambda one: _clicks_of(card, one), default=None)
    if unit is not None and (best := _clicks_of(card, unit)):
        found.append(Reason("requirement_met", {"clicks": best, "all": len(unit["dial"]), "name": unit["name"]}))
    return tuple(found)


def usefulness(card: Definition, means: Means, market: Market) -> int:
    """Return how useful a rally card is: on how many clicks of one of the owner's dials, at most, its requirement is
    met.

    The start marker does not count. A card that requires only a state (shut down, overheated) counts STATE_WORTH
    clicks, since the state comes up in some matches; one that requires the last unit of a side counts none. An owner
    without units is judged by the best unit on offer.
    """
    return max((_clicks_of(card, unit) for unit in _units(means, market)), default=0)


STATE_WORTH = 2


def _clicks_of(card: Definition, unit: Definition) -> int:
    requires: Mapping[str, Any] = card.get("requires") or {}
    if requires.get("value") is None:
        return 0 if requires.get("state") == "last_unit" else STATE_WORTH
    # At the start marker no card helps (R-RAL-05).
    return sum(int(entry[requires["value"]]) < requires["below"] for entry in unit.get("dial", ())[1:])


def _units(means: Means, market: Market) -> list[Definition]:
    """Return the owner's units; if it has none, the best unit on offer, for those that it will buy."""
    own = [unit.definition for unit in means.units]
    return own or [offer.unit for offer in market.offers[:1]]
