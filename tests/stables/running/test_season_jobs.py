"""What a season waits for: shown with its progress, a failed job with its error and a restart for organisers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from jobs.models import Job, JobStep
from jobs.registry import registry
from jobs.run import LeaseLost, Run
from jobs.services import enqueue, run_pending
from stables.models import Season, SeasonRole
from stables.presenters.jobs import season_jobs
from stables.services.base.job_requests import ask_for
from stables.text.jobs import JOBS, label_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def people(season: Season) -> dict[str, Any]:
    made = {
        name: get_user_model().objects.create_user(name, f"{name}@example.org", "-")
        for name in ("organiser", "helper", "player", "spectator")
    }
    Season.objects.filter(pk=season.pk).update(organiser=made["organiser"])
    SeasonRole.objects.create(season=season, user=made["helper"], role=SeasonRole.Role.CO_ORGANISER)
    season.stables.filter(number=1).update(owner=made["player"], is_ai=False)
    return made


def job_of(season: Season, state: str = Job.State.RUNNING, **values: Any) -> Job:
    lease = {"lease_until": timezone.now() + timedelta(minutes=1)} if state == Job.State.RUNNING else {}
    values = {"name": "stables.close_cycle", "payload": {"season": season.pk}, "last_attempt": 5, **lease, **values}
    return Job.objects.create(state=state, **values)


def failed_job(season: Season) -> Job:
    return job_of(season, Job.State.FAILED, error_code="cycle_not_over", error_text="Traceback: a secret of the inside")


def client_of(person: Any) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def restart_address(season: Season, job: Job | int) -> str:
    number = job if isinstance(job, int) else job.pk
    return reverse("stables:restart_job", args=[season.slug, number])


def test_every_job_of_a_season_has_a_name_for_people() -> None:
    assert set(JOBS) >= {name for name in registry.handlers if name.startswith("stables.")}
    assert label_of("stables.not_known_yet") == "not known yet"


def test_a_job_tells_how_far_it_is(season: Season, client: Client) -> None:
    job = job_of(season)
    Run(job).plan(10)
    for step in ("places", "purse:1", "repairs:1"):
        JobStep.objects.create(job=job, name=step, attempt=1)
    job_of(season, Job.State.DONE)
    job_of(season, Job.State.QUEUED, not_before=timezone.now() + timedelta(hours=1))
    job_of(season, payload={"season": season.pk + 1})
    (line,) = season_jobs(season)
    assert (line.id, line.done, line.planned, line.is_running, line.is_failed) == (job.pk, 3, 10, True, False)
    page = client.get(season.get_absolute_url()).content.decode()
    assert "step 3 of 10" in page
    assert '<progress max="10" value="3">' in page


def test_a_plan_is_shown_only_by_the_attempt_that_owns_the_job(season: Season) -> None:
    job = job_of(season)
    Job.objects.filter(pk=job.pk).update(attempt=2)
    with pytest.raises(LeaseLost):
        Run(job).plan(3)
    job.refresh_from_db()
    assert job.planned is None


@pytest.mark.django_db(transaction=True)
def test_the_jobs_of_a_season_tell_as_many_steps_as_they_do(stocked: Season) -> None:
    from stables.services.season import seasons

    Job.objects.all().delete()
    seasons.start_season(season_id=stocked.pk)
    run_pending()
    planned = Job.objects.exclude(planned=None).prefetch_related("steps")
    assert {job.name for job in planned} >= {"stables.start_cycle", "stables.pair_round", "stables.close_cycle"}
    for job in planned:
        assert job.planned == job.steps.count(), job
    stocked.refresh_from_db()
    assert season_jobs(stocked) == []


def test_a_retried_job_says_so_and_a_failed_one_comes_first(season: Season, client: Client) -> None:
    later = timezone.now() + timedelta(minutes=1)
    waiting = job_of(season, Job.State.QUEUED, attempt=2, error_code="OperationalError", not_before=later)
    failed = failed_job(season)
    assert [line.id for line in season_jobs(season)] == [failed.pk, waiting.pk]
    page = client.get(season.get_absolute_url()).content.decode()
    assert "this is attempt 2" in page


@pytest.mark.parametrize("person", [None, "player", "spectator"])
def test_players_see_that_the_season_waits_but_not_why_inside(
    season: Season, people: dict[str, Any], person: str | None
) -> None:
    failed_job(season)
    page = client_of(people.get(person or "")).get(season.get_absolute_url()).content.decode()
    assert "The season waits for this" in page
    assert "a secret of the inside" not in page
    assert "/restart" not in page


def test_the_organiser_sees_the_error_and_starts_the_job_again(season: Season, people: dict[str, Any]) -> None:
    job = failed_job(season)
    client = client_of(people["organiser"])
    page = client.get(season.get_absolute_url()).content.decode()
    assert "a secret of the inside" in page
    assert restart_address(season, job) in page
    answer = client.post(restart_address(season, job))
    assert (answer.status_code, answer["Location"]) == (302, season.get_absolute_url())
    job.refresh_from_db()
    assert (job.state, job.attempt, job.last_attempt) == ("queued", 2, 6)
    again = client.post(restart_address(season, job))
    assert (again.status_code, again.context["code"]) == (409, "job_not_failed")


@pytest.mark.parametrize(
    ("person", "status"), [("", 302), ("player", 403), ("spectator", 403), ("helper", 302), ("organiser", 302)]
)
def test_only_organisers_restart(season: Season, people: dict[str, Any], person: str, status: int) -> None:
    job = failed_job(season)
    answer = client_of(people.get(person)).post(restart_address(season, job))
    assert answer.status_code == status
    job.refresh_from_db()
    assert job.state == ("queued" if person in ("helper", "organiser") else "failed")


def test_a_job_of_another_season_or_of_nobody_is_not_found(season: Season, people: dict[str, Any]) -> None:
    client = client_of(people["organiser"])
    other = job_of(season, Job.State.FAILED, payload={"season": season.pk + 1})
    for number in (other.pk, 10**6, 10**30):
        assert client.post(restart_address(season, number)).status_code == 404
    assert client.post(f"/seasons/no-such/jobs/{other.pk}/restart").status_code == 404
    assert client.get(restart_address(season, other)).status_code == 405
    other.refresh_from_db()
    assert other.state == "failed"


def test_reading_them_is_one_query_however_many(season: Season) -> None:
    for number in range(1, 7):
        enqueue("stables.settle_fixture", {"season": season.pk, "fixture": number})
        with CaptureQueriesContext(connection) as queries:
            assert len(season_jobs(season)) == number
        assert len(queries) == 1


def test_the_jobs_of_an_organisers_seasons_share_a_turn_and_a_season_without_one_has_its_own() -> None:
    for number, organiser in ((1, 7), (2, 7), (3, None)):
        ask_for(Season(pk=number, organiser_id=organiser), "stables.close_cycle", f"season:{number}:test")
    turns = Job.objects.filter(unique_key__endswith=":test").order_by("id").values_list("turn", flat=True)
    assert list(turns) == ["organiser:7", "organiser:7", "season:3"]
