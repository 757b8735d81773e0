"""Every roll is an event: what was thrown can be read from the record of a match, die by die, in the order of play."""

import random
from collections.abc import Iterable

import pytest

from rules.competition.match import Match
from rules.competition.setup import FORMATS_BUILT
from rules.core.dice import SeededDice
from rules.scenario import play
from tests.rules.engine.board import Json, decisions, flat, scenario_documents
from tests.rules.engine.test_cards_in_play import dealt
from tests.rules.engine.test_formats import setup_of


def told(events: Iterable[Json]) -> list[int]:
    """The dice that events tell, in their order."""
    found: list[int] = []
    for event in events:
        if event["event"] == "die_rerolled":  # its `die` says which of the three
            found.append(event["to"])
        elif "dice" in event:
            found.extend(event["dice"])
        elif "die" in event:
            found.append(event["die"])
    return found


class Recorded(SeededDice):
    """Dice that keep what they showed."""

    __slots__ = ("thrown",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown: list[int] = []

    def roll(self, count: int, purpose: str) -> tuple[int, ...]:
        faces = super().roll(count, purpose)
        self.thrown.extend(faces)
        return faces


def test_every_die_of_every_scenario_is_told() -> None:
    silent = []
    for name, document in scenario_documents():
        scenario, _ = play(document)
        if scenario is not None and told(scenario.outcome()["events"]) != document.get("dice", []):
            silent.append(name)
    assert silent == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", FORMATS_BUILT)
def test_every_die_of_a_random_match_is_told(key: str, seed: int) -> None:
    dice = Recorded(seed)
    match = Match.start(setup_of(key, seed), dice)
    for _ in decisions(match, random.Random(seed)):
        pass
    assert dice.thrown
    assert told(flat(match)) == dice.thrown


@pytest.mark.parametrize("number", range(6))
def test_every_die_of_a_match_with_cards_is_told(number: int) -> None:
    dice = Recorded(number)
    match = Match.start(dealt(number), dice)
    for _ in decisions(match, random.Random(number)):
        pass
    assert told(flat(match)) == dice.thrown
