"""What everybody has at one moment, and what differs between two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.challenge.ranking import ranking
from rules.challenge.state import Event, Pilot


def balance(pilot: Pilot) -> dict[str, Any]:
    """Return what a pilot has, as JSON."""
    return {
        "fame": pilot.fame,
        "cp": pilot.cp,
        "c_bills": pilot.c_bills,
        "solo": pilot.kills.solo,
        "assisted": pilot.kills.assisted,
        "edge": pilot.edge,
        "wounds": pilot.wounds,
        "alive": pilot.alive,
        "in_arena": pilot.is_in_arena,
        "house": pilot.house,
        "stable": pilot.stable.id if pilot.stable else None,
        "sponsors": [sponsor.id for sponsor in pilot.sponsors],
        "abilities": [owned.ability.id for owned in pilot.abilities],
        "loan": None if pilot.loan is None else [pilot.loan.limit, pilot.loan.owed],
        "chips": [chip.row for chip in pilot.chips],
        "mechs": [[mech.model.id, mech.state, mech.book] for mech in pilot.mechs],
    }


def balances(event: Event) -> dict[str, dict[str, Any]]:
    """Return what every pilot has and their place, as JSON, by the pilots' names."""
    places = {name: place for place, name in enumerate(ranking(event), start=1)}
    return {pilot.id: {**balance(pilot), "place": places.get(pilot.id)} for pilot in event.pilots.values()}


def changes(before: Event, after: Event) -> dict[str, dict[str, tuple[Any, Any]]]:
    """Return by pilot and by field what differs: what was there before and what is there after, None for nobody."""
    old, new = balances(before), balances(after)
    found = {}
    for name in [*old, *(name for name in new if name not in old)]:
        fields = _differing(old.get(name, {}), new.get(name, {}))
        if fields:
            found[name] = fields
    return found


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {field: (old.get(field), new.get(field)) for field in old or new if old.get(field) != new.get(field)}
