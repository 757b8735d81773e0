"""The printed tables of the Challenge, read from `data`: one row each, typed.

Each file names its source. Where the two printings of a row differ, `Tables.of` takes the one that the event's switch
names (MCQ-DIF-01, MCQ-DIF-02).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from rules.challenge.worth import Worth

DATA = Path(__file__).parent / "data"
PRINTINGS = ("body", "reference")
"""The tables within the text, and those of the reference sheets at its end."""

AWARD_TABLES = ("kills", "crippling", "special", "flashy")


class AwardRow(NamedTuple):
    """A row of the event table (MC-EVT-01): its name as `kills.G`, and what it is worth.

    Rows of kills and cripples have a class difference, -3 to 3; those of kills say whether they are for one claimant.
    """

    row: str
    name: str
    worth: Worth
    class_difference: int | None = None
    solo: bool | None = None

    @property
    def table(self) -> str:
        """The table that the row stands in."""
        return self.row.partition(".")[0]


class FameEvent(NamedTuple):
    """What a stable or sponsor gives or takes when something happens; `least` is the damage it starts at, if any."""

    on: str
    worth: Worth
    least: int = 0


@dataclass(frozen=True, slots=True)
class Effects:
    """What a stable or sponsor changes in the books. Percentages are points, so -20 makes 100 C-bills 80."""

    repair_percent: int = 0
    repair_percent_per_cp: int = 0
    most_repair_cp: int = 0
    repair_percent_after_failed_rolls: int = 0
    spot_repair_percent: int = 0
    free_healing: bool = False
    purchase_percent: Mapping[str, int] = field(default_factory=dict)
    """By effective class, `clan`, or `all`."""
    equipped_percent: int = 0
    equipped_with: tuple[str, ...] = ()
    physical_weapon_percent: int = 0
    customises: bool = False
    moves: str = ""
    """What it may place elsewhere in a 'Mech: leg_equipment or physical_weapons."""
    resale_percent: int = 75
    unrepaired_sale_percent: Mapping[str, int] = field(default_factory=dict)
    """By state of the 'Mech."""
    loan_brackets: int = 0
    most_edge: int = 0
    ability_cp_percent: int = 0
    extra_ability_cp: int = 0
    cp_per_million: int = 0
    cycle_bonus_cp: int = 0
    cycle_bonus_from: int = 0
    ammunition_cp: int = 0
    clan_weapons_on: int = 0
    """The least of two dice that may replace a disabled weapon; 0: none is replaced."""
    death_save: int = 0
    """The least of two dice that saves a killed pilot; 0: nothing does."""
    award_class_shift: int = 0
    withdraws_crippled: bool = False
    no_award_with_own_ammunition: str = ""
    initiative_places: int = 0


@dataclass(frozen=True, slots=True)
class Membership:
    """A stable or a sponsor. Fame is only asked for, CP are paid; C-bills are paid to a stable and come from a sponsor.

    `house` is the affiliation that it asks for, None for none. `excludes` names the kinds whose effects do not add to
    its own in one transaction (MCQ-REP-11).
    """

    id: str
    kind: str
    name: str
    house: str | None
    fame: int
    cp: int
    c_bills: int
    effects: Effects
    clan: bool = False
    gunnery_bonus: bool = False
    ammunition: tuple[str, ...] = ()
    mechs: Mapping[str, Any] = field(default_factory=dict)
    excludes: frozenset[str] = frozenset()
    events: tuple[FameEvent, ...] = ()
    text: tuple[str, ...] = ()

    @property
    def is_stable(self) -> bool:
        """Whether it is a stable."""
        return self.kind == "stable"

    @property
    def least_earnings(self) -> int:
        """The C-bills that a sponsor wants to see earned in an arena cycle (MC-ADVSP-01)."""
        return 2 * self.c_bills

    @property
    def favour(self) -> int:
        """The Fame that keeps a sponsor who saw too little (MC-ADVSP-05)."""
        return 2 * self.fame


@dataclass(frozen=True, slots=True)
class Ability:
    """A pilot's ability, or another thing that pilots buy (tier 4). `choice` is what its buyer must name."""

    id: str
    name: str
    tier: int
    cp: int
    c_bills: int
    needs: str | None = None
    once: bool = False
    wound_immune: bool = False
    not_with: tuple[str, ...] = ()
    choice: str | None = None
    gunnery: int | None = None
    piloting: int | None = None
    text: str = ""


class Tier(NamedTuple):
    """What a tier asks for: Fame at the purchase, and the most of it in a career; None for no limit."""

    fame: int | None
    most: int | None


class Bracket(NamedTuple):
    """A step of the loan table: from this Fame on, this many C-bills at most."""

    fame: int
    most: int


class SpotPrice(NamedTuple):
    """What mending one damaged part costs: a share of the book cost, or C-bills."""

    percent: int = 0
    c_bills: int = 0


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables, as one printing has them."""

    rows: Mapping[str, AwardRow]
    chip_colours: Mapping[str, str]
    abilities: Mapping[str, Ability]
    tiers: Mapping[int, Tier]
    extra_ability_cp: Mapping[int, int]
    memberships: Mapping[str, Membership]
    houses: Mapping[str, str]
    leaving: Mapping[str, Worth]
    member_events: tuple[FameEvent, ...]
    brackets: tuple[Bracket, ...]
    loan_ceiling: int
    loan_cp: int
    stablemate_fee_percent: int
    full_repair_percent: Mapping[str, int]
    ejected_percent: int
    spot: Mapping[str, SpotPrice]
    healing: int
    coupon_percent: int
    newcomers: Mapping[str, Worth]

    @staticmethod
    def of(printing: str = "body") -> Tables:
        """Return the tables of a printing, body or reference."""
        return _tables(printing)

    def kill_row(self, difference: int, solo: bool) -> AwardRow:
        """Return the row of a kill of a 'Mech `difference` classes higher, -3 to 3."""
        return self._row_of("kills", difference, solo)

    def cripple_row(self, difference: int) -> AwardRow:
        """Return the row of a cripple."""
        return self._row_of("crippling", difference, None)

    def _row_of(self, table: str, difference: int, solo: bool | None) -> AwardRow:
        return next(
            row
            for row in self.rows.values()
            if row.table == table and row.class_difference == difference and row.solo is solo
        )


def read_data(name: str) -> Any:
    """Return a file of `data` as JSON."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def _worth(row: Mapping[str, Any]) -> Worth:
    return Worth(row.get("fame", 0), row.get("cp", 0), row.get("c_bills", 0))


def _events(rows: list[Mapping[str, Any]]) -> tuple[FameEvent, ...]:
    return tuple(FameEvent(row["on"], _worth(row), row.get("from", 0)) for row in rows)


def _with_tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}


def _membership(row: Mapping[str, Any], printing: str) -> Membership:
    effects = _with_tuples(row.get("effects", {}))
    return Membership(
        **{key: row[key] for key in ("id", "kind", "name", "house", "fame", "cp", "c_bills")},
        effects=Effects(**effects),
        clan=row.get("clan", False) or (printing == "reference" and row.get("clan_on_the_reference_sheet", False)),
        gunnery_bonus=row.get("gunnery_bonus", False),
        ammunition=tuple(row.get("ammunition", ())),
        mechs=row.get("mechs", {}),
        excludes=frozenset(row.get("excludes", ())),
        events=_events(row.get("events", [])),
        text=tuple(row.get("text", ())),
    )


@cache
def _tables(printing: str) -> Tables:
    awards, abilities, loans, repair = (read_data(name) for name in ("awards", "abilities", "loans", "repair"))
    stables, sponsors = read_data("stables"), read_data("sponsors")
    spot = {}
    for row in repair["spot"]:
        printed = row.get("c_bills_on_the_reference_sheet") if printing == "reference" else None
        spot[row["part"]] = SpotPrice(row.get("percent", 0), printed or row.get("c_bills", 0))
    return Tables(
        rows={
            row["row"]: AwardRow(row["row"], row["name"], _worth(row), row.get("class_difference"), row.get("solo"))
            for row in awards["rows"]
        },
        chip_colours=awards["chip_colours"],
        abilities={row["id"]: Ability(**_with_tuples(row)) for row in abilities["abilities"]},
        tiers={row["tier"]: Tier(row["fame"], row["most"]) for row in abilities["tiers"]},
        extra_ability_cp={int(number): cp for number, cp in abilities["extra_cp"].items()},
        memberships={row["id"]: _membership(row, printing) for row in stables["rows"] + sponsors["rows"]},
        houses=stables["houses"],
        leaving={"stable": _worth(stables["leaving"]), "sponsor": _worth(sponsors["leaving"])},
        member_events=_events(stables["events"]),
        brackets=tuple(Bracket(row["fame"], row["most"]) for row in loans["brackets"]),
        loan_ceiling=loans["hard_ceiling"],
        loan_cp=loans["cp"],
        stablemate_fee_percent=loans["stablemate_fee_percent"],
        full_repair_percent=repair["full_percent"],
        ejected_percent=repair["ejected_percent"],
        spot=spot,
        healing=repair["healing"],
        coupon_percent=repair["coupon_percent"],
        newcomers={row["class"]: _worth(row) for row in read_data("new_players")["rows"]},
    )
