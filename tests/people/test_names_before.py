"""Accounts from before names were compared by their looks: each keeps its name, and logs in by it."""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from people.forms import SignUpForm
from people.models import User
from tests import databases
from tests.stables.running.test_version_before import STORED
from web.names import name_key

BEFORE = ("people", "0008_proven_addresses")
NAMES = ("alice", "\u0430lice", "Al\u0456ce2", "bob", "a\u217cice")


BEFORE_CAPITALS = ("people", "0017_acts_stay_until_done")
OLD_KEYS = {
    "BEAR": "bear",
    "\u0392EAR": "ssear",
    "\u0392\u0395AR": "ssear  2",
    "\u039dorth": "vorth",
    "\u03bdorth": "vorth  2",
    "Ren\u00e9": "rene\u0301",
}


def migrated_from(
    file: Path, before: tuple[str, str], accounts: Iterable[dict[str, str]], blocker: Any
) -> Iterator[None]:
    """Put accounts into a stored site of SQLite as it was at `before`, migrate it to the end, and yield in it."""
    if not databases.is_sqlite():
        pytest.skip("the stored database is one of SQLite")
    file.write_bytes(lzma.decompress(STORED.read_bytes()))
    with blocker.unblock(), databases.beside(file):
        call_command("migrate", *before, verbosity=0)
        old = MigrationExecutor(connections["default"]).loader.project_state([before]).apps.get_model("people", "User")
        for number, account in enumerate(accounts):
            old.objects.create(**account, email=f"{number}@example.org")
        call_command("migrate", verbosity=0)
        yield


@pytest.fixture
def with_capitals(tmp_path: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A site from before Greek capitals were compared by their own looks, migrated."""
    accounts = ({"username": name, "name_key": key} for name, key in OLD_KEYS.items())
    yield from migrated_from(tmp_path / "solaris.sqlite3", BEFORE_CAPITALS, accounts, django_db_blocker)


def test_greek_capitals_get_the_key_of_their_own_look_and_every_name_stays(with_capitals: None) -> None:
    keys = dict(User.objects.filter(username__in=OLD_KEYS).values_list("username", "name_key"))
    assert [keys[name] for name in OLD_KEYS] == ["bear", "bear  2", "bear  3", "north", "vorth  2", "rene\u0301"]
    for name, key in keys.items():
        assert key.partition("  ")[0] == name_key(name), "stored again it keeps its key"


@pytest.fixture
def migrated(tmp_path: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A site of the version before with accounts whose names look the same, migrated."""
    accounts = ({"username": name} for name in NAMES)
    yield from migrated_from(tmp_path / "solaris.sqlite3", BEFORE, accounts, django_db_blocker)


def test_a_name_that_looks_like_an_older_one_gets_a_numbered_key_and_stays(migrated: None) -> None:
    keys = dict(User.objects.filter(username__in=NAMES).values_list("username", "name_key"))
    assert [keys[name] for name in NAMES] == ["allce", "allce  2", "allce2", "bob", "allce  3"]
    assert [name_key(name) for name in NAMES] == ["allce", "allce", "allce2", "bob", "allce"]
    second = User.objects.get(username=NAMES[1])
    second.set_password("correct horse battery")
    second.save()
    second.refresh_from_db()
    assert (second.username, second.name_key) == (NAMES[1], "allce  2"), "stored again it keeps its number"
    assert User.objects.get_by_natural_key(NAMES[1]) == second
    form = SignUpForm({"username": "\u0430l\u0456ce"})
    assert form.has_error("username", "unique")
