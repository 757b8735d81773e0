"""Buying and selling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from rules.core.refusals import Refused, SeasonRefused
from rules.wording import sentence
from stables.models import Stable
from stables.requests import answer, for_people, given, number_of, own_stable, read_input, wants_json, yes_of
from stables.services import market

PLACES = ("market", "garage")
"""Where a form may stand that sends people back to it; others lead to the stable's page."""


def way_back(stable: Stable, fields: Mapping[str, Any]) -> str:
    """Return the page that a form stands on, by its field `back`."""
    place = fields.get("back")
    if place in PLACES:
        return reverse(f"stables:{place}", args=[stable.season.slug, stable.slug])
    return stable.get_absolute_url()


def ask_to_confirm(request: HttpRequest, stable: Stable, fields: Mapping[str, Any], refused: Refused) -> HttpResponse:
    """Show a person that a swap ends the repairs, with the damaged units and a button to go on all the same.

    Status 409, as for every refusal. Raises the refusal again for programs and for every other code.
    """
    if refused.code != "repairs_would_end" or wants_json(request):
        raise refused
    context = {
        "season": stable.season,
        "stable": stable,
        "sentence": sentence(refused.code, refused.parameters, gettext),
        "units": refused.parameters["units"],
        "fields": [(name, value) for name, value in fields.items() if name not in ("csrfmiddlewaretoken", "confirmed")],
        "back": way_back(stable, fields),
        "address": request.path,
    }
    return render(request, "stables/confirm_swap.html", context, status=409)


@for_people
def buy(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Buy an asset. Fields: kind ("unit", "pilot", "gear" or "rally_card"), key (catalogue number); back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = read_input(request)
    trade = market.buy(stable_id=stable.pk, kind=given(fields, "kind"), key=given(fields, "key"))
    told = gettext("{name} bought for {price} Stones.").format(name=trade.name, price=trade.price)
    return answer(request, trade, told, way_back(stable, fields), 201)


@for_people
def sell(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Sell an asset back. Fields: asset; confirmed ("yes" when repairs may end by it), back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = read_input(request)
    try:
        trade = market.sell(
            stable_id=stable.pk, asset_id=number_of(fields, "asset"), confirmed=yes_of(fields, "confirmed", False)
        )
    except SeasonRefused as refused:
        return ask_to_confirm(request, stable, fields, refused)
    told = gettext("{name} sold for {price} Stones.").format(name=trade.name, price=trade.price)
    return answer(request, trade, told, way_back(stable, fields))
