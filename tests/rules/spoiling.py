"""Spoiling good documents at random places, for tests of what reads them."""

import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.rules.board import Json

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 40, 99, 100, 10**30, 1.0, 2.5, float("nan"), "", "a", "0607", "melee", "primary",
    "evade", "\n", "\ud800", "x" * 500, [], {}, [None], {"a": 1}, [[]], [0, 0], [9, 3],
)  # fmt: skip


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything inside a document."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from paths(item, (*path, key))


def found_at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def spoil(document: Json, rng: random.Random, junk: Sequence[Any] = JUNK) -> None:
    """Change something somewhere: other values, missing ones, more of them, values from another place."""
    ways = list(paths(document))
    path = rng.choice(ways if rng.random() < 0.7 else [way for way in ways if len(way) <= 6])
    inside, key = found_at(document, path[:-1]), path[-1]
    other = copy.deepcopy(rng.choice(junk))
    match rng.randrange(5):
        case 0 | 1:
            inside[key] = other
        case 2:
            del inside[key]
        case 3:
            inside[key] = copy.deepcopy(found_at(document, rng.choice(ways)))
        case _ if isinstance(inside, dict):
            inside[rng.choice(("colour", "id", "side", "type", "effects", "equipment", "range"))] = other
        case _:
            inside.insert(rng.randrange(len(inside) + 1), rng.choice((copy.deepcopy(inside[key]), other)))
