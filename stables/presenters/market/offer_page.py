"""An offer of a market on the page of its definition in the catalogue, with the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from catalogue.host import Offer
from stables.models import Stable
from stables.presenters.market.advice import hireable_for
from stables.presenters.market.table import Buyer, anchor_of, place_in
from stables.selectors.definitions import KINDS
from stables.selectors.windows import window_of


def offer_of(user: Any, kind: str, key: str, release: str, asked: Mapping[str, str]) -> Offer | None:
    """Return the offer of a definition (`kind` is a word of the catalogue) in the market that an address names.

    The address has `market`, season and stable with a slash between, and `query`, what the market's own address had.
    None for the market of another person, for a page of another release than the season's (`release` is its hash), and
    for what is not for sale now.
    """
    season, _, name = asked.get("market", "").partition("/")
    if not name or not user.is_authenticated:
        return None
    stables = Stable.objects.filter(season__slug=season, slug=name, owner=user)
    stable = stables.select_related("season__release").first()
    if stable is None or stable.season.release.content_hash != release:
        return None
    window = window_of(stable)
    hireable = {str(pilot["id"]) for pilot in hireable_for(stable, window)}
    can_buy = window.can_buy(stable.season.rules.buy_between_matches)
    buyer = Buyer(stable, list(stable.assets.order_by("id")), (), hireable, can_buy)
    offers = (row.offer for row in buyer.rows({}))
    found = next((offer for offer in offers if (KINDS[offer["kind"]], offer["key"]) == (kind, key)), None)
    if found is None:
        return None
    query = asked.get("query", "")
    return Offer(
        market=place_in(stable, "market", QueryDict(query), anchor_of(key)),
        buy=reverse("stables:buy", args=[season, name]),
        fields={"kind": found["kind"], "key": key, "back": "market", "query": query},
        stones=found["price"],
        capital=stable.capital,
        problem=next(iter(found["problems"]), ""),
        is_hire=not can_buy,
    )
