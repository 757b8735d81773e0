"""Starting hexes by the marks of the arena (R-ARN-05 to R-ARN-07)."""

from __future__ import annotations

from rules.competition.state.match_state import MatchState


def labelled_starts(table: MatchState) -> list[int]:
    """Return the free hexes of the first marks with room for all units: A, then A and C, then all.

    When no marked hex is free, return the free hexes of the rows 01 and 02, both on the north side.
    """
    roster = table.roster
    starts = roster.arena.starts
    needed = len(roster.units)
    taken = table.position.filled()
    labels: tuple[str, ...] = ("A",)
    for labels in (("A",), ("A", "C"), tuple(sorted(starts))):
        if sum(len(starts.get(label, ())) for label in labels) >= needed:
            break
    found = [place for label in labels for place in starts.get(label, ()) if not taken >> place & 1]
    if found:
        return found
    # More units than marked hexes: any free hex of the two edge rows, so that play can always begin.
    lattice = roster.lattice
    free = roster.arena.passable & ~taken
    return [place for place in lattice.hexes if free >> place & 1 and lattice.name(place)[2:] in ("01", "02")]


def paired_starts(table: MatchState, unit: int) -> list[int]:
    """Return the free starting hexes of a unit in a match of two teams (R-ARN-06).

    Each team has an A and the B nearest to it; its first unit chooses the pair. When none is free, return
    `labelled_starts`.
    """
    lattice, arena = table.roster.lattice, table.roster.arena
    places = table.position.hex
    pairs = [
        (first, min(arena.starts.get("B") or (first,), key=lambda other: lattice.distance(first, other)))
        for first in arena.starts.get("A", ())
    ]
    side = table.roster.side_of[unit]
    own = [places[other] for other in table.roster.side_units[side] if places[other] >= 0]
    if own:
        found = [place for pair in pairs if own[0] in pair for place in pair if place not in places]
    else:
        found = [place for pair in pairs if not any(place in places for place in pair) for place in pair]
    return found or labelled_starts(table)
