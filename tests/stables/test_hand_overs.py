"""A stable in the hands of the AI while its owner is away: line-ups, repairs, shopping, seats, limit, summary."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job
from jobs.services import enqueue, run_pending
from people.models import Notice
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Asset, Cycle, Fixture, FixtureSide, HandOver, LedgerEntry, LineUp, LogEntry, Season, Stable
from stables.selectors.seating import acting_for, seating_of
from stables.services.base.ledger import Allowance, Movement, allowing, lock_stable, post, refold
from stables.services.fixtures import hand_overs
from stables.services.market import trading
from stables.services.market.readiness import say_ready
from tests.stables.duels import BOT, Club, sides_of
from tests.stables.season_worlds import Enters, inside
from tests.stables.test_appointments import refused

pytestmark = pytest.mark.database

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def opened(django_db_blocker: Any, club_opened: Enters) -> Iterator[Club]:
    with inside(django_db_blocker, club_opened) as made:
        yield made


@pytest.fixture
def club(db: None, opened: Club) -> Club:
    """The club as it was opened, whatever other tests did to it."""
    return deepcopy(opened)


def away(club: Club, name: str = "ben", hours: int = 24, now: datetime | None = None, **values: Any) -> HandOver:
    """Hand a stable over from now on, for some hours of the real clock."""
    now = now or timezone.now()
    values = {"starts_at": now, "ends_at": now + hours * HOUR, "now": now, **values}
    made = hand_overs.hand_over(stable_id=club.stable_id(name), **values)
    return HandOver.objects.select_related("stable__season", "stable__owner").get(pk=made.hand_over_id)


def damage(club: Club, name: str = "ben", eliminated: bool = True) -> None:
    """Take all units of a stable off their start markers."""
    units = Asset.objects.filter(stable=club.stable_id(name), kind="unit", sold_at=None)
    units.update(damage=3, is_eliminated=False)
    if eliminated:
        first = units.order_by("id")[0]
        Asset.objects.filter(pk=first.pk).update(is_eliminated=True)


def spent(club: Club, name: str = "ben") -> int:
    debits = LedgerEntry.objects.filter(stable=club.stable_id(name), parameters__has_key="hand_over", amount__lt=0)
    return -sum(debits.values_list("amount", flat=True))


# --- times ------------------------------------------------------------------------------------------------------------


def test_the_ai_acts_from_the_beginning_to_the_end_and_not_after(club: Club) -> None:
    made = away(club, now=NOW, starts_at=NOW + HOUR, ends_at=NOW + 3 * HOUR)
    ben = club.stables["ben"]
    scopes = [acting_for(ben, NOW + hours * HOUR) for hours in (0, 1, 2, 3)]
    assert scopes == [None, "play_and_repair", "play_and_repair", None]
    assert acting_for(club.stables["anna"], NOW + HOUR) is None
    hand_overs.take_back(stable_id=ben.pk, hand_over_id=made.pk, now=NOW + 2 * HOUR)
    assert acting_for(ben, NOW + 2 * HOUR) is None


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"ends_at": NOW}, "hand_over_takes_no_time"),
        ({"starts_at": NOW + 2 * HOUR, "ends_at": NOW + HOUR}, "hand_over_takes_no_time"),
        ({"ends_at": NOW + timedelta(days=400)}, "hand_over_too_long"),
        ({"starts_at": NOW + timedelta(days=367), "ends_at": NOW + timedelta(days=368)}, "date_too_far"),
    ],
)
def test_times_that_cannot_be_are_refused(club: Club, values: dict[str, Any], code: str) -> None:
    refused(lambda: away(club, now=NOW, **values), code)
    assert not HandOver.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize("values", [{"scope": "sell"}, {"spending_limit": -1}, {"spending_limit": 10**9}])
def test_malformed_hand_overs(club: Club, values: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        away(club, now=NOW, **values)


def test_two_hand_overs_do_not_overlap_but_may_follow_each_other(club: Club) -> None:
    away(club, now=NOW, starts_at=NOW + HOUR, ends_at=NOW + 2 * HOUR)
    refused(lambda: away(club, now=NOW, hours=5), "hand_over_overlaps")
    away(club, now=NOW, starts_at=NOW + 2 * HOUR, ends_at=NOW + 3 * HOUR)
    away(club, "anna", now=NOW, hours=5)
    assert HandOver.objects.count() == 3


def test_nobody_takes_back_another_s_stable_and_twice_is_once(club: Club) -> None:
    made = away(club)
    with pytest.raises(Malformed):
        hand_overs.take_back(stable_id=club.stable_id("anna"), hand_over_id=made.pk)
    for _ in range(2):
        assert hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk).ended_at is not None
    assert LogEntry.objects.filter(code="hand_over_taken_back").count() == 1


# --- what the AI does -------------------------------------------------------------------------------------------------


def test_a_waiting_line_up_is_handed_in_when_the_hand_over_begins(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    away(club)
    run_pending()
    line_up = duel.sides.get(side="blue").line_up
    assert line_up.source == LineUp.Source.HAND_OVER
    assert not LineUp.objects.filter(side__fixture=duel, side__side="red").exists()


def test_before_it_begins_and_after_it_is_taken_back_nothing_is_done(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    now = timezone.now()
    made = away(club, starts_at=now + HOUR, ends_at=now + 2 * HOUR)
    run_pending()
    hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk)
    Job.objects.update(not_before=None)
    run_pending()
    assert not LineUp.objects.filter(side__fixture=duel).exists()
    assert not Notice.objects.exists()


def test_a_round_that_is_paired_meanwhile_is_prepared_for_the_absent_owner(club: Club) -> None:
    away(club)
    duel = club.fixture("anna", "ben")
    [(fixture_id, stable)] = hand_overs.waiting_in(club.round.pk)
    assert (fixture_id, stable.pk) == (duel.pk, club.stable_id("ben"))
    hand_overs.prepare(stable_id=stable.pk, fixture_id=fixture_id)
    hand_overs.prepare(stable_id=stable.pk, fixture_id=fixture_id)
    assert hand_overs.waiting_in(club.round.pk) == []
    # Who is there hands in his own.
    hand_overs.prepare(stable_id=club.stable_id("anna"), fixture_id=fixture_id)
    assert LineUp.objects.count() == 1


@pytest.mark.parametrize(
    ("scope", "limit", "may_spend"),
    [
        ("play", None, 0),
        ("play_and_repair", 0, 0),
        ("play_and_repair", 60, 60),
        ("play_and_repair", None, 10_000),
        ("everything", 60, 60),
    ],
)
def test_repairs_stay_within_scope_and_limit(club: Club, scope: str, limit: int | None, may_spend: int) -> None:
    duel = club.fixture("anna", "ben")
    damage(club)
    before = club.stables["ben"].capital
    made = away(club, scope=scope, spending_limit=limit)
    run_pending()
    assert hasattr(duel.sides.get(side="blue"), "line_up") or duel.sides.get(side="blue").forfeits
    ben = Stable.objects.get(pk=club.stable_id("ben"))
    assert before - ben.capital == spent(club) == hand_overs.spent_under(made) <= may_spend
    assert refold() == []


def test_without_limit_the_eliminated_unit_is_repaired(club: Club) -> None:
    """The same stable in the same need: what keeps it from repairing above is the scope, or the limit."""
    club.fixture("anna", "ben")
    damage(club)
    Asset.objects.filter(stable=club.stable_id("ben"), kind="unit").update(is_eliminated=True)
    post(stable_id=club.stable_id("ben"), movements=[Movement(2000, "test", "rich")])
    made = away(club)
    run_pending()
    assert hand_overs.spent_under(made) > 0


def test_an_allowance_is_all_the_capital_there_is_and_its_entries_are_marked(club: Club) -> None:
    ben = club.stable_id("ben")
    with allowing(Allowance(ben, 50, {"hand_over": 7})):
        assert lock_stable(ben).capital <= 50
        assert lock_stable(club.stable_id("anna")).capital == club_capital(club, "anna")
        post(stable_id=ben, movements=[Movement(-30, "repair", "one"), Movement(500, "sale", "two")])
        with pytest.raises(SeasonRefused, match="spending_limit_reached"):
            post(stable_id=ben, movements=[Movement(-21, "repair", "three")])
        post(stable_id=ben, movements=[Movement(-20, "repair", "four")])
        # What was posted before is not spent again.
        post(stable_id=ben, movements=[Movement(-30, "repair", "one")])
    assert LedgerEntry.objects.filter(stable=ben, parameters__hand_over=7).count() == 3
    post(stable_id=ben, movements=[Movement(-1, "repair", "five")])
    assert LedgerEntry.objects.filter(stable=ben, parameters__hand_over=7).count() == 3
    assert refold() == []


def club_capital(club: Club, name: str) -> int:
    return Stable.objects.get(pk=club.stable_id(name)).capital


@pytest.mark.parametrize("scope", ["play", "play_and_repair", "everything"])
def test_only_who_hands_over_everything_is_shopped_for_within_the_limit(club: Club, scope: str) -> None:
    ben = club.stable_id("ben")
    Cycle.objects.update(state=Cycle.State.MARKET)
    for asset in Asset.objects.filter(stable=ben).order_by("-kind"):
        trading.sell(stable_id=ben, asset_id=asset.pk)
    made = away(club, scope=scope, spending_limit=300)
    stables = hand_overs.shopping(club.season.pk)
    assert [stable.pk for stable in stables] == ([ben] if scope == "everything" else [])
    bought = hand_overs.shop(stable_id=ben, cycle_id=club.season.cycles.get().pk)
    assert bool(bought) == (scope == "everything")
    assert hand_overs.spent_under(made) <= 300
    assert LedgerEntry.objects.filter(cause="purchase", parameters__hand_over=made.pk).count() == len(bought)


def test_what_the_ai_cannot_do_keeps_nobody_from_playing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(**names: Any) -> None:
        post(stable_id=names["stable_id"], movements=[Movement(-10, "repair", "one")])
        raise SeasonRefused("spending_limit_reached", left=0)

    monkeypatch.setattr(hand_overs.owners, "prepare", refuses)
    monkeypatch.setattr(hand_overs.owners, "shop", refuses)
    duel = club.fixture("anna", "ben")
    made = away(club, scope="everything")
    run_pending()
    assert duel.sides.get(side="blue").line_up.source == "hand_over"
    assert hand_overs.shop(stable_id=club.stable_id("ben"), cycle_id=club.round.cycle_id) == []
    assert hand_overs.spent_under(made) == 0


def test_the_jobs_of_a_cycle_shop_and_nominate_for_who_handed_over_everything(club: Club) -> None:
    ben, cycle = club.stable_id("ben"), club.season.cycles.get()
    club.round.delete()
    Cycle.objects.update(state=Cycle.State.MARKET, started_with=None, rounds_planned=None)
    for asset in Asset.objects.filter(stable=ben).order_by("-kind"):
        trading.sell(stable_id=ben, asset_id=asset.pk)
    made = away(club, scope="everything", spending_limit=600)
    enqueue("stables.start_cycle", {"season": club.season.pk, "cycle": cycle.pk})
    run_pending()
    assert 0 < hand_overs.spent_under(made) <= 600
    sources = {side.stable_id: side.line_up.source for side in FixtureSide.objects.filter(line_up__isnull=False)}
    assert sources == {ben: "hand_over", club.stable_id("machines"): "owner"}


# --- seats ------------------------------------------------------------------------------------------------------------


def test_a_seat_goes_to_the_bot_during_a_match_and_comes_back(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    people = [("red", club.people["anna"].pk, ""), ("blue", club.people["ben"].pk, "")]
    assert sides_of(duel) == people
    made = away(club)
    run_pending()
    assert sides_of(duel) == [people[0], ("blue", None, BOT)]
    hand_overs.take_back(stable_id=club.stable_id("ben"), hand_over_id=made.pk)
    run_pending()
    assert sides_of(duel) == people


def test_the_seat_comes_back_when_the_time_is_over_and_the_owner_is_told(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    made = away(club, hours=1)
    run_pending()
    assert sides_of(duel)[1] == ("blue", None, BOT)
    later = timezone.now() + 2 * HOUR
    monkeypatch.setattr(timezone, "now", lambda: later)
    Job.objects.update(not_before=None)
    run_pending()
    assert sides_of(duel)[1] == ("blue", club.people["ben"].pk, "")
    notice = Notice.objects.get(user__username="ben")
    assert notice.code == "hand_over_ended"
    assert notice.url == reverse("stables:hand_over_summary", args=[club.season.slug, made.stable.slug, made.pk])


def test_with_both_away_the_bots_play_both_sides(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="table")
    away(club, "anna")
    away(club, "ben")
    run_pending()
    duel.refresh_from_db()
    assert duel.state == "settled"
    assert {source for source in LineUp.objects.values_list("source", flat=True)} == {"hand_over"}


def test_a_table_that_both_owners_sat_down_at_stays_a_table(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="table")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    away(club)
    run_pending()
    duel.refresh_from_db()
    assert (duel.match, duel.state) == (None, "sealed")
    assert seating_of(Fixture.objects.select_related("round__cycle__season").get(pk=duel.pk)).mode == "table"


def test_a_table_for_which_the_ai_handed_in_is_played_in_the_browser(club: Club) -> None:
    duel = club.fixture("anna", "ben", mode="table")
    away(club)
    run_pending()
    club.hand_in(duel, "anna")
    run_pending()
    assert sides_of(duel) == [("red", club.people["anna"].pk, ""), ("blue", None, BOT)]


def test_a_bot_in_the_seat_decides_at_once(club: Club) -> None:
    duel = club.fixture("anna", "ben")
    club.hand_in(duel, "anna", "ben")
    run_pending()
    duel.refresh_from_db()
    match = duel.match
    assert match is not None
    for name in ("anna", "ben"):
        made = away(club, name)
        run_pending()
        # Only one is away, so the match waits for the other, and for nobody else.
        match.refresh_from_db()
        assert not match.is_finished
        hand_overs.take_back(stable_id=club.stable_id(name), hand_over_id=made.pk)
        run_pending()
    match.refresh_from_db()
    # Whoever had the first decision was away once, so the bot has decided.
    assert match.last_sequence > 0


def test_a_hand_over_of_a_season_that_is_over_harms_nobody(club: Club) -> None:
    away(club)
    Season.objects.filter(pk=club.season.pk).update(state=Season.State.FINISHED)
    run_pending()
    assert not LineUp.objects.exists()


@pytest.mark.parametrize(("scope", "begins"), [("everything", True), ("play_and_repair", False)])
def test_a_market_waits_for_nobody_whose_ai_shops(club: Club, scope: str, begins: bool) -> None:
    club.round.delete()
    Cycle.objects.update(state=Cycle.State.MARKET, started_with=None, rounds_planned=None)
    for name in ("anna", "carla"):
        say_ready(stable_id=club.stable_id(name))
    assert not Job.objects.filter(name="stables.start_cycle").exists()
    away(club, scope=scope)
    run_pending(limit=1)
    assert Job.objects.filter(name="stables.start_cycle").exists() == begins
