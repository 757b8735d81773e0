"""Stables in equal situations are advised different, equally good crews (O-S7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.bots.owners.advice import BUY, PieceOfAdvice, Situation, advise
from rules.bots.owners.plans import AS_GOOD, as_good_as_best
from rules.bots.owners.wares import CrewOffer, Market, Means
from rules.campaign.line_ups.checks import MatchTerms, OwnedPilot, OwnedUnit
from tests.rules.campaign.cards import pilot, unit

LIGHT = MatchTerms("light")
UNITS = [unit(f"U-{number}", points) for number, points in enumerate((140, 139, 138, 137, 100), 1)]
MARKET = Market.of(UNITS, [pilot("P-1", 10), pilot("P-2", 9)], [], [], LIGHT)


RICH = Means(900)


def situation(turn: int, market: Market = MARKET, means: Means = RICH, **more: Any) -> Situation:
    return Situation(means, LIGHT, market, 0, in_break=True, can_mount=True, turn=turn, **more)


def bought(found: list[PieceOfAdvice]) -> list[str]:
    return [one.key for one in found if one.deed == BUY]


def points_of(first: str) -> int:
    return max(offer.points for offer in MARKET.offers if offer.unit["id"] == first)


def test_each_stable_is_advised_another_first_unit_as_long_as_there_are_equally_good_ones() -> None:
    firsts = [bought(advise(situation(turn)))[0] for turn in range(6)]
    assert firsts == ["U-1", "U-2", "U-3", "U-4", "U-1", "U-2"], "the unit of 100 points is not as good"
    assert min(points_of(first) for first in firsts) >= AS_GOOD * points_of("U-1")


def test_the_same_stable_hears_the_same_again_and_the_rest_of_it_once_it_follows() -> None:
    asked = situation(2)
    whole = bought(advise(asked))
    assert whole == bought(advise(asked))
    definition = next(one for one in UNITS if one["id"] == whole[0])
    then = Means(900 - int(definition["points"]), [OwnedUnit("new", definition, "undamaged")])
    assert bought(advise(situation(2, means=then, bought=["new"]))) == whole[1:]


def test_where_there_is_one_unit_the_pilots_take_turns() -> None:
    market = Market.of(UNITS[:1], [pilot("P-1", 10), pilot("P-2", 9)], [], [], LIGHT)
    assert [bought(advise(situation(turn, market, Means(170))))[:2] for turn in (0, 1, 2)] == [
        ["U-1", "P-1"],
        ["U-1", "P-2"],
        ["U-1", "P-1"],
    ]


def test_units_that_the_owner_has_take_no_turn() -> None:
    """They come last on the shelf, whatever their points."""
    offers = [offer for offer in MARKET.offers if offer.pilot is not None and offer.pilot["id"] == "P-1"]
    best, *others = offers
    worse = replace(others[-1])

    def picked(turn: int, found: list[CrewOffer]) -> str:
        return str(as_good_as_best(turn)(found).unit["id"])

    assert {picked(turn, [worse, best]) for turn in range(4)} == {str(worse.unit["id"])}


def test_an_idle_pilot_still_comes_first() -> None:
    means = Means(900, (), [OwnedPilot("kai", pilot("P-1", 10))])
    kinds = [one.kind for one in advise(situation(3, means=means)) if one.deed == BUY]
    assert kinds[0] == "unit"
