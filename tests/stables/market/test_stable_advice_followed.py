"""Whoever follows what market and garage suggest, from the top or in whatever order, ends with what was announced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rules.bots.owners.advice import BUY, MOUNT, PieceOfAdvice
from rules.campaign.line_ups.checks import MatchTerms, best_team, check_crew, crews
from stables.models import Basket, Stable
from stables.presenters.market.outlook import outlook_answers
from stables.selectors.windows import window_of
from stables.services.ai.stock import means_of
from stables.services.garage import equipping
from stables.services.market import baskets, trading
from stables.services.season import seasons
from tests.stables.conftest import open_with
from tests.stables.market.test_stable_advice import advice_of, crewed, of_deed, people
from tests.stables.market_goods import leave, paired

__all__ = ["people"]

pytestmark = pytest.mark.django_db

Crew = dict[str, str]
"""Kind -> catalogue id."""


def founded(release: Any, people: dict[str, Any], **settings: Any) -> Stable:
    season = open_with(release, ["Ash"], **settings)
    seasons.found_stable(season_id=season.pk, name="Stable of owner", owner=people["owner"])
    return season.stables.select_related("season").get(name="Stable of owner")


def bought_of(stable: Stable) -> list[PieceOfAdvice]:
    return [each.suggestion for each in of_deed(advice_of(stable), BUY)]


def lines_of(suggestions: Sequence[PieceOfAdvice]) -> list[tuple[str, str, bool]]:
    return [(one.kind, one.key, one.is_needed) for one in suggestions]


def announced_crews(suggestions: Sequence[PieceOfAdvice]) -> list[Crew]:
    """The crews of a plan: what is said to go together."""
    found: list[Crew] = []
    for one in suggestions:
        others = next((reason.parameters["others"] for reason in one.reasons if reason.code == "goes_with"), None)
        if others is None:
            continue
        if one.kind == "unit":
            found.append({"unit": one.key})
        assert found[-1]["unit"] in (one.key, *others)
        found[-1][one.kind] = one.key
    return found


def buy(stable: Stable, one: PieceOfAdvice) -> None:
    trading.buy(stable_id=stable.pk, kind=one.kind, key=one.key)


def mount_all(stable: Stable) -> None:
    """Press every button that puts gear on a unit."""
    for each in of_deed(advice_of(stable), MOUNT):
        equipping.assign(stable_id=stable.pk, asset_id=each.asset, unit_id=each.unit, side=each.suggestion.side)


def fielded_crews(stable: Stable) -> list[Crew]:
    """Units with their gear, by order of purchase; the pilots stay on the list."""
    found = []
    for unit in stable.assets.filter(kind="unit", sold_at=None).order_by("id"):
        cards = [card.catalogue_key for card in unit.assigned.filter(kind="gear")]
        found.append({"unit": unit.catalogue_key, **({"gear": cards[0]} if cards else {})})
        assert len(cards) <= 1
    return found


def assert_within_the_limit(stable: Stable, crews: Sequence[Crew]) -> None:
    """Every crew may be fielded with all of its gear, and they stand side by side: each has a pilot of its own."""
    window, assets = window_of(stable), list(stable.assets.filter(sold_at=None).order_by("id"))
    means = means_of(stable, window, assets)
    free = list(means.pilots)
    for unit, crew in zip(means.units, crews, strict=True):
        pilot = next((one for one in free if str(one.definition["id"]) == crew["pilot"]), None)
        assert pilot is not None
        free.remove(pilot)
        assert [str(card.definition["id"]) for card in unit.gear] == ([crew["gear"]] if "gear" in crew else [])
        assert check_crew(unit, pilot, window.match_class) == []


SEASONS = [
    *({"weight_class": one} for one in ("light", "medium", "heavy", "assault")),
    {"weight_class": "light", "cycles": ["team"]},
    {"weight_class": "heavy", "cycles": ["team"]},
]
CAPITALS = (1000, 700, 420, 250)


@pytest.mark.parametrize("capital", CAPITALS)
@pytest.mark.parametrize("settings", SEASONS, ids=lambda settings: "-".join(str(each) for each in settings.values()))
def test_buying_from_the_top_ends_with_the_crews_and_the_stones_that_were_announced(
    release: Any, people: dict[str, Any], settings: dict[str, Any], capital: int
) -> None:
    stable = founded(release, people, **settings)
    leave(stable, capital)
    announced = bought_of(stable)
    assert {one.kind for one in announced if one.is_needed} == {"unit", "pilot"}
    for place in range(len(announced)):
        now = bought_of(stable)
        assert lines_of(now) == lines_of(announced[place:])
        assert [one.left for one in now] == [one.left for one in announced[place:]]
        buy(stable, now[0])
        stable.refresh_from_db()
        assert stable.capital == announced[place].left
    assert bought_of(stable) == []
    mount_all(stable)
    crews = announced_crews(announced)
    assert fielded_crews(stable) == [{kind: crew[kind] for kind in ("unit", "gear") if kind in crew} for crew in crews]
    assert_within_the_limit(stable, crews)
    assert of_deed(advice_of(stable), MOUNT) == of_deed(advice_of(stable), BUY) == []


TEAMS = [
    *(("light", 230), ("light", 260), ("medium", 300), ("medium", 340)),
    *(("heavy", 340), ("heavy", 380), ("assault", 380), ("assault", 420)),
]


@pytest.mark.parametrize(("match_class", "capital"), TEAMS)
def test_a_stable_that_can_pay_two_crews_for_a_team_match_ends_with_both(
    release: Any, people: dict[str, Any], match_class: str, capital: int
) -> None:
    """And the page that says whether it can fight the coming match says so."""
    stable = founded(release, people, weight_class=match_class, cycles=["team"])
    leave(stable, capital)
    while buys := bought_of(stable):
        buy(stable, buys[0])
    window, assets = window_of(stable), list(stable.assets.filter(sold_at=None).order_by("id"))
    means, terms = means_of(stable, window, assets), MatchTerms(match_class, "team")
    assert len(best_team(crews(means.units, means.pilots, terms), terms.size, terms)) == 2
    assert outlook_answers(stable, window, assets)[0].is_yes


def test_a_stable_that_can_pay_but_one_of_two_crews_hears_what_is_missing(release: Any, people: dict[str, Any]) -> None:
    stable = founded(release, people, weight_class="heavy", cycles=["team"])
    leave(stable, 300)
    found = advice_of(stable)
    (first,) = [each for each in of_deed(found, BUY) if each.suggestion.kind == "unit"]
    details = {reason.code: reason.detail for reason in first.reasons}
    assert details["crews_want"] == "Your Stones make fewer crews than the next match takes: 1 of 2."
    assert "one_more_wants" in details


ORDERS: list[Callable[[int, int], int]] = [lambda count, step: count - 1, lambda count, step: step * 7 % count]


@pytest.mark.parametrize("order", ORDERS, ids=["from-the-end", "here-and-there"])
def test_the_order_of_buying_and_mounting_in_between_change_nothing_of_the_plan(
    release: Any, people: dict[str, Any], order: Callable[[int, int], int]
) -> None:
    stable = founded(release, people)
    announced = bought_of(stable)
    waiting = lines_of(announced)
    for step in range(len(announced)):
        now = bought_of(stable)
        assert sorted(line[:2] for line in lines_of(now)) == sorted(line[:2] for line in waiting)
        one = now[order(len(now), step)]
        buy(stable, one)
        waiting.remove(next(line for line in waiting if line[:2] == (one.kind, one.key)))
        mount_all(stable)
    stable.refresh_from_db()
    assert stable.capital == announced[-1].left
    crews = announced_crews(announced)
    of_unit = {crew["unit"]: crew for crew in crews}
    fielded = fielded_crews(stable)
    assert sorted(map(str, fielded)) == sorted(
        str({kind: crew[kind] for kind in ("unit", "gear") if kind in crew}) for crew in crews
    )
    assert_within_the_limit(stable, [of_unit[crew["unit"]] for crew in fielded])


def test_gear_that_is_put_up_when_the_market_is_closed_keeps_the_crews_together_too(
    release: Any, people: dict[str, Any]
) -> None:
    stable = founded(release, people)
    announced = bought_of(stable)
    for one in announced:
        buy(stable, one)
    paired(stable.season)
    assert window_of(stable).is_mid_cycle
    mount_all(stable)
    units = list(stable.assets.filter(kind="unit").order_by("id"))
    assert all(unit.assigned.filter(kind="gear").exists() for unit in units)
    assert_within_the_limit(stable, announced_crews(announced))


def test_a_stable_that_has_a_crew_already_ends_with_what_was_announced_too(
    release: Any, people: dict[str, Any]
) -> None:
    stable = founded(release, people)
    crewed(stable.season, stable)
    announced = bought_of(stable)
    assert not any(one.is_needed for one in announced)
    assert any(reason.code == "gear_for" for one in announced for reason in one.reasons)
    for place, one in enumerate(announced):
        assert lines_of(bought_of(stable)) == lines_of(announced[place:])
        buy(stable, one)
        mount_all(stable)
    stable.refresh_from_db()
    assert (stable.capital, bought_of(stable)) == (announced[-1].left, [])


def test_what_is_put_into_the_basket_is_a_part_of_the_plan_as_well(release: Any, people: dict[str, Any]) -> None:
    stable = founded(release, people)
    announced = bought_of(stable)
    for place, one in enumerate(announced):
        basket = Basket.objects.filter(stable=stable).first()
        now = [each.suggestion for each in of_deed(advice_of(stable, basket), BUY)]
        assert lines_of(now) == lines_of(announced[place:])
        assert [each.left for each in now] == [each.left for each in announced[place:]]
        baskets.put_in(stable_id=stable.pk, kind=one.kind, key=one.key)
