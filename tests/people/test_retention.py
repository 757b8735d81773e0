"""What has outlived its term goes, in portions, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from catalogue.models import Collection, ImportDraft
from jobs.models import Job, JobStep
from jobs.registry import registry
from jobs.services import run_pending
from people.models import ApiToken, Notice, User, Wording
from people.services import accounts, addresses
from solaris_site import retention as outlived
from stables.models import Coming, ComingQuestion, Passing, Season, Stable
from tests.stables.conftest import open_with
from web import retention

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
MOMENT = timedelta(seconds=1)
STAYING = ("stables.", "matches.", "ladder.")
"""How the names of jobs begin that are not deleted: they moved seasons and matches on, and stay with these."""


@pytest.fixture
def kai() -> User:
    user = accounts.create_account("Kai", "kai@example.org", "correct horse battery", is_proven=False)
    User.objects.update(new_email_since=NOW)
    return user


@pytest.fixture
def season() -> Season:
    from catalogue.services.releases import load_release

    return open_with(load_release(), ["Ash", "Birch"])


def stored(model: type[Model], when: dict[str, Any], **values: Any) -> Any:
    """Store a row whose times are as they are given, whatever the model writes by itself."""
    row = model._default_manager.create(**values)
    model._default_manager.filter(pk=row.pk).update(**when)
    return row


def pair_of(term: timedelta, make: Callable[[datetime], Any]) -> tuple[Any, Any]:
    """Make a row whose term has just ended, and one whose term has not."""
    return make(NOW - term - MOMENT), make(NOW - term + MOMENT)


def left(model: type[Model]) -> list[Any]:
    return list(model._default_manager.order_by("pk"))


def test_read_notices_go_and_unread_ones_wait_longer(kai: User) -> None:
    def made(created: datetime, read: datetime | None) -> Any:
        return stored(Notice, {"created_at": created, "read_at": read}, user=kai, code="market_open")

    _, young = pair_of(retention.READ_NOTICES, lambda at: made(at, at))
    _, unread = pair_of(retention.UNREAD_NOTICES, lambda at: made(at, None))
    assert outlived.forget_outlived(NOW)["notices"] == 2
    assert left(Notice) == [young, unread]


def test_proposals_of_better_wording_go_when_they_are_done_and_later_when_nobody_looked() -> None:
    def made(created: datetime, done: datetime | None) -> Any:
        return stored(Wording, {"created_at": created, "done_at": done}, language="pl", text="x", proposal="y")

    _, young = pair_of(retention.DONE_WORDINGS, lambda at: made(at, at))
    _, waiting = pair_of(retention.WORDINGS, lambda at: made(at, None))
    assert outlived.forget_outlived(NOW)["wordings"] == 2
    assert left(Wording) == [young, waiting]


def test_what_is_still_to_do_stays_as_long_as_unread_notices(kai: User) -> None:
    def made(created: datetime, **values: Any) -> Any:
        when = {"created_at": created, "read_at": created}
        return stored(Notice, when, user=kai, code="market_open", asks=True, **values)

    made(NOW - retention.READ_NOTICES - MOMENT, done_at=NOW)
    to_do = made(NOW - retention.READ_NOTICES - MOMENT)
    _, old = pair_of(retention.UNREAD_NOTICES, made)
    assert outlived.forget_outlived(NOW)["notices"] == 2
    assert left(Notice) == [to_do, old]


def test_tokens_go_after_their_end(kai: User) -> None:
    far = NOW + timedelta(days=300)
    digests = iter("abcdef")

    def made(expires: datetime, revoked: datetime | None) -> Any:
        times = {"expires_at": expires, "revoked_at": revoked}
        return ApiToken.objects.create(user=kai, name=(key := next(digests)), digest=key * 64, ending=key * 4, **times)

    _, expired = pair_of(retention.ENDED_TOKENS, lambda at: made(at, None))
    _, revoked = pair_of(retention.ENDED_TOKENS, lambda at: made(far, at))
    good = made(far, None)
    assert outlived.forget_outlived(NOW)["tokens"] == 2
    assert left(ApiToken) == [expired, revoked, good]


def test_the_administration_forgets(kai: User) -> None:
    kind = ContentType.objects.get_for_model(User)

    def made(at: datetime) -> Any:
        return stored(LogEntry, {"action_time": at}, user=kai, content_type=kind, object_id="1", action_flag=2)

    _, young = pair_of(retention.ADMINISTRATION, made)
    assert outlived.forget_outlived(NOW)["administration"] == 1
    assert left(LogEntry) == [young]


def test_an_address_that_nobody_proved_goes_and_the_account_stays(kai: User) -> None:
    User.objects.update(new_email_since=NOW - retention.WAITING_ADDRESSES + MOMENT)
    assert outlived.forget_outlived(NOW)["waiting addresses"] == 0
    User.objects.update(new_email_since=NOW - retention.WAITING_ADDRESSES - MOMENT)
    assert outlived.forget_outlived(NOW)["waiting addresses"] == 1
    kai.refresh_from_db()
    assert (kai.username, kai.email, kai.new_email, kai.new_email_since) == ("Kai", "", "", None)
    assert kai.is_active


def test_every_way_to_wait_for_a_link_notes_since_when(kai: User) -> None:
    fresh = accounts.create_account("Omar", "omar@example.org", "correct horse battery", is_proven=False)
    assert fresh.new_email_since is not None
    addresses.prove(fresh)
    assert (fresh.email, fresh.new_email_since) == ("omar@example.org", None)
    addresses.ask(fresh, "correct horse battery", "new@example.org")
    fresh.refresh_from_db()
    assert fresh.new_email_since is not None
    addresses.ask(fresh, "correct horse battery", "omar@example.org")
    fresh.refresh_from_db()
    assert (fresh.new_email, fresh.new_email_since) == ("", None)


def test_imports_that_nobody_confirmed_go(kai: User) -> None:
    collection = Collection.objects.create(name="Mine", slug="mine", keeper=kai)

    def made(at: datetime) -> Any:
        return stored(ImportDraft, {"created_at": at}, user=kai, collection=collection, file="x")

    _, young = pair_of(retention.IMPORT_DRAFTS, made)
    assert outlived.forget_outlived(NOW)["import drafts"] == 1
    assert left(ImportDraft) == [young]


def test_unused_links_go_and_passings_that_happened_stay(season: Season) -> None:
    stable = season.stables.get(number=1)
    digests = iter("abcdefgh")

    def made(expires: datetime, **times: Any) -> Any:
        return Passing.objects.create(
            stable=stable, code_hash=next(digests) * 64, reason="x", expires_at=expires, **times
        )

    _, expired = pair_of(retention.UNUSED_LINKS, made)
    _, revoked = pair_of(retention.UNUSED_LINKS, lambda at: made(NOW + timedelta(days=3), revoked_at=at))
    long_ago = NOW - timedelta(days=900)
    used = made(long_ago, passed_at=long_ago)
    by_name = Passing.objects.create(stable=stable, reason="x", passed_at=long_ago)
    assert outlived.forget_outlived(NOW)["links"] == 2
    assert left(Passing) == [expired, revoked, used, by_name]


def test_who_came_is_forgotten_with_the_answers(season: Season) -> None:
    def made(at: datetime) -> Any:
        question = ComingQuestion.objects.create(season=season, at=at)
        Coming.objects.create(question=question, stable=Stable.objects.get(number=1), is_coming=True)
        return question

    _, young = pair_of(retention.WHO_COMES, made)
    assert outlived.forget_outlived(NOW)["who comes"] == 1
    assert left(ComingQuestion) == [young]
    assert Coming.objects.get().question == young


def test_finished_jobs_of_every_kind_of_message_go() -> None:
    values = {"state": "done", "last_attempt": 1}
    messages = ("people.mail_digest", "people.mail_waiting", "people.push")
    for name in messages:
        for at in (NOW - retention.MAIL_JOBS - MOMENT, NOW - retention.MAIL_JOBS + MOMENT):
            Job.objects.create(name=name, finished_at=at, **values)
    assert outlived.forget_outlived(NOW)["mail jobs"] == len(messages)
    assert tuple(Job.objects.order_by("name").values_list("name", flat=True)) == messages


def test_every_job_of_a_person_goes_and_only_those_of_seasons_and_matches_stay() -> None:
    known = {name for name in registry.handlers if not name.startswith((*STAYING, "test."))}
    assert known == {*outlived.MAILS, *outlived.EVENTS, outlived.JOB}


def test_finished_jobs_of_events_go_after_four_weeks() -> None:
    values = {"name": "challenge.deliver", "state": "done", "last_attempt": 5}
    _, young = pair_of(retention.DELIVERIES, lambda at: Job.objects.create(finished_at=at, **values))
    assert outlived.forget_outlived(NOW)["jobs of events"] == 1
    assert left(Job) == [young]


def test_finished_jobs_of_mails_go_with_their_steps_and_failed_ones_stay() -> None:
    def made(name: str, state: str, at: datetime) -> Any:
        job = Job.objects.create(name=name, state=state, last_attempt=5, finished_at=at)
        JobStep.objects.create(job=job, name="a step", attempt=1)
        return job

    _, young = pair_of(retention.MAIL_JOBS, lambda at: made("people.mail_notice", "done", at))
    long_ago = NOW - timedelta(days=900)
    failed = made("people.mail_digest", "failed", long_ago)
    of_season = made("stables.close_cycle", "done", long_ago)
    made(outlived.JOB, "done", long_ago)
    gone = outlived.forget_outlived(NOW)
    assert (gone["mail jobs"], gone["own jobs"]) == (1, 1)
    assert left(Job) == [young, failed, of_season]
    assert JobStep.objects.count() == 3


def test_it_goes_in_portions_and_leaves_the_rest_for_the_next_hour(kai: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PORTION", 2)
    monkeypatch.setattr(retention, "MOST_PORTIONS", 2)
    asked = []
    real = outlived.OUTLIVED["notices"]

    def watched(now: datetime, most: int) -> int:
        asked.append(real(now, most))
        return asked[-1]

    monkeypatch.setattr(outlived, "OUTLIVED", {"notices": watched})
    Notice.objects.bulk_create([Notice(user=kai, code="market_open", read_at=NOW) for _ in range(5)])
    later = NOW + retention.READ_NOTICES + MOMENT
    Notice.objects.update(created_at=later)
    assert outlived.forget_outlived(later) == {"notices": 4}
    assert asked == [2, 2]
    assert outlived.forget_outlived(later) == {"notices": 1}
    assert outlived.forget_outlived(later) == {"notices": 0}


def test_the_tick_asks_once_an_hour_and_the_job_deletes(kai: User, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(Notice, {"read_at": NOW - retention.READ_NOTICES - MOMENT}, user=kai, code="market_open")
    monkeypatch.setattr("solaris_site.jobs.timezone.now", lambda: NOW)
    registry.scans["site.outlived"]()
    registry.scans["site.outlived"]()
    job = Job.objects.get(name=outlived.JOB)
    assert job.name in registry.lowest_priority
    assert run_pending() == 1
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert not Notice.objects.exists()
    monkeypatch.setattr("solaris_site.jobs.timezone.now", lambda: NOW + timedelta(hours=1))
    registry.scans["site.outlived"]()
    assert Job.objects.filter(name=outlived.JOB).count() == 2
