"""What a market offers a stable, and its sealed basket."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.campaign.market.prices import ASSET_KINDS, BuyerState, check_purchase, is_offered, is_unique, price_of
from rules.core.refusals import Refusal
from rules.solaris.building import class_of
from rules.wording import sentence
from rules.wording.isolation import isolated, name_of
from stables.models import Asset, Basket, Cycle, Season, Stable
from stables.presenters.market.assets import catalogue_address, description_of
from stables.selectors.definitions import KINDS, catalogue_of, definition
from stables.selectors.entrants import plays_alone
from stables.selectors.windows import Window
from stables.services.season import buyers
from stables.services.season.buyers import is_one_market, taken_uniques
from stables.text import names as words
from web.languages.reader import translate
from web.languages.words import contains


def unsold(assets: Iterable[Asset]) -> list[Asset]:
    """Return the assets that the stable still has, dead pilots among them."""
    return [asset for asset in assets if asset.sold_at is None]


def basket_in(stable: Stable, window: Window) -> Basket | None:
    """Return the stable's basket for the current cycle, None without one; at most two queries."""
    cycle = Cycle.objects.filter(season=stable.season, number=window.cycle).first()
    return buyers.basket_of(stable, cycle)


def offers_basket(season: Season, window: Window, basket: Basket | None) -> bool:
    """Return whether things may wait in a basket: in a market where nobody else buys, it would only be in the way.

    At most one query.
    """
    is_open = window.is_market and not (basket is not None and basket.filled_at)
    return is_open and (is_one_market(season) or not plays_alone(season.pk))


def basket_view(stable: Stable, basket: Basket) -> dict[str, Any]:
    """Return a basket: its lines, each with its problems and the capital after it, or its outcome once it is bought.

    `filled` are its lines as they would be bought now, [] once it is bought. At most two queries.
    """
    names = [name_of(definition(stable.season, line["kind"], line["key"])) for line in basket.lines]
    if basket.filled_at is not None:
        outcome = [
            {**line, "name": name, "problems": [_sentence(problem) for problem in line["refused"]]}
            for line, name in zip(basket.outcome, names, strict=False)
        ]
        return {"basket": basket, "lines": [], "filled": [], "outcome": outcome}
    filled = buyers.what_if(stable, basket.lines)
    lines = [
        {
            "position": position,
            "name": name,
            "kind_name": words.word(words.ASSET_KINDS, one.line.kind),
            "price": one.price,
            "capital_after": one.capital_after,
            "problems": [sentence(problem.code, problem.parameters, translate) for problem in one.problems],
        }
        for position, (one, name) in enumerate(zip(filled, names, strict=True), 1)
    ]
    return {"basket": basket, "lines": lines, "filled": filled, "outcome": []}


def _sentence(problem: Mapping[str, Any]) -> str:
    return sentence(problem["code"], problem["parameters"], translate)


def market_offers(
    stable: Stable,
    assets: Iterable[Asset],
    asked: Mapping[str, str],
    mine: Container[str],
    hireable: Container[str],
    can_buy: bool,
) -> list[dict[str, Any]]:
    """Return the market's offers that match `asked`, each with the problems of buying it (none: it can be bought).

    `mine` are the keys of the units whose miniatures the reader owns. While nothing can be bought, only the pilots of
    `hireable` are offered. At most one query.
    """
    taken = taken_uniques(stable)
    owned = [asset for asset in assets if asset.sold_at is None]
    dials = stable.season.rules.dials
    catalogue = catalogue_of(stable.season)
    offers = []
    for kind in ASSET_KINDS:
        if asked["kind"] not in ("", kind):
            continue
        own = BuyerState(
            stable.capital,
            stable.owed,
            {asset.catalogue_key for asset in owned if asset.kind == kind and asset.died_at is None},
            {asset.catalogue_key for asset in owned if asset.kind == kind and asset.died_at is not None},
            is_one_market(stable.season),
            {key for own_kind, key in taken if own_kind == kind},
            count=sum(asset.kind == kind and asset.died_at is None for asset in owned),
        )
        for key, entry in sorted(catalogue.of_kind(KINDS[kind]).items()):
            if not can_buy and not (kind == "pilot" and key in hireable):
                continue
            if not is_offered(kind, entry, dials) or not _is_asked_for(kind, key, entry, asked, mine):
                continue
            problems = check_purchase(kind, entry, own, dials)
            by_basket = check_purchase(kind, entry, replace(own, from_basket=True), dials)
            offers.append(
                {
                    "kind": kind,
                    "kind_name": words.word(words.ASSET_KINDS, kind),
                    "key": key,
                    "is_mine": kind == "unit" and key in mine,
                    "is_house": kind == "unit" and entry.get("statistics") == "house",
                    "is_unique": is_unique(entry),
                    "name": name_of(entry),
                    "variant": isolated(entry.get("variant") or ""),
                    "definition": entry,
                    "price": price_of(kind, entry),
                    "url": catalogue_address(stable.season, kind, key),
                    "description": description_of(stable.season, kind, entry),
                    "problems": [sentence(problem.code, problem.parameters, translate) for problem in problems],
                    "refusals": problems,
                    "missing": _missing(problems),
                    # An offer that lacks only the Stones may wait in a basket for a sale.
                    "fits_basket": all(problem.code == "capital_too_small" for problem in by_basket),
                }
            )
    return offers


def _missing(problems: Sequence[Refusal]) -> int:
    """Return how many Stones are missing where nothing else stands in the way of a purchase; else 0."""
    first = problems[0] if problems else None
    return int(first.parameters["missing"]) if first is not None and first.code == "capital_too_small" else 0


def _is_asked_for(
    kind: str, key: str, entry: Mapping[str, Any], asked: Mapping[str, str], mine: Container[str]
) -> bool:
    if asked["q"] and not contains(f"{key} {entry['name']} {entry.get('variant') or ''}", asked["q"]):
        return False
    if kind == "unit":
        return asked["class"] in ("", class_of(entry)) and (not asked["shelf"] or key in mine)
    classes = (entry.get("requires") or {}).get("class") or ()
    return not asked["class"] or not classes or asked["class"] in classes
