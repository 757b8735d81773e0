"""Reading the rows of a document into rows that can be stored, both for checking a document and for storing it.

A Malformed of this module has the place of the problem and a code of stables.documents.columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rules.core.refusals import Malformed
from stables.documents import values
from stables.documents.columns import RecordSet, Row, require_fields
from stables.documents.document import IN_MATCHES
from stables.documents.names import Names, Stand
from stables.documents.played import title_of

Store = Callable[[RecordSet, list[Row]], list[int]]
"""A function that stores rows, given by attribute, and returns their ids in order."""

MATCHES, SEATS, STANDING, STEPS = IN_MATCHES


def number_rows(table: RecordSet, rows: list[Row]) -> list[int]:
    """Return numbers from 1 as ids for rows that are only checked."""
    return list(range(1, len(rows) + 1))


@dataclass(frozen=True)
class Later:
    """The values of a stored row's later columns: an id, None or a list of ids by the name of the field."""

    pk: int
    found: dict[str, Any]


def read_rows(table: RecordSet, rows: object, names: Names, store: Store) -> list[Later]:
    """Read the rows of a table, store them by `store`, and give them their stand-ins.

    Return the later columns of each row; [] if the table has no later columns. Raises Malformed.
    """
    listed = a_list(rows, table.name)
    stored = [table.read(row, f"{table.name}[{number}]", number + 1, names) for number, row in enumerate(listed)]
    ids = store(table, stored)
    for number, (row, pk) in enumerate(zip(listed, ids, strict=True)):
        stand = table.stand_of(row)
        if stand is not None:
            names.add(table.name, pk, stand, f"{table.name}[{number}]")
    if not table.later:
        return []
    return [
        Later(pk, table.read_later(row, f"{table.name}[{number}]", names))
        for number, (row, pk) in enumerate(zip(listed, ids, strict=True))
    ]


def a_list(rows: object, place: str) -> list[Any]:
    """Return `rows` if it is a list. Raises Malformed (season_document_bad_value)."""
    if not isinstance(rows, list):
        raise values.wrong_type(place, rows, "array")
    return rows


@dataclass(frozen=True)
class MatchRow:
    """A match of a document: `of` is its stand-in, the fixture's or "title:…", and `row` its written form.

    `stored`, `seats` and `steps` are the values to store, by attribute. Each seat has its standing answers with it.
    """

    of: Stand
    row: Row
    stored: Row
    seats: list[tuple[Row, list[Row]]]
    steps: list[Row]


def read_match(row: object, number: int, names: Names) -> MatchRow:
    """Return the match of a row; `number` counts the matches from 0. Raises Malformed."""
    place = f"matches[{number}]"
    if not isinstance(row, dict):
        raise values.wrong_type(place, row, "object")
    own = {column.name for column in MATCHES.columns}
    require_fields(row, {*own, "of", "seats", "steps"}, place)
    seats = []
    for position, seat in enumerate(a_list(row["seats"], f"{place}.seats")):
        at = f"{place}.seats[{position}]"
        if not isinstance(seat, dict):
            raise values.wrong_type(at, seat, "object")
        if "standing" not in seat:
            raise Malformed("season_document_field_missing", place=at, field="standing")
        rest = {key: value for key, value in seat.items() if key != "standing"}
        standing = [
            STANDING.read(each, f"{at}.standing[{index}]", index + 1, names)
            for index, each in enumerate(a_list(seat["standing"], f"{at}.standing"))
        ]
        seats.append((SEATS.read(rest, at, position + 1, names), standing))
    steps = [
        STEPS.read(step, f"{place}.steps[{position}]", position + 1, names)
        for position, step in enumerate(a_list(row["steps"], f"{place}.steps"))
    ]
    for position, step in enumerate(steps):
        if step["sequence"] != position:
            raise values.not_one_of(f"{place}.steps[{position}].sequence", step["sequence"], position)
    stored = MATCHES.read({name: row[name] for name in own}, place, number + 1, names)
    if len(steps) != stored["last_sequence"] + 1:
        raise values.not_one_of(f"{place}.last_sequence", stored["last_sequence"], len(steps) - 1)
    return MatchRow(_of(row["of"], place, names), row, stored, seats, steps)


def _of(value: Any, place: str, names: Names) -> Stand:
    if title_of(value) is None:
        names.pk("fixtures", value, f"{place}.of")
    return str(value)


def match_rows(matches: Iterator[Any], names: Names) -> Iterator[MatchRow]:
    """Read the matches one after the other and yield each. Raises Malformed."""
    for number, row in enumerate(matches):
        yield read_match(row, number, names)
