"""The one place that decides who may see a season, and which seasons a list shows.

Everybody sees a public season, and lists show it. Everybody who knows the address sees an unlisted season, and lists
show it to people who take part in it. Only people who take part see a private one. These are the organiser, helpers of
either role, owners of stables (even after they withdrew), accounts of programs that hold or are proposed for a seat,
and people who stand in for an owner, until the match is over. Staff who may read seasons in the admin may also open the
pages, to help; their lists show only seasons in which they take part, and public ones. Only its organisers see a draft,
and no list shows it.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from stables.models import ExternalSeat, FixtureSide, Season, SeasonRole, Stable
from stables.selectors.standing_in import stands_in
from web.languages.words import contains


def takes_part(user: Any) -> Q:
    """Return the condition on Season that a person takes part in it; no season fits a person who is not logged in."""
    if not getattr(user, "is_authenticated", False):
        return Q(pk__in=[])
    season = OuterRef("pk")
    seats = ExternalSeat.objects.filter(stable__season=season, user=user.pk, ended_at=None)
    return (
        Q(organiser=user.pk)
        | Q(Exists(Stable.objects.filter(season=season, owner=user.pk)))
        | Q(Exists(SeasonRole.objects.filter(season=season, user=user.pk)))
        | Q(Exists(seats))
        | Q(Exists(FixtureSide.objects.filter(stands_in(user, season))))
    )


def organises_it(user: Any) -> Q:
    """Return the condition on Season that a person is its organiser or a co-organiser.

    No season fits a person who is not logged in.
    """
    if not getattr(user, "is_authenticated", False):
        return Q(pk__in=[])
    helpers = SeasonRole.objects.filter(season=OuterRef("pk"), user=user.pk, role=SeasonRole.Role.CO_ORGANISER)
    return Q(organiser=user.pk) | Q(Exists(helpers))


def visible_seasons(user: Any) -> QuerySet[Season]:
    """Return the seasons whose pages a person may open; one query when it is read, at most two more for staff.

    Only its organisers may open a draft; staff may not.
    """
    is_published = ~Q(state=Season.State.DRAFT)
    if getattr(user, "is_staff", False) and user.has_perm("stables.view_season"):
        return Season.objects.filter(is_published | organises_it(user))
    is_open = is_published & (~Q(visibility=Season.Visibility.PRIVATE) | takes_part(user))
    return Season.objects.filter(is_open | organises_it(user))


def listed_seasons(user: Any) -> QuerySet[Season]:
    """Return the seasons that a list may show to a person: public ones, and those they take part in; no drafts."""
    listed = Season.objects.filter(Q(visibility=Season.Visibility.PUBLIC) | takes_part(user))
    return listed.exclude(state=Season.State.DRAFT)


def named(seasons: QuerySet[Season], question: str) -> QuerySet[Season]:
    """Return the seasons of a query whose names have every word of a search, as all searches compare words.

    One query for their names, none for an empty search.
    """
    if not question.strip():
        return seasons
    names = seasons.order_by().values_list("pk", "name")
    return seasons.filter(pk__in=[pk for pk, name in names if contains(name, question)])


def is_open_to_all(season: Season) -> bool:
    """Return whether everybody who knows the address of a season may open its pages, logged in or not; no query."""
    return season.visibility != Season.Visibility.PRIVATE and season.state != Season.State.DRAFT


def may_see(user: Any, season: Season) -> bool:
    """Return whether a person may open the pages of a season.

    There is no query unless the season is private or a draft; then there is one, and at most two more for staff.
    """
    return is_open_to_all(season) or visible_seasons(user).filter(pk=season.pk).exists()


def season_at(user: Any, slug: str, *, alone: bool = False) -> Season | None:
    """Return the season at an address; None if there is none or the person may not open it.

    Release and organiser are fetched too unless `alone`. One query, and those of `may_see`. A single query for all
    that a person may see would take twice the time.
    """
    seasons = Season.objects.all() if alone else Season.objects.select_related("release", "organiser")
    found = next(iter(seasons.filter(slug=slug).order_by()), None)
    return found if found is None or may_see(user, found) else None


def hidden_from(user: Any, in_lists: bool) -> Any:
    """Return the addresses of the seasons that are hidden from a person, as a subquery, for the catalogue.

    With `in_lists` they are those that lists do not show, otherwise those whose pages the person may not open.
    """
    shown = listed_seasons(user) if in_lists else visible_seasons(user)
    return Season.objects.exclude(pk__in=shown.values("pk")).values("slug")
