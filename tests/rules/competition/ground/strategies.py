"""Random terrains and sets of hexes for hypothesis, by hex name."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

from hypothesis import strategies as st

from rules.competition.ground.arena import Arena
from rules.competition.ground.hexes import Lattice, lattice
from rules.core.words import TERRAINS
from tests.rules.competition.ground.oracle import plane

NAMES = tuple(plane().centres)
PALETTES = (
    TERRAINS,
    ("hindering",),
    ("hindering", "hindering", "blocking"),
    ("hindering", "hindering+elevated", "clear+elevated", "clear+abrupt"),
    ("water", "blocking", "blocking+elevated"),
)


@cache
def map_lattice() -> Lattice:
    return lattice(11, 15)


@st.composite
def terrains(draw: st.DrawFn) -> dict[str, str]:
    """A map: one of a few palettes, thinly or thickly laid. Drawn as a seed, so that an example stays small."""
    palette = draw(st.sampled_from(PALETTES))
    tenths = draw(st.integers(0, 10))
    source = random.Random(draw(st.integers(0, 2**32)))
    return {name: source.choice(palette) for name in NAMES if source.random() * 10 < tenths}


@st.composite
def some_hexes(draw: st.DrawFn, most: int) -> frozenset[str]:
    source = random.Random(draw(st.integers(0, 2**32)))
    return frozenset(source.sample(NAMES, draw(st.integers(0, most))))


def bitset(names: Iterable[str]) -> int:
    return sum(1 << map_lattice().index(name) for name in set(names))


def names_of(mask: int) -> set[str]:
    return {name for name in NAMES if mask >> map_lattice().index(name) & 1}


def arena_of(terrain: dict[str, str]) -> Arena:
    return Arena({"hexes": terrain})
