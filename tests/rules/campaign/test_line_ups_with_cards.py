"""Line-ups with gear and rally cards, the switches about building, and who stands in for a missing line-up."""

from __future__ import annotations

from typing import Any

import pytest

from rules.campaign.line_ups.checks import (
    Crew,
    MatchTerms,
    best_team,
    check_crew,
    check_hand,
    check_size,
    check_team,
    crews,
    must_play,
)
from rules.campaign.line_ups.stand_ins import Wish, WishedCrew, nearest
from rules.campaign.line_ups.tokens import TokenChoices
from rules.solaris.house_rules import HouseRules
from tests.rules.campaign.cards import driver, held, mounted, owned


def codes(problems: Any) -> list[str]:
    return [problem.code for problem in problems]


@pytest.mark.parametrize(
    ("points", "gear", "pilots", "found"),
    [
        pytest.param(135, [mounted("g")], [driver("p")], [], id="R-BLD-08-equal"),
        pytest.param(136, [mounted("g")], [driver("p")], ["over_build_total"], id="R-BLD-08-one-more"),
        pytest.param(
            100, [mounted("g"), mounted("h", slot="attack")], [driver("p")], ["too_many_cards"], id="R-CEC-06"
        ),
        pytest.param(
            100, [mounted("g", requires={"class": ["heavy"]})], [driver("p")], ["gear_requires_class"], id="R-GER-02"
        ),
        pytest.param(100, [mounted("g", slot="either")], [driver("p")], ["gear_side_missing"], id="R-GER-05"),
        pytest.param(100, [mounted("g", slot="either", side="primary")], [driver("p")], [], id="R-GER-05-declared"),
    ],
)
def test_gear_counts_and_must_fit_in_a_line_up(points: int, gear: Any, pilots: Any, found: list[str]) -> None:
    assert codes(check_crew(owned("u", points=points, gear=tuple(gear)), pilots[0], "light")) == found


def test_r_crp_08_an_eliminated_unit_takes_its_gear_with_it() -> None:
    gone = owned("u", "eliminated", 10, gear=(mounted("g"),))
    assert codes(check_crew(gone, driver("p"), "light")) == ["unit_eliminated"]
    assert crews([gone], [driver("p")], "light") == []


def test_r_cec_01_r_for_04_gear_may_stay_at_home_and_is_no_excuse_from_the_duty_to_play() -> None:
    heavy_laden = owned("u", points=140, gear=(mounted("g"),))
    found = crews([heavy_laden], [driver("p", 15), driver("q", 8)], "light")
    assert [(crew.pilot, crew.gear, crew.points) for crew in found] == [
        ("q", ("g",), 158),
        ("p", (), 155),
        ("q", (), 148),
    ]
    assert must_play([heavy_laden], [driver("p", 15)], "light")


def test_r_bld_16_points_only_takes_every_class_under_the_total_of_the_match() -> None:
    terms = MatchTerms("heavy", house_rules=HouseRules(points_only=True))
    assert codes(check_crew(owned("u"), driver("p"), terms)) == []
    assert codes(check_crew(owned("u"), driver("p"), "heavy")) == ["wrong_class"]
    assert codes(check_crew(owned("u", points=270), driver("p"), terms)) == ["over_build_total"]


def test_q_114_a_team_may_share_its_total() -> None:
    terms = MatchTerms("light", "team", HouseRules(build_total_per="team", build_total=300))
    units = [owned("big", points=190), owned("small", points=80), owned("other", points=100)]
    pilots = [driver("p"), driver("q")]
    choices = crews(units, pilots, terms)
    team = best_team(choices, 2, terms)
    assert {crew.unit for crew in team} == {"big", "small"}, "big and other come to 320"
    assert codes(check_team(team, terms)) == []
    by_unit = {(crew.unit, crew.pilot): crew for crew in choices}
    assert codes(check_team([by_unit["big", "p"], by_unit["other", "q"]], terms)) == ["team_over_build_total"]
    per_unit = MatchTerms("light", "team", HouseRules(build_total=300))
    assert codes(check_team([by_unit["big", "p"], by_unit["other", "q"]], per_unit)) == []


def test_q_168_who_shares_a_side_brings_one_unit_and_half_of_a_shared_total() -> None:
    terms = MatchTerms("light", "team", HouseRules(build_total_per="team", build_total=300), sharing=2)
    assert terms.size == 1
    [dear] = crews([owned("u", points=140)], [driver("p", 11)], terms)
    assert codes(check_team([dear], terms)) == ["team_over_build_total"]


def test_r_fmt_13_capture_the_flag_takes_no_tokens() -> None:
    assert not MatchTerms("light", "capture_the_flag").takes_tokens
    assert MatchTerms("light", "team").takes_tokens
    assert not MatchTerms("light", house_rules=HouseRules(target_tokens=False)).takes_tokens


@pytest.mark.parametrize(
    ("hands", "found"),
    [
        pytest.param([[held(f"c{n}") for n in range(5)]], [], id="R-RAL-01-five"),
        pytest.param([[held(f"c{n}") for n in range(6)]], ["hand_too_large"], id="R-RAL-01-six"),
        pytest.param([[held("c1", "R-1"), held("c2", "R-1")]], ["hand_copy"], id="R-RAL-02"),
        pytest.param([[held("c1", "R-1")], [held("c2", "R-1")]], ["hand_copy"], id="Q-148-one-hand-a-stable"),
        pytest.param([[held(f"c{n}") for n in range(5)], [held(f"d{n}") for n in range(5)]], [], id="Q-148-ten"),
    ],
)
def test_hands(hands: Any, found: list[str]) -> None:
    assert codes(check_hand(hands, "Ash")) == found


UNITS = [owned("a", points=130), owned("b", points=120), owned("c", points=110)]
PILOTS = [driver("p"), driver("q"), driver("r")]
TOKENS = TokenChoices((("t1", 1), ("t2", 10), ("t3", 19), ("t4", 19), ("t5", 5), ("t6", 6)), 30)
TRIPLES = [("t1", "t2", "t3"), ("t1", "t2", "t4"), ("t3", "t5", "t6"), ("t4", "t5", "t6")]


def stand_in(
    wish: Wish, format_name: str = "standard", units: Any = UNITS, pilots: Any = PILOTS, cards: Any = ()
) -> Any:
    terms = MatchTerms("light", format_name)
    return nearest(wish, crews(units, pilots, terms), terms, cards, TOKENS)


def said(found: Any) -> list[tuple[str, str | None]]:
    return [(crew.unit, crew.pilot) for crew in found.crews]


def test_q_157_a_saved_line_up_that_is_legal_stands_as_it_is() -> None:
    wish = Wish((WishedCrew("c", "r", None, ("k",)), WishedCrew("a", "p")), ("t4", "t1", "t2"))
    found = stand_in(wish, "team", cards=[held("k"), held("l")])
    assert said(found) == [("c", "r"), ("a", "p")]
    assert (found.hands, found.tokens, found.is_as_wished) == ((("k",), ()), ("t4", "t1", "t2"), True)


@pytest.mark.parametrize(
    ("wish", "units", "pilots", "crew"),
    [
        pytest.param(WishedCrew("b", "q"), UNITS, PILOTS[:1], ("b", "p"), id="the-unit-stays-if-its-pilot-is-gone"),
        pytest.param(WishedCrew("gone", "q"), UNITS, PILOTS, ("a", "q"), id="the-pilot-stays-if-his-unit-is-gone"),
        pytest.param(WishedCrew("gone", "gone"), UNITS, PILOTS, ("a", "p"), id="else-the-best"),
        pytest.param(
            WishedCrew("b", "q"), [owned("b", "able", 3), *UNITS[:1]], PILOTS, ("b", "q"), id="damage-changes-nothing"
        ),
        pytest.param(
            WishedCrew("b", "q"), [owned("b", "eliminated", 10), *UNITS[:1]], PILOTS, ("a", "q"), id="R-CRP-08"
        ),
    ],
)
def test_q_157_the_nearest_line_up_changes_least(wish: Any, units: Any, pilots: Any, crew: Any) -> None:
    found = stand_in(Wish((wish,), TRIPLES[0]), units=units, pilots=pilots)
    assert said(found) == [crew]
    assert found.is_as_wished == (crew == (wish.unit, wish.pilot))


def test_q_154_the_nearest_line_up_fields_two_where_two_are_owed() -> None:
    found = stand_in(Wish((WishedCrew("b", "q"),), TRIPLES[0]), "team")
    assert said(found)[0] == ("b", "q")
    assert len(found.crews) == 2
    assert not found.is_as_wished


def test_q_155_salvage_fills_a_place_by_choice_and_stays_out_otherwise() -> None:
    units = [owned("a"), owned("s", "salvage", 8)]
    alone = stand_in(Wish((WishedCrew("a", "p"),), TRIPLES[0]), "team", units)
    both = stand_in(Wish((WishedCrew("a", "p"), WishedCrew("s", "q")), TRIPLES[0]), "team", units)
    assert (said(alone), said(both)) == ([("a", "p")], [("a", "p"), ("s", "q")])


def test_r_for_01_none_is_legal_without_a_unit_or_a_pilot() -> None:
    assert stand_in(Wish(), units=[]) is None
    assert stand_in(Wish(), pilots=[]) is None


def test_sold_cards_leave_the_hand_and_tokens_change_least() -> None:
    found = stand_in(Wish((WishedCrew("a", "p", None, ("k", "sold")),), ("t4", "t5", "x")), cards=[held("k")])
    assert (found.hands, found.tokens, found.is_as_wished) == ((("k",),), ("t4", "t5", "t6"), False)


def test_q_157_cards_of_a_missing_unit_push_out_none_of_a_unit_that_is_there() -> None:
    own, left = [f"c{n}" for n in range(5)], [f"d{n}" for n in range(5)]
    wish = Wish((WishedCrew("gone", "q", None, tuple(left)), WishedCrew("a", "p", None, tuple(own))), TRIPLES[0])
    cards = [held(key) for key in own + left]
    assert stand_in(wish, cards=cards).hands == (tuple(own),)
    found = stand_in(wish, "team", cards=cards)
    assert {crew.unit: hand for crew, hand in zip(found.crews, found.hands, strict=True)} == {
        "a": tuple(own),
        "b": tuple(left),
    }


def test_who_never_fielded_anybody_brings_the_best_and_every_card_once() -> None:
    cards = [held("k1", "R-1"), held("k2", "R-1"), *[held(f"c{n}") for n in range(6)]]
    found = stand_in(Wish((), TRIPLES[0]), "team", cards=cards)
    assert len(found.crews) == 2
    assert [len(hand) for hand in found.hands] == [5, 2]
    assert "k2" not in {key for hand in found.hands for key in hand}


def test_gear_goes_along_as_far_as_it_may() -> None:
    units = [owned("a", points=135, gear=(mounted("g"),))]
    found = stand_in(Wish((WishedCrew("a", "p"),), TRIPLES[0]), units=units)
    assert (found.crews[0].gear, found.is_as_wished) == (("g",), True)
    at_home = stand_in(Wish((WishedCrew("a", "p", ()),), TRIPLES[0]), units=units)
    assert (at_home.crews[0].gear, at_home.is_as_wished) == ((), True)


def test_q_154_size_follows_teams_that_fit_together() -> None:
    choices = [Crew("a", "p", 100, True), Crew("b", "p", 100, True)]
    assert codes(check_size(1, choices, 2)) == []
    assert codes(check_size(1, [*choices, Crew("b", "q", 90, True)], 2)) == ["line_up_size"]
