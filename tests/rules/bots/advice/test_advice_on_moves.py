"""Why a move or a reaction is advised: what threatens a place and can be shot from it, what a dodge saves and costs."""

from __future__ import annotations

import pytest

from rules.competition.forecast import prospects
from rules.core.odds import chance_to_hit
from tests.rules.board import CLICK, Dropped, duel, placed, unit
from tests.rules.bots.advice.advised import ARTEMIS, BOTH, SHOT, answers, at_move, attacked, divided, reasons, wounded

# --- places -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clicks", [0, 2, 4])
def test_a_threat_is_the_damage_that_is_dealt_on_average_however_few_clicks_are_left(clicks: int) -> None:
    # 135 of 216 rolls of three dice reach the 10 that attack 9 lacks to defense 19, and the better value deals 3.
    match = at_move(red={"clicks": clicks})
    assert reasons(match, {"order": "pass"})["threat_stays"] == {"then": round(3 * 135 / 216, 1)}
    # From behind the attack has 2 more, and 181 rolls reach 8.
    found = reasons(match, {"order": "move", "path": [], "facing": 6})
    assert found["threat_grows"] == {"then": round(3 * 181 / 216, 1), "now": round(3 * 135 / 216, 1)}


def test_armor_lowers_the_threat_and_every_opponent_adds_to_it() -> None:
    armored = at_move(red={"unit": unit("a", click={"equipment": {"defense": "heavy_armor"}})})
    assert reasons(armored, {"order": "pass"})["threat_stays"] == {"then": round(2 * 135 / 216, 1)}
    document = duel(start={"round": 1, "phase": "move", "order": ["a", "b", "c"]}, format="team")
    document["units"].append(placed("c", "blue", "0806", 6))
    both = Dropped(document, 1).match
    assert reasons(both, {"order": "pass"})["threat_stays"] == {"then": round(6 * 135 / 216, 1)}


def test_a_move_out_of_range_escapes_the_threat_and_gives_up_the_shot() -> None:
    match = at_move(arena={"hexes": {"0709": "blocking", "0708": "blocking", "0609": "blocking", "0608": "blocking"}})
    open_ground = at_move()
    found = reasons(open_ground, {"order": "move", "path": [], "facing": 6})
    assert found["gives_up_shot"]["target"] == "b"
    assert reasons(match, {"order": "pass"}).keys() & {"no_shot_there", "shot_stays"}


def test_a_move_into_range_names_the_shot_that_it_opens() -> None:
    match = at_move(blue={"hex": "0602"})
    assert "no_shot_there" in reasons(match, {"order": "pass"})
    found = reasons(match, {"order": "move", "path": ["0609", "0608", "0607"], "facing": 0})
    assert found["shot_from_there"]["target"] == "b"
    nearer = reasons(match, {"order": "move", "path": ["0609"], "facing": 6})
    assert nearer["comes_nearer"] == {"distance": 7, "now": 8}


def test_the_attack_of_most_damage_hears_of_a_place_as_it_is_once_the_unit_is_there() -> None:
    """In contact the close attack hits as often as the shot, and deals half of it."""
    match = at_move(blue={"hex": "0607"})
    action = {"unit": "a", "order": "move", "path": ["0609", "0608"], "facing": 0}
    found = reasons(match, action)["shot_stays"]
    match.play(action)
    while match.decision is not None and (match.decision.kind, match.decision.unit) != ("combat", "a"):
        match.play(match.default_action())
    then = reasons(match, SHOT)["hits_for"]
    assert (found["chance"], found["expected"]) == (then["chance"], then["expected"])
    close = reasons(match, {**SHOT, "order": "close"})["hits_for"]
    assert close["expected"] < then["expected"]


SURER = {"click": {"primary": 1, "secondary": 3, "equipment": {"primary": "homing_beacon"}}}


def test_a_surer_attack_that_deals_less_is_not_the_one_that_is_shown_and_the_odds_show_the_surest() -> None:
    """A beacon adds 1 to the attack with the value that deals 1 damage."""
    match = at_move(red={"unit": unit("a", **SURER)})
    action = {"unit": "a", "order": "move", "path": [], "facing": 0}
    shown = prospects(match, action)
    assert [(each.targets[0].target, each.value) for each in shown] == [("b", "primary")]
    parameters = reasons(match, action)["shot_stays"]
    assert parameters["weapon"] == "secondary"
    assert parameters["expected"] == round(3 * chance_to_hit(CLICK["attack"], CLICK["defense"]), 1)
    assert parameters["chance"] < round(100 * shown[0].targets[0].chance)


def test_a_shot_that_would_deal_nothing_is_no_reason_for_a_place() -> None:
    weak = at_move(red={"unit": unit("a", click={"primary": 0, "secondary": 0})})
    found = reasons(weak, {"order": "move", "path": ["0609"], "facing": 0})
    assert "comes_nearer" in found
    assert not found.keys() & {"shot_from_there", "shot_stays", "shot_gets_better", "shot_gets_worse", "gives_up_shot"}


def test_r_brk_who_is_held_must_break_away_first() -> None:
    match = at_move(blue={"hex": "0609"})
    assert reasons(match, {"order": "move", "path": ["0611"], "facing": 0})["breaks_away_first"]["chance"] == 67


# --- reactions ----------------------------------------------------------------------------------------------------


def test_a_dodge_tells_what_it_saves_and_the_attack_that_it_costs() -> None:
    found = answers(attacked(), "dodge")
    now, then = (chance_to_hit(CLICK["attack"] - less, CLICK["defense"]) for less in (0, 2))
    assert found["attack_falls"]["now"] == round(100 * now)
    assert found["attack_falls"]["then"] == round(100 * then)
    assert found["attack_falls"]["saved"] == round((now - then) * 3, 1)
    assert found["gives_up_attack"]["target"] == "a"
    assert found["heat_harmless"]["added"] == 1


def test_no_reaction_keeps_the_attack_and_names_what_is_to_come() -> None:
    found = answers(attacked(blue={"clicks": 3}), "none")
    assert found["attack_as_it_is"]["attacker"] == "a"
    assert found["would_be_destroyed"] == {"left": 2}
    assert found["keeps_attack"]["target"] == "a"


def test_who_has_nothing_to_attack_loses_nothing_by_a_dodge() -> None:
    # Blue looks away.
    assert "no_attack_to_lose" in answers(attacked(blue={"facing": 0}), "dodge")


def test_r_sed_01_who_is_attacked_hears_how_often_a_hit_destroys_it() -> None:
    match = attacked(red={"unit": ARTEMIS}, blue=wounded(3))
    assert answers(match, "none")["may_be_destroyed"] == {"left": 3, "chance": 67}
    assert answers(attacked(red={"unit": ARTEMIS}, blue=wounded(2)), "none")["would_be_destroyed"] == {"left": 2}


def test_who_shares_the_damage_with_others_hears_that_a_hit_could_destroy_it() -> None:
    match = divided(2, 2)
    match.play({"unit": "a", **BOTH})
    assert answers(match, "none")["could_be_destroyed"] == {"left": 2}
