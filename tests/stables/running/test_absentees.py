"""What organisers choose for an absent stable: the AI, a new date, a forfeit, and a bye only if it is its turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from people.models import Notice
from people.text.notices import notice_sentence
from stables.models import Fixture, FixtureSide, HandOver, LogEntry, Round
from stables.services.running import absentees
from stables.text.log import log_sentence
from tests.markup import closed_up
from tests.stables.duels import Club
from tests.stables.running.test_hand_on_stables import code_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LATER = timezone.now() + timedelta(days=3)


@pytest.fixture
def club(club: Club) -> Club:
    club.fixture("anna", "ben")
    return club


def choose(club: Club, choice: str, of: str = "anna", by: str = "organiser", **values: Any) -> absentees.Chosen:
    values = {"reason": "ill", "until": LATER, **values}
    return absentees.choose(stable_id=club.stable_id(of), choice=choice, user=club.people[by], **values)


def bye(club: Club, name: str, **values: Any) -> Fixture:
    return club.fixture(name, kind="bye", arena_key="", mode="ai", state="settled", **values)


def test_the_ai_stands_in_for_half_of_the_stones(club: Club) -> None:
    capital = club.stables["anna"].capital
    choose(club, "stand_in")
    held = HandOver.objects.get(stable=club.stable_id("anna"))
    assert (held.ends_at, held.spending_limit, held.scope) == (LATER, capital // 2, "play_and_repair")


def test_the_match_gets_a_new_date_or_is_forfeited(club: Club) -> None:
    choose(club, "new_date")
    assert Fixture.objects.get().excused_until == LATER
    choose(club, "forfeit")
    assert FixtureSide.objects.get(stable=club.stable_id("anna")).forfeits == "no_show"


@pytest.mark.parametrize(("reason", "said"), [
    ("#no_show", "did not come"), ("#no_show: asleep", "did not come: asleep"), ("asleep", "did not come: asleep"),
    ("#agreed", "did not come: agreed"),
])  # fmt: skip
def test_o_9_2_log_and_notices_of_a_forfeit_say_once_why(club: Club, reason: str, said: str) -> None:
    choose(club, "forfeit", reason=reason)
    line = LogEntry.objects.get(code="fixture_forfeit_declared")
    assert closed_up(log_sentence(line.code, line.parameters)).endswith(f"forfeit of Stable of anna: {said}.")
    for notice in Notice.objects.filter(code=line.code):
        assert closed_up(notice_sentence(notice.code, notice.parameters)).endswith(f"Stable of anna: {said}.")


def test_a_bye_goes_to_the_absent_stable_only_if_it_has_had_no_more(club: Club) -> None:
    assert code_of(choose, club=club, choice="bye") == "bye_not_due"
    free, earlier = bye(club, "carla"), Round.objects.create(cycle=club.round.cycle, number=7)
    before = Fixture.objects.create(round=earlier, number=1, kind="bye", state="settled")
    FixtureSide.objects.create(fixture=before, stable=club.stables["anna"], side="red")
    assert code_of(choose, club=club, choice="bye") == "bye_not_due"
    before.delete()
    choose(club, "bye")
    assert free.sides.get().stable_id == club.stable_id("anna")
    assert set(Fixture.objects.get(number=1).sides.values_list("stable", flat=True)) == {
        club.stable_id("carla"), club.stable_id("ben"),
    }  # fmt: skip


def test_choices_need_an_organiser_a_reason_and_a_match_that_waits(club: Club) -> None:
    with pytest.raises(PermissionDenied):
        choose(club, "forfeit", by="ben")
    for values, code in (
        ({"choice": "feed"}, "bad_field"),
        ({"choice": "forfeit", "reason": " "}, "reason_missing"),
        ({"choice": "new_date", "until": None}, "bad_field"),
        ({"choice": "forfeit", "of": "carla"}, "stable_not_awaited"),
    ):
        assert code_of(choose, club=club, **values) == code
    assert not FixtureSide.objects.exclude(forfeits="").exists()
