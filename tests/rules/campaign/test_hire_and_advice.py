"""The emergency hire, the sponsor's grant, and what the market answers an owner."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from rules.campaign.garage.repair import ABLE, ELIMINATED, SALVAGE, UNDAMAGED
from rules.campaign.line_ups.checks import OwnedGear, OwnedPilot, OwnedUnit, check_crew
from rules.campaign.market.advice import (
    Roster,
    can_field,
    can_fight,
    repair_outlook,
    survives_one_elimination,
    why_no_match,
)
from rules.campaign.market.hire import (
    Owned,
    _cheapest_crew,
    check_hire,
    emergency_pilots,
    hires_in_emergency,
    sponsor_grant,
)
from rules.campaign.market.prices import price_of
from rules.campaign.season.settings import SeasonSettings


def unit(key: str = "U-1", points: int = 100, unit_class: str = "light", **keys: Any) -> dict[str, Any]:
    found = {"id": key, "name": f"Unit {key}", "variant": "X-1", "class": unit_class, "rank": "green"}
    value = {"type": "ballistic", "targets": 1, "range": [0, 8]}
    return {**found, "points": points, "primary": value, "secondary": None, **keys}


def pilot(key: str = "P-1", points: int = 10, kind: str = "common", *classes: str) -> dict[str, Any]:
    requires = {"class": list(classes or ("light",))}
    found = {"id": key, "name": f"Pilot {key}", "kind": kind, "points": points, "alternative": None}
    return {**found, "requires": requires, "modifiers": {}, "ability": None}


def own(key: str = "U-1", state: str = UNDAMAGED, **keys: Any) -> OwnedUnit:
    return OwnedUnit(f"unit:{key}", unit(key, **keys), state)


SEAT = OwnedPilot("pilot:P-1", pilot())
RESERVE = OwnedPilot("pilot:P-2", pilot("P-2"))


@pytest.mark.parametrize(
    ("setting", "dies", "expected"),
    [(None, False, False), (None, True, True), (False, True, False), (True, False, True)],
)
def test_the_emergency_hire_follows_the_death_of_pilots(setting: bool | None, dies: bool, expected: bool) -> None:
    settings = SeasonSettings("light", emergency_hire=setting, house_rules={"pilot_death": dies})
    assert hires_in_emergency(settings) is expected


def test_only_a_stable_that_lacks_nothing_but_a_pilot_may_hire_and_only_a_common_one_who_fits() -> None:
    market = [pilot("P-1"), pilot("P-9", 10, "common", "heavy"), pilot("GS-1", 10, "gunslinger"), pilot("P-2", 61)]
    hireable = emergency_pilots([own()], [], market, "light")
    assert [one["id"] for one in hireable] == ["P-1"]
    assert emergency_pilots([own()], [SEAT], market, "light") == []
    assert emergency_pilots([own(state=ELIMINATED)], [], market, "light") == []
    assert emergency_pilots([replace(own(), sits_out=True)], [], market, "light") == []
    assert emergency_pilots([own(state=SALVAGE)], [], market, "light") == []
    assert emergency_pilots([own(unit_class="heavy")], [], market, "light") == []
    unable = OwnedPilot("pilot:P-9", market[1])
    assert [one["id"] for one in emergency_pilots([own()], [unable], market, "light")] == ["P-1"]
    assert check_hire("P-1", hireable) == []
    assert [one.code for one in check_hire("P-9", hireable)] == ["no_emergency"]


UNITS = [unit("U-1", 100), unit("U-2", 90), unit("U-3", 50, "medium")]
PILOTS = [pilot("P-1", 12), pilot("P-2", 8), pilot("P-3", 1, "common", "medium")]


def grant(capital: int, *owned: Owned, owed: int = 0, other: int = 0) -> int:
    return sponsor_grant(capital, owed, owned, other, UNITS, PILOTS, "light")


def test_a_sponsor_gives_exactly_what_the_cheapest_crew_costs_beyond_the_capital() -> None:
    assert grant(0) == 98
    assert grant(97) == 1
    assert grant(98) == 0
    assert grant(0, owed=1) == 0


def test_a_sponsor_counts_what_the_stable_has_and_could_sell() -> None:
    assert grant(0, Owned(own(), worth=100), Owned(pilot=SEAT, worth=10)) == 0
    # The pilot it has is kept; the unit is missing.
    assert grant(0, Owned(pilot=SEAT, worth=10)) == 88
    assert grant(50, other=40) == 8
    # A damaged unit cannot be sold and is able; a pilot is missing.
    assert grant(0, Owned(own(state=ABLE), repair=50)) == 58
    # An eliminated one is repaired if that is the cheapest.
    assert grant(0, Owned(own(state=ELIMINATED), repair=75)) == 83
    assert grant(0, Owned(own(state=ELIMINATED), repair=100)) == 98


def test_nobody_gets_more_by_spending_first() -> None:
    poor = grant(60)
    assert grant(0, other=60) == poor == 38


def roster(*units: OwnedUnit, pilots: tuple[OwnedPilot, ...] = (SEAT,), **keys: Any) -> Roster:
    return Roster(units, pilots, "light", **keys)


@pytest.mark.parametrize(
    ("asked", "code", "rule"),
    [
        pytest.param(roster(), "no_unit", "R-FOR-01", id="no-unit"),
        pytest.param(roster(own(), pilots=()), "pilot_missing", "R-STB-03", id="no-pilot"),
        pytest.param(roster(own(state=ELIMINATED)), "unit_eliminated", "R-CRP-08", id="eliminated"),
        pytest.param(roster(replace(own(), sits_out=True)), "unit_sits_out", "R-CRP-09", id="sits-out"),
        pytest.param(roster(own(state=SALVAGE)), "only_salvage", "Q-155", id="salvage"),
        pytest.param(roster(own(points=155)), "over_build_total", None, id="too-dear"),
        pytest.param(roster(own(unit_class="heavy", points=120)), "wrong_class", None, id="class"),
    ],
)
def test_the_market_says_why_a_stable_cannot_field_anybody(asked: Roster, code: str, rule: str | None) -> None:
    answer = can_field(asked)
    assert answer.reason is not None
    assert (answer.is_yes, answer.reason.code, answer.reason.parameters.get("rule")) == (False, code, rule)


def test_r_crp_09_the_eliminated_are_no_help_for_the_coming_match_even_when_they_are_repaired() -> None:
    gone = (own(state=ELIMINATED), own("U-2", state=ELIMINATED))
    late = can_field(roster(*gone, sits_out_repaired=True)).reason
    assert late is not None
    assert (late.code, late.parameters) == ("repair_too_late", {"name": "Unit U-1", "rule": "R-CRP-09"})
    in_break = can_field(roster(*gone)).reason
    assert in_break is not None
    assert in_break.code == "unit_eliminated"


def test_of_units_that_lack_as_much_the_one_that_can_be_helped_is_named() -> None:
    units = (own(state=ELIMINATED), replace(own("U-3"), sits_out=True), own("U-2", state=SALVAGE))
    reason = can_field(roster(*units, sits_out_repaired=True)).reason
    assert reason is not None
    assert reason.code == "only_salvage"


def test_the_market_says_who_can_be_fielded() -> None:
    answer = can_field(roster(own(), own("U-2", points=120)))
    assert answer.is_yes
    assert [crew.unit for crew in answer.team] == ["unit:U-2"]


def test_q_154_two_units_need_two_pilots() -> None:
    two = (own(), own("U-2"))
    assert can_field(roster(*two, pilots=(SEAT, RESERVE)), 2).is_yes
    short = can_field(roster(*two), 2)
    assert short.reason is not None
    assert (short.is_yes, short.reason.code, len(short.team)) == (False, "one_crew_only", 1)


@pytest.mark.parametrize(
    ("asked", "team", "code"),
    [
        pytest.param(roster(own(), own("U-2")), ["unit:U-1"], "one_crew_only", id="Q-154"),
        pytest.param(roster(own(state=SALVAGE)), ["unit:U-1"], "only_salvage", id="Q-155"),
        pytest.param(roster(own(state=ELIMINATED), own("U-2", state=SALVAGE)), ["unit:U-2"], "only_salvage", id="last"),
        pytest.param(roster(own(), own("U-2"), pilots=(SEAT, RESERVE)), ["unit:U-1", "unit:U-2"], None, id="both"),
    ],
)
def test_q_154_q_155_whoever_has_one_legal_crew_can_fight(asked: Roster, team: list[str], code: str | None) -> None:
    assert why_no_match(asked) is None
    answer = can_fight(asked, 2)
    assert answer.is_yes
    assert [crew.unit for crew in answer.team] == team
    assert (answer.reason and answer.reason.code) == code


def test_who_can_fight_with_nobody_cannot_fight() -> None:
    asked = roster(own(state=ELIMINATED))
    assert (can_fight(asked).is_yes, can_fight(asked).reason) == (False, why_no_match(asked))


def test_r_crp_09_one_elimination_needs_a_second_unit_and_no_second_pilot() -> None:
    alone = survives_one_elimination(roster(own()))
    assert alone.reason is not None
    assert (alone.is_yes, alone.reason.code) == (False, "no_reserve")
    assert survives_one_elimination(roster(own(), own("U-2"))).is_yes
    assert not survives_one_elimination(roster(own(), own("U-2", state=ELIMINATED))).is_yes
    assert survives_one_elimination(roster()).reason == can_field(roster()).reason


def test_r_dth_01_where_pilots_die_the_reserve_needs_a_pilot_of_its_own() -> None:
    two = (own(), own("U-2"))
    assert not survives_one_elimination(roster(*two, pilots_die=True)).is_yes
    assert survives_one_elimination(roster(*two, pilots=(SEAT, RESERVE), pilots_die=True)).is_yes


def test_what_is_left_for_repairs_in_the_worst_case() -> None:
    states = {"a": UNDAMAGED, "b": ABLE, "c": ELIMINATED}
    costs, losses = {"a": 0, "b": 50, "c": 100}, {"a": 100, "b": 125, "c": 100}
    one = repair_outlook(400, states, costs, losses)
    assert (one.now, one.worst, one.left) == (150, 100, 150)
    two = repair_outlook(300, states, costs, losses, 2)
    assert (two.now, two.worst, two.left) == (150, 175, -25)


def test_the_cheapest_crew_is_that_of_all_pairs() -> None:
    rng = random.Random(1)
    for _ in range(150):
        units = [
            unit(f"U-{n}", rng.randint(60, 150), rng.choice(["light", "medium"])) for n in range(rng.randint(0, 6))
        ]
        pilots = [pilot(f"P-{n}", rng.randint(1, 60), "common", rng.choice(["light", "heavy"])) for n in range(5)]
        bodies = [replace(own(f"O-{n}", points=rng.randint(60, 160)), gear=worn(rng)) for n in range(rng.randint(0, 2))]
        owned = [Owned(one, worth=rng.randint(0, 90), repair=rng.randint(0, 90)) for one in bodies]
        owned.append(Owned(pilot=OwnedPilot("own", pilot("P-0", rng.randint(1, 60))), worth=rng.randint(0, 60)))
        prices = [(price_of("unit", one), OwnedUnit("", one, UNDAMAGED)) for one in units]
        prices += [(one.worth + one.repair, one.unit) for one in owned if one.unit]
        heads = [(price_of("pilot", one), OwnedPilot("", one)) for one in pilots]
        heads += [(one.worth, one.pilot) for one in owned if one.pilot]
        pairs = [cost + wage for cost, body in prices for wage, seat in heads if not check_crew(body, seat, "light")]
        assert _cheapest_crew(owned, units, pilots, "light") == min(pairs, default=None)


def worn(rng: random.Random) -> tuple[OwnedGear, ...]:
    """Gear that a unit carries, or none."""
    card = {"id": "G", "name": "G", "points": rng.choice([5, 40]), "slot": "speed", "requires": {}, "modifiers": {}}
    return (OwnedGear("g", {**card, "equipment": None}),) if rng.random() < 0.5 else ()
