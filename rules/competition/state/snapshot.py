"""A Position as pages and people read it: names, current values, no secrets."""

from __future__ import annotations

from typing import Any

from rules.competition.ground.hexes import Lattice
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import (
    ELIMINATED,
    GONE,
    ORDER_NAMES,
    PHASE_NAMES,
    SHUTDOWN,
    SURRENDERED,
    UNCONSCIOUS,
)


def order_names(given: int) -> list[str]:
    """Return the names of the orders in a set of order bits, in the order of ORDER_NAMES."""
    return [name for bit, name in ORDER_NAMES.items() if bit & given]


def _named(lattice: Lattice, place: int) -> str | None:
    return lattice.name(place) if place >= 0 else None


def snapshot_of(table: MatchState) -> dict[str, Any]:
    """Return the visible state, JSON-ready: units with their current values, tokens, reputation, round and phase.

    The five values of a unit are None once it has left the match or its dial has turned to the end. So are the
    `hex` of a unit out of the arena and of a carried flag, the `carrier` of one that lies, the `armor` of a token
    without armor, `turn` before a phase's first turn and after the end, and `winner` before the end.
    """
    position, roster = table.position, table.roster
    lattice = roster.lattice
    waiting = dict(position.waiting)
    units = {}
    for unit, fighter in enumerate(roster.fighters):
        status = position.status[unit]
        # A dial that has turned to the end shows nothing, even before its elimination is in the log.
        is_gone = bool(status & GONE) or position.clicks[unit] >= fighter.clicks
        units[fighter.name] = {
            "side": roster.sides[fighter.side],
            "name": fighter.title,
            "hex": _named(lattice, waiting.get(unit, position.hex[unit])),
            "active": unit not in waiting,
            "facing": position.facing[unit],
            "clicks": position.clicks[unit],
            "heat": position.heat[unit],
            "damage_die": position.damage_die(unit),
            "heat_die": position.heat_die[unit],
            "shutdown": bool(status & SHUTDOWN),
            "unconscious": bool(status & UNCONSCIOUS),
            "eliminated": bool(status & ELIMINATED),
            "surrendered": bool(status & SURRENDERED),
            "orders": order_names(position.orders[unit]),
            "primary": None if is_gone else table.damage(unit, 0),
            "secondary": None if is_gone else table.damage(unit, 1),
            "speed": None if is_gone else table.speed(unit),
            "attack": None if is_gone else table.attack(unit),
            "defense": None if is_gone else table.defense(unit),
        }
    tokens = {}
    for token, place in position.tokens:
        definition = roster.tokens[token]
        tokens[roster.token_names[token]] = {
            "hex": lattice.name(place),
            "defense": definition.defense,
            "method": definition.method,
            "rp": definition.rp,
            "else_rp": definition.else_rp,
            "armor": definition.armor,
        }
    return {
        "round": position.round,
        "phase": PHASE_NAMES[position.phase],
        "turn": roster.fighters[position.turn].name if position.turn >= 0 else None,
        "order": [roster.fighters[unit].name for unit in position.order],
        "reputation": dict(zip(roster.sides, position.reputation, strict=True)),
        "kills": {
            name: sum(position.kills[unit] for unit in roster.side_units[side])
            for side, name in enumerate(roster.sides)
        },
        "pool": len(position.pool),
        "units": units,
        "tokens": tokens,
        "flags": {
            roster.sides[side]: {
                "home": _named(lattice, home),
                "hex": _named(lattice, place),
                "carrier": roster.fighters[carrier].name if carrier >= 0 else None,
            }
            for side, (home, place, carrier) in enumerate(position.flags)
        },
        "winner": roster.sides[position.outcome[0]] if position.outcome else None,
    }
