"""The champions of a season: leaders at once, others by a sudden death match that counts for nothing else.

R-CYC-08, R-CYC-09, R-SUD-01..05; Q-141, Q-164, Q-169.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Sum

from matches.models import Match
from matches.services import Seat, create_match, resolve_with_bots
from rules.campaign.line_ups import needs_pilot
from rules.campaign.standings import Record, leaders
from rules.campaign.titles import PILOT, UNIT, Contender, decide, fight_class, mount
from rules.competition.formats.grand_melee import SIDES_ON_ONE_MAP, assemble
from rules.competition.formats.standard import sudden_death
from rules.core.codec import SCHEMA_VERSION
from rules.core.house_rules import HouseRules
from stables.catalogues import catalogue_of, definition_of, offered_units
from stables.models import Asset, ReputationEntry, Season, Stable, Title
from stables.services.draw import MAPS_OF_A_LARGE_GROUND, SIDES
from stables.services.line_ups import different_tokens
from stables.services.seasons import lock_season
from stables.streams import season_dice, season_seed

ORDER = (Title.Kind.PILOT, Title.Kind.STABLE)
"""Stables that are tied fight after the pilots (R-SUD-05)."""


@dataclass(frozen=True)
class Claim:
    """Somebody with a record: the stable, the individual (null for a stable's own title), and the totals."""

    stable: Stable
    asset: Asset | None
    reputation: int
    kills: int

    @property
    def key(self) -> str:
        """What stands for the claimant in draws and matches."""
        number = f"{self.stable.number:02d}"
        return number if self.asset is None else f"{number}:{self.asset.code}"


def claims_of(season: Season, kind: str) -> list[Claim]:
    """Return everybody who has a record for a title, sold individuals included (Q-164); two or three queries."""
    stables = {stable.pk: stable for stable in season.stables.order_by("number")}
    book = ReputationEntry.objects.filter(stable__season=season).order_by()
    if kind == Title.Kind.STABLE:
        sums = book.filter(asset=None).values("stable").annotate(earned=Sum("amount"), killed=Sum("kills"))
        totals = {row["stable"]: (row["earned"], row["killed"]) for row in sums}
        return [Claim(stable, None, *totals.get(pk, (0, 0))) for pk, stable in stables.items()]
    rows = book.exclude(asset=None).values("asset").annotate(earned=Sum("amount"), killed=Sum("kills"))
    assets = Asset.objects.in_bulk([row["asset"] for row in rows])
    return [
        Claim(stables[assets[row["asset"]].stable_id], assets[row["asset"]], row["earned"], row["killed"])
        for row in sorted(rows, key=lambda row: int(row["asset"]))
    ]


def award(*, season_id: int, kind: str, play: Callable[[Match, dict[str, str]], Match]) -> list[int]:
    """Write the holders of a title, once; returns the ids of its rows.

    `play` is called outside transactions with a sudden death match and the bot of each side, and returns it finished.
    """
    season = Season.objects.select_related("release").get(pk=season_id)
    known = list(season.titles.filter(kind=kind).values_list("pk", flat=True))
    if known:
        return known
    claims = claims_of(season, kind)
    tied = leaders(Record(claim.key, claim.reputation, claim.kills) for claim in claims)
    best = [claim for claim in claims if claim.key in tied]
    if len(best) <= 1:
        return _write(season, kind, best, _parted_by(best, claims), None)
    contenders = {claim.key: _contender(season, claim, kind) for claim in best}
    able = [contender for contender in contenders.values() if contender is not None]
    decision = decide(able)
    if not decision.fighters:
        holders = [claim for claim in best if claim.key in decision.holders] or best
        how = Title.Decision.KILLS if len(holders) == 1 else Title.Decision.SHARED
        return _write(season, kind, holders, how, None)
    match, bots, sides = _sudden_death(season, kind, decision.fighters, {claim.key: claim for claim in best})
    finished = play(match, bots)
    winner = sides[str((finished.result or {})["winner"])]
    return _write(season, kind, [claim for claim in best if claim.key == winner], Title.Decision.SUDDEN_DEATH, finished)


def _parted_by(best: list[Claim], claims: list[Claim]) -> str:
    """What parts the one leader from the others."""
    if any(claim.reputation == best[0].reputation for claim in claims if claim is not best[0]):
        return Title.Decision.KILLS
    return Title.Decision.REPUTATION


@transaction.atomic
def _write(season: Season, kind: str, holders: list[Claim], decided_by: str, match: Match | None) -> list[int]:
    lock_season(season.pk)
    known = list(season.titles.filter(kind=kind).values_list("pk", flat=True))
    if known:
        return known
    made = [
        Title.objects.create(
            season=season,
            kind=kind,
            stable=claim.stable,
            asset=claim.asset,
            reputation=claim.reputation,
            kills=claim.kills,
            decided_by=decided_by,
            match=match,
        )
        for claim in holders
    ]
    return [title.pk for title in made]


def _contender(season: Season, claim: Claim, kind: str) -> Contender | None:
    """The individual that fights for a claim: itself, or the best one still on a tied stable's list (Q-169)."""
    asset = claim.asset if kind == Title.Kind.PILOT else _champion_of(season, claim.stable)
    if asset is None:
        return None
    fights_as = PILOT if asset.kind == Asset.Kind.PILOT else UNIT
    return Contender(claim.key, fights_as, definition_of(season, asset))


def _champion_of(season: Season, stable: Stable) -> Asset | None:
    """The pilot, else the pilotless unit, with most reputation among those that the stable still has."""
    assets = stable.assets.filter(sold_at=None).annotate(earned=Sum("reputation__amount")).order_by("id")
    able = [
        asset
        for asset in assets
        if asset.kind == Asset.Kind.PILOT
        or (asset.kind == Asset.Kind.UNIT and not needs_pilot(definition_of(season, asset)))
    ]
    return max(able, key=lambda asset: (asset.kind == Asset.Kind.PILOT, asset.earned or 0, -asset.pk), default=None)


def _sudden_death(
    season: Season, kind: str, fighters: tuple[Contender, ...], claims: dict[str, Claim]
) -> tuple[Match, dict[str, str], dict[str, str]]:
    """Return the match, the bot of each side, and who fights on which side; the match is made when it is not there."""
    place = ORDER.index(Title.Kind(kind))
    dice = season_dice(season, "sudden death", place)
    catalogue = catalogue_of(season)
    fighters = fighters[: len(SIDES)]
    match_class = fight_class(fighters, dice)
    house_rules = sudden_death(HouseRules.from_json(season.rules.house_rules))
    triples = different_tokens(catalogue.target_tokens.values(), house_rules.token_pool_rp)
    arenas = sorted(catalogue.arenas)
    count = MAPS_OF_A_LARGE_GROUND if len(fighters) > SIDES_ON_ONE_MAP else 1
    maps = [catalogue.arenas[arenas[dice.draw(len(arenas), "arena")]] for _ in range(count)]
    sides = []
    for side, fighter in zip(SIDES, fighters, strict=False):
        unit = mount(fighter, offered_units(season), match_class, dice)
        tokens = triples[dice.draw(len(triples), "tokens")] if house_rules.target_tokens else ()
        pilot = fighter.definition if fighter.kind == PILOT else None
        sides.append(
            {
                "id": side,
                "name": claims[fighter.key].stable.name,
                "units": [{"id": f"{side}-1", "unit": unit, "pilot": pilot, "gear": [], "clicks": 0}],
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
    bots = {side: claims[fighter.key].stable.bot for side, fighter in zip(SIDES, fighters, strict=False)}
    seats = [Seat(side, bot=bot) for side, bot in bots.items()]
    seed = season_seed(season, "sudden death match", place)
    match = create_match(setup, seed, f"season:{season.pk}:title:{kind}", seats)
    return match, bots, {side: fighter.key for side, fighter in zip(SIDES, fighters, strict=False)}


def play_with_bots(match: Match, bots: dict[str, str]) -> Match:
    """Let bots play a sudden death match to its end."""
    return resolve_with_bots(match.pk, bots)


@transaction.atomic
def finish_season(*, season_id: int) -> None:
    """Close the season once both titles are held; a closed one is left as it is."""
    season = lock_season(season_id)
    if season.state == Season.State.SUDDEN_DEATH:
        season.state = Season.State.FINISHED
        season.save(update_fields=["state"])
