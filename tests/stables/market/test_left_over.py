"""What is bought and not used is said before an owner is ready, and a sale asks (N-07, N-09)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from rules.solaris.cards import HAND_SIZE
from stables.models import Season, SkippedCycle, Stable
from stables.presenters.market.left_over import left_over
from stables.presenters.next_step import market_step
from stables.services.garage import equipping
from tests.markup import read_aloud
from tests.stables.market.test_market_endpoints import address, league, mine, owner, people
from tests.stables.market_goods import bought, common_pilot, common_unit, fitting_gear, goods

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db


ONE_SIDE = ("primary", "secondary", "speed", "attack", "defense")


def said(stable: Stable) -> str:
    return market_step(stable, 1).also


def test_n_07_gear_on_no_unit_is_said_until_it_is_mounted(mine: Stable) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    bought(mine, "pilot", common_pilot(mine.season))
    assert said(mine) == ""
    card = bought(mine, "gear", fitting_gear(mine.season, common_unit(mine.season), ONE_SIDE))
    assert f"On no ’Mech, so not in the match: {card.label}." in said(mine)
    equipping.assign(stable_id=mine.pk, asset_id=card.pk, unit_id=unit.pk)
    assert said(mine) == ""


def test_n_07_the_market_says_it_above_the_button_of_being_ready(league: Season, mine: Stable, owner: Client) -> None:
    Season.objects.filter(pk=league.pk).update(state=Season.State.RUNNING)
    bought(mine, "unit", common_unit(league))
    card = bought(mine, "gear", fitting_gear(league, common_unit(league), ONE_SIDE))
    for name in ("market", "garage"):
        page = owner.get(address(name, mine)).content.decode()
        panel = page[page.index('id="next-step"') :]
        assert panel.index(card.label) < panel.index('id="say-ready"')


def panel_of(page: str) -> str:
    return page[page.index('id="next-step"') :].split("</section>")[0]


def test_n_07_the_panel_leads_to_the_garage_and_being_ready_comes_second(
    league: Season, mine: Stable, owner: Client
) -> None:
    Season.objects.filter(pk=league.pk).update(state=Season.State.RUNNING)
    unit = bought(mine, "unit", common_unit(league))
    assert "Your crew is not complete: a pilot is missing." in panel_of(
        owner.get(address("market", mine)).content.decode()
    )
    bought(mine, "pilot", common_pilot(league))
    card = bought(mine, "gear", fitting_gear(league, common_unit(league), ONE_SIDE))
    market = panel_of(owner.get(address("market", mine)).content.decode())
    assert "Your crew is not complete" not in market
    assert re.search(rf'class="button primary"\s+id="to-garage"\s+href="{address("garage", mine)}"', market)
    assert '<button id="say-ready"' in market
    garage = panel_of(owner.get(address("garage", mine)).content.decode())
    assert "to-garage" not in garage
    assert "in the garage" not in garage, "the note stands there itself"
    strip = owner.get(address("market", mine)).content.decode()
    assert '<button id="crew-ready"' in strip, "what is left over comes first"
    equipping.assign(stable_id=mine.pk, asset_id=card.pk, unit_id=unit.pk)
    done = owner.get(address("market", mine)).content.decode()
    assert '<button class="primary" id="say-ready"' in panel_of(done)
    assert '<button class="primary" id="crew-ready"' in done


@pytest.mark.parametrize(
    ("cycles", "needed"),
    [
        (["standard"], "You need one ’Mech and one pilot."),
        (["team"], "You need two ’Mechs and two pilots."),
        (["standard", "team"], "You need one ’Mech and one pilot, or two of each in two-a-side cycles."),
    ],
)
def test_an_owner_without_a_unit_reads_what_this_season_needs(mine: Stable, cycles: list[str], needed: str) -> None:
    mine.season.settings["cycles"] = cycles
    mine.season.__dict__.pop("rules", None)
    assert said(mine) == needed


@pytest.mark.parametrize("name", ["market", "garage", "stable"])
def test_a_stable_that_sits_the_cycle_out_is_not_asked_whether_it_is_ready(
    league: Season, mine: Stable, owner: Client, name: str
) -> None:
    Season.objects.filter(pk=league.pk).update(state=Season.State.RUNNING)
    bought(mine, "unit", common_unit(league))
    assert 'id="say-ready"' in owner.get(address(name, mine)).content.decode()
    SkippedCycle.objects.create(stable=mine, cycle_number=1)
    page = owner.get(address(name, mine)).content.decode()
    assert 'id="say-ready"' not in page
    assert "You sit this cycle out." in page


def test_a_form_of_the_garage_leads_back_to_its_unit(mine: Stable, owner: Client) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    card = bought(mine, "gear", fitting_gear(mine.season, common_unit(mine.season), ONE_SIDE))
    sent = {"unit": unit.pk, "card": card.pk, "back": "garage"}
    there = owner.post(address("assign", mine), sent).headers["Location"]
    assert there == f"{address('garage', mine)}#asset-{unit.pk}"
    assert f'id="asset-{unit.pk}"' in owner.get(address("garage", mine)).content.decode()


def test_n_07_pilots_beyond_the_units_are_said(mine: Stable) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    flying, idle = (bought(mine, "pilot", common_pilot(mine.season)) for _ in range(2))
    equipping.assign(stable_id=mine.pk, asset_id=idle.pk, unit_id=unit.pk)
    assert said(mine) == f"Without a ’Mech: {flying.label}."


def test_n_07_rally_cards_beyond_the_hands_of_a_match_are_said(mine: Stable) -> None:
    cards = goods(mine.season, "rally_card")
    for card in cards[:HAND_SIZE]:
        bought(mine, "rally_card", card)
    assert left_over(mine.season, 1, mine.assets.all()) == []
    bought(mine, "rally_card", cards[HAND_SIZE])
    assert left_over(mine.season, 1, mine.assets.all()) == [
        "There are more rally cards than a match takes. Yours: 6. A match takes: 5."
    ]


def test_n_09_a_sale_asks_and_stands_apart(mine: Stable, owner: Client) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    bought(mine, "rally_card", goods(mine.season, "rally_card")[0])
    page = owner.get(address("garage", mine)).content.decode()
    sales = re.findall(r'<details class="sell">.*?</details>', page, re.DOTALL)
    assert len(sales) == page.count(address("sell", mine)) == 2, "every sale is behind a question"
    assert all("Yes, sell for" in sale for sale in sales)
    assert '<div class="apart"><details class="sell">' in page.replace("\n", "")
    assert owner.post(address("sell", mine), {"asset": unit.pk, "back": "garage"}).status_code == 302


def test_n_09_a_sale_of_the_advice_asks_too(mine: Stable, owner: Client) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    pilot = bought(mine, "pilot", common_pilot(mine.season))
    equipping.assign(stable_id=mine.pk, asset_id=pilot.pk, unit_id=unit.pk)
    for _ in range(2):
        bought(mine, "rally_card", goods(mine.season, "rally_card")[0])
    page = owner.get(address("market", mine)).content.decode()
    sales = re.findall(r'<details class="sell">.*?</details>', page, re.DOTALL)
    assert len(sales) == page.count(address("sell", mine)) == 1
    assert "Yes, sell for 10 Stones" in read_aloud(sales[0])
    place = re.search(r'name="advice" value="(\d)"', sales[0])
    assert place is not None, "the advice is open again there"
    assert f'id="advice-{place[1]}"' in page


def test_n_09_the_garage_shows_what_a_unit_is_worth_in_a_match(mine: Stable, owner: Client) -> None:
    unit = common_unit(mine.season)
    bought(mine, "unit", unit)
    page = owner.get(address("garage", mine))
    assert page.context["units"][0]["facts"].attack == unit["dial"][0]["attack"]
    assert 'class="sparkline"' in page.content.decode()
