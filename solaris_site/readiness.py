"""The readiness of everything that the site needs: its database and disk, every migration, the queue, beat and workers.

Each check is short and runs on a thread. A part that does not answer in time counts as not well, and nothing waits for
its thread any longer. Requests share findings for a moment, so that asking often costs next to nothing.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django_celery_beat.models import PeriodicTask
from kombu.connection import Connection
from kombu.exceptions import KombuError

from jobs.selectors import longest_wait

logger = logging.getLogger("solaris_site.readiness")

KEPT_SECONDS = 1.0
LONGEST_LOOK = 3.0
"""Seconds after which a part that does not answer counts as not well."""
BROKER_SECONDS = 2
SWEEP = "jobs.sweep"
BEAT_SYNC_SECONDS = 180
"""The longest time, in seconds, before beat stores when it last ran a task."""
SHORTEST_WAIT_THAT_ALARMS = 60
LEAST_FREE = 50_000_000
"""Bytes that must be free on the disk of the embedded database and queue: a large catalogue file takes as many."""
BLOCK = 4096

Finding = Mapping[str, bool]


class Probe:
    """Some of the checks, on a thread of their own. Only one thread runs, so that hanging checks do not pile up."""

    def __init__(self, names: tuple[str, ...], ask: Callable[[], Finding]) -> None:
        self.names = names
        self.ask = ask
        self.found: Finding = {}
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the checks on a new thread, unless the previous thread still runs."""
        if self.thread is not None and self.thread.is_alive():
            return
        self.found = {}
        self.thread = threading.Thread(target=self._run, name="readiness", daemon=True)
        self.thread.start()

    def end(self, until: float) -> Finding:
        """Wait for the checks until the moment `until` (monotonic seconds), and return whether each is well. A check
        without an answer is not well.
        """
        if self.thread is not None:
            self.thread.join(max(0.0, until - time.monotonic()))
        return {name: bool(self.found.get(name)) for name in self.names}

    def _run(self) -> None:
        try:
            self.found = self.ask()
        finally:
            # This is the thread's own connection, and nothing will use it again.
            connection.close()


def ask_database() -> Finding:
    """Return whether the database answers, has every migration of this version, and shows signs of beat and workers."""
    found = {"database": False, "migrations": False, "beat": False, "worker": False}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        found["database"] = True
        found["migrations"] = migrations_are_applied()
        found["beat"] = beat_is_there()
        found["worker"] = longest_wait() < longest_fair_wait()
    except (DatabaseError, ImproperlyConfigured):
        # The findings before the failure stay: the database may be there without tables.
        logger.warning("The database does not answer as it should", exc_info=True)
    return found


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration of this version as (app, name). They come from the names of the files, because loading the
    migrations would take too long here.
    """
    found = set()
    for app in apps.get_app_configs():
        module, _ = MigrationLoader.migrations_module(app.label)
        if module is not None and find_spec(module) is not None:
            names = (name for _, name, _ in iter_modules(import_module(module).__path__))
            found |= {(app.label, name) for name in names if name[0] not in "_~"}
    return frozenset(found)


def migrations_are_applied() -> bool:
    """Return whether the database has every migration of this version; two queries at most."""
    return own_migrations() <= set(MigrationRecorder(connection).applied_migrations())


def beat_is_there() -> bool:
    """Return whether beat has stored a run of its task SWEEP within three times the longest time between such records,
    or SHORTEST_WAIT_THAT_ALARMS if that is longer; one query.
    """
    notes = 3 * min(settings.JOB_SWEEP_SECONDS * settings.CELERY_BEAT_SYNC_EVERY, BEAT_SYNC_SECONDS)
    since = Now() - timedelta(seconds=max(notes, SHORTEST_WAIT_THAT_ALARMS))
    return PeriodicTask.objects.filter(name=SWEEP, last_run_at__gte=since).exists()


def longest_fair_wait() -> float:
    """Return the seconds that a due job may wait before the workers count as gone. The time allows for a message that
    is lost twice and sent again.
    """
    return max(SHORTEST_WAIT_THAT_ALARMS, 3 * (settings.JOB_STALE_SECONDS + settings.JOB_SWEEP_SECONDS))


def ask_disk() -> Finding:
    """Return whether the disk of the embedded database can be written to. Without one it is always well."""
    file = settings.DATABASES["default"]
    return {"disk": not file["ENGINE"].endswith(".sqlite3") or can_write(Path(file["NAME"]).absolute().parent)}


def can_write(folder: Path) -> bool:
    """Return whether a block can be written in a folder, with LEAST_FREE bytes to spare. Nothing stays there."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            file.write(bytes(BLOCK))
        return shutil.disk_usage(folder).free >= LEAST_FREE
    except OSError as error:
        logger.warning("The folder %s takes no file: %s", folder, error.strerror)
        return False


def ask_queue() -> Finding:
    """Return whether the queue can be reached: its server, or the folder of the embedded one."""
    if settings.CELERY_BROKER_URL.startswith("filesystem:"):
        return {"queue": can_write(Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_out"]))}
    options = {"socket_connect_timeout": BROKER_SECONDS, "socket_timeout": BROKER_SECONDS}
    # A connection outside the pool: the pool's connections would retry for too long.
    broker = Connection(settings.CELERY_BROKER_URL, connect_timeout=BROKER_SECONDS, transport_options=options)
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_SECONDS)
    except (KombuError, OSError) as error:
        # The error's text may contain the address with its password.
        logger.warning("The queue does not answer: %s", type(error).__name__)
        return {"queue": False}
    return {"queue": True}


class Looks:
    """The last findings, kept for a second. While one thread makes new ones, others wait for them."""

    def __init__(self, *probes: Probe) -> None:
        self.probes = probes
        self.lock = threading.Lock()
        self.found: Finding = {}
        self.found_at = float("-inf")

    def look(self) -> Finding:
        with self.lock:
            if time.monotonic() - self.found_at >= KEPT_SECONDS:
                until = time.monotonic() + LONGEST_LOOK
                for probe in self.probes:
                    probe.begin()
                self.found = {name: well for probe in self.probes for name, well in probe.end(until).items()}
                self.found_at = time.monotonic()
            return self.found


_looks = Looks(
    Probe(("database", "migrations", "beat", "worker"), ask_database),
    Probe(("disk",), ask_disk),
    Probe(("queue",), ask_queue),
)


def look() -> Finding:
    """Return whether each check is well, by its name; at most a second old."""
    return _looks.look()
