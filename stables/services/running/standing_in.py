"""A person who plays for the owner of a stable: one match, or all that are called for in one evening.

They hand in the line-up, play in the browser or report and confirm at the table, and nothing else of the stable is open
to them. The owner may still do all that they could before.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from people.models import User
from people.selectors import account_named
from people.services.accounts import Limit, count_attempt, notify
from people.services.guests import make_guest
from rules.campaign.season.appointments import check_date, moment_text
from rules.campaign.season.hand import LINK_LASTS
from rules.campaign.states import SEASON
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import ExternalSeat, Fixture, FixtureSide, NoShowClaim, Passing, Season, Stable, StandIn, TablePin
from stables.selectors.fixtures import lock_fixture, sides_with_owners
from stables.selectors.offices import organises
from stables.selectors.standing_in import open_sides
from stables.selectors.webhooks.documents import language_of
from stables.services.base.locks import lock_season
from stables.services.base.log import record
from stables.services.base.news import place_of, stored, terms_of
from stables.services.base.standing_in import end_one
from stables.services.fixtures.hand_overs import follow_seats
from stables.services.line_ups.match_setup import take_seats
from stables.services.results.rulings import reason_of
from stables.services.running import passing
from stables.services.running.guests import LINKS_OF_A_PERSON
from stables.services.running.stables import managed, require_impartial

STAND_INS_OF_A_PERSON = Limit("stand_in", 20)
"""How many stand-ins one person may name in an hour: each is a notice to somebody who did not ask for it."""

STAND_INS_TO_A_PERSON = Limit("stand_in_to", 3)
"""How often one person may name the same stand-in in an hour."""


LONGEST_TOLD = 200
"""The most characters of a reason that the notice to a stand-in has: they did not ask for it."""


@transaction.atomic
def name_person(
    *,
    stable_id: int,
    name: str,
    reason: str,
    user: Any,
    fixture_id: int | None = None,
    until: datetime | None = None,
    now: datetime | None = None,
) -> StandIn:
    """Let the account of this name play a match of a stable, or with `until` all that are called for before then.

    Its owner and organisers may. Give exactly one of `fixture_id` and `until`. An older stand-in of the same matches
    ends. Owner, rivals and both stand-ins get a notice.

    Raises PermissionDenied, SeasonRefused (guest_may_not, season_not_running, stable_has_left, organiser_takes_part,
    nobody_to_stand_in_for, stand_in_without_match, stand_in_is_ai, stand_in_plays, program_has_stable, date_not_ahead,
    date_too_far), Malformed (bad_field, reason_missing, unknown_person) or TooOften (too_often).
    """
    reason, now = reason_of(reason), now or timezone.now()
    season, stable = _manageable(stable_id, user)
    if (fixture_id is None) == (until is None):
        raise Malformed("bad_field", field="match")
    if until is not None:
        for problem in check_date(until, now, None):
            raise SeasonRefused(problem.code, **problem.parameters)
    fixture = None if fixture_id is None else _side(stable, fixture_id).fixture
    person = account_named(name)
    if person is None:
        raise Malformed("unknown_person", name=name.strip())
    _require_free(season, stable, fixture_id, person)
    if organises(person, season):
        # An organiser who stands in begins to play.
        require_impartial(season, stable, person, plays_too=True)
    count_attempt(STAND_INS_OF_A_PERSON, str(user.pk))
    count_attempt(STAND_INS_TO_A_PERSON, f"{user.pk} {person.pk}")
    ended = _end_older(stable, fixture_id, now)
    row = StandIn.objects.create(
        stable=stable, fixture_id=fixture_id, until=until, user=person, reason=reason, made_by=user
    )
    _tell_over(season, stable, fixture, [each for each in ended if each.pk not in (person.pk, user.pk)])
    _begin(season, stable, row, person, user)
    return row


@transaction.atomic
def make_link(
    *, stable_id: int, fixture_id: int, reason: str, user: Any, now: datetime | None = None
) -> passing.MadeLink:
    """Make a link with which whoever opens it plays one match of a stable: a guest, or an account. It is used once.

    Its owner and organisers may; the owner gets a notice of a link that an organiser made, and rivals hear who plays
    once it is used. Raises as `name_person` does for a match.
    """
    reason, now = reason_of(reason), now or timezone.now()
    season, stable = _manageable(stable_id, user)
    fixture = _side(stable, fixture_id).fixture
    count_attempt(LINKS_OF_A_PERSON, str(user.pk))
    ended = _end_older(stable, fixture_id, now)
    row = StandIn.objects.create(stable=stable, fixture_id=fixture_id, reason=reason, made_by=user)
    if ended:
        # The owner plays until somebody uses the link.
        _follow(stable, f"stand_in:{row.pk}:link")
        _tell_over(season, stable, fixture, [each for each in ended if each.pk != user.pk])
    code = secrets.token_urlsafe(passing.CODE_BYTES)
    made = Passing.objects.create(
        stable=stable,
        code_hash=passing.hash_of(code),
        for_guest=True,
        stand_in=row,
        reason=reason,
        made_by=user,
        expires_at=now + LINK_LASTS,
    )
    facts = {**_named(fixture), "stable": stable.name, "reason": reason}
    record(season, "stable_stand_in_link", facts, fixture=fixture, actor=user)
    if stable.owner is not None and stable.owner_id != user.pk:
        notify([stable.owner], "stand_in_link", {"season": season.name, **facts}, fixture.get_absolute_url())
    return passing.MadeLink(made.pk, code, now + LINK_LASTS)


@transaction.atomic
def take_place(*, passing_id: int, user: Any = None, now: datetime | None = None) -> tuple[User, Fixture]:
    """Let the person who opened a link play its match: `user`, or without one a new guest to log in. Return both.

    Only after `passing.find`. Raises SeasonRefused (link_used, link_revoked, link_expired, season_not_running,
    stand_in_without_match, stand_in_is_ai, stand_in_plays, program_has_stable, organiser_takes_part, guest_may_not) or
    Malformed (unknown_passing).
    """
    now = now or timezone.now()
    if user is not None and user.is_guest:
        raise SeasonRefused("guest_may_not")
    season = lock_season(passing.usable(passing_id, now).stable.season_id)
    # The link is read again under the season's lock, so that only one person uses it.
    link = passing.usable(passing_id, now)
    row, stable = link.stand_in, link.stable
    if row is None or row.fixture_id is None:
        raise Malformed("unknown_passing")
    SEASON.require("manage_stable", season.state, "season_not_running", state=season.state)
    side = _side(stable, row.fixture_id)
    if user is not None:
        _require_free(season, stable, row.fixture_id, user)
        if organises(user, season):
            require_impartial(season, stable, user, plays_too=True)
    person = make_guest(language_of(season)) if user is None else user
    link.passed_at, link.new_owner, row.user = now, person, person
    link.save(update_fields=["passed_at", "new_owner"])
    row.save(update_fields=["user"])
    _begin(season, stable, row, person, person)
    return person, side.fixture


@transaction.atomic
def end(*, season_id: int, stand_in_id: int, user: Any, now: datetime | None = None) -> None:
    """End a stand-in before the match: the owner and organisers may, and the stand-in themself. Safe to repeat.

    Raises Malformed (bad_field) for an id that is not of the season, PermissionDenied for others.
    """
    season, now = lock_season(season_id), now or timezone.now()
    rows = StandIn.objects.select_related("stable__owner", "user", "fixture__round__cycle__season")
    row = rows.filter(pk=stand_in_id, stable__season=season).first()
    if row is None:
        raise Malformed("bad_field", field="stand_in")
    stable, person = row.stable, row.user
    if user.pk not in (stable.owner_id, row.user_id) and not organises(user, season):
        raise PermissionDenied
    if row.ended_at is not None:
        return
    _lock_sides(stable, row.fixture_id)
    end_one(row, now)
    _follow(stable, f"stand_in:{row.pk}:over")
    facts = {**_named(row.fixture), "stable": stable.name}
    record(season, "stable_stand_in_over", facts, fixture=row.fixture, actor=user)
    told = [each for each in (stable.owner, person) if each is not None and each.pk != user.pk and not each.left_at]
    address = stable.get_absolute_url() if row.fixture is None else row.fixture.get_absolute_url()
    notify(told, "stand_in_over", {"season": season.name, **facts}, address)


def step_down(user: Any) -> None:
    """End everything that a person plays for others, who deletes their account."""
    rows = StandIn.objects.filter(user=user, ended_at=None).select_related("stable").order_by("pk")
    for row in rows:
        end(season_id=row.stable.season_id, stand_in_id=row.pk, user=user)


# Checks ---------------------------------------------------------------------------------------------------------------


def _manageable(stable_id: int, user: Any) -> tuple[Season, Stable]:
    """Lock the season of a stable for its owner or an organiser, and return both. Raises as `name_person` does.

    A guest lets nobody else in (guest_may_not).
    """
    if user.is_guest:
        raise SeasonRefused("guest_may_not")
    owner_id = Stable.objects.values_list("owner_id", flat=True).get(pk=stable_id)
    if owner_id is None or owner_id != user.pk:
        season, stable = managed(stable_id, user, "manage_stable", "season_not_running")
    else:
        season = lock_season(Stable.objects.values_list("season_id", flat=True).get(pk=stable_id))
        stable = Stable.objects.select_related("owner").get(pk=stable_id)
        stable.season = season
        if stable.owner_id != user.pk:
            raise PermissionDenied
        SEASON.require("manage_stable", season.state, "season_not_running", state=season.state)
        if stable.left_in_cycle is not None:
            raise SeasonRefused("stable_has_left", name=stable.name)
    if stable.owner is None or stable.is_ai:
        raise SeasonRefused("nobody_to_stand_in_for", name=stable.name)
    return season, stable


def _side(stable: Stable, fixture_id: int | None) -> FixtureSide:
    """Return the stable's side of an open match, with its fixture.

    Raises SeasonRefused (stand_in_without_match, stand_in_is_ai).
    """
    side = open_sides(stable).filter(fixture=fixture_id).first()
    if side is None:
        raise SeasonRefused("stand_in_without_match", name=stable.name)
    claims = NoShowClaim.objects.filter(fixture=fixture_id, absent=stable, state=NoShowClaim.State.STAND_IN)
    if claims.exists():
        raise SeasonRefused("stand_in_is_ai", name=stable.name)
    return side


def _require_free(season: Season, stable: Stable, fixture_id: int | None, person: Any) -> None:
    """Raise SeasonRefused for a person who would play for two stables of one match, and for programs.

    For an evening, whose matches nobody knows yet, that is everybody with a stable in the season.
    """
    own = Stable.objects.filter(season=season, owner=person, left_in_cycle=None)
    if fixture_id is None:
        plays = own.exists()
    else:
        sides = FixtureSide.objects.filter(fixture=fixture_id)
        plays = sides.filter(stable__owner=person).exists() or (
            sides.exclude(stable=stable).filter(stand_in=person).exists()
        )
    if plays:
        raise SeasonRefused("stand_in_plays", name=person.get_username())
    if ExternalSeat.objects.filter(stable__season=season, ended_at=None, user=person).exists():
        raise SeasonRefused("program_has_stable", name=person.get_username())


# What changes ---------------------------------------------------------------------------------------------------------


def _end_older(stable: Stable, fixture_id: int | None, now: datetime) -> list[User]:
    """End the older stand-ins of a match, or of the evening for None, and return who they were."""
    ended = []
    for row in StandIn.objects.filter(stable=stable, fixture=fixture_id, ended_at=None):
        _lock_sides(stable, row.fixture_id)
        end_one(row, now)
        if row.user is not None:
            ended.append(row.user)
    return ended


def _tell_over(season: Season, stable: Stable, fixture: Fixture | None, people: list[User]) -> None:
    facts = {"season": season.name, **_named(fixture), "stable": stable.name}
    notify(people, "stand_in_over", facts, stable.get_absolute_url())


def _lock_sides(stable: Stable, fixture_id: int | None) -> list[Fixture]:
    """Lock the open fixtures that a stand-in is for, one or all of a stable, before anything of the stable."""
    ids = open_sides(stable).values_list("fixture", flat=True).order_by("fixture")
    return [lock_fixture(pk) for pk in ids if fixture_id in (None, pk)]


def _begin(season: Season, stable: Stable, row: StandIn, person: Any, actor: Any) -> None:
    """Give the open matches of a stand-in to a person, log it, and tell owner, stand-in and rivals."""
    fixtures = _lock_sides(stable, row.fixture_id)
    sides = FixtureSide.objects.filter(stable=stable, forfeits="", fixture__in=fixtures)
    if row.fixture_id is None:
        plays = Q(stable__owner=person) | Q(stand_in=person)
        playing = FixtureSide.objects.filter(plays, fixture__in=fixtures).values("fixture")
        # A match with a stand-in of its own keeps them.
        sides = sides.filter(stand_in=None).exclude(fixture__in=playing)
    TablePin.objects.filter(side__in=sides).delete()
    sides.update(stand_in=person)
    _follow(stable, f"stand_in:{row.pk}:begun")
    fixture = fixtures[0] if row.fixture_id is not None else None
    facts = {**_named(fixture), "stable": stable.name, "person": person.pk, "reason": row.reason}
    record(season, "stable_stand_in", facts, fixture=fixture, actor=actor)
    told = {"season": season.name, **facts, "person": person.get_username()}
    address = season.get_absolute_url() if not fixtures else fixtures[0].get_absolute_url()
    rivals = FixtureSide.objects.filter(fixture__in=fixtures).exclude(stable=stable).select_related("stable__owner")
    owners = {each.stable.owner for each in rivals if each.stable.owner is not None} | {stable.owner}
    notify([each for each in owners if each is not None and each.pk != actor.pk], "stand_in_named", told, address)
    if person.pk != actor.pk:
        when = {"until": moment_text(row.until)} if row.until is not None else _awaited_in(fixtures[0])
        notify([person], "stand_in_yours", {**told, **when, "reason": row.reason[:LONGEST_TOLD]}, address)


def _awaited_in(fixture: Fixture) -> dict[str, Any]:
    """Return how and where a stand-in plays a match, and until when its next step is due; None for no time."""
    is_open = fixture.state == Fixture.State.LINE_UPS
    due = fixture.line_ups_due_at if is_open else fixture.scheduled_at or fixture.play_due_at
    return {**terms_of(fixture), "due": stored(due)}


def _named(fixture: Fixture | None) -> dict[str, Any]:
    """Return what names the match of a stand-in, {} for an evening; one query."""
    return {} if fixture is None else place_of(fixture, sides_with_owners(fixture))


def _follow(stable: Stable, cause: str) -> None:
    """Seat those who decide now in the running matches of a stable at once, and ask for matches without one."""
    for fixture in _lock_sides(stable, None):
        if fixture.match is not None and fixture.state == Fixture.State.SEALED:
            take_seats(fixture_id=fixture.pk, match=fixture.match, keeps_answers=True)
    follow_seats(stable, cause)


def page_of(season: Season, stable: Stable) -> str:
    """Return the address of the page on which stand-ins are named."""
    return reverse("stables:stand_ins", args=[season.slug, stable.slug])
