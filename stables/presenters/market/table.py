"""The market as one table: what matters of each thing for sale, sorted, in pages, and units side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext

from catalogue.presenters.definitions import damage_text
from catalogue.presenters.sparkline import Sparkline, sparkline
from catalogue.text import labels
from rules.core.table_units import is_table_only
from stables.forms.market import KEPT, MOST_COMPARED, SORTS, kept_query
from stables.models import Asset, Stable
from stables.presenters.market.offers import market_offers, unsold
from stables.selectors.definitions import catalogue_of
from web.languages.words import sort_key

PAGE_SIZE = 12
"""How many things a page of the market has: three screens at most, six on a phone."""

Offer = Mapping[str, Any]


@dataclass(frozen=True)
class UnitFacts:
    """What an owner compares of a unit (catalogue shape with a dial): its base and its first click.

    `equipment` has the names of all equipment on the dial. `values` are numbers to sort by, by the words of SORTS.
    """

    arcs: str
    primary: str
    secondary: str
    speed: int
    attack: int
    defense: int
    clicks: int
    vent: int
    equipment: tuple[str, ...]
    line: Sparkline
    values: Mapping[str, int]


@dataclass(frozen=True)
class Row:
    """A line of the table: an offer (stables.presenters.market.offers), the facts of a unit (None for anything else
    and for units without a dial), and how many of it the stable has. `is_compared`: its box is ticked.
    """

    offer: Offer
    facts: UnitFacts | None
    owned: int
    is_compared: bool

    @property
    def anchor(self) -> str:
        """Where the row stands on its page."""
        return anchor_of(self.offer["key"])


@dataclass(frozen=True)
class Heading:
    """The heading of a column: `sort` is what its link asks for, "" for a column without one; `order` is that of
    `aria-sort`, "" for a column by which the table is not sorted.
    """

    name: str
    sort: str = ""
    order: str = ""


@dataclass(frozen=True)
class CompareRow:
    """A value of the units that stand side by side: a text for each, and whether it is the best of different ones."""

    name: str
    cells: tuple[tuple[str, bool], ...]


def anchor_of(key: str) -> str:
    """Return where an offer stands on the page of the market."""
    return f"offer-{key}"


def place_in(stable: Stable, page: str, query: QueryDict, anchor: str, **opened: str) -> str:
    """Return the address of a stable's market or garage at an anchor ("" for none).

    It keeps of `query` what the market's forms keep, and has the parameters `opened` too.
    """
    kept = QueryDict(kept_query(query), mutable=True)
    for name, value in opened.items():
        kept[name] = value
    address = reverse(f"stables:{page}", args=[stable.season.slug, stable.slug])
    return address + (f"?{kept.urlencode()}" if kept else "") + (f"#{quote(anchor)}" if anchor else "")


def unit_facts(definition: Mapping[str, Any]) -> UnitFacts | None:
    """Return the facts of a unit (catalogue shape); None for one without a dial."""
    if is_table_only(definition):
        return None
    dial, first = definition["dial"], definition["dial"][0]
    front, rear = definition["front_arc"], definition["rear_arc"]
    worn = (item for click in dial for item in click["equipment"].values())
    keys = dict.fromkeys(item if isinstance(item, str) else item["key"] for item in worn)
    values = {name: first[name] for name in ("primary", "secondary", "speed", "attack", "defense")}
    return UnitFacts(
        arcs=f"{front}° / {rear}°" if rear else f"{front}°",
        primary=damage_text(definition["primary"], first["primary"]),
        secondary=damage_text(definition["secondary"], first["secondary"]),
        speed=first["speed"],
        attack=first["attack"],
        defense=first["defense"],
        clicks=len(dial),
        vent=definition["vent"],
        equipment=tuple(labels.name(key) for key in keys),
        line=sparkline(dial),
        values=values | {"arc": front, "clicks": len(dial)},
    )


def rows_of(offers: Iterable[Offer], assets: Iterable[Asset], compared: Collection[str] = ()) -> list[Row]:
    """Return offers as rows in the same order; `assets` are the stable's unsold ones, `compared` keys of units."""
    owned: dict[tuple[str, str], int] = {}
    for asset in assets:
        if asset.died_at is None:
            owned[asset.kind, asset.catalogue_key] = owned.get((asset.kind, asset.catalogue_key), 0) + 1
    return [
        Row(
            offer,
            unit_facts(offer["definition"]) if offer["kind"] == Asset.Kind.UNIT else None,
            owned.get((offer["kind"], offer["key"]), 0),
            offer["key"] in compared,
        )
        for offer in offers
    ]


def sorted_rows(rows: Iterable[Row], sort: str) -> list[Row]:
    """Return rows by a word of SORTS, with "-" the most first; equals by price, rows without the value last."""
    key = sort.removeprefix("-")
    if not key:
        return list(rows)
    sign = -1 if sort.startswith("-") else 1
    if key == "name":
        return sorted(rows, key=lambda row: sort_key(row.offer["definition"]["name"]), reverse=sign < 0)

    def place(row: Row) -> tuple[bool, int, int]:
        price = row.offer["price"]
        value = price if key == "price" else row.facts.values[key] if row.facts else None
        return value is None, sign * (value or 0), price

    return sorted(rows, key=place)


def page_of(rows: Sequence[Row], number: str) -> Page[Row]:
    """Return a page of rows by its number in an address; the nearest one for a number that there is not."""
    return Paginator(rows, PAGE_SIZE).get_page(number)


def headings(sort: str, has_units: bool) -> list[Heading]:
    """Return the headings of the columns of values, the first one that of the name."""
    keys = ("name", "price", "arc", "primary", "secondary", "speed", "attack", "defense", "clicks")
    if not has_units:
        return [_heading("name", gettext("Asset"), sort), _heading("price", gettext("Price (Stones)"), sort)]
    names = (
        gettext("’Mech"),
        gettext("Points (Stones)"),
        gettext("Arc, front / rear"),
        gettext("Primary"),
        gettext("Secondary"),
        gettext("Speed"),
        gettext("Attack"),
        gettext("Defense"),
        gettext("Dial"),
    )
    return [*(_heading(key, name, sort) for key, name in zip(keys, names, strict=True)), Heading(gettext("Equipment"))]


def _heading(key: str, name: str, sort: str) -> Heading:
    """Return a heading whose link sorts by `key`: names and prices from below first, anything else the most first."""
    first, second = (key, f"-{key}") if key in ("name", "price") else (f"-{key}", key)
    order = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
    return Heading(name, second if sort == first else first, order)


def comparison(rows: Sequence[Row]) -> list[CompareRow]:
    """Return the values of units side by side, in the order of the table; units without a dial have a dash."""
    price = [row.offer["price"] for row in rows]
    lines = [_compared(gettext("Points (Stones)"), [str(value) for value in price], [-value for value in price])]
    for key, read in _COMPARED.items():
        best = [None if row.facts is None else row.facts.values.get(key) for row in rows]
        texts = ["–" if row.facts is None else str(read(row.facts)) for row in rows]
        lines.append(_compared(_name_of(key), texts, best))
    return lines


_COMPARED: Mapping[str, Callable[[UnitFacts], object]] = {
    "arc": lambda facts: facts.arcs,
    "primary": lambda facts: facts.primary,
    "secondary": lambda facts: facts.secondary,
    "speed": lambda facts: facts.speed,
    "attack": lambda facts: facts.attack,
    "defense": lambda facts: facts.defense,
    "clicks": lambda facts: facts.clicks,
    "vent": lambda facts: facts.vent,
    "equipment": lambda facts: ", ".join(facts.equipment) or "–",
}
"""Word of a value -> how it is read from the facts of a unit."""


def _name_of(key: str) -> str:
    if key in SORTS:
        name = str(SORTS[key])
        return capfirst(name)
    return gettext("Vent rating") if key == "vent" else gettext("Equipment")


def _compared(name: str, texts: Sequence[str], values: Sequence[int | None]) -> CompareRow:
    known = {value for value in values if value is not None}
    best = max(known) if len(known) > 1 else None
    return CompareRow(
        name, tuple((text, best is not None and value == best) for text, value in zip(texts, values, strict=True))
    )


@dataclass(frozen=True)
class Buyer:
    """A stable that a market shows its offers to: all its assets, the units whose miniatures its owner has, the pilots
    of an emergency hire, and whether it may buy.
    """

    stable: Stable
    assets: Sequence[Asset]
    mine: Collection[str]
    hireable: Collection[str]
    can_buy: bool

    def rows(self, asked: Mapping[str, str], compared: Collection[str] = ()) -> list[Row]:
        """Return all offers that match `asked` (of MarketFilter.wanted) as rows, in its order. At most one query."""
        asked = {**dict.fromkeys(("kind", "class", "q", "shelf", "afford", "sort"), ""), **asked}
        if not self.can_buy:
            asked["kind"] = ""
        offers = market_offers(self.stable, self.assets, asked, self.mine, self.hireable, self.can_buy)
        rows = rows_of(offers, unsold(self.assets), compared)
        shown = [row for row in rows if not asked["afford"] or row.owned or not row.offer["problems"]]
        return sorted_rows(shown, asked["sort"])


def goods_on(query: QueryDict, buyer: Buyer, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page of a market shows for sale: a page of rows, or the units that are compared side by side.

    At most one query.
    """
    known = catalogue_of(buyer.stable.season).units
    ticked = [key for key in dict.fromkeys(query.getlist("compare")) if key in known]
    compared = ticked[:MOST_COMPARED]
    kept = kept_query(query)
    place = urlencode({"market": f"{buyer.stable.season.slug}/{buyer.stable.slug}", "query": kept})
    too_many = len(ticked) > len(compared)
    shown: dict[str, Any] = {"kept": kept, "market_place": place, "compared_too_many": too_many}
    if compared and query.get("view") == "compare" and buyer.can_buy:
        units = buyer.rows({"kind": Asset.Kind.UNIT, "sort": asked["sort"]})
        found = [row for row in units if row.offer["key"] in compared]
        if found:
            return shown | {"side_by_side": found, "comparison": comparison(found)}
    rows = buyer.rows(asked, compared)
    has_units = asked["kind"] == Asset.Kind.UNIT and buyer.can_buy
    page = page_of(rows, query.get("page", ""))
    here = {row.offer["key"] for row in page}
    return shown | {
        "shelf": [row.offer for row in rows],
        "page": page,
        "has_units": has_units,
        "headings": headings(asked["sort"], has_units),
        "has_house_statistics": any(row.offer["is_house"] for row in page),
        "has_printed_statistics": not all(row.offer["is_house"] for row in page),
        "compared": compared,
        "compared_elsewhere": [key for key in compared if key not in here],
        "kept_fields": [(name, query[name]) for name in KEPT if name in query and name not in ("compare", "view")],
    }
