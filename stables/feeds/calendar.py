"""A season's dates as an iCalendar document (RFC 5545): agreed dates of matches, deadlines of markets and rounds.

An entry keeps its UID for good. A newer state of it has a higher SEQUENCE, so that calendars replace what they have.
The numbers come from the season's log, which only grows. An entry that will not take place is cancelled, not left out,
because some calendars keep what they once read.

Days off are entries of whole days. Those that were taken out of the calendar are cancelled; the log remembers them.

The first entry is the season itself, at the moment when it was opened: a calendar needs at least one entry (3.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as site
from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from rules.campaign.classes import MATCH_MINUTES
from rules.campaign.season.clock import A_DAY, days_off_from_json
from rules.wording.isolation import isolated
from stables.feeds.entry import BEFORE_A_DATE, BEFORE_A_DEADLINE, Changes, clean, entry
from stables.models import Cycle, Fixture, FixtureSide, LogEntry, Round, Season, Stable
from stables.selectors.fixtures import pairing_of
from stables.services.base.deadlines import calendar_of
from stables.text.calendar import DEADLINES

PRODUCT = "-//Solaris Circuit//Season calendar 1.0//EN"
REFRESH = timedelta(hours=1)
DAYS_OFF = ("calendar_days_off", "calendar_days_off_dropped")
"""The codes of the log that bring days off and take them away; their parameters are the span."""

OF_THE_SEASON = ("season_paused", "season_resumed", "season_cancelled", "calendar_changed", *DAYS_OFF)
OF_THE_END = ("season_provisional", "season_finished")
OF_DEADLINES = ("deadline_moved", "deadline_market_put_off")
OF_PAIRINGS = ("round_paired", "round_paired_with_bye", "round_pairing_swapped", "round_of_the_ready")
OF_A_CYCLE = (*OF_DEADLINES, *OF_PAIRINGS, "cycle_dropped")
"""With OF_THE_SEASON and OF_THE_END, the codes of the log that change dates of a cycle, of the whole season or of its
end.

Every code with a fixture changes the dates of that fixture.
"""

Absolute = Callable[[str], str]


@dataclass
class Book:
    """Everything that a feed needs besides cycles, rounds and fixtures.

    `whole` counts the changes of the season's dates; `cycles` and `fixtures` count those of each, by id. `closed` has
    the end of each cycle's market, by the cycle's id. `end` counts the changes of the season's end, which came at
    `finished_at`. `cancelled_at` is None unless the season was cancelled. `days_off` counts the changes of all days off
    that the season has or had, `words` has the word of each.
    """

    season: Season
    person_id: int
    absolute: Absolute
    whole: Changes = field(default_factory=Changes)
    cycles: dict[int, Changes] = field(default_factory=dict)
    fixtures: dict[int, Changes] = field(default_factory=dict)
    closed: dict[int, datetime] = field(default_factory=dict)
    end: Changes = field(default_factory=Changes)
    finished_at: datetime | None = None
    cancelled_at: datetime | None = None
    days_off: dict[tuple[date, date], Changes] = field(default_factory=dict)
    words: dict[tuple[date, date], str] = field(default_factory=dict)

    def status(self, at: datetime, ended_at: datetime | None) -> str:
        """Return the status of a date whose subject ended at `ended_at` (None: not yet).

        CANCELLED: the subject ended, or the season was cancelled, before the date. TENTATIVE: the season is paused, and
        the date is after the start of the pause. CONFIRMED: neither.
        """
        ends = [moment for moment in (ended_at, self.cancelled_at) if moment is not None]
        if ends and min(ends) < at:
            return "CANCELLED"
        is_uncertain = self.season.paused_at is not None and at > self.season.paused_at
        return "TENTATIVE" if is_uncertain else "CONFIRMED"

    def uid(self, *parts: Any) -> str:
        host = urlsplit(site.SITE_URL).hostname or "localhost"
        return f"{'-'.join(str(part) for part in (self.season.slug, *parts))}@{host}"

    def page(self, fixture: Fixture | None = None) -> str:
        if fixture is None:
            return self.absolute(self.season.get_absolute_url())
        return self.absolute(reverse("stables:fixture", args=[self.season.slug, fixture.pk]))


def feed_address(season: Season, key: str, absolute: Absolute) -> str:
    """Return the full secret address of the feed with this key."""
    return absolute(reverse("stables:calendar_feed", args=[season.slug, key]))


def feed(season: Season, person_id: int, absolute: Absolute) -> bytes:
    """Return the document for a person who takes part, in the current language; at most six queries.

    `absolute` turns paths into full addresses.
    """
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("name", clean(season.name))
    calendar.add("x-wr-calname", clean(season.name))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    # This is the older name of the interval. The standard does not know it, so it is written as a text.
    calendar.add("x-published-ttl", "PT1H")
    book = _read(season, person_id, absolute)
    for event in _events(book):
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _read(season: Season, person_id: int, absolute: Absolute) -> Book:
    book = Book(season, person_id, absolute)
    entries = LogEntry.objects.filter(season=season).filter(
        Q(fixture__isnull=False) | Q(code__in=[*OF_THE_SEASON, *OF_THE_END, *OF_A_CYCLE])
    )
    rows: Iterable[tuple[str, int | None, int | None, datetime, dict[str, Any]]] = entries.order_by("id").values_list(
        "code", "cycle", "fixture", "created_at", "parameters"
    )
    for code, cycle, fixture, at, parameters in rows:
        if code in DAYS_OFF:
            for span in days_off_from_json([parameters]) or ():
                book.days_off.setdefault(span.days, Changes()).add(at)
                book.words[span.days] = span.word
        if fixture is not None:
            book.fixtures.setdefault(fixture, Changes()).add(at)
        elif code in OF_THE_SEASON:
            book.whole.add(at)
        elif code in OF_THE_END:
            book.end.add(at)
            book.finished_at = at if code == "season_finished" else None
        elif cycle is not None:
            book.cycles.setdefault(cycle, Changes()).add(at)
            if code not in OF_DEADLINES:
                # A market is over when a round is paired or the cycle is dropped.
                book.closed.setdefault(cycle, at)
        if code == "season_cancelled":
            book.cancelled_at = at
    return book


def _events(book: Book) -> Iterator[Event]:
    yield _of_season(book)
    yield from _of_days_off(book)
    sides = FixtureSide.objects.select_related("stable").order_by("id")
    fixtures = (
        Fixture.objects.filter(kind=Fixture.Kind.MATCH)
        .select_related("result")
        .prefetch_related(Prefetch("sides", queryset=sides), "result__corrections")
        .order_by("number")
    )
    rounds = Round.objects.prefetch_related(Prefetch("fixtures", queryset=fixtures)).order_by("number")
    for cycle in book.season.cycles.order_by("number").prefetch_related(Prefetch("rounds", queryset=rounds)):
        yield from _of_market(book, cycle)
        for each in cycle.rounds.all():
            yield from _of_round(book, cycle, each)
    yield from _of_end(book)


def _of_season(book: Book) -> Event:
    opened_at = book.season.created_at
    return entry(
        uid=book.uid("season"),
        summary=book.season.name,
        url=book.page(),
        starts=opened_at,
        status="CONFIRMED",
        changes=Changes(),
        since=opened_at,
        is_own=True,
    )


def _of_days_off(book: Book) -> Iterator[Event]:
    """Yield the days off that there are, and as cancelled those that there were."""
    there = {span.days: span.word for span in calendar_of(book.season).days_off}
    for days in sorted({*there, *book.days_off}):
        first, last = days
        is_off = days in there and book.cancelled_at is None
        word = there.get(days, book.words.get(days, ""))
        summary = _("{name}: days off").format(name=book.season.name)
        yield entry(
            uid=book.uid("days-off", first, last),
            summary=f"{summary} ({isolated(word)})" if word else summary,
            url=book.page(),
            starts=first,
            # The end is the first day after them (RFC 5545, 3.6.1).
            ends=last + A_DAY,
            status="CONFIRMED" if is_off else "CANCELLED",
            changes=book.whole.with_those_of(book.days_off.get(days, Changes())),
            since=book.season.created_at,
            is_own=True,
        )


def _of_end(book: Book) -> Iterator[Event]:
    if book.season.closes_at is None:
        return
    yield entry(
        uid=book.uid("end"),
        summary=str(DEADLINES["closing"]),
        url=book.page(),
        starts=book.season.closes_at,
        status=book.status(book.season.closes_at, book.finished_at),
        changes=book.whole.with_those_of(book.end),
        since=book.season.created_at,
        is_own=True,
    )


def _of_market(book: Book, cycle: Cycle) -> Iterator[Event]:
    if cycle.market_closes_at is None:
        return
    yield entry(
        uid=book.uid("cycle", cycle.number, "market"),
        summary=_("Cycle {number}: {what}").format(number=cycle.number, what=DEADLINES["market"]),
        url=book.page(),
        starts=cycle.market_closes_at,
        status=book.status(cycle.market_closes_at, book.closed.get(cycle.pk)),
        changes=book.whole.with_those_of(book.cycles.get(cycle.pk, Changes())),
        since=book.season.created_at,
        is_own=True,
    )


def _of_round(book: Book, cycle: Cycle, each: Round) -> Iterator[Event]:
    fixtures = list(each.fixtures.all())
    own = next((fixture for fixture in fixtures if _is_own(book, fixture)), None)
    ended = _ended(each, fixtures)
    changes = book.whole.with_those_of(book.cycles.get(cycle.pk, Changes()))
    if ended is not None:
        changes = changes.with_those_of(Changes(1, ended))
    # The reader's own match may have more time than its round.
    due = each if own is None else own
    if own is not None and own.excused_until is not None:
        changes = changes.with_those_of(book.fixtures.get(own.pk, Changes()))
    times = (("line_ups", due.line_ups_due_at), ("play", due.play_due_at), ("confirm", each.confirm_due_at))
    for what, at in times:
        if at is None:
            continue
        values = {"cycle": cycle.number, "round": each.number, "what": DEADLINES[what]}
        summary = _("Cycle {cycle}, round {round}: {what}").format(**values)
        if own is not None:
            summary = f"{summary}: {pairing_of(own.sides.all())}"
        yield entry(
            uid=book.uid("cycle", cycle.number, "round", each.number, what.replace("_", "-")),
            summary=summary,
            url=book.page(own),
            starts=at,
            status=book.status(at, ended),
            changes=changes,
            since=book.season.created_at,
            is_own=own is not None,
            # Nobody confirms a result by a calendar: the notice of the report asks them.
            remind=BEFORE_A_DEADLINE if own is not None and what != "confirm" and _settled_at(own) is None else None,
        )
    for fixture in fixtures:
        if fixture.scheduled_at is not None:
            yield _of_fixture(book, cycle, each, fixture, fixture.scheduled_at)


def _of_fixture(book: Book, cycle: Cycle, each: Round, fixture: Fixture, at: datetime) -> Event:
    is_own = _is_own(book, fixture)
    ended = _settled_at(fixture)
    phrase = _("Cycle {cycle}, round {round}, match {number}.")
    lines = [phrase.format(cycle=cycle.number, round=each.number, number=fixture.number)]
    if fixture.table_number is not None:
        lines.append(_("Table {number}.").format(number=fixture.table_number))
    if ended is not None:
        lines.append(_result(fixture))
    return entry(
        uid=book.uid("cycle", cycle.number, "round", each.number, "match", fixture.number),
        summary=pairing_of(fixture.sides.all()),
        description=" ".join(lines),
        url=book.page(fixture),
        starts=at,
        ends=at + timedelta(minutes=MATCH_MINUTES[cycle.format]),
        status=book.status(at, ended),
        changes=book.whole.with_those_of(book.fixtures.get(fixture.pk, Changes())),
        since=book.season.created_at,
        is_own=is_own,
        is_busy=is_own,
        remind=BEFORE_A_DATE if is_own and ended is None else None,
    )


def _is_own(book: Book, fixture: Fixture) -> bool:
    return any(_is_of(side.stable, book.person_id) for side in fixture.sides.all())


def _is_of(stable: Stable, person_id: int) -> bool:
    return stable.owner_id == person_id and stable.left_in_cycle is None


def _result(fixture: Fixture) -> str:
    winner = fixture.result.current["winner"]
    names = [side.stable.name for side in fixture.sides.all() if side.side == winner]
    return _("{names} won.").format(names=" & ".join(names)) if names else _("Nobody won.")


def _settled_at(fixture: Fixture) -> datetime | None:
    result = getattr(fixture, "result", None)
    at: datetime | None = None if result is None else result.settled_at
    return at


def _ended(each: Round, fixtures: Iterable[Fixture]) -> datetime | None:
    """Return when the last result of a settled round was written; None for an open round and one without results."""
    if each.state != Round.State.SETTLED:
        return None
    return max((at for fixture in fixtures if (at := _settled_at(fixture)) is not None), default=None)
