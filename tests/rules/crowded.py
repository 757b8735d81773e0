"""Random positions in which everything meets: units with all kinds of equipment, gear, pilots and cards, close by."""

import random

from rules.competition.match import Match
from rules.competition.state.card_events import RALLY_PLAYED
from rules.core.equipment import EQUIPMENT
from rules.core.pilot_hooks import ABILITIES
from rules.solaris.rally_hooks import EFFECTS
from tests.rules.board import Dropped, Json, random_scenario
from tests.rules.dealing import gear

SHAPES = [(2, 2), (2, 4), (2, 6), (3, 6)]
"""Sides and units."""


def equipped(definition: Json, rng: random.Random) -> Json:
    """The unit with other equipment, the same on every click of its dial; never Salvage, which cannot attack.

    Three in ten items are in circles, for a single use.
    """
    kinds = {place: place for place in ("speed", "attack", "defense")}
    kinds |= {value: definition[value]["type"] for value in ("primary", "secondary")}
    chosen = {}
    for place, kind in kinds.items():
        keys = [key for key, row in EQUIPMENT.items() if row.place == kind and key != "salvage"]
        if rng.random() < 0.7:
            chosen[place] = {"key": rng.choice(keys), "single_use": rng.random() < 0.3}
    return {**definition, "dial": [{**click, "equipment": chosen} for click in definition["dial"]]}


def crowded(seed: int, phase: str = "combat", with_cards: bool = True) -> Match:
    """Such a position at the beginning of a phase, under random house rules; pilots and rally cards `with_cards`."""
    rng = random.Random(seed)
    document = random_scenario(rng, *rng.choice(SHAPES))
    document["house_rules"] = {
        "dig_in_target_modifier": rng.choice((1, -1)),
        "target_inside_hindering": rng.random() < 0.5,
        # Of its own dice, so that all else of a seed stays as it was.
        "elevated_ends_ignore_hindering": random.Random(f"heights {seed}").random() < 0.5,
        "critical_hit_extra_damage": rng.choice((0, 0, 1)),
    }
    document["start"] |= {"phase": phase, "order": [entry["id"] for entry in document["units"]]}
    if phase == "initiative":
        del document["start"]["order"]
    for entry in document["units"]:
        entry["unit"] = equipped(entry["unit"], rng)
        if rng.random() < 0.3:
            entry["gear"] = [gear("G-900", "attack", modifiers={"attack": rng.choice((-1, 1))})]
        if with_cards and rng.random() < 0.5:
            entry["pilot"] = {
                "id": "L-900", "kind": "legendary", "name": "Legend", "points": 9,
                "modifiers": {"attack": rng.choice((-1, 1)), "defense": rng.choice((-1, 1))},
                "alternative": {"points": 12, "unit": entry["unit"]["id"]}, "ability": rng.choice(ABILITIES),
            }  # fmt: skip
    match = Dropped(document, seed).match
    table = match.table
    for unit in table.roster.units:
        if with_cards and table.is_in_play(unit) and rng.random() < 0.3:
            table.emit(RALLY_PLAYED, unit, "R-900", rng.choice(EFFECTS))
    return match
