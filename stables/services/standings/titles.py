"""The champions of a season: a single leader at once, tied ones by a sudden death match that counts for nothing else.

R-CYC-08, R-CYC-09, R-SUD-01..05; Q-141, Q-159, Q-164, Q-169.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Sum

from matches.models import Match
from matches.services.matches import resolve_with_bots
from people.services.accounts import notify
from rules.campaign.standings.places import Record, leaders
from rules.campaign.standings.titles import decide
from rules.campaign.states import SEASON
from stables.models import Asset, ReputationEntry, Season, Stable, SuddenDeath, Title
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.standings import sudden_deaths
from stables.services.standings.sudden_death_match import ORDER, able_fighters, contender_of
from stables.services.standings.sudden_deaths import Entrant, Play


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


def award(*, season_id: int, kind: str, play: Play, now: datetime | None = None) -> list[int] | None:
    """Write the holders of a title, once; return the ids of its rows, or None while a sudden death waits for people.

    The list is empty if there is no candidate. `play` plays the match of a sudden death. Call it outside transactions.
    """
    season = Season.objects.select_related("release").get(pk=season_id)
    known = list(season.titles.filter(kind=kind).values_list("pk", flat=True))
    if known:
        return known
    claims = claims_of(season, kind)
    tied = leaders(Record(claim.key, claim.reputation, claim.kills) for claim in claims)
    best = [claim for claim in claims if claim.key in tied]
    begun = SuddenDeath.objects.filter(season=season, kind=kind).first()
    if begun is None or not sudden_deaths.is_begun(begun):
        if len(best) <= 1:
            return _write(season, kind, best, parted_by(best, claims), None)
        entrants = _entrants(season, kind, best)
        decision = decide([contender_of(season, entrant.key, entrant.asset) for entrant in entrants])
        if not decision.fighters:
            holders = [claim for claim in best if claim.key in decision.holders] or best
            how = Title.Decision.APPEARANCE if len(holders) == 1 else Title.Decision.SHARED
            return _write(season, kind, holders, how, None)
        alive = {fighter.key for fighter in decision.fighters}
        fighting = [entrant for entrant in entrants if entrant.key in alive]
        begun = sudden_deaths.call(season_id=season_id, kind=kind, entrants=fighting, now=now)
    outcome = sudden_deaths.conclude(sudden_death_id=begun.pk, play=play, now=now)
    if outcome is None:
        return None
    holders = [claim for claim in claims if claim.key in outcome.holders]
    return _write(season, kind, holders, outcome.decided_by, outcome.match)


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
    sudden_deaths.mark_decided(season, kind)
    for title in made:
        values = {"title": title.get_kind_display(), "holder": _holder(title), "how": title.get_decided_by_display()}
        record(season, "title_held", values)
    return [title.pk for title in made]


def _holder(title: Title) -> str:
    return title.stable.name if title.asset is None else f"{title.asset.label} ({title.stable.name})"


def play_with_bots(match: Match, bots: dict[str, str]) -> Match:
    """Let bots play a sudden death match to its end."""
    return resolve_with_bots(match.pk, bots)


@transaction.atomic
def finish_season(*, season_id: int) -> None:
    """Finish a season that decides its titles, and notify the owners; any other season is left as it is.

    Whether both titles are held is not checked.
    """
    season = lock_season(season_id)
    if not SEASON.may("finish", season.state):
        return
    season.state = SEASON.next_state("finish", season.state)
    season.save(update_fields=["state"])
    record(season, "season_finished")
    held: dict[str, list[str]] = {kind: [] for kind in ORDER}
    for title in season.titles.select_related("stable", "asset"):
        held[title.kind].append(_holder(title))
    parameters: dict[str, Any] = {"season": season.name, **{kind: names or "–" for kind, names in held.items()}}
    owners = [stable.owner for stable in season.stables.exclude(owner=None).select_related("owner")]
    notify([owner for owner in owners if owner is not None], "season_finished", parameters, season.get_absolute_url())
