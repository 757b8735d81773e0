"""Forecasts: deterministic, cut into parts and added in any order, blind to what lies hidden."""

import json
import random
from typing import Any

import pytest

from rules import bots
from rules.catalogue import load_builtin
from rules.competition.formats import FORMATS
from rules.competition.match import Match
from rules.competition.observation import possible_table
from rules.competition.phases.rounds import begin_round
from rules.competition.replay import rebuild
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import Malformed
from rules.measuring.forecasts import Forecast, Tally, forecast, play_outs, play_outs_from, round_starts, together
from rules.measuring.self_play import random_setup, wilson_interval
from rules.solaris.rally_hooks import EFFECTS
from tests.rules.board import decisions, flat
from tests.rules.dealing import card, dealt

CATALOGUE = load_builtin()


def setup_of(format_key: str, number: int = 1) -> MatchSetup:
    return random_setup(CATALOGUE, random.Random(number), format_key)


@pytest.mark.parametrize("format_key", FORMATS)
def test_every_format_has_a_forecast_in_which_every_play_out_is_won_once(format_key: str) -> None:
    setup = setup_of(format_key)
    tally = play_outs(setup, "a", 0, 2, "random")
    assert list(tally.wins) == [side.key for side in setup.sides]
    assert sum(tally.wins.values()) == tally.play_outs == sum(tally.endings.values()) == 2
    assert tally.rounds >= 2


def test_a_count_may_be_cut_anywhere_and_added_in_any_order() -> None:
    setup = setup_of("weapons_dead")
    whole = play_outs(setup, "a", 0, 12)
    parts = [play_outs(setup, "a", first, count) for first, count in ((7, 5), (0, 3), (3, 4))]
    assert together(parts) == together(reversed(parts)) == whole
    assert [Tally.from_json(json.loads(json.dumps(part.to_json()))) for part in parts] == parts


def test_the_seed_decides_and_nothing_else() -> None:
    setup = setup_of("weapons_dead")
    again = read_setup(json.loads(json.dumps(setup.to_json(), sort_keys=True)))
    assert play_outs(setup, "a", 0, 8) == play_outs(again, "a", 0, 8)
    assert len({json.dumps(play_outs(setup, seed, 0, 8).to_json()) for seed in "abcd"}) > 1


def with_other_secrets(setup: MatchSetup) -> MatchSetup:
    """The same match with other target tokens face down, worth as much, and as many other rally cards in the hands."""
    document: dict[str, Any] = json.loads(json.dumps(setup.to_json()))
    for side in document["sides"]:
        for token in side["tokens"]:
            token |= {"id": f"{token['id']}-other", "defense": 10, "method": "melee"}
        for loadout in side["units"]:
            loadout["hand"] = [
                card(f"{side['id']}-{loadout['id']}-{place}", EFFECTS[place], below=3)
                for place, _ in enumerate(loadout["hand"])
            ]
    return read_setup(document)


@pytest.mark.parametrize("number", [1, 2])
def test_r_tgt_03_q_153_a_forecast_knows_neither_face_down_tokens_nor_hands(number: int) -> None:
    setup = dealt(number)
    other = with_other_secrets(setup)
    assert other != setup
    assert play_outs(setup, "a", 0, 4, "random") == play_outs(other, "a", 0, 4, "random")


def test_what_lies_open_is_in_the_forecast() -> None:
    setup = setup_of("weapons_dead")
    document = setup.to_json()
    document["sides"][0]["units"][0]["clicks"] = len(setup.sides[0].units[0].unit["dial"]) - 2
    hurt = read_setup(document)
    assert play_outs(hurt, "a", 0, 12).wins["red"] < play_outs(setup, "a", 0, 12).wins["red"]


def test_chances_come_with_their_interval() -> None:
    counted = Forecast(Tally(200, {"red": 150, "blue": 50}, {"last_side": 180, "time_limit": 20}, 1500))
    assert counted.chances["red"].chance == 0.75
    assert (counted.chances["red"].low, counted.chances["red"].high) == wilson_interval(150, 200)
    assert sum(chance.chance for chance in counted.chances.values()) == 1
    assert counted.mean_rounds == 7.5
    assert counted.endings == {"last_side": 0.9, "time_limit": 0.1}


def test_a_forecast_is_its_play_outs() -> None:
    setup = setup_of("weapons_dead")
    assert forecast(setup, 5, "a").tally == play_outs(setup, "a", 0, 5)


def test_what_does_not_belong_together_is_refused() -> None:
    one = Tally(1, {"red": 1, "blue": 0}, {}, 3)
    with pytest.raises(ValueError, match="different sides"):
        one + Tally(1, {"red": 1, "green": 0}, {}, 3)
    with pytest.raises(Malformed):
        play_outs(setup_of("standard"), "a", 0, 1, "nobody")


# From the beginning of a round ---------------------------------------------------------------------------------------


def played(setup: MatchSetup, seed: str = "a", limit: int = 10_000) -> Match:
    """A match that is played at random, to its end or for so many decisions."""
    match = Match.start(setup, SeededDice(seed))
    for _ in decisions(match, random.Random(seed), limit):
        pass
    return match


@pytest.mark.parametrize("format_key", FORMATS)
def test_between_two_rounds_only_the_next_one_is_on_the_agenda(format_key: str) -> None:
    """So that a position alone is all that is needed to go on from there."""
    table = Match.start(setup_of(format_key), SeededDice("a")).table
    rng = random.Random(1)
    bot = bots.get("random")
    table.pause_at = frozenset({begin_round})
    found = 0
    while table.open is not None or table.agenda:
        if table.open is not None:
            table.answer(bot.decide(table, rng))
        elif table.agenda[-1][0] is begin_round:
            assert table.agenda == [(begin_round, table.position.round + 1)]
            found += 1
            table.agenda.pop()
            begin_round(table, table.position.round + 1)
            table.advance()
    assert found == table.position.round


@pytest.mark.parametrize("format_key", FORMATS)
def test_rounds_begin_where_the_events_say(format_key: str) -> None:
    match = played(setup_of(format_key))
    assert match.result is not None
    events = flat(match)
    found = list(round_starts(match.setup, events))
    assert [start.round for start in found] == list(range(1, match.result.rounds + 1))
    for start in found:
        before = rebuild(match.table.roster, events[: start.stop])
        assert possible_table(start.seen, random.Random(1)).position == before
        tally = play_outs_from(start.seen, "a", 0, 1, "random")
        assert list(tally.wins) == [side.key for side in match.setup.sides]
        assert tally.rounds >= start.round


def test_the_events_alone_tell_the_chances_neither_seed_nor_actions_are_asked_for() -> None:
    """Of a match in play the rounds that have begun, the same as after its end."""
    whole = played(dealt(3))
    part = played(dealt(3), limit=80)
    events = json.loads(json.dumps(flat(whole)))
    begun = list(round_starts(part.setup, flat(part)))
    assert begun
    for start, later in zip(begun, round_starts(whole.setup, events), strict=False):
        assert (start.round, start.stop) == (later.round, later.stop)
        assert play_outs_from(start.seen, "a", 0, 2, "random") == play_outs_from(later.seen, "a", 0, 2, "random")


def test_q_153_the_curve_of_a_match_knows_no_hand_and_no_face_down_token() -> None:
    """What was never drawn or played could be anything: the chances are the same."""
    setup = dealt(4)
    match = played(setup, limit=120)
    events = flat(match)
    position = rebuild(match.table.roster, events)
    assert position.pool
    document = json.loads(json.dumps(setup.to_json()))
    other = with_other_secrets(setup).to_json()
    number = 0
    for side, changed in zip(document["sides"], other["sides"], strict=True):
        for place in range(len(side["tokens"])):
            if number in position.pool:
                side["tokens"][place] = changed["tokens"][place]
            number += 1
    used = {each[2] for each in position.rallies}
    for side in document["sides"]:
        for loadout in side["units"]:
            loadout["hand"] = [
                each if each["id"] in used else card(f"{loadout['id']}-{place}", EFFECTS[place], below=3)
                for place, each in enumerate(loadout["hand"])
            ]
    hidden = read_setup(document)
    assert hidden != setup
    for start, twin in zip(round_starts(setup, events), round_starts(hidden, events), strict=True):
        assert play_outs_from(start.seen, "a", 0, 2, "random") == play_outs_from(twin.seen, "a", 0, 2, "random")


def test_parts_from_a_position_may_be_cut_too() -> None:
    match = played(setup_of("weapons_dead"))
    start = list(round_starts(match.setup, flat(match)))[-1]
    parts = [play_outs_from(start.seen, "a", first, count) for first, count in ((4, 6), (0, 4))]
    assert together(parts) == play_outs_from(start.seen, "a", 0, 10)
