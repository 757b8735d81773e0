"""Tries of a webhook by hand, its end, its new secret, and what is taken up again or forgotten."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from jobs.models import Job
from jobs.registry import registry
from jobs.services import run_pending
from people.models import Notice
from people.services.accounts import TooOften
from rules.core.refusals import Malformed, SeasonRefused
from stables.models import Delivery, LogEntry, Season, SeasonRole, Webhook
from stables.selectors.webhooks import deliveries_due
from stables.services.base import webhook_deliveries
from stables.services.running import roles
from stables.services.season import webhooks
from tests.stables.webhooks.receiver import Receiver, in_turn, receiver, verify
from tests.stables.webhooks.test_webhooks import give_up, keeper, run_due, tell, webhook
from webhooks import posting

__all__ = ["keeper", "receiver", "webhook"]
pytestmark = [pytest.mark.django_db, pytest.mark.database]


# By hand, off, deleted -----------------------------------------------------------------------------------------------


def test_a_try_says_that_it_is_one_and_goes_out_once(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500)
    webhooks.change(webhook=webhook, is_on=False)
    tried = webhook_deliveries.try_now(webhook=webhook, actor=keeper)
    run_due()
    tried.refresh_from_db()
    assert (tried.state, tried.tries, tried.log_entry) == ("failed", 1, None)
    document = verify(webhook.secret, receiver.sent[0].headers, receiver.sent[0].body)
    assert document["code"] == "try"
    webhook.refresh_from_db()
    assert webhook.failures == 0


def test_tries_by_hand_have_a_limit(season: Season, webhook: Webhook, keeper: Any) -> None:
    for _ in range(60):
        webhook_deliveries.try_now(webhook=webhook, actor=keeper)
    with pytest.raises(TooOften):
        webhook_deliveries.try_now(webhook=webhook, actor=keeper)


def test_a_delivery_can_be_tried_again_at_once(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500, 200)
    delivery = tell(season)
    run_pending()
    webhook_deliveries.retry(delivery=delivery, actor=keeper)
    # Pressed twice it is asked for once.
    webhook_deliveries.retry(delivery=delivery, actor=keeper)
    assert run_pending() == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == ("delivered", 2)
    # The try that was planned finds nothing to do.
    run_due()
    assert len(receiver.sent) == 2
    with pytest.raises(SeasonRefused) as refused:
        webhook_deliveries.retry(delivery=delivery, actor=keeper)
    assert refused.value.code == "webhook_delivered"


def test_what_was_given_up_can_be_tried_again_but_not_while_the_webhook_is_off(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    receiver.answers = in_turn(500)
    delivery = give_up(season)
    webhook_deliveries.retry(delivery=delivery, actor=keeper)
    assert run_due() == 1
    delivery.refresh_from_db()
    webhook.refresh_from_db()
    # Once more and not a whole day again; nor does it count as one more that was given up.
    assert (delivery.state, delivery.tries, webhook.failures) == ("failed", 9, 1)
    webhooks.change(webhook=webhook, is_on=False)
    with pytest.raises(SeasonRefused) as refused:
        webhook_deliveries.retry(delivery=delivery, actor=keeper)
    assert refused.value.code == "webhook_off"


def test_turned_off_nothing_on_its_way_is_sent(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    delivery = tell(season)
    webhooks.change(webhook=webhook, is_on=False)
    run_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.answers[0]["problem"], receiver.sent) == ("failed", "webhook_off", [])


def test_who_organises_no_more_leaves_webhooks_that_are_off(
    season: Season, webhook: Webhook, receiver: Receiver, keeper: Any
) -> None:
    helper, other = (
        get_user_model().objects.create_user(name, f"{name}@example.org", "secret words")
        for name in ("helper", "other")
    )
    for person in (helper, other):
        roles.give_role(season_id=season.pk, name=person.username, role="co_organiser")
    made = webhooks.make(season=season, url=f"{receiver.url}1", format="generic", codes=[], actor=helper)
    kept = webhooks.make(season=season, url=f"{receiver.url}2", format="generic", codes=[], actor=other)
    off = webhooks.make(season=season, url=f"{receiver.url}3", format="generic", codes=[], actor=helper)
    told = Notice.objects.filter(code="webhook_made").order_by("id")
    assert [(each.parameters["person"], each.user.username) for each in told if each.user != keeper] == [
        ("helper", "other"),
        ("other", "helper"),
        ("helper", "other"),
    ]
    assert [each.parameters["person"] for each in told if each.user == keeper] == ["helper", "other", "helper"]
    off = webhooks.change(webhook=off, is_on=False)
    role = SeasonRole.objects.get(user=helper)
    roles.take_role(season_id=season.pk, role_id=role.pk, actor=keeper)
    after = {each.pk: each.disabled_at for each in Webhook.objects.all()}
    assert after[made.pk] is not None
    assert (after[webhook.pk], after[kept.pk], after[off.pk]) == (None, None, off.disabled_at)
    # Its organisers are told of the one that was on; who is none any more is not.
    notices = Notice.objects.filter(code="webhook_maker_gone")
    assert sorted(notice.user.username for notice in notices) == ["keeper", "other"]
    assert {notice.url for notice in notices} == {f"/seasons/{season.slug}/webhooks/{made.public_id}/"}
    # The line about the role itself goes nowhere that this person chose.
    assert not Delivery.objects.filter(webhook=made, code__contains="taken_back").exists()
    assert Delivery.objects.filter(webhook=kept, code__contains="taken_back").exists()


def test_a_webhook_that_is_deleted_takes_what_is_on_its_way_with_it(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    tell(season)
    webhooks.delete(webhook=webhook)
    webhooks.delete(webhook=webhook)
    assert run_pending() == 1
    assert receiver.sent == []
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_a_webhook_that_is_deleted_during_a_try_leaves_nothing_behind(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    delivery = tell(season)
    webhooks.delete(webhook=webhook)
    assert webhook_deliveries.note(delivery_id=delivery.pk, number=1, reply=posting.Reply(500)) == ""
    assert Job.objects.filter(unique_key__endswith=":2").count() == 0


def test_a_new_secret_signs_what_is_sent_from_now_on(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    tell(season)
    changed = webhooks.renew_secret(webhook=webhook)
    run_pending()
    (sent,) = receiver.sent
    assert changed.secret != webhook.secret
    assert verify(changed.secret, sent.headers, sent.body)
    assert len(base64.b64decode(changed.secret.removeprefix("whsec_"))) == 32


def test_a_season_has_five_webhooks_at_most_and_none_twice(season: Season, keeper: Any, receiver: Receiver) -> None:
    for number in range(5):
        webhooks.make(season=season, url=f"{receiver.url}{number}", format="generic", codes=[], actor=keeper)
        with pytest.raises(SeasonRefused) as refused:
            webhooks.make(season=season, url=f" {receiver.url}{number} ", format="discord", codes=[], actor=keeper)
        assert refused.value.code == ("webhook_known" if number < 4 else "webhook_too_many")
    first, second = season.webhooks.order_by("id")[:2]
    with pytest.raises(SeasonRefused) as refused:
        webhooks.change(webhook=first, url=second.url)
    assert refused.value.code == "webhook_known"
    assert webhooks.change(webhook=first, url=first.url).url == first.url
    with pytest.raises(Malformed):
        webhooks.change(webhook=first, codes=["no_such_code"])


# Workers that die ----------------------------------------------------------------------------------------------------


def test_a_try_is_noted_once_whoever_notes_it(season: Season, webhook: Webhook) -> None:
    """Two workers did the same try: the first one that notes it counts."""
    delivery = tell(season)
    assert (
        webhook_deliveries.note(delivery_id=delivery.pk, number=1, reply=posting.Reply(500, "bad_status")) == "waiting"
    )
    assert webhook_deliveries.note(delivery_id=delivery.pk, number=1, reply=posting.Reply(200)) == ""
    delivery.refresh_from_db()
    assert (delivery.tries, len(delivery.answers)) == (1, 1)
    assert deliveries_due.to_be_tried(str(delivery.public_id), 1) is None
    assert deliveries_due.to_be_tried(str(delivery.public_id), 2) is not None


def test_a_delivery_whose_job_got_lost_is_taken_up_again(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    delivery = tell(season)
    Job.objects.all().delete()
    webhook_deliveries.scan_for_lost()
    assert Job.objects.count() == 0
    webhook_deliveries.scan_for_lost(now=timezone.now() + timedelta(minutes=11))
    webhook_deliveries.scan_for_lost(now=timezone.now() + timedelta(minutes=11))
    assert run_pending() == 1
    delivery.refresh_from_db()
    assert (delivery.state, len(receiver.sent)) == ("delivered", 1)


def test_a_delivery_whose_job_failed_for_good_goes_on_with_its_next_try(
    season: Season, webhook: Webhook, receiver: Receiver
) -> None:
    delivery = tell(season)
    Job.objects.update(state="failed")
    webhook_deliveries.scan_for_lost(now=timezone.now() + timedelta(minutes=11))
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries, delivery.answers[0]["problem"]) == ("waiting", 1, "worker_lost")
    run_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == ("delivered", 2)


def test_what_ended_weeks_ago_is_forgotten_with_its_jobs(season: Season, webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = in_turn(500, 200)
    delivery = tell(season)
    run_due()
    run_due()
    gone = tell(season)
    run_due()
    jobs = {each.unique_key for each in Job.objects.all()}
    assert len(jobs) == 3
    long_ago = timezone.now() - timedelta(weeks=4, minutes=1)
    # One ended long ago, one some days ago, one waits as long as there is no worker.
    Delivery.objects.filter(pk=delivery.pk).update(ended_at=long_ago, created_at=long_ago)
    Job.objects.filter(unique_key__contains=str(delivery.public_id)).update(finished_at=long_ago)
    Delivery.objects.filter(pk=gone.pk).update(ended_at=timezone.now() - timedelta(weeks=3))
    waits = tell(season)
    Delivery.objects.filter(pk=waits.pk).update(created_at=long_ago)
    lines = LogEntry.objects.count()
    registry.scans["stables.old_deliveries"]()
    assert set(Delivery.objects.values_list("pk", flat=True)) == {gone.pk, waits.pk}
    assert {each.unique_key for each in Job.objects.all()} == {
        f"stables:delivery:{gone.public_id}:1",
        f"stables:delivery:{waits.public_id}:1",
    }
    assert LogEntry.objects.count() == lines
    assert webhook_deliveries.forget_old() == 0


def test_of_what_is_old_a_few_are_forgotten_at_a_time(
    season: Season, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_deliveries, "FORGOTTEN_A_LOOK", 2)
    for _ in range(3):
        tell(season)
    Delivery.objects.update(state="delivered", ended_at=timezone.now(), next_try_at=None)
    later = timezone.now() + timedelta(weeks=4, minutes=1)
    assert [webhook_deliveries.forget_old(now=later) for _ in range(3)] == [2, 1, 0]
    # Jobs that are not done stay.
    assert Job.objects.count() == 3
