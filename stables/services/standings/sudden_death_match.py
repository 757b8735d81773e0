"""The match of a sudden death: its fighters, their class and equipment, and their players.

R-SUD-01..05; Q-141, Q-164, Q-169.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Sum

from matches.models import Match
from matches.services.answering import Seat
from matches.services.matches import create_match
from rules.campaign.line_ups.checks import needs_pilot
from rules.campaign.line_ups.tokens import TokenChoices
from rules.campaign.standings.titles import PILOT, UNIT, Contender, fight_class, may_fight, mount
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.competition.formats.standard import sudden_death
from rules.core.codec import SCHEMA_VERSION
from rules.solaris.house_rules import HouseRules
from stables.models import Asset, Season, Stable, SuddenDeath, Title
from stables.selectors.definitions import catalogue_of, definition_of, offered_units
from stables.selectors.seating import standing_answers_in
from stables.selectors.seeds import season_dice, season_seed
from stables.services.base.deadlines import calendar_of
from stables.services.fixtures.pairing import MAPS_OF_A_LARGE_GROUND, SIDES

ORDER = (Title.Kind.PILOT, Title.Kind.STABLE)
"""The order of the titles: tied stables fight after the pilots (R-SUD-05)."""


@dataclass(frozen=True)
class Fighter:
    """One side of the match: its key in the match, its claim, the fighter, the stable, the seat and a bot.

    The bot plays the side if its seat has a bot, or once the date has passed.
    """

    side: str
    claim: str
    contender: Contender
    stable: Stable
    seat: Seat
    bot: str


def contender_of(season: Season, key: str, asset: Asset) -> Contender:
    """Return an individual in the form that the rules of a sudden death take; `key` is its claim."""
    fights_as = PILOT if asset.kind == Asset.Kind.PILOT else UNIT
    return Contender(key, fights_as, definition_of(season, asset), asset.died_at is None)


def able_fighters(season: Season, stable: Stable) -> list[Asset]:
    """Return the fighters that a tied stable may send, the best first: pilots before pilotless units, by reputation.

    One query.
    """
    assets: Any = stable.assets.annotate(earned=Sum("reputation__amount")).order_by("id")
    able = [
        asset
        for asset in assets
        if asset.kind in (Asset.Kind.PILOT, Asset.Kind.UNIT)
        and may_fight(
            asset.kind,
            needs_pilot=asset.kind == Asset.Kind.UNIT and needs_pilot(definition_of(season, asset)),
            is_sold=asset.sold_at is not None,
            is_alive=asset.died_at is None,
        )
    ]
    return sorted(able, key=lambda asset: (asset.kind != Asset.Kind.PILOT, -(asset.earned or 0), asset.pk))


def number_of(row: SuddenDeath) -> int:
    """Return the number of a begun sudden death among those of its title, from 1; one query.

    A second one follows only after a correction. One that is called off before it begins has no number.
    """
    before = SuddenDeath.objects.filter(season=row.season_id, kind=row.kind, pk__lt=row.pk)
    return 1 + sum(any(each["side"] for each in earlier.contenders) for earlier in before)


def numbered(place: int, number: int) -> tuple[int, ...]:
    """Return the place of a sudden death in the season's streams: the title's `place` in ORDER, and later its number.

    The first one has none, so that its draws stay those of stored matches.
    """
    return (place,) if number == 1 else (place, number)


def match_key(season_id: int, kind: str, number: int) -> str:
    """Return the key of the match of a sudden death (matches.Match.fixture_key)."""
    return f"season:{season_id}:title:{kind}" + ("" if number == 1 else f":{number}")


def make_match(row: SuddenDeath, season: Season, fighters: Sequence[Fighter]) -> Match:
    """Return the match of a sudden death, created if needed.

    A second call with equal fighters makes the same draws and returns the same match. Call it outside transactions.
    """
    number = number_of(row)
    place = numbered(ORDER.index(Title.Kind(row.kind)), number)
    dice = season_dice(season, "sudden death", *place)
    catalogue = catalogue_of(season)
    match_class = fight_class([fighter.contender for fighter in fighters], dice)
    house_rules = sudden_death(HouseRules.from_json(season.rules.house_rules))
    triples = TokenChoices.of(catalogue.target_tokens.values(), house_rules.token_pool_rp)
    arenas = sorted(catalogue.arenas)
    count = MAPS_OF_A_LARGE_GROUND if len(fighters) > SIDES_ON_ONE_MAP else 1
    maps = [catalogue.arenas[arenas[dice.draw(len(arenas), "arena")]] for _ in range(count)]
    sides = []
    for fighter in fighters:
        contender = fighter.contender
        unit = mount(contender, offered_units(season), match_class, dice)
        tokens = triples[dice.draw(len(triples), "tokens")] if house_rules.target_tokens else ()
        pilot = contender.definition if contender.kind == PILOT else None
        sides.append(
            {
                "id": fighter.side,
                "name": fighter.stable.name,
                "units": [{"id": f"{fighter.side}-1", "unit": unit, "pilot": pilot, "gear": [], "clicks": 0}],
                "tokens": [catalogue.target_tokens[key] for key in tokens],
            }
        )
    setup: dict[str, Any] = {
        "schema": SCHEMA_VERSION,
        "format": "standard",
        "arena": maps[0] if len(maps) == 1 else assemble(maps),
        "house_rules": house_rules.to_json(),
        "sides": sides,
    }
    seed = season_seed(season, "sudden death match", *place)
    seconds = calendar_of(season).seconds_a_round
    key = match_key(season.pk, row.kind, number)
    return create_match(setup, seed, key, _seats_of(season, fighters), seconds)


def _seats_of(season: Season, fighters: Sequence[Fighter]) -> list[Seat]:
    """Return the seats of the match; the units of owners begin with the season's standing answers."""
    people = {fighter.seat.user_id for fighter in fighters} - {None}
    standing = standing_answers_in(season, between_people=len(people) > 1)
    return [
        replace(fighter.seat, standing=standing if fighter.seat.user_id == fighter.stable.owner_id else {})
        for fighter in fighters
    ]


def sides_for(keys: Sequence[str]) -> dict[str, str]:
    """Return the side of each claim that fights, by claim; claims beyond the number of sides are left out."""
    return dict(zip(keys, SIDES, strict=False))
