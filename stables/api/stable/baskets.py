"""The endpoints of a stable's basket, for its owner only: its lines, the capital after each, its seal and what it
bought.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from api.description import describes, example
from api.endpoint import idempotent
from api.fields import Input, Output
from rules.campaign.market.baskets import LONGEST_BASKET
from rules.campaign.market.prices import ASSET_KINDS
from rules.core.refusals import Refusal
from stables.api.stable.base import AssetKind, Key, OwnersEndpoint, ReasonOutput, names_are_refused, reason
from stables.models import Basket, Stable
from stables.presenters.market.offers import basket_in
from stables.selectors.definitions import definition
from stables.selectors.windows import window_of
from stables.services.ai import advice
from stables.services.market import baskets
from stables.services.season import buyers

TOPIC = "Market"


class BasketLineInput(Input):
    """One thing to buy."""

    kind = AssetKind()
    key = Key(help_text="Its key in the season's catalogue.")


class BasketInput(Input):
    """The whole basket, in the order in which it is bought."""

    lines = BasketLineInput(many=True, help_text=f"At most {LONGEST_BASKET}.")


class BasketLineOutput(Output):
    """A line, its price, and the capital left if it and the lines before it are bought now; both in Stones. A line that
    is refused is skipped and costs nothing.
    """

    kind = serializers.ChoiceField(choices=ASSET_KINDS)
    key = serializers.CharField()
    name = serializers.CharField()
    price = serializers.IntegerField()
    capital_after = serializers.IntegerField()
    refused = ReasonOutput(many=True)


class BoughtLineOutput(Output):
    """A line of a basket after the market closed: whether it was bought, and if not, why."""

    kind = serializers.ChoiceField(choices=ASSET_KINDS)
    key = serializers.CharField()
    name = serializers.CharField()
    price = serializers.IntegerField()
    bought = serializers.BooleanField()
    refused = ReasonOutput(many=True)


class BasketOutput(Output):
    """The basket for the cycle whose market is open, or was open last. Once it is bought `lines` are empty, and
    `outcome` has them; before, `outcome` is empty.
    """

    cycle = serializers.IntegerField()
    is_open = serializers.BooleanField(help_text="Whether the market is open, so that the basket can be changed.")
    is_sealed = serializers.BooleanField(help_text="A sealed basket is bought when the market closes.")
    capital = serializers.IntegerField()
    capital_after = serializers.IntegerField(help_text="The capital left if the whole basket is bought now.")
    lines = BasketLineOutput(many=True)
    outcome = BoughtLineOutput(many=True)


LINE = {"kind": "unit", "key": "SOL002"}
EXAMPLE = {
    "cycle": 2,
    "is_open": True,
    "is_sealed": False,
    "capital": 500,
    "capital_after": 404,
    "lines": [{**LINE, "name": "Firefly", "price": 96, "capital_after": 404, "refused": []}],
    "outcome": [],
}


def basket_document(stable: Stable) -> dict[str, Any]:
    """Return the stable's basket in the form that its owner reads; no lines without a basket."""
    window = window_of(stable)
    basket = basket_in(stable, window)
    lines = _lines(stable, basket) if basket is not None and basket.filled_at is None else []
    return {
        "cycle": window.cycle,
        "is_open": window.is_market,
        "is_sealed": basket is not None and basket.sealed_at is not None,
        "capital": stable.capital,
        "capital_after": lines[-1]["capital_after"] if lines else stable.capital,
        "lines": lines,
        "outcome": [] if basket is None else [_bought(stable, line) for line in basket.outcome],
    }


def _lines(stable: Stable, basket: Basket) -> list[dict[str, Any]]:
    return [
        {
            "kind": one.line.kind,
            "key": one.line.definition["id"],
            "name": one.line.definition["name"],
            "price": one.price,
            "capital_after": one.capital_after,
            "refused": [reason(problem) for problem in one.problems],
        }
        for one in buyers.what_if(stable, basket.lines)
    ]


def _bought(stable: Stable, line: Mapping[str, Any]) -> dict[str, Any]:
    name = definition(stable.season, line["kind"], line["key"])["name"]
    refused = [reason(Refusal(problem["code"], problem["parameters"])) for problem in line["refused"]]
    return {**line, "name": name, "refused": refused}


class BasketItself(OwnersEndpoint):
    """The basket."""

    @describes(
        "basket_read",
        "Your basket",
        TOPIC,
        answers=BasketOutput,
        examples=[example("One line", EXAMPLE)],
    )
    def get(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Return your basket with the capital after each line. Nobody else ever sees its lines."""
        return Response(BasketOutput(basket_document(self.own_stable(stable_slug))).data)

    @describes(
        "basket_write",
        "Replace the lines of your basket",
        TOPIC,
        answers=BasketOutput,
        sends=BasketInput,
        examples=[example("One line", {"lines": [LINE]}, sent=True), example("One line, noted", EXAMPLE)],
    )
    @idempotent(atomic=True)
    @names_are_refused
    def put(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Replace all lines. Lines that you cannot pay for now are kept; the answer says which would be refused.

        Refused: market_closed, basket_sealed, basket_too_long, unknown_catalogue_entry.
        """
        stable, fields = self.own_stable(stable_slug), self.sent(BasketInput)
        baskets.set_lines(stable_id=stable.pk, lines=fields["lines"])
        return Response(BasketOutput(basket_document(stable)).data)


class PutAdviceIn(OwnersEndpoint):
    """The act of following the market's advice as a whole."""

    @describes(
        "basket_put_advice_in",
        "Put the whole advice into your basket",
        TOPIC,
        answers=BasketOutput,
        examples=[example("One line", EXAMPLE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Put everything that `market/advice` would buy at the end of your basket, in its order, up to the first thing
        that you cannot pay for after the lines before it.

        Refused: market_closed, basket_sealed, basket_no_advice.
        """
        stable = self.own_stable(stable_slug)
        advice.put_advice_in(stable_id=stable.pk)
        return Response(BasketOutput(basket_document(stable)).data)


class Seal(OwnersEndpoint):
    """The act of sealing."""

    @describes(
        "basket_seal",
        "Seal your basket",
        TOPIC,
        answers=BasketOutput,
        examples=[example("Sealed", {**EXAMPLE, "is_sealed": True})],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Seal the basket: it is bought, line by line, when the market closes. Refused: market_closed, basket_empty."""
        stable = self.own_stable(stable_slug)
        baskets.seal(stable_id=stable.pk)
        return Response(BasketOutput(basket_document(stable)).data)


class Unseal(OwnersEndpoint):
    """The act of breaking the seal."""

    @describes(
        "basket_unseal",
        "Break the seal of your basket",
        TOPIC,
        answers=BasketOutput,
        examples=[example("Open again", EXAMPLE)],
    )
    @idempotent(atomic=True)
    def post(self, request: Any, season_slug: str, stable_slug: str) -> Response:
        """Break the seal, so that the basket can be changed and is not bought. Refused: market_closed."""
        stable = self.own_stable(stable_slug)
        baskets.unseal(stable_id=stable.pk)
        return Response(BasketOutput(basket_document(stable)).data)
