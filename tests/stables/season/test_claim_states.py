"""A claim that somebody did not come moves only as its table of states says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from rules.campaign.states import CLAIM
from stables.models import Fixture, NoShowClaim
from stables.services.fixtures import declared_forfeits, excuses, no_shows
from stables.services.line_ups import appointments
from stables.services.running import overdue
from tests.stables.duels import Club
from tests.stables.tabletop_matches import NOON
from tests.worlds import taken_back

from .test_states import BESIDE, CLAIMS, LATER, LEFT_ALONE, everything, outcome

pytestmark = pytest.mark.django_db


def claimed(club: Club, state: str, act: str) -> Fixture:
    fixture = club.fixture("anna", "ben", scheduled_at=NOON)
    club.hand_in(fixture, "anna")
    NoShowClaim.objects.create(
        fixture=fixture, claimant=club.stables["anna"], absent=club.stables["ben"], state=state,
        new_date=NOON if act == "claim_again" else None,
    )  # fmt: skip
    return fixture


def acting(club: Club, fixture: Fixture, act: str) -> object:
    """Do an act on the claim as the one whose act it is."""
    by = {"stable_id": club.stable_id("ben" if act == "answer" else "anna"), "fixture_id": fixture.pk}
    if act.startswith("claim"):
        return no_shows.claim(**by, new_date=LATER + timedelta(days=1), now=LATER)
    if act.startswith("choose"):
        return no_shows.choose(**by, forfeit=act == "choose_forfeit")
    return no_shows.withdraw(**by) if act == "withdraw" else no_shows.appear(**by)


@pytest.mark.parametrize("act", CLAIMS)
def test_a_claim_moves_only_as_its_table_says(club: Club, act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_shows, "_time_ran_out", lambda *_: act == "claim_time")
    for state in CLAIM.states:
        with taken_back():
            fixture = claimed(club, state, act)
            before = everything()
            found = outcome(lambda: acting(club, fixture, act))  # noqa: B023
            if CLAIM.may(act, state):
                assert found == LEFT_ALONE
                assert NoShowClaim.objects.get().state == CLAIM.next_state(act, state)
            else:
                # Where the AI stands in, nobody is left who could be absent.
                no_person = {"bad_field"} if state == "stand_in" and act.startswith("claim") else set()
                assert found in (no_person or CLAIMS[act])
                assert everything() == before


def test_a_claim_on_time_keeps_no_new_date_of_the_other_player(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_shows, "_time_ran_out", lambda *_: True)
    fixture = claimed(club, "withdrawn", "claim_again")
    acting(club, fixture, "claim_time")
    assert NoShowClaim.objects.get().new_date == NOON, "their own stays: they get no other"
    NoShowClaim.objects.update(claimant=club.stables["ben"], absent=club.stables["anna"], state="withdrawn")
    acting(club, fixture, "claim_time")
    assert NoShowClaim.objects.get().new_date is None


def by_organiser(club: Club, fixture: Fixture, act: str) -> None:
    by = {"fixture_id": fixture.pk, "user": club.people["organiser"]}
    ben = club.stable_id("ben")
    if act == "excuse":
        excuses.excuse(stable_id=ben, until=None, reason="ill", **by)
    else:
        declared_forfeits.declare_forfeit(stable_ids=[ben], why="no_show", **by)


@pytest.mark.parametrize("act", BESIDE)
def test_what_comes_with_another_act_leaves_a_decided_claim(club: Club, act: str) -> None:
    for state in CLAIM.states:
        with taken_back():
            fixture = claimed(club, state, act)
            if act == "agree_date":
                ahead = timezone.now() + timedelta(hours=1)
                by = club.stable_id("anna")
                made = appointments.propose(stable_id=by, fixture_id=fixture.pk, at=ahead)
                appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
            elif act in ("excuse", "declare_forfeit"):
                by_organiser(club, fixture, act)
            else:
                assert overdue.end_unplayed(fixture_id=fixture.pk, now=LATER) == "forfeit"
            after = CLAIM.next_state(act, state) if CLAIM.may(act, state) else state
            assert NoShowClaim.objects.get().state == after
