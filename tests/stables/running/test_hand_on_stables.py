"""The organisers' hand on a stable of a running season: withdrawn, given to the AI and back, always with a reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from people.models import Notice
from people.text.notices import notice_sentence
from rules.campaign.season.hand import may_decide_about
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import HandOver, LogEntry, SeasonRole, Stable
from stables.selectors.seating import seating_of
from stables.services.running import stables
from stables.text.log import log_sentence
from tests.markup import closed_up
from tests.stables.duels import Club

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def code_of(call: Callable[..., Any], **values: Any) -> str:
    with pytest.raises((SeasonRefused, Malformed)) as refused:
        call(**values)
    return refused.value.code


def act(name: str, club: Club, of: str = "ben", by: str = "organiser", **values: Any) -> Any:
    if name == "hand_to_ai":
        values.setdefault("ends_at", timezone.now() + timedelta(days=2))
    user = club.people[by]
    return getattr(stables, name)(stable_id=club.stable_id(of), reason="agreed", user=user, **values)


# While it runs --------------------------------------------------------------------------------------------------------


def test_an_organiser_withdraws_a_stable_and_its_owner_reads_why(club: Club) -> None:
    fixture = club.fixture("anna", "ben")
    act("withdraw", club)
    assert Stable.objects.get(pk=club.stable_id("ben")).left_in_cycle == 1
    assert fixture.sides.get(stable=club.stable_id("ben")).forfeits == "left"
    line = LogEntry.objects.get(code="stable_withdrawn")
    assert (line.parameters["reason"], line.actor) == ("agreed", club.people["organiser"])
    assert {(each.user.username, each.code) for each in Notice.objects.all()} == {
        ("anna", "stable_left"), ("carla", "stable_left"), ("ben", "stable_withdrawn"),
    }  # fmt: skip
    assert code_of(act, name="withdraw", club=club) == "stable_has_left"


def test_an_organiser_hands_a_stable_to_the_ai_and_gives_it_back(club: Club) -> None:
    fixture = club.fixture("anna", "ben")
    act("hand_to_ai", club, spending_limit=100)
    assert [seat.holder for seat in seating_of(fixture).seats] == ["person", "hand_over"]
    assert HandOver.objects.get().spending_limit == 100
    assert Notice.objects.get().code == "stable_handed_to_ai"
    act("take_back_from_ai", club)
    assert [seat.holder for seat in seating_of(fixture).seats] == ["person", "person"]
    assert list(Notice.objects.order_by("id").values_list("user__username", "code")) == [
        ("ben", "stable_taken_from_ai"),
    ]  # fmt: skip
    assert code_of(act, name="take_back_from_ai", club=club) == "not_handed_over"
    assert code_of(act, name="hand_to_ai", club=club, of="machines") == "nobody_to_stand_in_for"


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"spending_limit": 100}, "play and repair. It may spend 100 Stones at most."),
        ({"scope": "everything"}, "everything. It may spend all your Stones."),
        ({"scope": "play"}, "play. It may spend 0 Stones at most."),
    ],
)
def test_the_owner_reads_until_when_and_what_the_ai_may_do_and_the_log_keeps_the_stones_secret(
    club: Club, terms: dict[str, Any], said: str
) -> None:
    until = datetime(2027, 3, 5, 18, 30, tzinfo=UTC)
    act("hand_to_ai", club, ends_at=until, now=until - timedelta(days=2), **terms)
    notice, line = Notice.objects.get(), LogEntry.objects.get(code="stable_handed_to_ai")
    with timezone.override(ZoneInfo("Europe/Berlin")):
        told = closed_up(notice_sentence(notice.code, notice.parameters))
        logged = closed_up(log_sentence(line.code, line.parameters))
    assert "19:30" in told
    assert "19:30" in logged
    assert f"It does this: {said}" in told
    assert f"to do this: {said.split('.')[0]}." in logged
    assert "limit" not in line.parameters
    before = {"season": "Cup", "stable": "Ash", "reason": "agreed"}
    assert "over to the AI (agreed)." in closed_up(notice_sentence(notice.code, before))
    assert closed_up(log_sentence(line.code, before)).endswith("over to the AI: agreed")


# An organiser who plays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actor", "owner", "organisers", "players", "may"),
    [
        (1, 2, {1}, {2, 3}, True),
        (1, 2, {1, 4}, {1, 2}, False),
        (1, None, {1, 4}, {1, 2}, False),
        (1, 1, {1, 4}, {1, 2}, True),
        (1, 2, {1}, {1, 2}, True),
        (1, 2, {1, 4}, {1, 2, 4}, True),
    ],
)
def test_an_organiser_who_plays_leaves_rivals_to_another_one(
    actor: int, owner: int | None, organisers: set[int], players: set[int], may: bool
) -> None:
    assert may_decide_about(actor, owner, organisers, players) is may


@pytest.mark.parametrize("name", ["withdraw", "hand_to_ai", "take_back_from_ai"])
def test_a_playing_organiser_decides_nothing_about_a_rival(club: Club, name: str) -> None:
    SeasonRole.objects.create(season=club.season, user=club.people["anna"], role="co_organiser")
    assert code_of(act, name=name, club=club, by="anna") == "organiser_takes_part"
    assert code_of(act, name=name, club=club, of="machines", by="anna") == "organiser_takes_part"
    assert not LogEntry.objects.filter(code__in=["stable_withdrawn", "stable_handed_to_ai"]).exists()
    if name == "withdraw":
        act(name, club, of="anna", by="anna")
        assert Stable.objects.get(pk=club.stable_id("anna")).left_in_cycle == 1
