"""What Discord reads of real acts: moments in each reader's time, and the people who must act next."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from rules.campaign.season.appointments import GRACE
from stables.models import Delivery, Fixture, FixtureSide, Season, Stable, Webhook
from stables.selectors.webhooks.messages import message_of
from stables.services.base import deadlines, log, news
from stables.services.fixtures import no_shows, programs
from stables.services.line_ups import appointments
from stables.services.results import reports
from stables.services.season import calendar
from stables.services.standings import sudden_deaths
from tests.stables.duels import Club
from tests.stables.season_worlds import Enters
from tests.stables.standings.test_sudden_death import award, people, tied
from tests.stables.tabletop_matches import NOON, fixture_of, person, red_wins, sides_of

__all__ = ["people", "tied"]
pytestmark = pytest.mark.django_db
MET = datetime(2026, 11, 20, 12, tzinfo=UTC)
AGAIN = MET + timedelta(days=1)


def listen(season: Season) -> None:
    """Send the news of a season to a channel, and give everybody there an account of Discord."""
    Webhook.objects.create(season=season, url="https://a.example/", format=Webhook.Format.DISCORD, secret="whsec_")
    for each in get_user_model().objects.all():
        get_user_model().objects.filter(pk=each.pk).update(discord_id=str(10**17 + each.pk))


def said(code: str) -> tuple[str, list[str]]:
    """The newest message with this code: its text, and the names of the people that it mentions."""
    found = Delivery.objects.filter(code=code).select_related("webhook__season").latest("id")
    message = json.loads(message_of([found]).body)
    numbers = [int(number) - 10**17 for number in message["allowed_mentions"].get("users", [])]
    assert all(f"<@{10**17 + number}>" in message["content"] for number in numbers)
    return message["content"], sorted(
        get_user_model().objects.filter(pk__in=numbers).values_list("username", flat=True)
    )


def in_own_time(at: datetime, is_deadline: bool = False) -> str:
    seconds = int(at.timestamp())
    return f"<t:{seconds}:f>" + (f" (<t:{seconds}:R>)" if is_deadline else "")


def test_f_23_a_moved_deadline_and_an_agreed_date_are_in_each_readers_time(club: Club) -> None:
    listen(club.season)
    duel = club.fixture("anna", "ben")
    due = timezone.now() + timedelta(days=3)
    calendar.move_deadline(season_id=club.season.pk, what=deadlines.LINE_UPS, at=due)
    assert in_own_time(due, is_deadline=True) in said("deadline_moved")[0]
    at = timezone.now().replace(second=0, microsecond=0) + timedelta(hours=5)
    made = appointments.propose(stable_id=club.stable_id("anna"), fixture_id=duel.pk, at=at)
    appointments.accept(stable_id=club.stable_id("ben"), proposal_id=made.proposal_id)
    text, asked = said("date_agreed")
    assert in_own_time(at) in text
    assert asked == []
    assert not any(re.search(r"UTC|[0-9]{4}-[0-9]", said(code)[0]) for code in ("deadline_moved", "date_agreed"))


def test_who_did_not_come_and_then_who_may_choose(club: Club) -> None:
    listen(club.season)
    duel = club.fixture("anna", "ben", scheduled_at=MET)
    club.hand_in(duel, "anna", "ben")
    claim: dict[str, Any] = {"stable_id": club.stable_id("anna"), "fixture_id": duel.pk, "new_date": AGAIN}
    no_shows.claim(**claim, now=MET + GRACE)
    text, asked = said("no_show_claimed")
    assert in_own_time(AGAIN, is_deadline=True) in text
    assert asked == ["ben"]
    no_shows.claim(**claim, now=AGAIN + GRACE)
    assert said("no_show_claimed_again")[1] == ["anna"]


def test_who_must_consent_to_a_program(club: Club) -> None:
    listen(club.season)
    get_user_model().objects.create_user("robot", "robot@example.org", "-")
    programs.propose(stable_id=club.stable_id("anna"), username="robot")
    assert said("program_proposed")[1] == ["ben", "carla"]


def test_who_must_confirm_a_report(two_at_tables: Enters) -> None:
    season: Any = two_at_tables()
    listen(season)
    fixture = fixture_of(season)
    first, second = sides_of(fixture)
    reports.file_report(
        fixture_id=fixture.pk, stable_id=first.stable_id, document=red_wins(), user=first.stable.owner, now=NOON
    )
    assert second.stable.owner is not None
    assert said("report_filed")[1] == [second.stable.owner.username]
    reports.file_report(
        fixture_id=fixture.pk, stable_id=second.stable_id, document=red_wins(clicks=4), user=second.stable.owner,
        now=NOON,
    )  # fmt: skip
    assert first.stable.owner is not None
    owners = [first.stable.owner.username, second.stable.owner.username]
    assert said("report_disputed")[1] == sorted([*owners, "organiser", "referee"])


def test_who_stands_in_is_mentioned_beside_the_owner_and_so_is_who_decides(two_at_tables: Enters) -> None:
    season: Any = two_at_tables()
    double = person("double")
    listen(season)
    fixture = fixture_of(season)
    first, second = sides_of(fixture)
    FixtureSide.objects.filter(pk=second.pk).update(stand_in=double)
    about: dict[str, Any] = {"fixture_id": fixture.pk, "now": NOON}
    reports.file_report(stable_id=first.stable_id, document=red_wins(), user=first.stable.owner, **about)
    owners = [side.stable.owner.username for side in (first, second) if side.stable.owner is not None]
    assert said("report_filed")[1] == sorted([owners[1], "double"])
    reports.file_report(stable_id=second.stable_id, document=red_wins(clicks=4), user=double, **about)
    text, asked = said("report_disputed")
    assert asked == sorted([*owners, "double", "organiser", "referee"])
    assert text.endswith(f", referee <@{10**17 + person('referee').pk}> now.")


def test_a_round_that_was_paired_mentions_who_stands_in_for_the_evening(club: Club) -> None:
    listen(club.season)
    duel = club.fixture("anna", "ben")
    FixtureSide.objects.filter(fixture=duel, stable=club.stable_id("ben")).update(stand_in=club.people["spectator"])
    cycle = club.season.cycles.get()
    news.tell_pairings(cycle, club.round, [(1, [[club.stables["anna"]], [club.stables["ben"]]], "Factory")], None)
    assert said("round_paired")[1] == ["anna", "ben", "spectator"]


def test_a_choice_that_is_the_owners_mentions_nobody_who_stands_in(club: Club) -> None:
    listen(club.season)
    duel = Fixture.objects.select_related("round__cycle").get(pk=club.fixture("anna", "ben").pk)
    FixtureSide.objects.filter(fixture=duel).update(stand_in=club.people["spectator"])
    facts = {"stable": "Elm", "absent": "Ash", "date": "-"}
    for code, asked in (("no_show_claimed", ["anna", "spectator"]), ("no_show_claimed_again", ["anna"])):
        log.record(club.season, code, facts, fixture=duel, asks=[club.stable_id("anna")])
        assert said(code)[1] == asked


def test_who_must_come_to_the_one_new_date(club: Club) -> None:
    listen(club.season)
    duel = Fixture.objects.select_related("round__cycle__season").get(pk=club.fixture("anna", "machines").pk)
    people = list(Stable.objects.filter(fixture_sides__fixture=duel, is_ai=False).values_list("pk", flat=True))
    deadlines.give_new_date(duel, AGAIN, people)
    text, asked = said("fixture_extended")
    assert in_own_time(AGAIN, is_deadline=True) in text
    assert asked == ["anna"]


def test_who_must_appear_for_a_sudden_death_and_who_is_still_missing(tied: Season) -> None:
    listen(tied)
    award(tied)
    assert said("sudden_death_called")[1] == ["ada", "ben"]
    sudden_deaths.appear(stable_id=tied.stables.get(number=1).pk)
    until = sudden_deaths.call_last(season_id=tied.pk)
    text, asked = said("sudden_death_extended")
    found = re.search(r"<t:([0-9]+):f> \(<t:\1:R>\)", text)
    assert found is not None
    # The log may hold it to the minute.
    assert int(found[1]) // 60 == int(until.timestamp()) // 60
    assert asked == ["ben"]
