"""A unit's combat dial and heat dial as tables, with the click and the step that show now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from catalogue.presenters.figures import Figure, figure_of
from catalogue.presenters.miniatures import Miniature
from matches.presenters.board import corners, shape_of
from matches.presenters.questions import card_text
from matches.text import match
from rules.campaign.line_ups.checks import build_points
from rules.solaris.building import Combatant, combatant_points
from rules.wording import CARD_TEXTS
from rules.wording.equipment import EQUIPMENT_TEXTS
from rules.wording.filling import signed
from rules.wording.isolation import isolated
from web.languages.reader import translate

VALUES = ("primary", "secondary", "speed", "attack", "defense")
HEAT_VALUES = ("primary", "secondary", "speed")


@dataclass(frozen=True)
class Cell:
    """A number on a dial, and the special equipment or heat effect that is printed on it, by name and key.

    `number` is "–" where the dial has no value. `equipment` and `key` are "" for none.
    """

    number: str
    equipment: str = ""
    single_use: bool = False
    key: str = ""


@dataclass(frozen=True)
class Click:
    """A row of a dial.

    `number` counts as people do: clicks of a combat dial from 1, the start marker; steps of a heat dial from 0, the
    heat starting position.
    """

    number: int
    cells: tuple[Cell, ...]
    is_current: bool
    repair_marker: bool = False


@dataclass(frozen=True)
class Weapon:
    """A damage value's base numbers: its range in hexsides and how many targets it may have."""

    name: str
    type: str
    reach: str
    targets: int


@dataclass(frozen=True)
class Value:
    """A combat value as it counts now, after heat and pilot."""

    name: str
    amount: int


@dataclass(frozen=True)
class Piece:
    """Something that goes with a unit: special equipment, gear, a rally card. `words` say what it does."""

    name: str
    words: str


@dataclass(frozen=True)
class UnitSheet:
    """Everything on a unit's card at one moment of a match.

    `pilot` is the pilot's name, empty without one, `pilot_words` what they change, `pilot_points` what they cost.
    `gear_points` are those of all `gear`, `total` those of the whole crew. `equipment` is what shows on the dial now.
    `hand` has the cards that the reader may see, and `hidden_cards` counts the others. `points_of_shape` are the
    corners of the side's shape, "" for a circle. `values` are empty before the match. `clicks` counts the clicks of
    damage, `clicks_left` those before the unit is eliminated. `miniature` is None on a sheet that shows none.
    """

    id: str
    name: str
    variant: str
    side: str
    side_index: int
    points_of_shape: str
    figure: Figure
    unit_class: str
    points: int
    pilot: str
    pilot_words: str
    pilot_points: int
    gear: tuple[Piece, ...]
    gear_points: int
    total: int
    equipment: tuple[Piece, ...]
    hand: tuple[Piece, ...]
    hidden_cards: int
    has_house_statistics: bool
    weapons: tuple[Weapon, ...]
    vent: int
    front_arc: int
    rear_arc: int
    state: Mapping[str, Any]
    values: tuple[Value, ...]
    dial: tuple[Click, ...]
    heat: tuple[Click, ...]
    clicks: int
    clicks_left: int
    is_overheated: bool
    miniature: Miniature | None


def unit_sheets(
    setup: Mapping[str, Any],
    snapshot: Mapping[str, Any],
    with_hands: bool = False,
    miniatures: Mapping[str, Miniature] = MappingProxyType({}),
) -> Iterator[UnitSheet]:
    """Yield the sheets of all units in the order of the setup.

    `snapshot` is the engine's, or `{}` for the units as they enter the match. `with_hands` shows the rally cards that
    the setup names: only for a setup as the reader observes it, or after the match. `miniatures` are by the units' ids.
    """
    for side_index, side in enumerate(setup["sides"]):
        for loadout in side["units"]:
            state = snapshot.get("units", {}).get(loadout["id"], {"clicks": loadout["clicks"], "heat": 0})
            hand = loadout.get("hand", ()) if with_hands else ()
            yield _sheet(loadout, state, side["id"], side_index, hand, miniatures.get(loadout["id"]))


def _sheet(
    loadout: Mapping[str, Any],
    state: Mapping[str, Any],
    side: str,
    side_index: int,
    hand: Sequence[Mapping[str, Any]],
    miniature: Miniature | None,
) -> UnitSheet:
    unit = loadout["unit"]
    pilot = loadout.get("pilot")
    clicks, gear = state["clicks"], loadout.get("gear", ())
    manned = build_points(unit, pilot)
    return UnitSheet(
        id=loadout["id"],
        name=isolated(unit["name"]),
        variant=isolated(unit.get("variant") or ""),
        side=match.heading(match.SIDES, side),
        side_index=side_index,
        points_of_shape=corners(shape_of(side_index)),
        figure=figure_of(unit),
        unit_class=match.word(unit["class"]),
        points=unit["points"],
        pilot=isolated(pilot["name"]) if pilot else "",
        pilot_words=_changes(pilot) if pilot else "",
        pilot_points=manned - unit["points"],
        gear=tuple(Piece(isolated(card["name"]), _changes(card)) for card in gear),
        gear_points=sum(card["points"] for card in gear),
        total=combatant_points(Combatant(unit, pilot, tuple(gear))),
        equipment=tuple(_equipment(unit["dial"], clicks)),
        hand=tuple(Piece(isolated(card["name"]), card_text(card)) for card in hand if not card.get("hidden")),
        hidden_cards=sum(bool(card.get("hidden")) for card in hand),
        has_house_statistics=unit.get("statistics") == "house",
        weapons=tuple(_weapon(unit, value) for value in ("primary", "secondary") if unit.get(value)),
        vent=unit["vent"],
        front_arc=unit["front_arc"],
        rear_arc=unit["rear_arc"],
        state=state,
        values=tuple(
            Value(match.heading(match.COMBAT_VALUES, key), state[key]) for key in VALUES if state.get(key) is not None
        ),
        dial=tuple(_combat_click(number, entry, clicks) for number, entry in enumerate(unit["dial"])),
        heat=tuple(_heat_step(number, entry, state["heat"]) for number, entry in enumerate(unit["heat"])),
        clicks=clicks,
        clicks_left=max(len(unit["dial"]) - clicks, 0),
        is_overheated=state["heat"] >= len(unit["heat"]),
        miniature=miniature,
    )


def _changes(card: Mapping[str, Any]) -> str:
    """Return what a pilot or a piece of gear changes: values, special equipment, and an ability in a sentence."""
    values = [
        f"{match.heading(match.COMBAT_VALUES, value)} {signed(amount)}"
        for value, amount in card.get("modifiers", {}).items()
        if amount
    ]
    parts = [", ".join(values) + "."] if values else []
    if equipment := card.get("equipment"):
        parts.append(f"{match.word(equipment)}: {translate(EQUIPMENT_TEXTS[equipment])}")
    if (ability := card.get("ability")) in CARD_TEXTS:
        parts.append(translate(CARD_TEXTS[str(ability)]))
    return " ".join(parts)


def _equipment(dial: Sequence[Mapping[str, Any]], clicks: int) -> Iterator[Piece]:
    """Yield the special equipment on a click of the combat dial, each once; nothing past its end."""
    if clicks >= len(dial):
        return
    shown = dial[clicks].get("equipment", {})
    keys = dict.fromkeys(each if isinstance(each, str) else each["key"] for each in shown.values() if each)
    yield from (Piece(match.word(key), translate(EQUIPMENT_TEXTS[key])) for key in keys)


def _weapon(unit: Mapping[str, Any], value: str) -> Weapon:
    weapon = unit[value]
    reach = "–".join(str(bound) for bound in weapon["range"])
    return Weapon(match.heading(match.COMBAT_VALUES, value), match.word(weapon["type"]), reach, weapon["targets"])


def _combat_click(number: int, entry: Mapping[str, Any], clicks: int) -> Click:
    equipment = entry.get("equipment", {})
    return Click(
        number=number + 1,
        cells=tuple(_cell(entry[value], equipment.get(value)) for value in VALUES),
        is_current=number == clicks,
        repair_marker=bool(entry.get("repair_marker")),
    )


def _cell(number: int | None, equipment: str | Mapping[str, Any] | None) -> Cell:
    written = "–" if number is None else str(number)
    if equipment is None:
        return Cell(written)
    if isinstance(equipment, str):
        return Cell(written, match.word(equipment), key=equipment)
    return Cell(written, match.word(equipment["key"]), bool(equipment.get("single_use")), equipment["key"])


def _heat_step(number: int, entry: Mapping[str, Any], heat: int) -> Click:
    effects = entry.get("effects", {})
    return Click(
        number=number,
        cells=tuple(
            Cell(
                signed(entry[value]),
                match.word(effects[value]) if value in effects else "",
                key=effects.get(value, ""),
            )
            for value in HEAT_VALUES
        ),
        is_current=number == heat,
    )
