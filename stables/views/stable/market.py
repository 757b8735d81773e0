"""The market of a stable for its owner: what can be bought, buying and selling, the sealed basket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from catalogue.services.collections import owned_miniatures
from rules.core.digits import whole_number
from rules.core.refusals import Malformed, Refused, SeasonRefused
from rules.wording import sentence
from stables.forms.market import LONGEST_QUERY, MarketFilter
from stables.models import Stable
from stables.presenters.market.advice import FIRST_SHOWN, advice_for, hireable_for
from stables.presenters.market.offers import basket_in, basket_view, offers_basket, unsold
from stables.presenters.market.outlook import crew_state, outlook_answers, planned_in
from stables.presenters.market.table import Buyer, anchor_of, goods_on, place_in
from stables.selectors.windows import window_of
from stables.services.ai import advice
from stables.services.ai.advice import lines_in
from stables.services.market import baskets, trading
from stables.services.season.buyers import is_one_market
from stables.services.season.staying_ready import Act
from stables.views.frame import answer, for_people, own_stable
from stables.views.stable.stable import page_of_stable
from web.languages.reader import in_stones, translate
from web.reading import given, number_of, yes_of

PLACES = ("market", "garage", "crew")
"""The pages that forms may return to; all other forms return to the stable's page."""

LONGEST_NUMBER = 19
"""More digits than the number of any row has."""

NOT_READY = gettext_noop(
    "You are not ready any more: your stable lacks a crew for the coming match, or cannot buy what lies in your sealed "
    "basket."
)


def way_back(stable: Stable, fields: Mapping[str, Any]) -> str:
    """Return the address of the page that a form came from, by its field `back`.

    `query` is what the market's address had: kind, class, search, order, page and comparison stay as they were. What is
    bought by `kind` and `key` has the focus then, in the garage the `unit` or the `asset` of the form. A form of the
    advice names the number of its suggestion in `advice`: the advice is open again at this place. One of the basket
    says so by `basket`. One of the page after a match has "after" there, and the number of the `fixture`.
    """
    place = fields.get("back")
    fixture = whole_number(str(fields.get("fixture", "")))
    if place == "after" and fixture is not None:
        return reverse("stables:after_match", args=[stable.season.slug, fixture])
    if place not in PLACES:
        return stable.get_absolute_url()
    query = QueryDict(str(fields.get("query", ""))[:LONGEST_QUERY])
    number = whole_number(str(fields.get("advice", "")))
    if number is not None:
        opened = "open" if number <= FIRST_SHOWN else "all"
        return place_in(stable, place, query, f"advice-{number}", advice=opened)
    if "basket" in fields:
        return place_in(stable, place, query, "basket-heading", basket="open")
    if place == "garage":
        # What was mounted is in its unit's card, what was taken off on the list.
        asset = whole_number(str(fields.get("unit") or fields.get("asset", "")))
        return place_in(stable, place, query, "" if asset is None else f"asset-{asset}")
    is_bought = "kind" in fields
    return place_in(stable, place, query, anchor_of(str(fields.get("key", ""))) if is_bought else "")


def answer_act(request: HttpRequest, sentence: str, done: Act, address: str) -> HttpResponse:
    """Redirect to the page at `address`, which shows the sentence, and whether the owner is not ready any more."""
    if done.ends_ready:
        messages.warning(request, gettext(NOT_READY))
    return answer(request, sentence, address)


def ask_to_confirm(request: HttpRequest, stable: Stable, fields: Mapping[str, Any], refused: Refused) -> HttpResponse:
    """Warn a person that a swap ends the repairs, with the damaged units and a button to go on all the same.

    Status 409, as for every refusal. Raises any other refusal again.
    """
    if refused.code != "repairs_would_end":
        raise refused
    context = {
        "season": stable.season,
        "stable": stable,
        "sentence": sentence(refused.code, refused.parameters, translate),
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
    fields = request.POST.dict()
    trade = trading.buy(stable_id=stable.pk, kind=given(fields, "kind"), key=given(fields, "key"))
    text = gettext("{name} bought for {price}.").format(name=trade.name, price=in_stones(trade.price))
    return answer_act(request, text, trade, way_back(stable, fields))


@for_people
def buy_crew(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Buy all that a crew lacks, or nothing. Fields: ware (several, kind and key with a colon between); back."""
    stable = own_stable(request, season_slug, stable_slug)
    sent = request.POST.getlist("ware")
    if len(sent) > trading.MOST_WARES:
        raise Malformed("bad_field", field="ware")
    wares = [(kind, key) for kind, _, key in (ware.partition(":") for ware in sent)]
    haul = trading.buy_all(stable_id=stable.pk, wares=wares)
    text = gettext("You have all of it already; nothing was bought.")
    if haul.names:
        values = {"names": ", ".join(haul.names), "price": in_stones(haul.price), "capital": in_stones(haul.capital)}
        text = gettext("Bought for {price}: {names}. Left: {capital}.").format(**values)
    return answer_act(request, text, haul, way_back(stable, request.POST.dict()))


@for_people
def sell(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Sell an asset back. Fields: asset; confirmed ("yes" when repairs may end by it), back."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    try:
        trade = trading.sell(
            stable_id=stable.pk, asset_id=number_of(fields, "asset"), confirmed=yes_of(fields, "confirmed", False)
        )
    except SeasonRefused as refused:
        return ask_to_confirm(request, stable, fields, refused)
    text = gettext("{name} sold for {price}.").format(name=trade.name, price=in_stones(trade.price))
    return answer_act(request, text, trade, way_back(stable, fields))


@require_safe
@login_required
def market_page(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the stable's market; nobody but its owner sees it. Parameters: kind, class, q, shelf, afford, sort, page,
    compare (keys of units), view ("compare"), advice ("open", "all") and basket ("open").

    While nothing can be bought the page says so, and offers only the pilots that the stable may hire in an emergency.
    """
    stable = own_stable(request, season_slug, stable_slug)
    season = stable.season
    window = window_of(stable)
    assets = list(stable.assets.order_by("id"))
    can_buy = window.can_buy(season.rules.buy_between_matches)
    pilots = hireable_for(stable, window)
    hireable = [str(pilot["id"]) for pilot in pilots]
    mine = owned_miniatures(request.user)
    asked = MarketFilter(request.GET.dict(), window.match_class, has_shelf=bool(mine))
    basket = basket_in(stable, window)
    shown = None if basket is None else basket_view(stable, basket)
    buyer = Buyer(stable, assets, mine, hireable, can_buy)
    context = page_of_stable(stable, gettext("Market")) | {
        "window": window,
        "can_buy": can_buy,
        "hires": bool(hireable),
        "asked": asked,
        **goods_on(request.GET, buyer, asked.wanted),
        "basket": shown,
        "has_basket": offers_basket(season, window, basket),
        "basket_is_open": request.GET.get("basket") == "open",
        "is_one_market": is_one_market(season),
        "crew": crew_state(stable, window, assets, planned_in(shown)),
        "outlook": outlook_answers(stable, window, assets, planned_in(shown)),
        "advice": advice_for(stable, window, unsold(assets), lines_in(basket), pilots, basket),
        "back": "market",
        "advice_is_open": request.GET.get("advice"),
    }
    return render(request, "stables/market.html", context)


BACK = {"back": "market"}
IN_BASKET = BACK | {"basket": "open"}


@for_people
def put_in(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Put something into the basket. Fields: kind, key; back, advice."""
    stable = own_stable(request, season_slug, stable_slug)
    fields = request.POST.dict()
    baskets.put_in(stable_id=stable.pk, kind=given(fields, "kind"), key=given(fields, "key"))
    return answer(request, gettext("It is in your basket."), way_back(stable, BACK | fields))


@for_people
def put_advice_in(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Put everything that the advice would buy into the basket, as far as the Stones go. Fields: back, advice."""
    stable = own_stable(request, season_slug, stable_slug)
    advice.put_advice_in(stable_id=stable.pk)
    text = gettext("What the advice buys is in your basket.")
    return answer(request, text, way_back(stable, BACK | request.POST.dict()))


@for_people
def take_out(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Take a line out of the basket. Field: line, from 1."""
    stable = own_stable(request, season_slug, stable_slug)
    baskets.take_out(stable_id=stable.pk, position=number_of(request.POST.dict(), "line"))
    back = way_back(stable, IN_BASKET | request.POST.dict())
    return answer(request, gettext("It is out of your basket."), back)


@for_people
def move_up(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Move a line of the basket up, so that it is bought earlier. Field: line, from 1."""
    stable = own_stable(request, season_slug, stable_slug)
    baskets.move_up(stable_id=stable.pk, position=number_of(request.POST.dict(), "line"))
    return answer(
        request, gettext("The order of your basket is noted."), way_back(stable, IN_BASKET | request.POST.dict())
    )


@for_people
def seal(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Seal the basket."""
    stable = own_stable(request, season_slug, stable_slug)
    baskets.seal(stable_id=stable.pk)
    back = way_back(stable, IN_BASKET | request.POST.dict())
    return answer(request, gettext("Your basket is sealed."), back)


@for_people
def unseal(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Break the seal of the basket; who was ready shops on."""
    stable = own_stable(request, season_slug, stable_slug)
    baskets.unseal(stable_id=stable.pk)
    return answer(
        request,
        gettext("The seal is broken; your basket can be changed."),
        way_back(stable, IN_BASKET | request.POST.dict()),
    )
