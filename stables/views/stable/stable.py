"""One stable's page: what it has, its ledger and its record; for its owner the way to market, garage and line-up."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from rules.campaign.states import OVER
from rules.wording.filling import signed
from stables.forms.reason import ReasonForm
from stables.models import Asset, FixtureSide, Placing, ReputationEntry, Stable
from stables.presenters.charts.facts import results_of
from stables.presenters.line_up import line_up_form
from stables.presenters.market.assets import asset_view
from stables.presenters.miniatures import miniatures_of, with_photos
from stables.presenters.season_parts import home_crumb
from stables.selectors.assets import gear_by_unit
from stables.selectors.offices import organises
from stables.selectors.records import records_of_stable
from stables.selectors.windows import repairs_are_over, window_of
from stables.text import names as words
from stables.views.reading.charts import damage_charts
from web.crumbs import Link


@require_safe
def stable(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """Show what a stable has, what it did with its Stones, how it fought; for its owner also what they may do now."""
    found = request.season  # type: ignore[attr-defined]
    shown = get_object_or_404(Stable.objects.select_related("owner", "identity"), season=found, slug=stable_slug)
    shown.season = found
    is_owner = request.user.is_authenticated and shown.owner_id == request.user.pk
    entries = list(
        ReputationEntry.objects.filter(stable=shown)
        .select_related("asset", "cycle", "fixture__round", "fixture__match")
        .defer("fixture__match__setup", "fixture__match__seed", "fixture__match__result")
        .prefetch_related(Prefetch("fixture__sides", queryset=FixtureSide.objects.select_related("stable")))
        .order_by("id")
    )
    assets = list(with_photos(shown.assets.order_by("kind", "id")))
    gear = gear_by_unit(assets)
    fixtures = results_of(shown)
    records = records_of_stable(shown, [fixture.result.current for fixture in fixtures])
    views = [asset_view(found, asset, entries, gear.get(asset.pk, ()), records) for asset in assets]
    looks = miniatures_of(found, [shown], [asset for asset in assets if asset.kind == Asset.Kind.UNIT])
    views = [view | {"miniature": looks.get(view["asset"].pk)} for view in views]
    listed = [view for view in views if not view["asset"].sold_at and not view["asset"].died_at]
    window = window_of(shown) if is_owner else None
    is_organiser = (not is_owner or shown.owed > 0) and organises(request.user, found)
    ledger = list(shown.ledger.order_by("-sequence"))
    own = [entry for entry in entries if entry.asset is None]
    context = {
        "season": found,
        "stable": shown,
        "is_owner": is_owner,
        "may_waive": shown.owed > 0 and is_organiser,
        "waive_form": ReasonForm(prefix_of_ids="waive"),
        # Owners have pages of their own, and organisers who play find their stable on the console.
        "may_manage": is_organiser and not is_owner and shown.left_in_cycle is None and found.state not in OVER,
        "units": [view for view in listed if view["asset"].kind == Asset.Kind.UNIT],
        "may_remove_photos": is_organiser and not is_owner,
        "pilots": [view for view in listed if view["asset"].kind == Asset.Kind.PILOT],
        "cards": [view for view in listed if view["asset"].kind in (Asset.Kind.GEAR, Asset.Kind.RALLY_CARD)],
        "sold": [view for view in views if view["asset"].sold_at],
        "dead": [view for view in views if view["asset"].died_at],
        "ledger": [
            (entry, words.ledger_sentence(entry.cause, entry.parameters), signed(entry.amount)) for entry in ledger
        ],
        "record": [(entry, words.word(words.REPUTATION_CAUSES, entry.cause), opponents(shown, entry)) for entry in own],
        "totals": {name: sum(getattr(entry, name) for entry in own) for name in ("amount", "kills", "wins", "matches")},
        "placings": Placing.current().filter(stable=shown).select_related("cycle").order_by("cycle__number"),
        "window": window,
        "can_buy": window is not None and window.can_buy(found.rules.buy_between_matches),
        "repairs_are_over": window is not None and repairs_are_over(shown, window),
        "line_up": line_up_form(shown, window) if window is not None else None,
        "charts": damage_charts(found, shown, assets, ledger, fixtures),
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/stable.html", context)


def page_of_stable(stable: Stable, title: str) -> dict[str, Any]:
    """Return what every page below a stable's page shows: the season, the stable, a title and the way back."""
    season = stable.season
    return {
        "season": season,
        "stable": stable,
        "title": title,
        "crumbs": [
            home_crumb(),
            Link(season.name, season.get_absolute_url()),
            Link(stable.name, stable.get_absolute_url()),
        ],
    }


def opponents(stable: Stable, entry: ReputationEntry) -> list[Stable]:
    """Return the other stables of an entry's fixture; [] for a bye and for an entry without a fixture.

    No query if the fixture's sides are prefetched with their stables.
    """
    if entry.fixture is None:
        return []
    return [side.stable for side in entry.fixture.sides.all() if side.stable_id != stable.pk]
