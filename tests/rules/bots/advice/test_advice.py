"""Advice in a match: it is legal, its reasons carry the engine's own numbers, and nothing hidden counts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.bots.advice import advising
from rules.bots.advice.advising import Advice, advise
from rules.bots.advice.explaining import explain, foremost
from rules.bots.advice.reason import Reason
from rules.catalogue import load_builtin
from rules.competition.match import Match, determinise
from rules.competition.setups import read_setup
from rules.core.dice import SeededDice
from rules.wording.advice import MATCH_REASONS, match_reason
from rules.wording.equipment import EQUIPMENT_TEXTS
from rules.wording.filling import MISSING
from tests.rules.board import Dropped, duel, loadout, pilot, placed, setup_document, token, unit
from tests.rules.bots.advice.advised import BOTH, FORMATS, at_combat, hot, played, wounded

# --- every decision -----------------------------------------------------------------------------------------------


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
                    whose = {"unit": possible.decision.unit, **reason.parameters}
                    sentence = match_reason(reason.code, whose, names)
                    assert reason.code in MATCH_REASONS
                    assert MISSING not in sentence, (reason, sentence)
                    assert "{" not in sentence
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
    match = Match.start(read_setup(document), SeededDice(4))
    rng = random.Random(2)
    while match.decision is not None and not (match.decision.side == "red" and match.decision.kind == "move"):
        match.play(match.sample_action(rng))
    return match


def test_the_rivals_face_down_tokens_and_hand_change_nothing_of_the_advice() -> None:
    documents = {
        str(advise(with_secrets(methods, cards).observe("red"), "same seed", "quick").to_json())
        for methods, cards in (
            (("ballistic", "energy", "melee"), ("R-001", "R-002")),
            (("melee", "melee", "ballistic"), ("R-021", "R-009")),
        )
    }
    assert len(documents) == 1


def test_a_side_that_is_not_asked_gets_no_advice() -> None:
    match = at_combat()
    with pytest.raises(ValueError, match="not this side's"):
        advise(match.observe("blue"), "seed")


def test_the_same_seed_gives_the_same_advice() -> None:
    match = at_combat()
    assert advise(match.observe("red"), "x") == advise(match.observe("red"), "x")


# --- a bot that weighs --------------------------------------------------------------------------------------------


def test_of_many_reasons_each_kind_is_shown_and_sums_come_last() -> None:
    """Two targets behind trees with their backs turned, who both can fall, and heat for who fires."""
    two = {"type": "ballistic", "targets": 2, "range": [0, 8]}
    hot_one = {**hot({"speed": "avoid_shutdown"}, secondary=-1), "primary": two}
    document = duel(red={"unit": hot_one}, format="team", arena={"hexes": {"0608": "hindering", "0708": "hindering"}})
    document["units"][1].update(wounded(2, facing=0))
    document["units"].append(placed("c", "blue", "0706", 0, unit("c", clicks=8), clicks=6))
    document["start"]["order"] = ["a", "b", "c"]
    match = Dropped(document, 1).match
    found = explain(match, match.read({"unit": "a", **BOTH})[0])
    reasons = foremost(found, advising.MOST_REASONS)
    assert len(found) > len(reasons) == advising.MOST_REASONS
    codes = [reason.code for reason in reasons]
    assert codes == [reason.code for reason in found if reason in reasons], "in their order"
    assert codes.count("hits") == codes.count("share_could_destroy") == 2
    assert {"damage_shared", "heat_adds", "heat_effect_shows", "heat_weakens"} <= set(codes)
    assert not {"counts_for", "counts_against"} & set(codes)
    assert foremost(found, len(found)) == found


# --- words --------------------------------------------------------------------------------------------------------


def test_a_reason_that_nobody_knows_is_said_to_be_one() -> None:
    assert "no_such" in match_reason("no_such", {}, {})
    assert MISSING in match_reason("hits", {"target": "b"}, {})


def test_going_first_and_going_last_are_shown_as_facts_and_equipment_says_what_it_does() -> None:
    for code in ("acts_first", "acts_last"):
        sentence = match_reason(code, {"others": 1}, {})
        assert sentence.startswith(("It acts first in every phase.", "It acts last in every phase."))
    sentence = match_reason("source_serves", {"equipment": "evade", "value": "speed"}, {})
    assert sentence == f"Evade, used for: speed. {EQUIPMENT_TEXTS['evade']}"


def test_reasons_round_trip() -> None:
    reason = Reason("counts_for", {"target": "b", "modifiers": {"rear_arc": 2}})
    assert Reason.from_json(reason.to_json()) == reason
    assert match_reason(reason.code, reason.parameters, {"b": "Bull"}) == (
        "In the sum against Bull this helps: rear arc +2."
    )
