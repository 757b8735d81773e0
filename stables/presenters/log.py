"""Lines of the season's log in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import BigIntegerField, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, JSONObject
from django.urls import reverse

from rules.campaign.states import FIXTURE, SEASON
from stables.models import FixtureSide, LogEntry, Season
from stables.selectors.offices import organises
from stables.text.log import log_sentence

NEWEST = 8


_TABLE_SET = "fixture_table_set"
_ON_MATCH = ("date_set", "mode_set", "arena_set", "table_set", "given_to_the_ai", "excused")
_ON_CONSOLE: Mapping[str, tuple[str, ...]] = {
    "calendar-heading": ("calendar_changed", "calendar_days_off", "calendar_days_off_dropped"),
    "deadlines-heading": ("deadline_moved",),
    "pause-heading": ("season_paused",),
    "roles-heading": ("role_given_co_organiser", "role_given_referee"),
    "settings-heading": ("settings_announced",),
    "visibility-heading": ("visibility_public", "visibility_unlisted", "visibility_private"),
}
_PLACES: Mapping[str, str] = {code: place for place, codes in _ON_CONSOLE.items() for code in codes}
"""Where on the console an act of an organiser is taken back, by the code of its line."""


@dataclass(frozen=True)
class Line:
    """An entry with its sentence in the reader's language.

    `way_back` is the address of the form by which an organiser takes the act back; "" where there is none.
    """

    entry: LogEntry
    sentence: str
    way_back: str = ""


def with_people(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Return the entries, each annotated with the account that its parameter `person` names; no further query.

    An entry stores only the account's id: an entry never changes, but the name must go when the account does.
    """
    number = Cast(KeyTextTransform("person", OuterRef("parameters")), BigIntegerField())
    people = get_user_model().objects.filter(pk=number)
    named: Any = JSONObject(username="username", left_at="left_at")
    return entries.annotate(person=Subquery(people.values(account=named)[:1], output_field=JSONField()))


def worded(entries: Iterable[LogEntry]) -> list[Line]:
    """Return the entries as lines, in their order. Take entries from `with_people`: they have the accounts' names."""
    return [Line(entry, log_sentence(entry.code, named_parameters(entry))) for entry in entries]


def with_ways_back(lines: Iterable[Line], season: Season, user: Any) -> list[Line]:
    """Return the lines, for an organiser with the ways to take acts back that can be taken back now.

    In a match of their own organisers set nothing but its table. Take entries with their fixtures. At most two queries.
    """
    lines = list(lines)
    ways = [_way_back(line.entry, season) for line in lines]
    if not any(ways) or not organises(user, season):
        return lines
    named = {line.entry.fixture_id for line, way in zip(lines, ways, strict=True) if way} - {None}
    taking_part = FixtureSide.objects.filter(Q(stable__owner=user) | Q(stand_in=user), fixture__in=named)
    own = set(taking_part.values_list("fixture_id", flat=True))
    return [
        replace(line, way_back="" if line.entry.fixture_id in own and line.entry.code != _TABLE_SET else way)
        for line, way in zip(lines, ways, strict=True)
    ]


def _way_back(entry: LogEntry, season: Season) -> str:
    """Return the address of the form that takes an act back; "" for other lines, and when it is too late for it."""
    fixture = entry.fixture
    if fixture is not None:
        is_act = entry.code.removeprefix("fixture_") in _ON_MATCH
        is_open = SEASON.may("arrange_match", season.state) and FIXTURE.may("arrange_match", fixture.state)
        return reverse("stables:organise_fixture", args=[season.slug, fixture.pk]) if is_act and is_open else ""
    place = _PLACES.get(entry.code, "") if SEASON.may("arrange_match", season.state) else ""
    return f"{reverse('stables:console', args=[season.slug])}#{place}" if place else ""


def named_parameters(entry: LogEntry) -> dict[str, Any]:
    """Return the parameters of an entry of `with_people`, with the account's name under "person" instead of its id."""
    known, parameters = getattr(entry, "person", None), entry.parameters
    if known:
        return {**parameters, "person": get_user_model()(**known).get_username()}
    # Old lines hold the name itself.
    old = parameters.get("name", parameters.get("program"))
    return parameters if old is None or "person" in parameters else {**parameters, "person": old}


def newest_lines(season: Season) -> list[Line]:
    """Return the NEWEST lines of a season's log, the newest first; one query."""
    return worded(with_people(LogEntry.objects.filter(season=season).order_by("-id"))[:NEWEST])
