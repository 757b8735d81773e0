"""The endpoints of advice in market and garage: suggestions to an owner, with their reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.fields import Output
from matches.api.advice import AdviceReasonOutput
from rules.bots.owners.advice import BUY, DEEDS, HIRE, KEEP, MOUNT, REPAIR, SAVE, SELL, WAIT
from rules.campaign.market.prices import ASSET_KINDS
from stables.api.stable.base import OwnersEndpoint
from stables.presenters.market.advice import AdviceItem, StableAdvice
from stables.presenters.market.garage import advice_of
from stables.selectors.windows import window_of

GARAGE, MARKET = (REPAIR, WAIT, MOUNT, KEEP), (SELL, HIRE, BUY, SAVE)
"""The deeds of the garage and of the market."""


class EarlierOutput(Output):
    """An earlier suggestion from the other list (market or garage) that moves Stones. `key` is the catalogue's entry
    for something to buy or hire, else null; `asset` is the id of one of your assets, null for something to buy or hire.
    """

    deed = serializers.ChoiceField(choices=DEEDS)
    asset = serializers.IntegerField(allow_null=True)
    key = serializers.CharField(allow_null=True)
    stones = serializers.IntegerField()
    told = serializers.CharField()


class SuggestionOutput(Output):
    """A suggestion: something to do, or not to do.

    `wait` names a repair that can wait, `keep` an asset that you should not sell, `save` Stones to keep back. `asset`
    and `unit` are ids of your assets; `key` is the catalogue's entry for something to buy or hire. `stones` is the
    cost, what a sale brings, or what to keep back. `left` is the capital once everything up to here is done: the basket
    is bought, and the suggestions before this one and those in `after` are followed. `can_pay` says that your present
    capital is enough without any of them. `kind`, `asset`, `key`, `unit` and `side` are null where the suggestion has
    none.
    """

    deed = serializers.ChoiceField(choices=DEEDS)
    kind = serializers.ChoiceField(choices=ASSET_KINDS, allow_null=True)
    asset = serializers.IntegerField(allow_null=True)
    key = serializers.CharField(allow_null=True)
    name = serializers.CharField()
    unit = serializers.IntegerField(allow_null=True, help_text="The unit that the gear goes on.")
    side = serializers.CharField(allow_null=True, help_text="The value that two-sided gear serves there.")
    stones = serializers.IntegerField()
    left = serializers.IntegerField()
    can_pay = serializers.BooleanField()
    after = EarlierOutput(
        many=True, help_text="Suggestions of the market or the garage that come first; `left` counts them as done."
    )
    is_needed = serializers.BooleanField(
        help_text="Whether the number of able crews for the next match depends on it; always false for gear."
    )
    told = serializers.CharField()
    reasons = AdviceReasonOutput(many=True)


class CounselOutput(Output):
    """What to do, in this order; no suggestions while nothing can be done. `basket` is the price of your basket in
    Stones; all suggestions count it as spent.
    """

    capital = serializers.IntegerField()
    basket = serializers.IntegerField()
    suggestions = SuggestionOutput(many=True)


REPAIRED = {
    "code": "restores",
    "parameters": {"values": {"attack": [7, 9]}},
    "detail": "This brings back: attack 7 → 9.",
}
SUGGESTION: dict[str, Any] = {
    **{"deed": "repair", "kind": "unit", "asset": 71, "key": None, "name": "Firefly", "unit": None, "side": None},
    **{"stones": 50, "left": 30, "can_pay": True, "after": [], "is_needed": False},
    **{"told": "Repair Firefly: 50 Stones.", "reasons": [REPAIRED]},
}
PURCHASE = {
    **SUGGESTION,
    **{"deed": "buy", "asset": None, "key": "SOL002", "told": "Buy Firefly: 96 Stones.", "stones": 96, "left": 904},
    "is_needed": True,
    "reasons": [{"code": "comes_to", "parameters": {"points": 158, "ceiling": 160}, "detail": "…"}],
}


class OwnAdvice(OwnersEndpoint):
    """The base of both endpoints of advice."""

    def advice_response(self, stable_slug: str, deeds: Sequence[str]) -> Response:
        """Return an answer with the suggestions of these deeds, for the stable's owner.

        Raises Http404, and PermissionDenied for other people.
        """
        stable = self.own_stable(stable_slug)
        unsold = list(stable.assets.filter(sold_at=None).order_by("id"))
        found = advice_of(stable, window_of(stable), unsold)
        basket = 0 if found is None else found.basket
        document = {"capital": stable.capital, "basket": basket, "suggestions": _suggestions(found, deeds)}
        return Response(CounselOutput(document).data)


class GarageAdvice(OwnAdvice):
    """The advice in the garage."""

    @describes(
        "garage_advice",
        "What to repair and equip",
        "Garage",
        answers=CounselOutput,
        examples=[example("A repair", {"capital": 80, "basket": 0, "suggestions": [SUGGESTION]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return which repairs are worth it and which can wait, which gear to put on which unit, and what to keep in
        order to field a crew.
        """
        return self.advice_response(stable_slug, GARAGE)


class MarketAdvice(OwnAdvice):
    """The advice in the market."""

    @describes(
        "market_advice",
        "What to buy and sell",
        "Market",
        answers=CounselOutput,
        examples=[example("A purchase", {"capital": 1000, "basket": 0, "suggestions": [PURCHASE]})],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return what to sell, what to buy and whom to hire for the coming matches, and what to keep for repairs.

        The assets in your basket count as bought.
        """
        return self.advice_response(stable_slug, MARKET)


def _suggestions(found: StableAdvice | None, deeds: Sequence[str]) -> list[dict[str, Any]]:
    """Return the suggestions of these deeds, each with the earlier suggestions of other deeds that move Stones."""
    lines: list[dict[str, Any]] = []
    elsewhere: list[dict[str, Any]] = []
    for each in () if found is None else found.suggestions:
        if each.suggestion.deed in deeds:
            lines.append(_suggestion(each, elsewhere))
        elif each.moves_stones:
            elsewhere.append(_earlier(each))
    return lines


def _earlier(each: AdviceItem) -> dict[str, Any]:
    one = each.suggestion
    key = one.key if one.deed in (BUY, HIRE) else None
    return {"deed": one.deed, "asset": each.asset, "key": key, "stones": one.stones, "told": each.sentence}


def _suggestion(each: AdviceItem, elsewhere: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    one = each.suggestion
    return {
        "deed": one.deed,
        "kind": one.kind or None,
        "asset": each.asset,
        "key": one.key if one.deed in (BUY, HIRE) else None,
        "name": each.name,
        "unit": each.unit,
        "side": one.side or None,
        "stones": one.stones,
        "left": one.left,
        "can_pay": each.can_pay,
        "after": list(elsewhere),
        "is_needed": one.is_needed,
        "told": each.sentence,
        "reasons": [
            {"code": reason.code, "parameters": dict(reason.parameters), "detail": reason.detail}
            for reason in each.reasons
        ],
    }
