"""The list of 'Mechs of an event: each with its class and the basis of its cost, and what was changed last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from challenge.forms.mechs import FLAG_NAMES, TECHNOLOGY_NAMES
from challenge.selectors.books import Book
from rules.challenge.book.rows import MECHS
from rules.challenge.mech_list import house_list
from rules.challenge.mechs import MechModel
from rules.challenge.tables import read_data
from web.languages.words import sort_key

MOST_LINES = 500
MOST_CHANGES = 3
ORDERS = ("price", "-price", "name", "tons")
BASIS_NAMES = {
    "both": _("formula and published figure agree"), "published": _("house price: a figure without a named source"),
    "formula": _("house price: worked out by the formula"),
}  # fmt: skip
"""What the bases of the house list are called: only the first names a book cost (MCQ-MECH-01)."""


@dataclass(frozen=True)
class MechLine:
    """A 'Mech of the list. `basis` says where its cost comes from, `equipment` what of it a rule asks for."""

    model: MechModel
    basis: str | Promise
    equipment: tuple[str | Promise, ...]


@dataclass(frozen=True)
class MechChange:
    """A change of the list that stands: the number of its row, whom it brought or repriced, whom it took out."""

    number: int
    brought: int
    taken: int
    first: str


@cache
def _bases() -> dict[str, str]:
    return {row["id"]: row["basis"] for row in read_data("mechs")["rows"]}


def mech_lines(models: Iterable[MechModel], order: str) -> list[MechLine]:
    """Return the lines of the list by price, by falling price, by name or by tons."""
    keys = {
        "price": lambda model: (model.cost, model.name),
        "-price": lambda model: (-model.cost, model.name),
        "name": lambda model: (sort_key(model.name), model.cost),
        "tons": lambda model: (model.tons, model.cost),
    }
    return [MechLine(model, basis_of(model), equipment_names(model)) for model in sorted(models, key=keys[order])]


def equipment_names(model: MechModel) -> tuple[str | Promise, ...]:
    """Return what of a 'Mech's technology and equipment a rule asks for."""
    marks: list[str | Promise] = [TECHNOLOGY_NAMES["clan"]] if model.is_clan else []
    if model.omni:
        marks.append(_("Omni"))
    return (*marks, *(name for flag, name in FLAG_NAMES.items() if flag in model.flags))


def basis_of(model: MechModel) -> str | Promise:
    """Return where the cost of a 'Mech comes from."""
    own = house_list().get(model.id)
    if own is None or own.cost != model.cost:
        return _("the GM’s")
    return BASIS_NAMES[_bases()[model.id]]


def changes_of_list(book: Book) -> list[MechChange]:
    """Return the last changes of the list that nobody has undone, the newest first."""
    found: list[MechChange] = []
    for row in reversed(book.rows):
        if row.kind == MECHS and row.number not in book.undone and len(found) < MOST_CHANGES:
            mechs = row.document["mechs"]
            taken = sum(document is None for document in mechs.values())
            first = next(iter(mechs), "")
            name = (mechs[first] or {}).get("name", first) if first else ""
            found.append(MechChange(row.number, len(mechs) - taken, taken, name))
    return found
