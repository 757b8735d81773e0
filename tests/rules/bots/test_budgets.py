"""Every search has a counted budget, and none comes near it, in any format."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules import bots
from rules.bots.advice.advising import advise
from rules.bots.base import MOST_DECISIONS
from rules.bots.budget import MOST_CREWS, Budget, Overran
from rules.bots.foresight import MOST_POSITIONS
from rules.bots.guard import OVERRAN, Guard
from rules.bots.owners.characters import CHARACTERS
from rules.bots.owners.garage import choose_gear, choose_repairs
from rules.bots.owners.line_ups import choose_line_up
from rules.bots.owners.shopping import choose_basket
from rules.bots.owners.wares import Market, Means
from rules.campaign.classes import FORMATS
from rules.campaign.line_ups.checks import MatchTerms, OwnedCard, OwnedGear, OwnedPilot, OwnedUnit
from rules.campaign.line_ups.tokens import TokenChoices
from rules.catalogue import load_builtin
from rules.competition.match import Match
from rules.core.dice import SeededDice
from tests.rules.competition.formats.test_formats import setup_of

THINKERS = ("tactical", "quick", "strong")
EASE = 10
"""What a budget allows is so many times what is looked at here."""


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """All budgets that are made."""
    made: list[Budget] = []
    begin = Budget.__init__

    def noting(self: Budget, most: int, counted: str) -> None:
        begin(self, most, counted)
        made.append(self)

    monkeypatch.setattr(Budget, "__init__", noting)
    return made


def under_way(key: str) -> Match:
    """A match of a format at its first order of a unit that may move."""
    match = Match.start(setup_of(key, 1), SeededDice(1))
    rng = random.Random(1)
    while match.decision is not None and match.decision.kind != "move":
        match.play(match.sample_action(rng))
    return match


def test_what_goes_beyond_a_budget_overruns() -> None:
    budget = Budget(2, "crews")
    budget.spend(2)
    with pytest.raises(Overran, match="more than 2 crews"):
        budget.spend()


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("name", THINKERS)
def test_a_bot_stays_far_within_its_budget(key: str, name: str, budgets: list[Budget]) -> None:
    answer = Guard(under_way(key)).ask(bots.get(name), random.Random(1))
    assert answer.fault is None
    counted = [budget for budget in budgets if budget.counted == "positions"]
    assert 0 < max(budget.spent for budget in counted) <= MOST_POSITIONS // EASE


@pytest.mark.parametrize("name", THINKERS)
def test_a_bot_without_a_budget_gives_the_default_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.bots.foresight.MOST_POSITIONS", 5)
    match = under_way("standard")
    answer = Guard(match).ask(bots.get(name), random.Random(1))
    assert answer.fault is not None
    assert (answer.fault.code, answer.action) == (OVERRAN, match.default_action())


@pytest.mark.parametrize("key", FORMATS)
def test_the_adviser_stays_far_within_its_budget(key: str, budgets: list[Budget]) -> None:
    match = under_way(key)
    assert match.decision is not None
    assert advise(match.observe(match.decision.side), "seed", "quick").options
    counted = [budget for budget in budgets if budget.counted == "positions"]
    assert 0 < max(budget.spent for budget in counted) <= MOST_POSITIONS // EASE


@pytest.mark.parametrize("key", FORMATS)
def test_a_play_out_stays_far_within_its_budget(key: str, budgets: list[Budget]) -> None:
    match = under_way(key)
    sides = match.table.roster.sides
    bots.play_out(match, {side: bots.get("random") for side in sides}, random.Random(1))
    (decisions,) = [budget for budget in budgets if budget.counted == "decisions"]
    assert 0 < decisions.spent <= MOST_DECISIONS // EASE


def test_an_adviser_without_a_budget_overruns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.bots.foresight.MOST_POSITIONS", 5)
    match = under_way("standard")
    assert match.decision is not None
    with pytest.raises(Overran):
        advise(match.observe(match.decision.side), "seed", "tactical")


def whole_shelf() -> dict[str, list[Any]]:
    catalogue = load_builtin()
    return {
        "units": list(catalogue.units.values()),
        "pilots": list(catalogue.pilots.values()),
        "gear": list(catalogue.gear.values()),
        "cards": list(catalogue.rally_cards.values()),
    }


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("weight_class", ["light", "assault"])
def test_an_owner_of_a_large_stable_stays_far_within_its_budget(
    key: str, weight_class: str, budgets: list[Budget]
) -> None:
    shelf, traits = whole_shelf(), CHARACTERS["reckless"]
    terms = MatchTerms(weight_class, key)
    units = tuple(OwnedUnit(f"u{n}", one, "able", 1) for n, one in enumerate(shelf["units"][:24]))
    pilots = tuple(OwnedPilot(f"p{n}", one) for n, one in enumerate(shelf["pilots"][:16]))
    gear = tuple(OwnedGear(f"g{n}", one) for n, one in enumerate(shelf["gear"][:8]))
    cards = tuple(OwnedCard(f"c{n}", one) for n, one in enumerate(shelf["cards"][:8]))
    market = Market.of(shelf["units"], shelf["pilots"], shelf["gear"], shelf["cards"], terms)
    for means in (Means(2000), Means(2000, units, pilots, gear, cards)):
        choose_basket(market, means, terms, traits, SeededDice(1))
        choose_repairs(means, terms, traits, 2, market)
        choose_gear(means, terms)
        choose_line_up(means.units, means.pilots, means.cards, {}, TokenChoices.of((), 0), terms, traits, SeededDice(1))
    assert 0 < max(budget.spent for budget in budgets) <= MOST_CREWS // EASE


def test_an_owner_without_a_budget_overruns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.bots.budget.MOST_CREWS", 5)
    shelf, terms = whole_shelf(), MatchTerms("light")
    market = Market.of(shelf["units"], shelf["pilots"], shelf["gear"], shelf["cards"], terms)
    with pytest.raises(Overran):
        choose_basket(market, Means(2000), terms, CHARACTERS["balanced"], SeededDice(1))


def repairs(means: Means, terms: MatchTerms) -> object:
    return choose_repairs(means, terms, CHARACTERS["balanced"], 2)


@pytest.mark.parametrize("decide", [repairs, choose_gear])
def test_an_owner_without_a_budget_overruns_in_the_garage_too(decide: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.bots.budget.MOST_CREWS", 5)
    shelf, terms = whole_shelf(), MatchTerms("light")
    units = tuple(OwnedUnit(f"u{n}", one, "able", 9) for n, one in enumerate(shelf["units"][:4]))
    pilots = tuple(OwnedPilot(f"p{n}", one) for n, one in enumerate(shelf["pilots"][:4]))
    gear = tuple(OwnedGear(f"g{n}", one) for n, one in enumerate(shelf["gear"][:4]))
    means = Means(2000, units, pilots, gear)
    with pytest.raises(Overran):
        decide(means, terms)
