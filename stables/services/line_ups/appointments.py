"""Agreements of the people of a fixture on its date and on how it is played (Q-157)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from matches.models import Match
from people.services.accounts import Limit, count_attempt, notify
from rules.campaign.season.appointments import check_date
from rules.campaign.states import CLAIM, FIXTURE, SEASON, UNDECIDED
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, FixtureSide, HandOver, NoShowClaim, Proposal, Stable
from stables.selectors.fixtures import lock_fixture, sides_with_owners
from stables.selectors.seating import has_person, running_at
from stables.services.base.log import record
from stables.services.base.news import place_of, stored
from stables.services.line_ups.match_setup import ask_for_seats

MODE_AGREED: dict[str, str] = {
    Fixture.Mode.AI: "mode_agreed_ai",
    Fixture.Mode.BROWSER: "mode_agreed_browser",
    Fixture.Mode.TABLE: "mode_agreed_table",
}
"""Mode -> the code of the log line that says that it was agreed."""

PROPOSALS_OF_A_STABLE = Limit("proposal", 10)
"""How many proposals for one match a stable may make in an hour: a date of today is mailed to the rivals at once."""


@dataclass(frozen=True)
class Proposed:
    """A proposal and its state now (Proposal.State)."""

    proposal_id: int
    state: str


@transaction.atomic
def propose(
    *,
    stable_id: int,
    fixture_id: int,
    mode: str = "",
    at: datetime | None = None,
    actor: Any = None,
    now: datetime | None = None,
) -> Proposed:
    """Propose a date, a mode, or both; this withdraws the stable's earlier open proposal.

    Stables without a person, or handed over to the AI, are not asked. If nobody is asked, the proposal holds at once.
    Raises SeasonRefused (no_fixture_of_yours, appointment_over, match_is_made, table_needs_people, nothing_to_change,
    date_not_ahead, date_too_far, date_after_deadline), Malformed (bad_field) or TooOften (too_often).
    """
    now = now or timezone.now()
    if (not mode and at is None) or (mode and mode not in Fixture.Mode.values):
        raise Malformed("bad_field", field="mode")
    fixture = lock_open_fixture(fixture_id)
    stables = stables_of(fixture)
    own = own_of(stables, stable_id)
    others = persons_of(stables, now, but=own.pk)
    if mode == fixture.mode and at in (None, fixture.scheduled_at):
        raise SeasonRefused("nothing_to_change")
    _require(fixture, stables, mode, at, now)
    count_attempt(PROPOSALS_OF_A_STABLE, f"{fixture.pk} {own.pk}")
    Proposal.objects.filter(fixture=fixture, stable=own, state=Proposal.State.OPEN).update(
        state=Proposal.State.WITHDRAWN
    )
    proposal = Proposal.objects.create(fixture=fixture, stable=own, mode=mode, at=at)
    if others:
        _tell_of(proposal, own, fixture, others)
    else:
        _apply(proposal, fixture, actor)
    return Proposed(proposal.pk, proposal.state)


@transaction.atomic
def accept(*, stable_id: int, proposal_id: int, actor: Any = None, now: datetime | None = None) -> Proposed:
    """Accept another stable's proposal; it holds once every other person of the fixture has accepted.

    Stables handed over to the AI need not accept. The proposal is checked again, because time has passed. Raises
    SeasonRefused (no_fixture_of_yours, proposal_closed, appointment_over, match_is_made, table_needs_people,
    date_not_ahead, date_too_far, date_after_deadline).
    """
    now = now or timezone.now()
    proposal, fixture, stables, own = _open_proposal(proposal_id, stable_id)
    if proposal.stable_id == own.pk:
        raise SeasonRefused("no_fixture_of_yours")
    _require(fixture, stables, proposal.mode, proposal.at, now)
    proposal.accepted_by.add(own)
    accepted = set(proposal.accepted_by.values_list("pk", flat=True))
    waited_for = persons_of(stables, now, but=proposal.stable_id)
    if all(one.pk in accepted for one in waited_for):
        _apply(proposal, fixture, actor)
        season = fixture.round.cycle.season
        place = place_of(fixture, sides_with_owners(fixture))
        facts = {"season": season.name, **place, "proposed": _proposed(proposal)}
        notify(people_of([proposal.stable]), "proposal_accepted", facts, fixture.get_absolute_url())
    return Proposed(proposal.pk, proposal.state)


@transaction.atomic
def decline(*, stable_id: int, proposal_id: int, actor: Any = None) -> Proposed:
    """Decline another stable's proposal, which ends it.

    Raises SeasonRefused (no_fixture_of_yours, proposal_closed, appointment_over).
    """
    proposal, fixture, _stables, own = _open_proposal(proposal_id, stable_id)
    if proposal.stable_id == own.pk:
        raise SeasonRefused("no_fixture_of_yours")
    _close(proposal, Proposal.State.DECLINED)
    cycle = fixture.round.cycle
    facts = {
        **place_of(fixture, sides_with_owners(fixture)), "stable": own.name, "proposed": _proposed(proposal),
    }  # fmt: skip
    record(cycle.season, "proposal_declined", facts, cycle=cycle, fixture=fixture, actor=actor)
    facts["season"] = cycle.season.name
    notify(people_of([proposal.stable]), "proposal_declined", facts, fixture.get_absolute_url())
    return Proposed(proposal.pk, proposal.state)


@transaction.atomic
def withdraw(*, stable_id: int, proposal_id: int) -> Proposed:
    """Withdraw one's own open proposal.

    Raises SeasonRefused (no_fixture_of_yours, proposal_closed, appointment_over).
    """
    proposal, _fixture, _stables, own = _open_proposal(proposal_id, stable_id)
    if proposal.stable_id != own.pk:
        raise SeasonRefused("no_fixture_of_yours")
    _close(proposal, Proposal.State.WITHDRAWN)
    return Proposed(proposal.pk, proposal.state)


# What the other services of a fixture share ---------------------------------------------------------------------------


def lock_open_fixture(fixture_id: int) -> Fixture:
    """Return a fixture that is still to be played, with round, cycle and season, its row locked.

    A reported fixture counts as played. Raises SeasonRefused (appointment_over), also for a bye and unless the season
    runs.
    """
    fixture = lock_fixture(fixture_id)
    require_open(fixture)
    return fixture


def require_open(fixture: Fixture) -> None:
    """Raise SeasonRefused (appointment_over) unless a locked fixture is still to be played, and is not reported."""
    SEASON.require("arrange_match", fixture.round.cycle.season.state, "appointment_over")
    FIXTURE.require("arrange_match", fixture.state, "appointment_over")
    if fixture.kind == Fixture.Kind.BYE or fixture.reports.exists():
        raise SeasonRefused("appointment_over")
    # Query the state instead of loading the match, which is large.
    if fixture.match_id is not None and Fixture.objects.filter(pk=fixture.pk, match__state__in=Match.OVER).exists():
        raise SeasonRefused("appointment_over")


def stables_of(fixture: Fixture) -> list[Stable]:
    """Return the stables of a fixture in order, with their owners; one query."""
    sides = FixtureSide.objects.filter(fixture=fixture).select_related("stable__owner").order_by("id")
    return [side.stable for side in sides]


def own_of(stables: Iterable[Stable], stable_id: int) -> Stable:
    """Return the stable with this id among those of a fixture. Raises SeasonRefused (no_fixture_of_yours)."""
    own = next((stable for stable in stables if stable.pk == stable_id), None)
    if own is None:
        raise SeasonRefused("no_fixture_of_yours")
    return own


def persons_of(stables: Iterable[Stable], now: datetime, but: int) -> list[Stable]:
    """Return the stables, except the one with the id `but`, that a person runs and has not handed over; one query."""
    others = [stable for stable in stables if stable.pk != but and has_person(stable)]
    away = set(HandOver.objects.filter(running_at(now), stable__in=others).values_list("stable", flat=True))
    return [stable for stable in others if stable.pk not in away]


def came(fixture: Fixture, stable: Stable, actor: Any = None) -> NoShowClaim | None:
    """Answer an undecided claim that this stable's player did not come: they came or handed in a line-up (Q-157).

    Return the claim, None if there was none. Call it in a transaction with the fixture locked.
    """
    claim = NoShowClaim.objects.filter(fixture=fixture, absent=stable, state__in=UNDECIDED).first()
    if claim is None:
        return None
    claim.state = CLAIM.next_state("answer", claim.state)
    claim.save(update_fields=["state"])
    cycle = fixture.round.cycle
    facts = {**place_of(fixture, sides_with_owners(fixture)), "stable": stable.name}
    record(cycle.season, "no_show_answered", facts, cycle=cycle, fixture=fixture, actor=actor)
    return claim


def people_of(stables: Iterable[Stable]) -> list[Any]:
    """Return the people who run these stables."""
    return [stable.owner for stable in stables if has_person(stable) and stable.owner is not None]


def _tell_of(proposal: Proposal, own: Stable, fixture: Fixture, others: Iterable[Stable]) -> None:
    """Tell the people of the other stables about a proposal."""
    people = people_of(others)
    season = fixture.round.cycle.season
    facts = {"season": season.name, **place_of(fixture, sides_with_owners(fixture)), "stable": own.name}
    if proposal.at is not None:
        notify(people, "date_proposed", {**facts, "at": stored(proposal.at)}, fixture.get_absolute_url())
    if proposal.mode:
        notify(people, "mode_proposed", {**facts, "mode": proposal.mode}, fixture.get_absolute_url())


def _proposed(proposal: Proposal) -> dict[str, Any]:
    """Return what was proposed, as log and notices keep it."""
    return {"at": stored(proposal.at), "mode": proposal.mode}


# Checking and applying ------------------------------------------------------------------------------------------------


def _require(fixture: Fixture, stables: Iterable[Stable], mode: str, at: datetime | None, now: datetime) -> None:
    """Raise SeasonRefused if the fixture cannot be played in this mode or at this time.

    Its codes are match_is_made, season_at_tables_only, table_needs_people, date_not_ahead, date_too_far and
    date_after_deadline.
    """
    if mode and fixture.match_id is not None:
        raise SeasonRefused("match_is_made")
    if mode and mode != Fixture.Mode.TABLE and fixture.round.cycle.season.rules.table_only:
        raise SeasonRefused("season_at_tables_only")
    if mode == Fixture.Mode.TABLE:
        for stable in stables:
            if not has_person(stable):
                raise SeasonRefused("table_needs_people", stable=stable.name)
    if at is not None:
        for problem in check_date(at, now, fixture.play_due_at):
            raise SeasonRefused(problem.code, **problem.parameters)


def _open_proposal(proposal_id: int, stable_id: int) -> tuple[Proposal, Fixture, list[Stable], Stable]:
    """Return an open proposal, its fixture, locked, the fixture's stables, and the one with this id.

    Raises SeasonRefused (no_fixture_of_yours, proposal_closed, appointment_over).
    """
    found = Proposal.objects.filter(pk=proposal_id).values_list("fixture_id", flat=True).first()
    if found is None:
        raise SeasonRefused("no_fixture_of_yours")
    fixture = lock_open_fixture(found)
    # Read under the fixture's lock: of a simultaneous answer and withdrawal the second sees the first.
    proposal = Proposal.objects.select_related("stable__owner").get(pk=proposal_id)
    stables = stables_of(fixture)
    own = own_of(stables, stable_id)
    if proposal.state != Proposal.State.OPEN:
        raise SeasonRefused("proposal_closed", state=proposal.state)
    return proposal, fixture, stables, own


def _close(proposal: Proposal, state: str) -> None:
    """End an open proposal. Raises SeasonRefused (proposal_closed) when somebody was faster."""
    if not Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.OPEN).update(state=state):
        raise SeasonRefused("proposal_closed", state=state)
    proposal.state = state


def _apply(proposal: Proposal, fixture: Fixture, actor: Any) -> None:
    """Put an accepted proposal into effect, and decline open ones that would undo its date or its mode."""
    _close(proposal, Proposal.State.ACCEPTED)
    cycle = fixture.round.cycle
    place = place_of(fixture, sides_with_owners(fixture))
    if proposal.at is not None:
        fixture.scheduled_at = proposal.at
        # Players who agree on a date are there, so an earlier claim ends.
        agreed = CLAIM.acts["agree_date"]
        NoShowClaim.objects.filter(fixture=fixture, state__in=agreed.sources).update(state=agreed.to)
        facts = {**place, "date": stored(proposal.at)}
        record(cycle.season, "date_agreed", facts, cycle=cycle, fixture=fixture, actor=actor)
    if proposal.mode:
        fixture.mode = proposal.mode
        record(cycle.season, MODE_AGREED[proposal.mode], place, cycle=cycle, fixture=fixture, actor=actor)
    fixture.save(update_fields=["mode", "scheduled_at"])
    others = Proposal.objects.filter(fixture=fixture, state=Proposal.State.OPEN)
    if proposal.mode and proposal.at is None:
        others = others.exclude(mode="")
    elif not proposal.mode:
        others = others.exclude(at=None)
    others.update(state=Proposal.State.DECLINED)
    if proposal.mode and fixture.state == Fixture.State.SEALED:
        ask_for_seats(fixture, f"proposal:{proposal.pk}")
