"""Messages for Discord: one for a round and not one for each match, in order, once, with mentions of those who act."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from jobs.models import Job
from jobs.services import run_pending
from stables.models import Cycle, Delivery, Fixture, Round, Season, Stable, Webhook
from stables.selectors.webhooks.messages import message_of
from stables.services.base import log, webhook_deliveries
from stables.services.fixtures import pairing
from stables.services.results import settlement
from stables.services.season import webhooks
from stables.text.discord import CONTENT, MOST_MENTIONS, length
from tests.stables.conftest import pair, type_in
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, say
from tests.stables.webhooks.test_webhooks import fresh, run_due
from webhooks.posting import Reply

__all__ = ["receiver"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]
NUMBER = "123456789012345678"


def listen(season: Season, receiver: Receiver, format_name: str = "discord", codes: tuple[str, ...] = ()) -> Webhook:
    made = webhooks.make(season=season, url=f"{receiver.url}{format_name}", format=format_name, codes=codes)
    Job.objects.all().delete()
    return made


@pytest.fixture
def channel(season: Season, receiver: Receiver) -> Webhook:
    return listen(season, receiver)


@pytest.fixture
def fixtures(season: Season, channel: Webhook) -> list[Fixture]:
    """The two matches of the first round; nothing was sent yet."""
    Season.objects.filter(pk=season.pk).update(state=Season.State.RUNNING)
    drawn = pairing.pair_round(cycle_id=Cycle.objects.get(season=season).pk, number=1)
    Job.objects.all().delete()
    Delivery.objects.all().delete()
    found = Fixture.objects.select_related("round__cycle__season").filter(pk__in=drawn.fixture_ids)
    return list(found.order_by("number"))


def give(stable: Stable, name: str = "ada", discord_id: str = "") -> Any:
    """Let a person run a stable."""
    person = get_user_model().objects.create_user(name, f"{name}@example.org", "secret words", discord_id=discord_id)
    Stable.objects.filter(pk=stable.pk).update(owner=person, is_ai=False)
    return person


def won(season: Season, fixture: Fixture, winner: str = "Ash") -> Delivery:
    values = {"round": 1, "winner": winner, "others": "Elm", "reputation": "9 : 1", "kills": "1 : 0"}
    entry = log.record(fresh(season), "match_won", values, cycle=fixture.round.cycle, fixture=fixture)
    return Delivery.objects.get(log_entry=entry)


def contents(receiver: Receiver) -> list[str]:
    return [document["content"] for document in receiver.documents()]


# The pairings of a round ---------------------------------------------------------------------------------------------


def test_f_w4_a_round_is_one_message_with_its_matches_arenas_format_deadline_and_players(
    season: Season, stocked: Season, receiver: Receiver
) -> None:
    listen(season, receiver, codes=("round_paired",))
    give(season.stables.get(number=1), discord_id=NUMBER)
    give(season.stables.get(number=2), "bea")
    pair(season)
    Job.objects.exclude(name=webhook_deliveries.JOB).delete()
    run_pending()
    (message,) = receiver.documents()
    called = Round.objects.get()
    head, *lines = message["content"].split("\n")
    due = called.line_ups_due_at
    when = "" if due is None else f" Line\\-ups are due <t:{int(due.timestamp())}:f> (<t:{int(due.timestamp())}:R>)."
    assert head == f"Round 1 of cycle 1 is paired. Standard, Featherweight \\(light\\).{when}"
    assert len(lines) == 2
    for fixture, line in zip(called.fixtures.order_by("number"), lines, strict=True):
        names = [side.stable.name for side in fixture.sides.order_by("id")]
        sides = " – ".join(f"{name} <@{NUMBER}>" if name == "Ash" else name for name in names)
        arena = season.release.entries.get(kind="arenas", key=fixture.arena_key).name
        assert line == f"Match {fixture.number}, arena {arena}\\: {sides}"
    assert message["allowed_mentions"] == {"parse": [], "users": [NUMBER]}
    (embed,) = message["embeds"]
    assert embed["url"] == f"http://localhost:8000/seasons/{season.slug}/?cycle=1"
    assert embed["footer"] == {"text": "Cycle 1"}


def test_programs_get_the_documents_that_they_know_and_nothing_of_discord(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    Webhook.objects.all().delete()
    listen(season, receiver, "generic")
    give(season.stables.get(number=1), discord_id=NUMBER)
    for fixture in fixtures:
        won(season, fixture)
    asks = list(season.stables.values_list("pk", flat=True))
    log.record(fresh(season), "no_show_claimed", {"stable": "Elm"}, fixture=fixtures[0], asks=asks)
    # Nothing waits for anything else: each piece of news is a document of its own.
    run_pending()
    assert [document["code"] for document in receiver.documents()] == ["match_won", "match_won", "no_show_claimed"]
    keys = {"id", "version", "code", "sentence", "parameters", "season", "cycle", "fixture", "time"}
    assert all(set(document) == keys for document in receiver.documents())
    assert NUMBER not in str(receiver.sent)


def long_round(season: Season, matches: int) -> Delivery:
    """Log a round with many matches, all of stables with the longest names that need most escaping."""
    stable = season.stables.get(number=1)
    sides = [[{"id": stable.pk, "name": "*" * 30}], [{"id": 0, "name": "_" * 30}]]
    pairings = {
        "round": 1,
        "format": "standard",
        "class": "light",
        "due": "2027-04-01T12:00:00+00:00",
        "matches": [{"number": number, "sides": sides, "arena": "Plaza"} for number in range(1, matches + 1)],
    }
    entry = log.record(
        fresh(season), "round_paired", {"cycle": 1, "round": 1}, cycle=season.cycles.get(), pairings=pairings
    )
    return Delivery.objects.get(log_entry=entry)


def test_a_long_round_takes_as_few_messages_as_it_can_and_a_failure_repeats_none_of_them(
    season: Season, channel: Webhook, receiver: Receiver
) -> None:
    give(season.stables.get(number=1), discord_id=NUMBER)
    receiver.answers = in_turn(204, 500, 204)
    delivery = long_round(season, 32)
    later = log.record(fresh(season), "season_paused")
    run_pending()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, 0 < delivery.lines_sent < 32) == ("waiting", 2, True)
    run_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.next_try_at) == ("delivered", None)
    assert Delivery.objects.get(log_entry=later).state == "delivered"
    # The second message came twice, as its first try was refused; in between, other news went out.
    texts = [text for text in contents(receiver) if "Match" in text]
    assert texts[1] == texts[2]
    parts = [texts[0], *texts[2:]]
    listed = [line for text in parts for line in text.split("\n")[1:]]
    assert [line.split(",")[0] for line in listed] == [f"Match {number}" for number in range(1, 33)]
    assert all(length(text) <= CONTENT for text in parts)
    # One line more would have been too long for each message but the last.
    assert all(length(text) + length(parts[1].split("\n")[1]) + 1 > CONTENT for text in parts[:-1])
    names = [sent.headers["Webhook-Id"] for sent in receiver.sent if b"Match" in sent.body]
    assert (names[1] == names[2], len(set(names))) == (True, len(parts))
    assert [text.split("\n")[0] for text in parts[1:]] == ["Round 1 of cycle 1, continued\\:"] * (len(parts) - 1)
    assert all(document["allowed_mentions"]["parse"] == [] for document in receiver.documents())
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_a_webhook_that_changes_to_documents_amid_a_round_gets_its_document(
    season: Season, channel: Webhook, receiver: Receiver
) -> None:
    receiver.answers = in_turn(204, 500, 204)
    delivery = long_round(season, 32)
    run_pending()
    webhooks.change(webhook=channel, format="generic")
    run_due()
    assert receiver.sent[-1].document["id"] == receiver.sent[-1].headers["Webhook-Id"] == str(delivery.public_id)
    delivery.refresh_from_db()
    assert delivery.state == "delivered"


def test_the_parts_of_a_long_round_follow_each_other_before_younger_news(
    season: Season, channel: Webhook, receiver: Receiver
) -> None:
    long_round(season, 40)
    log.record(fresh(season), "season_paused")
    run_pending()
    found = ["Match" in text for text in contents(receiver)]
    assert found == [True] * (len(found) - 1) + [False]
    assert len(found) > 3


def test_a_great_melee_is_divided_too_and_mentions_no_more_than_discord_takes(season: Season) -> None:
    accounts = get_user_model().objects
    accounts.bulk_create(
        accounts.model(username=name, name_key=name, email=f"{name}@example.org", discord_id=str(10**17 + number))
        for number, name in enumerate(f"p{number}" for number in range(150))
    )
    owners = accounts.filter(username__startswith="p").order_by("pk")
    made = Stable.objects.bulk_create(
        Stable(season=season, number=100 + number, name=f"S{number}", slug=f"s-{number}", owner=owner)
        for number, owner in enumerate(owners)
    )
    sides = [[{"id": each.pk, "name": each.name}] for each in made]
    pairings = {"round": 1, "format": "grand_melee", "class": "light", "due": None}
    facts = {
        "parameters": {"bye": None},
        "cycle": 1,
        "fixture": None,
        "time": "2027-04-01T12:00:00+00:00",
        "pairings": {**pairings, "matches": [{"number": 1, "sides": sides, "arena": "Plaza"}]},
    }
    delivery = Delivery(webhook=Webhook(season=season, format="discord"), code="round_paired", document=facts)
    seen: list[str] = []
    is_whole = False
    while not is_whole:
        message = message_of([delivery])
        document = json.loads(message.body)
        users = document["allowed_mentions"]["users"]
        assert 0 < len(users) <= MOST_MENTIONS
        assert length(document["content"]) <= CONTENT
        assert all(f"<@{each}>" in document["content"] for each in users)
        seen += users
        delivery.lines_sent, is_whole = message.lines, message.is_whole
    assert sorted(seen) == sorted(owner.discord_id for owner in owners)


# The news of its matches ---------------------------------------------------------------------------------------------


def test_results_that_settle_together_are_one_message_in_order(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    made = [won(season, fixture, name) for fixture, name in zip(fixtures * 2, "ABCD", strict=False)]
    assert len(made) == 4
    run_pending()
    assert receiver.sent == []
    run_due()
    (message,) = receiver.documents()
    assert [line.split()[2] for line in message["content"].split("\n")] == ["A", "B", "C", "D"]
    assert message["embeds"][0]["url"] == f"http://localhost:8000/seasons/{season.slug}/?cycle=1"
    assert set(Delivery.objects.values_list("state", "tries")) == {("delivered", 1)}
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_a_single_result_is_as_it_was_and_leads_to_its_match(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    won(season, fixtures[0])
    run_due()
    (message,) = receiver.documents()
    assert message["content"] == "Round 1\\: Ash beat Elm. Reputation 9 \\: 1, kills 1 \\: 0."
    assert message["embeds"][0]["url"].endswith(f"/fixtures/{fixtures[0].pk}/")


def test_real_results_of_a_round_share_a_message(season: Season, stocked: Season, receiver: Receiver) -> None:
    played = pair(season)
    listen(season, receiver, codes=("match_won",))
    for fixture in played:
        type_in(fixture)
        settlement.settle_fixture(fixture_id=fixture.pk)
    Job.objects.exclude(name=webhook_deliveries.JOB).delete()
    run_due()
    (message,) = receiver.documents()
    assert message["content"].count(" beat ") == len(played) == 2


def test_younger_news_take_the_waiting_results_along_and_stay_behind_them(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    for fixture in fixtures:
        won(season, fixture)
    log.record(fresh(season), "cycle_closed", {"cycle": 1, "places": "1. Ash"})
    won(season, fixtures[0], "Late")
    # The news of the closed cycle is due at once, and the two results before it too.
    run_pending()
    first, second = contents(receiver)
    assert first.count("beat") == 2
    assert second.startswith("Cycle 1 is closed")
    run_due()
    assert "Late" in contents(receiver)[2]
    assert len(receiver.sent) == 3


def test_results_of_two_rounds_do_not_share_a_message(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    other = Round.objects.create(cycle=fixtures[0].round.cycle, number=2)
    Fixture.objects.filter(pk=fixtures[1].pk).update(round=other)
    moved = Fixture.objects.select_related("round__cycle__season").get(pk=fixtures[1].pk)
    for fixture in (fixtures[0], moved, fixtures[0]):
        won(season, fixture)
    run_due()
    assert [text.count("beat") for text in contents(receiver)] == [1, 1, 1]


def test_a_message_that_was_put_off_goes_out_once_with_what_happened_meanwhile(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    receiver.answers = in_turn(429, 200, headers={"Retry-After": "60"})
    made = [won(season, fixture, name) for fixture, name in zip(fixtures, "AB", strict=True)]
    Job.objects.update(not_before=None)
    run_pending()
    for each in made:
        each.refresh_from_db()
    assert [(each.state, each.tries) for each in made] == [("waiting", 1)] * 2
    won(season, fixtures[0], "C")
    run_pending()
    assert len(receiver.sent) == 1
    Webhook.objects.update(rests_until=None)
    Delivery.objects.update(next_try_at=made[0].created_at)
    run_due()
    assert len(receiver.sent) == 2
    assert [line.split()[2] for line in contents(receiver)[1].split("\n")] == ["A", "B", "C"]
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}
    # A receiver that leaves out repeats must not leave out the third result.
    assert receiver.sent[0].headers["Webhook-Id"] != receiver.sent[1].headers["Webhook-Id"]


def test_a_message_that_says_the_same_again_has_the_same_id(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    receiver.answers = in_turn(500, 200)
    for fixture in fixtures:
        won(season, fixture)
    Job.objects.update(not_before=None)
    run_pending()
    Delivery.objects.update(next_try_at=Delivery.objects.latest("id").created_at)
    run_due()
    assert len(receiver.sent) == 2
    assert len({sent.headers["Webhook-Id"] for sent in receiver.sent}) == 1


def test_news_that_discord_refuses_for_what_they_say_keep_no_others_back(
    season: Season, fixtures: list[Fixture], receiver: Receiver
) -> None:
    receiver.answers = lambda handler, number: say(handler, 400 if b"Evil" in receiver.sent[-1].body else 200)
    made = [won(season, fixtures[0], name) for name in ("Ash", "Evil", "Oak")]
    Job.objects.update(not_before=None)
    run_pending()
    Delivery.objects.update(next_try_at=made[0].created_at)
    run_due()
    states = [Delivery.objects.get(pk=each.pk).state for each in made]
    assert states == ["delivered", "waiting", "delivered"]


def test_a_shared_try_is_noted_once_for_each_whoever_notes_it(season: Season, fixtures: list[Fixture]) -> None:
    first, second = [won(season, fixture) for fixture in fixtures]
    shared: dict[str, Any] = {"delivery_id": first.pk, "number": 1, "along": {second.pk: 1}}
    assert webhook_deliveries.note(reply=Reply(500, "bad_status"), **shared) == "waiting"
    assert webhook_deliveries.note(reply=Reply(200), **shared) == ""
    # One of them was tried again by itself meanwhile: its second try is not this one.
    assert webhook_deliveries.note(delivery_id=second.pk, number=2, reply=Reply(200)) == "delivered"
    again = {"delivery_id": first.pk, "number": 2, "along": {second.pk: 2}}
    assert webhook_deliveries.note(reply=Reply(500, "bad_status"), **again) == "waiting"
    second.refresh_from_db()
    assert (second.state, second.tries, len(second.answers)) == ("delivered", 2, 2)
