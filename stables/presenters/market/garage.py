"""The units of a stable with what is aboard, what repairs cost, and advice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matches.text.match import word
from rules.campaign.garage.gear import TWO_SIDED, ceiling_of, check_loadout
from rules.campaign.garage.repair import ELIMINATED
from rules.solaris.building import Combatant, combatant_points
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Season, Stable
from stables.presenters.market.advice import StableAdvice, advice_for, hireable_for
from stables.presenters.market.assets import asset_view
from stables.presenters.market.offers import basket_in
from stables.presenters.market.table import unit_facts
from stables.selectors.assets import gear_by_unit, state_of
from stables.selectors.definitions import definition_of
from stables.selectors.windows import Window
from stables.services.ai.advice import lines_in


def advice_of(stable: Stable, window: Window, assets: Sequence[Asset]) -> StableAdvice | None:
    """Return advice for market and garage; None while nothing can be done.

    `assets` are all unsold ones; at most 5 queries.
    """
    basket = basket_in(stable, window) if window.is_market else None
    return advice_for(stable, window, assets, lines_in(basket), hireable_for(stable, window), basket)


def unit_views(season: Season, assets: Sequence[Asset], may_swap: bool, gear_may_move: bool) -> list[dict[str, Any]]:
    """Return the units with what they carry, their points, and the cards that could be put on each now.

    `assets` are all that the stable has, fetched with `assigned_to`; then there is no query. Without `may_swap` no
    cards are offered. Without `gear_may_move` no gear is, and the gear of each unit is shown as locked.
    """
    gear = gear_by_unit(assets)
    pilots = {asset.assigned_to_id: asset for asset in assets if asset.kind == Asset.Kind.PILOT and asset.assigned_to}
    rules = HouseRules.from_json(season.rules.house_rules)
    views = []
    for unit in (asset for asset in assets if asset.kind == Asset.Kind.UNIT):
        carried = gear.get(unit.pk, [])
        pilot = pilots.get(unit.pk)
        definition = definition_of(season, unit)
        own_pilot = None if pilot is None else definition_of(season, pilot)
        cards = [definition_of(season, card) for card in carried]
        views.append(
            asset_view(season, unit, gear=carried)
            | {
                "facts": unit_facts(definition),
                "gear": [asset_view(season, card) for card in carried],
                "pilot": None if pilot is None else asset_view(season, pilot),
                "points": combatant_points(Combatant(definition, own_pilot, cards)),
                "ceiling": ceiling_of(definition, rules),
                "gear_is_locked": state_of(season, unit) == ELIMINATED or not gear_may_move,
                "choices": choices(season, unit, assets, carried, pilot, rules, gear_may_move) if may_swap else [],
            }
        )
    return views


def choices(
    season: Season,
    unit: Asset,
    assets: Sequence[Asset],
    carried: Sequence[Asset],
    pilot: Asset | None,
    rules: HouseRules,
    gear_may_move: bool,
) -> list[dict[str, Any]]:
    """Return the gear and pilots that could be put on a unit now, free ones first.

    Two-sided gear has one choice for each side. Fetch `assets` with `assigned_to`; then there is no query.
    """
    definition, state = definition_of(season, unit), state_of(season, unit)
    own_gear = [definition_of(season, card) for card in carried]
    own_pilot = None if pilot is None else definition_of(season, pilot)
    found = []
    for card in assets:
        is_gear = card.kind == Asset.Kind.GEAR
        if card.kind not in (Asset.Kind.GEAR, Asset.Kind.PILOT) or card.assigned_to_id == unit.pk:
            continue
        if is_gear and (not gear_may_move or (card.assigned_to and state_of(season, card.assigned_to) == ELIMINATED)):
            continue
        entry = definition_of(season, card)
        sides = list(Asset.Side) if is_gear and entry["slot"] == TWO_SIDED else [""]
        for side in sides:
            shown = {**entry, "side": str(side)} if side else entry
            with_gear = [*own_gear, shown] if is_gear else own_gear
            with_pilot = own_pilot if is_gear else entry
            if check_loadout(definition, state, with_pilot, with_gear, rules):
                continue
            found.append(
                {
                    "value": f"{card.pk}:{side}" if side else str(card.pk),
                    "label": card.label,
                    "side": word(str(side)),
                    "points": entry["points"],
                    "from": card.assigned_to.label if card.assigned_to else "",
                }
            )
    return sorted(found, key=lambda choice: bool(choice["from"]))
