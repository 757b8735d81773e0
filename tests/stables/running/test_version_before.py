"""A database of the version before migrates, and its season is played from the middle of cycle 4 to its champions.

before/season.sqlite3.xz is a site with two stables of the AI; one match of cycle 4 is settled, and a job waits.
"""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from jobs.models import Job
from jobs.registry import registry
from jobs.services import run_pending
from matches.models import Match
from stables.models import Season, Title
from stables.services.base.ledger import refold
from tests import databases
from tests.once_a_run import Workshop

OWN_JOBS = (
    "ladder.follow_correction", "ladder.rate",
    "matches.forecast", "matches.tell_turn", "matches.time_up",
    "people.mail_digest", "people.mail_notice",
    "stables.advance_round", "stables.award_titles", "stables.chase", "stables.close_cycle", "stables.confirm",
    "stables.deliver", "stables.follow_hand_over", "stables.forecast", "stables.forecast_afterwards",
    "stables.pair_round", "stables.play_fixture", "stables.prepare_round", "stables.remind_of_match",
    "stables.settle_fixture", "stables.start_cycle",
)  # fmt: skip
"""The names under which the version before stored its jobs."""

STORED = Path(__file__).parent / "before" / "season.sqlite3.xz"


def migrate(file: Path) -> None:
    """Make the database of the version before, migrated."""
    file.write_bytes(lzma.decompress(STORED.read_bytes()))
    with databases.beside(file):
        call_command("migrate", verbosity=0)


@pytest.fixture
def season(tmp_path: Path, django_db_setup: None, django_db_blocker: Any, workshop: Workshop) -> Iterator[Season]:
    if not databases.is_sqlite():
        pytest.skip("the stored database is one of SQLite")
    with django_db_blocker.unblock():
        migrated = workshop.get("version-before.sqlite3", migrate)
        with databases.beside(Path(shutil.copy(migrated, tmp_path / "solaris.sqlite3"))):
            yield Season.objects.get()


def test_a_season_of_the_version_before_is_played_to_its_champions(season: Season) -> None:
    cycle = season.cycles.order_by("-number")[0]
    waiting = list(Job.objects.filter(state=Job.State.QUEUED).values_list("name", flat=True))
    assert (cycle.number, waiting) == (4, ["stables.advance_round"])
    played = Match.objects.filter(state=Match.State.FINISHED).count()
    run_pending()
    season.refresh_from_db()
    assert season.state == Season.State.FINISHED
    assert {title.kind for title in Title.objects.filter(season=season)} == set(Title.Kind.values)
    assert Match.objects.filter(state=Match.State.FINISHED).count() > played
    assert refold(season_id=season.pk) == []


@pytest.mark.parametrize("name", OWN_JOBS)
def test_a_job_that_it_left_waiting_finds_its_handler(name: str) -> None:
    assert name in registry.handlers


def test_its_matches_are_verified(season: Season, capsys: pytest.CaptureFixture[str]) -> None:
    matches = list(Match.objects.filter(state=Match.State.FINISHED))
    assert len(matches) == 10
    for match in matches:
        call_command("verify_match", str(match.public_id))
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if ": ok, " not in line] == []
