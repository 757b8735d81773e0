"""The contents of printed sheets: fixtures with the line-ups that the reader may see, units with what is aboard.

Everybody may see a line-up once all are in; until then only its owner and their stand-in may. Only these ever see a
hand of rally cards, and only the owner what a unit carries in the garage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Prefetch
from django.http import Http404
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from catalogue.models import CatalogueEntry
from catalogue.selectors.releases import entries
from catalogue.views.sheets import Aboard, card_of
from stables.models import Asset, Crew, CrewCard, Fixture, FixtureSide, LineUp, Season
from stables.presenters.market.assets import description_of
from stables.selectors.definitions import definition_of
from stables.text.names import ASSET_KINDS, word

LIMIT = 40
"""The most cards on one printed page."""


def fixture_to_print(season_slug: str, fixture_id: int) -> Fixture:
    """Return a match with round, cycle, season, sides, line-ups, crews and all their cards; four queries.

    Raises Http404 when there is no such match, or its season is a draft.
    """
    cards = CrewCard.objects.select_related("asset").order_by("id")
    crews = Crew.objects.select_related("unit", "pilot").prefetch_related(Prefetch("cards", queryset=cards))
    sides = FixtureSide.objects.select_related("stable", "line_up").prefetch_related(
        Prefetch("line_up__crews", queryset=crews.order_by("position"))
    )
    found = (
        Fixture.objects.select_related("round__cycle__season__release")
        .prefetch_related(Prefetch("sides", queryset=sides.order_by("id")))
        .filter(pk=fixture_id, kind=Fixture.Kind.MATCH, round__cycle__season__slug=season_slug)
        .first()
    )
    if found is None or found.round.cycle.season.state == Season.State.DRAFT:
        raise Http404
    return found


def own_side(fixture: Fixture, user: Any) -> FixtureSide | None:
    """Return the side that the reader owns or stands in on, None without one.

    No query on a fixture of `fixture_to_print`.
    """
    return next((side for side in fixture.sides.all() if side.is_played_by(user)), None)


def open_sides(fixture: Fixture, user: Any) -> list[FixtureSide]:
    """Return the sides whose line-ups the reader may see, their own first, without sides that forfeit. No query."""
    own = own_side(fixture, user)
    handed_in = [side for side in fixture.sides.all() if not side.forfeits and hasattr(side, "line_up")]
    if fixture.state == Fixture.State.LINE_UPS:
        handed_in = [side for side in handed_in if own is not None and side.pk == own.pk]
    return sorted(handed_in, key=lambda side: own is None or side.pk != own.pk)


def crews_of(side: FixtureSide) -> list[Crew]:
    """Return the crews of a side in order. No query."""
    line_up: LineUp = side.line_up
    return list(line_up.crews.all())


def aboard_of_crew(season: Season, crew: Crew, stable: str, with_hand: bool) -> Aboard:
    """Return what a crew brings: its pilot and gear, and its rally cards if `with_hand`."""
    cards = [card.asset for card in crew.cards.all() if with_hand or card.asset.kind == Asset.Kind.GEAR]
    aboard = [*([crew.pilot] if crew.pilot is not None else []), *cards]
    sides = {card.asset_id: card.get_side_display() for card in crew.cards.all() if card.side}
    return Aboard(f"{stable} · {crew.unit.label}", crew.damage, False, lines_of(season, aboard, sides))


def lines_of(season: Season, assets: Iterable[Asset], sides: Mapping[int, str]) -> tuple[tuple[str, str, str], ...]:
    """Return each asset's kind, name and description. `sides` are the names of the sides that gear sits on, by id."""
    lines = []
    for asset in assets:
        describe = description_of(season, asset.kind, definition_of(season, asset))
        side = sides.get(asset.pk, "")
        lines.append(
            (capfirst(word(ASSET_KINDS, asset.kind)), asset.label, f"({side}) {describe}" if side else describe)
        )
    return tuple(lines)


def unit_entries(season: Season, units: Iterable[Asset]) -> dict[str, CatalogueEntry]:
    """Return the catalogue's entries of these units by their key; one query."""
    keys = {unit.catalogue_key for unit in units}
    return {entry.key: entry for entry in entries(season.release, "units", key__in=keys)}


def cards_of(season: Season, units: Sequence[tuple[Asset, Aboard]]) -> list[dict[str, Any]]:
    """Return the sheets of the first LIMIT of these units (catalogue.views.sheets); one query."""
    found = unit_entries(season, [unit for unit, _ in units])
    return [card_of(found[unit.catalogue_key], aboard) for unit, aboard in units[:LIMIT]]


def aboard_in_garage(season: Season, unit: Asset, view: Mapping[str, Any] | None, stable: str) -> Aboard:
    """Return the state of a unit, and its pilot and gear if the garage's `view` of it is given."""
    assets: list[Asset] = []
    sides: dict[int, str] = {}
    if view is not None:
        assets = [part["asset"] for part in ([view["pilot"]] if view["pilot"] else []) + view["gear"]]
        sides = {asset.pk: asset.get_side_display() for asset in assets if asset.side}
    return Aboard(f"{stable} · {unit.label}", unit.damage, unit.is_eliminated, lines_of(season, assets, sides))


def title_of(fixture: Fixture) -> str:
    """Return who meets whom, and the place of the match in the season, as text."""
    names = " – ".join(side.stable.name for side in fixture.sides.all())
    place = _("cycle %(cycle)s, round %(round)s, match %(number)s") % {
        "cycle": fixture.round.cycle.number,
        "round": fixture.round.number,
        "number": fixture.number,
    }
    return f"{names} ({place})"
