"""Units, pilots, gear and rally cards for the tests of line-ups and owners, as catalogue documents."""

from __future__ import annotations

from typing import Any

from rules.campaign.line_ups.checks import OwnedCard, OwnedGear, OwnedPilot, OwnedUnit


def unit(key: str, points: int = 120, weight_class: str = "light", **other: Any) -> dict[str, Any]:
    """A unit with a ballistic primary, an energy secondary and a dial of ten clicks."""
    return {
        "id": key,
        "name": key,
        "variant": "X-1-L",
        "class": weight_class,
        "rank": "green",
        "points": points,
        "primary": {"type": "ballistic", "targets": 1, "range": [0, 8]},
        "secondary": {"type": "energy", "targets": 1, "range": [0, 10]},
        "dial": [{"primary": 3, "secondary": 2}] * 10,
        **other,
    }


def pilot(key: str, points: int = 15, **other: Any) -> dict[str, Any]:
    """A common pilot."""
    return {"id": key, "name": key, "kind": "common", "points": points, **other}


def gear(key: str, points: int = 10, slot: str = "speed", **other: Any) -> dict[str, Any]:
    """Gear for light and medium units."""
    return {
        "id": key,
        "name": key,
        "points": points,
        "slot": slot,
        "requires": {"class": ["light", "medium"]},
        "modifiers": {"speed": 1},
        "equipment": None,
        **other,
    }


def card(key: str, **requires: Any) -> dict[str, Any]:
    """A rally card."""
    return {"id": key, "name": key, "requires": requires or {"value": "attack", "below": 7}, "ability": "take_aim"}


def owned(key: str, state: str = "undamaged", clicks: int = 0, points: int = 120, **other: Any) -> OwnedUnit:
    """A unit on a stable's list; `gear` and `sits_out` as OwnedUnit has them."""
    own = {name: other.pop(name) for name in ("gear", "sits_out") if name in other}
    return OwnedUnit(key, unit(key, points, **other), state, clicks, **own)


def driver(key: str, points: int = 15, **other: Any) -> OwnedPilot:
    """A pilot on a stable's list."""
    return OwnedPilot(key, pilot(key, points, **other))


def mounted(key: str, points: int = 10, **other: Any) -> OwnedGear:
    """Gear on a stable's list."""
    return OwnedGear(key, gear(key, points, **other))


def held(key: str, number: str | None = None, **requires: Any) -> OwnedCard:
    """A rally card on a stable's list; `number` is its collector's number when copies share it."""
    return OwnedCard(key, card(number or key, **requires))
