"""The CSV that MegaMek's `-export` writes: one line a unit, below a line of headings (columns by their headings).

It knows what each 'Mech costs, and nothing of its equipment.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

from rules.challenge.book.price_list import price_of
from rules.challenge.mech_files.names import letters_of
from rules.challenge.mech_files.reading import (
    FILE,
    LARGEST_TABLE,
    LONGEST_LINE,
    MOST_MECHS,
    FileMech,
    Unread,
    Unreadable,
    clean,
    movement_of,
    name_of,
    text_of,
    tons_of,
)

HEADING_WITHIN = 10
NEEDED = frozenset({"name", "model", "tonnage"})
COSTS = ("costloaded", "cost")
"""The columns of the book cost, the better one first: with ammunition, as the construction formula has it."""
MECHS = frozenset({"mek", "mech", "battlemek", "battlemech"})


def read_export(place: str, data: bytes) -> tuple[list[FileMech], list[Unread]]:
    """Return the 'Mechs of an export, and lines that cannot be taken; other units are passed over.

    Raises Unreadable (too_large, no_heading).
    """
    lines = text_of(data, LARGEST_TABLE).splitlines()
    headings, first = _headings(lines)
    found: list[FileMech] = []
    unread: list[Unread] = []
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line.strip():
            continue
        where = f"{place}, {number}"
        if len(found) == MOST_MECHS:
            unread.append(Unread(where, "too_many"))
            break
        try:
            mech = _mech(headings, _fields(line))
        except Unreadable as fault:
            unread.append(Unread(where, fault.why))
        else:
            if mech is not None:
                found.append(mech)
    return found, unread


def _headings(lines: list[str]) -> tuple[list[str], int]:
    """Return the headings, and the number of lines down to them."""
    for number, line in enumerate(lines[:HEADING_WITHIN], start=1):
        headings = [letters_of(each) for each in _fields(line)]
        if set(headings) >= NEEDED and not set(headings).isdisjoint(COSTS):
            return headings, number
    raise Unreadable("no_heading")


def _fields(line: str) -> list[str]:
    """Return the fields of a line; [] for one that is too long or no line of a table."""
    if len(line) > LONGEST_LINE:
        return []
    try:
        return [field.strip() for field in next(csv.reader([line], skipinitialspace=True), [])]
    except csv.Error:
        return []


def _mech(headings: list[str], fields: list[str]) -> FileMech | None:
    """Return the 'Mech of a line; None for another unit. Raises Unreadable."""
    if len(fields) != len(headings):
        raise Unreadable("bad_fields")
    row: Mapping[str, str] = dict(zip(headings, fields, strict=True))
    if "type" in row and letters_of(row["type"]) not in MECHS:
        return None
    prices = (price_of(re.sub(r"\.0+$", "", row.get(column, ""))) for column in COSTS)
    cost = next((price for price in prices if price), None)
    return FileMech(
        name=name_of(clean(row["name"], LONGEST_LINE), row["model"]),
        tons=tons_of(row["tonnage"]),
        tech=_technology(row),
        omni="omni" in row.get("subtype", "").casefold(),
        walk=movement_of(row.get("walk") or "0"),
        jump=movement_of(row.get("jump") or "0"),
        cost=cost,
        basis="" if cost is None else FILE,
    )


def _technology(row: Mapping[str, str]) -> str:
    """Return whose 'Mech it is; a mixed one belongs to those of its chassis, else to those of its level."""
    said = row.get("tech", "").casefold()
    if "mixed" in said and "clan" not in said:
        said = row.get("techlevel", "").casefold()
    return "clan" if "clan" in said else "inner_sphere"
