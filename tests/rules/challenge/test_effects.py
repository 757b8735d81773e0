"""Each effect that a stable or sponsor has on the books moves a figure; none stands in the tables for nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import pytest

from rules.challenge.custom import may_add
from rules.challenge.mechs import Mech, MechModel
from rules.challenge.off_board.learning import next_seller
from rules.challenge.off_board.money import loan_ceiling
from rules.challenge.quotes.learning import ability_quote
from rules.challenge.quotes.repair import healing_price, repair_quote
from rules.challenge.quotes.trade import purchase_quote, sale_quote
from rules.challenge.state import Event, OwnedAbility, Pilot
from rules.challenge.tables import Effects, Membership, Tables

MODELS = {
    "light": MechModel("light", 30, 4_000_000),
    "medium": MechModel("medium", 50, 4_000_000),
    "heavy": MechModel("heavy", 70, 4_000_000),
    "clan": MechModel("clan", 50, 4_000_000, tech="clan"),
    "equipped": MechModel("equipped", 90, 4_000_000, flags=frozenset({"ecm"})),
}
DAMAGE = {"structure": 1}


def prices(member: Membership | None) -> Mapping[str, Any]:
    """All figures of a pilot's books that a membership may move."""
    event = Event(options=frozenset({"clan_mechs"}))
    pilot = Pilot("ross", "ross", stable=member if member and member.is_stable else None)
    pilot.sponsors = [member] if member and not member.is_stable else []
    known = event.printed.abilities
    pilot.abilities = [OwnedAbility(known[name]) for name in ("cool_hand", "dodge", "jump_master")]
    damaged = Mech(MODELS["medium"], 4_000_000, 4_000_000, "crippled", damage=dict(DAMAGE))
    wreck = Mech(MODELS["medium"], 4_000_000, 4_000_000, "destroyed")
    tried = Pilot("jo", "jo", stable=pilot.stable, sponsors=pilot.sponsors, replacement_rolls=[False])
    return {
        "full": repair_quote(event, pilot, damaged, "full").c_bills,
        "full_with_cp": repair_quote(event, pilot, damaged, "full", 5).c_bills,
        "spot": repair_quote(event, pilot, damaged, "spot").c_bills,
        "after_failed_rolls": repair_quote(event, tried, damaged, "full").c_bills,
        "healing": healing_price(event, pilot, 1),
        "purchases": [purchase_quote(event, pilot, model).c_bills for model in MODELS.values()],
        "sale": sale_quote(event, pilot, Mech(MODELS["medium"], 4_000_000, 4_000_000)).c_bills,
        "unrepaired": [sale_quote(event, pilot, mech, repaired=False).c_bills for mech in (damaged, wreck)],
        "loan": loan_ceiling(event, pilot),
        "edge": pilot.most_edge,
        "ability": ability_quote(event, pilot, known["marksman"]).cp,
        "ammunition": next_seller(pilot) is not None,
        "custom": member is not None and member.effects.customises and bool(may_add(event, member.id)),
    }


PLAIN = prices(None)
IN_THE_BOOKS = frozenset(
    {
        "repair_percent", "repair_percent_after_failed_rolls", "spot_repair_percent", "free_healing",
        "purchase_percent", "equipped_percent", "resale_percent", "unrepaired_sale_percent", "loan_brackets",
        "most_edge", "ability_cp_percent", "extra_ability_cp", "ammunition_cp", "customises",
    }
)  # fmt: skip
"""Effects that a price, a ceiling or a leave shows; the others are of turns and are told by scenarios."""


def effects_of(member: Membership) -> set[str]:
    plain = Effects()
    found = {found.name for found in fields(Effects)}
    return {name for name in found if getattr(member.effects, name) != getattr(plain, name)}


MEMBERS = [member for member in Tables.of().memberships.values() if effects_of(member) & IN_THE_BOOKS]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.id)
def test_each_effect_reaches_a_price(member: Membership) -> None:
    assert prices(member) != PLAIN


@pytest.mark.parametrize("name", sorted(IN_THE_BOOKS))
def test_each_effect_is_somebodys(name: str) -> None:
    assert any(name in effects_of(member) for member in MEMBERS)


@pytest.mark.parametrize(
    "member",
    [member for member in Tables.of().memberships.values() if not effects_of(member) & IN_THE_BOOKS],
    ids=lambda member: member.id,
)
def test_all_others_leave_every_price_alone(member: Membership) -> None:
    assert prices(member) == PLAIN


MOVED: list[tuple[str, Callable[[Mapping[str, Any]], Any], Any]] = [
    ("fitzhugh", lambda found: found["full"], 1_080_000),
    ("hombres", lambda found: found["full"], 1_320_000),
    ("devalls", lambda found: found["full_with_cp"], 960_000),
    ("shatner", lambda found: (found["full"], found["spot"]), (1_200_000, 360_000)),
    ("oneals", lambda found: (found["full"], found["after_failed_rolls"]), (1_200_000, 1_140_000)),
    ("blakes_castaways", lambda found: found["purchases"], [4_000_000, 3_400_000, 3_400_000, 5_100_000, 4_000_000]),
    ("zellbriggen", lambda found: found["purchases"][3], 5_400_000),
    ("larzellier", lambda found: found["purchases"][4], 3_200_000),
    ("mech_sales", lambda found: (found["sale"], found["full"]), (3_600_000, 1_380_000)),
    ("glass_tower", lambda found: found["loan"], 400_000),
    ("starlight", lambda found: found["edge"], 4),
    ("renegades", lambda found: found["ability"], 8),
    ("warner", lambda found: found["ability"], 15),
]


@pytest.mark.parametrize(("name", "figure", "value"), MOVED, ids=[name for name, _, _ in MOVED])
def test_the_figure_that_it_moves(name: str, figure: Callable[[Mapping[str, Any]], Any], value: Any) -> None:
    assert figure(prices(Tables.of().memberships[name])) == value
