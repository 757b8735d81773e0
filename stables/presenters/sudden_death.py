"""The part of a season's page about its open sudden death: who is tied, who is there, and what tied owners may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from matches.host import Surroundings
from matches.models import Match
from stables.models import Asset, Season, Stable, SuddenDeath, Title
from stables.services.standings.sudden_death_ends import is_begun, stables_of
from stables.services.standings.sudden_death_match import able_fighters
from stables.services.standings.sudden_deaths import OWNER, present_in, takes_last_call
from web.crumbs import Link


def sudden_death_view(season: Season, mine: Stable | None) -> dict[str, Any] | None:
    """Return what the page shows of the open sudden death, None without one; at most 4 queries, none before it."""
    if season.state != Season.State.SUDDEN_DEATH:
        return None
    row = SuddenDeath.objects.filter(season=season, decided_at=None).select_related("match").order_by("kind").first()
    if row is None:
        return None
    stables = stables_of(row)
    there = present_in(row, stables)
    lines = [
        {
            "stable": stables[each["stable"]],
            "names": each["names"] if row.kind == Title.Kind.PILOT or each["asset"] else "",
            "is_there": each["claim"] in there,
        }
        for each in row.contenders
    ]
    own = [each for each in row.contenders if mine is not None and each["stable"] == mine.number]
    return {
        "row": row,
        "lines": lines,
        "is_begun": is_begun(row),
        "takes_last_call": takes_last_call(row, timezone.now()),
        "mine": mine if own and not is_begun(row) else None,
        "is_here": any(each["claim"] in row.appeared for each in own),
        "choices": _choices(season, mine, row, {each["asset"] for each in own}) if own and mine is not None else [],
        "chosen": _chosen(row, own),
        "is_played_by_owner": any(each["plays"] == OWNER for each in own),
    }


def _chosen(row: SuddenDeath, own: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the code of the asset that a tied stable has chosen to fight for it, None before it has chosen."""
    if row.kind == Title.Kind.STABLE:
        return next((each["asset"] for each in own), None)
    return next((each["asset"] for each in own if each.get("is_own")), None)


def _choices(season: Season, mine: Stable, row: SuddenDeath, codes: set[Any]) -> list[Asset]:
    if row.kind == Title.Kind.STABLE:
        return able_fighters(season, mine)
    return [asset for asset in mine.assets.order_by("id") if asset.code in codes]


def surroundings_of_sudden_death(match: Match, home: Link) -> Surroundings | None:
    """Return season, title and stables of a sudden death match, which banks nothing (Q-169); 2 queries.

    None for any other match.
    """
    row = SuddenDeath.objects.select_related("season").defer("season__secret").filter(match=match).first()
    if row is None:
        return None
    stables = stables_of(row)
    fighting = [each for each in row.contenders if each["side"]]
    for stable in stables.values():
        stable.season = row.season
    links = {
        each["side"]: Link(stables[each["stable"]].name, stables[each["stable"]].get_absolute_url())
        for each in fighting
    }
    return Surroundings(
        kept=dict.fromkeys(links, 0),
        crumbs=(home, Link(row.season.name, row.season.get_absolute_url())),
        sides=links,
        people=frozenset(each["side"] for each in fighting if stables[each["stable"]].owner_id is not None),
        owners={each["side"]: {stables[each["stable"]].name: stables[each["stable"]].owner_id} for each in fighting},
        subtitle=_("Sudden death for the title “%(title)s”; it counts for nothing else")
        % {"title": row.get_kind_display()},
    )
