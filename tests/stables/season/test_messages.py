"""A season's own page, and messages to all: who writes, who reads, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from people.models import Notice
from people.services import mails
from people.services.accounts import TooOften
from people.text.notices import notice_sentence
from rules.wording.isolation import LAST
from stables.models import LogEntry, Season, SeasonRole, Stable, StandIn, WaitingPlace
from stables.services.season import messages, seasons
from stables.services.season.visibility import change_visibility
from stables.text import discord
from stables.text.log import log_sentence
from tests.stables.conftest import open_with
from tests.stables.running.test_hand_on_stables import code_of
from tests.stables.season.test_organising import client_of
from tests.stables.shown_again import says
from web.bounds import MOST_MESSAGES

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PEOPLE = ("organiser", "owner", "waits", "gone", "removed", "spectator")


@pytest.fixture
def people(db: None) -> dict[str, Any]:
    return {name: get_user_model().objects.create_user(name, f"{name}@example.org", "-") for name in PEOPLE}


@pytest.fixture
def season(release: Any, people: dict[str, Any]) -> Season:
    season = open_with(release, ["Machines"])
    Season.objects.filter(pk=season.pk).update(organiser=people["organiser"])
    for name in ("organiser", "owner", "gone", "removed"):
        seasons.found_stable(season_id=season.pk, name=f"Works of {name}", owner=people[name])
    Stable.objects.filter(owner=people["gone"]).update(left_in_cycle=1)
    Stable.objects.filter(owner=people["removed"]).update(removed_at=season.created_at)
    WaitingPlace.objects.create(season=season, user=people["waits"])
    return Season.objects.get(pk=season.pk)


# The page -------------------------------------------------------------------------------------------------------------


def test_a_page_is_written_logged_and_removed(season: Season, people: dict[str, Any]) -> None:
    assert messages.write_page(season_id=season.pk, text=" # Here\r\nat \u202eeight\x00 ", actor=people["owner"]) == (
        "# Here\nat eight"
    )
    messages.write_page(season_id=season.pk, text="# Here\nat eight")
    messages.write_page(season_id=season.pk, text=" \u200b ")
    codes = LogEntry.objects.filter(code__startswith="season_page").order_by("id").values_list("code", flat=True)
    assert list(codes) == ["season_page_changed", "season_page_removed"]
    season.refresh_from_db()
    assert season.page == ""
    assert code_of(messages.write_page, season_id=season.pk, text="x" * 8001) == "page_too_long"


def test_all_in_the_season_hear_that_the_page_changed_once_until_they_read_it(
    season: Season, people: dict[str, Any]
) -> None:
    for text in ("Here", "There", ""):
        messages.write_page(season_id=season.pk, text=text, actor=people["organiser"])
    told = Notice.objects.filter(code="season_page_changed")
    assert sorted(told.values_list("user__username", "asks")) == [("owner", False), ("waits", False)]
    told.update(read_at=season.created_at)
    messages.write_page(season_id=season.pk, text="At eight", actor=people["organiser"])
    assert told.count() == 4
    Season.objects.filter(pk=season.pk).update(state=Season.State.DRAFT)
    Notice.objects.all().delete()
    messages.write_page(season_id=season.pk, text="At nine", actor=people["organiser"])
    assert not told.exists()


def test_who_reads_between_many_changes_gets_no_notice_beyond_the_limit_and_the_changes_go_through(
    season: Season, people: dict[str, Any]
) -> None:
    told = Notice.objects.filter(code="season_page_changed")
    read = told.filter(user=people["owner"], read_at=None)

    def change(number: int) -> None:
        messages.write_page(season_id=season.pk, text=f"Text {number}", actor=people["organiser"])

    for number in range(MOST_MESSAGES):
        read.update(read_at=season.created_at)
        change(number)
    read.update(read_at=season.created_at)
    older = told.get(user=people["waits"])
    for number in range(MOST_MESSAGES, MOST_MESSAGES + 2):
        change(number)
    assert told.filter(user=people["owner"]).count() == MOST_MESSAGES
    assert told.get(user=people["waits"]).pk > older.pk, "the newest still takes the place of an unread one"
    season.refresh_from_db()
    assert season.page == f"Text {MOST_MESSAGES + 1}"
    assert LogEntry.objects.filter(code="season_page_changed").count() == MOST_MESSAGES + 2


def test_many_changes_of_the_page_do_not_hide_one_of_the_visibility(season: Season, people: dict[str, Any]) -> None:
    for number in range(MOST_MESSAGES + 1):
        messages.write_page(season_id=season.pk, text=f"Text {number}", actor=people["organiser"])
    change_visibility(season_id=season.pk, visibility="private", actor=people["organiser"])
    told = Notice.objects.filter(code="visibility_private").values_list("user__username", flat=True)
    assert sorted(told) == ["owner", "waits"]


def test_everybody_reads_the_page_and_organisers_write_it(season: Season, people: dict[str, Any]) -> None:
    write, read = (reverse(f"stables:{name}", args=[season.slug]) for name in ("write_page", "own_page"))
    assert read not in client_of(None).get(season.get_absolute_url()).content.decode()
    assert client_of(None).get(read).status_code == 200
    organiser = client_of(people["organiser"])
    long = "# Prizes\n" + "x" * 8000
    refused = organiser.post(write, {"text": long})
    assert (refused.status_code, says(refused, "page_too_long")) == (400, True)
    assert long in refused.content.decode(), "nothing that was typed is lost"
    assert organiser.post(write, {"text": "# Prizes\n[shop](https://example.org)"}).url == read
    shown = client_of(None).get(read).content.decode()
    assert "<h2>Prizes</h2>" in shown
    assert "Write the page" not in shown
    assert read in client_of(None).get(season.get_absolute_url()).content.decode()
    for person, status in ((None, 302), ("owner", 403), ("spectator", 403)):
        client = client_of(people.get(str(person)))
        assert client.get(write).status_code == client.post(write, {"text": "Mine"}).status_code == status
    assert "# Prizes" in organiser.get(write).content.decode()


def test_of_two_who_change_the_page_together_the_second_reads_both_texts(
    season: Season, people: dict[str, Any]
) -> None:
    organiser, address = client_of(people["organiser"]), reverse("stables:write_page", args=[season.slug])
    seen = organiser.get(address).context["form"]["seen"].value()
    assert organiser.post(address, {"text": "First", "seen": seen}).status_code == 302
    second = organiser.post(address, {"text": "Second", "seen": seen})
    assert (second.status_code, says(second, "page_changed")) == (409, True)
    shown = second.content.decode()
    assert "Second</textarea>" in shown
    assert "First</pre>" in shown
    season.refresh_from_db()
    assert season.page == "First"
    now = second.context["form"]["seen"].value()
    assert organiser.post(address, {"text": "Second", "seen": now}).status_code == 302
    season.refresh_from_db()
    assert season.page == "Second"
    assert organiser.post(address, {"text": "Second", "seen": seen}).status_code == 302, "the same text changes nothing"


# Messages -------------------------------------------------------------------------------------------------------------


def test_a_message_reaches_all_who_take_part_or_wait_once(season: Season, people: dict[str, Any]) -> None:
    text = "Half past,\n\nnot  eight: bring “dice”, https://example.org"
    assert messages.write_to_all(season_id=season.pk, text=text, actor=people["organiser"]) == 2
    notices = Notice.objects.filter(code="season_message").order_by("user")
    assert [each.user for each in notices] == [people["owner"], people["waits"]]
    said = notice_sentence("season_message", notices[0].parameters)
    assert said.endswith("write: “Half past, not eight: bring dice, …”"), "a stranger's links are no links in mails"
    line = LogEntry.objects.get(code="season_message")
    assert line.actor == people["organiser"]
    assert log_sentence(line.code, line.parameters).endswith("bring “dice”, https://example.org")


def test_a_message_reaches_referees_other_organisers_and_open_stand_ins(season: Season, people: dict[str, Any]) -> None:
    SeasonRole.objects.create(season=season, user=people["spectator"], role="referee")
    stable, now = Stable.objects.get(owner=people["owner"]), timezone.now()
    about = {"stable": stable, "reason": "ill"}
    StandIn.objects.create(user=people["gone"], until=now + timedelta(hours=3), **about)
    StandIn.objects.create(user=people["removed"], until=now - timedelta(hours=3), **about)
    StandIn.objects.create(user=people["spectator"], until=now + timedelta(hours=3), **about)
    assert messages.write_to_all(season_id=season.pk, text="Hall closed", actor=people["waits"]) == 4
    told = Notice.objects.filter(code="season_message").order_by("user").values_list("user__username", flat=True)
    assert list(told) == ["organiser", "owner", "gone", "spectator"]


def test_a_message_is_mailed_at_once_to_those_who_want_that(season: Season, people: dict[str, Any]) -> None:
    get_user_model().objects.filter(pk=people["waits"].pk).update(mail_messages=False)
    messages.write_to_all(season_id=season.pk, text="Not tonight.", actor=people["organiser"])
    assert [person for person, _newest in mails.waiting_now()] == [people["owner"].pk]


def test_a_message_mentions_nobody_on_discord_and_turns_nothing_around_it(season: Season) -> None:
    messages.write_to_all(season_id=season.pk, text="@everyone **loud** \u05d0\u05d1")
    line = LogEntry.objects.get(code="season_message")
    posted = "".join(discord.news(line.code, line.parameters))
    assert "\\@everyone \\*\\*loud" in posted
    assert posted.endswith(LAST)


@pytest.mark.parametrize("text", ["", " \u200b\n", "x" * 1001])
def test_a_message_says_something_and_is_short(season: Season, text: str) -> None:
    assert code_of(messages.write_to_all, season_id=season.pk, text=text) == "message_missing"
    assert not Notice.objects.filter(code="season_message").exists()


def test_nobody_is_written_to_in_a_draft_or_alone(season: Season, people: dict[str, Any]) -> None:
    Season.objects.filter(pk=season.pk).update(state="draft")
    assert code_of(messages.write_to_all, season_id=season.pk, text="Hello") == "nobody_to_write_to"
    Season.objects.filter(pk=season.pk).update(state="finished")
    assert messages.write_to_all(season_id=season.pk, text="Hello") == 3
    WaitingPlace.objects.all().delete()
    Stable.objects.update(owner=None)
    alone = people["organiser"]
    assert code_of(messages.write_to_all, season_id=season.pk, text="Hello", actor=alone) == "nobody_to_write_to"


def test_messages_of_an_hour_are_bounded_and_nothing_typed_is_lost(season: Season, people: dict[str, Any]) -> None:
    for number in range(MOST_MESSAGES):
        messages.write_to_all(season_id=season.pk, text=f"Message {number}", actor=people["organiser"])
    with pytest.raises(TooOften):
        messages.write_to_all(season_id=season.pk, text="One more")
    address = reverse("stables:write_to_all", args=[season.slug])
    shown = client_of(people["organiser"]).post(address, {"text": "One more"})
    assert shown.status_code == 429
    assert "One more</textarea>" in shown.content.decode()
    assert Notice.objects.filter(code="season_message").count() == 2 * MOST_MESSAGES
    assert client_of(people["owner"]).post(address, {"text": "Mine"}).status_code == 403
