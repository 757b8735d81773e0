"""The report for an owner who comes back: at most five sentences on the newest round, until they have read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Max, Q
from django.utils.translation import gettext as _

from stables.models import Cycle, LogEntry, Season, Stable
from stables.presenters.news.facts import RoundFacts, rounds_of
from stables.presenters.news.items import lead, losses, next_cycle, upset
from stables.text.news import news_sentence


@dataclass(frozen=True)
class ArenaReport:
    """The report on a round: a heading, at most five sentences, and the id of the newest line of the log it covers."""

    heading: str
    sentences: tuple[str, ...]
    upto: int


def arena_report(season: Season, cycles: Iterable[Cycle], mine: Stable | None) -> ArenaReport | None:
    """Return the report that the owner of `mine` has not read yet, None when there is none; one query.

    `cycles` come prefetched by season_parts.cycle_parts. The report says only what everybody may see.
    """
    listed = list(cycles)
    rounds = rounds_of(season, listed) if mine is not None else []
    if mine is None or not rounds:
        return None
    newest = rounds[0]
    of_round = Q(fixture__round=newest.round) | Q(cycle=newest.cycle, code="cycle_closed")
    upto = LogEntry.objects.filter(of_round, season=season).aggregate(newest=Max("pk"))["newest"] or 0
    if upto <= mine.seen_log:
        return None
    parts = (
        _own(newest, mine),
        _place(newest, mine) or upset(newest),
        losses(newest),
        lead(newest),
        _next(newest, mine),
    )
    sentences = [part[0] for part in parts if part]
    heading = _("Arena report: cycle {cycle}, round {round}").format(
        cycle=newest.cycle.number, round=newest.round.number
    )
    return ArenaReport(heading, tuple(sentences), upto)


def _place(facts: RoundFacts, mine: Stable) -> list[str]:
    """Return a sentence on the stable's place and purse; [] before the cycle is closed, and without a place."""
    if facts.cycle.state != Cycle.State.CLOSED:
        return []
    own = [placing for placing in facts.cycle.placings.all() if placing.stable_id == mine.pk]
    return [news_sentence("own_place", facts.key, {"place": placing.place, "purse": placing.purse}) for placing in own]


def _next(facts: RoundFacts, mine: Stable) -> list[str]:
    """Return a sentence on what comes after the round, with the owner's capital; [] when nothing comes."""
    if facts.season.state != Season.State.RUNNING:
        return []
    if facts.cycle.state == Cycle.State.CLOSED:
        following = next_cycle(facts.season, facts.cycle)
        if following is None:
            return []
        return [news_sentence("own_market", facts.key, {**following, "capital": mine.capital})]
    if facts.round.number >= (facts.cycle.rounds_planned or 0):
        return []
    return [news_sentence("own_round", facts.key, {"number": facts.round.number + 1, "capital": mine.capital})]


def _own(facts: RoundFacts, mine: Stable) -> list[str]:
    match = facts.own(mine)
    if match is None:
        return [news_sentence("own_none", facts.key)]
    values = {
        "winner": match.winner,
        "losers": match.losers,
        "reputation": match.reputation,
        "against": match.against,
    }
    has_won = match.stables[mine.number]
    if match.by_forfeit:
        return [news_sentence("own_forfeit_won" if has_won else "own_forfeit_lost", facts.key, values)]
    if not has_won and len(match.stables) > 2 and facts.cycle.format == "grand_melee":
        return [news_sentence("own_melee_lost", facts.key, values)]
    return [news_sentence("own_won" if has_won else "own_lost", facts.key, values)]
