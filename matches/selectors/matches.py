"""Reads of matches, each with a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Length
from django.http import Http404
from django.utils import timezone

from matches.host import listed_matches
from matches.models import Match, MatchAction, MatchSeat
from matches.selectors.engines import engine_at
from rules.competition.match import Match as EngineMatch
from rules.core.dice import CONTINUED_SIZES

MOST_LISTED = 12
"""Open matches of a person that a page lists."""

MOST_WATCHED = 20
"""Matches being played that a page lists."""

MOST_FRIENDLY = 200
"""Friendly matches, the newest, among which the list looks for those being played: older ones cost it nothing."""

STILL_PLAYED, SEASON_STILL_PLAYED = timedelta(days=1), timedelta(days=7)
"""How long after its newest step a friendly match and one of a season count as being played."""

ENDED_LATELY = timedelta(days=1)
"""How long after its end a match of a season is still listed with those being played."""


def find_match(public_id: UUID) -> Match:
    """Return the match with its seats and their players (3 queries at most). Raises Http404 for an unknown id."""
    match = Match.objects.prefetch_related("seats__user").filter(public_id=public_id).first()
    if match is None:
        raise Http404
    return match


def sides_of(match: Match, user: Any) -> tuple[str, ...]:
    """Return the sides that `user` plays in a match from `find_match`: none, one, or several at one screen."""
    if not user.is_authenticated:
        return ()
    return tuple(seat.side for seat in match.seats.all() if seat.user_id == user.pk)


def free_seat(match: Match) -> MatchSeat | None:
    """Return the first seat of a friendly match that neither a person nor a bot holds.

    None without such a seat, in matches of seasons and in finished ones. No query if the match's seats were fetched,
    otherwise one.
    """
    if match.fixture_key is not None or match.is_over:
        return None
    return next((seat for seat in match.seats.all() if seat.user_id is None and not seat.bot), None)


def waiting_for_a_rival() -> QuerySet[MatchSeat, Any]:
    """Return the ids of friendly matches with a free seat, finished ones included, as a subquery."""
    return MatchSeat.objects.filter(user__isnull=True, bot="", match__fixture_key__isnull=True).values("match")


def open_matches_of(user: Any) -> list[Match]:
    """Return the newest unfinished matches in which `user` has a seat, MOST_LISTED at most (2 queries).

    Only their public ids, dates, setups and seats with their players are fetched; `opponents_in` names who meets.
    """
    own = MatchSeat.objects.filter(user=user).values("match_id")
    unfinished = Match.objects.filter(pk__in=own).exclude(state__in=Match.OVER)
    seats = Prefetch("seats", queryset=MatchSeat.objects.select_related("user"))
    found = unfinished.only("public_id", "created_at", "setup").prefetch_related(seats)
    return list(found.order_by("-id")[:MOST_LISTED])


def being_played(user: Any) -> list[Match]:
    """Return the matches being played that a list may show a person, those that moved last first, MOST_WATCHED at most.

    These are the friendly matches from `friendly_in_play` that moved within STILL_PLAYED. Of those that the hosts list,
    they are the ones that moved within SEASON_STILL_PLAYED, and those that ended within ENDED_LATELY. Seats come with
    their players, seeds do not (2 queries, and those of the hosts within).
    """
    now = timezone.now()
    ended = Q(state=Match.State.FINISHED, finished_at__gte=now - ENDED_LATELY)
    # The cheap conditions stand first: without them the newest step of every match of the site would be read.
    friendly = Q(pk__in=friendly_in_play()) & Q(moved_at__gte=now - STILL_PLAYED)
    shown = friendly | _hosted(user) & (ended | Q(moved_at__gte=now - SEASON_STILL_PLAYED))
    steps = MatchAction.objects.filter(match=OuterRef("pk"), sequence=OuterRef("last_sequence")).order_by()
    candidates = Match.objects.filter(~Q(state__in=Match.OVER) | ended)
    found = candidates.annotate(moved_at=Subquery(steps.values("created_at"))).filter(shown)
    seats = Prefetch("seats", queryset=MatchSeat.objects.select_related("user"))
    return list(found.order_by("-moved_at", "-id").defer("seed").prefetch_related(seats)[:MOST_WATCHED])


def newest_finished(user: Any) -> Match | None:
    """Return the match of a host that ended last of those that a list may show a person; None without one. One query,
    and those of the hosts within."""
    ended = Match.objects.filter(_hosted(user), state=Match.State.FINISHED).defer("seed", "setup", "result")
    return ended.order_by("-finished_at", "-id").first()


def _hosted(user: Any) -> Q:
    """Return the condition that a host lists a match for a person."""
    shown = Q(pk__in=[])
    for listed in listed_matches(user):
        shown |= Q(pk__in=listed)
    return shown


def friendly_in_play() -> QuerySet[Match, Any]:
    """Return the ids of the newest unfinished friendly matches that are worth watching, as a subquery.

    They are MOST_FRIENDLY at most: without tutorials, matches with a free seat or that go on from another one, and
    matches of one person against bots.
    """
    seats = MatchSeat.objects.filter(match=OuterRef("pk"))
    people = seats.filter(user__isnull=False).order_by().values("match").annotate(number=Count("user", distinct=True))
    found = Match.objects.alias(length=Length("seed")).filter(
        ~Exists(seats.filter(user=None, bot="")),
        ~Exists(seats.exclude(bot="")) | Exists(people.filter(number__gt=1)),
        fixture_key=None,
        is_tutorial=False,
    )
    unfinished = found.exclude(state__in=Match.OVER).exclude(length__in=CONTINUED_SIZES)
    return unfinished.order_by("-pk").values("pk")[:MOST_FRIENDLY]


def events_of(matches: Iterable[Match]) -> dict[int, list[Any]]:
    """Return all events of each of these matches in order, by the match's id; one query, none for no match."""
    ids = [match.pk for match in matches]
    found: dict[int, list[Any]] = {match_id: [] for match_id in ids}
    if ids:
        steps = MatchAction.objects.filter(match__in=ids).order_by("match", "sequence")
        for match_id, events in steps.values_list("match", "events"):
            found[match_id].extend(events)
    return found


def stored_steps(match: Match) -> list[MatchAction]:
    """Return all steps in order, from the opening (sequence 0) on (1 query)."""
    return list(match.actions.order_by("sequence"))


def rebuild(match: Match) -> EngineMatch:
    """Return the engine's match at the last stored step, as the caller's own copy (1 query).

    Raises Malformed or IllegalAction when the present rules cannot play the match again.
    """
    rows = match.actions.filter(sequence__gt=0).order_by("sequence").values_list("action", flat=True)
    actions: list[Any] = list(rows)
    return engine_at(match.public_id, match.setup, bytes(match.seed), actions)


def replay_document(match: Match, steps: list[MatchAction]) -> dict[str, Any]:
    """Return a match as one JSON document for rules.verify; `steps` come from `stored_steps`.

    The document holds the seed: never publish it before the end.
    """
    return {
        "schema": 1,
        "match": str(match.public_id),
        "rules_version": match.rules_version,
        "setup": match.setup,
        "seed": bytes(match.seed).hex(),
        "seed_commitment": match.seed_commitment,
        "actions": [step.action for step in steps[1:]],
        "events": [step.events for step in steps],
        "result": match.result,
    }
