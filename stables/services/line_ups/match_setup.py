"""From sealed line-ups to a match: setup, seed, and the stored match that the engine plays."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from matches.models import Match
from matches.services.answering import Seat
from matches.services.matches import answer_with_bots, create_match, reseat
from rules.campaign.states import FIXTURE
from rules.catalogue import Catalogue
from rules.competition.formats.grand_melee import assemble
from rules.core.codec import SCHEMA_VERSION
from stables.models import Asset, Crew, Fixture, FixtureSide, Season
from stables.selectors.definitions import catalogue_of, definition, definition_of
from stables.selectors.fixtures import SMALLEST_MATCH, crews_by_unit, lock_fixture, sides_with_line_ups
from stables.selectors.seating import seating_of
from stables.selectors.seeds import fixture_seed
from stables.services.base.deadlines import calendar_of
from stables.services.base.job_requests import ask_for
from web.names import printable


def fixture_key(fixture: Fixture) -> str:
    """Return the key of a fixture's match."""
    return f"fixture:{fixture.pk}"


def setup_of(fixture: Fixture, sides: list[FixtureSide]) -> dict[str, Any]:
    """Return the setup of a fixture's match, all definitions embedded.

    Pass all sides, fetched with line-ups, crews and cards (sides_with_line_ups): those that forfeit are left out, and
    their partners keep the numbers of their units. Stables that share a side each have a hand and three tokens of their
    own, and their units carry the stables' names (Q-168).
    """
    season = fixture.round.cycle.season
    catalogue = catalogue_of(season)
    units = crews_by_unit(sides)
    by_side: dict[str, list[FixtureSide]] = {}
    for side in sides:
        if not side.forfeits:
            by_side.setdefault(side.side, []).append(side)
    return {
        "schema": SCHEMA_VERSION,
        "format": fixture.round.cycle.format,
        "arena": ground_of(catalogue, fixture.arena_key),
        "house_rules": dict(season.rules.house_rules),
        "sides": [
            {
                "id": name,
                "name": " + ".join(printable(side.stable.name) for side in partners),
                "units": [
                    _loadout(season, unit, crew, printable(side.stable.name) if len(partners) > 1 else None)
                    for unit, (side, crew) in units.items()
                    if side.side == name
                ],
                "tokens": [catalogue.target_tokens[key] for side in partners for key in side.line_up.tokens],
            }
            for name, partners in by_side.items()
        ],
    }


def ground_of(catalogue: Catalogue, arena_key: str) -> dict[str, Any]:
    """Return the arena of a fixture, or the ground of four arenas whose keys are joined by "+" (R-FMT-21)."""
    maps = [catalogue.arenas[key] for key in arena_key.split("+")]
    return maps[0] if len(maps) == 1 else assemble(maps)


def _loadout(season: Season, unit: str, crew: Crew, owner: str | None) -> dict[str, Any]:
    """Return a crew as it enters the arena: gear with its declared side, and the hand that it brings (R-GER-05,
    R-RAL-01).
    """
    gear, hand = [], []
    for card in crew.cards.all():
        entry = definition(season, card.asset.kind, card.asset.catalogue_key)
        if card.asset.kind == Asset.Kind.GEAR:
            # The side declared with the line-up counts, even if the garage changes it later.
            gear.append({**entry, "side": card.side} if card.side else entry)
        else:
            hand.append(entry)
    loadout = {
        "id": unit,
        "unit": definition_of(season, crew.unit),
        "pilot": None if crew.pilot is None else definition_of(season, crew.pilot),
        "gear": gear,
        "clicks": crew.damage,
        "hand": hand,
    }
    return loadout if owner is None else {**loadout, "owner": owner}


def prepare_match(*, fixture_id: int) -> tuple[Match | None, dict[str, str]]:
    """Return the match of a sealed fixture, and the bot of each side if bots play all sides (else an empty dict).

    The match is created if needed. Its seats follow who decides for each stable now (stables.selectors.seating), so
    this also gives a running match other players. The match is None at a table, after a report, and with fewer than two
    sides left. The match of a fixture that is not sealed is returned unchanged. Call it outside transactions: making a
    match starts the engine, and bots in its seats answer. Safe to repeat and to run twice at once.
    """
    fixture = Fixture.objects.select_related("round__cycle__season__release", "match").get(pk=fixture_id)
    if not FIXTURE.may("seat_players", fixture.state):
        return fixture.match, {}
    match = fixture.match
    if match is None:
        seating = seating_of(fixture)
        is_table = seating.mode == Fixture.Mode.TABLE or fixture.reports.exists()
        if is_table or len({seat.side for seat in seating.seats}) < SMALLEST_MATCH:
            return None, {}
        cycle = fixture.round.cycle
        sides = sides_with_line_ups(fixture)
        seed = fixture_seed(cycle.season, cycle.number, fixture.round.number, fixture.number)
        seconds = calendar_of(cycle.season).seconds_a_round
        match = create_match(setup_of(fixture, sides), seed, fixture_key(fixture), seating.of_sides(), seconds)
    seats = take_seats(fixture_id=fixture_id, match=match)
    if seats is None:
        return None, {}
    if all(seat.bot for seat in seats):
        return match, {seat.side: seat.bot for seat in seats}
    answer_with_bots(match.pk)
    return match, {}


@transaction.atomic
def take_seats(*, fixture_id: int, match: Match, keeps_answers: bool = False) -> list[Seat] | None:
    """Give a fixture its match, seat the players who decide now, and return the seats.

    `keeps_answers` is that of `reseat`. None if fewer than two sides are left, or for a fixture without a match that is
    reported, not sealed, or played at a table. It runs under the fixture's lock: a change of mode, hand-over or
    stand-in comes either before and is seen here, or after and asks for the seats again.
    """
    fixture = lock_fixture(fixture_id)
    seating = seating_of(fixture)
    if len({seat.side for seat in seating.seats}) < SMALLEST_MATCH:
        # All others forfeit, so nobody plays.
        return None
    if fixture.match_id is None:
        is_table = seating.mode == Fixture.Mode.TABLE or fixture.reports.exists()
        if is_table or not FIXTURE.may("seat_players", fixture.state):
            return None
        fixture.match = match
        fixture.save(update_fields=["match"])
    seats = seating.of_sides()
    reseat(match.pk, seats, keeps_answers=keeps_answers)
    return seats


def ask_for_seats(fixture: Fixture, cause: str) -> None:
    """Ask for the match of a sealed fixture, or for new seats in it, because of `cause`; the same cause asks once.

    Fetch `fixture` with its round, cycle and season.
    """
    season = fixture.round.cycle.season
    ask_for(season, "stables.play_fixture", f"fixture:{fixture.pk}:play_fixture:{cause}", fixture=fixture.pk)
