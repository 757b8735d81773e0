"""What the unit pages show: a unit's definition as rows of cells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from catalogue import labels
from catalogue.models import CatalogueEntry
from rules.catalogue.vocabulary import DIAL_VALUES, HEAT_VALUES


@dataclass(frozen=True)
class Cell:
    """One number of a dial and what is coloured on it."""

    number: int
    equipment: str
    is_single_use: bool = False


@dataclass(frozen=True)
class ClickRow:
    """One click of the combat dial; `click` counts from 1."""

    click: int
    is_start: bool
    has_repair_marker: bool
    cells: list[Cell]


@dataclass(frozen=True)
class HeatRow:
    """One step of the heat dial; step 0 is the heat starting position."""

    step: int
    cells: list[Cell]


@dataclass(frozen=True)
class UnitCard:
    """A unit in a list: the facts of its base and of its first click."""

    key: str
    name: str
    variant: str
    unit_class: str
    rank: str
    statistics: str
    points: int
    clicks: int
    speed: int
    attack: int
    defense: int
    vent: int
    primary: str
    secondary: str
    front_arc: int
    rear_arc: int


def unit_card(entry: CatalogueEntry) -> UnitCard:
    """The facts of one unit."""
    unit = entry.definition
    first = unit["dial"][0]
    return UnitCard(
        key=entry.key,
        name=entry.name,
        variant=unit.get("variant", ""),
        unit_class=labels.name(entry.unit_class),
        rank=labels.name(unit["rank"]),
        statistics=labels.name(unit.get("statistics", "imported")),
        points=unit["points"],
        clicks=len(unit["dial"]),
        speed=first["speed"],
        attack=first["attack"],
        defense=first["defense"],
        vent=unit["vent"],
        primary=damage_text(unit["primary"], first["primary"]),
        secondary=damage_text(unit["secondary"], first["secondary"]),
        front_arc=unit["front_arc"],
        rear_arc=unit["rear_arc"],
    )


def damage_text(damage: Mapping[str, Any], value: int) -> str:
    """A damage value and its base entry, such as `3 Energy ×2, 0–10`."""
    least, most = damage["range"]
    targets = f" ×{damage['targets']}" if damage["targets"] > 1 else ""
    return f"{value} {labels.name(damage['type'])}{targets}, {least}–{most}"


def dial_rows(unit: Mapping[str, Any]) -> list[ClickRow]:
    """The combat dial, one row a click, cells in the order of DIAL_VALUES."""
    rows = []
    for number, click in enumerate(unit["dial"], 1):
        cells = []
        for value in DIAL_VALUES:
            item = click["equipment"].get(value)
            key = item if item is None or isinstance(item, str) else item["key"]
            is_single_use = isinstance(item, dict) and bool(item.get("single_use"))
            cells.append(Cell(click[value], labels.name(key) if key else "", is_single_use))
        rows.append(ClickRow(number, number == 1, click["repair_marker"], cells))
    return rows


def heat_rows(unit: Mapping[str, Any]) -> list[HeatRow]:
    """The heat dial, one row a step, cells in the order of HEAT_VALUES."""
    rows = []
    for number, step in enumerate(unit["heat"]):
        cells = [
            Cell(step[value], labels.name(step["effects"][value]) if value in step["effects"] else "")
            for value in HEAT_VALUES
        ]
        rows.append(HeatRow(number, cells))
    return rows


def column_names(values: Iterable[str]) -> list[str]:
    """Translated headings for combat values."""
    return [labels.name(value) for value in values]


def pilot_rows(entries: Iterable[CatalogueEntry]) -> list[dict[str, Any]]:
    """Pilots with their requirements and modifiers as text."""
    rows = []
    for entry in entries:
        modifiers = entry.definition["modifiers"]
        rows.append(
            {
                "key": entry.key,
                "name": entry.name,
                "points": entry.points,
                "classes": ", ".join(column_names(entry.definition["requires"]["class"])),
                "modifiers": ", ".join(f"{labels.name(value)} {amount:+d}" for value, amount in modifiers.items()),
            }
        )
    return rows


def token_rows(entries: Iterable[CatalogueEntry]) -> list[dict[str, Any]]:
    """Target tokens with their words translated."""
    return [
        {
            **entry.definition,
            "armor": labels.name(entry.definition["armor"] or ""),
            "method": labels.name(entry.definition["method"]),
        }
        for entry in entries
    ]
