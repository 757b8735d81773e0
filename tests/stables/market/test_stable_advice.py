"""What market and garage suggest to their owner: with the stable's own Stones, each with a button that does it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rules.bots.owners.advice import BUY, HIRE, KEEP, MOUNT, REPAIR, SELL, WAIT, advise
from stables.models import Asset, Basket, Fixture, Season, Stable
from stables.presenters.market.advice import StableAdvice, advice_for, hireable_for
from stables.selectors.windows import window_of
from stables.services.ai.advice import lines_in, situation_of
from stables.services.garage import equipping
from stables.services.market import baskets
from stables.services.season import seasons
from tests.stables.conftest import open_with
from tests.stables.market.test_market_endpoints import address, client_of, league, mine, owner, people
from tests.stables.market_goods import (
    after_the_last_match,
    bought,
    common_pilot,
    common_unit,
    fitting_gear,
    goods,
    hurt,
    leave,
    paired,
    unique_unit,
)

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db
TITLE = "What should I buy or repair?"


def advice_of(stable: Stable, basket: Basket | None = None) -> StableAdvice | None:
    stable.refresh_from_db()
    window = window_of(stable)
    assets = list(stable.assets.filter(sold_at=None).order_by("id"))
    return advice_for(stable, window, assets, lines_in(basket), hireable_for(stable, window), basket)


def of_deed(found: StableAdvice | None, deed: str) -> list[Any]:
    assert found is not None
    return [each for each in found.suggestions if each.suggestion.deed == deed]


def crewed(season: Season, stable: Stable) -> tuple[Asset, Asset]:
    """A unit with a pilot in it."""
    unit = bought(stable, "unit", common_unit(season))
    pilot = bought(stable, "pilot", common_pilot(season))
    equipping.assign(stable_id=stable.pk, asset_id=pilot.pk, unit_id=unit.pk)
    return unit, pilot


# --- what is suggested --------------------------------------------------------------------------------------------


def test_an_adviser_beyond_its_budget_leaves_the_page_without_advice_and_tells_the_log(
    league: Season, mine: Stable, owner: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    crewed(league, mine)
    monkeypatch.setattr("rules.bots.budget.MOST_CREWS", 5)
    for page in ("market", "garage"):
        caplog.clear()
        answer = owner.get(f"{mine.get_absolute_url()}{page}/")
        assert (answer.status_code, answer.context["advice"]) == (200, None)
        assert [record.levelname for record in caplog.records if "no advice" in record.getMessage()] == ["ERROR"]


def test_an_empty_stable_hears_to_buy_a_crew_and_each_line_says_what_is_left(league: Season, mine: Stable) -> None:
    buys = of_deed(advice_of(mine), BUY)
    assert [each.suggestion.kind for each in buys if each.suggestion.is_needed][:2] == ["unit", "pilot"]
    first = buys[0]
    assert first.sentence == f"Buy {first.name}: {first.suggestion.stones} Stones."
    assert any(reason.code == "crew_needed" for reason in first.reasons)
    left = mine.capital
    for each in buys:
        left -= each.suggestion.stones
        assert each.suggestion.left == left


def test_a_repair_between_matches_says_what_it_brings_back_for_which_match(league: Season, mine: Stable) -> None:
    unit, _ = crewed(league, mine)
    paired(league)
    hurt(unit, clicks=3)
    (repair,) = of_deed(advice_of(mine), REPAIR)
    assert (repair.asset, repair.suggestion.stones, repair.suggestion.is_needed) == (unit.pk, 50, False)
    details = {reason.code: reason.detail for reason in repair.reasons}
    assert "50 Stones" in details["clicks_for"]
    assert "→" in details["restores"]
    assert details["next_match"] == "Next match: Standard match, class light."
    assert details["undamaged_crews_lack"] == "Without it undamaged crews for the match are there: 0; it takes 1."


def test_r_crp_09_with_all_units_eliminated_page_and_suggestions_say_that_no_repair_comes_in_time(
    league: Season, mine: Stable, owner: Client
) -> None:
    """Before the second match of a cycle: it takes one to eliminate them."""
    unit, _ = crewed(league, mine)
    spare = bought(mine, "unit", common_unit(league))
    paired(league)
    Fixture.objects.filter(round__cycle__season=league).update(state=Fixture.State.SETTLED)
    paired(league, 2)
    for one in (unit, spare):
        hurt(one, eliminated=True)
    leave(mine, 0)
    page = owner.get(address("garage", mine))
    first = page.context["outlook"][0]
    assert (first.is_yes, "R-CRP-09" in first.answer, "R-CRP-08" in first.answer) == (False, True, False)
    waiting = [each for each in page.context["advice"].suggestions if each.suggestion.deed == WAIT]
    assert len(waiting) == 2
    for each in waiting:
        assert "repair_too_late" in {reason.code for reason in each.reasons}


def test_behind_the_last_match_of_the_last_cycle_nothing_is_suggested(league: Season, mine: Stable) -> None:
    crewed(league, mine)
    after_the_last_match(league)
    assert advice_of(mine) is None


def test_behind_the_last_match_repairs_wait_for_the_close_and_the_next_cycles_class_counts(
    release: Any, people: dict[str, Any]
) -> None:
    season = open_with(release, ["Ash"], cycles=["standard", "team"])
    seasons.found_stable(season_id=season.pk, name="Stable of owner", owner=people["owner"])
    stable = season.stables.select_related("season").get(name="Stable of owner")
    unit, _ = crewed(season, stable)
    hurt(unit)
    after_the_last_match(season)
    found = advice_of(stable)
    assert of_deed(found, REPAIR) == []
    (waits,) = of_deed(found, WAIT)
    assert "R-CRP-10" in " ".join(reason.detail for reason in waits.reasons)
    situation = situation_of(stable, window_of(stable), list(stable.assets.all()), [], [])
    assert situation is not None
    assert (situation.terms.format, situation.at_close) == ("team", True)


def test_while_a_match_is_on_nothing_is_suggested(stocked: Season) -> None:
    from tests.stables.conftest import pair

    pair(stocked)
    assert advice_of(stocked.stables.select_related("season").get(number=1)) is None


def test_r_dth_02_the_dead_are_neither_counted_nor_bought_again(league: Season, mine: Stable) -> None:
    names = [each.suggestion.key for each in of_deed(advice_of(mine), BUY) if each.suggestion.kind == "pilot"]
    entry = next(pilot for pilot in goods(league, "pilot") if pilot["id"] == names[0])
    dead = bought(mine, "pilot", entry)
    dead.died_at = timezone.now()
    dead.save(update_fields=["died_at"])
    again = [each.suggestion.key for each in of_deed(advice_of(mine), BUY)]
    assert names[0] not in again


def test_q_161_where_each_unique_is_there_once_none_is_suggested(league: Season, mine: Stable) -> None:
    Season.objects.filter(pk=league.pk).update(settings={**league.settings, "unique_market": "one_in_campaign"})
    mine = Stable.objects.select_related("season").get(pk=mine.pk)
    uniques = {unit["id"] for unit in goods(league, "unit") if unit["rank"] == "unique"}
    uniques |= {pilot["id"] for pilot in goods(league, "pilot") if pilot["kind"] != "common"}
    assert not uniques & {each.suggestion.key for each in of_deed(advice_of(mine), BUY)}


def test_a_pilot_is_hired_in_an_emergency(release: Any, people: dict[str, Any]) -> None:
    season = open_with(release, ["Ash"], emergency_hire=True)
    seasons.found_stable(season_id=season.pk, name="Stable of owner", owner=people["owner"])
    stable = season.stables.select_related("season").get(name="Stable of owner")
    bought(stable, "unit", common_unit(season))
    paired(season)
    (hire,) = of_deed(advice_of(stable), HIRE)
    cheapest = min(pilot["points"] for pilot in hireable_for(stable, window_of(stable)))
    assert (hire.suggestion.stones, hire.suggestion.is_needed) == (cheapest, True)


def test_idle_gear_is_put_where_it_serves_and_the_last_crew_is_kept(league: Season, mine: Stable) -> None:
    unit, pilot = crewed(league, mine)
    card = bought(mine, "gear", fitting_gear(league, common_unit(league), ("speed", "attack", "defense")))
    found = advice_of(mine)
    mounts = [(each.asset, each.unit) for each in of_deed(found, MOUNT)]
    assert mounts == [(card.pk, unit.pk)]
    assert {each.asset for each in of_deed(found, KEEP)} == {unit.pk, pilot.pk}
    assert found is not None
    assert found.needed == 0, "a crew that is only to be kept lacks nothing"


# --- the basket ---------------------------------------------------------------------------------------------------


def test_what_lies_in_the_basket_counts_as_bought_and_is_not_suggested_again(league: Season, mine: Stable) -> None:
    before = of_deed(advice_of(mine), BUY)
    crew = [each for each in before if each.suggestion.is_needed]
    for each in crew:
        baskets.put_in(stable_id=mine.pk, kind=each.suggestion.kind, key=each.suggestion.key)
    basket = Basket.objects.get(stable=mine)
    after = of_deed(advice_of(mine, basket), BUY)
    assert not [each for each in after if each.suggestion.is_needed]
    spent = sum(each.suggestion.stones for each in crew)
    assert after[0].suggestion.left == mine.capital - spent - after[0].suggestion.stones
    own = [each for each in (advice_of(mine, basket) or StableAdvice((), False)).suggestions if each.asset is not None]
    assert own == [], "nothing is done with what is not bought yet"


def test_a_sealed_basket_takes_nothing_more(league: Season, mine: Stable, owner: Client) -> None:
    baskets.put_in(stable_id=mine.pk, kind="rally_card", key=goods(league, "rally_card")[0]["id"])
    open_page = owner.get(address("market", mine))
    assert open_page.context["advice"].takes_basket
    baskets.seal(stable_id=mine.pk)
    assert not owner.get(address("market", mine)).context["advice"].takes_basket


# --- the pages ----------------------------------------------------------------------------------------------------


def forms(text: str) -> list[tuple[str, dict[str, str]]]:
    """The forms of the suggestions: address and fields."""
    section = text.split('id="advice-heading"')[1].split("</section>")[0]
    found = re.findall(r'<form\s+class="inline-form"\s+method="post"\s+action="([^"]+)">(.*?)</form>', section, re.S)
    return [
        (unescape(to), {key: unescape(value) for key, value in re.findall(r'name="(\w+)"\s+value="([^"]*)"', inner)})
        for to, inner in found
    ]


@pytest.mark.parametrize("name", ["market", "garage"])
def test_outlook_and_advice_are_folded_to_their_first_lines(
    league: Season, mine: Stable, owner: Client, name: str
) -> None:
    page = owner.get(address(name, mine))
    folded = re.findall(r"<details>\s*<summary>(.*?)</summary>", page.content.decode(), re.DOTALL)
    lines = [" ".join(unescape(re.sub("<[^>]+>", " ", each)).split()) for each in folded]
    assert lines[0] == f"{page.context['outlook'][0].question} no"
    assert lines[1].startswith(page.context["advice"].suggestions[0].sentence)
    back = owner.get(address(name, mine), {"advice": "open"}).content.decode()
    assert "<details open>" in back, "whoever pressed a button of the advice comes back to it"


@pytest.mark.parametrize("name", ["market", "garage"])
def test_following_the_buttons_one_after_the_other_fields_a_crew_and_spends_what_was_said(
    league: Season, mine: Stable, owner: Client, name: str
) -> None:
    for _ in range(30):
        page = owner.get(address(name, mine))
        needed = [each for each in page.context["advice"].suggestions if each.suggestion.is_needed]
        doing = [each for each in needed if each.suggestion.deed == BUY]
        if not doing:
            break
        to, fields = next(form for form in forms(page.content.decode()) if form[0].endswith("/buy"))
        assert (fields["kind"], fields["key"]) == (doing[0].suggestion.kind, doing[0].suggestion.key)
        assert owner.post(to, fields).status_code == 302
        mine.refresh_from_db()
        assert mine.capital == doing[0].suggestion.left
    assert mine.assets.filter(kind="unit").exists()
    assert mine.assets.filter(kind="pilot").exists()
    assert "duty_depends" in {
        reason.code
        for each in of_deed(owner.get(address(name, mine)).context["advice"], KEEP)
        for reason in each.reasons
    }


def test_the_buttons_repair_sell_mount_and_put_into_the_basket(league: Season, mine: Stable, owner: Client) -> None:
    unit, _ = crewed(league, mine)
    bought(mine, "gear", fitting_gear(league, common_unit(league), ("speed", "attack", "defense")))
    for _ in range(2):
        bought(mine, "rally_card", goods(league, "rally_card")[0])
    hurt(unit, clicks=3)
    page = owner.get(address("market", mine)).content.decode()
    assert TITLE in page
    addresses = {to.rsplit("/", 1)[1] for to, _ in forms(page)}
    assert {"repair", "sell", "assign", "put", "buy"} <= addresses
    for wanted in ("repair", "sell", "assign", "put"):
        to, fields = next(
            form for form in forms(owner.get(address("market", mine)).content.decode()) if form[0].endswith(wanted)
        )
        assert owner.post(to, fields).status_code == 302, wanted
    unit.refresh_from_db()
    assert unit.damage == 0
    assert mine.assets.filter(kind="rally_card", sold_at=None).count() == 1
    assert unit.assigned.filter(kind="gear").exists()
    assert len(Basket.objects.get(stable=mine).lines) == 1


def test_what_cannot_be_paid_now_has_no_button(league: Season, mine: Stable, owner: Client) -> None:
    unit, _ = crewed(league, mine)
    hurt(unit, clicks=3)
    leave(mine, 10)
    page = owner.get(address("garage", mine))
    assert [each.suggestion.deed for each in page.context["advice"].suggestions][:1] == [WAIT]
    assert forms(page.content.decode()) == []


def test_who_may_not_see_the_garage_sees_no_advice(mine: Stable, people: dict[str, Any]) -> None:
    for name in ("rival", "organiser", "spectator", "staff"):
        for page in ("market", "garage"):
            answer = client_of(people[name]).get(address(page, mine))
            assert answer.status_code in (302, 403, 404)
            assert TITLE not in answer.content.decode()


def test_a_rivals_purchases_change_nothing_where_every_stable_may_have_its_own_unique(
    league: Season, mine: Stable
) -> None:
    rival = league.stables.select_related("season").get(name="Stable of rival")
    before = advice_of(mine)
    for kind, entry in (("unit", unique_unit(league)), ("pilot", common_pilot(league))):
        bought(rival, kind, entry)
    assert advice_of(mine) == before


def test_the_same_question_has_the_same_answer(league: Season, mine: Stable) -> None:
    crewed(league, mine)
    window, assets = window_of(mine), list(mine.assets.all())
    situation = situation_of(mine, window, assets, [], [])
    assert situation is not None
    assert advise(situation) == advise(situation)
    assert SELL not in {each.suggestion.deed for each in (advice_of(mine) or StableAdvice((), False)).suggestions}


def test_o_s7_the_first_crew_of_another_stable_is_another_one(league: Season, mine: Stable) -> None:
    rival = league.stables.select_related("season").get(name="Stable of rival")
    firsts = [of_deed(advice_of(stable), BUY)[0].suggestion.key for stable in (mine, rival)]
    assert firsts[0] != firsts[1]
    assert firsts == [of_deed(advice_of(stable), BUY)[0].suggestion.key for stable in (mine, rival)]
