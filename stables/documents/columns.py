"""The description of a table in a season's document: its rows, its columns, and the fields left out, with reasons.

Reading raises Malformed with the place of the problem and one of these codes: season_document_bad_value,
season_document_field_missing, season_document_field_unknown, season_document_twice, season_document_unknown_name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db import models
from django.db.models import QuerySet

from rules.core.refusals import Malformed
from rules.wording.isolation import bare
from stables.documents import values
from stables.documents.names import Names, Stand
from stables.documents.shapes import require_shape
from stables.models import Season
from web.names import NameField

Row = dict[str, Any]
Contents = Literal["full", "published", "redacted"]
"""The contents of a document: everything; the parts that all readers of a finished season see; or the parts that they
see before it is finished."""

FULL: Contents = "full"
PUBLISHED: Contents = "published"
REDACTED: Contents = "redacted"
CONTENTS: tuple[Contents, ...] = (FULL, PUBLISHED, REDACTED)

LONGEST_STAND_IN = 200


@dataclass(frozen=True)
class Column:
    """A field of a model in a document, under its own name.

    `hidden` is the value of a private field in documents that are not full; `...` says that the field is not private. A
    `later` column is read when all rows of its table are stored, because it names rows without stand-ins before.
    `absent` is the value of a field that documents from before it leave out; `...` says that all documents have it.
    """

    name: str
    hidden: Any = ...
    later: bool = False
    absent: Any = ...

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        """Return the field of a row as JSON; a name bare, as the database has it."""
        value = values.json_value(getattr(row, self.name))
        return bare(value) if isinstance(row._meta.get_field(self.name), NameField) else value

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        """Return the value to store for a value of the document. Raises Malformed."""
        return values.read(model_field, value, place)


@dataclass(frozen=True)
class Ref(Column):
    """A reference to a row of `table`, by its stand-in; None if there is none."""

    table: str = ""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return names.stand(self.table, getattr(row, f"{self.name}_id"))

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        if value is None and model_field.null:
            return None
        return names.pk(self.table, value, place)


@dataclass(frozen=True)
class Person(Column):
    """A reference to an account, by its stand-in; None if there is none."""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return names.stand("people", getattr(row, f"{self.name}_id"))

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        if value is None and model_field.null:
            return None
        return names.pk("people", value, place)


@dataclass(frozen=True)
class Octets(Column):
    """At most `longest` bytes, as hexadecimal digits; None if there are none."""

    longest: int = 64

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        stored = getattr(row, self.name)
        return None if stored is None else bytes(stored).hex()

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        return None if value is None and self.hidden is None else values.octets(value, place, self.longest)


@dataclass(frozen=True)
class Key(Column):
    """The idempotency key of a book's entry, with stand-ins for ids."""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return names.written_key(getattr(row, self.name))

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        made = names.read_key(values.text(value, place, LONGEST_STAND_IN * 3), place)
        return values.text(made, place, model_field.max_length)


@dataclass(frozen=True)
class Translated(Column):
    """JSON that contains ids: `out` replaces them by stand-ins, `back` puts ids in again. `back` raises Malformed."""

    out: Callable[[Any, Names, Contents], Any] = lambda value, names, contents: value
    back: Callable[[Any, Names, str], Any] = lambda value, names, place: value

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        return self.out(getattr(row, self.name), names, contents)

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        return self.back(values.read(model_field, value, place), names, place)


@dataclass(frozen=True)
class Several(Column):
    """The rows of `table` in a many-to-many field: their stand-ins, sorted. They are stored after the row itself."""

    table: str = ""

    def write(self, row: Any, names: Names, contents: Contents) -> Any:
        stands = [names.stand(self.table, other.pk) for other in getattr(row, self.name).all()]
        return sorted(stand for stand in stands if stand is not None)

    def read(self, model_field: Any, value: Any, place: str, names: Names) -> Any:
        if not isinstance(value, list):
            raise values.wrong_type(place, value, "array")
        found = [names.pk(self.table, stand, f"{place}[{number}]") for number, stand in enumerate(value)]
        if len(set(found)) != len(found):
            raise Malformed("season_document_twice", place=place, name=self.name)
        return found


def columns(*listed: str | Column) -> tuple[Column, ...]:
    """Return columns; a text is the name of a field that is written unchanged."""
    return tuple(Column(each) if isinstance(each, str) else each for each in listed)


@dataclass(frozen=True)
class RecordSet:
    """The rows of one model in a document.

    `rows` returns the rows of a season that a document with these contents shows, in the order of writing. `stand`
    makes a row's stand-in from its written form; rows that are `numbered` have no name of their own and are counted
    from 1 under "number". `left_out` says for each other field why it is missing.
    """

    name: str
    model: type[models.Model]
    columns: tuple[Column, ...]
    rows: Callable[[Season, Contents], QuerySet[Any]]
    stand: Callable[[Row], Stand] | None = None
    numbered: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)

    def field_of(self, column: Column) -> Any:
        """Return the model's field of a column."""
        return self.model._meta.get_field(column.name)

    @property
    def people(self) -> Iterable[str]:
        """The names of the fields that name accounts."""
        return [column.name for column in self.columns if isinstance(column, Person)]

    def write(self, row: Any, number: int, names: Names, contents: Contents) -> Row:
        """Return a row as JSON, and give it its stand-in if other rows may name it; `number` counts from 1."""
        output: Row = {"number": number} if self.numbered else {}
        for column in self.columns:
            is_hidden = column.hidden is not ... and contents != FULL
            output[column.name] = column.hidden if is_hidden else column.write(row, names, contents)
        stand = self.stand_of(output)
        if stand is not None:
            names.add(self.name, row.pk, stand)
        return output

    def read(self, row: object, place: str, number: int, names: Names) -> Row:
        """Return the values to store for a row, by attribute, without the later columns; `number` counts from 1.

        Raises Malformed.
        """
        if not isinstance(row, dict):
            raise values.wrong_type(place, row, "object")
        row = {each.name: each.absent for each in self.columns if each.absent is not ...} | row
        known = {column.name for column in self.columns} | ({"number"} if self.numbered else set())
        require_fields(row, known, place)
        if self.numbered and row["number"] != number:
            raise values.not_one_of(f"{place}.number", row["number"], number)
        stored: Row = {}
        for column in self.columns:
            if column in self.later:
                continue
            model_field = self.field_of(column)
            at = f"{place}.{column.name}"
            stored[str(model_field.attname)] = column.read(model_field, row[column.name], at, names)
            require_shape(self.name, column.name, row[column.name], at)
        return stored

    @property
    def later(self) -> list[Column]:
        """The columns that are read after all rows of the table have their stand-ins."""
        return [each for each in self.columns if each.later or isinstance(each, Several)]

    def read_later(self, row: Row, place: str, names: Names) -> dict[str, Any]:
        """Return the values of a row's later columns, by name. Raises Malformed."""
        return {
            column.name: column.read(self.field_of(column), row[column.name], f"{place}.{column.name}", names)
            for column in self.later
        }

    def stand_of(self, row: Row) -> Stand | None:
        """Return the stand-in of a row from its written form; None for rows that nothing names."""
        if self.stand is not None:
            return self.stand(row)
        return int(row["number"]) if self.numbered else None


def require_fields(row: Row, known: Iterable[str], place: str) -> None:
    """Refuse a row unless it has all `known` fields and no others.

    Raises Malformed (season_document_field_missing, season_document_field_unknown).
    """
    for name in sorted(set(known) - set(row)):
        raise Malformed("season_document_field_missing", place=place, field=name)
    for name in sorted(set(row) - set(known)):
        raise Malformed("season_document_field_unknown", place=place, field=name[:100])
