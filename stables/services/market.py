"""Buying and selling (R-AST-01..13, Q-133, Q-134, Q-161, Q-163)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from rules.campaign.prices import Shelf, check_purchase, check_sale, price_of
from rules.core.codec import content_hash
from rules.core.refusals import SeasonRefused
from stables.catalogues import definition
from stables.models import Asset, Stable
from stables.services.assets import own_asset, state_of
from stables.services.ledger import Movement, lock_stable, post
from stables.services.windows import window_of


@dataclass(frozen=True)
class Trade:
    """What was bought or sold, for how many Stones, and the capital left."""

    asset_id: int
    name: str
    price: int
    capital: int


@transaction.atomic
def buy(*, stable_id: int, kind: str, key: str) -> Trade:
    """Buy one unit or pilot from the season's catalogue.

    Raises SeasonRefused (market_closed, capital_too_small, unique_already_owned, stable_owes, asset_kind_not_built,
    unit_not_printed) or
    Malformed (unknown_asset_kind, unknown_catalogue_entry); then nothing has changed.
    """
    stable = lock_stable(stable_id)
    entry = definition(stable.season, kind, key)
    window_of(stable).require_market(stable.season.rules.buy_between_matches)
    owned = set(Asset.objects.filter(stable=stable, kind=kind, sold_at=None).values_list("catalogue_key", flat=True))
    for problem in check_purchase(kind, entry, Shelf(stable.capital, stable.owed, owned), stable.season.rules.dials):
        raise SeasonRefused(problem.code, **problem.parameters)
    asset = _individual(stable, kind, key, entry["name"], content_hash(entry), price_of(kind, entry))
    posting = post(
        stable_id=stable.pk,
        movements=[
            Movement(
                -asset.price_paid,
                "purchase",
                f"asset:{asset.pk}:buy:{asset.purchases}",
                {"name": asset.label, "kind": kind, "key": key},
            )
        ],
    )
    return Trade(asset.pk, asset.label, asset.price_paid, posting.capital)


def _individual(stable: Stable, kind: str, key: str, name: str, entry_hash: str, price: int) -> Asset:
    """Return the frozen record of this number with most reputation, resumed, else a new individual (Q-163)."""
    copies = Asset.objects.filter(stable=stable, kind=kind, catalogue_key=key)
    frozen = (
        copies.exclude(sold_at=None)
        .annotate(earned=Coalesce(Sum("reputation__amount"), 0))
        .order_by("-earned", "id")
        .first()
    )
    if frozen is not None:
        frozen.sold_at = None
        frozen.price_paid = price
        frozen.purchases += 1
        frozen.save(update_fields=["sold_at", "price_paid", "purchases"])
        return frozen
    serial = (copies.aggregate(last=Max("serial"))["last"] or 0) + 1
    return Asset.objects.create(
        stable=stable, kind=kind, catalogue_key=key, content_hash=entry_hash, name=name, serial=serial, price_paid=price
    )


@transaction.atomic
def sell(*, stable_id: int, asset_id: int) -> Trade:
    """Sell an asset back for its full purchase price; its reputation stays with the stable (R-AST-07, Q-134, Q-163).

    Raises SeasonRefused (sales_closed, damaged_unit_not_for_sale, asset_sold) or Malformed (unknown_asset).
    """
    stable = lock_stable(stable_id)
    asset = own_asset(stable, asset_id)
    window_of(stable).require_sales()
    if asset.kind == Asset.Kind.UNIT:
        for problem in check_sale(asset.kind, asset.label, state_of(stable.season, asset)):
            raise SeasonRefused(problem.code, **problem.parameters)
    asset.sold_at = timezone.now()
    asset.save(update_fields=["sold_at"])
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
