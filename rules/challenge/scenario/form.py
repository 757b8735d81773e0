"""The form of a scenario of the Challenge, and the event that it sets up. docs/scenarios.md describes each key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from rules.challenge.book.setup import CHIP_COLOURS, CHOSEN_OPTIONS, EARLY_LEAVING, MECH, SWITCHES
from rules.challenge.entries import NAME, TRUTH
from rules.challenge.mechs import COUNTED, Mech, MechModel
from rules.challenge.quotes.trade import base_price
from rules.challenge.state import (
    MINIMUM_TURNS,
    STAGES,
    Chip,
    Event,
    Loan,
    OwnedAbility,
    Pilot,
    Team,
)
from rules.challenge.switches import Switches
from rules.challenge.worth import Worth
from rules.core.refusals import Malformed
from rules.core.shape_checks import Check, check_of, place
from rules.core.shapes import ANYTHING, Schema, each, listed, or_null, record, text, whole, word

_NUMBER = whole(-(10**10), 10**10)
_COUNT = whole(0, 999)
_TEXTS = listed(text(60), 0, 100)

_OWNED = record(
    {
        "id": NAME,
        "state": word("intact", "crippled", "destroyed"),
        "ejected": TRUTH,
        "spot": record(dict.fromkeys(COUNTED, _COUNT), []),
        "paid": whole(0, 10**9),
        "book": whole(0, 10**9),
        "built_by": or_null(NAME),
        "team": or_null(NAME),
    },
    ["id"],
)
_ABILITY: Schema = {
    "if": {"type": "string"},
    "then": NAME,
    "else": record({"id": NAME, "choice": text(60), "suspended": TRUTH}, ["id"]),
}
_KILLS = record({"solo": _COUNT, "assisted": _COUNT}, [])
_PILOT = record(
    {
        "player": NAME,
        "fame": _NUMBER,
        "cp": _NUMBER,
        "c_bills": _NUMBER,
        "house": or_null(text(10)),
        "abilities": listed(_ABILITY, 0, 40),
        "stable": or_null(NAME),
        "sponsors": _TEXTS,
        "closed": _TEXTS,
        "dropped": _TEXTS,
        "loan": or_null(record({"limit": _COUNT | {"maximum": 10**9}, "owed": _COUNT | {"maximum": 10**9},
                                "lender": or_null(NAME), "stable": or_null(NAME)}, [])),
        "wounds": whole(0, 6),
        "edge": whole(0, 9),
        "tokens": _TEXTS,
        "chips": _TEXTS,
        "in_arena_since": or_null(_COUNT),
        "table": NAME,
        "left_turn": or_null(_COUNT),
        "earned": _COUNT | {"maximum": 10**10},
        "coupon": TRUTH,
        "approved": TRUTH,
        "card": or_null(whole(1, 99)),
        "sheets_in": TRUTH,
        "forfeited": TRUTH,
        "auto_eject": TRUTH,
        "rebar": TRUTH,
        "alive": TRUTH,
        "unconscious_since": or_null(_COUNT),
        "team": or_null(NAME),
        "mech": or_null(_OWNED),
        "kills": _KILLS,
        "day_kills": _KILLS,
        "final_kills": _KILLS,
    },
    [],
)  # fmt: skip
_TEAM = record({"fame": _NUMBER, "cp": _NUMBER, "c_bills": _NUMBER, "sponsor": or_null(NAME)}, [])
SCENARIO: Schema = record(
    {
        "game": word("challenge"),
        "title": ANYTHING,
        "rules": ANYTHING,
        "why": ANYTHING,
        "event": record(
            {
                "switches": SWITCHES,
                "options": CHOSEN_OPTIONS,
                "minimum_turns": whole(0, 99),
                "chip_colours": CHIP_COLOURS,
                "early_leaving": EARLY_LEAVING,
                "finalists": _TEXTS,
                "stage": word(*STAGES),
                "turn": whole(1, 999),
                "most_value": or_null(whole(0, 10**9)),
                "class": or_null(text(10)),
            },
            [],
        ),
        "mechs": each(MECH),
        "pilots": each(_PILOT),
        "teams": each(_TEAM),
        "entries": {"type": "array", "items": ANYTHING},
        "expect": each(ANYTHING),
    },
    ["game"],
)


@cache
def _check() -> Check:
    return check_of(SCENARIO)


def read_event(document: Mapping[str, Any]) -> Event:
    """Return the event that a scenario sets up. Raises Malformed (bad_challenge) for a fault or an unknown name."""
    fault = next(_check().faults(document), None)
    if fault is not None:
        raise Malformed("bad_challenge", field=place(fault.path)[1] or "", problem=fault.code, **fault.parameters)
    setup = document.get("event") or {}
    event = Event(
        switches=Switches.read(setup.get("switches") or {}),
        options=frozenset(setup.get("options") or ()),
        minimum_turns=setup.get("minimum_turns", MINIMUM_TURNS),
        most_value=setup.get("most_value"),
        allowed_class=setup.get("class"),
        stage=setup.get("stage", STAGES[0]),
        chip_colours=setup.get("chip_colours") or {},
        early_leaving=Worth(**setup["early_leaving"]) if "early_leaving" in setup else None,
        finalists=tuple(setup["finalists"]) if "finalists" in setup else None,
        models={name: MechModel.read(name, mech) for name, mech in (document.get("mechs") or {}).items()},
    )
    for name, log in (document.get("teams") or {}).items():
        sponsor = log.get("sponsor")
        event.teams[name] = Team(
            name, [], log.get("fame", 0), log.get("cp", 0), log.get("c_bills", 0),
            _known(event.printed.memberships, sponsor, f"teams.{name}.sponsor") if sponsor else None,
        )  # fmt: skip
    for name, pilot in (document.get("pilots") or {}).items():
        event.pilots[name] = _pilot(event, name, pilot)
    for name, table in event.tables.items():
        table.turn = setup.get("turn", 1)
        table.crippled_before = {
            pilot.id
            for pilot in event.pilots.values()
            if pilot.table == name and pilot.is_in_arena and pilot.mech and pilot.mech.state == "crippled"
        }
    return event


def _pilot(event: Event, name: str, document: Mapping[str, Any]) -> Pilot:
    where = f"pilots.{name}"
    printed = event.printed
    pilot = Pilot(name, document.get("player", name), edge=document.get("edge", 0))
    for key in ("fame", "cp", "c_bills", "house", "wounds", "coupon", "alive", "table", "in_arena_since", "earned",
                "unconscious_since", "team", "approved", "card", "sheets_in", "forfeited", "auto_eject",
                "rebar"):  # fmt: skip
        if key in document:
            setattr(pilot, key, document[key])
    for ability in document.get("abilities") or ():
        given: Mapping[str, Any] = {"id": ability} if isinstance(ability, str) else ability
        found = _known(printed.abilities, given["id"], f"{where}.abilities")
        pilot.abilities.append(OwnedAbility(found, given.get("choice"), given.get("suspended", False)))
    once = {owned.ability.id for owned in pilot.abilities if owned.ability.once}
    pilot.tokens = set(document.get("tokens", once))
    if document.get("stable"):
        pilot.stable = _known(printed.memberships, document["stable"], f"{where}.stable")
    for sponsor in document.get("sponsors") or ():
        pilot.sponsors.append(_known(printed.memberships, sponsor, f"{where}.sponsors"))
    pilot.closed, pilot.dropped = set(document.get("closed") or ()), set(document.get("dropped") or ())
    if document.get("loan"):
        pilot.loan = Loan(**{"drawn": pilot.c_bills < 0, **document["loan"]})
    _set_kills(pilot, document)
    for row in document.get("chips") or ():
        pilot.chips.append(Chip(row, _known(printed.rows, row, f"{where}.chips").worth, name))
    if document.get("mech"):
        pilot.mechs.append(_mech(event, document["mech"], f"{where}.mech"))
    pilot.sheets_in = document.get("sheets_in", not pilot.is_in_arena)
    table = event.table(pilot.table)
    if pilot.is_in_arena and pilot.mech:
        table.models[name] = pilot.mech.model
    if document.get("left_turn") is not None:
        pilot.left_turns = {pilot.table: document["left_turn"]}
    if pilot.team is not None:
        event.teams.setdefault(pilot.team, Team(pilot.team, [])).members.append(name)
    return pilot


def _set_kills(pilot: Pilot, document: Mapping[str, Any]) -> None:
    for key, kills in (("kills", pilot.kills), ("day_kills", pilot.day_kills), ("final_kills", pilot.final_kills)):
        given = document.get(key) or {}
        kills.solo, kills.assisted = given.get("solo", 0), given.get("assisted", 0)


def _mech(event: Event, document: Mapping[str, Any], where: str) -> Mech:
    model: MechModel = _known(event.models, document["id"], where)
    price = int(base_price(event, model)) if event.switches.clan_base == "raised" else model.cost
    book = document.get("book", price)
    return Mech(
        model, book, document.get("paid", book), document.get("state", "intact"), document.get("ejected", False),
        dict(document.get("spot") or {}), document.get("built_by"), document.get("team"),
    )  # fmt: skip


def _known(names: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in names:
        raise Malformed("bad_challenge", field=where, problem="unknown_key", key=name)
    return names[name]
