"""The printed tables of the Challenge: each row is there, and both printings differ where they are printed so."""

from __future__ import annotations

import pytest

from rules.challenge.custom import may_add
from rules.challenge.state import Event
from rules.challenge.tables import PRINTINGS, Tables, read_data


@pytest.mark.parametrize("printing", PRINTINGS)
def test_every_printed_row_is_there(printing: str) -> None:
    tables = Tables.of(printing)
    members = list(tables.memberships.values())
    assert len(tables.rows) == 41
    assert len(tables.abilities) == 36
    assert [member.is_stable for member in members].count(True) == 26
    assert [member.is_stable for member in members].count(False) == 14
    assert len(tables.brackets) == 12
    assert len(tables.newcomers) == 4


def test_the_repair_table_has_its_twelve_rows() -> None:
    repair = read_data("repair")
    free = ("armor", "ammunition")
    rows = [*free, *repair["full_percent"], *(row["part"] for row in repair["spot"]), "ejected", "healing"]
    assert len(rows) == 12
    assert repair["ejected_percent"] == 5
    assert repair["healing"] == 50_000


def test_abilities_by_tier() -> None:
    tiers = [ability.tier for ability in Tables.of().abilities.values()]
    assert [tiers.count(tier) for tier in (1, 2, 3, 4)] == [8, 12, 12, 4]


def test_what_no_wound_takes() -> None:
    immune = {ability.id for ability in Tables.of().abilities.values() if ability.wound_immune}
    assert immune == {"elite_mech_crew", "toughness", "edge", "loan", "affiliation_declare", "affiliation_change"}


def test_uncanny_luck_alone_has_a_token() -> None:
    assert [ability.id for ability in Tables.of().abilities.values() if ability.once] == ["uncanny_luck"]


def test_brackets_rise_to_the_hard_ceiling() -> None:
    tables = Tables.of()
    assert list(tables.brackets) == sorted(set(tables.brackets))
    assert tables.brackets[-1].most == tables.loan_ceiling == 8_000_000


def test_the_printings_differ_in_two_figures() -> None:
    body, reference = (Tables.of(printing) for printing in PRINTINGS)
    assert {part for part in body.spot if body.spot[part] != reference.spot[part]} == {"other"}
    changed = {name for name in body.memberships if body.memberships[name] != reference.memberships[name]}
    assert changed == {"delon"}
    assert body.rows == reference.rows


def test_stables_with_the_clan_mark() -> None:
    marked = {member.id for member in Tables.of().memberships.values() if member.clan}
    assert marked == {"banshee", "cenotaph", "overlord", "zellbriggen"}


def test_stables_with_ammunition_of_their_own() -> None:
    own = {member.id for member in Tables.of().memberships.values() if member.ammunition}
    assert own == {"huntsman", "lion_city", "silver_dragons"}


def test_what_sponsors_want_is_twice_what_they_give() -> None:
    sponsors = {member.id: member for member in Tables.of().memberships.values() if not member.is_stable}
    assert (sponsors["vest"].least_earnings, sponsors["vest"].favour) == (1_000_000, 16)
    assert (sponsors["solaris_prison"].least_earnings, sponsors["solaris_prison"].favour) == (0, 10)


def test_every_stable_builds_something_in() -> None:
    event = Event()
    stables = [member.id for member in event.printed.memberships.values() if member.is_stable]
    assert all(may_add(event, stable) for stable in stables)
    assert "weapons" in may_add(event, "banshee")
    assert "weapons" not in may_add(event, "toranaga")
