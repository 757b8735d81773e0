"""The end of a sudden death: its outcome, and what a corrected result makes of it.

A correction may make a sudden death needless, or another one needed (docs/decisions.md). An open one between other
candidates is called off. An outcome stays in its row, and counts whenever the same candidates are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.services.matches import close
from people.services.accounts import notify
from rules.campaign.standings.titles import holders_still
from stables.models import Asset, Season, Stable, SuddenDeath, Title
from stables.services.base.log import record
from stables.services.standings.sudden_death_match import able_fighters


@dataclass(frozen=True)
class Entrant:
    """A tied claim: its key, the stable, and the individual that fights for it unless its owner names another."""

    key: str
    stable: Stable
    asset: Asset


def lock(sudden_death_id: int) -> SuddenDeath | None:
    """Return a sudden death with its season and match, its row locked; None if it was called off before it began."""
    rows = SuddenDeath.objects.select_for_update(of=("self",)).select_related("season__release", "match")
    return rows.filter(pk=sudden_death_id).first()


def stables_of(row: SuddenDeath) -> dict[int, Stable]:
    """Return the tied stables by their numbers; one query."""
    numbers = {each["stable"] for each in row.contenders}
    found = Stable.objects.filter(season=row.season_id, number__in=numbers).select_related("owner", "season")
    return {stable.number: stable for stable in found}


def is_begun(row: SuddenDeath) -> bool:
    """Return whether it is settled who fights in a sudden death."""
    return any(each["side"] for each in row.contenders)


@transaction.atomic
def end(sudden_death_id: int, holders: Sequence[str], how: str, now: datetime) -> None:
    """Store who holds a title by a sudden death, once; one that was called off stays so."""
    row = lock(sudden_death_id)
    if row is not None and row.decided_at is None:
        row.holders, row.decided_by, row.decided_at = list(holders), how, now
        row.save(update_fields=["holders", "decided_by", "decided_at"])
        stables = stables_of(row)
        names = [
            f"{each['names']} ({stables[each['stable']].name})"
            if row.kind == Title.Kind.PILOT
            else stables[each["stable"]].name
            for each in row.contenders
            if each["claim"] in holders
        ]
        values = {"title": row.kind, "holders": ", ".join(names)}
        record(row.season, "sudden_death_decided", values)


def outcome_between(season: Season, kind: str, tied: Sequence[str]) -> tuple[SuddenDeath, tuple[str, ...]] | None:
    """Return the newest sudden death whose outcome counts between the tied, and who of them hold the title by it.

    None if none counts. One query.
    """
    ended = SuddenDeath.objects.filter(season=season, kind=kind, decided_at__isnull=False).select_related("match")
    for row in ended.defer("match__setup", "match__seed", "match__result").order_by("-id"):
        holders = holders_still([each["claim"] for each in row.contenders], row.holders, tied)
        if holders:
            return row, holders
    return None


@transaction.atomic
def call_off(season: Season, kind: str, entrants: Sequence[Entrant], now: datetime | None = None) -> SuddenDeath | None:
    """Call off the open sudden death of a title unless it is between these claims, and return it if it is.

    Without `entrants` nobody fights for the title. A match that was begun is closed and stays to be looked at. The
    owners get a notice. Call it with the season locked.
    """
    open_rows = SuddenDeath.objects.select_for_update(of=("self",)).filter(season=season, kind=kind, decided_at=None)
    row = open_rows.first()
    if row is None:
        return None
    keys = sorted(each["claim"] for each in row.contenders)
    if keys == sorted(entrant.key for entrant in entrants) and _all_may_fight(row, season, entrants):
        return row
    owners = [stable.owner for stable in stables_of(row).values() if stable.owner]
    if is_begun(row):
        row.decided_at = now or timezone.now()
        row.save(update_fields=["decided_at"])
        if row.match_id is not None:
            close(row.match_id, row.decided_at)
    else:
        row.delete()
    record(season, "sudden_death_off", {"title": row.kind})
    people: dict[int, Any] = {owner.pk: owner for owner in owners}
    notify(people.values(), "sudden_death_off", {"season": season.name, "title": row.kind}, season.get_absolute_url())
    return None


def _all_may_fight(row: SuddenDeath, season: Season, entrants: Sequence[Entrant]) -> bool:
    """Return whether every fighter that tied stables have named may still fight: a correction may bring a death."""
    if row.kind == Title.Kind.PILOT:
        return True
    named = {each["stable"]: each["asset"] for each in row.contenders if each["asset"] is not None}
    stables = {entrant.stable.number: entrant.stable for entrant in entrants}
    return all(
        code in {asset.code for asset in able_fighters(season, stables[number])} for number, code in named.items()
    )
