"""When a player does not come: one new date, then the one who came chooses a forfeit or the stand-in AI (Q-157)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.time_banks import absent_sides, forgive
from people.services import notify
from rules.campaign.season.appointments import check_claim, check_date, latest_new_date, may_forfeit, told
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, LineUp, NoShowClaim, Stable
from stables.seating import seating_of
from stables.services import appointments, forfeits, line_ups
from stables.services.appointments import lock_open_fixture, own_of, page_of, people_of, stables_of
from stables.services.log import record
from stables.services.playing import ask_for_seats


@dataclass(frozen=True)
class Claimed:
    """A claim, its state now, and the one new date it brought."""

    claim_id: int
    state: str
    new_date: datetime | None


@transaction.atomic
def claim(
    *,
    stable_id: int,
    fixture_id: int,
    absent_id: int | None = None,
    new_date: datetime | None = None,
    actor: Any = None,
    now: datetime | None = None,
) -> Claimed:
    """Say that another stable's person did not come; the claimant is there himself.

    The first claim brings `new_date`, within the round's deadlines. A claim after that date lets the claimant choose;
    so does at once a claim on somebody whose time to think ran out three times in the match (matches.time_banks).
    Without `absent_id` it is the one other stable. Raises SeasonRefused (no_fixture_of_yours, appointment_over,
    season_is_paused, mode_needs_no_date, claim_needs_line_up, no_date_to_miss, claim_too_early, no_show_claimed,
    no_show_decided, date_not_ahead, date_after_deadline) or Malformed (bad_field).
    """
    now = now or timezone.now()
    fixture = _lock_unpaused(fixture_id)
    stables = stables_of(fixture)
    own = own_of(stables, stable_id)
    absent = _absent(fixture, stables, own, absent_id, now)
    if not LineUp.objects.filter(side__fixture=fixture, side__stable=own).exists():
        raise SeasonRefused("claim_needs_line_up")
    ran_out = _time_ran_out(fixture, absent)
    appointment = fixture.scheduled_at or fixture.round.play_due_at
    for problem in [] if ran_out else check_claim(appointment, now, fixture.round.confirm_due_at):
        raise SeasonRefused(problem.code, **problem.parameters)
    known = NoShowClaim.objects.filter(fixture=fixture).first()
    if known is not None and known.state not in (*NoShowClaim.UNDECIDED, NoShowClaim.State.WITHDRAWN):
        raise SeasonRefused("no_show_decided")
    if known is not None and known.state == NoShowClaim.State.CHOICE:
        raise SeasonRefused("no_show_claimed", date=_date_of(known))
    if ran_out:
        made = _claim_time(fixture, own, absent, actor)
        return Claimed(made.pk, made.state, made.new_date)
    had_its_date = known is not None and known.absent_id == absent.pk and known.new_date is not None
    if had_its_date and known is not None:
        made = _claim_again(known, fixture, own, absent, actor)
    elif known is not None and known.state == NoShowClaim.State.NEW_DATE:
        raise SeasonRefused("no_show_claimed", date=_date_of(known))
    else:
        made = _first_claim(fixture, own, absent, _new_date(fixture, new_date, now), actor)
    return Claimed(made.pk, made.state, made.new_date)


@transaction.atomic
def choose(
    *, stable_id: int, fixture_id: int, forfeit: bool, actor: Any = None, now: datetime | None = None
) -> Claimed:
    """Choose, after a second claim, that the absent stable forfeits, or that the AI stands in for it, live.

    Of two choices at once one holds. Raises SeasonRefused (claim_not_yours, no_show_decided, forfeit_not_possible,
    appointment_over, season_is_paused).
    """
    fixture = _lock_unpaused(fixture_id)
    stables = stables_of(fixture)
    own = own_of(stables, stable_id)
    made = _open_claim(fixture)
    if made.claimant_id != own.pk or made.state != NoShowClaim.State.CHOICE:
        raise SeasonRefused("claim_not_yours")
    sides = list(FixtureSide.objects.filter(fixture=fixture).order_by("id"))
    if forfeit and not may_forfeit([side.side for side in sides], fixture.match_id is not None):
        raise SeasonRefused("forfeit_not_possible")
    state = NoShowClaim.State.FORFEIT if forfeit else NoShowClaim.State.STAND_IN
    _move(made, NoShowClaim.State.CHOICE, state, decided_at=now or timezone.now())
    absent = next(stable for stable in stables if stable.pk == made.absent_id)
    record(
        fixture.round.cycle.season,
        "no_show_forfeited" if forfeit else "no_show_stand_in",
        {"stable": own.name, "absent": absent.name},
        fixture=fixture,
        actor=actor,
    )
    if fixture.mode != Fixture.Mode.BROWSER:
        # What was the AI's or a table's is now played by the one who came, or not at all.
        fixture.mode = Fixture.Mode.BROWSER
        fixture.save(update_fields=["mode"])
    if forfeit:
        forfeits.forfeit(fixture_id=fixture.pk, stable_ids=[absent.pk])
    else:
        _stand_in(fixture, absent)
    return Claimed(made.pk, state, made.new_date)


@transaction.atomic
def withdraw(*, stable_id: int, fixture_id: int, actor: Any = None) -> Claimed:
    """Take an own claim back before it is decided. Raises SeasonRefused (claim_not_yours, no_show_decided)."""
    fixture = lock_open_fixture(fixture_id)
    own = own_of(stables_of(fixture), stable_id)
    made = _open_claim(fixture)
    if made.claimant_id != own.pk:
        raise SeasonRefused("claim_not_yours")
    record(fixture.round.cycle.season, "no_show_withdrawn", {"stable": own.name}, fixture=fixture, actor=actor)
    return _drop(made)


@transaction.atomic
def appear(*, stable_id: int, fixture_id: int, actor: Any = None) -> Claimed:
    """The absent player says that he is here, before the other one has chosen: the claim is off.

    Raises SeasonRefused (claim_not_yours, no_show_decided).
    """
    fixture = lock_open_fixture(fixture_id)
    own = own_of(stables_of(fixture), stable_id)
    made = _open_claim(fixture)
    if made.absent_id != own.pk:
        raise SeasonRefused("claim_not_yours")
    answered = appointments.came(fixture, own, actor)
    if answered is None:
        raise SeasonRefused("no_show_decided")
    if fixture.match_id is not None:
        forgive(fixture.match_id, FixtureSide.objects.get(fixture=fixture, stable=own).side)
    return Claimed(answered.pk, answered.state, answered.new_date)


# Claiming -------------------------------------------------------------------------------------------------------------


def _lock_unpaused(fixture_id: int) -> Fixture:
    fixture = lock_open_fixture(fixture_id)
    if fixture.round.cycle.season.paused_at is not None:
        raise SeasonRefused("season_is_paused")
    return fixture


def _absent(fixture: Fixture, stables: list[Stable], own: Stable, absent_id: int | None, now: datetime) -> Stable:
    """Return the stable that is claimed to be absent: one whose person decides in this fixture."""
    seating = seating_of(fixture, now)
    if seating.mode == Fixture.Mode.AI:
        raise SeasonRefused("mode_needs_no_date")
    others = {seat.stable.pk: seat.stable for seat in seating.seats if seat.user is not None}
    others.pop(own.pk, None)
    if absent_id is None and len(others) == 1:
        absent_id = next(iter(others))
    if absent_id not in others or absent_id not in {stable.pk for stable in stables}:
        raise Malformed("bad_field", field="absent")
    return others[absent_id]


def _new_date(fixture: Fixture, new_date: datetime | None, now: datetime) -> datetime:
    if new_date is None:
        raise Malformed("bad_field", field="new_date")
    latest = latest_new_date(now, [fixture.round.play_due_at, fixture.round.confirm_due_at])
    for problem in check_date(new_date, now, latest):
        raise SeasonRefused(problem.code, **problem.parameters)
    return new_date


def _date_of(known: NoShowClaim) -> str:
    return told(known.new_date) if known.new_date is not None else "-"


def _first_claim(fixture: Fixture, own: Stable, absent: Stable, new_date: datetime, actor: Any) -> NoShowClaim:
    """Write the claim, or take up the row of one that is off, and set the one new date."""
    made, _ = NoShowClaim.objects.update_or_create(
        fixture=fixture,
        defaults={"claimant": own, "absent": absent, "state": NoShowClaim.State.NEW_DATE, "new_date": new_date},
    )
    fixture.scheduled_at = new_date
    fixture.save(update_fields=["scheduled_at"])
    parameters = {"stable": own.name, "absent": absent.name, "date": told(new_date)}
    record(fixture.round.cycle.season, "no_show_claimed", parameters, fixture=fixture, actor=actor)
    _tell_absent(fixture, own, absent)
    return made


def _time_ran_out(fixture: Fixture, absent: Stable) -> bool:
    """Whether the side of a stable let its time run out so often that it counts as not there."""
    sides = absent_sides(fixture.match) if fixture.match is not None else ()
    return FixtureSide.objects.filter(fixture=fixture, stable=absent, side__in=sides).exists()


def _claim_time(fixture: Fixture, own: Stable, absent: Stable, actor: Any) -> NoShowClaim:
    """Write the claim, or take up the row of one that is not decided: nobody waits for another date."""
    made, _ = NoShowClaim.objects.update_or_create(
        fixture=fixture, defaults={"claimant": own, "absent": absent, "state": NoShowClaim.State.CHOICE}
    )
    parameters = {"stable": own.name, "absent": absent.name}
    record(fixture.round.cycle.season, "no_show_time_ran_out", parameters, fixture=fixture, actor=actor)
    _tell_absent(fixture, own, absent)
    return made


def _claim_again(known: NoShowClaim, fixture: Fixture, own: Stable, absent: Stable, actor: Any) -> NoShowClaim:
    """The one new date is over too: the one who came chooses."""
    _move(known, known.state, NoShowClaim.State.CHOICE, claimant=own)
    parameters = {"stable": own.name, "absent": absent.name}
    record(fixture.round.cycle.season, "no_show_claimed_again", parameters, fixture=fixture, actor=actor)
    _tell_absent(fixture, own, absent)
    parameters = {"season": fixture.round.cycle.season.name, "stable": absent.name}
    notify(people_of([own]), "no_show_choice", parameters, page_of(fixture))
    return known


def _tell_absent(fixture: Fixture, own: Stable, absent: Stable) -> None:
    parameters = {"season": fixture.round.cycle.season.name, "stable": own.name}
    notify(people_of([absent]), "no_show_claimed", parameters, page_of(fixture))


def _open_claim(fixture: Fixture) -> NoShowClaim:
    made = NoShowClaim.objects.filter(fixture=fixture).first()
    if made is None or made.state not in NoShowClaim.UNDECIDED:
        raise SeasonRefused("no_show_decided")
    return made


def _move(made: NoShowClaim, before: str, after: str, **changes: Any) -> None:
    """Change a claim's state if it still is what was read. Raises SeasonRefused (no_show_decided)."""
    if not NoShowClaim.objects.filter(pk=made.pk, state=before).update(state=after, **changes):
        raise SeasonRefused("no_show_decided")
    made.state = after
    for name, value in changes.items():
        setattr(made, name, value)


def _drop(made: NoShowClaim) -> Claimed:
    _move(made, made.state, NoShowClaim.State.WITHDRAWN)
    return Claimed(made.pk, made.state, made.new_date)


# Deciding -------------------------------------------------------------------------------------------------------------


def _stand_in(fixture: Fixture, absent: Stable) -> None:
    """Let the AI play the absent stable's side live, with its saved line-up or the nearest legal one."""
    side = FixtureSide.objects.filter(fixture=fixture, stable=absent).select_related("line_up").get()
    if fixture.state == Fixture.State.LINE_UPS and not hasattr(side, "line_up") and not side.forfeits:
        line_ups.submit_nearest_legal(stable_id=absent.pk, fixture_id=fixture.pk)
    ask_for_seats(fixture, "stand_in")
