"""Passed deadlines: the cycle begins, missing line-ups are chosen, unplayed matches end (Q-157)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from matches.selectors.matches import rebuild
from people.services.accounts import notify
from rules.campaign.season.unplayed import AI, EXTEND, ending_of
from rules.campaign.states import CLAIM, UNDECIDED
from stables.models import Cycle, Fixture, FixtureSide, NoShowClaim, Round, Season, Stable
from stables.selectors.fixtures import lock_fixture, sides_with_owners
from stables.selectors.offices import organisers_of
from stables.selectors.seating import LEFT_TO_THE_AI, people_at, seating_of
from stables.services.base import deadlines
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import place_of, stored, tell_people, terms_of
from stables.services.base.steps import RunStep
from stables.services.fixtures import forfeits, rounds
from stables.services.line_ups.match_setup import ask_for_seats
from stables.services.running.pauses import goes_on
from stables.services.season import seasons

MOST_AT_ONCE = 200
"""The most passed deadlines of a kind that one look for forgotten ones takes up."""


def chase(*, what: str, pk: int, due: datetime, run_step: RunStep, now: datetime | None = None) -> bool:
    """Do what a passed deadline asks for, and return whether it still counted.

    `what` is one of the deadlines of stables.services.base.deadlines, `pk` the id of its cycle, round or fixture, and
    `due` the time at which it passed. Return False if the deadline was moved, if its cycle or round is past it, or if
    the season is paused or over. Each step is a transaction of its own and may be repeated. Call it outside
    transactions.
    """
    # The job waited by the database's clock, which may differ a little from this one.
    now = max(now or timezone.now(), due)
    if what == deadlines.MARKET:
        return bool(run_step("market", lambda: _close_market(pk, due)))
    if what in (deadlines.NEW_DATE, deadlines.OWN_LINE_UPS):
        fixture = Fixture.objects.select_related("round__cycle__season", "match").get(pk=pk)
        own = deadlines.appointment_of(fixture) if what == deadlines.NEW_DATE else fixture.line_ups_due_at
        if own != due or not goes_on(fixture.round.cycle.season):
            return False
        if fixture.excused_until is not None:
            rounds.call_time_of(fixture)
        if what == deadlines.OWN_LINE_UPS:
            return True
        _end(fixture, run_step, max(now, due + deadlines.AFTER_AN_APPOINTMENT))
        return True
    called = Round.objects.select_related("cycle__season").get(pk=pk)
    is_open = called.state != Round.State.SETTLED and goes_on(called.cycle.season)
    if not is_open or getattr(called, deadlines.FIELD_OF[what]) != due:
        return False
    # Line-ups are due before the match, so a stable that has none now is late for them too.
    rounds.call_time(round_id=pk, now=now)
    if what in (deadlines.PLAY, deadlines.RESULTS):
        waiting = Fixture.objects.filter(round=called).exclude(state=Fixture.State.SETTLED)
        for fixture in list(waiting.select_related("match").order_by("number")):
            _end(fixture, run_step, now)
    return True


def _end(fixture: Fixture, run_step: RunStep, now: datetime) -> None:
    awaited = _awaited(fixture)
    step = f"fixture:{fixture.number}"
    run_step(step, lambda: end_unplayed(fixture_id=fixture.pk, awaited=awaited, now=now))


def _awaited(fixture: Fixture) -> tuple[str, ...]:
    """Return the side that a match waits for, or () if no person has begun to play it or it is finished.

    A match is made when the line-ups are in, so its existence does not say that anybody came. Call it outside
    transactions.
    """
    if fixture.match is None or fixture.match.is_over:
        return ()
    with_people = fixture.match.seats.exclude(user=None).values("side")
    if not fixture.match.actions.exclude(action=None).filter(side__in=with_people).exists():
        return ()
    decision = rebuild(fixture.match).decision
    return () if decision is None else (decision.side,)


@transaction.atomic
def _close_market(cycle_id: int, due: datetime) -> bool:
    season = lock_season(Cycle.objects.values_list("season_id", flat=True).get(pk=cycle_id))
    cycle = Cycle.objects.get(pk=cycle_id)
    if cycle.state != Cycle.State.MARKET or cycle.market_closes_at != due or not goes_on(season):
        return False
    seasons.begin(season, cycle)
    return True


@transaction.atomic
def end_unplayed(*, fixture_id: int, awaited: Collection[str] = (), now: datetime | None = None) -> str:
    """End a match that was not played in time, as the setting `unplayed` says, and return what was done.

    - "": nothing. The match is finished, reported or settled, nobody has to come, or the AI plays it anyway.
    - "wait": there is time left. A match whose date is still ahead, or of which a stable is excused, waits for that.
      Until results are due players may claim a no-show and a table may report; the people of a table get a notice.
    - "ai": the AI plays all sides of a match with all line-ups.
    - "extend": the match gets its one new date. It gets none if a claim is open or if it has had one.
    - "forfeit": the absent stables forfeit (Q-157). An open claim names the one that is absent. Without a claim they
      are those on the sides in `awaited`, for which a begun match waits, and without these all that people run.
    """
    now = now or timezone.now()
    fixture = lock_fixture(fixture_id)
    season = fixture.round.cycle.season
    is_played = fixture.match is not None and fixture.match.is_over
    is_done = fixture.state == Fixture.State.SETTLED or is_played or fixture.reports.exists()
    seating = seating_of(fixture, now)
    people = [seat.stable.pk for seat in seating.seats if seat.user is not None]
    if is_done or not people or (seating.mode == Fixture.Mode.AI and fixture.state == Fixture.State.SEALED):
        return ""
    date = deadlines.appointment_of(fixture)
    is_ahead = date is not None and date > now
    if not is_ahead and _has_time_left(fixture, seating.mode, now):
        return "wait"
    if date is not None and date + deadlines.AFTER_AN_APPOINTMENT > now:
        deadlines.ask_to_chase(season, deadlines.NEW_DATE, fixture.pk, date)
        return "wait"
    claim = NoShowClaim.objects.filter(fixture=fixture, state__in=UNDECIDED).first()
    left = None
    if season.rules.unplayed == EXTEND and claim is None and not was_extended(fixture):
        left = deadlines.calendar_of(season).new_date(now, fixture.round.cycle.format)
    is_sealed = fixture.state == Fixture.State.SEALED
    ending = ending_of(season.rules.unplayed, is_sealed=is_sealed, has_date_left=left is not None)
    if ending == AI:
        fixture.mode = Fixture.Mode.AI
        fixture.save(update_fields=["mode"])
        place = place_of(fixture, sides_with_owners(fixture))
        record(season, LEFT_TO_THE_AI, place, cycle=fixture.round.cycle, fixture=fixture)
        ask_for_seats(fixture, "unplayed")
        return AI
    if left is not None:
        deadlines.give_new_date(fixture, left, people)
        _tell_late(fixture, left)
        return EXTEND
    sides = fixture.sides.filter(side__in=list(awaited)) if awaited else fixture.sides.filter(stable__in=people)
    absent = [claim.absent_id] if claim is not None else list(sides.values_list("stable", flat=True))
    why = FixtureSide.Forfeit.LATE if claim is None else FixtureSide.Forfeit.NO_SHOW
    forfeits.forfeit(fixture_id=fixture_id, stable_ids=absent, why=why)
    names = Stable.objects.filter(pk__in=absent).order_by("number").values_list("name", flat=True)
    facts = {**place_of(fixture, sides_with_owners(fixture)), "stables": ", ".join(names)}
    record(season, "fixture_unplayed", facts, cycle=fixture.round.cycle, fixture=fixture)
    notify(
        organisers_of(season, _players_of(fixture)),
        "match_unplayed",
        {"season": season.name, **facts},
        fixture.get_absolute_url(),
    )
    if claim is not None:
        claim.state, claim.decided_at = CLAIM.next_state("forfeit_unplayed", claim.state), now
        claim.save(update_fields=["state", "decided_at"])
    return "forfeit"


def _has_time_left(fixture: Fixture, mode: str, now: datetime) -> bool:
    """Return whether there is a time for results that has not come; if so, notify the people of a table."""
    until = fixture.round.confirm_due_at
    if until is None or now >= until:
        return False
    _tell_late(fixture, until)
    if mode == Fixture.Mode.TABLE:
        sides = sides_with_owners(fixture)
        facts = {"season": fixture.round.cycle.season.name, **place_of(fixture, sides), **terms_of(fixture)}
        facts["at"] = stored(until)
        tell_people(people_at(sides), "report_due", facts, fixture.get_absolute_url())
    return True


def _tell_late(fixture: Fixture, until: datetime) -> None:
    """Tell the organisers who do not play in it that a match was not played in time, and until when it may be."""
    season = fixture.round.cycle.season
    facts = {"season": season.name, **place_of(fixture, sides_with_owners(fixture)), "at": stored(until)}
    address = reverse("stables:organise_fixture", args=[season.slug, fixture.pk])
    notify(organisers_of(season, _players_of(fixture)), "match_late", facts, address)


def _players_of(fixture: Fixture) -> list[int | None]:
    return list(fixture.sides.values_list("stable__owner", flat=True))


def was_extended(fixture: Fixture) -> bool:
    """Return whether a fixture has already got its one new date."""
    return fixture.log.filter(code=deadlines.EXTENDED).exists()


def scan_for_passed_deadlines(now: datetime | None = None) -> None:
    """Ask for the missing jobs of passed deadlines in seasons that run and are not paused.

    It looks at no more than MOST_AT_ONCE of each kind.
    """
    now = now or timezone.now()
    on = {"season__state": Season.State.RUNNING, "season__paused_at": None}
    markets = Cycle.objects.filter(state=Cycle.State.MARKET, market_closes_at__lte=now, **on).select_related("season")
    for cycle in markets.order_by("-market_closes_at")[:MOST_AT_ONCE]:
        deadlines.ask_to_chase(cycle.season, deadlines.MARKET, cycle.pk, cycle.market_closes_at)
    in_running = {f"cycle__{name}": value for name, value in on.items()}
    passed = Q(line_ups_due_at__lte=now) | Q(play_due_at__lte=now) | Q(confirm_due_at__lte=now)
    open_rounds = Round.objects.filter(passed, **in_running).exclude(state=Round.State.SETTLED)
    # Dates after the round's deadline.
    in_round = {f"round__cycle__{name}": value for name, value in on.items()}
    unsettled = Fixture.objects.filter(**in_round).exclude(state=Fixture.State.SETTLED)
    unsettled = unsettled.select_related("round__cycle__season")
    late = unsettled.filter(round__play_due_at__lte=now, scheduled_at__isnull=False)
    for fixture in late.order_by("-scheduled_at")[:MOST_AT_ONCE]:
        appointment = deadlines.appointment_of(fixture)
        deadlines.ask_to_chase(fixture.round.cycle.season, deadlines.NEW_DATE, fixture.pk, appointment)
    for fixture in unsettled.exclude(excused_until=None).order_by("-excused_until")[:MOST_AT_ONCE]:
        deadlines.ask_for_excused(fixture)
    for called in open_rounds.select_related("cycle__season").order_by("-line_ups_due_at")[:MOST_AT_ONCE]:
        deadlines.ask_for_round(called)
