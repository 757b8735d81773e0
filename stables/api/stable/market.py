"""The endpoints of a stable's market, for its owner: offers and why one cannot be bought, buying and selling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import Pages, idempotent, pages_of
from api.fields import Input, Output, StrictBoolean
from catalogue.services.collections import owned_miniatures
from rules.campaign.market.prices import ASSET_KINDS
from stables.api.stable.base import (
    CONFIRMED,
    ENDS_READY,
    AssetKind,
    AssetNumber,
    Key,
    Line,
    OwnersEndpoint,
    ReasonOutput,
    WeightClass,
    names_are_refused,
    reason,
)
from stables.forms.market import LONGEST_SEARCH
from stables.presenters.market.offers import market_offers
from stables.selectors.windows import window_of
from stables.services.market import trading

TOPIC = "Market"


class OfferQuery(Pages):
    """Which offers."""

    kind = AssetKind(required=False)
    weight_class = WeightClass(required=False, help_text="Units of the class, and what units of the class may carry.")
    search = Line(max_length=LONGEST_SEARCH, required=False, help_text="Part of the name, the variant or the key.")
    own_shelf = StrictBoolean(
        required=False, default=False, help_text="`true`: of units, only those whose miniatures you own."
    )
    affordable = StrictBoolean(required=False, default=False, help_text="`true`: only what can be bought now.")


class OfferOutput(Output):
    """One thing that the market offers to the stable. `refused` is empty when it can be bought now.

    `variant` is null for a thing without one.
    """

    kind = serializers.ChoiceField(choices=ASSET_KINDS)
    key = serializers.CharField(help_text="Its key in the season's catalogue.")
    name = serializers.CharField()
    variant = serializers.CharField(allow_null=True)
    told = serializers.CharField(help_text="What it is good for, in a line.")
    price = serializers.IntegerField(help_text="Stones.")
    is_unique = serializers.BooleanField()
    has_house_statistics = serializers.BooleanField()
    is_on_own_shelf = serializers.BooleanField(help_text="Whether you said that you own the miniature.")
    can_buy = serializers.BooleanField()
    refused = ReasonOutput(many=True)
    fits_basket = serializers.BooleanField(help_text="Whether a basket may hold it, leaving missing Stones aside.")


class MarketOutput(pages_of(OfferOutput)):  # type: ignore[misc]
    """A page of what the market offers, and the state of the stable.

    While nothing can be bought it offers nothing, except the common pilots that a stable in need may hire (`hires`).
    """

    cycle = serializers.IntegerField(help_text="The cycle; 0 before the first.")
    weight_class = serializers.CharField(help_text="The class of its matches, empty before the first cycle.")
    is_market = serializers.BooleanField(help_text="Whether the market between two cycles is open.")
    can_buy = serializers.BooleanField()
    hires = serializers.BooleanField()
    can_sell = serializers.BooleanField()
    capital = serializers.IntegerField(help_text="Stones.")
    owed = serializers.IntegerField(help_text="Stones that a correction left owing; a stable that owes buys nothing.")


class BuyInput(Input):
    """What to buy."""

    kind = AssetKind()
    key = Key(help_text="Its key in the season's catalogue.")


class BuyCrewInput(Input):
    """What to buy, in this order."""

    wares = serializers.ListField(child=BuyInput(), min_length=1, max_length=trading.MOST_WARES)


class SellInput(Input):
    """What to sell."""

    asset = AssetNumber(help_text="The number of an asset of the stable.")
    confirmed = StrictBoolean(default=False, help_text=CONFIRMED)


class TradeOutput(Output):
    """What was bought or sold, for how many Stones, and the capital afterwards. `asset` is the id of the asset."""

    asset = serializers.IntegerField(source="asset_id")
    name = serializers.CharField()
    price = serializers.IntegerField()
    capital = serializers.IntegerField()
    ends_ready = serializers.BooleanField(help_text=ENDS_READY)


class HaulOutput(Output):
    """What was bought, for how many Stones in all, and the capital afterwards. `names` are empty if you had it all."""

    names = serializers.ListField(child=serializers.CharField())
    price = serializers.IntegerField()
    capital = serializers.IntegerField()
    ends_ready = serializers.BooleanField(help_text=ENDS_READY)


TOO_EXPENSIVE = (
    "Firefly costs 96 Stones, and the stable has 80 Stones: short by 16 Stones. Sell an undamaged asset or choose a "
    "cheaper one (R-AST-12)."
)
OFFER = {
    "kind": "unit",
    "key": "SOL002",
    "name": "Firefly",
    "variant": "FFL-4A",
    "told": "9 clicks, vent 2",
    "price": 96,
    "is_unique": False,
    "has_house_statistics": True,
    "is_on_own_shelf": False,
    "can_buy": False,
    "refused": [{"code": "capital_too_small", "detail": TOO_EXPENSIVE}],
    "fits_basket": True,
}
OFFERS = {
    "count": 1,
    "page": 1,
    "pages": 1,
    "results": [OFFER],
    "cycle": 2,
    "weight_class": "light",
    "is_market": True,
    "can_buy": True,
    "hires": False,
    "can_sell": True,
    "capital": 80,
    "owed": 0,
}
TRADE = {"asset": 71, "name": "Firefly", "price": 96, "capital": 904, "ends_ready": False}

WARES = [{"kind": "unit", "key": "SOL002"}, {"kind": "pilot", "key": "GS-008"}]
HAUL = {"names": ["Firefly", "Enlil Searcy"], "price": 110, "capital": 890, "ends_ready": False}


def offer(found: Mapping[str, Any], can_buy: bool) -> dict[str, Any]:
    """Return an offer of stables.presenters.market.offers.market_offers in the form of the interface. `can_buy` says
    that something can be bought or hired now at all.
    """
    refused = [reason(problem) for problem in found["refusals"]]
    return {
        **{name: found[name] for name in ("kind", "key", "price", "is_unique", "fits_basket")},
        "told": found["description"],
        "name": found["definition"]["name"],
        "variant": found["definition"].get("variant") or None,
        "has_house_statistics": found["is_house"],
        "is_on_own_shelf": found["is_mine"],
        "can_buy": can_buy and not refused,
        "refused": refused,
    }


class Market(OwnersEndpoint):
    """The offers of the market."""

    @describes(
        "market_list",
        "What the market offers your stable",
        TOPIC,
        answers=MarketOutput,
        asks=OfferQuery,
        examples=[example("A unit that is too dear", OFFERS)],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """List what the market offers now, with prices, and why an offer cannot be bought. For the owner alone."""
        asked, stable = self.asked(OfferQuery), self.own_stable(stable_slug)
        window = window_of(stable)
        can_buy = window.can_buy(stable.season.rules.buy_between_matches)
        hireable = [] if can_buy else [str(pilot["id"]) for pilot in trading.hireable_pilots(stable, window)]
        wanted = {
            "kind": asked.get("kind", ""),
            "class": asked.get("weight_class", ""),
            "q": " ".join(asked.get("search", "").split()),
            "shelf": "on" if asked["own_shelf"] else "",
        }
        assets = list(stable.assets.order_by("id"))
        offers = market_offers(stable, assets, wanted, owned_miniatures(request.user), hireable, can_buy)
        found = [each for each in offers if not (asked["affordable"] and each["refusals"])]
        answer = self.page_of(found, asked, lambda rows: [offer(each, can_buy or bool(hireable)) for each in rows])
        stands = {
            "cycle": window.cycle,
            "weight_class": window.match_class,
            "is_market": window.is_market,
            "can_buy": can_buy,
            "hires": bool(hireable),
            "can_sell": window.is_between_matches,
            "capital": stable.capital,
            "owed": stable.owed,
        }
        return Response(MarketOutput({**answer.data, **stands}).data)


class Buy(OwnersEndpoint):
    """The purchase of an asset."""

    @describes(
        "market_buy",
        "Buy an asset",
        TOPIC,
        answers=TradeOutput,
        status=201,
        sends=BuyInput,
        examples=[
            example("A unit", {"kind": "unit", "key": "SOL002"}, sent=True),
            example("Bought", TRADE, status=201),
        ],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Buy one asset at its price. With an `Idempotency-Key` it is bought once, however often you ask.

        Refused: market_closed, no_emergency, capital_too_small, stable_owes, unique_already_owned, unique_taken,
        unique_by_basket, pilot_died, gear_not_compatible, unit_not_printed, too_many_assets, unknown_catalogue_entry.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(BuyInput)
        trade = trading.buy(stable_id=stable.pk, kind=fields["kind"], key=fields["key"])
        return Response(TradeOutput(trade).data, status=201)


class BuyCrew(OwnersEndpoint):
    """The purchase of a whole crew."""

    @describes(
        "market_buy_crew",
        "Buy a whole crew",
        TOPIC,
        answers=HaulOutput,
        sends=BuyCrewInput,
        examples=[example("A unit and its pilot", {"wares": WARES}, sent=True), example("Bought", HAUL)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Buy one of each of these things that the stable has not, all of them or none. Asking again buys nothing.

        Refused: market_closed, capital_too_small (names all that is missing), stable_owes, unique_taken,
        unique_by_basket, pilot_died, gear_not_compatible, unit_not_printed, too_many_assets, unknown_catalogue_entry.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(BuyCrewInput)
        wares = [(ware["kind"], ware["key"]) for ware in fields["wares"]]
        return Response(HaulOutput(trading.buy_all(stable_id=stable.pk, wares=wares)).data)


class Sell(OwnersEndpoint):
    """The sale of an asset."""

    @describes(
        "market_sell",
        "Sell an asset",
        TOPIC,
        answers=TradeOutput,
        sends=SellInput,
        examples=[example("An asset", {"asset": 71, "confirmed": False}, sent=True), example("Sold", TRADE)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Sell an asset back for its full purchase price. Selling a unit's gear, or a unit with gear, ends your repairs
        until the next match.

        Refused: sales_closed, damaged_unit_not_for_sale, gear_locked, swaps_wait_for_repairs, repairs_would_end,
        asset_sold, unknown_asset.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(SellInput)
        trade = trading.sell(stable_id=stable.pk, asset_id=fields["asset"], confirmed=fields["confirmed"])
        return Response(TradeOutput(trade).data)
