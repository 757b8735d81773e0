"""Sealed baskets: composing, sealing, buying when the market closes, and Uniques that are there once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from jobs.models import Job
from jobs.services import run_pending
from people.models import Notice
from rules.core.refusals import Malformed
from stables.models import Basket, Cycle, LogEntry, Season, Stable
from stables.services.base.ledger import refold
from stables.services.market import baskets, trading
from stables.services.season import buyers, seasons
from stables.services.standings.closing import in_a_transaction
from tests.stables.conftest import open_with
from tests.stables.market_goods import (
    bought,
    common_pilot,
    common_unit,
    goods,
    leave,
    paired,
    refused,
    unique_unit,
)
from tests.stables.running.test_concurrency import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def owned(season: Season, stable: Stable) -> Stable:
    """The first stable, run by a person."""
    stable.owner = get_user_model().objects.create_user("owner", "owner@example.org", "-")
    stable.is_ai = False
    stable.save()
    return stable


def put(stable: Stable, *wares: tuple[str, dict[str, Any]]) -> baskets.BasketState:
    for kind, entry in wares:
        state = baskets.put_in(stable_id=stable.pk, kind=kind, key=entry["id"])
    return state


def fill(season: Season) -> int:
    return baskets.fill_baskets(cycle_id=season.cycles.get().pk, run_step=in_a_transaction)


def keys_of(stable: Stable) -> list[str]:
    return list(stable.assets.filter(sold_at=None).order_by("id").values_list("catalogue_key", flat=True))


def test_an_owner_composes_orders_seals_and_breaks_the_seal(season: Season, stable: Stable) -> None:
    unit, pilot = common_unit(season), common_pilot(season)
    put(stable, ("unit", unit), ("pilot", pilot), ("pilot", pilot))
    assert [line["key"] for line in baskets.move_up(stable_id=stable.pk, position=2).lines] == [
        pilot["id"],
        unit["id"],
        pilot["id"],
    ]
    assert len(baskets.take_out(stable_id=stable.pk, position=3).lines) == 2
    assert baskets.seal(stable_id=stable.pk).is_sealed
    for call, arguments in (
        (baskets.put_in, {"kind": "unit", "key": unit["id"]}),
        (baskets.take_out, {"position": 1}),
        (baskets.move_up, {"position": 1}),
        (baskets.set_lines, {"lines": []}),
    ):
        assert refused(call, stable_id=stable.pk, **arguments).code == "basket_sealed"
    assert not baskets.unseal(stable_id=stable.pk).is_sealed
    assert baskets.set_lines(stable_id=stable.pk, lines=[]).lines == []
    assert refused(baskets.seal, stable_id=stable.pk).code == "basket_empty"


def test_what_cannot_be_in_a_basket_is_refused_and_changes_nothing(season: Season, stable: Stable) -> None:
    for kind, key in (("castle", "x"), ("unit", "x")):
        with pytest.raises(Malformed):
            baskets.put_in(stable_id=stable.pk, kind=kind, key=key)
    card = goods(season, "rally_card")[0]
    baskets.set_lines(stable_id=stable.pk, lines=[{"kind": "rally_card", "key": card["id"]}] * 60)
    assert refused(baskets.put_in, stable_id=stable.pk, kind="rally_card", key=card["id"]).code == "basket_too_long"
    for position in (0, 61):
        with pytest.raises(Malformed):
            baskets.take_out(stable_id=stable.pk, position=position)
    assert len(Basket.objects.get().lines) == 60


def test_r_ast_03_a_basket_is_composed_while_the_market_is_open_only(season: Season, stable: Stable) -> None:
    put(stable, ("unit", common_unit(season)))
    paired(season)
    for call, arguments in (
        (baskets.put_in, {"kind": "unit", "key": common_unit(season)["id"]}),
        (baskets.seal, {}),
        (baskets.unseal, {}),
    ):
        assert refused(call, stable_id=stable.pk, **arguments).code == "market_closed"


def test_what_if_tells_the_capital_after_each_line_and_what_is_refused(season: Season, stable: Stable) -> None:
    unit, pilot = common_unit(season), common_pilot(season)
    leave(stable, unit["points"] + pilot["points"])
    lines = put(stable, ("unit", unit), ("unit", unit), ("pilot", pilot)).lines
    filled = buyers.what_if(stable, lines)
    assert [one.capital_after for one in filled] == [pilot["points"], pilot["points"], 0]
    assert [[problem.code for problem in one.problems] for one in filled] == [[], ["capital_too_small"], []]
    assert not stable.assets.exists()


def test_a_sealed_basket_is_bought_once_in_order_and_its_owner_is_shown(season: Season, owned: Stable) -> None:
    unit, pilot = common_unit(season), common_pilot(season)
    leave(owned, unit["points"] + 12)
    put(owned, ("unit", unit), ("unit", unit), ("rally_card", goods(season, "rally_card")[0]))
    baskets.seal(stable_id=owned.pk)
    assert fill(season) == 1
    assert fill(season) == 1
    owned.refresh_from_db()
    assert owned.capital == 2
    assert keys_of(owned) == [unit["id"], goods(season, "rally_card")[0]["id"]]
    outcome = Basket.objects.get().outcome
    assert [line["bought"] for line in outcome] == [True, False, True]
    assert outcome[1]["refused"][0]["code"] == "capital_too_small"
    notice = Notice.objects.get(user=owned.owner, code="basket_filled")
    assert (notice.parameters["bought"], notice.parameters["not_bought"]) == (
        [unit["name"], goods(season, "rally_card")[0]["name"]],
        [unit["name"]],
    )
    assert LogEntry.objects.get(code="basket_bought").parameters == {"stable": owned.name, "count": 2}
    assert refold(season_id=season.pk) == []
    assert pilot["id"] not in keys_of(owned)


def test_a_basket_that_is_not_sealed_is_not_bought(season: Season, stable: Stable) -> None:
    put(stable, ("unit", common_unit(season)))
    assert fill(season) == 0
    assert keys_of(stable) == []


def test_once_the_beginning_is_asked_for_no_basket_is_sealed_or_opened_any_more(season: Season, stable: Stable) -> None:
    put(stable, ("unit", common_unit(season)))
    late = season.stables.get(number=2)
    put(late, ("unit", common_unit(season)))
    baskets.seal(stable_id=stable.pk)
    seasons.start_season(season_id=season.pk)
    assert refused(baskets.unseal, stable_id=stable.pk).code == "market_closed"
    assert refused(baskets.seal, stable_id=late.pk).code == "market_closed"
    run_pending()
    assert Basket.objects.get(stable=stable).filled_at is not None
    assert Basket.objects.get(stable=late).sealed_at is None


def test_a_basket_is_not_bought_any_more_when_the_round_is_paired(season: Season, stable: Stable) -> None:
    put(stable, ("unit", common_unit(season)))
    baskets.seal(stable_id=stable.pk)
    paired(season)
    fill(season)
    assert keys_of(stable) == []


def test_the_job_that_starts_a_cycle_buys_the_baskets_before_the_first_round(season: Season, owned: Stable) -> None:
    unit, pilot = common_unit(season), common_pilot(season)
    put(owned, ("unit", unit), ("pilot", pilot))
    baskets.seal(stable_id=owned.pk)
    seasons.start_season(season_id=season.pk)
    run_pending()
    assert keys_of(owned)[:2] == [unit["id"], pilot["id"]]
    assert Basket.objects.get().filled_at is not None
    assert not Job.objects.filter(state=Job.State.FAILED).exists()


@pytest.fixture
def scarce(release: Any) -> Season:
    """A season in which every Unique is there once."""
    return open_with(release, ["Ash", "Birch", "Cedar", "Dogwood"], unique_market="one_in_campaign")


def stable_of(season: Season, number: int) -> Stable:
    return season.stables.select_related("season").get(number=number)


def test_q_161_a_unique_is_bought_by_basket_only_and_once(scarce: Season) -> None:
    king, first, second = unique_unit(scarce), stable_of(scarce, 1), stable_of(scarce, 2)
    assert refused(trading.buy, stable_id=first.pk, kind="unit", key=king["id"]).code == "unique_by_basket"
    put(first, ("unit", king))
    baskets.seal(stable_id=first.pk)
    fill(scarce)
    assert keys_of(first) == [king["id"]]
    assert refused(trading.buy, stable_id=second.pk, kind="unit", key=king["id"]).code == "unique_taken"
    put(second, ("unit", king))
    assert [one.problems[0].code for one in buyers.what_if(second, [{"kind": "unit", "key": king["id"]}])] == [
        "unique_taken"
    ]
    assert trading.buy(stable_id=second.pk, kind="unit", key=common_unit(scarce)["id"]).price > 0


def test_q_161_a_unique_is_free_again_when_it_is_sold(scarce: Season) -> None:
    king, first, second = unique_unit(scarce), stable_of(scarce, 1), stable_of(scarce, 2)
    put(first, ("unit", king))
    baskets.seal(stable_id=first.pk)
    fill(scarce)
    trading.sell(stable_id=first.pk, asset_id=first.assets.get().pk)
    put(second, ("unit", king))
    baskets.seal(stable_id=second.pk)
    fill(scarce)
    assert keys_of(second) == [king["id"]]


def test_q_161_of_several_baskets_a_die_decides_whoever_is_filled_first(scarce: Season) -> None:
    king = unique_unit(scarce)
    numbers = (1, 2, 3, 4)
    for number in numbers:
        put(stable_of(scarce, number), ("unit", king), ("unit", common_unit(scarce)))
        baskets.seal(stable_id=stable_of(scarce, number).pk)
    fill(scarce)
    owners = [number for number in numbers if king["id"] in keys_of(stable_of(scarce, number))]
    assert len(owners) == 1
    for basket in Basket.objects.exclude(stable__number=owners[0]):
        line = basket.outcome[0]
        assert (line["bought"], line["refused"][0]["code"]) == (False, "unique_lost_by_die")
        assert line["refused"][0]["parameters"]["rolls"] < line["refused"][0]["parameters"]["best"]
        assert basket.outcome[1]["bought"]


def test_q_161_the_die_does_not_depend_on_who_is_stored_first(release: Any) -> None:
    winners = []
    for order in ((1, 2, 3), (3, 2, 1)):
        season = open_with(release, ["Ash", "Birch", "Cedar"], unique_market="one_in_campaign")
        king = unique_unit(season)
        for number in order:
            put(stable_of(season, number), ("unit", king))
            baskets.seal(stable_id=stable_of(season, number).pk)
        fill(season)
        winners.append(next(s.name for s in season.stables.all() if keys_of(s)))
    assert winners[0] == winners[1]


def test_r_ast_13_in_an_ordinary_season_two_stables_own_the_same_unique(season: Season) -> None:
    king = unique_unit(season)
    for number in (1, 2):
        assert bought(stable_of(season, number), "unit", king).name == king["name"]
    assert refused(trading.buy, stable_id=stable_of(season, 1).pk, kind="unit", key=king["id"]).code == (
        "unique_already_owned"
    )


def test_stables_of_the_ai_shop_in_a_season_of_scarce_uniques(scarce: Season) -> None:
    put(stable_of(scarce, 1), ("unit", unique_unit(scarce)))
    baskets.seal(stable_id=stable_of(scarce, 1).pk)
    seasons.start_season(season_id=scarce.pk)
    run_pending()
    assert not Job.objects.filter(state=Job.State.FAILED).exists()
    assert scarce.cycles.get(number=1).state == Cycle.State.CLOSED
    uniques = [entry["id"] for entry in goods(scarce, "unit") if entry["rank"] == "unique"]
    held = [key for stable in scarce.stables.all() for key in keys_of(stable) if key in uniques]
    assert len(held) == len(set(held))


def test_a_basket_is_no_business_of_the_admin(season: Season, stable: Stable, admin_client: Any) -> None:
    put(stable, ("unit", unique_unit(season)))
    basket = Basket.objects.get()
    basket.sealed_at = timezone.now()
    basket.save()
    for path in ("/admin/", "/admin/stables/", f"/admin/stables/basket/{basket.pk}/change/"):
        answer = admin_client.get(path)
        assert unique_unit(season)["id"] not in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_six_who_buy_one_basket_at_once_one_does(season: Season, stable: Stable) -> None:
    cycle_id = season.cycles.get().pk
    put(stable, ("unit", common_unit(season)), ("pilot", common_pilot(season)))
    baskets.seal(stable_id=stable.pk)
    results = at_once([lambda: baskets.fill_basket(cycle_id=cycle_id, stable_id=stable.pk)] * 6)
    assert sorted(len(result.bought) for result in results) == [0, 0, 0, 0, 0, 2]
    assert len(keys_of(stable)) == 2
    assert refold(season_id=season.pk) == []
