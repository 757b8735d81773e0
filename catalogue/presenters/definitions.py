"""The content of the catalogue's pages: definitions as rows of cells and as labelled texts in the reader's language."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from catalogue.host import Record, records_of
from catalogue.models import CatalogueEntry, CatalogueRelease
from catalogue.text import labels
from catalogue.text.marks import EQUIPMENT_MARKS, HEAT_MARKS
from rules.catalogue.vocabulary import DIAL_VALUES
from rules.core.table_units import is_table_only
from rules.core.words import HEAT_VALUES
from rules.wording import CARD_TEXTS
from rules.wording.filling import signed
from rules.wording.isolation import isolated
from rules.wording.requirements import requirement
from web.languages.reader import translate
from web.languages.words import sort_key


@dataclass(frozen=True)
class Cell:
    """One number of a dial. `equipment` is the name of the equipment or heat effect on it, `code` its mark, `key` its
    key; all three are "" for none.
    """

    number: int
    equipment: str
    is_single_use: bool = False
    code: str = ""
    key: str = ""

    @property
    def signed(self) -> str:
        """The number with its sign, as the cells of a heat dial show it: +1, −1, 0."""
        return f"{self.number:+d}".replace("-", "−") if self.number else "0"


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
    """A unit in a list: the facts of its base and of its first click. `equipment` has the names of all equipment on the
    dial, `is_house` says that the statistics are our own. For a unit without a dial `no_dial` says so, "" for others;
    its numbers from `clicks` on are then None, as far as its definition does not say them.
    """

    key: str
    name: str
    variant: str
    unit_class: str
    rank: str
    statistics: str
    points: int
    clicks: int | None
    is_house: bool
    is_on_shelf: bool
    definition: Mapping[str, Any]
    speed: int | None = None
    attack: int | None = None
    defense: int | None = None
    vent: int | None = None
    primary: str = ""
    secondary: str = ""
    front_arc: int | None = None
    rear_arc: int | None = None
    equipment: Sequence[str] = ()
    no_dial: str = ""


def unit_card(entry: CatalogueEntry, shelf: Collection[str] = ()) -> UnitCard:
    """Return the facts of one unit; `shelf` holds the ids of the units whose miniatures the reader owns. No query."""
    unit = entry.definition
    card = UnitCard(
        key=entry.key,
        name=entry.name,
        variant=isolated(unit.get("variant") or ""),
        unit_class=labels.name(entry.unit_class),
        rank=labels.name(unit["rank"]) if "rank" in unit else "",
        statistics=labels.name(unit.get("statistics", "imported")),
        points=unit["points"],
        clicks=entry.clicks,
        is_house=unit.get("statistics") == "house",
        is_on_shelf=entry.key in shelf,
        definition=unit,
    )
    if is_table_only(unit):
        return replace(card, no_dial=translate(labels.NO_DIAL))
    first = unit["dial"][0]
    return replace(
        card,
        speed=first["speed"],
        attack=first["attack"],
        defense=first["defense"],
        vent=unit["vent"],
        primary=damage_text(unit["primary"], first["primary"]),
        secondary=damage_text(unit["secondary"], first["secondary"]),
        front_arc=unit["front_arc"],
        rear_arc=unit["rear_arc"],
        equipment=[labels.name(key) for key in entry.equipment.split()],
    )


def damage_text(damage: Mapping[str, Any], value: int) -> str:
    """Return a damage value and its base entry, such as `3 Energy ×2, 0–10`."""
    least, most = damage["range"]
    targets = f" ×{damage['targets']}" if damage["targets"] > 1 else ""
    return f"{value} {labels.name(damage['type'])}{targets}, {least}–{most}"


def dial_rows(unit: Mapping[str, Any]) -> list[ClickRow]:
    """Return the combat dial, one row a click, cells in the order of DIAL_VALUES."""
    rows = []
    for number, click in enumerate(unit["dial"], 1):
        cells = []
        for value in DIAL_VALUES:
            item = click["equipment"].get(value)
            key = item if item is None or isinstance(item, str) else item["key"]
            is_single_use = isinstance(item, dict) and bool(item.get("single_use"))
            code = EQUIPMENT_MARKS[key].code if key else ""
            cells.append(Cell(click[value], labels.name(key) if key else "", is_single_use, code, key or ""))
        rows.append(ClickRow(number, number == 1, click["repair_marker"], cells))
    return rows


def heat_rows(unit: Mapping[str, Any]) -> list[HeatRow]:
    """Return the heat dial, one row a step, cells in the order of HEAT_VALUES."""
    rows = []
    for number, step in enumerate(unit["heat"]):
        cells = [
            Cell(step[value], labels.name(effect), code=HEAT_MARKS[effect].code, key=effect)
            if effect
            else Cell(step[value], "")
            for value, effect in ((value, step["effects"].get(value)) for value in HEAT_VALUES)
        ]
        rows.append(HeatRow(number, cells))
    return rows


@dataclass(frozen=True)
class RecordsTable:
    """The records of a definition in seasons. `earns` says whether it has reputation of its own: that of a unit with a
    pilot is the pilot's (Q-162).
    """

    rows: list[Record]
    earns: bool


def records_table(kind: str, key: str) -> RecordsTable:
    """Return the records of a definition as its page shows them; `kind` is a word of KINDS."""
    rows = records_of(kind, key)
    return RecordsTable(rows, kind != "units" or any(row.reputation for row in rows))


def column_names(values: Iterable[str]) -> list[str]:
    """Return the names of values of a dial in the reader's language, as headings."""
    return [labels.name(value) for value in values]


@dataclass(frozen=True)
class CardRow:
    """A pilot, gear card, rally card, target token or arena. `facts` are pairs of a label and a text, `text` is the
    wording of its ability, "" without one. `group` is the kind of a pilot, "" for others. `points` is None for target
    tokens and arenas, which have no price; `statistics` is "" when the definition does not say.
    """

    kind: str
    key: str
    name: str
    group: str
    statistics: str
    points: int | None
    facts: list[tuple[str, str]]
    text: str


def card_row(entry: CatalogueEntry, units: Mapping[str, str]) -> CardRow:
    """Return the facts of one definition other than a unit; `units` are names by id (unit_names). No query."""
    definition = entry.definition
    alternative = definition.get("alternative")
    if alternative:
        named = {**alternative, "unit": units.get(alternative["unit"], alternative["unit"])}
        definition = {**definition, "alternative": named}
    ability = definition.get("ability")
    return CardRow(
        kind=entry.kind,
        key=entry.key,
        name=entry.name,
        group=labels.name(definition["kind"]) if entry.kind == "pilots" else "",
        statistics=labels.name(definition["statistics"]) if "statistics" in definition else "",
        points=entry.points,
        facts=[(label, text) for label, text in _FACTS[entry.kind](definition) if text],
        text=translate(CARD_TEXTS[ability]) if ability else "",
    )


def modifiers_text(definition: Mapping[str, Any]) -> str:
    """Return modifiers as `Attack +1, Speed −2`."""
    return ", ".join(f"{labels.name(value)} {signed(amount)}" for value, amount in definition["modifiers"].items())


def requirement_text(requires: Mapping[str, Any]) -> str:
    """Return the requirement of a gear card or pilot for its unit as text: classes and a range type; "" for none."""
    parts = [labels.name(word) for word in requires.get("class") or ()]
    if requires.get("type"):
        parts.append(labels.name(requires["type"]))
    return ", ".join(parts)


def _pilot_facts(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    alternative = definition.get("alternative")
    with_unit = gettext("%(points)s with %(unit)s") % alternative if alternative else ""
    return [
        (gettext("For"), requirement_text(definition["requires"])),
        (gettext("Modifiers"), modifiers_text(definition)),
        (gettext("Other cost"), with_unit),
    ]


def _gear_facts(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (gettext("For"), requirement_text(definition["requires"])),
        (gettext("Sits on"), labels.name(definition["slot"])),
        (gettext("Modifiers"), modifiers_text(definition)),
        (gettext("Special equipment"), labels.name(definition["equipment"] or "")),
    ]


def _rally_facts(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(gettext("When"), requirement(definition["requires"], translate))]


def _token_facts(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (gettext("Defense"), str(definition["defense"])),
        (gettext("Armor"), labels.name(definition["armor"] or "")),
        (gettext("Method"), labels.name(definition["method"])),
        (gettext("Reputation"), str(definition["rp"])),
        (gettext("Otherwise"), str(definition["else_rp"])),
    ]


def _arena_facts(definition: Mapping[str, Any]) -> list[tuple[str, str]]:
    grounds = {part for terrain in definition["hexes"].values() for part in terrain.split("+")} - {"clear"}
    return [
        (gettext("Ground"), ", ".join(sorted((labels.name(part) for part in grounds), key=sort_key))),
        (gettext("Hexes with terrain"), str(len(definition["hexes"]))),
    ]


_FACTS: dict[str, Callable[[Mapping[str, Any]], list[tuple[str, str]]]] = {
    "pilots": _pilot_facts,
    "gear": _gear_facts,
    "rally_cards": _rally_facts,
    "target_tokens": _token_facts,
    "arenas": _arena_facts,
}


@dataclass(frozen=True)
class MarkRow:
    """One line of the legend of a drawn dial: a mark, and the name of its equipment or heat effect."""

    code: str
    colour: str
    colour_name: str
    name: str


def marks_of(unit: Mapping[str, Any]) -> list[MarkRow]:
    """Return the mark of every equipment and heat effect on a unit's dials, each once, in order of name."""
    keys = {
        item if isinstance(item, str) else item["key"] for click in unit["dial"] for item in click["equipment"].values()
    }
    keys |= {effect for step in unit["heat"] for effect in step["effects"].values()}
    marks = {**EQUIPMENT_MARKS, **HEAT_MARKS}
    rows = [
        MarkRow(marks[key].code, marks[key].colour, labels.colour(marks[key].colour), labels.name(key)) for key in keys
    ]
    return sorted(rows, key=lambda row: sort_key(row.name))


def unit_names(release: CatalogueRelease, entries: Iterable[CatalogueEntry]) -> dict[str, str]:
    """Return by id the names of the units with which pilots have another cost; those that the release lacks are left
    out. One query, none when no definition has such a cost.
    """
    keys = {entry.definition["alternative"]["unit"] for entry in entries if entry.definition.get("alternative")}
    found = CatalogueEntry.objects.filter(release=release, kind="units", key__in=keys)
    return {key: isolated(name) for key, name in found.values_list("key", "name")} if keys else {}
