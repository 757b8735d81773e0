"""Backing up and restoring as docs/operations.md says, on a site with a played season, while it is open."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.sites import make_empty
from tests.nursery import ROOT, Nursery
from tests.once_a_run import Workshop
from tests.services.processes import environment
from tests.services.served import migrated_database
from tests.waiting import DEADLINE_SECONDS

PLAY = """
import io, json
from django.core.management import call_command
from stables.models import Season
from stables.selectors.season_report import season_report
call_command("load_catalogue", stdout=io.StringIO())
season = {"stables": 4, "seed": 3, "cycles": 1, "bot": "random", "json": "-"}
call_command("season", stdout=io.StringIO(), stderr=io.StringIO(), **season)
print(json.dumps(season_report(Season.objects.get())))
"""
RESTORED = """
import io, json
from django.core.management import call_command
from stables.models import Season
from stables.selectors.season_report import season_report
call_command("migrate", check_unapplied=True, verbosity=0)
call_command("check_ledger", stdout=io.StringIO())
print(json.dumps(season_report(Season.objects.get())))
"""


def commands() -> str:
    """The commands that the document gives."""
    return "\n".join(re.findall(r"```\w*\n(.*?)```", (ROOT / "docs" / "operations.md").read_text(), re.DOTALL))


def shell(command: str, variables: dict[str, str], folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-ec", command],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE_SECONDS,
    )
    assert done.returncode == 0, done.stderr


def test_sqlite_is_backed_up_while_it_is_open_and_restored(migrated_site: Path, tmp_path: Path) -> None:
    site, copy = shutil.copytree(migrated_site, tmp_path / "var"), tmp_path / "solaris-backup.sqlite3"
    backup = 'sqlite3 var/solaris.sqlite3 ".backup solaris-backup.sqlite3"'
    assert backup in commands()
    variables = environment(VAR_DIR=str(site), DEBUG="1")
    with Nursery(variables, tmp_path) as nursery:
        before = json.loads(nursery.run("-c", PLAY))
        with closing(sqlite3.connect(site / "solaris.sqlite3")) as writer:
            # What is only in the -wal file yet must be in the backup too.
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            writer.execute("UPDATE stables_season SET name = 'Written a moment ago'")
            writer.commit()
            if shutil.which("sqlite3"):
                shell(backup, variables, tmp_path)
            else:
                with closing(sqlite3.connect(copy)) as target:
                    writer.backup(target)
        for name in ("solaris.sqlite3", "solaris.sqlite3-wal", "solaris.sqlite3-shm"):
            (site / name).unlink(missing_ok=True)
        shutil.copyfile(copy, site / "solaris.sqlite3")
        restored = json.loads(nursery.run("-c", RESTORED))
    assert len(restored["standings"]) == 4
    assert restored == before | {"season": "Written a moment ago"}


@pytest.mark.services
def test_postgresql_is_backed_up_and_restored_into_an_empty_database(workshop: Workshop, tmp_path: Path) -> None:
    if not shutil.which("pg_dump"):
        pytest.skip("needs pg_dump")
    backup = 'pg_dump --format custom --file solaris.dump "$DATABASE_URL"'
    restore = 'pg_restore --no-owner --dbname "$DATABASE_URL" solaris.dump'
    assert backup in commands()
    assert restore in commands()
    with migrated_database(workshop) as url:
        variables = environment(VAR_DIR=str(tmp_path / "var"), DEBUG="1", DATABASE_URL=url)
        with Nursery(variables, tmp_path) as nursery:
            before = nursery.run("-c", PLAY)
            shell(backup, variables, tmp_path)
            make_empty(url)
            shell(restore, variables, tmp_path)
            assert nursery.run("-c", RESTORED) == before
