"""Q-157: one new date for who did not come, then the one who came chooses a forfeit or the stand-in AI, live."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from jobs.services import run_pending
from matches.selectors import matches, time_banks
from matches.services.matches import play_action
from people.models import Notice
from rules.campaign.season.appointments import GRACE
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Fixture, LogEntry, NoShowClaim, Season
from stables.services.fixtures import no_shows
from stables.services.line_ups import appointments, line_ups
from stables.services.running import pauses
from tests.stables.duels import BOT, JSON, Club, in_zone, sides_of
from tests.stables.test_appointments import refused
from tests.stables.test_concurrency import at_once
from tests.stables.test_settlement import crew_of, tokens_of

pytestmark = pytest.mark.database

HOUR = timedelta(hours=1)
MET = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATE = MET + GRACE
AGAIN = MET + 24 * HOUR


@pytest.fixture
def duel(club: Club) -> Fixture:
    """Both line-ups are in, and the hour was agreed."""
    made = club.fixture("anna", "ben", scheduled_at=MET)
    club.hand_in(made, "anna", "ben")
    run_pending()
    return made


def claim(club: Club, fixture: Fixture, by: str = "anna", now: datetime = LATE, **values: Any) -> no_shows.Claimed:
    values = {"new_date": AGAIN, **values}
    return no_shows.claim(stable_id=club.stable_id(by), fixture_id=fixture.pk, now=now, **values)


def claim_twice(club: Club, fixture: Fixture) -> None:
    claim(club, fixture)
    claim(club, fixture, now=AGAIN + GRACE)


def choose(club: Club, fixture: Fixture, forfeit: bool, by: str = "anna") -> no_shows.Claimed:
    return no_shows.choose(stable_id=club.stable_id(by), fixture_id=fixture.pk, forfeit=forfeit)


# --- the first claim --------------------------------------------------------------------------------------------------


def test_the_first_claim_sets_one_new_date_and_tells_the_absent_one(club: Club, duel: Fixture) -> None:
    made = claim(club, duel)
    duel.refresh_from_db()
    assert (made.state, made.new_date, duel.scheduled_at) == ("new_date", AGAIN, AGAIN)
    assert list(Notice.objects.values_list("user__username", "code")) == [("ben", "no_show_claimed")]
    assert LogEntry.objects.get(fixture=duel).code == "no_show_claimed"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"now": MET + GRACE - timedelta(seconds=1)}, "claim_too_early"),
        ({"new_date": LATE}, "date_not_ahead"),
        ({"by": "carla"}, "no_fixture_of_yours"),
    ],
)
def test_a_claim_waits_for_the_grace_and_brings_a_date_ahead(
    club: Club, duel: Fixture, changes: dict[str, Any], code: str
) -> None:
    refused(lambda: claim(club, duel, **changes), code)
    assert not NoShowClaim.objects.exists()


def test_the_new_date_lies_within_the_deadlines_of_the_round(club: Club, duel: Fixture) -> None:
    club.round.play_due_at, club.round.confirm_due_at = LATE + HOUR, LATE + 2 * HOUR
    club.round.save()
    refused(lambda: claim(club, duel), "date_after_deadline")
    assert claim(club, duel, new_date=LATE + 2 * HOUR).state == "new_date"


def test_without_an_agreed_date_the_deadline_of_the_round_counts(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna")
    refused(lambda: claim(club, duel), "no_date_to_miss")
    club.round.play_due_at = MET
    club.round.save()
    refused(lambda: claim(club, duel, now=LATE - GRACE), "claim_too_early")
    assert claim(club, duel).state == "new_date"


def test_who_claims_is_there_with_a_line_up(club: Club) -> None:
    duel = club.fixture("anna", "ben", scheduled_at=MET)
    club.hand_in(duel, "ben")
    refused(lambda: claim(club, duel), "claim_needs_line_up")


def test_a_machine_is_never_late_and_what_the_ai_plays_waits_for_nobody(club: Club) -> None:
    against = club.fixture("anna", "machines", scheduled_at=MET)
    club.hand_in(against, "anna")
    with pytest.raises(Malformed):
        claim(club, against)
    Season.objects.filter(pk=club.season.pk).update(calendar={})
    played = club.fixture("anna", "ben", scheduled_at=MET, mode="ai")
    club.hand_in(played, "anna")
    refused(lambda: claim(club, played), "mode_needs_no_date")


def test_in_a_paused_season_nobody_is_late(club: Club, duel: Fixture) -> None:
    Season.objects.filter(pk=club.season.pk).update(paused_at=MET)
    refused(lambda: claim(club, duel), "season_is_paused")


def test_a_date_that_a_pause_swallowed_is_missed_by_nobody(club: Club, duel: Fixture) -> None:
    claim(club, duel)
    began = AGAIN - HOUR
    pauses.pause(season_id=club.season.pk, now=began)
    pauses.resume(season_id=club.season.pk, now=began + 48 * HOUR)
    duel.refresh_from_db()
    later = AGAIN + 48 * HOUR
    assert (duel.scheduled_at, NoShowClaim.objects.get().new_date) == (later, later)
    refused(lambda: claim(club, duel, now=began + 48 * HOUR), "claim_too_early")
    assert claim(club, duel, now=later + GRACE).state == "choice"


def test_a_date_that_is_still_ahead_after_a_pause_stays(club: Club, duel: Fixture) -> None:
    pauses.pause(season_id=club.season.pk, now=MET - 3 * HOUR)
    pauses.resume(season_id=club.season.pk, now=MET - HOUR)
    duel.refresh_from_db()
    assert duel.scheduled_at == MET


def test_of_two_who_accuse_each_other_the_first_is_heard(club: Club, duel: Fixture) -> None:
    claim(club, duel)
    refused(lambda: claim(club, duel, by="ben", now=AGAIN + GRACE), "no_show_claimed")


# --- taking it back ---------------------------------------------------------------------------------------------------


def test_the_absent_one_who_says_that_he_is_here_ends_the_claim(club: Club, duel: Fixture) -> None:
    claim(club, duel)
    refused(lambda: no_shows.appear(stable_id=club.stable_id("anna"), fixture_id=duel.pk), "claim_not_yours")
    refused(lambda: no_shows.withdraw(stable_id=club.stable_id("ben"), fixture_id=duel.pk), "claim_not_yours")
    assert no_shows.appear(stable_id=club.stable_id("ben"), fixture_id=duel.pk).state == "withdrawn"
    refused(lambda: choose(club, duel, True), "no_show_decided")
    # His one new date he has had: if he does not come to it, the other one chooses.
    refused(lambda: claim(club, duel), "claim_too_early")
    assert claim(club, duel, now=AGAIN + GRACE).state == "choice"


def test_the_claimant_may_think_better_of_it(club: Club, duel: Fixture) -> None:
    claim_twice(club, duel)
    assert no_shows.withdraw(stable_id=club.stable_id("anna"), fixture_id=duel.pk).state == "withdrawn"
    refused(lambda: choose(club, duel, True), "no_show_decided")


def test_who_hands_in_his_line_up_has_come(club: Club) -> None:
    duel = club.fixture("anna", "ben", scheduled_at=MET)
    club.hand_in(duel, "anna")
    claim(club, duel)
    side = duel.sides.get(side="blue")
    line_ups.submit(
        stable_id=club.stable_id("ben"),
        fixture_id=duel.pk,
        crews=[crew_of(side)],
        tokens=tokens_of(club.season),
    )
    assert NoShowClaim.objects.get().state == "withdrawn"
    assert LogEntry.objects.filter(code="no_show_answered").count() == 1


def test_a_date_that_both_agree_upon_ends_the_claim(club: Club, duel: Fixture) -> None:
    claim(club, duel)
    made = appointments.propose(
        stable_id=club.stable_id("ben"), fixture_id=duel.pk, at=AGAIN + HOUR, now=LATE + timedelta(minutes=1)
    )
    appointments.accept(stable_id=club.stable_id("anna"), proposal_id=made.proposal_id, now=LATE + HOUR)
    assert NoShowClaim.objects.get().state == "withdrawn"


# --- the choice -------------------------------------------------------------------------------------------------------


def test_only_after_the_new_date_may_the_one_who_came_choose(club: Club, duel: Fixture) -> None:
    claim(club, duel)
    refused(lambda: choose(club, duel, True), "claim_not_yours")
    refused(lambda: claim(club, duel, now=AGAIN), "claim_too_early")
    assert claim(club, duel, now=AGAIN + GRACE).state == "choice"
    refused(lambda: choose(club, duel, True, by="ben"), "claim_not_yours")


def test_the_forfeit_settles_the_duel_and_nobody_plays_on(club: Club, duel: Fixture) -> None:
    claim_twice(club, duel)
    assert choose(club, duel, True).state == "forfeit"
    assert sides_of(duel) == [("red", None, ""), ("blue", None, "")]
    run_pending()
    duel.refresh_from_db()
    document = duel.result.document
    assert (duel.state, document["ended_by"], document["winner"]) == ("settled", "forfeit", "red")
    assert document["sides"]["blue"]["forfeits"] == "absent"
    refused(lambda: choose(club, duel, False), "appointment_over")


def test_an_absent_one_without_a_line_up_forfeits_too(club: Club) -> None:
    duel = club.fixture("anna", "ben", scheduled_at=MET)
    club.hand_in(duel, "anna")
    claim_twice(club, duel)
    choose(club, duel, True)
    run_pending()
    duel.refresh_from_db()
    assert (duel.state, duel.result.document["winner"]) == ("settled", "red")


@pytest.mark.parametrize("mode", ["browser", "table"])
@pytest.mark.parametrize("has_line_up", [True, False], ids=["line-up is in", "no line-up"])
def test_the_stand_in_takes_the_absent_seat_alone_and_live(club: Club, mode: str, has_line_up: bool) -> None:
    duel = club.fixture("anna", "ben", scheduled_at=MET, mode=mode)
    club.hand_in(duel, "anna", *(["ben"] if has_line_up else []))
    run_pending()
    claim_twice(club, duel)
    assert choose(club, duel, False).state == "stand_in"
    run_pending()
    assert sides_of(duel) == [("red", club.people["anna"].pk, ""), ("blue", None, BOT)]
    match = duel.match
    assert match is not None
    assert not match.is_finished
    play_action(match.pk, "red", match.last_sequence, {"unit": "red-1", "order": "surrender"})
    run_pending()
    duel.refresh_from_db()
    assert (duel.state, duel.result.document["winner"]) == ("settled", "blue")


def test_in_a_melee_that_has_begun_only_the_stand_in_is_left(club: Club) -> None:
    melee = club.fixture("anna", "ben", "carla", scheduled_at=MET)
    melee.round.cycle.format = "grand_melee"
    melee.round.cycle.save()
    club.hand_in(melee, "anna", "ben", "carla")
    run_pending()
    with pytest.raises(Malformed):
        claim(club, melee)
    ben = club.stable_id("ben")
    claim(club, melee, absent_id=ben)
    claim(club, melee, absent_id=ben, now=AGAIN + GRACE)
    refused(lambda: choose(club, melee, True), "forfeit_not_possible")
    choose(club, melee, False)
    run_pending()
    assert [bool(bot) for _, _, bot in sides_of(melee)] == [False, True, False]


# --- at the same moment -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_claims_at_once_one_is_made(club: Club, duel: Fixture) -> None:
    results = at_once([lambda: claim(club, duel), lambda: claim(club, duel, by="ben")] * 2)
    assert [isinstance(one, no_shows.Claimed) for one in results].count(True) == 1
    assert {one.code for one in results if isinstance(one, SeasonRefused)} <= {"no_show_claimed", "claim_too_early"}
    assert LogEntry.objects.filter(code="no_show_claimed").count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_a_forfeit_and_a_stand_in_at_once_one_holds(club: Club, duel: Fixture) -> None:
    claim_twice(club, duel)
    results = at_once([lambda: choose(club, duel, True), lambda: choose(club, duel, False)])
    assert [isinstance(one, no_shows.Claimed) for one in results].count(True) == 1
    state = NoShowClaim.objects.get().state
    assert duel.sides.filter(forfeits="absent").count() == (1 if state == "forfeit" else 0)


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_a_withdrawal_at_once_are_one(club: Club, duel: Fixture) -> None:
    anna, ben, now = club.stable_id("anna"), club.stable_id("ben"), LATE
    made = appointments.propose(stable_id=anna, fixture_id=duel.pk, at=AGAIN, now=now)
    results = at_once(
        [
            lambda: appointments.accept(stable_id=ben, proposal_id=made.proposal_id, now=now),
            lambda: appointments.withdraw(stable_id=anna, proposal_id=made.proposal_id),
        ]
    )
    done = [one for one in results if isinstance(one, appointments.Proposed)]
    assert len(done) == 1
    duel.refresh_from_db()
    assert duel.scheduled_at == (AGAIN if done[0].state == "accepted" else MET)


# --- the forms --------------------------------------------------------------------------------------------------------


def test_claiming_and_choosing_with_plain_forms(club: Club, duel: Fixture) -> None:
    now = timezone.now()
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=now - HOUR)
    anna, ben, page = club.client("anna"), club.client("ben"), club.address("fixture", duel)
    shown = anna.get(page)
    assert [stable.pk for stable in shown.context["no_show"]["can_claim"]] == [club.stable_id("ben")]
    fields = {"absent": club.stables["ben"].number, "new_date": in_zone(now + HOUR)}
    assert anna.post(club.address("claim_no_show", duel), fields).status_code == 302
    assert "I am here" in ben.get(page).content.decode()
    assert "I am here" not in anna.get(page).content.decode()
    NoShowClaim.objects.update(new_date=now - HOUR)
    Fixture.objects.filter(pk=duel.pk).update(scheduled_at=now - HOUR)
    assert anna.post(club.address("claim_no_show", duel), {}).status_code == 302
    assert 'value="stand_in"' in anna.get(page).content.decode()
    answer = ben.post(club.address("answer_no_show", duel), {"answer": "forfeit"}, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "claim_not_yours")
    assert anna.post(club.address("answer_no_show", duel), {"answer": "forfeit"}).status_code == 302
    run_pending()
    shown = club.client(None).get(page).content.decode()
    assert "no line-up in time" in shown or "absent" in shown


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [
        ("claim_no_show", {"absent": "x"}, "not_a_number"),
        ("claim_no_show", {"absent": "9"}, "bad_field"),
        ("claim_no_show", {"new_date": "soon"}, "bad_field"),
        ("claim_no_show", {}, "bad_field"),
        ("answer_no_show", {"answer": "cry"}, "bad_field"),
    ],
)
def test_malformed_claims_are_400(club: Club, duel: Fixture, name: str, fields: dict[str, str], code: str) -> None:
    answer = club.client("anna").post(club.address(name, duel), fields, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


# --- time that ran out in a match (matches.selectors.time_banks)
# ----------------------------------------------------------------


@pytest.fixture
def slow(club: Club) -> Fixture:
    """A match of the season that has begun, with two days for each round; Ben's time has run out three times."""
    Season.objects.filter(pk=club.season.pk).update(calendar={"mode": "browser", "hours_a_round": 48})
    made = club.fixture("anna", "ben")
    club.hand_in(made, "anna", "ben")
    run_pending()
    made.refresh_from_db()
    assert made.match is not None
    assert made.match.seconds_a_round == 48 * 3600
    made.match.seats.filter(user=club.people["ben"]).update(expiries=3)
    return made


def test_time_that_ran_out_three_times_lets_the_other_choose_without_another_date(club: Club, slow: Fixture) -> None:
    page = club.client("anna").get(club.address("fixture", slow)).content.decode()
    assert "ran out three times" in page
    assert "new_date" not in page
    made = claim(club, slow, new_date=None)
    assert (made.state, LogEntry.objects.get(fixture=slow, code="no_show_time_ran_out").code) == (
        "choice", "no_show_time_ran_out",
    )  # fmt: skip
    assert Notice.objects.filter(user=club.people["ben"], code="no_show_claimed").count() == 1
    refused(lambda: claim(club, slow, new_date=None), "no_show_claimed")
    assert choose(club, slow, forfeit=False).state == "stand_in"
    run_pending()
    assert [seat for seat in sides_of(slow) if seat[0] == "blue"] == [("blue", None, BOT)]


def test_time_that_ran_out_three_times_may_be_a_forfeit(club: Club, slow: Fixture) -> None:
    claim(club, slow, new_date=None)
    assert choose(club, slow, forfeit=True).state == "forfeit"


def test_time_that_ran_out_twice_is_no_claim_and_nobody_claims_of_himself(club: Club, slow: Fixture) -> None:
    refused(lambda: claim(club, slow, by="ben", new_date=None), "no_date_to_miss")
    assert slow.match is not None
    slow.match.seats.update(expiries=2)
    refused(lambda: claim(club, slow, new_date=None), "no_date_to_miss")


def test_who_says_that_he_is_here_begins_anew(club: Club, slow: Fixture) -> None:
    claim(club, slow, new_date=None)
    no_shows.appear(stable_id=club.stable_id("ben"), fixture_id=slow.pk)
    refused(lambda: claim(club, slow, new_date=None), "no_date_to_miss")


def test_no_time_passes_in_the_matches_of_a_paused_season(club: Club, slow: Fixture) -> None:
    assert slow.match is not None
    opened = time_banks.newest_step(slow.match)
    end = opened + timedelta(hours=48)
    assert time_banks.run_out(end + HOUR)
    pauses.pause(season_id=club.season.pk, now=opened + HOUR)
    assert time_banks.run_out(end + HOUR) == []
    pauses.resume(season_id=club.season.pk, now=opened + 101 * HOUR)
    decision = matches.rebuild(slow.match).decision
    assert decision is not None
    asked = slow.match.seats.get(side=decision.side)
    assert asked.bank_seconds == (48 + 100) * 3600
    assert slow.match.seats.exclude(pk=asked.pk).get().bank_seconds == 48 * 3600
    assert asked.pk not in {each.seat_id for each in time_banks.run_out(end + 99 * HOUR)}
    assert asked.pk in {each.seat_id for each in time_banks.run_out(end + 101 * HOUR)}
