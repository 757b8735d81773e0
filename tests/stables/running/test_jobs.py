"""The season's jobs: interrupted at every step boundary they give the same season; lost signals are made up for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs.models import Job
from jobs.run import Run
from jobs.services import run_pending
from matches.signals import match_ended
from stables.jobs import season as job_handlers
from stables.models import Fixture, Result, Season
from stables.selectors.season_report import season_report
from stables.services.ai.exhibitions import open_exhibition, play
from stables.services.base.ledger import refold
from tests.stables.conftest import first_round, type_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


class Killed(Exception):
    """Stands for a worker that dies."""


def exhibition() -> Season:
    return open_exhibition(name="Exhibition", stables=4, weight_class="light", cycles=1, seed=5, bot="random")


@pytest.mark.parametrize("is_after", [False, True], ids=["before-commit", "after-commit"])
def test_interrupted_at_every_step_the_season_is_the_same(
    monkeypatch: pytest.MonkeyPatch, settings: Any, is_after: bool
) -> None:
    settings.JOB_ATTEMPTS = 40
    undisturbed = season_report(play(season_id=exhibition().pk, on_progress=lambda progress: None))
    once = Run.once
    died: set[tuple[int, str]] = set()

    def dies_once(run: Run, step: str, function: Callable[[], Any]) -> Any:
        if (run.job_id, step) in died:
            return once(run, step, function)
        died.add((run.job_id, step))
        if is_after:
            once(run, step, function)
            raise Killed(step)

        def half() -> Any:
            function()
            raise Killed(step)

        return once(run, step, half)

    monkeypatch.setattr(Run, "once", dies_once)
    season = exhibition()
    for _ in range(500):
        try:
            run_pending()
            break
        except Killed:
            Job.objects.filter(state=Job.State.QUEUED).update(not_before=None)
    season.refresh_from_db()
    assert season.state == "finished"
    assert season_report(season) == undisturbed
    assert refold() == []
    assert {job_id for job_id, _ in died} == set(
        Job.objects.filter(payload__season=season.pk).exclude(name="stables.play_fixture").values_list("pk", flat=True)
    )


def test_every_job_of_a_season_may_run_again_after_the_end() -> None:
    season = play(season_id=exhibition().pk, on_progress=lambda progress: None)
    before = season_report(season)
    count = Job.objects.count()
    for done in list(Job.objects.order_by("id")):
        job = Job.objects.create(name=done.name, payload=done.payload, last_attempt=5, unique_key=None)
        run_pending()
        job.refresh_from_db()
        assert job.state == "done"
    assert season_report(season) == before
    assert Job.objects.count() == 2 * count
    assert refold() == []


def test_a_match_that_ended_unheard_is_found_and_settled_once(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture)
    Job.objects.all().delete()
    for _ in range(2):
        job_handlers.scan_for_unsettled_matches()
    assert list(Job.objects.values_list("name", flat=True)) == ["stables.settle_fixture"]
    run_pending(limit=1)
    job_handlers.scan_for_unsettled_matches()
    assert (Result.objects.count(), Job.objects.filter(name="stables.settle_fixture").count()) == (1, 1)


def test_the_end_of_a_match_only_asks_for_its_settlement(sealed: Season) -> None:
    fixture = first_round(sealed)[0]
    type_in(fixture)
    Job.objects.all().delete()
    for _ in range(2):
        match_ended.send(sender=type(fixture.match), match=fixture.match)
    asked = Job.objects.get()
    assert (asked.name, asked.payload, asked.state) == (
        "stables.settle_fixture",
        {"season": sealed.pk, "fixture": fixture.pk},
        "queued",
    )
    assert Fixture.objects.get(pk=fixture.pk).state == "sealed"
