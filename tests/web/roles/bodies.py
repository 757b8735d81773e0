"""What is sent to addresses whose answer to an empty form would say nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .world import World

Fields = Mapping[str, Any]

BODIES: Mapping[str, Fields | Callable[[World], Fields]] = {
    "stables:invite": {},
    "stables:change_visibility": {"visibility": "unlisted"},
    "stables:open_season": {"name": "Another", "weight_class": "light", "ai_stables": "1"},
    "stables:found_stable": {"name": "Newcomers"},
    "stables:join": {"name": "Newcomers"},
    "stables:enter_code": lambda world: {"code": world.values["code"]},
    "stables:give_role": {"name": "spectator", "role": "referee"},
    "stables:withdraw": {"sure": "yes"},
    "stables:manage": {"act": "make_link", "reason": "agreed"},
    "stables:rename_season": {"name": "Another name"},
    "stables:cancel": {"sure": "yes"},
    "stables:sell": lambda world: {"asset": str(world.stable("table").assets.order_by("pk")[0].pk)},
    "stables:buy": {"kind": "unit", "key": "SOL002"},
    "stables:buy_crew": {"ware": ["unit:SOL002"]},
    "stables:propose_appointment": {"mode": "browser"},
    "stables:appearance": {"theme": "dark"},
    "matches:new": {"format": "standard", "opponent": "greedy"},
    "puzzles:answer": {"order": "0"},
    "people:tokens": {"name": "Another program", "scopes": "read", "days": "9"},
    "people:wording": {"language": "pl", "page": "/", "text": "Zapisz si", "proposal": "Zapisz się"},
    "people:leave": {"password": "secret words", "sure": "on"},
    "catalogue:collections": {"name": "Mine", "audience": "keeper"},
    "catalogue:shelf": {"key": "SOL002"},
    "set_language": {"language": "en"},
}


def body_of(world: World, name: str, role: str) -> dict[str, Any]:
    """The fields that are sent to an address: none where an empty form says enough."""
    fields = BODIES.get(name, {})
    return dict(fields(world) if callable(fields) else fields)
