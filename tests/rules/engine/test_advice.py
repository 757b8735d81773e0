"""Advice in a match: it is legal, its reasons carry the engine's own numbers, and nothing hidden counts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.bots import advising
from rules.bots.advising import Advice, advise
from rules.bots.estimates import threat_at
from rules.bots.explaining import explain, foremost
from rules.bots.reasons import Reason
from rules.catalogue import load_builtin
from rules.competition.forecast import prospects
from rules.competition.match import Match, determinise
from rules.competition.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.odds import chance_to_hit
from rules.selfplay import random_setup
from rules.wording.advice import MATCH_REASONS, match_reason
from rules.wording.equipment import EQUIPMENT_TEXTS
from rules.wording.filling import MISSING
from tests.rules.engine.board import CLICK, Dropped, duel, loadout, pilot, placed, setup_document, token, unit
from tests.rules.engine.dealing import dealt

FORMATS = ("standard", "team", "weapons_dead", "tag_team", "capture_the_flag", "grand_melee")
SHOWS = {"primary": 0, "secondary": 0, "speed": 0}


def at_combat(**changes: Any) -> Match:
    """Two plain units that look at each other over four hexes, red's `a` to give its combat order."""
    return Dropped(duel(**changes), 1).match


def reasons(match: Match, action: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The reasons of an action by their codes."""
    choice = match.read({"unit": "a", **action})[0]
    return {reason.code: dict(reason.parameters) for reason in explain(match, choice)}


SHOT = {"order": "ranged", "value": "primary", "targets": ["b"]}


# --- attacks ------------------------------------------------------------------------------------------------------


def test_an_attack_tells_its_chance_its_damage_and_what_is_expected_of_it() -> None:
    found = reasons(at_combat(), SHOT)
    chance = chance_to_hit(CLICK["attack"], CLICK["defense"])
    assert found["hits_for"] == {
        "target": "b",
        "chance": round(100 * chance),
        "damage": 3,
        "expected": round(3 * chance, 1),
    }


def test_a_modifier_of_the_sum_is_named_with_its_amount() -> None:
    hindered = at_combat(arena={"hexes": {"0608": "hindering"}})
    assert reasons(hindered, SHOT)["counts_against"] == {"target": "b", "modifiers": {"hindering": -1}}
    from_behind = at_combat(blue={"facing": 0})
    assert reasons(from_behind, SHOT)["counts_for"] == {"target": "b", "modifiers": {"rear_arc": 2}}


@pytest.mark.parametrize(("points", "reputation"), [(150, 80), (100, 70)])
def test_r_end_05_06_a_hit_that_destroys_tells_the_reputation_of_the_kill(points: int, reputation: int) -> None:
    worn = {"clicks": 2, "damage_die": 1, "unit": unit("b", points=points)}
    found = reasons(at_combat(blue=worn), SHOT)
    assert found["hit_destroys"] == {"target": "b", "left": 2, "reputation": reputation}


ARTEMIS = unit("a", clicks=8, click={"primary": 2, "equipment": {"primary": "artemis_v_fire_control_system"}})


def wounded(left: int, **keys: Any) -> dict[str, Any]:
    """Blue's unit of eight clicks, of which so many are left."""
    return {"unit": unit("b", clicks=8), "clicks": 8 - left, **keys}


@pytest.mark.parametrize(("left", "chance"), [(3, 67), (4, 17)])
def test_r_sed_01_a_die_that_adds_to_the_damage_tells_how_often_a_hit_destroys(left: int, chance: int) -> None:
    # Two points, and one more from a 3, two more from a 6.
    found = reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(left)), SHOT)
    assert found["hit_may_destroy"] == {"target": "b", "left": left, "reputation": 80, "chance": chance}
    assert found["hits_by_die"]["expected"] == round(135 / 216 * 17 / 6, 1)
    assert "hit_destroys" not in found


def test_r_sed_01_what_no_face_reaches_and_what_every_face_does_is_told_as_such() -> None:
    assert "hit_destroys" in reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(2)), SHOT)
    assert not reasons(at_combat(red={"unit": ARTEMIS}, blue=wounded(5)), SHOT).keys() & {
        "hit_destroys",
        "hit_may_destroy",
        "leaves_clicks",
    }


def test_r_sed_14_a_die_instead_of_the_damage_has_the_chance_of_its_faces() -> None:
    fists = unit(
        "a", clicks=8, primary={"type": "melee", "targets": 1}, click={"equipment": {"primary": "hand_to_hand_weapon"}}
    )
    match = at_combat(red={"unit": fists, "hex": "0607"}, blue=wounded(6))
    found = reasons(match, {"order": "close", "value": "primary", "targets": ["b"]})
    assert found["hit_may_destroy"]["chance"] == 17


def divided(*left: int) -> Match:
    """Red fires 3 damage at two units at once, which have so many clicks left."""
    two = {"type": "ballistic", "targets": 2, "range": [0, 8]}
    document = duel(red={"unit": unit("a", primary=two)}, format="team")
    document["units"][1].update(wounded(left[0]))
    document["units"].append(placed("c", "blue", "0706", 6, unit("c", clicks=8), clicks=8 - left[1]))
    document["start"]["order"] = ["a", "b", "c"]
    return Dropped(document, 1).match


BOTH = {"order": "ranged", "value": "primary", "targets": ["b", "c"]}


def destroyed(match: Match) -> list[tuple[str, str]]:
    found = explain(match, match.read({"unit": "a", **BOTH})[0])
    codes = ("hit_destroys", "share_could_destroy", "leaves_clicks")
    return [(reason.code, reason.parameters["target"]) for reason in found if reason.code in codes]


def test_of_several_targets_of_divided_damage_only_those_fall_for_whom_it_suffices() -> None:
    assert destroyed(divided(1, 2)) == [("hit_destroys", "b"), ("hit_destroys", "c")]
    assert destroyed(divided(2, 3)) == [("share_could_destroy", "b"), ("share_could_destroy", "c")]
    assert destroyed(divided(2, 6)) == [("share_could_destroy", "b")]


def test_damage_beyond_the_last_click_is_called_wasted() -> None:
    assert reasons(at_combat(blue={"damage_die": 5}), SHOT)["falls_anyway"] == {"target": "b"}


def test_armor_is_named_and_lowers_the_damage_that_is_promised() -> None:
    armored = unit("b", click={"equipment": {"defense": "hardened_armor"}})
    found = reasons(at_combat(blue={"unit": armored}), SHOT)
    (amount,) = found["armor_takes"]["modifiers"].values()
    assert amount < 0
    assert found["hits_for"]["damage"] == 3 + amount


@pytest.mark.parametrize(("method", "reputation"), [("ballistic", 10), ("energy", 5)])
def test_r_tgt_09_a_token_tells_what_it_brings_by_this_weapon(method: str, reputation: int) -> None:
    match = at_combat(tokens=[{**token("t1", method=method), "hex": "0608"}])
    found = reasons(match, {**SHOT, "targets": ["t1"]})
    assert found["token_brings"] == {"target": "t1", "reputation": reputation}


def test_passing_names_the_attack_that_is_left_out() -> None:
    chance = round(100 * chance_to_hit(CLICK["attack"], CLICK["defense"]))
    assert reasons(at_combat(), {"order": "pass"})["forgoes_attack"] == {"target": "b", "chance": chance}
    far = at_combat(blue={"hex": "0115", "facing": 0})
    assert "no_attack_from_here" in reasons(far, {"order": "pass"})


# --- Salvage ------------------------------------------------------------------------------------------------------

SALVAGE = {"equipment": {"attack": "salvage"}}


def test_r_sea_05_who_may_not_attack_is_told_of_no_attack() -> None:
    wreck = {"unit": unit("a", click=SALVAGE)}
    assert "no_attack_from_here" in reasons(at_combat(red=wreck), {"order": "pass"})
    assert prospects(at_move(red=wreck), {"unit": "a", "order": "move", "path": [], "facing": 0}) == []
    told = reasons(at_move(red=wreck), {"order": "move", "path": ["0609"], "facing": 0})
    assert not told.keys() & {"shot_from_there", "shot_stays", "shot_gets_better", "shot_gets_worse", "gives_up_shot"}


def test_r_sea_05_who_may_not_attack_threatens_nobody() -> None:
    assert "threat_none" in reasons(at_move(blue={"unit": unit("b", click=SALVAGE)}), {"order": "pass"})
    assert "threat_stays" in reasons(at_move(), {"order": "pass"})
    table = at_move(blue={"unit": unit("b", click=SALVAGE)}).table
    assert threat_at(table, 0, table.position.hex[0], 0) == 0


# --- heat ---------------------------------------------------------------------------------------------------------


def hot(effects: dict[str, str], **step: int) -> dict[str, Any]:
    """A unit whose second heat step shows something."""
    plain = {**SHOWS, "effects": {}}
    return unit("a", heat=[plain, {**SHOWS, **step, "effects": effects}, plain])


def test_r_hef_09_the_heat_of_an_attack_tells_the_effect_that_shows_then_and_how_often_it_strikes() -> None:
    found = reasons(at_combat(red={"unit": hot({"speed": "avoid_shutdown"})}), SHOT)
    assert found["heat_adds"] == {"added": 1, "step": 1, "steps": 3}
    assert found["heat_effect_shows"] == {"effect": "avoid_shutdown", "chance": 33, "rule": "R-HEF-09"}


def test_the_damage_that_heat_costs_is_told() -> None:
    found = reasons(at_combat(red={"unit": hot({}, secondary=-1)}), SHOT)
    assert found["heat_weakens"] == {"value": "secondary", "now": 2, "then": 1}


def test_heat_without_consequence_is_called_harmless_and_heat_past_the_dial_shuts_down() -> None:
    assert reasons(at_combat(), SHOT)["heat_harmless"] == {"added": 1, "step": 1}
    assert reasons(at_combat(red={"heat": 3}), SHOT)["heat_shuts_down"] == {"added": 1}


def test_r_vnt_venting_tells_the_step_and_the_effect_that_it_escapes() -> None:
    found = reasons(at_combat(red={"unit": hot({"speed": "avoid_shutdown"}), "heat": 1}), {"order": "vent"})
    assert found["vent_cools"] == {"now": 1, "then": 0}
    assert found["heat_effect_avoided"] == {"effect": "avoid_shutdown"}


# --- places -------------------------------------------------------------------------------------------------------


def at_move(**changes: Any) -> Match:
    return at_combat(start={"round": 1, "phase": "move", "order": ["a", "b"]}, **changes)


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


def test_the_attack_of_most_damage_is_told_of_a_place_as_it_is_once_the_unit_is_there() -> None:
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


def test_a_surer_attack_that_deals_less_is_not_the_one_that_is_told_and_the_odds_show_the_surest() -> None:
    """A beacon adds 1 to the attack with the value that deals 1 damage."""
    match = at_move(red={"unit": unit("a", **SURER)})
    action = {"unit": "a", "order": "move", "path": [], "facing": 0}
    shown = prospects(match, action)
    assert [(each.targets[0].target, each.value) for each in shown] == [("b", "primary")]
    told = reasons(match, action)["shot_stays"]
    assert told["weapon"] == "secondary"
    assert told["expected"] == round(3 * chance_to_hit(CLICK["attack"], CLICK["defense"]), 1)
    assert told["chance"] < round(100 * shown[0].targets[0].chance)


def test_a_shot_that_would_deal_nothing_is_no_reason_for_a_place() -> None:
    weak = at_move(red={"unit": unit("a", click={"primary": 0, "secondary": 0})})
    found = reasons(weak, {"order": "move", "path": ["0609"], "facing": 0})
    assert "comes_nearer" in found
    assert not found.keys() & {"shot_from_there", "shot_stays", "shot_gets_better", "shot_gets_worse", "gives_up_shot"}


def test_r_brk_who_is_held_must_break_away_first() -> None:
    match = at_move(blue={"hex": "0609"})
    assert reasons(match, {"order": "move", "path": ["0611"], "facing": 0})["breaks_away_first"]["chance"] == 67


# --- reactions ----------------------------------------------------------------------------------------------------


def attacked(**changes: Any) -> Match:
    """Red has fired at blue's `b`, which is asked for its reaction."""
    match = at_combat(**changes)
    match.play({"unit": "a", **SHOT})
    assert match.decision is not None
    assert match.decision.kind == "react"
    return match


def answers(match: Match, word: str) -> dict[str, dict[str, Any]]:
    choice = match.read({"unit": "b", "react": word})[0]
    return {reason.code: dict(reason.parameters) for reason in explain(match, choice)}


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


def test_r_sed_01_who_is_attacked_is_told_how_often_a_hit_destroys_it() -> None:
    match = attacked(red={"unit": ARTEMIS}, blue=wounded(3))
    assert answers(match, "none")["may_be_destroyed"] == {"left": 3, "chance": 67}
    assert answers(attacked(red={"unit": ARTEMIS}, blue=wounded(2)), "none")["would_be_destroyed"] == {"left": 2}


def test_who_shares_the_damage_with_others_is_told_that_a_hit_could_destroy_it() -> None:
    match = divided(2, 2)
    match.play({"unit": "a", **BOTH})
    assert answers(match, "none")["could_be_destroyed"] == {"left": 2}


# --- every decision -----------------------------------------------------------------------------------------------


def played(format_key: str, seed: int) -> Match:
    if format_key == "cards":
        return Match.start(dealt(seed), SeededDice(seed))
    count = 4 if format_key == "grand_melee" else 2
    return Match.start(random_setup(load_builtin(), random.Random(seed), format_key, count), SeededDice(seed))


@pytest.mark.parametrize("format_key", [*FORMATS, "cards"])
def test_whatever_may_be_answered_has_reasons_in_words_and_looking_changes_nothing(format_key: str) -> None:
    rng = random.Random(3)
    for seed in range(2):
        match = played(format_key, seed)
        names = {name: name.title() for name in match.table.roster.unit_of}
        for _ in range(40):
            if match.decision is None:
                break
            possible = determinise(match.observe(match.decision.side), random.Random(1))
            before = (possible.snapshot(), possible.decision)
            kind, asked, data = match.table.open or pytest.fail("nothing is open")
            for _ in range(3):
                for reason in explain(possible, kind.sample(possible.table, asked, data, rng)):
                    told = match_reason(reason.code, reason.parameters, names)
                    assert reason.code in MATCH_REASONS
                    assert MISSING not in told, (reason, told)
                    assert "{" not in told
            assert (possible.snapshot(), possible.decision) == before
            match.play(match.sample_action(rng))


@pytest.mark.parametrize("format_key", [*FORMATS, "cards"])
def test_what_is_advised_can_be_played(format_key: str) -> None:
    rng = random.Random(5)
    match = played(format_key, 7)
    for _ in range(20):
        if match.decision is None:
            break
        advice = advise(match.observe(match.decision.side), "seed", "greedy")
        assert [match.check(option.action) for option in advice.options] == [[]]
        assert advice.options[0].chance is None
        assert Advice.from_json(advice.to_json()) == advice
        match.play(match.sample_action(rng))


# --- what is hidden -----------------------------------------------------------------------------------------------


def with_secrets(methods: tuple[str, str, str], cards: tuple[str, ...]) -> Match:
    """A match in which blue brought these tokens face down and these rally cards, played into its first rounds."""

    def hand(card: str) -> dict[str, Any]:
        return {**load_builtin().rally_cards[card]}

    document = setup_document(
        {
            "red": [loadout("a", unit("a"), pilot=pilot(attack=1))],
            "blue": [loadout("b", unit("b"), hand=[hand(card) for card in cards])],
        }
    )
    document["sides"][1]["tokens"] = [token(f"B{number}", method=method) for number, method in enumerate(methods)]
    match = Match.start(MatchSetup.from_json(document), SeededDice(4))
    rng = random.Random(2)
    while match.decision is not None and not (match.decision.side == "red" and match.decision.kind == "move"):
        match.play(match.sample_action(rng))
    return match


def test_the_rivals_face_down_tokens_and_hand_change_nothing_of_the_advice() -> None:
    told = {
        str(advise(with_secrets(methods, cards).observe("red"), "same seed").to_json())
        for methods, cards in (
            (("ballistic", "energy", "melee"), ("R-001", "R-002")),
            (("melee", "melee", "ballistic"), ("R-021", "R-009")),
        )
    }
    assert len(told) == 1


def test_a_side_that_is_not_asked_gets_no_advice() -> None:
    match = at_combat()
    with pytest.raises(ValueError, match="not this side's"):
        advise(match.observe("blue"), "seed")


def test_the_same_seed_gives_the_same_advice() -> None:
    match = at_move()
    assert advise(match.observe("red"), "x") == advise(match.observe("red"), "x")


# --- a bot that weighs --------------------------------------------------------------------------------------------


def test_of_many_reasons_each_kind_is_told_and_sums_come_last() -> None:
    """Two targets behind trees with their backs turned, who both can fall, and heat for who fires."""
    two = {"type": "ballistic", "targets": 2, "range": [0, 8]}
    hot_one = {**hot({"speed": "avoid_shutdown"}, secondary=-1), "primary": two}
    document = duel(red={"unit": hot_one}, format="team", arena={"hexes": {"0608": "hindering", "0708": "hindering"}})
    document["units"][1].update(wounded(2, facing=0))
    document["units"].append(placed("c", "blue", "0706", 0, unit("c", clicks=8), clicks=6))
    document["start"]["order"] = ["a", "b", "c"]
    match = Dropped(document, 1).match
    found = explain(match, match.read({"unit": "a", **BOTH})[0])
    told = foremost(found, advising.MOST_REASONS)
    assert len(found) > len(told) == advising.MOST_REASONS
    codes = [reason.code for reason in told]
    assert codes == [reason.code for reason in found if reason in told], "in their order"
    assert codes.count("hits") == codes.count("share_could_destroy") == 2
    assert {"damage_shared", "heat_adds", "heat_effect_shows", "heat_weakens"} <= set(codes)
    assert not {"counts_for", "counts_against"} & set(codes)
    assert foremost(found, len(found)) == found


# --- words --------------------------------------------------------------------------------------------------------


def test_a_reason_that_nobody_knows_is_said_to_be_one() -> None:
    assert "no_such" in match_reason("no_such", {}, {})
    assert MISSING in match_reason("hits", {"target": "b"}, {})


def test_going_first_and_going_last_are_told_as_facts_and_equipment_says_what_it_does() -> None:
    for code in ("acts_first", "acts_last"):
        told = match_reason(code, {"others": 1}, {})
        assert told.startswith(("It acts first in every phase.", "It acts last in every phase."))
    told = match_reason("source_serves", {"equipment": "evade", "value": "speed"}, {})
    assert told == f"Evade serves the speed then: {EQUIPMENT_TEXTS['evade']}"


def test_reasons_round_trip() -> None:
    reason = Reason("counts_for", {"target": "b", "modifiers": {"rear_arc": 2}})
    assert Reason.from_json(reason.to_json()) == reason
    assert match_reason(reason.code, reason.parameters, {"b": "Bull"}) == (
        "In the sum against Bull this helps: rear arc +2."
    )
