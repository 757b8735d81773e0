"""Questions that decide nothing are answered without asking, and only those."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules.bots.indifferent import indifferent_action
from rules.bots.preset_answers import ROUTINE, only_action, unasked_answer
from rules.competition.match import Match
from rules.competition.state.events import ATTACK_RESOLVED
from rules.core.dice import SeededDice
from rules.tools.questions import ORDERS
from tests.rules.board import Dropped, Json, decisions, duel, flat
from tests.rules.dealing import dealt

COLD = {"shutdown": True, "heat": 3}


class LoadedDice(SeededDice):
    """Dice that show a face when an attack die is rolled again."""

    def __init__(self, face: int) -> None:
        super().__init__(face)
        self.face = face

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        return (self.face,) if purpose == "reroll" else super().roll(count, purpose)


def how_it_ends(match: Match, die: int, face: int) -> dict[int, int]:
    """For each target what the engine makes of an attack when this die (-1: none) is rolled again and shows a face."""
    table = match.table.copy(LoadedDice(face), [])
    assert table.open is not None
    targets = table.open[2].attack.targets
    table.answer((die,))
    assert table.log is not None
    _, _, hits, critical, _ = next(event for event in table.log if event[0] == ATTACK_RESOLVED)
    level = {"hit": 3, "miss": 0}.get(str(critical))
    return {target: (2 if target in hits else 1) if level is None else level for target in targets}


def rerolls(count: int) -> Iterator[Match]:
    """Matches at a decision whether a die is rolled again."""
    for number in range(1000):
        match = Match.start(dealt(number), SeededDice(number))
        for at in decisions(match, random.Random(number), 200):
            assert at.table.open is not None
            if at.table.open[0].name == "reroll":
                yield at
                count -= 1
        if count <= 0:
            return


@pytest.mark.parametrize("choice", [True, False])
def test_r_ini_04_nobody_chooses_a_place_when_no_unit_takes_orders_this_round(choice: bool) -> None:
    match = asked(duel(red=COLD, blue=COLD, start={"round": 1, "phase": "initiative"}))
    skipped = indifferent_action(match)
    assert skipped is not None
    assert match.check(skipped) == []
    match.play({**skipped, "first": choice})
    while match.decision is not None and match.table.position.round == 1:
        match.play(match.sample_action(random.Random(1)))
    happened = {event["event"] for event in flat(match)}
    assert not happened & {"moved", "order_given", "attack_rolled", "targeted"}
    assert "round_began" in happened


@pytest.mark.parametrize("sides", [{"red": COLD}, {"blue": COLD}, {}])
def test_r_ini_04_the_place_is_chosen_while_one_unit_may_act(sides: dict[str, Json]) -> None:
    assert indifferent_action(asked(duel(**sides, start={"round": 1, "phase": "initiative"}))) is None


def asked(document: Json) -> Match:
    match = Dropped(document, 1).match
    while match.decision is not None and match.decision.kind != "initiative":
        match.play(match.default_action())
    assert match.decision is not None
    return match


def test_r_sea_04_a_die_is_offered_exactly_while_it_could_help() -> None:
    found = {True: 0, False: 0}
    for match in rerolls(60):
        now = how_it_ends(match, -1, 1)
        assert match.table.open is not None
        dice = match.table.open[2].dice
        helps = any(
            how_it_ends(match, die, face)[target] > level
            for target, level in now.items()
            for die in range(3)
            for face in range(1, 7)
            if face != dice[die]
        )
        skipped = indifferent_action(match)
        assert (skipped is None) == helps, (dice, now)
        if skipped is not None:
            assert (skipped["choose"], skipped["die"]) == ("reroll", None)
        found[helps] += 1
    assert min(found.values()) >= 5


def test_no_order_is_given_for_a_player_while_there_is_a_choice() -> None:
    others = 0
    for number in range(12):
        match = Match.start(dealt(number), SeededDice(number))
        for at in decisions(match, random.Random(number), 120):
            assert at.decision is not None
            unasked = unasked_answer(at, ROUTINE)
            if unasked is None:
                continue
            assert at.check(unasked.action) == []
            if at.decision.kind in ORDERS:
                assert unasked.action == only_action(at)
                assert not unasked.is_standing
            else:
                others += 1
    assert others > 20
