"""Who holds the titles of a season: a single leader, or tied ones by a sudden death that counts for nothing else.

R-CYC-08, R-CYC-09, R-SUD-01..05; Q-141, Q-159, Q-164, Q-169.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from matches.models import Match
from matches.services.matches import resolve_with_bots
from rules.campaign.standings.places import Record, leaders
from rules.campaign.standings.titles import decide
from stables.models import Asset, ReputationEntry, Season, Stable, Title
from stables.services.base.locks import lock_season
from stables.services.results import corrections
from stables.services.standings import sudden_deaths
from stables.services.standings.sudden_death_ends import Entrant, call_off, outcome_between
from stables.services.standings.sudden_death_match import able_fighters, contender_of
from stables.services.standings.sudden_deaths import Play


@dataclass(frozen=True)
class Claim:
    """A candidate for a title: the stable, the individual (None for the stable's title), and the season's totals."""

    stable: Stable
    asset: Asset | None
    reputation: int
    kills: int

    @property
    def key(self) -> str:
        """The name of the candidate in draws and matches: "03" for a stable, "03:unit:SOL002:1" for an individual."""
        number = f"{self.stable.number:02d}"
        return number if self.asset is None else f"{number}:{self.asset.code}"


def claims_of(season: Season, kind: str) -> list[Claim]:
    """Return all candidates for a title, sold and dead ones included (Q-164); two or three queries.

    An individual is one if the reputation book has an entry for it. A stable that withdrew wins no title, and neither
    do its individuals (Q-159).
    """
    stables = {
        stable.pk: stable
        for stable in season.stables.filter(left_in_cycle=None).select_related("owner").order_by("number")
    }
    book = ReputationEntry.objects.filter(stable__in=list(stables)).order_by()
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


@dataclass(frozen=True)
class Holding:
    """A champion: the claim, what decided the title (Title.Decision), and the match of a sudden death, if any."""

    claim: Claim
    decided_by: str
    match: Match | None = None

    @property
    def stable(self) -> Stable:
        """The champion, or the stable of the champion."""
        return self.claim.stable

    @property
    def asset(self) -> Asset | None:
        """The individual that is champion; None for the title of the stables."""
        return self.claim.asset


@dataclass(frozen=True)
class Decided:
    """A title by the books: `holders` have it, or `fighters` are tied and fight for it; the other is empty.

    Both are empty if there is no candidate.
    """

    holders: tuple[Holding, ...] = ()
    fighters: tuple[Entrant, ...] = ()


def decided(season: Season, kind: str) -> Decided:
    """Return who holds a title by the books and the sudden deaths so far; a constant number of queries.

    Tied candidates who could fight share the title in a season for real tables only, because a sudden death is a match
    here. Rows of Title decide if there are any: a season that was here before it could stay open has some.
    """
    claims = claims_of(season, kind)
    written = list(season.titles.filter(kind=kind).select_related("stable", "asset", "match").order_by("id"))
    if written:
        return Decided(tuple(_held(title) for title in written))
    tied = leaders(Record(claim.key, claim.reputation, claim.kills) for claim in claims)
    best = [claim for claim in claims if claim.key in tied]
    if len(best) <= 1:
        how = parted_by(best, claims)
        return Decided(tuple(Holding(claim, how) for claim in best))
    entrants = _entrants(season, kind, best)
    decision = decide([contender_of(season, entrant.key, entrant.asset) for entrant in entrants])
    if not decision.fighters or season.rules.table_only:
        able = decision.holders or [fighter.key for fighter in decision.fighters]
        holders = [claim for claim in best if claim.key in able] or best
        how = Title.Decision.APPEARANCE if len(holders) == 1 else Title.Decision.SHARED
        return Decided(tuple(Holding(claim, how) for claim in holders))
    alive = {fighter.key for fighter in decision.fighters}
    fought = outcome_between(season, kind, [key for key in tied if key in alive])
    if fought is None:
        return Decided(fighters=tuple(entrant for entrant in entrants if entrant.key in alive))
    row, keys = fought
    return Decided(tuple(Holding(claim, row.decided_by, row.match) for claim in best if claim.key in keys))


def register() -> None:
    """Let previews of corrections name the champions by the corrected books."""
    corrections.register(decided)


def _held(title: Title) -> Holding:
    claim = Claim(title.stable, title.asset, title.reputation, title.kills)
    return Holding(claim, title.decided_by, title.match)


def award(*, season_id: int, kind: str, play: Play, now: datetime | None = None) -> tuple[Holding, ...] | None:
    """Decide a title and return its holders, or None while a sudden death waits for people.

    There is no holder if there is no candidate. Nothing is written but the sudden death; the ceremony follows. `play`
    plays its match. Call it outside transactions.
    """
    season = Season.objects.select_related("release").get(pk=season_id)
    found = decided(season, kind)
    if found.fighters:
        begun = sudden_deaths.call(season_id=season_id, kind=kind, entrants=found.fighters, now=now)
        if not sudden_deaths.conclude(sudden_death_id=begun.pk, play=play, now=now):
            return None
        found = decided(season, kind)
    elif season.sudden_deaths.filter(kind=kind, decided_at=None).exists():
        _call_off(season_id, kind, now)
    return None if found.fighters else found.holders


@transaction.atomic
def _call_off(season_id: int, kind: str, now: datetime | None) -> None:
    """Call off the open sudden death of a title that a corrected result decides."""
    season = lock_season(season_id)
    call_off(season, kind, decided(season, kind).fighters, now)


def _entrants(season: Season, kind: str, best: list[Claim]) -> list[Entrant]:
    """Return the tied claims with their fighters: the individual itself, or the best one on a stable's list (Q-169).

    A stable that has nobody who may fight is left out.
    """
    entrants = []
    for claim in best:
        able = [claim.asset] if kind == Title.Kind.PILOT else able_fighters(season, claim.stable)[:1]
        entrants += [Entrant(claim.key, claim.stable, asset) for asset in able if asset is not None]
    return entrants


def parted_by(best: list[Claim], claims: list[Claim]) -> str:
    """Return what sets the single leader apart from the others: Title.Decision.REPUTATION or KILLS."""
    if any(claim.reputation == best[0].reputation for claim in claims if best and claim is not best[0]):
        return Title.Decision.KILLS
    return Title.Decision.REPUTATION


def play_with_bots(match: Match, bots: dict[str, str]) -> Match:
    """Let bots play a sudden death match to its end."""
    return resolve_with_bots(match.pk, bots)
