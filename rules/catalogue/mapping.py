"""A reader of units in files of a foreign form, by a mapping that says where each fact is.

A mapping is a JSON document in `mappings/`. It has paths into the foreign unit, such as `damage_modes[0].range.min`,
words to translate, and defaults for facts that the file lacks. Each default and each omission becomes a Note, so that a
person can complete the units afterwards. The result is an ordinary catalogue document. `Catalogue.from_documents`
validates it.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.catalogue.bounds import LONGEST_TEXT
from rules.catalogue.documents import Document
from rules.catalogue.problems import CatalogueError, Problem, require_count, require_rows
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, DIAL_VALUES, EQUIPMENT_PLACES
from rules.core.words import HEAT_EFFECTS, HEAT_VALUES

MAPPING_FOLDER = Path(__file__).parent / "mappings"

_COLOURS = ("red", "yellow", "black")
"""The colours of heat effects, in the order of HEAT_EFFECTS (R-HEF-02 to R-HEF-10)."""

_STEP = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]")


@dataclasses.dataclass(frozen=True)
class Note:
    """A note about a fact that a foreign file did not have, or that was left out.

    `unit` is the unit's id or its position, such as `#2`. `field` is the catalogue's field, None for the unit as a
    whole. `code` is a key of `rules.catalogue.wording.SENTENCES`; the placeholders of that sentence are the keys of
    `parameters`.
    """

    unit: str
    field: str | None
    code: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the note as a JSON-ready dict of the same names."""
        return {"unit": self.unit, "field": self.field, "code": self.code, "parameters": dict(self.parameters)}


def shipped_mappings() -> dict[str, dict[str, Any]]:
    """Return every mapping that comes with the game, by the name of its file without the ending."""
    paths = sorted(MAPPING_FOLDER.glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def map_document(document: Document, mapping: Mapping[str, Any]) -> tuple[Document, list[Note]]:
    """Return a foreign document as a catalogue document of units, and the notes in the order of the units.

    Raises CatalogueError: (nothing_to_map) when the file has no list of units at the mapping's path, or no unit of the
    wanted sort; (wrong_count) when the list or a dial in it is too long.
    """
    listed = _at(document.content, mapping["list"])
    if not isinstance(listed, list):
        raise _error(document.file, mapping["list"])
    require_count(document.file, "units", len(listed))
    units: list[dict[str, Any]] = []
    notes: list[Note] = []
    for position, foreign in enumerate(listed, 1):
        name = _name_of(foreign, position)
        sort = _at(foreign, mapping["only"]["at"])
        if sort not in mapping["only"]["is"]:
            notes.append(Note(name, None, "mapped_left_out", {"sort": str(sort)[:60]}))
            continue
        reader = _UnitReader(mapping, foreign, document.file, name)
        units.append(reader.read())
        notes.extend(reader.notes)
    if not units:
        raise _error(document.file, mapping["list"])
    return Document(document.file, {"schema": CATALOGUE_SCHEMA, "units": units}), notes


class _UnitReader:
    """A reader of one foreign unit; it collects `notes`."""

    def __init__(self, mapping: Mapping[str, Any], foreign: Any, file: str, name: str) -> None:
        self.mapping = mapping
        self.foreign = foreign
        self.file = file
        self.name = name
        self.notes: list[Note] = []

    def read(self) -> dict[str, Any]:
        unit: dict[str, Any] = {
            "primary": {"range": [0, 0]},
            "secondary": {"range": [0, 0]},
        }
        for target, source in self.mapping["fields"].items():
            value = self.value(source, self.foreign, target)
            if value is not None:
                _put(unit, target, value)
        unit["dial"] = self.dial(self.mapping["dial"])
        unit["heat"] = self.heat(self.mapping["heat"], unit)
        return unit

    def note(self, where: str | None, code: str, **parameters: Any) -> None:
        note = Note(self.name, where, code, parameters)
        if note not in self.notes:
            self.notes.append(note)

    def value(self, source: Mapping[str, Any], foreign: Any, target: str) -> Any:
        """Return a fact in the catalogue's form. If the file lacks it, note and return its default, or return None."""
        if "set" in source:
            return source["set"]
        found = _at(foreign, source["at"])
        if isinstance(found, str) and "pattern" in source:
            match = re.search(source["pattern"], found) if len(found) <= LONGEST_TEXT else None
            found = match.group(1) if match else None
        if isinstance(found, str) and source.get("lower"):
            found = found.lower()
        if isinstance(found, str) and source.get("as") == "integer":
            found = int(found) if found.isascii() and found.isdigit() and len(found) <= 9 else None
        if found is None and "default" in source:
            self.note(target, "mapped_default", value=source["default"])
            return source["default"]
        return found

    def rows(self, part: str, place: str) -> list[Any]:
        """Return the rows of the dial `part`, "dial" or "heat"; empty when there is no list.

        Raises CatalogueError (wrong_count).
        """
        listed = _at(self.foreign, place)
        if not isinstance(listed, list):
            return []
        require_rows(self.file, self.name, part, len(listed))
        return listed

    def dial(self, rules: Mapping[str, Any]) -> list[dict[str, Any]]:
        clicks = []
        has_marker = False
        for foreign in self.rows("dial", rules["list"]):
            click: dict[str, Any] = {}
            for value in DIAL_VALUES:
                number = self.value(rules["values"][value], foreign, f"dial.{value}")
                if number is not None:
                    click[value] = number
            click["repair_marker"] = _at(foreign, rules["repair_marker"]["at"]) in rules["repair_marker"]["is"]
            has_marker = has_marker or click["repair_marker"]
            click["equipment"] = self.equipment(rules["equipment"], foreign)
            clicks.append(click)
        if clicks and not has_marker:
            self.note("dial.repair_marker", "mapped_no_repair_marker")
        return clicks

    def equipment(self, rules: Mapping[str, Any], foreign: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for value in DIAL_VALUES:
            name = _at(foreign, rules[value]["at"])
            if not isinstance(name, str):
                continue
            key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
            if key not in EQUIPMENT_PLACES:
                self.note(f"dial.{value}", "mapped_unknown_equipment", name=name[:60])
                continue
            circle = rules[value]["circle"]
            is_single_use = _at(foreign, circle["at"]) in circle["is"]
            if is_single_use:
                self.note(f"dial.{value}", "mapped_circle", equipment=key)
            found[value] = {"key": key, "single_use": True} if is_single_use else key
        return found

    def heat(self, rules: Mapping[str, Any], unit: Mapping[str, Any]) -> list[dict[str, Any]]:
        steps = []
        for number, foreign in enumerate(self.rows("heat", rules["list"])):
            step: dict[str, Any] = {
                value: self.value(rules["values"][value], foreign, f"heat.{value}") for value in HEAT_VALUES
            }
            step["effects"] = self.effects(rules["colours"], foreign, unit, number)
            steps.append(step)
        shutdown = _at(self.foreign, rules["shutdown"])
        if isinstance(shutdown, int) and not isinstance(shutdown, bool):
            del steps[shutdown:]
        elif steps:
            self.note("heat", "mapped_shutdown_step", step=len(steps))
        return steps

    def effects(self, rules: Mapping[str, Any], foreign: Any, unit: Mapping[str, Any], number: int) -> dict[str, str]:
        """Return the heat effects of a step by value: each follows from its colour and place (Q-81).

        Green at the starting position is no effect (R-HEF-01).
        """
        effects = {}
        for value in HEAT_VALUES:
            colour = _at(foreign, rules[value]["at"])
            if colour is None or (colour == "green" and number == 0):
                continue
            family = "speed" if value == "speed" else unit[value].get("type")
            if colour in _COLOURS and isinstance(family, str) and family in HEAT_EFFECTS:
                effects[value] = HEAT_EFFECTS[family][_COLOURS.index(colour)]
            else:
                self.note(f"heat.{value}", "mapped_unknown_colour", colour=str(colour)[:60])
        return effects


def _at(content: Any, path: str) -> Any:
    """Return the value at a path such as `a.b[0]`; None when there is none."""
    for name, index in _STEP.findall(path):
        if name:
            content = content.get(name) if isinstance(content, dict) else None
        else:
            position = int(index)
            content = content[position] if isinstance(content, list) and position < len(content) else None
    return content


def _put(unit: dict[str, Any], path: str, value: Any) -> None:
    steps = [name or int(index) for name, index in _STEP.findall(path)]
    place: Any = unit
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = value


def _name_of(foreign: Any, position: int) -> str:
    own = foreign.get("id") if isinstance(foreign, dict) else None
    return own[:60] if isinstance(own, str) and own else f"#{position}"


def _error(file: str, where: str) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, "nothing_to_map", {"where": where})])
