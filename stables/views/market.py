"""Buying, selling and repairing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from rules.core.refusals import Malformed
from stables.requests import answer, for_people, given, number_of, own_stable, read_input
from stables.services import garage, market


@for_people
def buy(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Buy an asset. Fields: kind ("unit" or "pilot"), key (catalogue number)."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = read_input(request)
    trade = market.buy(stable_id=stable.pk, kind=given(fields, "kind"), key=given(fields, "key"))
    sentence = gettext("{name} bought for {price} Stones.").format(name=trade.name, price=trade.price)
    return answer(request, trade, sentence, stable.get_absolute_url(), 201)


@for_people
def sell(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Sell an asset back. Field: asset."""
    stable = own_stable(request, season_slug, stable_slug)
    trade = market.sell(stable_id=stable.pk, asset_id=number_of(read_input(request), "asset"))
    sentence = gettext("{name} sold for {price} Stones.").format(name=trade.name, price=trade.price)
    return answer(request, trade, sentence, stable.get_absolute_url())


@for_people
def repair(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Repair a unit. Field: asset."""
    stable = own_stable(request, season_slug, stable_slug)
    bill = garage.repair(stable_id=stable.pk, asset_id=number_of(read_input(request), "asset"))
    mended = bill.repairs[0]
    sentence = gettext("{name} repaired for {price} Stones.").format(name=mended.name, price=mended.cost)
    return answer(request, bill, sentence, stable.get_absolute_url())


@for_people
def order_repairs(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Say in what order units are repaired when a cycle closes.

    Fields: a place for each unit, `place_12` for asset 12, the smallest first; or `order`, a JSON list of assets.
    """
    stable = own_stable(request, season_slug, stable_slug)
    order = garage.set_repair_order(stable_id=stable.pk, asset_ids=_order(read_input(request)))
    return answer(request, order, gettext("The order of your repairs is noted."), stable.get_absolute_url())


def _order(fields: Mapping[str, Any]) -> list[int]:
    """Return assets in order; of two in the same place the one that comes first in the form. Raises Malformed."""
    if "order" in fields:
        named = fields["order"]
        if not isinstance(named, list):
            raise Malformed("bad_field", field="order")
        return [number_of({"order": entry}, "order") for entry in named]
    places = [name for name in fields if name.startswith("place_") and fields[name] != ""]
    if not places:
        raise Malformed("bad_field", field="order")
    ranked = sorted(places, key=lambda name: number_of(fields, name))
    return [number_of({name: name.removeprefix("place_")}, name) for name in ranked]
