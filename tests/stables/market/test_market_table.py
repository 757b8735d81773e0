"""The market's table: sorting, pages, what a stable has, units side by side, and the way back after a purchase."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules.wording import CARD_TEXTS
from stables.forms.market import SORTS
from stables.models import Season, Stable
from stables.presenters.market import table
from stables.presenters.market.offer_page import offer_of
from stables.selectors.definitions import catalogue_of
from stables.services.season import seasons
from tests.stables.conftest import open_with
from tests.stables.market.test_market_endpoints import address, client_of, league, mine, owner, people
from tests.stables.market_goods import bought, common_unit, goods, leave, paired

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db


def rows_at(owner: Client, stable: Stable, query: str) -> list[Any]:
    return list(owner.get(address("market", stable) + query).context["page"])


@pytest.mark.parametrize("key", [key for key in SORTS if key not in ("name", "price")])
def test_n_06_units_are_sorted_by_each_value_both_ways(mine: Stable, owner: Client, key: str) -> None:
    for sort, is_reversed in ((key, False), (f"-{key}", True)):
        values = [row.facts.values[key] for row in rows_at(owner, mine, f"?class=all&sort={sort}")]
        assert values == sorted(values, reverse=is_reversed)
        assert (
            values[0] != [row.facts.values[key] for row in rows_at(owner, mine, f"?class=all&sort={sort}&page=9")][-1]
        )


def test_n_06_house_statistics_are_said_once_or_where_they_stand_beside_printed_ones(
    mine: Stable, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def table_of() -> str:
        page = owner.get(address("market", mine)).content.decode()
        return page.split('id="market-heading"')[1].split("</section>")[0]

    assert table_of().count("House statistics") == 1
    paged = table.page_of

    def with_a_printed_one(rows: Any, number: str) -> Any:
        found = paged(rows, number)
        found[0].offer["is_house"] = False
        return found

    monkeypatch.setattr(table, "page_of", with_a_printed_one)
    assert table_of().count("House statistics") == len(rows_at(owner, mine, "")) - 1 > 1


@pytest.mark.parametrize(("sort", "pick"), [("price", "price"), ("name", "name")])
def test_n_06_any_kind_is_sorted_by_price_and_name(mine: Stable, owner: Client, sort: str, pick: str) -> None:
    there = [row.offer[pick] for row in rows_at(owner, mine, f"?kind=gear&sort={sort}")]
    back = [row.offer[pick] for row in rows_at(owner, mine, f"?kind=gear&sort=-{sort}")]
    assert there == sorted(there)
    assert back == sorted(back, reverse=True)
    assert there[0] != back[0]


def test_n_06_a_heading_says_how_the_table_is_sorted_and_turns_the_order_around(mine: Stable, owner: Client) -> None:
    page = owner.get(address("market", mine) + "?sort=-attack").content.decode()
    assert page.count("aria-sort=") == 1
    assert 'aria-sort="descending"' in page
    assert "?sort=attack#market-heading" in page


def test_n_06_a_row_has_the_values_of_the_first_click_and_of_the_base(mine: Stable, owner: Client) -> None:
    unit = common_unit(mine.season)
    found = next(row for row in rows_at(owner, mine, f"?q={unit['id']}"))
    first = unit["dial"][0]
    assert (found.facts.speed, found.facts.attack, found.facts.defense) == (
        first["speed"],
        first["attack"],
        first["defense"],
    )
    assert found.facts.primary.startswith(f"{first['primary']} ")
    assert found.facts.arcs.startswith(f"{unit['front_arc']}°")
    assert len(found.facts.line.markers) == sum(click["repair_marker"] for click in unit["dial"])


def test_n_06_only_what_one_can_buy_or_has_is_shown_on_request(mine: Stable, owner: Client) -> None:
    unit = common_unit(mine.season)
    bought(mine, "unit", unit)
    leave(mine, 20)
    shown = rows_at(owner, mine, "?class=all&afford=on")
    assert [(row.offer["key"], row.owned) for row in shown] == [(unit["id"], 1)]
    assert len(rows_at(owner, mine, "?class=all")) > 1


def test_n_06_up_to_four_units_stand_side_by_side(mine: Stable, owner: Client) -> None:
    keys = [unit["id"] for unit in goods(mine.season, "unit")[:5]]
    ticked = "&".join(f"compare={key}" for key in keys)
    context = owner.get(f"{address('market', mine)}?{ticked}&view=compare").context
    assert [row.offer["key"] for row in context["side_by_side"]] == sorted(keys)[:4]
    assert context["compared_too_many"]
    points = next(line for line in context["comparison"] if "Points" in line.name)
    prices = [row.offer["price"] for row in context["side_by_side"]]
    assert [is_best for _, is_best in points.cells] == [price == min(prices) for price in prices]
    listed = owner.get(f"{address('market', mine)}?class=all&{ticked}")
    assert "side_by_side" not in listed.context
    assert [row.offer["key"] for row in listed.context["page"] if row.is_compared] == sorted(keys)[:4]
    assert "only the first four ticks count" in listed.content.decode()
    few = owner.get(f"{address('market', mine)}?class=all&compare={keys[0]}").content.decode()
    assert "only the first four ticks count" not in few
    with_strangers = f"?compare=none-1&compare=none-2&compare=none-3&{ticked}&view=compare"
    context = owner.get(f"{address('market', mine)}{with_strangers}").context
    assert len(context["side_by_side"]) == 4, "a key that does not exist takes no place"
    assert "A tick counts once you press “Compare”." in few


@pytest.mark.parametrize("query", ["compare=no-such&view=compare", "page=99", "sort=castle", "page=x&view=y"])
def test_nonsense_in_the_address_shows_the_list(mine: Stable, owner: Client, query: str) -> None:
    assert owner.get(f"{address('market', mine)}?{query}").context["page"].object_list


def test_n_06_a_purchase_leads_back_to_its_row_with_filter_order_and_page(mine: Stable, owner: Client) -> None:
    key = goods(mine.season, "gear")[0]["id"]
    kept = "kind=gear&class=all&sort=-price&page=2&compare=SOL001&compare=SOL002"
    fields = {"kind": "gear", "key": key, "back": "market", "query": f"{kept}&next=//evil.example"}
    answer = owner.post(address("buy", mine), fields)
    assert answer["Location"] == f"{address('market', mine)}?{kept}#offer-{key}"
    assert (
        f'id="offer-{key}" tabindex="-1"' in owner.get(f"{address('market', mine)}?kind=gear&q={key}").content.decode()
    )


def test_n_06_a_market_alone_has_one_button_a_row_and_among_people_there_is_the_basket(
    release: Any, mine: Stable, owner: Client, people: dict[str, Any]
) -> None:
    both = owner.get(address("market", mine)).content.decode()
    assert "Into the basket" in both
    season: Season = open_with(release, ["Ash"])
    seasons.found_stable(season_id=season.pk, name="Alone", owner=people["owner"])
    alone = season.stables.select_related("season").get(name="Alone")
    page = client_of(people["owner"]).get(address("market", alone))
    assert page.context["advice"].takes_basket, "the advice could go there"
    assert "Into the basket" not in page.content.decode()
    assert "Put all of it into the basket" not in page.content.decode()


def test_n_06_the_page_of_a_definition_sells_it_to_an_owner_who_comes_from_their_market(
    mine: Stable, owner: Client, people: dict[str, Any]
) -> None:
    unit = common_unit(mine.season)
    market = owner.get(address("market", mine) + f"?q={unit['id']}&sort=-speed")
    link = f"{market.context['page'][0].offer['url']}&{market.context['market_place']}"
    page = owner.get(link)
    offer = page.context["offer"]
    assert offer.market == f"{address('market', mine)}?q={unit['id']}&sort=-speed#offer-{unit['id']}"
    assert "Back to the market" in page.content.decode()
    answer = owner.post(offer.buy, offer.fields)
    assert answer["Location"] == offer.market
    assert mine.assets.get().catalogue_key == unit["id"]
    for stranger in (client_of(people["rival"]), Client()):
        assert stranger.get(link).context["offer"] is None
    assert owner.get(reverse("catalogue:unit", args=[unit["id"]])).context["offer"] is None
    leave(mine, 1)
    assert "R-AST-12" in owner.get(link).context["offer"].problem


def test_the_page_of_a_pilot_sells_them_too(mine: Stable, owner: Client) -> None:
    market = owner.get(address("market", mine) + "?kind=pilot")
    row = market.context["page"][0]
    page = owner.get(f"{row.offer['url']}&{market.context['market_place']}")
    assert page.context["offer"].fields["kind"] == "pilot"


def test_the_page_of_another_release_sells_nothing(mine: Stable, people: dict[str, Any]) -> None:
    key, asked = common_unit(mine.season)["id"], {"market": f"{mine.season.slug}/{mine.slug}"}
    here = mine.season.release.content_hash
    found = [offer_of(people["owner"], "units", key, release, asked) for release in (here, here[::-1])]
    assert [offer is None for offer in found] == [False, True]


def test_a_pilot_in_an_emergency_is_hired_on_their_page_as_in_the_market(
    league: Season, mine: Stable, owner: Client
) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "emergency_hire": True})
    bought(mine, "unit", common_unit(league))
    market = owner.get(address("market", mine) + "?kind=pilot")
    link = f"{market.context['page'][0].offer['url']}&{market.context['market_place']}"
    assert "Buy for" in owner.get(link).content.decode()
    paired(league)
    market = owner.get(address("market", mine))
    page = owner.get(f"{market.context['page'][0].offer['url']}&{market.context['market_place']}").content.decode()
    assert ("Hire for" in page, "Buy for" in page) == (True, False)


def test_a_pilot_with_an_ability_says_it_with_the_name_of_its_mech_and_its_points_there(
    mine: Stable, owner: Client
) -> None:
    (row,) = rows_at(owner, mine, "?kind=pilot&class=light&q=Tormark")
    assert row.offer["definition"]["alternative"] == {"points": 21, "unit": "SOL004"}
    said = row.offer["description"]
    unit = catalogue_of(mine.season).units["SOL004"]["name"]
    assert f"In the {unit} alone, where they count 21 points: {CARD_TEXTS['backstabber']}" in said
    assert "SOL004" not in said
    others = rows_at(owner, mine, "?kind=pilot&class=all")
    assert all("alone" in one.offer["description"] for one in others if one.offer["definition"]["ability"])
