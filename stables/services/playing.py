"""From sealed line-ups to a match: setup, seed, and the stored match that the engine plays."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.models import Match
from matches.services import Seat, create_match
from rules.catalogue import Catalogue
from rules.competition.formats.grand_melee import assemble
from rules.core.codec import SCHEMA_VERSION
from stables.catalogues import catalogue_of, definition_of
from stables.models import Crew, Fixture, FixtureSide
from stables.services.fixtures import lock_fixture, match_unit, sides_with_line_ups
from stables.streams import fixture_seed


def fixture_key(fixture: Fixture) -> str:
    """Return what names a fixture among all matches."""
    return f"fixture:{fixture.pk}"


def setup_of(fixture: Fixture, sides: list[FixtureSide]) -> dict[str, Any]:
    """Return the setup of a fixture's match, all definitions embedded. `sides` come with their line-ups and crews."""
    season = fixture.round.cycle.season
    catalogue = catalogue_of(season)
    return {
        "schema": SCHEMA_VERSION,
        "format": fixture.round.cycle.format,
        "arena": ground_of(catalogue, fixture.arena_key),
        "house_rules": dict(season.rules.house_rules),
        "sides": [
            {
                "id": side.side,
                "name": side.stable.name,
                "units": [_loadout(fixture, side, crew) for crew in side.line_up.crews.all()],
                "tokens": [catalogue.target_tokens[key] for key in side.line_up.tokens],
            }
            for side in sides
        ],
    }


def ground_of(catalogue: Catalogue, arena_key: str) -> dict[str, Any]:
    """Return the arena of a fixture, or the ground of four of them (R-FMT-21)."""
    maps = [catalogue.arenas[key] for key in arena_key.split("+")]
    return maps[0] if len(maps) == 1 else assemble(maps)


def _loadout(fixture: Fixture, side: FixtureSide, crew: Crew) -> dict[str, Any]:
    season = fixture.round.cycle.season
    return {
        "id": match_unit(side.side, crew.position),
        "unit": definition_of(season, crew.unit),
        "pilot": None if crew.pilot is None else definition_of(season, crew.pilot),
        "gear": [],
        "clicks": crew.damage,
    }


def prepare_match(*, fixture_id: int) -> tuple[Match, dict[str, str]]:
    """Return the match of a sealed fixture and the bot of each side; the match is made when it is not there.

    Call it outside transactions: making a match starts the engine. Safe to repeat and to run twice at once.
    """
    fixture = Fixture.objects.select_related("round__cycle__season__release", "match").get(pk=fixture_id)
    sides = [side for side in sides_with_line_ups(fixture) if not side.forfeits]
    bots = {side.side: side.stable.bot for side in sides}
    if fixture.match is not None:
        return fixture.match, bots
    cycle = fixture.round.cycle
    seed = fixture_seed(cycle.season, cycle.number, fixture.round.number, fixture.number)
    seats = [Seat(side.side, bot=side.stable.bot) for side in sides]
    match = create_match(setup_of(fixture, sides), seed, fixture_key(fixture), seats)
    with transaction.atomic():
        locked = lock_fixture(fixture_id)
        if locked.match_id is None:
            locked.match = match
            locked.save(update_fields=["match"])
    return match, bots
