"""What every test may use. Tests that need a browser or servers are skipped, and counted, where there are none."""

import gc
import os
import socket
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests import databases
from tests.chance import drawn_for
from tests.chromium import find_chromium
from tests.once_a_run import Workshop, workshop_of
from tests.waiting import DEADLINE_SECONDS
from tests.worlds import Worlds

# Playwright's synchronous interface runs an event loop in this thread, where Django would refuse the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# A run draws the same examples as the last one: what is found by chance belongs to `--hypothesis-profile=hunt`.
settings.register_profile("calm", max_examples=50, deadline=None, derandomize=True, database=None)
settings.register_profile("hunt", max_examples=2000, deadline=None)
settings.load_profile("calm")
# Else it draws numbers and texts that stand in modules imported so far, and so other examples after other tests.
providers._get_local_constants = lambda: providers._local_constants

SERVICES_DATABASE_URL = os.environ.get("SERVICES_DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/solaris"
SERVICES_BROKER_URL = os.environ.get("SERVICES_BROKER_URL") or "redis://127.0.0.1:6379/9"


def has_services() -> bool:
    """True when something answers where SERVICES_DATABASE_URL and SERVICES_BROKER_URL point."""
    return all(answers(url, port) for url, port in ((SERVICES_DATABASE_URL, 5432), (SERVICES_BROKER_URL, 6379)))


def answers(url: str, default_port: int) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection(
            (parts.hostname or "127.0.0.1", parts.port or default_port), timeout=DEADLINE_SECONDS
        ):
            return True
    except OSError:
        return False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test has the same name in every process; an address of the memory in it would stop the whole run."""
    named_by_address = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if named_by_address:
        raise pytest.UsageError(f"Name these parameters: {named_by_address}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Search for no garbage while modules are imported and tests collected, as next to nothing is thrown away."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no search for garbage needs to go through it again.

    Each search goes through all that a process keeps, catalogues and templates say, so searches are few.
    """
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give a test the same dice in every run."""
    with drawn_for(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Give what several tests share the same dice, whichever of them asks for it first."""
    if fixturedef.scope == "function":
        return (yield)
    with drawn_for(f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param_index', '')}]"):
        return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    needs = (("browser", "REQUIRE_BROWSER", find_chromium), ("services", "REQUIRE_SERVICES", has_services))
    for marker, variable, found in needs:
        if item.get_closest_marker(marker) and not found():
            if os.environ.get(variable) == "1":
                pytest.fail(f"{variable}=1, and there is no {marker} here")
            pytest.skip(f"needs {marker}")


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The Chromium to start; only for tests marked `browser`."""
    path = find_chromium()
    assert path is not None
    return path


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """What the processes of this run make once and share."""
    return workshop_of(tmp_path_factory)


@pytest.fixture(scope="session")
def worlds(workshop: Workshop) -> Worlds:
    """Worlds to enter, built once in a run."""
    return Worlds(workshop)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: Any
) -> Iterator[None]:
    """Give this process a database with the game's own catalogue in it.

    On SQLite it is a file, as threads and child processes of a test must reach it: a copy of one that the first process
    of the run migrates, which is also what each test with real transactions leaves behind.
    """
    if databases.is_sqlite():
        workshop: Workshop = request.getfixturevalue("workshop")
        own = request.getfixturevalue("tmp_path_factory").mktemp("database") / "test.sqlite3"
        with django_db_blocker.unblock():
            base = workshop.get("base.sqlite3", databases.make_base)
            with databases.copied(base, own):
                yield
    else:
        request.getfixturevalue("django_db_modify_db_settings")
        with django_db_blocker.unblock(), databases.served():
            yield


@pytest.fixture(scope="session")
def migrated_site(workshop: Workshop, django_db_setup: None) -> Path:
    """The folder (VAR_DIR) of an embedded site that nobody used yet: to be copied."""
    return workshop.get("migrated-site", databases.make_site)


@pytest.fixture(scope="session", autouse=True)
def quiet_settings() -> None:
    """Wake-up messages of tests go nowhere, as no worker listens; passwords cost nothing; programs may ask at will."""
    from django.conf import settings

    settings.JOB_WAKE_UPS = False
    # They would cost more than all else; tests of forecasts ask for them.
    settings.FORECASTS = False
    # Whatever database the tests run on.
    settings.IS_EMBEDDED = False
    # The pages that only some operators have are looked at as well.
    settings.OPERATOR_PAGES = str(Path(__file__).parent / "web" / "pages_of_operator")
    settings.API_RATES = dict.fromkeys(settings.API_RATES, "")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
