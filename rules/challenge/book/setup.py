"""What a GM settles before and between sessions: switches, options, tables, limits, and the list of 'Mechs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any

from rules.challenge.entries import NAME, TRUTH
from rules.challenge.mech_list import house_list
from rules.challenge.mechs import CLASSES, FLAGS, LEAST_TONS, MOST_TONS, TECHNOLOGIES, MechModel
from rules.challenge.state import MINIMUM_TURNS, Event
from rules.challenge.switches import OPTIONS, TRUTHS, WORDS, Switches
from rules.challenge.tables import AWARD_TABLES
from rules.challenge.worth import Worth
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, check_of, place
from rules.core.shapes import Schema, each, listed, or_null, record, text, whole, word

MOST_TABLES, MOST_PORTALS = 8, 24
_COUNT = whole(0, 999)
MECH: Schema = record(
    {
        "name": text(60),
        "tons": whole(LEAST_TONS, MOST_TONS),
        "tech": word(*TECHNOLOGIES),
        "omni": TRUTH,
        "walk": _COUNT,
        "run": _COUNT,
        "jump": _COUNT,
        "cost": whole(0, 10**9),
        "flags": listed(word(*FLAGS), 0, len(FLAGS)),
        "open_leg_slots": listed(whole(0, 12), 2, 2),
    },
    ["tons", "cost"],
)
"""A 'Mech of the list, as `MechModel.read` takes it."""

SWITCHES: Schema = record(
    {
        found.name: (
            TRUTH if found.name in TRUTHS else word(*WORDS[found.name]) if found.name in WORDS else whole(0, 99)
        )
        for found in fields(Switches)
        if found.name != "assist_weight"
    }
    | {"assist_weight": {"enum": [0, 0.5, 1]}},
    [],
)
CHIP_COLOURS: Schema = record(dict.fromkeys(AWARD_TABLES, text(30)), [])
EARLY_LEAVING: Schema = record({"fame": _COUNT, "cp": _COUNT, "c_bills": whole(0, 10**9)}, [])
CHOSEN_OPTIONS: Schema = listed(word(*OPTIONS), 0, len(OPTIONS))

_TABLE = record({"id": NAME, "portals": {**listed(text(40), 0, MOST_PORTALS), "uniqueItems": True}}, ["id"])
SETUP: Schema = record(
    {
        "switches": SWITCHES,
        "options": CHOSEN_OPTIONS,
        "chip_colours": CHIP_COLOURS,
        "tables": {"type": "array", "items": _TABLE, "minItems": 1, "maxItems": MOST_TABLES},
        "house_list": TRUTH,
    },
    ["tables"],
)
"""What holds for the whole event, from its first entry on: a change of it is a change of all that came before."""

SESSION: Schema = record(
    {
        "label": text(60),
        "most_value": or_null(whole(0, 10**9)),
        "class": word(*CLASSES, None),
        "minimum_turns": whole(0, 99),
        "early_leaving": or_null(EARLY_LEAVING),
    },
    [],
)
"""What holds from now on (MC-LIMIT-01, MC-EXIT-01, MC-EXIT-02)."""

MECHS: Schema = record({"mechs": each(or_null(MECH))}, ["mechs"])
"""'Mechs that come into the list or replace one there; None takes one out."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table of the event: its name, and the names of its portals."""

    id: str
    portals: tuple[str, ...]


@cache
def _check_of(kind: str) -> Check:
    return check_of({"setup": SETUP, "session": SESSION, "mechs": MECHS}[kind])


def check_form(kind: str, document: Any) -> None:
    """Raise Malformed (bad_challenge) for a setup, a session or 'Mechs without the form of their kind."""
    fault = next(_check_of(kind).faults(document), None)
    if fault is not None:
        raise Malformed("bad_challenge", field=place(fault.path)[1] or kind, problem=fault.code, **fault.parameters)
    if kind != "setup":
        return
    ids = [table["id"] for table in document["tables"]]
    for number, table in enumerate(ids):
        if table in ids[:number]:
            first = f"tables[{ids.index(table)}]"
            raise Malformed("bad_challenge", field="tables", problem="duplicate_id", other=first)


def event_of(setup: Mapping[str, Any]) -> Event:
    """Return an event in which nothing has happened."""
    event = Event(
        switches=Switches.read(setup.get("switches") or {}),
        options=frozenset(setup.get("options") or ()),
        chip_colours=setup.get("chip_colours") or {},
        models=dict(house_list()) if setup.get("house_list", True) else {},
    )
    for table in setup.get("tables") or ():
        event.table(table["id"])
    return event


def tables_of(setup: Mapping[str, Any]) -> list[TableSetup]:
    """Return the tables in the GM's order."""
    return [TableSetup(table["id"], tuple(table.get("portals") or ())) for table in setup.get("tables") or ()]


def begin_session(event: Event, session: Mapping[str, Any]) -> None:
    """Let the limits of a session hold from now on; what it leaves out has no limit."""
    event.most_value = session.get("most_value")
    event.allowed_class = session.get("class")
    event.minimum_turns = session.get("minimum_turns", MINIMUM_TURNS)
    early = session.get("early_leaving")
    event.early_leaving = None if early is None else Worth(**early)


def change_list(event: Event, mechs: Mapping[str, Mapping[str, Any] | None]) -> None:
    """Bring 'Mechs into the list, replace them, or take them out; who owns one keeps it as it was."""
    for name, document in mechs.items():
        if document is None:
            event.models.pop(name, None)
        else:
            event.models[name] = MechModel.read(name, document)


def model_document(model: MechModel) -> dict[str, Any]:
    """Return a 'Mech of the list as `change_list` takes it."""
    document: dict[str, Any] = {
        "name": model.name, "tons": model.tons, "tech": model.tech, "omni": model.omni, "walk": model.walk,
        "run": model.run, "jump": model.jump, "cost": model.cost, "flags": sorted(model.flags),
    }  # fmt: skip
    if model.open_leg_slots is not None:
        document["open_leg_slots"] = list(model.open_leg_slots)
    return document


def affordable(
    models: Iterable[MechModel], c_bills: int, price: Callable[[MechModel], int] = attrgetter("cost")
) -> list[MechModel]:
    """Return 'Mechs with those first that `c_bills` buy, the dearest of them first; the others by price.

    `price` says what a buyer pays, the book cost where it is left out.
    """

    def place_of(model: MechModel) -> tuple[bool, int, str]:
        asked = price(model)
        return asked > c_bills, -asked if asked <= c_bills else asked, model.name

    return sorted(models, key=place_of)
