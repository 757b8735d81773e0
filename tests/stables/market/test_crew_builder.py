"""The crew builder: its points, its limit, its Stones before and after, and buying from it (N-06)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from rules.solaris.cards import HAND_SIZE
from stables.models import Asset, Season, SkippedCycle, Stable
from stables.presenters.market.crew import VALUES
from stables.services.garage import equipping
from stables.services.market import baskets, trading
from stables.services.season.seasons import begin
from tests.architecture.pseudo_locale import speak_pseudo, untranslated
from tests.markup import closed_up, read_aloud
from tests.stables.market.test_market_endpoints import address, client_of, league, mine, owner, people
from tests.stables.market_goods import (
    bought,
    common_pilot,
    common_unit,
    fitting_gear,
    goods,
    hurt,
    leave,
    paired,
    refused,
    unique_unit,
)

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db

ONE_SIDE = ("primary", "secondary", "speed", "attack", "defense")
MOST_QUERIES = 12


def query_of(stable: Stable, cards: int = 1) -> str:
    unit, pilot = common_unit(stable.season), common_pilot(stable.season)
    gear = fitting_gear(stable.season, unit, ONE_SIDE)
    hand = "".join(f"&rally_card={card['id']}" for card in goods(stable.season, "rally_card")[:cards])
    return f"?unit={unit['id']}&pilot={pilot['id']}&gear={gear['id']}{hand}"


def test_a_crew_has_its_points_and_its_stones_before_and_after(mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(mine.season), common_pilot(mine.season)
    gear = fitting_gear(mine.season, unit, ONE_SIDE)
    bought(mine, "unit", unit)
    plan = owner.get(address("crew", mine) + query_of(mine)).context["plan"]
    own = gear["points"] + pilot["points"]
    assert plan.points == unit["points"] + own
    assert (plan.ceiling, plan.price, plan.capital) == (160, own + 10, 1000)
    assert plan.left == plan.capital - plan.price
    assert [part.price == 0 for part in plan.parts] == [True, False, False, False]
    assert mine.assets.count() == 1, "nothing is bought by looking"


def test_a_crew_beyond_its_limit_its_hand_and_its_stones_says_all_three(mine: Stable, owner: Client) -> None:
    light = [unit for unit in goods(mine.season, "unit") if unit["class"] == "light" and unit.get("rank") != "unique"]
    pilots = [pilot for pilot in goods(mine.season, "pilot") if "light" in pilot["requires"].get("class", ["light"])]
    dear, pilot = (max(each, key=lambda one: one["points"]) for each in (light, pilots))
    leave(mine, 50)
    bare = owner.get(f"{address('crew', mine)}?unit={dear['id']}").context["plan"]
    assert "R-STB-03" in bare.problems[0], "a ’Mech needs its pilot"
    assert len(bare.problems) == 2
    hand = "".join(f"&rally_card={card['id']}" for card in goods(mine.season, "rally_card")[: HAND_SIZE + 1])
    plan = owner.get(f"{address('crew', mine)}?unit={dear['id']}&pilot={pilot['id']}{hand}").context["plan"]
    assert plan.points > plan.ceiling
    assert [code in " ".join(plan.problems) for code in ("R-BLD-07", "R-RAL-01")] == [True, True]
    assert f"For all of it you are short by {plan.price - 50} Stones." in plan.problems
    assert plan.left < 0
    assert plan.to_buy == ()
    dear = owner.get(f"{address('crew', mine)}?unit={dear['id']}&pilot={pilot['id']}")
    assert (len(dear.context["plan"].problems) > 0, 'id="buy-crew"' in dear.content.decode()) == (True, False)


def test_two_sided_gear_is_named_with_its_side_first_in_the_list_and_in_the_crew(mine: Stable, owner: Client) -> None:
    gear = next(each for each in goods(mine.season, "gear") if each["slot"] == "either")
    page = owner.get(f"{address('crew', mine)}?gear={gear['id']}:primary")
    choices = dict(page.context["form"].fields["gear"].choices)
    assert choices[f"{gear['id']}:primary"] == f"{gear['name']} (primary damage), {gear['points']} Stones"
    (part,) = page.context["plan"].parts
    assert part.called == f"{gear['name']} (primary damage)"


def test_only_a_crew_that_may_fight_in_the_next_match_fits(mine: Stable, owner: Client) -> None:
    light, medium = common_unit(mine.season), common_unit(mine.season, "medium", 210)
    pilot = common_pilot(mine.season)["id"]
    unit = bought(mine, "unit", light)
    bought(mine, "unit", medium)

    def said(query: str) -> tuple[bool, str]:
        page = owner.get(address("crew", mine) + query)
        return "This fits." in page.content.decode(), " ".join(page.context["plan"].problems)

    crew = f"?unit={light['id']}&pilot={pilot}"
    assert said(crew) == (True, "")
    assert said(f"?pilot={pilot}") == (False, ""), "nobody fights without a ’Mech"
    Asset.objects.filter(pk=unit.pk).update(sits_out_cycle=1, sits_out_round=1)
    for query, rule in (
        (crew, "R-CRP-09"),
        (f"?unit={light['id']}", "R-STB-03"),
        (f"?unit={medium['id']}&pilot={pilot}", "R-BLD-09"),
    ):
        is_fit, problems = said(query)
        assert (is_fit, rule in problems) == (False, True), (rule, problems)


def test_of_several_copies_the_best_one_is_taken(mine: Stable, owner: Client) -> None:
    entry = common_unit(mine.season)
    damaged, gone = bought(mine, "unit", entry), bought(mine, "unit", entry)
    hurt(damaged)
    hurt(gone, eliminated=True)
    crew = f"{address('crew', mine)}?unit={entry['id']}&pilot={common_pilot(mine.season)['id']}"
    assert owner.get(crew).context["plan"].problems == ()
    hurt(damaged, eliminated=True)
    assert "R-CRP-08" in " ".join(owner.get(crew).context["plan"].problems)


def test_a_card_that_an_address_names_twice_counts_once(mine: Stable, owner: Client) -> None:
    card = goods(mine.season, "rally_card")[0]["id"]
    plan = owner.get(f"{address('crew', mine)}?rally_card={card}&rally_card={card}").context["plan"]
    assert (plan.price, plan.problems) == (10, ())


def test_what_the_garage_put_on_the_unit_counts(mine: Stable, owner: Client) -> None:
    entry, flying, other = common_unit(mine.season), common_pilot(mine.season), common_pilot(mine.season, place=1)
    card = fitting_gear(mine.season, entry, ONE_SIDE)
    unit = bought(mine, "unit", entry)
    for kind, each in (("pilot", flying), ("gear", card)):
        equipping.assign(stable_id=mine.pk, asset_id=bought(mine, kind, each).pk, unit_id=unit.pk)
    page = owner.get(f"{address('crew', mine)}?unit={entry['id']}")
    (in_garage,) = owner.get(address("garage", mine)).context["units"]
    plan = page.context["plan"]
    assert (plan.points, plan.price, plan.fits) == (in_garage["points"], 0, True)
    assert page.content.decode().count("on this ’Mech already") == 2
    plan = owner.get(f"{address('crew', mine)}?unit={entry['id']}&pilot={other['id']}&gear={card['id']}").context[
        "plan"
    ]
    assert [(part.key, part.is_aboard) for part in plan.parts] == [
        (entry["id"], False),
        (other["id"], False),
        (card["id"], False),
    ]


def test_a_thing_is_bought_from_the_builder_and_the_choice_stays(mine: Stable, owner: Client) -> None:
    unit, query = common_unit(mine.season), query_of(mine)
    page = owner.get(address("crew", mine) + query)
    fields = {"kind": "unit", "key": unit["id"], "back": "crew", "query": page.context["kept"]}
    answer = owner.post(address("buy", mine), fields)
    assert answer["Location"] == f"{address('crew', mine)}{query}#offer-{unit['id']}"
    assert owner.get(answer["Location"]).context["plan"].parts[0].price == 0


@pytest.mark.parametrize("query", ["", "?unit=no-such&gear=x:y&rally_card=1", "?pilot=SOL001"])
def test_what_is_not_offered_is_not_chosen(mine: Stable, owner: Client, query: str) -> None:
    page = owner.get(address("crew", mine) + query)
    assert (page.status_code, page.context["plan"].parts) == (200, ())
    said = page.content.decode()
    words = "Something chosen here is not for sale now."
    assert (words in said, "Select a valid choice" in said) == (bool(query), False)


def test_with_a_closed_market_only_what_the_stable_has_is_offered(league: Season, mine: Stable, owner: Client) -> None:
    unit = bought(mine, "unit", common_unit(league))
    paired(league)
    choices = owner.get(address("crew", mine)).context["form"].fields["unit"].choices
    assert [key for key, _ in choices] == ["", unit.catalogue_key]


@pytest.mark.parametrize(("person", "status"), [(None, 302), ("rival", 403), ("organiser", 403), ("owner", 200)])
def test_only_the_owner_sees_the_builder(mine: Stable, people: dict[str, Any], person: str | None, status: int) -> None:
    assert client_of(people.get(person or "")).get(address("crew", mine)).status_code == status


def test_the_builder_asks_few_queries_and_is_translated(
    mine: Stable, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bought(mine, "unit", common_unit(mine.season))
    owner.get(address("crew", mine) + query_of(mine))
    with CaptureQueriesContext(connection) as queries:
        owner.get(address("crew", mine) + query_of(mine))
    assert len(queries) <= MOST_QUERIES
    speak_pseudo(monkeypatch)
    assert untranslated(owner.get(address("crew", mine) + query_of(mine)).content.decode()) == []


def test_the_builder_shows_each_value_before_and_after_pilot_and_gear(mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(mine.season), common_pilot(mine.season)
    gear = fitting_gear(mine.season, unit, ("defense",))
    first = unit["dial"][0]
    page = owner.get(f"{address('crew', mine)}?unit={unit['id']}&pilot={pilot['id']}&gear={gear['id']}")
    effects = dict(zip(VALUES, page.context["plan"].effects, strict=True))
    for value, each in effects.items():
        added = sum(card["modifiers"].get(value, 0) for card in (pilot, gear))
        assert (each.before, each.after) == (first[value], first[value] + added), value
    assert pilot["modifiers"] == {"attack": 1}
    assert effects["attack"].change == "+1"
    text = closed_up(page.content.decode())
    assert f"<strong>{first['attack'] + 1}</strong>(+1)" in text
    assert page.context["plan"].parts[1].description in text


def wares_of(page: Any) -> dict[str, Any]:
    plan = page.context["plan"]
    return {"ware": [f"{part.kind}:{part.key}" for part in plan.to_buy], "back": "crew", "query": page.context["kept"]}


def test_a_whole_crew_is_bought_in_one_press_and_a_second_press_changes_nothing(mine: Stable, owner: Client) -> None:
    page = owner.get(address("crew", mine) + query_of(mine, cards=2))
    plan, fields = page.context["plan"], wares_of(page)
    assert 'id="buy-crew"' in page.content.decode()
    assert f"Before: {plan.capital} Stones, after: {plan.left} Stones." in read_aloud(page.content.decode())
    for _ in range(2):
        assert owner.post(address("buy_crew", mine), fields)["Location"].startswith(address("crew", mine))
        mine.refresh_from_db()
        assert (mine.capital, mine.assets.count()) == (plan.left, 5)
        assert mine.ledger.filter(cause="purchase").count() == 5
    then = owner.get(address("crew", mine) + query_of(mine, cards=2))
    assert 'id="buy-crew"' not in then.content.decode()
    assert "Your crew is complete." in then.content.decode()


def test_a_crew_that_cannot_be_paid_or_is_sold_out_is_not_bought_at_all(mine: Stable, people: dict[str, Any]) -> None:
    unit, pilot = common_unit(mine.season), common_pilot(mine.season)
    wares = [("unit", unit["id"]), ("pilot", pilot["id"])]
    leave(mine, unit["points"])
    short = refused(trading.buy_all, stable_id=mine.pk, wares=wares)
    assert (short.code, short.parameters["missing"]) == ("capital_too_small", pilot["points"])
    leave(mine, 900)
    unique, rival = unique_unit(mine.season), mine.season.stables.get(name="Stable of rival")
    bought(rival, "unit", unique)
    Season.objects.filter(pk=mine.season_id).update(
        settings={**mine.season.settings, "unique_market": "one_in_campaign"}
    )
    gone = refused(trading.buy_all, stable_id=mine.pk, wares=[*wares, ("unit", unique["id"])])
    assert gone.code == "unique_taken"
    mine.refresh_from_db()
    assert (mine.capital, mine.assets.count()) == (900, 0)


def test_a_list_that_is_too_long_is_refused_and_not_bought_in_part(mine: Stable, owner: Client) -> None:
    ware = f"unit:{common_unit(mine.season)['id']}"
    assert owner.post(address("buy_crew", mine), {"ware": [ware] * (trading.MOST_WARES + 1)}).status_code == 400
    assert not mine.assets.exists()


def test_a_crew_is_bought_only_by_its_owner_and_only_while_the_market_is_open(
    league: Season, mine: Stable, people: dict[str, Any]
) -> None:
    ware = {"ware": [f"unit:{common_unit(league)['id']}"]}
    assert client_of(people["rival"]).post(address("buy_crew", mine), ware).status_code == 403
    paired(league)
    assert client_of(people["owner"]).post(address("buy_crew", mine), ware).status_code == 409
    assert not mine.assets.exists()


def test_the_builder_counts_a_sealed_basket_as_the_market_does(mine: Stable, owner: Client) -> None:
    lines = [
        {"kind": "unit", "key": common_unit(mine.season)["id"]},
        {"kind": "pilot", "key": common_pilot(mine.season)["id"]},
    ]
    baskets.set_lines(stable_id=mine.pk, lines=lines)
    assert not owner.get(address("crew", mine)).context["crew"].is_complete, "only a sealed basket is bought"
    baskets.seal(stable_id=mine.pk)
    assert owner.get(address("crew", mine)).context["crew"].is_complete


def test_what_a_sealed_basket_buys_is_not_offered_again(mine: Stable, owner: Client) -> None:
    unit, pilot = common_unit(mine.season), common_pilot(mine.season)
    gear = fitting_gear(mine.season, unit, ONE_SIDE)
    lines = [{"kind": "unit", "key": unit["id"]}, {"kind": "pilot", "key": pilot["id"]}]
    baskets.set_lines(stable_id=mine.pk, lines=lines)
    baskets.seal(stable_id=mine.pk)
    page = owner.get(address("crew", mine) + query_of(mine, cards=0))
    plan = page.context["plan"]
    assert [part.key for part in plan.to_buy] == [gear["id"]]
    assert plan.capital == 1000 - unit["points"] - pilot["points"], "what the basket costs is spent"
    assert page.content.decode().count('<span class="tag good">in your sealed basket</span>') == 2


def test_the_line_with_the_stones_says_what_the_crew_still_lacks_and_then_what_comes_next(
    mine: Stable, owner: Client
) -> None:
    def line() -> str:
        page = closed_up(owner.get(address("market", mine)).content.decode())
        return page.split('class="purse"')[1].split('class="goods')[0]

    assert "a ’Mech and its pilot are missing." in line()
    bought(mine, "unit", common_unit(mine.season))
    assert "a pilot is missing." in line()
    bought(mine, "pilot", common_pilot(mine.season))
    assert "Your crew is complete." in line()
    assert 'id="crew-ready"' not in line(), "nobody is asked before the season begins"
    Season.objects.filter(pk=mine.season_id).update(state=Season.State.RUNNING)
    assert 'id="crew-ready"' in line()
    skipped = SkippedCycle.objects.create(stable=mine, cycle_number=1)
    assert 'id="crew-ready"' not in line(), "a stable that sits the cycle out is refused"
    skipped.delete()
    begin(mine.season, mine.season.cycles.get())
    assert 'id="crew-ready"' not in line(), "the start is asked for"
    Job.objects.all().delete()
    Stable.objects.filter(pk=mine.pk).update(ready_for="market:1")
    assert 'id="crew-ready"' not in line()
