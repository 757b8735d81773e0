"""What the jobs of a season ask of the database, by the number of stables and by what is done for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.services import in_this_process, run_pending
from stables.models import Asset, LedgerEntry, Season
from stables.services.ai.exhibitions import open_exhibition
from tests.worlds import Worlds

pytestmark = pytest.mark.database


@dataclass(frozen=True)
class Done:
    """One job: its statements, the stables of its season, and how many of them repaired, and cards mounted, in it."""

    name: str
    statements: tuple[str, ...]
    stables: int
    repairing: int
    mounted: int


MOST: dict[str, Callable[[Done], int]] = {
    "stables.start_cycle": lambda done: 50 + 50 * done.stables + 8 * done.mounted,
    "stables.pair_round": lambda done: 46 + 25 * done.stables + 25 * done.repairing,
    "stables.play_fixture": lambda done: 40,
    "stables.settle_fixture": lambda done: 40,
    "stables.advance_round": lambda done: 17,
    "stables.close_cycle": lambda done: 58 + 35 * done.stables,
    "stables.award_titles": lambda done: 45,
}
"""Statements of a job at most, savepoints and what claims and ends it among them. A second look for a decision whose
facts stay as they are, or a look at each of many rows, is more than that."""


@pytest.fixture(params=(4, 8))
def played(request: Any, release: Any, worlds: Worlds) -> list[Done]:
    """The jobs of a short season of the AI, one after the other."""

    def build() -> list[Done]:
        with in_this_process():
            season = open_exhibition(
                name="Counted", stables=request.param, weight_class="light", cycles=2, seed=1, bot="random"
            )
            return list(_jobs_of(season, request.param))

    return worlds.enter(f"jobs of {request.param} stables", build)


def _jobs_of(season: Season, stables: int) -> Iterator[Done]:
    while (job := Job.objects.filter(state=Job.State.QUEUED).order_by("id").first()) is not None:
        entries = LedgerEntry.objects.filter(stable__season=season)
        mounted = Asset.objects.filter(kind=Asset.Kind.GEAR).exclude(assigned_to=None)
        last, before = entries.order_by("-id").values_list("id", flat=True).first() or 0, mounted.count()
        with CaptureQueriesContext(connection) as captured:
            run_pending(limit=1)
        repairing = entries.filter(id__gt=last, cause="repair").values("stable").distinct().count()
        statements = tuple(query["sql"] for query in captured.captured_queries)
        yield Done(job.name, statements, stables, repairing, max(mounted.count() - before, 0))


@pytest.mark.django_db
def test_no_job_of_a_season_asks_more_than_its_stables_need(played: list[Done]) -> None:
    assert {done.name for done in played} == set(MOST)
    for done in played:
        facts = (done.name, done.stables, done.repairing, done.mounted)
        assert len(done.statements) <= MOST[done.name](done), facts


@pytest.mark.django_db
def test_no_transaction_of_a_season_is_given_up(played: list[Done]) -> None:
    assert any(done.repairing for done in played if done.name == "stables.pair_round")
    for done in played:
        assert not [statement for statement in done.statements if statement.startswith("ROLLBACK")]
