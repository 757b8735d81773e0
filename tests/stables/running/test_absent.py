"""Acts for several absent stables: each is done for itself, and the answer names those that refused it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from people.models import Notice
from people.services.accounts import TooOften
from people.text.notices import notice_sentence
from stables.models import Asset, Cycle, Fixture, LedgerEntry, LineUp, LogEntry, Round, SeasonRole, Stable
from stables.selectors.absent import awaited
from stables.services.running import absent
from stables.text.log import log_sentence
from tests.markup import closed_up
from tests.stables.duels import Club
from tests.stables.running.test_hand_on_stables import code_of
from web.bounds import MOST_MESSAGES
from web.moments import worded_moment

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LATER = timezone.now() + timedelta(days=3)


@pytest.fixture
def club(club: Club) -> Club:
    """Anna has to hand in against Ben, who has; Carla, too, against the AI."""
    fixture = club.fixture("anna", "ben")
    club.fixture("carla", "machines")
    club.hand_in(fixture, "ben")
    return club


def act(club: Club, name: str, *stables: str, by: str = "organiser", **values: Any) -> absent.Done:
    ids = [club.stable_id(each) for each in stables or ("anna", "ben", "carla", "machines")]
    values = {"reason": "ill", "until": LATER, **values}
    return absent.act_for(season_id=club.season.pk, act=name, stable_ids=ids, user=club.people[by], **values)


def names(done: absent.Done) -> tuple[list[str], list[tuple[str, str]]]:
    short = [each.name.removeprefix("Stable of ") for each in done.stables]
    return short, sorted((each.stable.name.removeprefix("Stable of "), each.code) for each in done.refused)


NOT_AWAITED = [("ben", "stable_not_awaited"), ("machines", "stable_not_awaited")]


def test_a_season_waits_for_line_ups_then_for_matches_then_for_nobody(club: Club) -> None:
    def waits() -> list[tuple[str, str]]:
        return [(each.stable.name.removeprefix("Stable of "), each.what) for each in awaited(club.season)]

    assert waits() == [("anna", "line_up"), ("carla", "line_up")]
    club.hand_in(Fixture.objects.get(number=1), "anna")
    assert waits() == [("anna", "match"), ("ben", "match"), ("carla", "line_up")]
    Fixture.objects.filter(number=1).update(mode="ai")
    assert waits() == [("carla", "line_up")]
    Cycle.objects.update(state="market")
    Stable.objects.filter(pk=club.stable_id("ben")).update(ready_for="market:1")
    assert waits() == [("anna", "market"), ("carla", "market")]


def test_the_reminder_of_the_market_names_its_cycle_and_its_end(club: Club) -> None:
    closes = datetime(2027, 3, 5, 18, 30, tzinfo=UTC)
    Cycle.objects.update(state="market", market_closes_at=closes)
    act(club, "remind", "anna", reason="")
    notice = Notice.objects.get(code="reminder_market")
    assert notice.due_at == closes
    with timezone.override(ZoneInfo("Europe/Berlin")):
        said = closed_up(notice_sentence(notice.code, notice.parameters))
    assert "the market of cycle 1, open until" in said
    assert "19:30" in said
    assert "the market waits for you." in closed_up(notice_sentence(notice.code, {"season": "Cup"}))


def test_reminders_go_to_those_who_are_awaited(club: Club) -> None:
    assert names(act(club, "remind", reason="")) == (["anna", "carla"], NOT_AWAITED)
    notices = Notice.objects.filter(code="reminder_line_up")
    assert {each.user.username for each in notices} == {"anna", "carla"}
    assert LogEntry.objects.get(code="stable_reminded").parameters == {"stables": ["Stable of anna", "Stable of carla"]}
    for _ in range(MOST_MESSAGES - 1):
        act(club, "remind", "anna")
    with pytest.raises(TooOften):
        act(club, "remind", "anna")


def test_reminders_say_which_match_how_where_and_until_when(club: Club) -> None:
    def said(code: str) -> str:
        return notice_sentence(code, Notice.objects.get(code=code, user=club.people["anna"]).parameters)

    until = timezone.now() + timedelta(hours=5)
    Round.objects.filter(pk=club.round.pk).update(line_ups_due_at=until, play_due_at=until + timedelta(hours=1))
    act(club, "remind", "anna", reason="")
    told = said("reminder_line_up")
    assert "Stable of anna – Stable of ben" in told
    assert f"until {worded_moment(until.isoformat())}. Format: Standard. Arena: " in told
    assert Notice.objects.get(code="reminder_line_up", user=club.people["anna"]).due_at == until
    club.hand_in(Fixture.objects.get(number=1), "anna")
    act(club, "remind", "anna", reason="")
    told = said("reminder_match")
    assert "Stable of anna – Stable of ben" in told
    assert f"by {worded_moment((until + timedelta(hours=1)).isoformat())}. Format: Standard. Arena: " in told


def test_line_ups_are_handed_in_and_the_impossible_one_is_named_and_does_not_forfeit(club: Club) -> None:
    Asset.objects.filter(stable=club.stable_id("carla")).update(sold_at=timezone.now())
    assert names(act(club, "line_up")) == (["anna"], sorted([*NOT_AWAITED, ("carla", "nothing_to_field")]))
    assert Fixture.objects.get(number=1).state == "sealed"
    assert not Fixture.objects.get(number=2).sides.exclude(forfeits="").exists()
    line = LogEntry.objects.get(code="stable_lined_up")
    assert line.parameters["stable"] == "Stable of anna"
    told = Notice.objects.get(code="stable_lined_up")
    assert told.user.username == "anna"
    assert " for Stable of anna – Stable of ben, round 1: " in notice_sentence(told.code, told.parameters)
    assert log_sentence(line.code, line.parameters).startswith("Round 1, Stable of anna – Stable of ben: an organiser ")


def test_matches_get_more_time_once_each(club: Club) -> None:
    LineUp.objects.all().delete()
    assert names(act(club, "extend")) == (["anna", "ben", "carla"], [("machines", "stable_not_awaited")])
    assert set(Fixture.objects.values_list("excused_until", flat=True)) == {LATER}
    assert LogEntry.objects.filter(code="fixture_excused").count() == 2
    again = act(club, "extend", "anna", "carla")
    assert names(again) == ([], [("anna", "excuse_no_longer"), ("carla", "excuse_no_longer")])


def test_the_ai_repairs_for_half_of_the_stones(club: Club) -> None:
    anna = club.stable_id("anna")
    Asset.objects.filter(stable=anna, kind="unit").update(damage=1)
    before = Stable.objects.get(pk=anna).capital
    assert names(act(club, "repair", "anna", "carla")) == (["anna"], [("carla", "no_repair_needed")])
    paid = -sum(LedgerEntry.objects.filter(stable=anna, cause="repair").values_list("amount", flat=True))
    assert 0 < paid <= before // 2
    notice = Notice.objects.get(code="stable_repaired")
    assert (notice.user.username, notice.parameters["price"]) == ("anna", paid)
    assert "price" not in LogEntry.objects.get(code="stable_repaired").parameters
    assert Stable.objects.get(pk=anna).capital == before - paid


def test_nothing_is_prepared_in_a_market(club: Club) -> None:
    Cycle.objects.update(state="market")
    for name in ("extend", "repair", "line_up"):
        assert names(act(club, name, "anna")) == ([], [("anna", "no_match_to_prepare")])
    assert names(act(club, "remind", "anna")) == (["anna"], [])


def test_only_an_impartial_organiser_acts(club: Club) -> None:
    with pytest.raises(PermissionDenied):
        act(club, "line_up", by="anna")
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role="co_organiser")
    assert names(act(club, "line_up", "carla", by="anna")) == ([], [("carla", "organiser_takes_part")])
    assert names(act(club, "extend", "anna", by="anna")) == ([], [("anna", "organiser_owns_side")])
    values = {"club": club, "name": "extend", "by": "organiser"}
    assert code_of(act, **values, reason=" ") == "reason_missing"
    assert code_of(act, **values, until=None) == "bad_field"
    assert code_of(act, **{**values, "name": "feed"}) == "bad_field"
    done = {"season_id": club.season.pk, "act": "remind", "user": club.people["organiser"]}
    assert code_of(absent.act_for, stable_ids=[0], **done) == "nobody_chosen"
