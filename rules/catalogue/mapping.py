"""A reader of units in files of a foreign form, by a mapping that says where each fact is.

A mapping is a JSON document, one of `mappings/` or one that a person sends. It has paths into the foreign unit
(`rules.catalogue.paths`), words to translate, and defaults for facts that the file lacks. Each default and each
omission becomes a Note, so that a person can complete the units afterwards. The result is an ordinary catalogue
document. `Catalogue.from_documents` validates it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rules.catalogue import written
from rules.catalogue.bounds import MOST_NOTES, MOST_ROWS
from rules.catalogue.documents import Document
from rules.catalogue.paths import column_at, counts_rows, in_column, key_at, put_at, value_at
from rules.catalogue.problems import CatalogueError, Problem, require_cells, require_count, require_rows
from rules.catalogue.tables import read_table
from rules.catalogue.vocabulary import CATALOGUE_SCHEMA, DIAL_VALUES
from rules.core.table_units import MARK
from rules.core.words import DAMAGE_VALUES, HEAT_VALUES

MAPPING_FOLDER = Path(__file__).parent / "mappings"

_NUMBERS = frozenset(
    (
        *("number", "points", "front_arc", "rear_arc", "vent", "clicks"),
        *(f"{value}.{part}" for value in DAMAGE_VALUES for part in ("targets", "range[0]", "range[1]")),
    )
)
"""Fields that hold a number: a text there is read as people write numbers."""

_NOTHING: Mapping[str, Any] = {}


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


def read_rows(file: str, text: bytes | str, mapping: Mapping[str, Any]) -> Document:
    """Return a table as the document that a mapping with `"read": "csv"` maps: a list `units` with a row each.

    Headings are keys, such as `front_arc` for "Front Arc". With `group`, rows with the same cell in this column are one
    unit: it has the cells of its first row, and a list `rows` with all of them. Raises CatalogueError (is_a_workbook,
    not_a_sheet, sheet_column_missing, wrong_count, file_too_full).
    """
    table = read_table(file, text)
    group = written.key(mapping.get("group", ""))
    if group and group not in table.heading:
        raise CatalogueError([Problem(file, None, None, None, None, "sheet_column_missing", {"column": group[:60]})])
    units: dict[str, dict[str, Any]] = {}
    count = 0
    for number, cells in table.rows:
        row: dict[str, Any] = dict(zip(table.heading, (cell.strip() or None for cell in cells), strict=False))
        if any(row.values()):
            name = str(row.get(group)) if group else str(number)
            unit = units.setdefault(name, {**row, "rows": []})
            unit["rows"].append(row)
            count += len(row)
            require_count(file, "units", len(units))
            require_cells(file, name[:60], len(unit["rows"]), count)
    return Document(file, {"units": list(units.values())})


def map_document(document: Document, mapping: Mapping[str, Any]) -> tuple[Document, list[Note]]:
    """Return a foreign document as a catalogue document of units, and the notes in the order of the units, at most
    MOST_NOTES and one that counts the others.

    The mapping has the form of `rules.catalogue.mapping_form`. Raises CatalogueError: (nothing_to_map) when the file
    has no units at the mapping's paths, or no unit of the wanted sort; (wrong_count) when the list or a dial in it is
    too long.
    """
    units: list[dict[str, Any]] = []
    notes: list[Note] = []
    places = mapping["list"] if isinstance(mapping["list"], list) else [mapping["list"]]
    only = mapping.get("only")
    words = _Words(mapping.get("words"))
    more = 0
    for position, (place, key, foreign) in enumerate(_listed(document, places), 1):
        facts = {"@list": place, "@key": key}
        name = _name_of(foreign, key, position)
        sort = facts[only["at"]] if only and only["at"] in facts else value_at(foreign, only["at"]) if only else None
        if only and not _is_one_of(sort, only["is"]):
            found = [Note(name, None, "mapped_left_out", {"sort": str(sort)[:60]})]
        else:
            reader = _UnitReader(mapping, foreign, document.file, name, facts, words)
            units.append(reader.read())
            found = reader.notes
        room = max(0, MOST_NOTES - len(notes))
        notes.extend(found[:room])
        more += len(found[room:])
    if not units:
        raise _error(document.file, ", ".join(places))
    if more:
        notes.append(Note(document.file, None, "mapped_more_notes", {"count": more}))
    return Document(document.file, {"schema": CATALOGUE_SCHEMA, "units": units}), notes


def _listed(document: Document, places: list[str]) -> Iterator[tuple[str, str | None, Any]]:
    """Yield each foreign unit with the path of its list and, in an object of units, its key.

    Raises CatalogueError (nothing_to_map, wrong_count).
    """
    count = 0
    for place in places:
        found = value_at(document.content, place)
        if not isinstance(found, list | dict):
            raise _error(document.file, place)
        count += len(found)
        require_count(document.file, "units", count)
        if isinstance(found, dict):
            yield from ((place, key, item) for key, item in found.items())
        else:
            yield from ((place, None, item) for item in found)


class _UnitReader:
    """A reader of one foreign unit; it collects `notes`. `facts` are those that stand around the unit."""

    def __init__(
        self,
        mapping: Mapping[str, Any],
        foreign: Any,
        file: str,
        name: str,
        facts: Mapping[str, str | None],
        words: _Words,
    ) -> None:
        self.mapping = mapping
        self.foreign = foreign
        self.file = file
        self.name = name
        self.facts = facts
        self.words = words
        self._noted: set[tuple[str | None, str, str]] = set()
        self.once: dict[str, Any] = {}
        self.own_key = functools.cache(lambda path: key_at(foreign, path))
        self.notes: list[Note] = []

    def read(self) -> dict[str, Any]:
        """Return the unit. By a mapping that says nothing of dials it plays at real tables only."""
        has_dials = "dial" in self.mapping
        unit: dict[str, Any] = {value: {"range": [0, 0]} for value in DAMAGE_VALUES} if has_dials else {MARK: True}
        for target, source in self.mapping["fields"].items():
            if (value := self.value(source, self.foreign, target, is_number=target in _NUMBERS)) is not None:
                put_at(unit, target, value)
        if has_dials:
            unit["dial"] = self.dial(self.mapping["dial"], unit)
            unit["heat"] = self.heat(self.mapping["heat"], unit)
        return unit

    def note(self, where: str | None, code: str, **parameters: Any) -> None:
        """Add a note, once."""
        if (where, code, str(parameters)) not in self._noted:
            self._noted.add((where, code, str(parameters)))
            self.notes.append(Note(self.name, where, code, parameters))

    def at(self, foreign: Any, path: str, row: int) -> Any:
        """Return the value at a path. What is the same in each row, or the column of all, is looked for once."""
        if foreign is not self.foreign:
            return value_at(foreign, path, row)
        if path not in self.once:
            self.once[path] = column_at(foreign, path) if counts_rows(path) else value_at(foreign, path)
        return in_column(self.once[path], path, row) if counts_rows(path) else self.once[path]

    def found(self, source: Mapping[str, Any], foreign: Any, row: int = 0) -> Any:
        """Return what the file says, with its words translated; None when it says nothing."""
        if "key" in source:
            said: Any = self.own_key(source["key"]) if foreign is self.foreign else key_at(foreign, source["key"])
        elif source["at"] in self.facts:
            said = self.facts[source["at"]]
        else:
            said = self.at(foreign, source["at"], row)
        words = self.words.of(source)
        said = _translated(said, words)
        if isinstance(said, str) and ("take" in source or "before" in source or "after" in source):
            said = _translated(_part(said, source), words)
        return said.lower() if isinstance(said, str) and source.get("lower") else said

    def value(
        self, source: Mapping[str, Any], foreign: Any, target: str, row: int = 0, *, is_number: bool = False
    ) -> Any:
        """Return a fact in the catalogue's form. If the file lacks it, note and return its default, or return None.

        A number that cannot be read stays as it is written, so that the schema's check names its place.
        """
        if "set" in source:
            return source["set"]
        found = self.found(source, foreign, row)
        if found is None and "default" in source:
            self.note(target, "mapped_default", value=source["default"])
            return source["default"]
        if is_number or source.get("as") == "integer":
            number = written.number(found)
            return found if number is None else number
        return found

    def rows(self, part: str, rules: Mapping[str, Any]) -> list[tuple[Any, int]]:
        """Return the rows of the dial `part`, "dial" or "heat": where each one's facts are, and its number from 0.

        A mapping with a `list` has one object a row. One without has a list for each value, in the unit itself. Rows
        at the end that only fill up are left out. Raises CatalogueError (wrong_count).
        """
        sources = rules["values"].values()
        listed = value_at(self.foreign, rules["list"]) if "list" in rules else None
        if "list" not in rules:
            columns = [column_at(self.foreign, source["at"]) for source in sources if "at" in source]
            count = max(map(len, columns), default=0)
        else:
            count = len(listed) if isinstance(listed, list) else 0
        if count > MOST_ROWS:  # before anything is looked for in each
            require_rows(self.file, self.name, part, count)
        only = rules.get("only")
        found = [
            (self.foreign if listed is None else listed[row], row)
            for row in range(count)
            if only is None or _is_one_of(self.at(listed[row] if listed else self.foreign, only["at"], row), only["is"])
        ]
        require_rows(self.file, self.name, part, len(found))
        while found and self.is_fill(sources, *found[-1], is_column=listed is None):
            found.pop()
        return found

    def is_fill(self, sources: Any, foreign: Any, row: int, *, is_column: bool) -> bool:
        """Return whether a row only fills up: its values are words for nothing or, in columns, not there."""
        asked = [source for source in sources if "at" in source]
        if any(self.found(source, foreign, row) is not None for source in asked):
            return False
        return is_column or all(self.at(foreign, source["at"], row) is not None for source in asked)

    def dial(self, rules: Mapping[str, Any], unit: Mapping[str, Any]) -> list[dict[str, Any]]:
        clicks = []
        has_marker = False
        marker = rules.get("repair_marker")
        for foreign, row in self.rows("dial", rules):
            click: dict[str, Any] = {}
            for value in DIAL_VALUES:
                source = rules["values"].get(value, _NOTHING)
                number = self.value(source, foreign, f"dial.{value}", row, is_number=True) if source else None
                if number is not None:
                    click[value] = number
            click["repair_marker"] = marker is not None and _is_one_of(self.found(marker, foreign, row), marker["is"])
            has_marker = has_marker or click["repair_marker"]
            click["equipment"] = self.equipment(rules.get("equipment", _NOTHING), foreign, unit, row)
            clicks.append(click)
        if clicks and not has_marker:
            self.note("dial.repair_marker", "mapped_no_repair_marker")
        return clicks

    def equipment(self, rules: Mapping[str, Any], foreign: Any, unit: Mapping[str, Any], row: int) -> dict[str, Any]:
        """Return the equipment of a click by value, from keys, English names or colours."""
        found: dict[str, Any] = {}
        for value in DIAL_VALUES:
            said = self.found(rules[value], foreign, row) if value in rules else None
            if not isinstance(said, str) or not said.strip():
                continue
            read = written.equipment(said, unit[value].get("type") if value in DAMAGE_VALUES else value)
            if read is None:
                self.note(f"dial.{value}", "mapped_unknown_equipment", name=said[:60])
                continue
            circle = rules[value].get("circle")
            is_circle = circle is not None and _is_one_of(self.found(circle, foreign, row), circle["is"])
            if is_circle or read[1]:
                self.note(f"dial.{value}", "mapped_circle", equipment=read[0])
            found[value] = {"key": read[0], "single_use": True} if is_circle or read[1] else read[0]
        return found

    def heat(self, rules: Mapping[str, Any], unit: Mapping[str, Any]) -> list[dict[str, Any]]:
        steps = []
        for number, (foreign, row) in enumerate(self.rows("heat", rules)):
            step: dict[str, Any] = {}
            for value in HEAT_VALUES:
                source = rules["values"].get(value, _NOTHING)
                said = self.value(source, foreign, f"heat.{value}", row, is_number=True) if source else None
                if said is not None:
                    step[value] = said
            step["effects"] = self.effects(rules.get("colours", _NOTHING), foreign, unit, number, row)
            steps.append(step)
        shutdown = written.number(value_at(self.foreign, rules["shutdown"])) if "shutdown" in rules else None
        if shutdown is not None:
            del steps[max(0, shutdown) :]
        elif steps:
            self.note("heat", "mapped_shutdown_step", step=len(steps))
        return steps

    def effects(
        self, rules: Mapping[str, Any], foreign: Any, unit: Mapping[str, Any], number: int, row: int
    ) -> dict[str, str]:
        """Return the heat effects of a step by value: each follows from its colour and place (Q-81).

        Green at the starting position is no effect (R-HEF-01).
        """
        effects = {}
        for value in HEAT_VALUES:
            said = self.found(rules[value], foreign, row) if value in rules else None
            if said is None or said == "":
                continue
            colour = str(said)[:60] if isinstance(said, str | int) else "…"
            if number == 0 and written.colour(colour.removesuffix("*")) == "green":
                continue
            effect = written.effect(colour, "speed" if value == "speed" else unit[value].get("type"))
            if effect is None:
                self.note(f"heat.{value}", "mapped_unknown_colour", colour=colour)
            else:
                effects[value] = effect
        return effects


class _Words:
    """The words of a mapping, and those that a source adds to them. Each table is made once a file."""

    def __init__(self, table: Mapping[str, Any] | None) -> None:
        self._common = _folded(table)
        self._of_sources: dict[int, dict[str, Any]] = {}

    def of(self, source: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the words for a source of the mapping, whose objects live as long as this one."""
        if "words" not in source:
            return self._common
        if id(source) not in self._of_sources:
            self._of_sources[id(source)] = self._common | _folded(source["words"])
        return self._of_sources[id(source)]


def _folded(table: Mapping[str, Any] | None) -> dict[str, Any]:
    return {word.strip().casefold(): meant for word, meant in (table or {}).items()}


def _translated(said: Any, words: Mapping[str, Any]) -> Any:
    return words.get(said.strip().casefold(), said) if isinstance(said, str) else said


def _part(said: str, source: Mapping[str, Any]) -> str | None:
    """Return the part of a text that a source asks for; None when it is not there."""
    if "before" in source:
        said = said.partition(source["before"])[0]
    if "after" in source:
        said = said.partition(source["after"])[2]
    said = said.strip()
    match source.get("take"):
        case "letters":  # at the beginning
            said = said[: len(said) - len(said.lstrip(_LETTERS))]
        case "digits":  # at the end
            said = said[len(said.rstrip("0123456789")) :]
        case "number":  # the first one, with its sign
            match = re.search(r"[+\-\u2212]?[0-9]{1,9}", said[:_LONGEST_TEXT])
            said = match[0] if match else ""
    return said or None


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_LONGEST_TEXT = 200
"""The most characters of a text in which a number is looked for."""


def _is_one_of(found: Any, wanted: list[Any]) -> bool:
    """Return whether a fact is one of those wanted; the case of letters makes no difference."""
    if isinstance(found, str):
        return found.casefold() in [word.casefold() for word in wanted if isinstance(word, str)]
    return any(type(found) is type(one) and found == one for one in wanted)


def _name_of(foreign: Any, key: str | None, position: int) -> str:
    own = foreign.get("id") if isinstance(foreign, dict) else None
    for name in (own, key):
        if isinstance(name, str) and name:
            return name[:60]
    return f"#{position}"


def _error(file: str, where: str) -> CatalogueError:
    return CatalogueError([Problem(file, None, None, None, None, "nothing_to_map", {"where": where})])
