"""What anybody may measure on the ground: a line of fire between two hexes, and where a unit can be attacked.

Both read only what everybody sees: terrain, and where all units stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.competition.attacks.armament import Armament
from rules.competition.attacks.options import close_choices, ranged_choices
from rules.competition.ground.hexes import Lattice, bits
from rules.competition.ground.hexside_walks import BLOCKING, CLEAN, UNIT, corridor, hexside_range, walks
from rules.competition.ground.line_of_fire import lines
from rules.competition.match import Match
from rules.competition.phases.combat_phase import only_vents
from rules.competition.state.events import MOVED
from rules.competition.state.match_state import MatchState
from rules.core.dice import ScriptedDice


@dataclass(frozen=True)
class Measured:
    """The line of fire between two hexes, whatever the arcs of a unit there.

    `range` is in hexsides. `verdict` is "clear", "same" (one hex, no line), "adjacent" (no line is drawn),
    "blocked_by_terrain" (R-LOF-10) or "blocked_by_units" (R-LOF-11). `blocking` are the hexes of blocking terrain
    between the two, `units` the ids of units between them; both as far as they can count. `is_cut_by_rim` (R-LOF-18):
    the line is blocked, and would not be if it might leave the map.
    `is_hindered` (R-RMD-01) and `is_intervened` (R-RMD-11) say what the best clear line meets. `elevated` counts the
    elevated ends, which change what terrain does.
    """

    start: str
    end: str
    range: int
    verdict: str
    blocking: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    is_hindered: bool = False
    is_intervened: bool = False
    elevated: int = 0
    is_cut_by_rim: bool = False


def measure(match: Match, start: str, end: str) -> Measured:
    """Return the line of fire from one hex to another, with units that stand in these two left out.

    Raises Malformed (unknown_hex).
    """
    roster, position = match.table.roster, match.table.position
    arena, lattice = roster.arena, roster.lattice
    a, b = lattice.index(start), lattice.index(end)
    elevated = (arena.elevated >> a & 1) + (arena.elevated >> b & 1)
    if lattice.distance(a, b) <= 1:
        return Measured(start, end, 0, "same" if a == b else "adjacent", elevated=elevated)
    between = corridor(lattice, a, b)
    names = [fighter.name for fighter in roster.fighters]
    standing = {
        place: name for name, place in zip(names, position.hex, strict=True) if place >= 0 and between >> place & 1
    }
    filled = sum(1 << place for place in standing)
    ground, found = lines(arena, a, b, 0), lines(arena, a, b, filled)
    walls = 0 if elevated else between & arena.blocking
    verdict = "clear" if found.options else "blocked_by_units" if ground.options else "blocked_by_terrain"
    best = found.options[0] if found.options else None
    return Measured(
        start,
        end,
        hexside_range(lattice, a, b),
        verdict,
        tuple(lattice.name(index) for index in bits(walls)),
        tuple(standing.values()),
        best is not None and best.hindering,
        best is not None and best.intervening,
        elevated,
        best is None and _is_open_beyond_the_rim(lattice, a, b, walls, filled),
    )


def _is_open_beyond_the_rim(lattice: Lattice, a: int, b: int, walls: int, units: int) -> bool:
    """Return whether a line between two hexes would be open if it might leave the map."""
    flags = bytearray(lattice.size)
    for index in bits(walls):
        flags[index] |= BLOCKING
    for index in bits(units):
        flags[index] |= UNIT
    _, states = walks(lattice, a, b, flags, CLEAN)
    return any(states)


def threatened(match: Match, unit: str) -> tuple[str, ...]:
    """Return the hexes in which an opponent could attack the unit now, in order of their names.

    Every other unit stays where it stands and as it faces; whose turn it is does not count. The unit's own hex is among
    them if it can be attacked there. Raises KeyError for an unknown unit.
    """
    table = match.table.copy(ScriptedDice([]))
    roster, position = table.roster, table.position
    own = roster.unit_of[unit]
    here, facing = position.hex[own], position.facing[own]
    if here < 0:
        return ()
    enemies = [
        other
        for other, place in enumerate(position.hex)
        if place >= 0 and roster.side_of[other] != roster.side_of[own] and not only_vents(table, other)
    ]
    free = roster.arena.passable & ~(position.occupied() & ~(1 << here))
    found = []
    for place in bits(free):
        table.emit(MOVED, own, (), place, facing, "forecast")
        if any(_can_attack(table, other, own) for other in enemies):
            found.append(roster.lattice.name(place))
    return tuple(sorted(found))


def _can_attack(table: MatchState, unit: int, target: int) -> bool:
    place, facing, armament = table.position.hex[unit], table.position.facing[unit], Armament(table, unit, (target,))
    return bool(
        close_choices(table, unit, place, facing, armament=armament)
        or ranged_choices(table, unit, place, facing, armament=armament)
    )
