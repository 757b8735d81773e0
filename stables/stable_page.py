"""One stable's page: what it has, its ledger and its record; for its owner the forms of market, garage and line-up."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from catalogue.collections import shelf_of
from matches.surroundings import Link
from matches.words import signed, word
from rules.campaign.classes import BUILD_TOTAL, units_a_side
from rules.campaign.line_ups import best_team, crews, needs_pilot
from rules.campaign.prices import Shelf, check_purchase, is_offered, price_of
from rules.core.building import class_of
from rules.core.house_rules import HouseRules
from rules.wording import sentence
from stables import page_words as words
from stables.catalogues import KINDS, catalogue_of, definition_of
from stables.models import Asset, Fixture, FixtureSide, Placing, ReputationEntry, Season, Stable
from stables.pages import find_season, home_crumb
from stables.services.assets import cost_of_repair, holding_of, state_of
from stables.services.line_ups import different_tokens
from stables.services.windows import Window, window_of
from stables.streams import fixture_commitment


@require_safe
def stable(request: HttpRequest, season_slug: str, stable_slug: str) -> HttpResponse:
    """What a stable has, what it did with its Stones, how it fought; for its owner also the forms of the market."""
    found = find_season(season_slug)
    shown = get_object_or_404(Stable.objects.select_related("owner"), season=found, slug=stable_slug)
    shown.season = found
    is_owner = request.user.is_authenticated and shown.owner_id == request.user.pk
    entries = list(
        ReputationEntry.objects.filter(stable=shown)
        .select_related("asset", "cycle", "fixture__round", "fixture__match")
        .defer("fixture__match__setup", "fixture__match__seed", "fixture__match__result")
        .prefetch_related(Prefetch("fixture__sides", queryset=FixtureSide.objects.select_related("stable")))
        .order_by("id")
    )
    assets = [asset_view(found, asset, entries) for asset in shown.assets.order_by("kind", "id")]
    window = window_of(shown) if is_owner else None
    can_buy = window is not None and (
        window.is_market or (found.rules.buy_between_matches and window.is_between_matches)
    )
    own = [entry for entry in entries if entry.asset is None]
    mine = shelf_of(request.user) if can_buy else set()
    only_mine = bool(mine) and request.GET.get("shelf") == "on"
    offers = shelf(shown, window, assets, mine, only_mine) if can_buy and window is not None else []
    units = [view for view in assets if view["asset"].kind == Asset.Kind.UNIT and not view["asset"].sold_at]
    is_open = found.state in (Season.State.RECRUITING, Season.State.RUNNING)
    context = {
        "season": found,
        "stable": shown,
        "is_owner": is_owner,
        "units": units,
        "repair_order": in_repair_order(shown, units) if is_owner and is_open and len(units) > 1 else [],
        "pilots": [view for view in assets if view["asset"].kind == Asset.Kind.PILOT and not view["asset"].sold_at],
        "sold": [view for view in assets if view["asset"].sold_at],
        "ledger": [
            (entry, words.ledger_sentence(entry.cause, entry.parameters), signed(entry.amount))
            for entry in shown.ledger.order_by("-sequence")
        ],
        "record": [(entry, words.word(words.REPUTATION_CAUSES, entry.cause), opponents(shown, entry)) for entry in own],
        "totals": {name: sum(getattr(entry, name) for entry in own) for name in ("amount", "kills", "wins", "matches")},
        "placings": Placing.current().filter(stable=shown).select_related("cycle").order_by("cycle__number"),
        "window": window,
        "can_buy": can_buy,
        "line_up": line_up_form(shown, window) if window is not None else None,
        "shelf": offers,
        "has_own_shelf": bool(mine),
        "only_mine": only_mine,
        "has_house_statistics": any(offer["definition"].get("statistics") == "house" for offer in offers),
        "crumbs": [home_crumb(), Link(found.name, found.get_absolute_url())],
    }
    return render(request, "stables/stable.html", context)


def in_repair_order(stable: Stable, units: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The views of units as they would be repaired when the cycle closes: the owner's order, then by price."""
    place = {code: number for number, code in enumerate(stable.repair_priority)}
    return sorted(
        units,
        key=lambda view: (place.get(view["asset"].code, len(place)), view["repair_cost"], view["asset"].code),
    )


def opponents(stable: Stable, entry: ReputationEntry) -> list[Stable]:
    """The other stables of the fixture that an entry comes from; none for a bye. No query."""
    if entry.fixture is None:
        return []
    return [side.stable for side in entry.fixture.sides.all() if side.stable_id != stable.pk]


def unit_told(definition: dict[str, Any]) -> str:
    """What a buyer wants to know of a unit in one line."""
    return gettext("%(clicks)s clicks, vent %(vent)s") % {
        "clicks": len(definition["dial"]),
        "vent": definition["vent"],
    }


def pilot_told(definition: dict[str, Any]) -> str:
    """What a pilot adds, and to units of which classes: "attack +1; for units of the class light, medium"."""
    adds = ", ".join(f"{word(value)} {signed(amount)}" for value, amount in definition["modifiers"].items())
    classes = ", ".join(word(name) for name in (definition["requires"].get("class") or ()))
    asked = gettext("for units of the class %(classes)s") % {"classes": classes} if classes else ""
    return "; ".join(part for part in (adds, asked) if part)


def line_up_form(stable: Stable, window: Window) -> dict[str, Any] | None:
    """What the owner may field in the match that calls for a line-up, None when none does (at most 3 queries)."""
    if window.is_market or not window.is_between_matches or window.in_break:
        return None
    assets = [asset for asset in stable.assets.order_by("id") if asset.sold_at is None]
    holding = holding_of(stable.season, assets, cycle=window.cycle, round_number=window.next_round)
    labels = {asset.code: asset for asset in assets}
    points = {asset.code: int(definition_of(stable.season, asset)["points"]) for asset in assets}
    house_rules = HouseRules.from_json(stable.season.rules.house_rules)
    ceiling = BUILD_TOTAL[window.match_class] if house_rules.build_total is None else house_rules.build_total
    fitting = crews(holding.units.values(), holding.pilots.values(), window.match_class, house_rules.build_total)
    tokens = catalogue_of(stable.season).target_tokens
    choices = different_tokens(tokens.values(), house_rules.token_pool_rp) if house_rules.target_tokens else []
    side = (
        FixtureSide.objects.filter(stable=stable, fixture__kind=Fixture.Kind.MATCH)
        .filter(fixture__round__number=window.next_round, fixture__round__cycle__number=window.cycle)
        .select_related("fixture")
        .first()
    )
    size = units_a_side(window.format)
    team = [(crew.unit, crew.pilot) for crew in best_team(fitting, size)]
    place = None if side is None else (window.cycle, window.next_round, side.fixture.number)
    return {
        "round": window.next_round,
        "commitment": "" if place is None else fixture_commitment(stable.season, *place),
        "ceiling": ceiling,
        "crew_selects": [
            (name, team[number] if number < len(team) else None)
            for number, name in enumerate(("crew", "crew_2")[:size])
        ],
        "crews": [
            {
                "key": (crew.unit, crew.pilot),
                "unit": labels[crew.unit],
                "pilot": None if crew.pilot is None else labels[crew.pilot],
                "unit_points": points[crew.unit],
                "pilot_points": crew.points - points[crew.unit],
                "points": crew.points,
            }
            for crew in fitting
        ],
        "pool": house_rules.token_pool_rp,
        # A legal choice stands there from the start, for those who do not care.
        "token_selects": [
            (number, chosen, list(tokens.values())) for number, chosen in enumerate(choices[0] if choices else (), 1)
        ],
    }


def catalogue_address(season: Season, kind: str, key: str) -> str:
    """The page of an asset in the season's release of the catalogue."""
    release = f"?release={season.release.content_hash}"
    page = "catalogue:unit" if kind == "unit" else "catalogue:pilots_page"
    return reverse(page, args=[key]) + release


def asset_view(season: Season, asset: Asset, entries: Iterable[ReputationEntry]) -> dict[str, Any]:
    """An asset with its definition, state, price of repair and record. No query."""
    definition = definition_of(season, asset)
    own = [entry for entry in entries if entry.asset_id == asset.pk]
    view: dict[str, Any] = {
        "asset": asset,
        "definition": definition,
        "reputation": sum(entry.amount for entry in own),
        "kills": sum(entry.kills for entry in own),
        "has_record": True,
    }
    if asset.kind == Asset.Kind.UNIT:
        state = state_of(season, asset)
        view |= {
            # What a unit with a pilot earns is the pilot's.
            "has_record": not needs_pilot(definition),
            "state": state,
            "state_name": words.word(words.STATES, state),
            "clicks": len(definition["dial"]),
            "clicks_left": 0 if asset.is_eliminated else max(len(definition["dial"]) - asset.damage, 0),
            "repair_cost": cost_of_repair(season, asset),
        }
    return view


def shelf(
    stable: Stable, window: Window, assets: Iterable[dict[str, Any]], mine: Container[str], only_mine: bool
) -> list[dict[str, Any]]:
    """What the market offers for the cycle's class, with what speaks against buying it (empty: it can be bought).

    `mine` are the ids of the units whose miniatures the reader owns; `only_mine` leaves all other units out.
    """
    owned = {(view["asset"].kind, view["asset"].catalogue_key) for view in assets if not view["asset"].sold_at}
    catalogue = catalogue_of(stable.season)
    offers = []
    dials = stable.season.rules.dials
    for kind in ("unit", "pilot"):
        keys = {key for owned_kind, key in owned if owned_kind == kind}
        for key, definition in sorted(catalogue.of_kind(KINDS[kind]).items()):
            if kind == "unit" and class_of(definition) != window.match_class:
                continue
            if not is_offered(kind, definition, dials) or (kind == "unit" and only_mine and key not in mine):
                continue
            problems = check_purchase(kind, definition, Shelf(stable.capital, stable.owed, keys), dials)
            offers.append(
                {
                    "kind": kind,
                    "key": key,
                    "is_mine": kind == "unit" and key in mine,
                    "is_house": kind == "unit" and definition.get("statistics") == "house",
                    "definition": definition,
                    "price": price_of(kind, definition),
                    "url": catalogue_address(stable.season, kind, key),
                    "told": unit_told(definition) if kind == "unit" else pilot_told(definition),
                    "problems": [sentence(problem.code, problem.parameters, gettext) for problem in problems],
                }
            )
    return offers
