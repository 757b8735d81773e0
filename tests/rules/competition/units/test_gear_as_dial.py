"""Gear against the dial: what a scenario shows of equipment or of a number on the dial holds when a card gives it.

Every scenario in which that can be done is turned over: an item goes from the dial to a gear card, a number is printed
lower and the card adds the rest. Nothing may come out differently (R-GER-07, R-GER-10, R-SEG-12).
"""

import copy
from collections.abc import Iterator

from rules.core.equipment import EQUIPMENT
from rules.scenario.playing import play
from tests.rules.board import Json, scenario_documents

PLACES = ("primary", "secondary", "speed", "attack", "defense")

STATE = "salvage"
"""No item to be had by gear: it silences gear."""

BY_DIAL_ALONE = {
    "speed": ("rally",),
    "primary": ("ppc_capacitor", "repair", "rally"),
    "secondary": ("ppc_capacitor", "repair", "rally"),
    "defense": ("point_defense_system", "repair", "coolant_flush", "rally"),
}
"""Where the number of the dial alone counts: Q-100, Q-106, Q-109, R-RAL-06."""


def card(slot: str, equipment: str | None = None, **modifiers: int) -> Json:
    return {
        "id": "G-999", "name": "Same by Gear", "points": 0, "slot": slot, "requires": {}, "modifiers": modifiers,
        "equipment": equipment,
    }  # fmt: skip


def inline_units(document: Json) -> Iterator[Json]:
    """The units of a scenario that could take one card more."""
    for unit in document["units"]:
        cards = len(unit.get("gear") or []) + bool(unit.get("pilot"))
        if isinstance(unit["unit"], dict) and unit["unit"].get("variant") and cards < 2:
            yield unit


def shown(unit: Json, place: str) -> str | None:
    """The item that every click shows at a place as a square; None when they differ or are circles."""
    found = {repr(click.get("equipment", {}).get(place)): click for click in unit["unit"]["dial"]}
    if len(found) != 1:
        return None
    item = unit["unit"]["dial"][0].get("equipment", {}).get(place)
    return item if isinstance(item, str) else None


def takes_gear(unit: Json, place: str) -> bool:
    """Whether no other card sits at the place, and no click shows Salvage."""
    for one in unit.get("gear") or []:
        if not isinstance(one, dict) or place in (one.get("slot"), one.get("side")):
            return False
    return all(STATE not in repr(click.get("equipment")) for click in unit["unit"]["dial"])


def by_gear(document: Json) -> tuple[set[str], Json]:
    """The scenario with an item of each unit moved from its dial to a card where that can be done, and their keys."""
    twin = copy.deepcopy(document)
    keys = set()
    for unit in inline_units(twin):
        for place in PLACES:
            key = shown(unit, place)
            if key is None or not takes_gear(unit, place):
                continue
            for click in unit["unit"]["dial"]:
                del click["equipment"][place]
            unit["gear"] = [*(unit.get("gear") or []), card(place, key)]
            keys.add(key)
            break
    return keys, twin


def with_modifiers(document: Json) -> tuple[set[str], Json]:
    """The scenario with numbers printed 1 lower and a card that adds 1 to each, on every unit that can take it."""
    twin = copy.deepcopy(document)
    text = repr(document)
    values = [value for value in BY_DIAL_ALONE if not any(f"'{word}'" in text for word in BY_DIAL_ALONE[value])]
    done = set()
    for unit in inline_units(twin):
        slot = next((place for place in PLACES if takes_gear(unit, place)), None)
        own = [value for value in values if min(click[value] for click in unit["unit"]["dial"]) > 0]
        if slot is None or not own:
            continue
        for click in unit["unit"]["dial"]:
            for value in own:
                click[value] -= 1
        unit["gear"] = [*(unit.get("gear") or []), card(slot, None, **dict.fromkeys(own, 1))]
        done |= set(own)
    return done, twin


def test_r_ger_07_equipment_by_gear_does_what_it_does_on_the_dial() -> None:
    tried: set[str] = set()
    for name, document in scenario_documents():
        keys, twin = by_gear(document)
        if keys:
            found = play(twin)[1]
            assert found is None, f"{name}, {sorted(keys)} by gear: {found}"
            tried |= keys
    assert tried == set(EQUIPMENT) - {STATE}


def test_r_ger_10_a_modifier_of_gear_is_as_good_as_a_printed_number() -> None:
    count = dict.fromkeys(BY_DIAL_ALONE, 0)
    for name, document in scenario_documents():
        values, twin = with_modifiers(document)
        if values:
            found = play(twin)[1]
            assert found is None, f"{name}, {sorted(values)} by gear: {found}"
            for value in values:
                count[value] += 1
    assert min(count.values()) > 500, count
