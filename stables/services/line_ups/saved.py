"""Line-ups that a stable saves for a class and format, for a match in which its owner hands in none (Q-157)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from rules.campaign.classes import FORMATS, WEIGHT_CLASSES
from rules.campaign.garage.repair import UNDAMAGED
from rules.campaign.line_ups.checks import MatchTerms, check_hand
from rules.campaign.line_ups.tokens import TOKENS_PER_SIDE, check_tokens
from rules.core.refusals import Malformed, SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, SavedLineUp, Season, Stable
from stables.selectors.assets import Holding, holding_of
from stables.selectors.definitions import catalogue_of
from stables.services.base.ledger import lock_stable
from stables.services.line_ups.sealing import CrewChoice


@dataclass(frozen=True)
class Saved:
    """A saved line-up: for which class and format, and whether there is one now."""

    match_class: str
    format: str
    is_saved: bool


@transaction.atomic
def save(
    *, stable_id: int, match_class: str, format_name: str, crews: Sequence[CrewChoice], tokens: Sequence[str]
) -> Saved:
    """Save a line-up for matches of a class and format; it replaces the one saved before.

    It may hold only assets of the stable. Whether it may be fielded is checked when it is needed, so a damaged unit can
    be saved. Raises SeasonRefused (line_up_size, unit_twice, hand_too_large, hand_copy, tokens_not_allowed for more
    than three) or Malformed (bad_field, unknown_asset, unknown_catalogue_entry).
    """
    stable = lock_stable(stable_id)
    terms = terms_by_name(stable.season, match_class, format_name)
    holding = mended_holding(stable)
    if not 1 <= len(crews) <= terms.size:
        raise SeasonRefused("line_up_size", units=len(crews), needed=terms.size, owed=1, rule="Q-154")
    _require_own(holding, crews)
    hands = [[holding.cards[one] for one in crew.hand_ids] for crew in crews]
    for problem in check_hand(hands, stable.name):
        raise SeasonRefused(problem.code, **problem.parameters)
    known = catalogue_of(stable.season).target_tokens
    for key in tokens:
        if key not in known:
            raise Malformed("unknown_catalogue_entry", kind="target_token", key=str(key))
    if len(tokens) > TOKENS_PER_SIDE:
        [problem] = check_tokens([known[key] for key in tokens], terms.house_rules.token_pool_rp)
        raise SeasonRefused(problem.code, **problem.parameters)
    document = {
        "crews": [
            {
                "unit": crew.unit_id,
                "pilot": crew.pilot_id,
                "gear": None if crew.gear_ids is None else list(crew.gear_ids),
                "hand": list(crew.hand_ids),
            }
            for crew in crews
        ],
        "tokens": list(tokens) if terms.takes_tokens else [],
    }
    SavedLineUp.objects.update_or_create(
        stable=stable, match_class=match_class, format=format_name, defaults={"document": document}
    )
    return Saved(match_class, format_name, True)


def _require_own(holding: Holding, crews: Sequence[CrewChoice]) -> None:
    """Raise Malformed (unknown_asset) for an asset that the stable does not have.

    Raise SeasonRefused (unit_twice) for one that is used twice.
    """
    used: list[int] = []
    for crew in crews:
        is_known = crew.unit_id in holding.units and (crew.pilot_id is None or crew.pilot_id in holding.pilots)
        cards_are_known = all(one in holding.gear for one in crew.gear_ids or ()) and all(
            one in holding.cards for one in crew.hand_ids
        )
        if not is_known or not cards_are_known:
            raise Malformed("unknown_asset")
        used += [crew.unit_id, *([] if crew.pilot_id is None else [crew.pilot_id]), *(crew.gear_ids or ())]
    for twice in (one for one in used if used.count(one) > 1):
        owned = holding.units.get(twice) or holding.pilots.get(twice) or holding.gear[twice]
        raise SeasonRefused("unit_twice", name=str(owned.definition["name"]))


@transaction.atomic
def delete(*, stable_id: int, match_class: str, format_name: str) -> Saved:
    """Delete the saved line-up for matches of a class and format; safe to repeat. Raises Malformed (bad_field)."""
    stable = lock_stable(stable_id)
    terms_by_name(stable.season, match_class, format_name)
    SavedLineUp.objects.filter(stable=stable, match_class=match_class, format=format_name).delete()
    return Saved(match_class, format_name, False)


def terms_by_name(season: Season, match_class: str, format_name: str) -> MatchTerms:
    """Return the terms of line-ups for matches of a class and format in this season. Raises Malformed (bad_field)."""
    if match_class not in WEIGHT_CLASSES:
        raise Malformed("bad_field", field="match_class", value=match_class)
    if format_name not in FORMATS:
        raise Malformed("bad_field", field="format", value=format_name)
    return MatchTerms(match_class, format_name, HouseRules.from_json(season.rules.house_rules))


def mended_holding(stable: Stable) -> Holding:
    """Return a stable's holding as if all units were repaired and rested, to save line-ups from; one query."""
    assets = Asset.objects.filter(stable=stable, sold_at=None, died_at=None).order_by("id")
    holding = holding_of(stable.season, assets, cycle=0, round_number=0)
    units = {
        asset_id: replace(unit, state=UNDAMAGED, clicks=0, sits_out=False) for asset_id, unit in holding.units.items()
    }
    return Holding(units, holding.pilots, holding.gear, holding.cards)
