"""Ready means ready: the word seals the basket, asks where no crew is left, and is taken back with the seal."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from people.models import Notice
from people.services.tokens import make_token
from rules.core.refusals import SeasonRefused
from stables.models import Asset, Basket, HandOver, Season, Stable
from stables.presenters.market.advice import FIRST_SHOWN
from stables.selectors.crews import in_market, why_no_crew
from stables.services.ai import advice
from stables.services.garage import repairs
from stables.services.market import baskets, readiness, trading
from stables.services.season import seasons, staying_ready
from stables.services.standings.closing import in_a_transaction
from tests.markup import read_aloud
from tests.stables.market.test_market_endpoints import address, client_of, league, mine, owner, people
from tests.stables.market_goods import (
    after_the_last_match,
    bought,
    common_pilot,
    common_unit,
    goods,
    hurt,
    leave,
    refused,
)

__all__ = ["league", "mine", "owner", "people"]

pytestmark = pytest.mark.django_db


def put(stable: Stable, *kinds: str) -> None:
    season = stable.season
    wares = {"unit": common_unit(season), "pilot": common_pilot(season), "rally_card": goods(season, "rally_card")[0]}
    for kind in kinds:
        baskets.put_in(stable_id=stable.pk, kind=kind, key=wares[kind]["id"])


def basket_now(stable: Stable) -> tuple[int, bool]:
    basket = Basket.objects.get(stable=stable)
    return len(basket.lines), basket.sealed_at is not None


def is_ready(stable: Stable) -> bool:
    return Stable.objects.get(pk=stable.pk).ready_for == "market:1"


def test_ready_seals_the_basket_and_not_ready_opens_it(mine: Stable) -> None:
    put(mine, "unit", "pilot")
    said = readiness.say_ready(stable_id=mine.pk)
    assert (said.seals, is_ready(mine), basket_now(mine)) == (True, True, (2, True))
    assert not readiness.say_ready(stable_id=mine.pk).seals, "it was sealed before"
    readiness.say_ready(stable_id=mine.pk, is_ready=False)
    assert (is_ready(mine), basket_now(mine)) == (False, (2, False))


def test_a_basket_that_cannot_be_bought_is_refused_with_its_reason_and_nothing_is_lost(mine: Stable) -> None:
    put(mine, "unit", "pilot", "rally_card")
    leave(mine, common_unit(mine.season)["points"] + common_pilot(mine.season)["points"])
    problem = refused(readiness.say_ready, stable_id=mine.pk)
    assert (problem.code, problem.parameters["line"], problem.parameters["problem"]) == (
        "basket_not_valid",
        3,
        "capital_too_small",
    )
    assert (is_ready(mine), basket_now(mine)) == (False, (3, False))
    # Who seals it as it is has been warned by its lines.
    baskets.seal(stable_id=mine.pk)
    assert readiness.say_ready(stable_id=mine.pk).ready_for


def test_the_page_says_which_line_cannot_be_bought_and_why(mine: Stable, owner: Client) -> None:
    leave(mine, 1)
    put(mine, "unit")
    answer = owner.post(address("say_ready", mine), {"ready": "yes"})
    assert answer.status_code == 409
    assert common_unit(mine.season)["name"] in answer.context["sentence"]
    assert "…" not in answer.context["sentence"]


@pytest.mark.parametrize("lines", [(), ("unit",), ("pilot", "rally_card")])
def test_without_a_crew_ready_asks_first_and_changes_nothing(mine: Stable, lines: tuple[str, ...]) -> None:
    put(mine, *lines)
    problem = refused(readiness.say_ready, stable_id=mine.pk)
    assert (problem.code, problem.parameters["others"]) == ("no_crew_for_match", 70)
    assert not is_ready(mine)
    assert not Basket.objects.exclude(sealed_at=None).exists()
    said = readiness.say_ready(stable_id=mine.pk, without_crew=True)
    assert (is_ready(mine), said.seals) == (True, bool(lines))


def test_r_for_03_the_question_says_what_the_forfeits_would_pay(mine: Stable) -> None:
    mine.season.settings |= {"absence_pays": 0}
    mine.season.save()
    assert refused(readiness.say_ready, stable_id=mine.pk).parameters["pays"] == 0
    bought(mine, "unit", common_unit(mine.season))
    assert refused(readiness.say_ready, stable_id=mine.pk).parameters["pays"] == 30


def test_q_154_q_155_a_crew_that_may_be_fielded_is_a_crew(release: Any, mine: Stable) -> None:
    """One unit alone where a match takes two, and one that shows Salvage, are no forfeits."""
    cycle = mine.season.cycles.get()
    cycle.season, cycle.format = mine.season, "team"
    unit = bought(mine, "unit", common_unit(mine.season))
    bought(mine, "pilot", common_pilot(mine.season))
    assets = list(mine.assets.all())
    assert why_no_crew(cycle, assets) is None
    dial = common_unit(mine.season)["dial"]
    Asset.objects.filter(pk=unit.pk).update(damage=len(dial) - 1)
    assert why_no_crew(cycle, list(mine.assets.all())) is None
    hurt(unit, eliminated=True)
    lack = why_no_crew(cycle, list(mine.assets.all()))
    assert lack is not None
    assert lack.code == "unit_eliminated"


def test_who_opens_the_basket_or_puts_something_in_is_not_ready_any_more(mine: Stable) -> None:
    put(mine, "unit", "pilot")
    readiness.say_ready(stable_id=mine.pk)
    baskets.unseal(stable_id=mine.pk)
    assert not is_ready(mine)
    baskets.set_lines(stable_id=mine.pk, lines=[])
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    assert is_ready(mine)
    put(mine, "unit")
    assert (is_ready(mine), basket_now(mine)) == (False, (1, False))


def crew_of(stable: Stable) -> tuple[Asset, Asset]:
    unit = bought(stable, "unit", common_unit(stable.season))
    return unit, bought(stable, "pilot", common_pilot(stable.season))


def test_who_sells_the_crew_is_not_ready_any_more_and_the_start_warns_of_it(league: Season, mine: Stable) -> None:
    unit, _ = crew_of(mine)
    spare = bought(mine, "rally_card", goods(league, "rally_card")[0])
    Season.objects.filter(pk=league.pk).update(state=Season.State.RUNNING)
    readiness.say_ready(stable_id=mine.pk)
    assert not trading.sell(stable_id=mine.pk, asset_id=spare.pk).ends_ready
    assert is_ready(mine)
    assert trading.sell(stable_id=mine.pk, asset_id=unit.pk).ends_ready
    assert not is_ready(mine)
    assert mine in seasons.still_shopping(league.cycles.get())
    (shown,) = in_market(league.cycles.get(), [mine], ())
    assert (shown.state, shown.is_without_crew) == ("shopping", True)
    warned = refused(seasons.start_cycle, season_id=league.pk, is_sure=False)
    assert mine.name in warned.parameters["without_crew"]


@pytest.mark.parametrize("act", ["buy", "repair", "repair_all"])
def test_who_spends_the_stones_of_the_sealed_crew_is_not_ready_any_more(mine: Stable, act: str) -> None:
    hurt(bought(mine, "unit", common_unit(mine.season)), eliminated=True)
    put(mine, "unit", "pilot")
    leave(mine, common_unit(mine.season)["points"] + common_pilot(mine.season)["points"])
    readiness.say_ready(stable_id=mine.pk)
    if act == "buy":
        card = goods(mine.season, "rally_card")[0]
        done: Any = trading.buy(stable_id=mine.pk, kind="rally_card", key=card["id"])
    elif act == "repair":
        done = repairs.repair(stable_id=mine.pk, asset_id=mine.assets.get().pk)
    else:
        done = repairs.repair_all(stable_id=mine.pk)
    assert (done.ends_ready, is_ready(mine), basket_now(mine)) == (True, False, (2, True))


def test_who_goes_on_without_a_crew_stays_ready_whatever_they_trade(mine: Stable) -> None:
    unit = bought(mine, "unit", common_unit(mine.season))
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    assert not trading.sell(stable_id=mine.pk, asset_id=unit.pk).ends_ready
    assert is_ready(mine)


def test_who_loses_one_line_more_of_the_sealed_basket_is_not_ready_any_more(mine: Stable) -> None:
    put(mine, "unit", "pilot")
    baskets.seal(stable_id=mine.pk)
    leave(mine, common_pilot(mine.season)["points"] + 10)
    readiness.say_ready(stable_id=mine.pk, without_crew=True)
    known, other = (card["id"] for card in goods(mine.season, "rally_card")[:2])
    # That the unit cannot be bought, the owner knew.
    assert not trading.buy(stable_id=mine.pk, kind="rally_card", key=known).ends_ready
    assert trading.buy(stable_id=mine.pk, kind="rally_card", key=other).ends_ready


def test_between_matches_a_purchase_locks_no_season(mine: Stable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The AI hires in need with the stable locked, and the season comes before it."""
    crew_of(mine)
    readiness.say_ready(stable_id=mine.pk)
    assert is_ready(mine)
    after_the_last_match(mine.season)
    monkeypatch.setattr(staying_ready, "lock_season", lambda _: pytest.fail("the season is locked"))
    key = goods(mine.season, "rally_card")[0]["id"]
    assert refused(trading.buy, stable_id=mine.pk, kind="rally_card", key=key).code == "market_closed"


def test_the_page_and_the_interface_say_that_a_sale_ends_ready(
    mine: Stable, owner: Client, people: dict[str, Any]
) -> None:
    token = make_token(user=people["owner"], name="program", scopes=("read", "play")).text
    _, pilot = crew_of(mine)
    readiness.say_ready(stable_id=mine.pk)
    page = owner.post(address("sell", mine), {"asset": pilot.pk}, follow=True)
    assert "or cannot buy what lies in your sealed basket." in page.content.decode()
    again = bought(mine, "pilot", common_pilot(mine.season))
    readiness.say_ready(stable_id=mine.pk)
    path = f"/api/v1/seasons/{mine.season.slug}/stables/{mine.slug}/sell"
    headers = {"Authorization": f"Bearer {token}"}
    sold = Client().post(path, {"asset": again.pk}, content_type="application/json", headers=headers)
    assert sold.json()["ends_ready"] is True
    assert not is_ready(mine)


def test_a_stable_that_is_left_to_the_ai_needs_no_crew_of_its_own(mine: Stable) -> None:
    now = timezone.now()
    values = {"starts_at": now, "ends_at": now + timezone.timedelta(days=3)}
    held = HandOver.objects.create(stable=mine, scope=HandOver.Scope.PLAY_AND_REPAIR, **values)
    assert refused(readiness.say_ready, stable_id=mine.pk).code == "no_crew_for_match"
    HandOver.objects.filter(pk=held.pk).update(scope=HandOver.Scope.EVERYTHING)
    assert readiness.say_ready(stable_id=mine.pk).ready_for


def test_the_suggested_crew_is_bought_with_the_basket_and_can_fight(league: Season, mine: Stable) -> None:
    put(mine, "rally_card")
    crew = advice.suggested_crew(mine)
    assert crew is not None
    said = advice.say_ready_with_crew(stable_id=mine.pk)
    assert (said.seals, is_ready(mine), basket_now(mine)) == (True, True, (1 + len(crew.lines), True))
    before = Stable.objects.get(pk=mine.pk).capital
    baskets.fill_baskets(cycle_id=league.cycles.get().pk, run_step=in_a_transaction)
    card = 10
    assert before - Stable.objects.get(pk=mine.pk).capital == crew.price + card
    cycle = league.cycles.get()
    cycle.season = league
    assert why_no_crew(cycle, list(mine.assets.all())) is None


def test_a_crew_is_added_to_a_basket_that_was_sealed_without_one(mine: Stable) -> None:
    put(mine, "rally_card")
    baskets.seal(stable_id=mine.pk)
    advice.say_ready_with_crew(stable_id=mine.pk)
    lines, is_sealed = basket_now(mine)
    assert is_sealed
    assert lines > 2


def test_no_crew_is_suggested_where_none_is_needed_or_none_can_be_paid(mine: Stable) -> None:
    put(mine, "unit", "pilot")
    assert advice.suggested_crew(mine) is None
    baskets.set_lines(stable_id=mine.pk, lines=[])
    leave(mine, 20)
    mine.refresh_from_db()
    assert advice.suggested_crew(mine) is None
    assert refused(advice.say_ready_with_crew, stable_id=mine.pk).code == "no_crew_suggested"
    assert (is_ready(mine), basket_now(mine)) == (False, (0, False))


def test_a_basket_that_nobody_sealed_is_not_bought_and_its_owner_reads_why(league: Season, mine: Stable) -> None:
    put(mine, "unit", "pilot")
    for _ in range(2):
        assert baskets.fill_baskets(cycle_id=league.cycles.get().pk, run_step=in_a_transaction) == 0
    basket = Basket.objects.get()
    assert basket.filled_at is not None
    assert [line["refused"][0]["code"] for line in basket.outcome] == ["basket_not_sealed"] * 2
    assert not mine.assets.exists()
    assert Stable.objects.get(pk=mine.pk).capital == mine.capital
    notice = Notice.objects.get(code="basket_not_sealed")
    assert (notice.user, notice.parameters["cycle"]) == (mine.owner, 1)
    assert not league.log.filter(code__startswith="basket").exists()


# The page ------------------------------------------------------------------------------------------------------------


def test_the_page_offers_the_crew_with_its_price_and_the_way_without(mine: Stable, owner: Client) -> None:
    put(mine, "rally_card")
    asked = owner.post(address("say_ready", mine), {"ready": "yes"})
    crew = advice.suggested_crew(mine)
    assert crew is not None
    page = asked.content.decode()
    assert asked.status_code == 409
    assert f"Buy the suggested crew ({crew.price} Stones)" in read_aloud(page)
    card = 10
    assert f"Left then, and yours: {mine.capital - card - crew.price} Stones." in read_aloud(page)
    assert all(name in asked.context["crew"].names for name in crew.names)
    assert address("say_ready_with_crew", mine) in page
    assert not is_ready(mine)
    assert owner.post(address("say_ready", mine), {"ready": "yes", "without_crew": "yes"}).status_code == 302
    assert (is_ready(mine), basket_now(mine)) == (True, (1, True))


def test_one_press_buys_the_crew(mine: Stable, owner: Client, people: dict[str, Any]) -> None:
    assert client_of(people["rival"]).post(address("say_ready_with_crew", mine)).status_code == 403
    assert owner.post(address("say_ready_with_crew", mine)).status_code == 302
    assert is_ready(mine)
    leave(mine, 0)
    readiness.say_ready(stable_id=mine.pk, is_ready=False)
    baskets.set_lines(stable_id=mine.pk, lines=[])
    page = owner.post(address("say_ready", mine), {"ready": "yes"})
    assert (page.status_code, page.context["crew"]) == (409, None)


def test_the_market_answers_with_the_sealed_basket_counted(mine: Stable, owner: Client) -> None:
    put(mine, "unit", "pilot")
    assert not owner.get(address("market", mine)).context["outlook"][0].is_yes
    readiness.say_ready(stable_id=mine.pk)
    for place in ("market", "garage"):
        line = owner.get(address(place, mine)).context["outlook"][0]
        assert line.is_yes
        for entry in (common_unit(mine.season), common_pilot(mine.season)):
            assert str(entry["name"]) in line.answer


# The advice as a whole -----------------------------------------------------------------------------------------------


def test_the_whole_advice_goes_into_the_basket_in_its_order_as_far_as_the_stones_go(mine: Stable) -> None:
    state = advice.put_advice_in(stable_id=mine.pk)
    assert [one["refused"] for one in state.what_if] == [[]] * len(state.lines)
    assert {line["kind"] for line in state.lines} >= {"unit", "pilot"}
    assert readiness.say_ready(stable_id=mine.pk).seals
    assert refused(advice.put_advice_in, stable_id=mine.pk).code == "basket_sealed"
    baskets.unseal(stable_id=mine.pk)
    baskets.set_lines(stable_id=mine.pk, lines=[])
    leave(mine, 1)
    with pytest.raises(SeasonRefused) as poor:
        advice.put_advice_in(stable_id=mine.pk)
    assert (poor.value.code, basket_now(mine)) == ("basket_no_advice", (0, False))


@pytest.mark.parametrize("place", ["market", "garage"])
def test_the_advice_stays_open_where_the_reader_was(mine: Stable, owner: Client, place: str) -> None:
    put(mine, "unit", "pilot")
    page = owner.get(address(place, mine))
    assert "<details>" in page.content.decode()
    suggestions = page.context["advice"].suggestions
    number, each = next((n, one) for n, one in enumerate(suggestions, 1) if one.suggestion.deed == "buy")
    assert f'<li id="advice-{number}">' in page.content.decode()
    answer = owner.post(address("basket_put", mine), {**each.fields, "back": place, "advice": number})
    opened = "open" if number <= FIRST_SHOWN else "all"
    assert answer.headers["Location"] == f"{address(place, mine)}?advice={opened}#advice-{number}"
    assert "<details open>" in owner.get(answer.headers["Location"]).content.decode()
    all_of_it = owner.post(address("basket_advice", mine), {"back": place, "advice": 1})
    assert all_of_it.headers["Location"] == f"{address(place, mine)}?advice=open#advice-1"
    assert basket_now(mine)[0] > 4


def test_the_advice_folds_what_comes_after_the_first_and_opens_again(mine: Stable, owner: Client) -> None:
    suggestions = owner.get(address("market", mine)).context["advice"].suggestions
    later = next(each for each in suggestions[FIRST_SHOWN:] if each.suggestion.deed == "buy")
    number = suggestions.index(later) + 1
    answer = owner.post(address("basket_put", mine), {**later.fields, "back": "market", "advice": number})
    assert answer.headers["Location"] == f"{address('market', mine)}?advice=all#advice-{number}"
    for opened, count in (("open", 1), ("all", 2)):
        page = owner.get(address("market", mine), {"advice": opened}).content.decode()
        advice = page.split('id="advice-heading"')[1].split("</section>")[0]
        assert advice.count("<details open>") == count


def test_a_number_of_the_advice_is_no_way_to_another_address(mine: Stable, owner: Client) -> None:
    fields = {"kind": "unit", "key": common_unit(mine.season)["id"], "advice": "1/../../x"}
    answer = owner.post(address("basket_put", mine), fields)
    assert answer.headers["Location"] == f"{address('market', mine)}#offer-{fields['key']}"


# The interface -------------------------------------------------------------------------------------------------------


def test_a_program_is_refused_by_a_code_and_goes_on_by_its_word_or_with_the_crew(
    mine: Stable, people: dict[str, Any]
) -> None:
    token = make_token(user=people["owner"], name="program", scopes=("read", "play")).text
    own = f"/api/v1/seasons/{mine.season.slug}/stables/{mine.slug}/"

    def ask(act: str, body: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return Client().post(own + act, body, content_type="application/json", headers=headers)

    problem = ask("ready", {})
    assert (problem.status_code, problem.json()["code"]) == (409, "no_crew_for_match")
    assert ask("ready", {"without_crew": True}).json() == {"ready": True, "begins": False, "seals": False}
    assert ask("ready", {"ready": False}).json() == {"ready": False, "begins": False, "seals": False}
    assert ask("ready/crew", {}).json() == {"ready": True, "begins": False, "seals": True}
    assert ask("ready/crew", {}).json()["code"] == "no_crew_suggested"
    ask("basket/unseal", {})
    basket = ask("basket/advice", {}).json()
    assert len(basket["lines"]) > 2
    assert not is_ready(mine)
