"""What market and garage show their owner: search, the closed market, what lies ahead, in few queries, translated."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from stables.models import Season, Stable
from stables.services.garage import equipping
from stables.services.market import baskets
from stables.services.season import seasons
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.stables.conftest import open_with
from tests.stables.market.test_market_endpoints import PAGES, address, client_of, league, mine, owner, people
from tests.stables.market_goods import bought, common_pilot, common_unit, goods, hurt, leave, paired

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("", {"unit"}),
        ("?kind=all", {"unit", "pilot", "gear", "rally_card"}),
        ("?kind=gear", {"gear"}),
        ("?kind=castle", {"unit"}),
        ("?kind=unit&class=assault", {"unit"}),
        ("?kind=rally_card&q=nothing%20left", {"rally_card"}),
        ("?kind=all&q=no-such-thing", set()),
    ],
)
def test_the_market_is_searched_by_kind_class_and_name(
    mine: Stable, owner: Client, query: str, kinds: set[str]
) -> None:
    page = owner.get(address("market", mine) + query)
    assert {offer["kind"] for offer in page.context["shelf"]} == kinds
    if "assault" in query:
        assert {offer["definition"]["class"] for offer in page.context["shelf"]} == {"assault"}
    if query == "":
        units = [offer for offer in page.context["shelf"] if offer["kind"] == "unit"]
        assert {offer["definition"]["class"] for offer in units} == {"light"}


def test_the_closed_market_sells_nothing_and_says_so(league: Season, mine: Stable, owner: Client) -> None:
    paired(league)
    page = owner.get(address("market", mine))
    assert (page.context["shelf"], page.context["can_buy"]) == ([], False)
    assert "The market is closed" in page.content.decode()
    assert "Your basket" not in page.content.decode()


def test_the_market_says_what_lies_ahead(league: Season, mine: Stable, owner: Client) -> None:
    first = owner.get(address("market", mine)).context["outlook"]
    assert [line.is_yes for line in first] == [False, False], "who has no ’Mech has none to lose"
    assert "R-FOR-01" in first[0].answer
    bought(mine, "unit", common_unit(league))
    bought(mine, "pilot", common_pilot(league))
    then = owner.get(address("garage", mine)).context["outlook"]
    assert [line.is_yes for line in then] == [True, False, True]
    assert common_unit(league)["name"] in then[0].answer
    assert "R-CRP-09" in then[1].answer
    leave(mine, 99)
    broke = owner.get(address("garage", mine)).context["outlook"]
    assert (broke[2].is_yes, "R-CRP-02" in broke[2].answer) == (False, True)


def test_the_market_speaks_of_the_next_cycle_of_two_a_side(release: Any, people: dict[str, Any]) -> None:
    season = open_with(release, ["Ash"], cycles=["standard", "team"])
    seasons.found_stable(season_id=season.pk, name="Stable of owner", owner=people["owner"])
    stable = season.stables.select_related("season").get(name="Stable of owner")
    bought(stable, "unit", common_unit(season))
    bought(stable, "pilot", common_pilot(season))
    outlook = client_of(people["owner"]).get(address("market", stable)).context["outlook"]
    assert (len(outlook), outlook[2].is_yes) == (4, False)
    assert "cycle 2" in outlook[2].question


def test_the_market_hires_in_an_emergency(release: Any, people: dict[str, Any]) -> None:
    season = open_with(release, ["Ash"], emergency_hire=True)
    seasons.found_stable(season_id=season.pk, name="Stable of owner", owner=people["owner"])
    stable = season.stables.select_related("season").get(name="Stable of owner")
    bought(stable, "unit", common_unit(season))
    paired(season)
    page = client_of(people["owner"]).get(address("market", stable))
    assert {offer["kind"] for offer in page.context["shelf"]} == {"pilot"}
    assert {offer["definition"]["kind"] for offer in page.context["shelf"]} == {"common"}
    assert "may hire one of these" in page.content.decode()


def fill_the_stable(league: Season, stable: Stable, count: int) -> None:
    for place in range(count):
        unit = bought(stable, "unit", common_unit(league))
        equipping.assign(
            stable_id=stable.pk, asset_id=bought(stable, "pilot", common_pilot(league)).pk, unit_id=unit.pk
        )
        card = bought(stable, "gear", goods(league, "gear")[place])
        bought(stable, "rally_card", goods(league, "rally_card")[place])
        baskets.put_in(stable_id=stable.pk, kind="gear", key=card.catalogue_key)
        hurt(unit)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("unique_market", ["per_stable", "one_in_campaign"])
def test_market_and_garage_take_few_queries_whatever_a_stable_has(
    league: Season, mine: Stable, owner: Client, name: str, unique_market: str
) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "unique_market": unique_market})
    counts = []
    for count in (1, 4):
        fill_the_stable(league, mine, count)
        owner.get(address(name, mine))
        with CaptureQueriesContext(connection) as queries:
            assert owner.get(address(name, mine)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= MOST_QUERIES


@pytest.mark.parametrize("name", PAGES)
def test_every_word_of_market_and_garage_is_translated(
    league: Season, mine: Stable, owner: Client, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_the_stable(league, mine, 3)
    hurt(mine.assets.filter(kind="unit")[0], eliminated=True)
    speak_pseudo(monkeypatch)
    assert untranslated(owner.get(address(name, mine)).content.decode()) == []
