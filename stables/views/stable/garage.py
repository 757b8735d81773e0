"""The garage of a stable for its owner: repairs, their order, and what units carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset
from stables.presenters.market.assets import asset_view, in_repair_order
from stables.presenters.market.garage import advice_of, unit_views
from stables.presenters.market.offers import basket_in, basket_view
from stables.presenters.market.outlook import outlook_answers, planned_in
from stables.presenters.miniatures import miniatures_of, with_photos
from stables.selectors.windows import repairs_are_over, window_of
from stables.services.garage import equipping
from stables.services.garage import repairs as garage
from stables.services.garage.repairs import preview
from stables.views.frame import answer, for_people, own_stable
from stables.views.stable.market import answer_act, ask_to_confirm, way_back
from stables.views.stable.stable import page_of_stable
from web.languages.reader import in_stones
from web.reading import number_of, text_of, yes_of


@for_people
def repair(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Repair a unit. Fields: asset; back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    bill = garage.repair(stable_id=stable.pk, asset_id=number_of(fields, "asset"))
    mended = bill.repairs[0]
    text = gettext("{name} repaired for {price}.").format(name=mended.name, price=in_stones(mended.cost))
    return answer_act(request, text, bill, way_back(stable, fields))


@for_people
def repair_all(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Repair everything affordable. Field: back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    bill = garage.repair_all(stable_id=stable.pk)
    count = len(bill.repairs)
    text = ngettext("{count} ’Mech repaired for {price}.", "{count} ’Mechs repaired for {price}.", count)
    price = sum(one.cost for one in bill.repairs)
    return answer_act(request, text.format(count=count, price=in_stones(price)), bill, way_back(stable, fields))


@for_people
def assign(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Put gear or a pilot on a unit.

    Fields: unit; asset and, for two-sided gear, side ("primary" or "secondary"), or both as `card` ("12:primary");
    confirmed ("yes" when repairs may end by it), back.
    """
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    card, _, side = text_of(fields, "card").partition(":") if "card" in fields else ("", "", text_of(fields, "side"))
    try:
        assigned = equipping.assign(
            stable_id=stable.pk,
            asset_id=number_of({"asset": card} if "card" in fields else fields, "asset"),
            unit_id=number_of(fields, "unit"),
            side=side,
            confirmed=yes_of(fields, "confirmed", False),
        )
    except SeasonRefused as refused:
        return ask_to_confirm(request, stable, fields, refused)
    text = gettext("{name} is on {unit} now.").format(name=assigned.name, unit=assigned.unit)
    return answer(request, text, way_back(stable, fields))


@for_people
def unassign(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Take gear or a pilot off its unit. Fields: asset; confirmed ("yes" when repairs may end by it), back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    try:
        freed = equipping.unassign(
            stable_id=stable.pk, asset_id=number_of(fields, "asset"), confirmed=yes_of(fields, "confirmed", False)
        )
    except SeasonRefused as refused:
        return ask_to_confirm(request, stable, fields, refused)
    text = gettext("{name} is back on the list.").format(name=freed.name)
    return answer(request, text, way_back(stable, fields))


@for_people
def order_repairs(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Say in what order units are repaired when a cycle closes.

    Fields: a place for each unit, `place_12` for asset 12, the smallest first; back.
    """
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    garage.set_repair_order(stable_id=stable.pk, asset_ids=_order(fields))
    return answer(request, gettext("The order of your repairs is noted."), way_back(stable, fields))


def _order(fields: Mapping[str, Any]) -> list[int]:
    """Return the ids of assets in order. Equal places keep the order of the form.

    Raises Malformed (bad_field, not_a_number).
    """
    places = [name for name in fields if name.startswith("place_") and fields[name] != ""]
    if not places:
        raise Malformed("bad_field", field="order")
    ranked = sorted(places, key=lambda name: number_of(fields, name))
    return [number_of({name: name.removeprefix("place_")}, name) for name in ranked]


@require_safe
@login_required
def garage_page(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the stable's garage; nobody but its owner sees it. Parameter: advice ("open", "all")."""
    stable = own_stable(request, season_slug, stable_slug)
    season = stable.season
    window = window_of(stable)
    own = stable.assets.filter(sold_at=None).order_by("id")
    unsold = list(with_photos(own.select_related("assigned_to")))
    assets = [asset for asset in unsold if asset.died_at is None]
    repairs = preview(stable, assets)
    over = repairs_are_over(stable, window)
    units = unit_views(season, assets, window.is_between_matches, window.gear_may_move)
    looks = miniatures_of(season, [stable], [view["asset"] for view in units])
    basket = basket_in(stable, window) if window.is_market else None
    planned = planned_in(None if basket is None else basket_view(stable, basket))
    by_id = {view["asset"].pk: view["asset"] for view in units}
    context = page_of_stable(stable, gettext("Garage")) | {
        "window": window,
        "units": [
            view | {"is_too_dear": view["repair_cost"] > stable.capital, "miniature": looks[view["asset"].pk]}
            for view in units
        ],
        "free": [asset_view(season, asset) for asset in assets if _is_free(asset)],
        "repairs": repairs,
        "chosen": [by_id[asset_id].label for asset_id in repairs.chosen],
        "can_repair": window.is_between_matches and not over,
        "repairs_are_over": over,
        "repair_order": in_repair_order(stable, units) if len(units) > 1 else [],
        "outlook": outlook_answers(stable, window, assets, planned),
        "advice": advice_of(stable, window, unsold),
        "back": "garage",
        # A basket is begun in the market; asking here whether there is one to begin would take a query more.
        "has_basket": basket is not None,
        "advice_is_open": request.GET.get("advice"),
    }
    return render(request, "stables/garage.html", context)


def _is_free(asset: Asset) -> bool:
    return asset.kind != Asset.Kind.UNIT and asset.assigned_to_id is None
