"""Two stables on one side: a hand for each, whose decision it is, and who may speak for the side."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from rules import bots
from rules.bots.cards import play_rally
from rules.competition.match import Decision, Match
from rules.competition.replay import rebuild
from rules.competition.setups import roster_of
from rules.competition.state.events import DAMAGE_NOTED
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from tests.rules.board import Json, duel_setup, flat, happened, loadout, unit
from tests.rules.dealing import card

OWNERS = {"a": "Oak", "c": "Elm", "b": "Ash", "d": "Fir"}


def setup_of(hands: dict[str, list[Json]], **more: Json) -> MatchSetup:
    """`a` of Oak and `c` of Elm against `b` of Ash and `d` of Fir, none at its start marker, with these hands."""

    def entry(name: str) -> Json:
        keys = {"owner": OWNERS[name], "clicks": 1, "hand": hands.get(name, []), **more.get(name, {})}
        return loadout(name, unit(name), **keys)

    return duel_setup(sides={"red": [entry("a"), entry("c")], "blue": [entry("b"), entry("d")]})


def asked(match: Match, wanted: Callable[[Decision], bool]) -> Match:
    """Go on with default answers to the first decision that is wanted."""
    while match.decision is not None and not wanted(match.decision):
        match.play(match.default_action())
    assert match.decision is not None
    return match


def refused(match: Match, action: Json) -> str:
    with pytest.raises(IllegalAction) as caught:
        match.play(action)
    return caught.value.code


# --- hands ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owners", "hands"),
    [
        pytest.param(["Oak", "Elm"], [5, 5], id="Q-168"),
        pytest.param([None, "Elm"], [5, 5], id="one without a name"),
        pytest.param(["Oak", "Oak"], [10], id="Q-148 one stable that is named"),
        pytest.param([None, None], [10], id="Q-148"),
    ],
)
def test_r_ral_01_each_player_has_a_hand(owners: list[str | None], hands: list[int]) -> None:
    held = [[card(f"R-{place}{number}") for number in range(5)] for place in range(2)]
    red = [loadout(name, hand=held[place], owner=owners[place]) for place, name in enumerate("ac")]
    roster = roster_of(duel_setup(sides={"red": red, "blue": [loadout("b")]}))
    assert [len(hand) for hand in roster.hands] == [*hands, 0]
    assert len(roster.hand_of(roster.unit_of["c"])) == hands[-1]


@pytest.mark.parametrize(("owners", "is_refused"), [(("Oak", "Elm"), False), (("Oak", "Oak"), True)])
def test_r_ral_02_partners_may_each_have_a_copy(owners: tuple[str, str], is_refused: bool) -> None:
    red = [loadout(name, hand=[card("R-1")], owner=owner) for name, owner in zip("ac", owners, strict=True)]
    sides = {"red": red, "blue": [loadout("b", hand=[card("R-1")], owner="Oak")]}
    if not is_refused:
        assert [list(hand) for hand in roster_of(duel_setup(sides=sides)).hands] == [["R-1"]] * 3
        return
    with pytest.raises(Malformed) as caught:
        duel_setup(sides=sides)
    assert caught.value.parameters == {"side": "Oak", "card": "R-1"}


def test_r_ral_03_q_168_only_the_units_of_its_owner_may_use_a_card() -> None:
    match = Match.start(setup_of({"a": [card("R-1")]}), SeededDice(1))
    asked(match, lambda decision: decision.unit == "c" and decision.kind == "move")
    assert happened(match, "rally_played") == []
    assert refused(match, {"unit": "c", "order": "rally", "card": "R-1"}) == "card_not_in_hand"
    assert refused(match, {"unit": "a", "order": "rally", "card": "R-1"}) == "not_your_decision"
    asked(match, lambda decision: decision.kind == "rally")
    assert match.decision is not None
    assert (match.decision.unit, match.decision.owner) == ("a", "Oak")
    for action in ({"unit": "c", "order": "rally", "card": "R-1"}, {"unit": "c", "choose": "rally", "card": None}):
        assert refused(match, action) == "not_your_decision"
    match.play({"unit": "a", "order": "rally", "card": "R-1"})
    asked(match, lambda decision: decision.unit == "a" and decision.kind == "combat")
    assert refused(match, {"unit": "a", "order": "rally", "card": "R-1"}) == "card_played_before"
    assert refused(match, {"unit": "c", "order": "rally", "card": "R-1"}) == "not_your_decision"


def test_r_ral_03_one_owners_units_share_their_hand_beside_a_partner() -> None:
    red = [
        loadout(name, unit(name), clicks=1, owner=owner, hand=hand)
        for name, owner, hand in (("a", "Oak", [card("R-1")]), ("c", "Oak", []), ("e", "Elm", [card("R-2")]))
    ]
    match = Match.start(duel_setup(sides={"red": red, "blue": [loadout("b")]}), SeededDice(1))
    asked(match, lambda decision: decision.kind == "rally" and decision.unit == "c")
    assert match.decision is not None
    assert match.decision.why == {"cards": ["R-1"]}


def test_r_ral_07_q_168_each_of_four_players_plays_their_own_copy_once() -> None:
    hand = [card("R-1"), card("R-2", "take_aim")]
    match = Match.start(setup_of(dict.fromkeys("abcd", hand)), SeededDice(2))
    while match.decision is not None and match.table.position.round < 4:
        action = match.default_action()
        if match.decision.kind == "rally":
            action["card"] = match.decision.why["cards"][0]
        match.play(action)
    played = [(round_number, match.table.fighter(who).name, key) for round_number, who, key, _ in
              match.table.position.rallies]  # fmt: skip
    assert sorted(played) == sorted((number, name, f"R-{number}") for name in "abcd" for number in (1, 2))
    assert rebuild(match.table.roster, flat(match)) == match.table.position


def test_q_153_a_card_that_one_partner_has_played_stays_hidden_in_the_others_hand() -> None:
    match = Match.start(setup_of({"a": [card("R-1")], "c": [card("R-1"), card("R-2")]}), SeededDice(1))
    asked(match, lambda decision: decision.kind == "rally" and decision.unit == "a")
    assert match.observe("blue").hidden_cards == (1, 2, 0, 0)
    match.play({"unit": "a", "choose": "rally", "card": "R-1"})
    observation = match.observe("blue")
    red = observation.setup["sides"][0]["units"]
    assert [[held["id"] for held in entry["hand"]] for entry in red] == [["R-1"], ["hidden", "hidden"]]
    assert observation.hidden_cards == (0, 2, 0, 0)
    assert [len(hand) for hand in observation._table.roster.hands] == [1, 0, 0, 0]
    assert "R-2" in json.dumps(match.observe("red").to_json())


def test_bots_play_from_the_hand_of_the_unit() -> None:
    match = Match.start(setup_of({"c": [card("R-1", "shed_heat")]}, c={"owner": "Elm"}), SeededDice(1))
    asked(match, lambda decision: decision.kind == "rally")
    table = match.table
    assert table.open is not None
    table.position.heat[table.open[1]] = 2
    assert play_rally(table, table.open[1], None) == ("R-1",)
    greedy = bots.get("greedy")
    whole = Match.start(setup_of({name: [card("R-1"), card("R-2", "take_aim")] for name in "abcd"}), SeededDice(3))
    bots.play_out(whole, {"red": greedy, "blue": greedy}, random.Random(1))
    assert whole.result is not None
    assert happened(whole, "rally_played")


# --- whose decision ---------------------------------------------------------------------------------------------


def test_q_168_a_decision_names_its_player_and_a_sides_own_does_not() -> None:
    match = Match.start(setup_of({}), SeededDice(1))
    owners: dict[str, set[Any]] = {}
    while match.decision is not None and match.table.position.round < 3:
        decision = match.decision
        owners.setdefault(decision.kind, set()).add((decision.unit, decision.owner))
        document = decision.to_json()
        assert document.get("owner") == decision.owner
        match.play(match.default_action())
    assert owners.pop("token")
    assert {found for kind in owners.values() for found in kind} == set(OWNERS.items())


def test_q_168_either_partner_places_a_token_for_the_side() -> None:
    for is_partner in (False, True):
        match = asked(Match.start(setup_of({}), SeededDice(1)), lambda decision: decision.kind == "token")
        assert match.decision is not None
        assert match.decision.owner is None
        action = match.default_action()
        if is_partner:
            action["unit"] = {"a": "c", "b": "d"}[action["unit"]]
        match.play(action)
        assert happened(match, "token_placed")


# --- ending -----------------------------------------------------------------------------------------------------


def to_move_phase(**keys: Any) -> Match:
    return asked(Match.start(setup_of({}, **keys), SeededDice(1)), lambda decision: decision.kind == "move")


def end_of_phase(match: Match) -> Match:
    phase = match.snapshot()["phase"]
    while match.decision is not None and match.snapshot()["phase"] == phase:
        match.play(match.default_action())
    return match


@pytest.mark.parametrize(("names", "is_over"), [("ab", True), ("dc", True), ("a", False), ("d", False)])
def test_r_end_04_q_27_allied_players_count_as_one_side(names: str, is_over: bool) -> None:
    """As with surrender one partner's word is enough (Q-168)."""
    match = to_move_phase()
    for name in names:
        match.play({"unit": name, "order": "agree"})
        partner = dict(zip("acbd", "cadb", strict=True))[name]
        assert refused(match, {"unit": partner, "order": "agree"}) == "agreed_already"
    end_of_phase(match)
    assert (match.result is not None) is is_over


def without_c(match: Match) -> Match:
    """The next round, with Elm's unit out of the arena."""
    match.table.emit(DAMAGE_NOTED, match.table.roster.unit_of["c"], 9, "test", -1)
    asked(match, lambda decision: match.table.position.round == 2 and decision.kind == "move")
    assert match.snapshot()["units"]["c"]["eliminated"]
    return match


def test_r_end_04_a_player_whose_unit_is_out_is_no_remaining_player() -> None:
    match = without_c(to_move_phase())
    assert refused(match, {"unit": "c", "order": "agree"}) == "side_is_out"
    match.play({"unit": "a", "order": "agree"})
    match.play({"unit": "d", "order": "agree"})
    end_of_phase(match)
    assert match.result is not None
    assert match.result.ended_by == "agreement"


def test_r_sur_01_q_168_a_player_whose_unit_is_out_cannot_surrender_their_partners() -> None:
    match = without_c(to_move_phase())
    asked(match, lambda decision: decision.unit == "a")
    assert refused(match, {"unit": "c", "order": "surrender"}) == "side_is_out"
    match.play({"unit": "a", "order": "surrender"})
    assert match.result is not None
    assert match.result.winner == "blue"
