"""Seasons for real tables only, whose stables own figures without a dial."""

from __future__ import annotations

from typing import Any

from catalogue.services.collections import confirm_import, draft_import, make_collection
from catalogue.services.files import ReadFile
from jobs.services import run_pending
from rules.catalogue import Document, load_builtin
from stables.models import Fixture, Season, Stable
from stables.services.line_ups import line_ups
from stables.services.market import trading
from stables.services.season import opening, seasons
from tests.catalogue.table_unit import FIGURE, UNCOUNTED

PILOT = next(
    key
    for key, pilot in load_builtin().pilots.items()
    if pilot["kind"] == "common" and "light" in (pilot["requires"].get("class") or ["light"])
)
"""A pilot for a figure of the light class."""


def opened(organiser: Any, **options: Any) -> Season:
    """Return a recruiting season for real tables only, with two figures without a dial in its collection."""
    collection = make_collection(name="Figures", keeper=organiser)
    read = ReadFile(Document("own.json", {"schema": 1, "units": [FIGURE, UNCOUNTED]}), [])
    confirm_import(public_id=draft_import(collection=collection, user=organiser, read=read).public_id, user=organiser)
    settings = {"dials": "table", "cycles": ["standard"], **options.pop("settings", {})}
    values = {"name": "At tables", "weight_class": "light", "ai_stables": 0, "organiser": organiser, **options}
    made = opening.open_for_people(settings=settings, collection=collection.slug, **values)
    return Season.objects.select_related("release").get(pk=made.season_id)


def with_crews(season: Season, *owners: Any) -> list[Stable]:
    """Found a stable of each owner; each buys a figure, the first one with a pilot."""
    found = []
    for owner, key in zip(owners, (FIGURE["id"], UNCOUNTED["id"]), strict=True):
        made = seasons.found_stable(season_id=season.pk, name=f"{owner.username} figures", owner=owner)
        trading.buy(stable_id=made.stable_id, kind="unit", key=key)
        if key == FIGURE["id"]:
            trading.buy(stable_id=made.stable_id, kind="pilot", key=PILOT)
        found.append(Stable.objects.select_related("season__release").get(pk=made.stable_id))
    return found


def called(season: Season) -> Fixture:
    """Start a season and return the fixture of its first round."""
    seasons.start_season(season_id=season.pk)
    run_pending()
    return Fixture.objects.get(round__cycle__season=season, round__number=1)


def sealed(season: Season) -> Fixture:
    """Start a season, hand in every line-up, and return the fixture of its first round."""
    fixture = called(season)
    for side in fixture.sides.all():
        line_ups.submit_nearest_legal(stable_id=side.stable_id, fixture_id=fixture.pk)
    run_pending()
    fixture.refresh_from_db()
    return fixture
