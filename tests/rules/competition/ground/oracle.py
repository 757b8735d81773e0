"""A second, slow reading of the geometry, from points in the plane, to compare the engine's tables with.

A hex of column c and row r has its centre at (3c, 2r), one lower in even columns, and its corners two to the east and
west, or one across and one up or down. So corners of neighbouring hexes have equal coordinates, and nothing here
shares a line with the padded layout, the sectors or the sweeps of rules.competition.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

Point = tuple[int, int]
OFFSETS = ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))
"""Corners of a hex from its centre: corner k lies at facing 2k + 1, y grows southward."""


Option = tuple[int, int, bool, bool]
"""First corner, last corner, hindering, intervening."""


class Plane:
    """The map as a graph of corners and a graph of hexes, by name."""

    def __init__(self, columns: int = 11, rows: int = 15) -> None:
        self.centres: dict[str, Point] = {
            f"{c:02d}{r:02d}": (3 * c, 2 * r + (c % 2 == 0))
            for c in range(1, columns + 1)
            for r in range(1, rows + c % 2)
        }
        self.by_edge: dict[frozenset[Point], list[str]] = {}
        for name in self.centres:
            corners = self.corners(name)
            for k in range(6):
                self.by_edge.setdefault(frozenset((corners[k - 1], corners[k])), []).append(name)
        self.edges: dict[Point, list[Point]] = {}
        for edge in self.by_edge:
            one, other = edge
            self.edges.setdefault(one, []).append(other)
            self.edges.setdefault(other, []).append(one)
        self.beside: dict[str, list[str]] = {name: [] for name in self.centres}
        for names in self.by_edge.values():
            if len(names) == 2:
                one_name, other_name = names
                self.beside[one_name].append(other_name)
                self.beside[other_name].append(one_name)

    def corners(self, name: str) -> list[Point]:
        x, y = self.centres[name]
        return [(x + across, y + down) for across, down in OFFSETS]

    def steps(self, name: str) -> dict[str, int]:
        """Hex distances from `name` by breadth-first search over hexes."""
        found, queue = {name: 0}, deque([name])
        while queue:
            at = queue.popleft()
            for after in self.beside[at]:
                if after not in found:
                    found[after] = found[at] + 1
                    queue.append(after)
        return found

    def hexsides(self, name: str) -> dict[Point, int]:
        """Lengths of walks along edges of the map from any corner of `name`."""
        found = dict.fromkeys(self.corners(name), 0)
        queue = deque(found)
        while queue:
            at = queue.popleft()
            for after in self.edges[at]:
                if after not in found:
                    found[after] = found[at] + 1
                    queue.append(after)
        return found

    def walks(self, a: str, b: str) -> Iterator[list[Point]]:
        """Every shortest walk from a corner of `a` to a corner of `b`."""
        left = self.hexsides(b)
        shortest = min(left[corner] for corner in self.corners(a))

        def extend(walk: list[Point]) -> Iterator[list[Point]]:
            if left[walk[-1]] == 0:
                yield walk
                return
            for after in self.edges[walk[-1]]:
                if left[after] == left[walk[-1]] - 1:
                    yield from extend([*walk, after])

        for corner in self.corners(a):
            if left[corner] == shortest:
                yield from extend([corner])

    def name_of_corner(self, point: Point) -> str:
        """The first of the names of a corner."""
        name = min(name for name in self.centres if point in self.corners(name))
        return f"{name}@{2 * self.corners(name).index(point) + 1}"

    def patch(self, terrain: Mapping[str, str], name: str) -> frozenset[str]:
        """The patch of joined hindering hexes around a hex; empty when it is not hindering."""
        if not is_kind(terrain, name, "hindering"):
            return frozenset()
        found, queue = {name}, deque([name])
        while queue:
            for after in self.beside[queue.popleft()]:
                if after not in found and is_kind(terrain, after, "hindering"):
                    found.add(after)
                    queue.append(after)
        return frozenset(found)

    def option(
        self, terrain: Mapping[str, str], a: str, b: str, units: Iterable[str], walk: list[Point]
    ) -> Option | None:
        """What one walk meets by R-LOF-10 to R-LOF-16, R-RMD-01, R-RMD-11; None when something blocks it."""
        high = [is_high(terrain, name) for name in (a, b)]
        units = set(units)
        patch = self.patch(terrain, a) if b in self.patch(terrain, a) else frozenset()
        crossed = intervening = False
        inside = bool(patch)
        for one, other in itertools.pairwise(walk):
            names = self.by_edge[frozenset((one, other))]
            if not any(high) and any(is_kind(terrain, name, "blocking") for name in names):
                return None
            if len(names) == 2 and units.issuperset(names):
                return None
            intervening = intervening or bool(units.intersection(names))
            crossed = crossed or any(is_kind(terrain, name, "hindering") for name in names)
            inside = inside and len(names) == 2 and patch.issuperset(names)
        hindering = crossed and not inside and high[0] == high[1]
        return self.corners(a).index(walk[0]), self.corners(b).index(walk[-1]), hindering, intervening

    def options(self, terrain: Mapping[str, str], a: str, b: str, units: Iterable[str] = ()) -> set[Option]:
        units = set(units)
        found = (self.option(terrain, a, b, units, walk) for walk in self.walks(a, b))
        return {option for option in found if option is not None}

    def costs(
        self,
        terrain: Mapping[str, str],
        origin: str,
        speed: int,
        occupied: Iterable[str],
        stops: Iterable[str],
        flat: bool = False,
    ) -> dict[str, int]:
        """Cheapest costs of all hexes within reach on foot, the origin included, by Dijkstra's algorithm."""
        occupied, stops = set(occupied), set(stops)
        found = {origin: 0}
        queue = [(0, origin)]
        while queue:
            cost, at = heapq.heappop(queue)
            if cost > found[at] or (at in stops and at != origin):
                continue
            for after in self.beside[at]:
                if is_kind(terrain, after, "blocking") or after in occupied:
                    continue
                if terrain.get(after, "").endswith("+abrupt") and not is_high(terrain, at):
                    continue
                climbs = is_high(terrain, after) and not is_high(terrain, at)
                rough = not flat and (climbs or is_kind(terrain, after, "hindering"))
                total = cost + (3 if rough else 2)
                if total <= speed and total < found.get(after, speed + 1):
                    found[after] = total
                    heapq.heappush(queue, (total, after))
        return found


def is_kind(terrain: Mapping[str, str], name: str, kind: str) -> bool:
    return terrain.get(name, "clear").startswith(kind)


def is_high(terrain: Mapping[str, str], name: str) -> bool:
    return "+" in terrain.get(name, "clear")


@cache
def plane(columns: int = 11, rows: int = 15) -> Plane:
    return Plane(columns, rows)
