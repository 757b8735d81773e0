"""Checks of an arena: hexes off the map, a blocked centre, starting hexes that are blocked, repeated or cut off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

CENTRE_HEXES = ("0607", "0608")
"""The two hexes on which the first target token may be placed (R-TGT-05)."""

_Found = tuple[list[str | int], str, dict[str, Any]]


def arena_problems(arena: dict[str, Any]) -> Iterator[_Found]:
    """Yield the path, code and parameters of every fault of an arena whose form is right.

    The codes are hex_off_map, centre_blocked, start_off_map, start_blocked, start_repeated and start_unreachable.
    """
    hexes: dict[str, str] = arena["hexes"]
    for name in hexes:
        if not _is_on_map(name):
            yield ["hexes", name], "hex_off_map", {"hex": name}
    for name in CENTRE_HEXES:
        if _is_blocking(hexes, name):
            yield ["hexes", name], "centre_blocked", {"hex": name}
    starts = [
        (["starts", area, index], area, name)
        for area, names in sorted(arena["starts"].items())
        for index, name in enumerate(names)
    ]
    taken: dict[str, str] = {}
    good: list[tuple[list[str | int], str, str]] = []
    for path, area, name in starts:
        if not _is_on_map(name):
            yield path, "start_off_map", {"hex": name, "area": area}
        elif _is_blocking(hexes, name):
            yield path, "start_blocked", {"hex": name, "area": area}
        elif name in taken:
            yield path, "start_repeated", {"hex": name, "area": area, "other": taken[name]}
        else:
            taken[name] = area
            good.append((path, area, name))
    if good:
        walked = within_reach(hexes, good[0][2])
        for path, area, name in good[1:]:
            if name not in walked:
                yield path, "start_unreachable", {"hex": name, "area": area, "from": good[0][2]}


def neighbours(name: str) -> Iterator[str]:
    """Yield the names of the up to six hexes next to a hex of the map; even columns lie half a hex lower."""
    column, row = int(name[:2]), int(name[2:])
    upper = row if column % 2 == 0 else row - 1
    beside = [(column, row - 1), (column, row + 1)]
    beside += [(side, at) for side in (column - 1, column + 1) for at in (upper, upper + 1)]
    for other_column, other_row in beside:
        other = f"{other_column:02d}{other_row:02d}"
        if _is_on_map(other):
            yield other


def _is_on_map(name: str) -> bool:
    column, row = int(name[:2]), int(name[2:])
    return 1 <= column <= 11 and 1 <= row <= (15 if column % 2 else 14)


def _is_blocking(hexes: dict[str, str], name: str) -> bool:
    return hexes.get(name, "clear").startswith("blocking")


def within_reach(hexes: dict[str, str], start: str) -> set[str]:
    """Return every hex that a unit without Jump Jets can reach from `start`, with `start` itself.

    No such hex blocks, and abrupt ones are reached only from elevated hexes (R-TER-19).
    """
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for there in neighbours(here):
            is_cliff = hexes.get(there, "clear").endswith("+abrupt") and "+" not in hexes.get(here, "clear")
            if there not in reached and not is_cliff and not _is_blocking(hexes, there):
                reached.add(there)
                waiting.append(there)
    return reached
