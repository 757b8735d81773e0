"""What lies ahead of a stable reckons with its sealed basket (O-S6)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from stables.models import Asset, Cycle, Season, Stable
from stables.selectors.crews import in_market
from stables.services.market import baskets
from tests.stables.market.test_market_endpoints import address, league, mine, owner, people
from tests.stables.market_goods import bought, common_pilot, common_unit

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db

COUNTED = "Your sealed basket is counted."


def outlook(owner: Client, stable: Stable, page: str = "market") -> list[Any]:
    shown: list[Any] = owner.get(address(page, stable)).context["outlook"]
    return shown


def fill(stable: Stable, *wares: tuple[str, dict[str, Any]]) -> None:
    lines = [{"kind": kind, "key": entry["id"]} for kind, entry in wares]
    baskets.set_lines(stable_id=stable.pk, lines=lines)


def test_o_s6_a_sealed_basket_counts_as_bought(league: Season, mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(league), common_pilot(league)
    before = outlook(owner, mine)
    assert not before[0].is_yes
    fill(mine, ("unit", unit), ("pilot", pilot))
    open_basket = outlook(owner, mine)
    assert not open_basket[0].is_yes
    assert "only a sealed basket is bought" in open_basket[0].answer
    baskets.seal(stable_id=mine.pk)
    for page in ("market", "garage"):
        first, reserve, repairs = outlook(owner, mine, page)
        assert (first.is_yes, reserve.is_yes) == (True, False)
        assert unit["name"] in first.answer
        assert pilot["name"] in first.answer
        assert COUNTED in first.answer
        left = mine.capital - unit["points"] - pilot["points"]
    assert f"have {left - 100} Stones" in repairs.answer or f"have {left - 125} Stones" in repairs.answer
    assert not Asset.objects.filter(stable=mine).exists(), "nothing is bought by looking"


def test_a_basket_that_buys_too_little_changes_nothing(league: Season, mine: Stable, owner: Client) -> None:
    fill(mine, ("unit", common_unit(league)))
    assert "sealed" not in outlook(owner, mine)[0].answer
    baskets.seal(stable_id=mine.pk)
    first = outlook(owner, mine)[0]
    assert not first.is_yes
    assert COUNTED in first.answer


def test_a_second_copy_in_the_basket_is_a_reserve(league: Season, mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(league), common_pilot(league)
    bought(mine, "unit", unit)
    bought(mine, "pilot", pilot)
    assert not outlook(owner, mine)[1].is_yes
    fill(mine, ("unit", unit))
    baskets.seal(stable_id=mine.pk)
    assert outlook(owner, mine)[1].is_yes


def test_q_154_its_owner_reads_what_the_organiser_reads_of_one_crew_where_a_match_takes_two(
    league: Season, mine: Stable, owner: Client
) -> None:
    season_rules = league.rules
    Season.objects.filter(pk=league.pk).update(
        settings={**league.settings, "cycles": ["team", *season_rules.cycles[1:]]}
    )
    Cycle.objects.filter(season=league).update(format="team")
    bought(mine, "unit", common_unit(league))
    bought(mine, "pilot", common_pilot(league))
    cycle = Cycle.objects.select_related("season__release").get(season=league)
    [of_organiser] = in_market(cycle, [mine], set())
    first = outlook(owner, mine)[0]
    assert (first.is_yes, of_organiser.lacks_crew) == (True, False)
    assert "It may fight alone" in first.answer
