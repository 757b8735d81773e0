"""What a 'Mech costs by the construction rules: its parts, a quarter more for an Omni, and more for its weight.

A part without a price makes the cost unknown; it is never 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from rules.challenge.tables import read_data

FREE_HEAT_SINKS = 10
"""Single heat sinks that come with every engine."""
ARM_ACTUATORS = ("upper_arm", "lower_arm", "hand")
LEG_ACTUATORS = ("upper_leg", "lower_leg", "foot")


@dataclass(frozen=True, slots=True)
class Design:
    """A 'Mech as its record sheet shows it.

    `arms` counts arm actuators, `items` weapons and other equipment, and tons of ammunition, by the names of the price
    table. `armor` is in tons, jump in movement points.
    """

    tons: int
    rating: int
    armor: Fraction
    items: Mapping[str, int]
    arms: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(ARM_ACTUATORS, 2))
    legs: int = 2
    jump: int = 0
    heat_sinks: int = FREE_HEAT_SINKS
    heat_sink: str = "single"
    engine: str = "standard"
    structure: str = "standard"
    armor_kind: str = "standard"
    omni: bool = False


class BookCost(NamedTuple):
    """A cost in C-bills, or None and the parts that have no price."""

    c_bills: int | None
    unpriced: tuple[str, ...] = ()


class Price(NamedTuple):
    """What a part costs, and what it is paid for."""

    c_bills: int
    per: str


@cache
def prices() -> Mapping[str, Price]:
    """Return the price of each part."""
    return {row["part"]: Price(row["c_bills"], row["per"]) for row in read_data("prices")["rows"]}


def book_cost(design: Design) -> BookCost:
    """Return the cost of a design, to the nearest C-bill, or the parts that have no price."""
    parts = list(_parts(design))
    unpriced = tuple(name for name, _ in parts if name not in prices())
    if unpriced:
        return BookCost(None, unpriced)
    total = sum(
        (count * prices()[name].c_bills * _size(design, prices()[name].per) for name, count in parts), Fraction(0)
    )
    if design.omni:
        total = total * read_data("prices")["omni_percent"] / 100
    return BookCost(int(total * (100 + design.tons) / 100 + Fraction(1, 2)))


def _parts(design: Design) -> Iterator[tuple[str, int]]:
    """Yield each part and how many of it there are."""
    yield from ((name, 1) for name in ("cockpit", "life_support", "sensors", "musculature", "gyro"))
    yield f"structure.{design.structure}", 1
    yield f"engine.{design.engine}", 1
    yield f"armor.{design.armor_kind}", 1
    yield f"heat_sink.{design.heat_sink}", design.heat_sinks - FREE_HEAT_SINKS * (design.heat_sink == "single")
    if design.jump:
        yield "jump", 1
    if design.legs == 2:
        yield from design.arms.items()
    yield from ((name, design.legs) for name in LEG_ACTUATORS)
    yield from design.items.items()


def _size(design: Design, per: str) -> Fraction:
    """Return how much of what a price is paid for the design has."""
    tons = Fraction(design.tons)
    sizes: Mapping[str, Fraction | int] = {
        "each": 1,
        "ammunition_ton": 1,
        "beyond_ten": 1,
        "ton": tons,
        "rating_ton_75": design.rating * tons / 75,
        "gyro_ton": -(-design.rating // 100),
        "jump_squared_ton": design.jump**2 * tons,
        "armor_ton": design.armor,
        "fifteenth_of_tons": -(-design.tons // 15),
    }
    return Fraction(sizes[per])
