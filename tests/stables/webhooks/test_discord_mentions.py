"""Mentions of those who must act: of the accounts that stand there when a message goes out, and of nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from people.services import leaving
from stables.models import Delivery, Fixture, Season
from stables.services.base import log
from stables.text.discord import CONTENT, length
from tests.stables.webhooks.receiver import Receiver, receiver
from tests.stables.webhooks.test_discord_messages import NUMBER, channel, contents, fixtures, give
from tests.stables.webhooks.test_webhooks import fresh, run_due

__all__ = ["channel", "fixtures", "receiver"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_message_names_the_stables_that_must_act_and_mentions_their_people_alone(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    ash, birch, cedar, _ = season.stables.order_by("number")
    give(ash, discord_id=NUMBER)
    give(birch, "bea")
    asks = [ash.pk, birch.pk, cedar.pk]
    values = {"stable": f"@everyone <@{'9' * 18}>", "absent": "Ash", "date": "2027-04-01 12:00 UTC"}
    log.record(fresh(season), "no_show_claimed", values, fixture=fixtures[0], asks=asks)
    run_due()
    (message,) = receiver.documents()
    # The AI needs no reminder.
    assert message["content"].endswith(f"It is up to Ash <@{NUMBER}>, Birch now.")
    assert message["content"].startswith(f"\\@everyone \\<\\@{'9' * 18}\\> says that Ash did not come.")
    assert message["allowed_mentions"] == {"parse": [], "users": [NUMBER]}


def test_the_account_is_the_one_that_stands_there_when_the_message_goes_out(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    ash = season.stables.get(number=1)
    person = give(ash)
    for discord_id in ("1" * 17, ""):
        log.record(fresh(season), "no_show_claimed", {"stable": "Elm"}, fixture=fixtures[0], asks=[ash.pk])
        get_user_model().objects.filter(pk=person.pk).update(discord_id=discord_id)
        run_due()
    assert [document["allowed_mentions"] for document in receiver.documents()] == [
        {"parse": [], "users": ["1" * 17]},
        {"parse": []},
    ]
    assert "1" * 17 not in str(list(Delivery.objects.values_list("document", flat=True)))


def test_who_deleted_the_account_is_mentioned_no_more(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    ash = season.stables.get(number=1)
    person = give(ash, discord_id=NUMBER)
    log.record(fresh(season), "no_show_claimed", {"stable": "Elm"}, fixture=fixtures[0], asks=[ash.pk])
    leaving.leave(person, "secret words")
    run_due()
    assert NUMBER not in receiver.sent[-1].body.decode()


def test_the_longest_reason_leaves_room_for_those_who_must_act(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    ash = season.stables.get(number=1)
    give(ash, discord_id=NUMBER)
    values = {"stable": "Elm", "round": 1, "reason": "*" * 5000}
    log.record(fresh(season), "result_reopened", values, fixture=fixtures[0], asks=[ash.pk])
    run_due()
    (text,) = contents(receiver)
    assert length(text) <= CONTENT
    assert text.endswith(f"… It is up to Ash <@{NUMBER}> now.")
