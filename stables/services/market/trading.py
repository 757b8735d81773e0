"""Buying and selling (R-AST-01..13, R-DTH-02, Q-133, Q-134, Q-161, Q-163, Q-171), and the emergency hire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from rules.campaign.line_ups.checks import MatchTerms
from rules.campaign.market.baskets import Line, fill
from rules.campaign.market.hire import check_hire, emergency_pilots, hires_in_emergency
from rules.campaign.market.prices import BuyerState, barriers, check_purchase, check_sale, price_of
from rules.core.codec import content_hash
from rules.core.refusals import SeasonRefused
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Season, Stable
from stables.selectors.assets import holding_of, own_asset, state_of
from stables.selectors.definitions import KINDS, catalogue_of, definition
from stables.selectors.windows import Window, window_of
from stables.services.base.ledger import Movement, lock_stable, post
from stables.services.garage.equipping import note_swap, release_cards
from stables.services.season.buyers import buyer_of, is_one_market, taken_uniques
from stables.services.season.staying_ready import Act, keeps_ready_true

MOST_WARES = 20
"""The most things that are bought in one act: more than a crew has."""

Ware = tuple[str, Mapping[str, Any]]
"""A kind of asset and its entry in the season's catalogue."""


@dataclass(frozen=True)
class Trade(Act):
    """A purchase or a sale: the asset, its price in Stones, and the capital left."""

    asset_id: int
    name: str
    price: int
    capital: int


@keeps_ready_true
def buy(*, stable_id: int, kind: str, key: str) -> Trade:
    """Buy one asset from the season's catalogue. Outside the times to buy it may only be a pilot in an emergency.

    Under an allowance (stables.services.base.ledger) a price above it counts as above the capital.

    Raises SeasonRefused (market_closed, no_emergency, capital_too_small, unique_already_owned, unique_taken,
    unique_by_basket, stable_owes, pilot_died, gear_not_compatible, unit_not_printed, too_many_assets) or Malformed
    (unknown_asset_kind, unknown_catalogue_entry).
    """
    stable = lock_stable(stable_id)
    entry = definition(stable.season, kind, key)
    window = window_of(stable)
    cause = "purchase"
    if not window.can_buy(stable.season.rules.buy_between_matches):
        hireable = hireable_pilots(stable, window) if kind == Asset.Kind.PILOT else []
        if not hireable:
            window.require_market(stable.season.rules.buy_between_matches)
        for problem in check_hire(key, hireable):
            raise SeasonRefused(problem.code, **problem.parameters)
        cause = "emergency_hire"
    shelf = buyer_state(stable, kind)
    for problem in check_purchase(kind, entry, shelf, stable.season.rules.dials):
        raise SeasonRefused(problem.code, **problem.parameters)
    return acquire(stable, kind, entry, cause)


@dataclass(frozen=True)
class Haul(Act):
    """What one act bought: the names in order, the price of all in Stones, and the capital left."""

    names: tuple[str, ...]
    price: int
    capital: int


@keeps_ready_true
def buy_all(*, stable_id: int, wares: Sequence[tuple[str, str]]) -> Haul:
    """Buy one of each of these things (kind and key) that the stable has not, all of them or none, in this order.

    A second call changes nothing: the stable has them all then, and `names` is empty. Raises SeasonRefused and
    Malformed as `buy` does, except no_emergency; capital_too_small names all of them.
    """
    stable = lock_stable(stable_id)
    window_of(stable).require_market(stable.season.rules.buy_between_matches)
    wanted = {ware: definition(stable.season, *ware) for ware in wares}
    buyer = buyer_of(stable)
    lines: list[Ware] = [(ware[0], entry) for ware, entry in wanted.items() if ware not in buyer.owned]
    price = sum(price_of(*line) for line in lines)
    if price > stable.capital:
        missing = price - stable.capital
        names = " + ".join(str(entry["name"]) for _, entry in lines)
        told = {"name": names, "price": price, "capital": stable.capital, "missing": missing, "rule": "R-AST-12"}
        raise SeasonRefused("capital_too_small", **told)
    for filled in fill(buyer, [Line(*line) for line in lines], from_basket=False):
        for problem in filled.problems:
            raise SeasonRefused(problem.code, **problem.parameters)
    trades = acquire_all(stable, lines) if lines else []
    return Haul(tuple(trade.name for trade in trades), price, stable.capital - price)


def acquire(stable: Stable, kind: str, entry: Mapping[str, Any], cause: str = "purchase") -> Trade:
    """Pay for one asset and put it on a locked stable's list, in the caller's transaction.

    Whether it may be bought is not checked. `cause` is that of the ledger's entry. The caller rolls back after a
    refusal. Raises SeasonRefused (capital_too_small, spending_limit_reached).
    """
    return acquire_all(stable, [(kind, entry)], cause)[0]


def acquire_all(stable: Stable, wares: Sequence[Ware], cause: str = "purchase") -> list[Trade]:
    """Pay for assets that may be bought, and put them on a locked stable's list, in order (R-AST-02).

    Whether they may be bought is not checked. `cause` is that of the ledger entries. It takes the same number of
    queries however many assets there are. Call it in a transaction, and roll back after a refusal. Raises SeasonRefused
    (capital_too_small, spending_limit_reached).
    """
    assets = _individuals(stable, wares)
    movements = [
        Movement(
            -asset.price_paid,
            cause,
            f"asset:{asset.pk}:buy:{asset.purchases}",
            {"name": asset.label, "kind": asset.kind, "key": asset.catalogue_key},
        )
        for asset in assets
    ]
    posting = post(stable_id=stable.pk, movements=movements)
    return [Trade(asset.pk, asset.label, asset.price_paid, posting.capital) for asset in assets]


def _individuals(stable: Stable, wares: Sequence[Ware]) -> list[Asset]:
    """Write and return an asset for each ware, in order (Q-163).

    It is the sold copy with the most reputation, which the stable takes up again, or a new one if there is none.
    """
    keys = {str(entry["id"]) for _, entry in wares}
    copies: QuerySet[Any] = Asset.objects.filter(stable=stable, catalogue_key__in=keys)
    frozen: dict[tuple[str, str], list[Asset]] = {}
    serials: dict[tuple[str, str], int] = {}
    # The best copy comes last, because `pop` takes the last one.
    for asset in copies.annotate(earned=Coalesce(Sum("reputation__amount"), 0)).order_by("earned", "-id"):
        name = (asset.kind, asset.catalogue_key)
        serials[name] = max(serials.get(name, 0), asset.serial)
        if asset.sold_at is not None and asset.died_at is None:
            frozen.setdefault(name, []).append(asset)
    found: list[Asset] = []
    new: list[Asset] = []
    resumed: list[Asset] = []
    for kind, entry in wares:
        name, price = (kind, str(entry["id"])), price_of(kind, entry)
        if frozen.get(name):
            asset = frozen[name].pop()
            asset.sold_at = None
            asset.price_paid = price
            asset.purchases += 1
            resumed.append(asset)
        else:
            serials[name] = serials.get(name, 0) + 1
            asset = Asset(
                stable=stable,
                kind=kind,
                catalogue_key=name[1],
                content_hash=content_hash(dict(entry)),
                name=entry["name"],
                serial=serials[name],
                price_paid=price,
            )
            new.append(asset)
        found.append(asset)
    Asset.objects.bulk_create(new)
    if resumed:
        Asset.objects.bulk_update(resumed, ["sold_at", "price_paid", "purchases"])
    return found


def buyer_state(stable: Stable, kind: str) -> BuyerState:
    """Return the facts that a direct purchase of this kind is checked against; at most two queries.

    Fetch `stable` with its season and release.
    """
    own = list(Asset.objects.filter(stable=stable, kind=kind, sold_at=None).values_list("catalogue_key", "died_at"))
    return BuyerState(
        stable.capital,
        stable.owed,
        {key for key, died_at in own if died_at is None},
        {key for key, died_at in own if died_at is not None},
        is_one_market(stable.season),
        {key for own_kind, key in taken_uniques(stable) if own_kind == kind},
        count=sum(died_at is None for _, died_at in own),
    )


def for_sale(stable: Stable, kind: str) -> list[dict[str, Any]]:
    """Return the entries that the market would sell to the stable directly at any capital, in order of key.

    Debts and the limit to a kind's number are not checked either. At most two queries.
    """
    shelf, dials = buyer_state(stable, kind), stable.season.rules.dials
    entries = sorted(catalogue_of(stable.season).of_kind(KINDS[kind]).items())
    return [entry for _, entry in entries if not barriers(kind, entry, shelf, dials)]


def hireable_pilots(stable: Stable, window: Window) -> list[Mapping[str, Any]]:
    """Return the common pilots that the stable may hire between matches of a cycle (`emergency_pilots`).

    Empty if the season has no emergency hire or the stable needs none. At most three queries.
    """
    if not window.is_mid_cycle or not hires_in_emergency(stable.season.rules):
        return []
    assets = Asset.objects.filter(stable=stable, sold_at=None, died_at=None).order_by("id")
    holding = holding_of(stable.season, assets, cycle=window.cycle, round_number=window.next_round)
    return emergency_pilots(
        holding.units.values(),
        holding.pilots.values(),
        for_sale(stable, "pilot"),
        terms_in(stable.season, window),
    )


def terms_in(season: Season, window: Window) -> MatchTerms:
    """Return the terms of line-ups for the matches of the window's cycle."""
    return MatchTerms(window.match_class, window.format, HouseRules.from_json(season.rules.house_rules))


@keeps_ready_true
def sell(*, stable_id: int, asset_id: int, confirmed: bool = False) -> Trade:
    """Sell an asset back for its full purchase price; its reputation stays with the stable (R-AST-07, Q-134, Q-163).

    The gear and the pilot of a sold unit go back to the stable's list (Q-171). Selling gear that is on a unit, or a
    unit that carries gear, is a swap: it ends the repairs of this pause, and while units are damaged it must be
    `confirmed` (Q-170).

    Raises SeasonRefused (sales_closed, damaged_unit_not_for_sale, gear_locked, swaps_wait_for_repairs,
    repairs_would_end, asset_sold) or Malformed (unknown_asset).
    """
    stable = lock_stable(stable_id)
    asset = own_asset(stable, asset_id)
    window = window_of(stable)
    window.require_sales()
    carrier = asset if asset.kind == Asset.Kind.UNIT else asset.assigned_to
    if carrier is not None:
        for problem in check_sale(asset.kind, asset.label, state_of(stable.season, carrier), carrier.label):
            raise SeasonRefused(problem.code, **problem.parameters)
    if _moves_gear(asset):
        note_swap(stable, window, confirmed)
    if asset.kind == Asset.Kind.UNIT:
        release_cards(asset)
    asset.sold_at = timezone.now()
    asset.assigned_to = None
    asset.side = ""
    asset.save(update_fields=["sold_at", "assigned_to", "side"])
    posting = post(
        stable_id=stable.pk,
        movements=[
            Movement(
                asset.price_paid,
                "sale",
                f"asset:{asset.pk}:sell:{asset.purchases}",
                {"name": asset.label, "kind": asset.kind, "key": asset.catalogue_key},
            )
        ],
    )
    return Trade(asset.pk, asset.label, asset.price_paid, posting.capital)


def _moves_gear(asset: Asset) -> bool:
    """Return whether selling the asset takes gear off a unit."""
    if asset.kind == Asset.Kind.UNIT:
        return asset.assigned.filter(kind=Asset.Kind.GEAR).exists()
    return asset.kind == Asset.Kind.GEAR and asset.assigned_to_id is not None
