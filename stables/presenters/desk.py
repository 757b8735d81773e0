"""The desk of a person: what waits for them in their seasons, and what is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from matches.models import Match
from matches.selectors.matches import open_matches_of
from matches.selectors.sides import opponents_in
from people.selectors import unread_count
from people.services.guests import may_become_account
from rules.campaign.states import IN_PLAY, OPEN
from stables.models import Cycle, Fixture, FixtureSide, Season, SeasonRole, Stable, Title
from stables.presenters.report_tasks import awaited
from stables.presenters.season_parts import fixture_view, fixtures
from stables.presenters.waiting import Task, market_task, match_task, proposal_task, ruling_task
from stables.selectors.access import listed_seasons
from stables.selectors.entrants import entering
from stables.selectors.leaders import HEAVY
from stables.selectors.offices import ORGANISERS
from stables.selectors.proposals import may_be_asked, open_proposals_of
from stables.selectors.reports import Reported, reported_in
from stables.text import names as words

SEASONS_SHOWN = 60
RESULTS_SHOWN = 6
TITLES_SHOWN = 4
UNFINISHED = (*OPEN, Season.State.SUDDEN_DEATH, Season.State.PROVISIONAL)


@dataclass(frozen=True)
class Line:
    """A season in the list, the name of its class, and the reader's own stable in it, None without one."""

    season: Any
    class_name: str | Promise
    mine: Stable | None


@dataclass(frozen=True)
class Waiting:
    """Something that one of the reader's seasons waits for; `stable` is None for the decision of an office."""

    season: Season
    stable: Stable | None
    task: Task


@dataclass(frozen=True)
class Office:
    """A season that the reader helps to run, and their office: organiser, co_organiser or referee.

    `waiting` counts the people on its waiting list, for organisers.
    """

    season: Season
    office: str
    waiting: int = 0

    @property
    def label(self) -> str | Promise:
        return _("organiser") if self.office == "organiser" else SeasonRole.Role(self.office).label

    @property
    def has_console(self) -> bool:
        return self.office in ORGANISERS


def landing(user: Any) -> dict[str, Any]:
    lines = _lines(user, {})
    running = next((line.season for line in lines if line.season.state in IN_PLAY), None)
    return {
        "listed": lines,
        "running": running,
        "numbers": _numbers(user),
        "results": _newest_results(user),
        "titles": _newest_titles(user),
    }


def desk(user: Any) -> dict[str, Any]:
    """Return the context of the desk: what waits for a person, their offices, their open matches and their seasons."""
    stables = Stable.objects.filter(owner=user).annotate(may_be_asked=may_be_asked())
    own: list[Stable] = [*stables.select_related("season").prefetch_related("skipped").order_by("-id")]
    lines = _lines(user, {stable.season_id: stable for stable in own})
    offices = offices_of(user)
    playing = {stable.pk: stable for stable in own if stable.left_in_cycle is None and stable.season.state in OPEN}
    seasons = {*(each.season_id for each in playing.values()), *(each.season.pk for each in offices)}
    reported = reported_in(seasons, stand_in=user)
    playing_on = open_matches_of(user)
    return {
        "listed": lines,
        "waiting": [*_rulings(user, offices, reported), *_waiting(user, playing, reported)],
        "awaited": _awaited(user, playing, reported),
        "offices": offices,
        "open_matches": playing_on,
        "named_matches": [(match, opponents_in(match)) for match in playing_on],
        "unread": unread_count(user),
        "to_join": [line.season for line in lines if line.season.state == Season.State.RECRUITING and not line.mine],
        "has_stable": bool(own),
        "may_become_account": not own and may_become_account(user),
    }


# Seasons -------------------------------------------------------------------------------------------------------------


def _lines(user: Any, mine: dict[int, Stable]) -> list[Line]:
    """Return the newest SEASONS_SHOWN seasons on the reader's list, each with their stable in `mine`; one query."""
    seasons = (
        listed_seasons(user)
        .annotate(
            stable_count=Count("stables", filter=Q(stables__removed_at=None), distinct=True),
            cycle_number=Max("cycles__number"),
        )
        .defer("secret")
        # A query that groups ignores the model's own order, so name it here.
        .order_by("-pk")[:SEASONS_SHOWN]
    )
    return [
        Line(season, words.word(words.CLASSES, season.rules.season_class), mine.get(season.pk)) for season in seasons
    ]


def _numbers(user: Any) -> dict[str, int]:
    """Return the numbers of listed seasons in play and recruiting, of their stables, and of all finished matches.

    Three queries.
    """
    seasons = listed_seasons(user).aggregate(
        running=Count("pk", filter=Q(state__in=IN_PLAY), distinct=True),
        recruiting=Count("pk", filter=Q(state=Season.State.RECRUITING), distinct=True),
    )
    return {
        **seasons,
        "stables": Stable.objects.filter(season__in=listed_seasons(user).values("pk")).count(),
        "matches": Match.objects.filter(state=Match.State.FINISHED).count(),
    }


def _newest_results(user: Any) -> list[dict[str, Any]]:
    """Return the newest RESULTS_SHOWN settled matches of listed seasons; three queries."""
    found: QuerySet[Fixture] = (
        fixtures()
        .filter(
            kind=Fixture.Kind.MATCH,
            result__isnull=False,
            round__cycle__season__in=listed_seasons(user).values("pk"),
        )
        .select_related("round__cycle__season")
        .defer(*HEAVY, "round__cycle__season__secret", "round__cycle__season__settings")
        .order_by("-result__id")[:RESULTS_SHOWN]
    )
    return [{**fixture_view(fixture, ""), "season": fixture.round.cycle.season} for fixture in found]


def _newest_titles(user: Any) -> list[Title]:
    """Return TITLES_SHOWN titles of listed, finished seasons, from the newest seasons; one query."""
    titles = (
        Title.objects.filter(season__in=listed_seasons(user).filter(state=Season.State.FINISHED).values("pk"))
        .select_related("season", "stable__identity", "asset")
        .defer("season__secret", "season__settings", "season__calendar")
        .order_by("-season_id", "kind", "id")[:TITLES_SHOWN]
    )
    for title in titles:
        title.stable.season = title.season
    return list(titles)


# What waits ----------------------------------------------------------------------------------------------------------


def offices_of(user: Any) -> list[Office]:
    """Return the newest SEASONS_SHOWN unfinished seasons that the reader helps to run; one query."""
    roles = SeasonRole.objects.filter(season=OuterRef("pk"), user=user).values("role")[:1]
    seasons = (
        Season.objects.filter(state__in=UNFINISHED)
        .annotate(office=Subquery(roles), waiting_people=Count("waiting"))
        .filter(Q(organiser=user) | Q(office__isnull=False))
        .defer("secret")
        .order_by("-pk")[:SEASONS_SHOWN]
    )
    return [
        Office(each, "organiser" if each.organiser_id == user.pk else each.office, each.waiting_people)
        for each in seasons
    ]


def _rulings(user: Any, offices: list[Office], reported: dict[int, Reported]) -> list[Waiting]:
    """Return the disputed results that the reader may decide; no query."""
    found = []
    for each in offices:
        for reported_match in reported.values():
            if reported_match.fixture.round.cycle.season_id == each.season.pk:
                task = ruling_task(each.season, reported_match, each.office, user.pk)
                found += [Waiting(each.season, None, task)] if task is not None else []
    return found


def _awaited(user: Any, playing: dict[int, Stable], reported: dict[int, Reported]) -> list[Waiting]:
    """Return the reports of the reader's sides, own or as a stand-in, that wait for others; no query."""
    found = []
    for reported_match in reported.values():
        for side in reported_match.sides:
            mine = side.stable if side.stand_in_id == user.pk else playing.get(side.stable_id)
            sentence = awaited(reported_match, mine) if mine is not None else None
            if mine is not None and sentence is not None:
                season = reported_match.fixture.round.cycle.season
                address = reverse("stables:fixture", args=[season.slug, reported_match.fixture.pk])
                found.append(Waiting(season, mine, Task(sentence, address)))
    return found


def _waiting(user: Any, playing: dict[int, Stable], reported: dict[int, Reported]) -> list[Waiting]:
    """Return what the reader has to do for their stables and as a stand-in, the newest season first; three queries."""
    seasons = {stable.season_id for stable in playing.values()}
    states = (Cycle.State.MARKET, Cycle.State.ROUNDS)
    cycles = {
        cycle.season_id: cycle
        for cycle in Cycle.objects.filter(season__in=seasons, state__in=states).order_by("number")
    }
    own = Q(stable__in=playing, fixture__round__cycle__in=[cycle.pk for cycle in cycles.values()])
    for_others = Q(stand_in=user, forfeits="", stable__season__state=Season.State.RUNNING)
    sides = (
        FixtureSide.objects.filter(own | for_others)
        .exclude(fixture__state=Fixture.State.SETTLED)
        .select_related("fixture__round", "line_up", "stable__season")
        .defer("stable__season__secret")
        .order_by("fixture__round", "fixture__number", "id")
    )
    stood_in: list[Waiting] = []
    tasks: dict[int, list[Task | None]] = {}
    for side in sides:
        if side.stable_id not in playing:
            stable = side.stable
            task = match_task(stable.season, stable, side, reported.get(side.fixture_id), stands_in=True)
            stood_in += [Waiting(stable.season, stable, task)] if task is not None else []
            continue
        stable = playing[side.stable_id]
        tasks.setdefault(stable.pk, []).append(match_task(stable.season, stable, side, reported.get(side.fixture_id)))
    # The annotation of `desk`: one query less while nobody asks them anything.
    for asked in open_proposals_of(pk for pk, stable in playing.items() if getattr(stable, "may_be_asked", True)):
        stable = playing[asked.stable_id]
        tasks.setdefault(stable.pk, []).append(proposal_task(stable.season, asked))
    for stable in playing.values():
        cycle = cycles.get(stable.season_id)
        if cycle is not None and cycle.state == Cycle.State.MARKET and entering([stable], cycle.number):
            tasks.setdefault(stable.pk, []).append(market_task(stable.season, stable, cycle))
    return stood_in + [
        Waiting(stable.season, stable, task)
        for stable in playing.values()
        for task in tasks.get(stable.pk, ())
        if task is not None
    ]
