"""Checks of a season's document: its ledgers against settings, prices, places and corrections.

Each check raises SeasonRefused (season_document_ledger_differs) with the place of the first entry that does not agree.
The costs of repairs and the amounts of grants and corrections are not computed again.
"""

from __future__ import annotations

import re
from typing import Any

from rules.campaign.market.prices import price_of
from rules.campaign.season.settings import SeasonSettings
from rules.catalogue import Catalogue
from stables.documents.books import differs
from stables.documents.columns import Row
from stables.selectors.definitions import KINDS

DIFFER = "season_document_ledger_differs"
WITHHELD = ":withheld"

_FORMS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("starting_capital",), re.compile(r"stable:\{(?P<stable>\d+)\}:starting_capital")),
    (("sponsor_grant",), re.compile(r"stable:\{(?P<stable>\d+)\}:cycle:\d+:sponsor_grant")),
    (("purchase", "emergency_hire"), re.compile(r"asset:\{(?P<asset>(?P<stable>\d+):[^{}]+)\}:buy:(?P<time>\d+)")),
    (("sale",), re.compile(r"asset:\{(?P<asset>(?P<stable>\d+):[^{}]+)\}:sell:(?P<time>\d+)")),
    (("repair", "compulsory_repair"), re.compile(r"asset:\{(?P<asset>(?P<stable>\d+):[^{}]+)\}:repair:.+")),
    (("purse",), re.compile(r"cycle:\{(?P<cycle>\d+)\}:stable:\{(?P<stable>\d+)\}:purse")),
    (
        ("purse_corrected",),
        re.compile(r"result:\{(?P<result>[^{}]+)\}:correction:(?P<number>\d+):purse:\d+:stable:\{(?P<stable>\d+)\}"),
    ),
    (
        ("repair_refund",),
        re.compile(
            r"result:\{(?P<result>[^{}]+)\}:correction:(?P<number>\d+):asset:\{[^{}]+\}:stable:\{(?P<stable>\d+)\}"
        ),
    ),
)
"""The causes of entries, with the pattern of their keys. A withheld entry has its payment's key and then WITHHELD."""


def check_accounts(document: Row, catalogue: Catalogue) -> None:
    """Compare every entry with its cause, and refuse a ledger in which a payment is missing.

    Raises SeasonRefused (season_document_ledger_differs).
    """
    amounts = {entry["idempotency_key"]: entry["amount"] for entry in document["ledger"]}
    assets = {_code(row): row for row in document["assets"]}
    purses = {(row["cycle"], row["stable"]): row["purse"] for row in document["placings"] if row["revision"] == 1}
    corrections = {(row["result"], row["number"]) for row in document["corrections"]}
    capital = SeasonSettings.from_json(document["season"]["settings"]).capital
    for position, entry in enumerate(document["ledger"]):
        place, amount = f"ledger[{position}]", entry["amount"]
        cause, parts = _form_of(entry, place)
        if int(parts["stable"]) != entry["stable"]:
            raise differs(DIFFER, f"{place}.stable", entry["stable"], parts["stable"])
        if cause == "withheld":
            given = amounts.get(entry["idempotency_key"].removesuffix(WITHHELD), 0)
            if not -given <= amount < 0:
                raise differs(DIFFER, f"{place}.amount", amount, -given)
        elif cause == "starting_capital":
            _compare(place, amount, capital)
        elif cause == "purse":
            _compare(place, amount, purses.get((int(parts["cycle"]), entry["stable"]), 0))
        elif "time" in parts:
            asset = assets.get(parts["asset"])
            if asset is None or int(parts["time"]) > asset["purchases"]:
                raise differs(DIFFER, f"{place}.idempotency_key", entry["idempotency_key"], "–")
            price = _price(asset, catalogue)
            _compare(place, amount, price if cause == "sale" else -price)
        elif "result" in parts:
            if (parts["result"], int(parts["number"])) not in corrections:
                raise differs(DIFFER, f"{place}.idempotency_key", entry["idempotency_key"], "–")
        elif (amount < 0) != (parts.get("asset") is not None):
            # A repair takes Stones, a grant gives them.
            raise differs(DIFFER, f"{place}.amount", amount, -amount)
    _check_owed(document, catalogue, amounts, capital)


def _check_owed(document: Row, catalogue: Catalogue, amounts: dict[str, int], capital: int) -> None:
    """Refuse a document whose ledgers lack the starting capital, a purchase or a sale, or sell an unsold asset.

    The price paid for each asset must be that of the catalogue. Raises SeasonRefused (season_document_ledger_differs).
    """
    for position, stable in enumerate(document["stables"]):
        key = f"stable:{{{stable['number']}}}:starting_capital"
        if key not in amounts:
            raise differs(DIFFER, f"stables[{position}].capital", "–", capital)
    for position, asset in enumerate(document["assets"]):
        price = _price(asset, catalogue)
        if asset["price_paid"] != price:
            raise differs(DIFFER, f"assets[{position}].price_paid", asset["price_paid"], price)
        bought = [f"asset:{{{_code(asset)}}}:buy:{time}" for time in range(1, asset["purchases"] + 1)]
        sold = [f"asset:{{{_code(asset)}}}:sell:{time}" for time in range(1, asset["purchases"] + 1)]
        if asset["sold_at"] is None:
            if sold and sold[-1] in amounts:
                raise differs(DIFFER, f"assets[{position}].sold_at", "–", sold[-1])
            sold = sold[:-1]
        for key in (*bought, *sold):
            # A price of 0 leaves no entry.
            if price and key not in amounts:
                raise differs(DIFFER, f"assets[{position}].purchases", "–", key)


def _form_of(entry: Row, place: str) -> tuple[str, dict[str, Any]]:
    key, cause = entry["idempotency_key"], entry["cause"]
    if key.endswith(WITHHELD):
        key = key.removesuffix(WITHHELD)
        found = next((match for _, form in _FORMS if (match := form.fullmatch(key))), None)
        wanted: tuple[str, ...] = ("withheld",)
    else:
        wanted, found = next(((causes, match) for causes, form in _FORMS if (match := form.fullmatch(key))), ((), None))
    if found is None:
        raise differs(DIFFER, f"{place}.idempotency_key", entry["idempotency_key"], "–")
    if cause not in wanted:
        raise differs(DIFFER, f"{place}.cause", cause, ", ".join(wanted))
    return cause, found.groupdict()


def _compare(place: str, amount: int, wanted: int) -> None:
    if amount != wanted:
        raise differs(DIFFER, f"{place}.amount", amount, wanted)


def _code(asset: Row) -> str:
    return f"{asset['stable']}:{asset['kind']}:{asset['catalogue_key']}:{asset['serial']}"


def _price(asset: Row, catalogue: Catalogue) -> int:
    return price_of(asset["kind"], catalogue.of_kind(KINDS[asset["kind"]])[asset["catalogue_key"]])
