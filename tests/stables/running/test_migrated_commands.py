"""Commands that ask the database refuse one that is not of this version, in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from challenge.models import Event
from jobs.models import Job
from stables.models import Season
from tests.architecture.imports import ROOMS
from tests.nursery import Nursery
from tests.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.database

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "challenge_begin": (),
    "challenge_demo": (),
    "challenge_evening": ("--pilots", "2", "--turns", "1"),
    "check_challenge": (),
    "check_ledger": (),
    "count_forecasts": ("1",),
    "demo": (),
    "export_challenge": ("steel-night", "event.json"),
    "export_season": ("1", "season.json"),
    "import_challenge": ("event.json",),
    "import_season": ("season.json",),
    "load_catalogue": (),
    "make_token": ("anna",),
    "rebuild_ladder": (),
    "season": ("--stables", "4", "--seed", "1"),
    "verify_match": ("1",),
    "work": (),
}
WITHOUT_A_DATABASE = {"board_picture", "makemessages", "openapi", "push_key", "serve", "up"}
OF_DJANGO = {"createsuperuser"}
"""Django's own, with one more check: it says itself what is not migrated."""

"""What these do themselves asks no table."""


def test_every_command_of_the_house_is_here() -> None:
    known = set(ARGUMENTS) | WITHOUT_A_DATABASE | OF_DJANGO
    assert known == {name for name, room in get_commands().items() if room in ROOMS}
    assert set(ARGUMENTS) & WITHOUT_A_DATABASE == set()


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_database_that_lacks_a_migration_is_refused_before_anything_is_done(name: str, tmp_path: Path) -> None:
    recorder = MigrationRecorder(connection)
    last = max(migration for room, migration in recorder.applied_migrations() if room == "stables")
    recorder.record_unapplied("stables", last)
    with pytest.raises(CommandError, match=r"run `manage\.py migrate` first"):
        call_command(name, *(str(tmp_path / one) if one.endswith(".json") else one for one in ARGUMENTS[name]))
    assert not Season.objects.exists()
    assert not Event.objects.exists()
    assert not Job.objects.exists()


def without_any_table(folder: Path) -> dict[str, str]:
    """The variables of a site whose database is an empty file."""
    return os.environ | {
        "DATABASE_URL": f"sqlite:///{folder}/empty.sqlite3",
        "DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "solaris_site.settings",
        "VAR_DIR": str(folder),
    }


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    folder = tmp_path_factory.mktemp("empty")
    with Nursery(without_any_table(folder), folder) as made:
        yield made


@pytest.mark.parametrize(
    "name", ["check_challenge", "load_catalogue", "make_token", "rebuild_ladder", "season", "verify_match"]
)
def test_without_any_table_the_refusal_is_one_line(nursery: Nursery, name: str) -> None:
    """One command of each room that has any."""
    done = nursery.start("manage.py", name, *ARGUMENTS[name])
    assert done.wait() == 1
    assert done.output.read_text() == ""
    [line] = done.errors.read_text().splitlines()
    assert line == "CommandError: The database is not up to date: run `manage.py migrate` first."


def test_what_is_only_checked_needs_no_table(tmp_path: Path) -> None:
    """In a process that no nursery forks, so that warnings of its start would be seen as well."""
    variables = without_any_table(tmp_path)
    del variables["DJANGO_SETTINGS_MODULE"]
    done = subprocess.run(
        [sys.executable, "manage.py", "load_catalogue", "--check"],
        cwd=settings.BASE_DIR,
        env=variables,
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Valid, nothing changed:")
