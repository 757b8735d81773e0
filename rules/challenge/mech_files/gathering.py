"""What several files say together: the 'Mechs of .mtf files with the costs of an export, and the names of a force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.challenge.book.price_list import id_of, key_of
from rules.challenge.book.setup import model_document
from rules.challenge.mech_files.archive import members
from rules.challenge.mech_files.costing import read_mtf
from rules.challenge.mech_files.csv_export import read_export
from rules.challenge.mech_files.mul import read_force
from rules.challenge.mech_files.reading import LONGEST_ITEM, MOST_MECHS, FileMech, Unread, Unreadable, clean
from rules.challenge.mechs import MechModel


@dataclass(frozen=True, slots=True)
class Offered:
    """A 'Mech of the files beside the list: its id there, what it would cost, and the model that it replaces, if any.

    `cost` is None while nobody knows it. `source` says whose it is: `formula`, `file`, `typed`, or `list` for the price
    that the list has already.
    """

    id: str
    mech: FileMech
    old: MechModel | None
    cost: int | None
    source: str

    def document(self) -> dict[str, Any]:
        """Return the 'Mech as the list takes it. What its files do not say stays as the list has it."""
        mech = self.mech
        found: dict[str, Any] = model_document(self.old) if self.old is not None else {"name": mech.name}
        found |= {"tons": mech.tons, "tech": mech.tech, "omni": mech.omni, "cost": self.cost}
        found |= {"walk": mech.walk, "run": (mech.walk * 3 + 1) // 2, "jump": mech.jump}
        if mech.flags is not None:
            found["flags"] = list(mech.flags)
        if mech.open_leg_slots is not None:
            found["open_leg_slots"] = list(mech.open_leg_slots)
        return found


@dataclass(frozen=True, slots=True)
class MechFiles:
    """What files say: their 'Mechs, names that a force has without any file of them, and what cannot be taken."""

    mechs: tuple[FileMech, ...]
    named: tuple[str, ...]
    unread: tuple[Unread, ...] = ()

    def beside(
        self, models: Mapping[str, MechModel], typed: Mapping[str, int] | None = None, keep: bool = False
    ) -> list[Offered]:
        """Return each 'Mech beside the list of an event.

        A typed price, by id, counts before all others; with `keep` the list's own price counts next. An unknown cost
        stays as the list has it, or None.
        """
        known = _ids(models)
        found = []
        for mech in self.mechs:
            own = known.get(key_of(mech.name))
            id_, old = own or id_of(mech.name), models[own] if own else None
            price = (typed or {}).get(id_)
            if price is not None:
                found.append(Offered(id_, mech, old, price, "typed"))
            elif old is not None and (keep or mech.cost is None):
                found.append(Offered(id_, mech, old, old.cost, "list"))
            else:
                found.append(Offered(id_, mech, old, mech.cost, mech.basis))
        return found

    def lacking(self, models: Mapping[str, MechModel]) -> list[str]:
        """Return the names of a force that neither the list nor a file knows."""
        known = _ids(models)
        return [name for name in self.named if key_of(name) not in known]

    def change(
        self, models: Mapping[str, MechModel], offered: Iterable[Offered], only: bool = False
    ) -> dict[str, dict[str, Any] | None]:
        """Return the change of the list (`setup.change_list`); a 'Mech without a cost is left out.

        With `only` all 'Mechs go that no file brings or names.
        """
        found: dict[str, dict[str, Any] | None] = {}
        if only:
            known = _ids(models)
            stay = {known.get(key_of(name)) for name in self.named}
            found |= dict.fromkeys(id_ for id_ in models if id_ not in stay)
        for each in offered:
            if each.cost is not None:
                found[each.id] = each.document()
            elif each.old is not None:
                found.pop(each.id, None)
        return found


def _ids(models: Mapping[str, MechModel]) -> dict[str, str]:
    return {key_of(model.name or id_): id_ for id_, model in models.items()}


def read_files(files: Iterable[tuple[str, bytes]]) -> MechFiles:
    """Return what files say, by their names and contents. Nothing is raised: what cannot be taken is named."""
    sheets: list[tuple[str, FileMech]] = []
    exported: list[tuple[str, FileMech]] = []
    named: dict[str, None] = {}
    unread: list[Unread] = []
    for name, data in files:
        shown = clean(name, LONGEST_ITEM)
        ending = name.casefold().rpartition(".")[2]
        try:
            if ending == "csv":
                found, faults = read_export(shown, data)
                exported += [(shown, mech) for mech in found]
                unread += faults
            elif ending == "mul":
                named |= dict.fromkeys(read_force(data))
            elif ending in ("mtf", "zip"):
                for member, content in _sheets(shown, data, ending):
                    _read_sheet(member, content, sheets, unread)
            else:
                raise Unreadable("unknown_ending")
        except Unreadable as fault:
            unread.append(Unread(shown, fault.why))
    mechs, twice = joined(sheets)
    more, again = joined(exported)
    mechs = _with_costs(mechs, more)
    if len(mechs) > MOST_MECHS:
        unread.append(Unread(mechs[MOST_MECHS].name, "too_many"))
    mechs = mechs[:MOST_MECHS]
    keys = {key_of(mech.name) for mech in mechs}
    named = {name: None for name in list(named)[:MOST_MECHS] if key_of(name) not in keys}
    return MechFiles(tuple(mechs), tuple(named), (*unread, *twice, *again))


def _sheets(name: str, data: bytes, ending: str) -> Iterator[tuple[str, bytes | Unreadable]]:
    if ending == "mtf":
        yield name, data
    else:
        yield from members(data)


def _read_sheet(
    name: str, content: bytes | Unreadable, sheets: list[tuple[str, FileMech]], unread: list[Unread]
) -> None:
    try:
        if isinstance(content, Unreadable):
            raise content
        sheets.append((name, read_mtf(content)))
    except Unreadable as fault:
        unread.append(Unread(name, fault.why))


def joined(found: Iterable[tuple[str, FileMech]]) -> tuple[list[FileMech], list[Unread]]:
    """Return each 'Mech once, and those that come a second time."""
    kept: dict[str, FileMech] = {}
    twice: list[Unread] = []
    for where, mech in found:
        if kept.setdefault(key_of(mech.name), mech) is not mech:
            twice.append(Unread(f"{where}: {mech.name}" if where != mech.name else where, "twice"))
    return list(kept.values()), twice


def _with_costs(sheets: list[FileMech], exported: list[FileMech]) -> list[FileMech]:
    """Return the 'Mechs of sheets with the costs of an export, then those that only the export has."""
    costs = {key_of(mech.name): mech for mech in exported}
    found = []
    for mech in sheets:
        other = costs.pop(key_of(mech.name), None)
        found.append(replace(mech, cost=other.cost, basis=other.basis) if other and other.cost else mech)
    return [*found, *costs.values()]
