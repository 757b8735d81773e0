"""A GM's own list of prices: lines of name, model, tons and price, as somebody pastes them from a spreadsheet.

    Locust; LCT-1V; 20; 1,512,400

Semicolons, tabs or commas stand between the fields. Model and tons may be missing where the list has the 'Mech already.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.challenge.book.setup import model_document
from rules.challenge.mechs import LEAST_TONS, MOST_TONS, MechModel

MOST_LINES = 5000
MOST_PRICE = 10**9
LONGEST_NAME = 60
LONGEST_LINE = 400

NO_NAME, NO_PRICE, NO_TONS, TWICE, TOO_LONG = "no_name", "no_price", "no_tons", "twice", "too_long"
"""Why a line cannot be taken: it names nothing, its price is no number, the 'Mech is new and has no tons, the 'Mech
came in an earlier line, its name has more than 60 letters."""


@dataclass(frozen=True)
class Priced:
    """A 'Mech of the list and its new price, C-bills; None as `old` for one that is new."""

    id: str
    name: str
    tons: int
    old: int | None
    price: int


@dataclass(frozen=True)
class Unread:
    """A line that cannot be taken: its number from 1, its text, and why."""

    line: int
    text: str
    why: str


@dataclass(frozen=True)
class PriceList:
    """What a list of prices says: 'Mechs that the event has, new ones, and lines that nobody can read."""

    matched: tuple[Priced, ...]
    new: tuple[Priced, ...]
    unread: tuple[Unread, ...]

    def change(self, models: Mapping[str, MechModel], only: bool = False) -> dict[str, dict[str, Any] | None]:
        """Return the change of the list (`setup.change_list`); with `only` all other 'Mechs go."""
        found: dict[str, dict[str, Any] | None] = {}
        if only:
            found |= dict.fromkeys(models)
        for line in self.matched:
            found[line.id] = {**model_document(models[line.id]), "cost": line.price}
        for line in self.new:
            found[line.id] = {"name": line.name, "tons": line.tons, "cost": line.price}
        return found


def key_of(name: str) -> str:
    """Return the letters and digits of a name, by which it is compared with others."""
    return re.sub(r"[\W_]+", "", name.casefold())


def id_of(name: str) -> str:
    """Return the id of a 'Mech in the list.

    >>> id_of("Locust LCT-1V")
    'locust_lct_1v'
    """
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")[:LONGEST_NAME]


def read_prices(text: str, models: Mapping[str, MechModel]) -> PriceList:
    """Read a list of prices beside the 'Mechs that the event has. A heading in the first line is passed over."""
    known = {key_of(model.name or name): name for name, model in models.items()}
    found: dict[str, Priced] = {}
    unread: list[Unread] = []
    for number, line in enumerate(text.splitlines()[:MOST_LINES], start=1):
        if not line.strip():
            continue
        fields = _fields(line)
        read = _read(fields, known, models)
        if isinstance(read, Priced):
            if read.id in found:
                unread.append(Unread(number, line.strip(), TWICE))
            else:
                found[read.id] = read
        elif number > 1 or not _is_heading(fields):
            unread.append(Unread(number, line.strip(), read))
    lines = found.values()
    return PriceList(
        tuple(line for line in lines if line.old is not None),
        tuple(line for line in lines if line.old is None),
        tuple(unread),
    )


def _fields(line: str) -> list[str]:
    """Return the fields of a line; of commas between them and within its price the last ones belong to the price."""
    mark = next((mark for mark in "\t;" if mark in line), ",")
    reader = csv.reader([line[:LONGEST_LINE]], delimiter=mark, skipinitialspace=True)
    fields = [field.strip() for field in next(reader, [])]
    while fields and not fields[-1]:
        fields.pop()
    if mark == ",":
        groups = 0
        while groups < len(fields) - 1 and re.fullmatch(r"[0-9]{3}", fields[-1 - groups]):
            groups += 1
        if groups and re.fullmatch(r"[0-9]{1,3}", fields[-1 - groups]) and len(fields) - 1 - groups >= 1:
            fields[-1 - groups :] = ["".join(fields[-1 - groups :])]
    return fields


def _read(fields: list[str], known: Mapping[str, str], models: Mapping[str, MechModel]) -> Priced | str:
    """Return the 'Mech and the price of a line, or why it cannot be taken."""
    price = price_of(fields[-1]) if len(fields) > 1 else None
    if price is None:
        return NO_PRICE
    names = fields[:-1]
    tons = _tons(names[-1]) if len(names) > 1 else None
    if tons is not None:
        names = names[:-1]
    name = " ".join(part for part in names if part)
    found = known.get(key_of(name))
    if found is not None:
        return Priced(found, models[found].name or found, models[found].tons, models[found].cost, price)
    if not id_of(name):
        return NO_NAME
    if len(name) > LONGEST_NAME:
        return TOO_LONG
    if tons is None:
        return NO_TONS
    return Priced(id_of(name), name, tons, None, price)


_MONEY = re.compile(
    r"([0-9]{1,10}|[0-9]{1,3}(?P<mark>[.,'’ \u00a0\u202f])[0-9]{3}(?:(?P=mark)[0-9]{3})*)\s*(?:C-?bills?|CB)?", re.I
)
"""A whole number, with one mark between its thousands or with none."""


def price_of(text: str) -> int | None:
    """Return a price in C-bills, with marks between its thousands or without; None for anything else.

    >>> [price_of(text) for text in ("1512400", "1,512,400", "1.512.400 C-bills", "1,5")]
    [1512400, 1512400, 1512400, None]
    """
    match = _MONEY.fullmatch(text.strip())
    if match is None:
        return None
    price = int(re.sub(r"[^0-9]", "", match[1]))
    return price if price <= MOST_PRICE else None


def _tons(text: str) -> int | None:
    match = re.fullmatch(r"([0-9]{1,3})(?:[.,]0+)?\s*(?:t|tons?)?", text.strip(), re.I)
    return int(match[1]) if match and LEAST_TONS <= int(match[1]) <= MOST_TONS else None


def _is_heading(fields: list[str]) -> bool:
    """Return whether a line is the heading of a table: no field of it is a number."""
    return not any(re.fullmatch(r"[\d.,'’ \u00a0\u202f]+", field) for field in fields)
