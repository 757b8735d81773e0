"""Permissions for the room of matches: who may watch a match, who played it, who keeps order."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.urls import reverse

from matches.host import MatchPermissions
from matches.models import Match
from matches.services.finished.write_ups import WriteUps, write_ups_of
from rules.core.digits import whole_number
from stables.models import Fixture, FixtureSide, Season
from stables.selectors.access import may_see
from stables.selectors.offices import organises
from stables.selectors.webhooks.documents import language_of
from web.crumbs import Link

FIXTURE = "fixture"
SEASON = "season"
"""With FIXTURE, the first parts of the keys of matches: `fixture:4`, and `season:2:title:pilot` for a sudden death."""


def permissions_in_a_season(subject: str, user: Any) -> MatchPermissions | None:
    """Return a user's permissions by the fixture of a match, or by the season of a sudden death.

    None for any other subject, and for a fixture or season that does not exist. At most five queries.
    """
    kind, _, rest = subject.partition(":")
    digits = rest.partition(":")[0]
    number = whole_number(digits)
    if number is None:
        return None
    if kind == FIXTURE and rest == digits:
        return _permissions_in_a_fixture(number, user)
    if kind == SEASON:
        needed = ("organiser", "organiser__language", "language", "visibility", "name", "slug")
        season = Season.objects.select_related("organiser").only(*needed).filter(pk=number).first()
        if season is not None:
            return _permissions(season, user, name=season.name, url=season.get_absolute_url())
    return None


def _permissions_in_a_fixture(number: int, user: Any) -> MatchPermissions | None:
    sides = FixtureSide.objects.select_related("stable").order_by("id")
    fixture = (
        Fixture.objects.select_related("round__cycle__season__organiser", "match")
        .prefetch_related(Prefetch("sides", queryset=sides))
        .defer("match__setup", "match__result", "round__cycle__season__settings", "round__cycle__season__secret")
        .filter(pk=number)
        .first()
    )
    if fixture is None:
        return None
    season = fixture.round.cycle.season
    stables = [side.stable for side in fixture.sides.all()]
    return _permissions(
        season,
        user,
        plays=_plays(fixture, user),
        is_over=_is_over(fixture),
        name=" – ".join(stable.name for stable in stables),
        url=reverse("stables:fixture", args=[season.slug, fixture.pk]),
    )


def _plays(fixture: Fixture, user: Any) -> bool:
    """Return whether the user owns one of the fixture's stables. Fetch the fixture with its sides and their stables."""
    return user.is_authenticated and any(side.stable.owner_id == user.pk for side in fixture.sides.all())


def _is_over(fixture: Fixture) -> bool:
    """Return whether the fixture is settled or its match has ended, except for a bye. Fetch it with its match."""
    has_ended = fixture.state == Fixture.State.SETTLED or (fixture.match is not None and fixture.match.is_over)
    return fixture.kind == Fixture.Kind.MATCH and has_ended


def write_ups_of_fixture(fixture: Fixture, user: Any) -> WriteUps:
    """Return the write-ups for the page of a fixture; at most two queries.

    Fetch the fixture with its season, its match, and its sides with their stables.
    """
    may_write = _plays(fixture, user) and _is_over(fixture)
    return write_ups_of(f"{FIXTURE}:{fixture.pk}", user, may_write, organises(user, fixture.round.cycle.season))


def _permissions(season: Season, user: Any, **facts: Any) -> MatchPermissions:
    return MatchPermissions(
        may_see=may_see(user, season),
        is_open=season.visibility == Season.Visibility.PUBLIC,
        keeps_order=organises(user, season),
        language=language_of(season),
        **facts,
    )


def neighbours(match: Match, season: Season) -> tuple[Link | None, Link | None]:
    """Return links to the matches before and after one in the order of the season's rounds; one query.

    A link is None if there is no such match. Both are None for a match that belongs to no fixture.
    """
    order = ("round__cycle__number", "round__number", "number")
    listed = Fixture.objects.filter(round__cycle__season=season, match__isnull=False).order_by(*order)
    rows = list(listed.values_list("match__public_id", *order))
    place = next((number for number, row in enumerate(rows) if row[0] == match.public_id), None)
    if place is None:
        return None, None
    before = rows[place - 1] if place > 0 else None
    after = rows[place + 1] if place + 1 < len(rows) else None
    return _link(before), _link(after)


def _link(row: Any) -> Link | None:
    return None if row is None else Link(f"{row[1]}/{row[2]}/{row[3]}", reverse("matches:show", args=[row[0]]))
