"""Until when the acts that notices of seasons ask for are due by now (people.services.acts).

Days off, a pause and organisers move deadlines, and people agree on other dates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from people.models import Notice
from stables.models import Cycle, Fixture, NoShowClaim, Season, SuddenDeath
from stables.selectors.notices.places import place_in

Due = Mapping[int, datetime | None]


def _date_of(fixture: Fixture) -> datetime | None:
    return fixture.scheduled_at or fixture.play_due_at


def _next_of(fixture: Fixture) -> datetime | None:
    return fixture.line_ups_due_at if fixture.state == Fixture.State.LINE_UPS else _date_of(fixture)


TIMES: Mapping[str, Callable[[Fixture], datetime | None]] = {
    **dict.fromkeys(
        ("line_up_due", "reminder_line_up", "fixture_line_up_reopened"), lambda fixture: fixture.line_ups_due_at
    ),
    **dict.fromkeys(("match_ready", "reminder_match"), _date_of),
    **dict.fromkeys(("report_names_you", "report_reminder"), lambda fixture: fixture.confirm_due_at),
    "report_due": lambda fixture: fixture.round.confirm_due_at,
    "match_near": lambda fixture: fixture.scheduled_at,
    "stand_in_yours": _next_of,
}
"""Code of a notice of a match -> the time of this match until which it asks for its act."""

READ = (
    *("number", "state", "scheduled_at", "confirm_due_at", "excused_until"),
    *("round__number", "round__line_ups_due_at", "round__play_due_at", "round__confirm_due_at"),
    *("round__cycle__number", "round__cycle__season__slug"),
)
"""The columns of matches that TIMES and the places of notices need."""


def due_in_matches(notices: Sequence[Notice]) -> Due:
    """Return the deadlines of notices of matches; nothing for other notices and settled matches; two queries at most.

    A call for a line-up leads to the stable, and names its match by numbers.
    """
    places = {
        notice.pk: place_in(notice) for notice in notices if notice.code in TIMES and "until" not in notice.parameters
    }
    ids = {place.get("fixture_id") for place in places.values()} - {None}
    called_for = [each for each in notices if each.pk in places and "fixture_id" not in places[each.pk]]
    running = Fixture.objects.exclude(state=Fixture.State.SETTLED)
    running = running.filter(round__cycle__season__state=Season.State.RUNNING)
    # Numbers of several rounds may meet in one that no notice names: a few matches too many, but one query.
    of_calls = Q(
        round__cycle__season__slug__in={places[each.pk].get("season_slug") for each in called_for} - {None},
        round__cycle__number__in={each.parameters.get("cycle") for each in called_for} - {None},
        round__number__in={each.parameters.get("round") for each in called_for} - {None},
        number__in={each.parameters.get("match") for each in called_for} - {None},
    )
    asked = running.filter(Q(pk__in=ids) | of_calls)
    listed = asked.select_related("round__cycle__season").only(*READ) if places else []
    known: dict[object, Fixture] = {}
    for fixture in listed:
        called = fixture.round
        known[fixture.pk] = fixture
        known[called.cycle.season.slug, called.cycle.number, called.number, fixture.number] = fixture
    found: dict[int, datetime | None] = {}
    for notice in notices:
        place, said = places.get(notice.pk), notice.parameters
        if place is not None:
            numbers = (said.get("cycle"), said.get("round"), said.get("match"))
            match = known.get(place.get("fixture_id") or (place.get("season_slug"), *numbers))
            if match is not None:
                found[notice.pk] = TIMES[notice.code](match)
    return {**found, **_due_by_claims(notices)}


def _due_by_claims(notices: Sequence[Notice]) -> Due:
    fixture_of = {each.pk: place_in(each).get("fixture_id") for each in notices if each.code == "no_show_claimed"}
    if not fixture_of:
        return {}
    claims = NoShowClaim.objects.filter(fixture__in=set(fixture_of.values()) - {None}).exclude(new_date=None)
    dates = dict(claims.values_list("fixture", "new_date"))
    return {pk: dates[fixture] for pk, fixture in fixture_of.items() if fixture in dates}


def due_in_markets(notices: Sequence[Notice]) -> Due:
    """Return when the markets of notices close; one query."""
    return _due_in(notices, "cycle", Cycle.objects.filter(state=Cycle.State.MARKET), "number", "market_closes_at")


def due_in_sudden_deaths(notices: Sequence[Notice]) -> Due:
    """Return the dates of the sudden deaths of notices; one query."""
    return _due_in(notices, "title", SuddenDeath.objects.filter(decided_at=None), "kind", "due_at")


def _due_in(notices: Sequence[Notice], parameter: str, rows: QuerySet[Any], key: str, due: str) -> Due:
    """Return the time in the field `due` of the row of each notice's season whose `key` the notice names."""
    places = {notice.pk: (place_in(notice).get("season_slug"), notice.parameters.get(parameter)) for notice in notices}
    found = rows.filter(season__slug__in={slug for slug, _ in places.values()})
    times = {(slug, named): at for slug, named, at in found.values_list("season__slug", key, due)}
    return {pk: times[place] for pk, place in places.items() if place in times}
