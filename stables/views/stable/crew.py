"""The page on which an owner puts a crew together, and sees its points and its Stones before buying anything."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from stables.forms.crew import CrewForm
from stables.forms.market import kept_query
from stables.presenters.market.crew import choices_of, goods_for, plan_of
from stables.presenters.market.offers import basket_in, basket_view
from stables.presenters.market.outlook import crew_state, planned_in
from stables.presenters.market.table import Buyer, unit_facts
from stables.selectors.windows import window_of
from stables.services.market.trading import terms_in
from stables.views.frame import own_stable
from stables.views.stable.stable import page_of_stable


@require_safe
@login_required
def crew_page(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show the crew builder of a stable to its owner. Parameters: unit, pilot, gear, rally_card (several).

    It offers what the stable has and what it could buy now for the class of the next match. Nothing is bought by it.
    """
    stable = own_stable(request, season_slug, stable_slug)
    window = window_of(stable)
    can_buy = window.can_buy(stable.season.rules.buy_between_matches)
    buyer = Buyer(stable, list(stable.assets.order_by("id")), (), (), can_buy)
    basket = basket_in(stable, window) if window.is_market else None
    planned = planned_in(None if basket is None else basket_view(stable, basket))
    goods = goods_for(buyer, window, planned)
    form = CrewForm(request.GET, {kind: choices_of(found) for kind, found in goods.items()})
    plan = plan_of(buyer, goods, form.chosen, terms_in(stable.season, window), planned)
    unit = next((part for part in plan.parts if part.kind == "unit"), None)
    context = page_of_stable(stable, gettext("Crew builder")) | {
        "window": window,
        "form": form,
        "plan": plan,
        "crew": crew_state(stable, window, buyer.assets, planned),
        "facts": None if unit is None else unit_facts(unit.definition),
        "kept": kept_query(request.GET),
        "back": "crew",
    }
    return render(request, "stables/crew.html", context)
