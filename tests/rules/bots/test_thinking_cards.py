"""Bots that think play rally cards and use equipment: the one that decides where it does, and in matches."""

from collections import Counter
from typing import Any

import pytest

from rules import bots
from rules.competition.match import Match
from tests.rules.board import CLICK, Json, duel, happened, placed, unit
from tests.rules.bots.deciding import THINKERS, THOROUGH, answer_of, asked, hurried, played_on, showdown, whole_match
from tests.rules.dealing import card, dealt, gear

SHOT = {"unit": "a", "order": "ranged", "value": "primary", "targets": ["b"]}
AROUND_0610 = ("0609", "0611", "0510", "0511", "0710", "0711")


def armed(*, points: int = 160, clicks: int = 6, **equipment: Any) -> Json:
    """A plain unit of these points and equipment."""
    return unit("guns", points=points, clicks=clicks, click={**CLICK, "equipment": equipment})


# --- rally cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
def test_r_ral_03_the_card_that_decides_is_played_and_not_the_first_that_helps(name: str) -> None:
    """One point more eliminates; aiming better does not, and without either the dear side has lost."""
    units = [placed("a", "red", "0610", 0, armed(), clicks=1), placed("b", "blue", "0606", 6, unit(clicks=4))]
    hand = [card("R-aim", "take_aim"), card("R-press", "press_the_attack")]
    match = asked(showdown("combat", units=units, hands={"red": {"a": hand}}), "a", "rally")
    assert answer_of("greedy", match)["card"] == "R-aim"
    for seed in (1, 2):
        assert answer_of(name, match, seed)["card"] == "R-press"


@pytest.mark.parametrize("name", THINKERS)
def test_a_card_that_helps_nobody_is_kept(name: str) -> None:
    units = [placed("a", "red", "0101", 0, armed(), clicks=1), placed("b", "blue", "0613", 6)]
    match = asked(showdown("combat", units=units, hands={"red": {"a": [card("R-aim", "take_aim")]}}), "a", "rally")
    assert answer_of(name, match)["card"] is None


# --- equipment ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", THINKERS)
def test_r_ger_07_r_sem_04_jump_jets_are_chosen_to_leave_a_ring_of_rocks(name: str) -> None:
    """From inside there is no shot. The dial's Evade serves until the owner says that the gear does."""
    jets = gear("G-jets", "speed", equipment="jump_jets")
    units = [
        placed("a", "red", "0610", 0, armed(speed="evade"), gear=[jets]),
        placed("b", "blue", "0606", 6, unit(clicks=6), clicks=3),
    ]
    rocks = {"hexes": dict.fromkeys(AROUND_0610, "blocking")}
    match = asked(showdown("move", units=units, arena=rocks), "a", "source")
    assert answer_of("greedy", match)["from"] == "dial"
    source, move = played_on(name, match)[:2]
    assert source["from"] == "gear"
    assert (move["order"], move["jump"]) == ("move", True)
    assert match.snapshot()["units"]["a"]["hex"] not in ("0610", *AROUND_0610)


EVADE_ONCE = {"key": "evade", "single_use": True}


def about_to_fall(**keys: Any) -> Json:
    """b has one point left, and the circle of Evade costs it when it is shot at, well or badly."""
    shooter = unit("a", clicks=6, click={"attack": 2})
    target = placed("b", "blue", "0606", 6, armed(points=170, speed=EVADE_ONCE), clicks=5, **keys)
    return duel(units=[placed("a", "red", "0610", 0, shooter), target])


@pytest.mark.parametrize("name", THINKERS)
def test_r_seg_08_equipment_that_costs_the_last_point_is_cancelled(name: str) -> None:
    match = asked(about_to_fall(orders=["ranged"]), "b", "cancel", SHOT)
    assert answer_of("greedy", match)["keys"] == []
    assert answer_of(name, match)["keys"] == ["evade"]


@pytest.mark.parametrize("name", THOROUGH)
def test_r_seg_08_the_same_with_a_reaction_to_choose(name: str) -> None:
    match = asked(about_to_fall(), "b", "react", SHOT)
    assert "cancel" not in answer_of("greedy", match)
    assert answer_of(name, match) == {"unit": "b", "react": "none", "cancel": ["evade"]}


# --- whole matches --------------------------------------------------------------------------------------------------


def did(match: Match) -> Counter[str]:
    """How often cards and equipment that is a choice were really used in a match."""
    done = Counter[str]()
    for action in match.actions:
        done["card"] += action.get("choose") == "rally" and action["card"] is not None
        done["source"] += action.get("choose") == "source"
        done["jump"] += bool(action.get("jump")) or action.get("order") == "death_from_above"
        done["reroll"] += action.get("choose") == "reroll" and action["die"] is not None
        done["cancel"] += bool(action.get("cancel") or action.get("keys"))
    return done


def test_r_ral_03_r_ral_07_cards_and_equipment_are_played_in_matches_between_thinkers() -> None:
    """The quick bot against the tactical one; whatever was played shows in the events, and no card is played twice."""
    done = Counter[str]()
    for number in range(3, 9):
        match = whole_match(dealt(number, 2, 2), 3, [hurried(), bots.get("quick")])
        mine, rallies = did(match), match.table.position.rallies
        assert len(happened(match, "rally_played")) == len(rallies) == mine["card"]
        assert len({(match.table.roster.owner_of[who], name) for _, who, name, _ in rallies}) == len(rallies)
        assert len({(when, who) for when, who, _, _ in rallies}) == len(rallies)
        assert len(happened(match, "source_chosen")) <= mine["source"]
        done += mine
        if done["card"] >= 4 and all(done[used] for used in ("source", "jump", "reroll")):
            return
    pytest.fail(f"only {done} in six matches")
