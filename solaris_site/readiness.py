"""Whether all that the site stands on is there: its database, every migration, the queue, beat and workers.

Each look is short: what does not answer in time counts as gone, on a thread that nobody waits for any longer. Looks
are shared for a moment, so that asking often costs next to nothing.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
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
"""Seconds after which what was asked counts as gone."""
BROKER_SECONDS = 2
SWEEP = "jobs.sweep"
BEAT_SYNC_SECONDS = 180
"""How long beat keeps to itself when it last ran a task, at most."""
SHORTEST_WAIT_THAT_ALARMS = 60

Finding = Mapping[str, bool]


class Probe:
    """Asks for some of the checks on a thread of its own; one at a time, so that what hangs does not pile up."""

    def __init__(self, names: tuple[str, ...], ask: Callable[[], Finding]) -> None:
        self.names = names
        self.ask = ask
        self.found: Finding = {}
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """Ask, unless the last question still waits for its answer."""
        if self.thread is not None and self.thread.is_alive():
            return
        self.found = {}
        self.thread = threading.Thread(target=self._run, name="readiness", daemon=True)
        self.thread.start()

    def end(self, until: float) -> Finding:
        """Return what is known by then; what is not is not well."""
        if self.thread is not None:
            self.thread.join(max(0.0, until - time.monotonic()))
        return {name: bool(self.found.get(name)) for name in self.names}

    def _run(self) -> None:
        try:
            self.found = self.ask()
        finally:
            # The thread's own connection, which nobody will use again.
            connection.close()


def ask_database() -> Finding:
    """Return whether the database answers, knows every migration of this version,
    and shows signs of beat and workers.
    """
    found = {"database": False, "migrations": False, "beat": False, "worker": False}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        found["database"] = True
        found["migrations"] = migrations_are_applied()
        found["beat"] = beat_is_there()
        found["worker"] = longest_wait() < longest_fair_wait()
    except (DatabaseError, ImproperlyConfigured):
        # What was found before it failed holds: without tables the database itself may well be there.
        logger.warning("The database does not answer as it should", exc_info=True)
    return found


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration that comes with this version, by the names of the files: to load them all takes too long
    here.
    """
    found = set()
    for app in apps.get_app_configs():
        module, _ = MigrationLoader.migrations_module(app.label)
        if module is not None and find_spec(module) is not None:
            names = (name for _, name, _ in iter_modules(import_module(module).__path__))
            found |= {(app.label, name) for name in names if name[0] not in "_~"}
    return frozenset(found)


def migrations_are_applied() -> bool:
    """Return whether the database has every migration of this version; one query."""
    return own_migrations() <= set(MigrationRecorder(connection).applied_migrations())


def beat_is_there() -> bool:
    """Return whether beat wrote down lately that it asked for a tick; one query."""
    notes = 3 * min(settings.JOB_SWEEP_SECONDS * settings.CELERY_BEAT_SYNC_EVERY, BEAT_SYNC_SECONDS)
    since = Now() - timedelta(seconds=max(notes, SHORTEST_WAIT_THAT_ALARMS))
    return PeriodicTask.objects.filter(name=SWEEP, last_run_at__gte=since).exists()


def longest_fair_wait() -> float:
    """Seconds that a due job may wait for a worker: its message may be lost and sent again twice."""
    return max(SHORTEST_WAIT_THAT_ALARMS, 3 * (settings.JOB_STALE_SECONDS + settings.JOB_SWEEP_SECONDS))


def ask_queue() -> Finding:
    """Return whether the queue can be reached: its server, or the folder of the embedded one."""
    if settings.CELERY_BROKER_URL.startswith("filesystem:"):
        folder = str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_out"])
        return {"queue": os.path.isdir(folder) and os.access(folder, os.W_OK)}
    options = {"socket_connect_timeout": BROKER_SECONDS, "socket_timeout": BROKER_SECONDS}
    # A connection of its own: those of the pool try again for longer than anybody would wait here.
    broker = Connection(settings.CELERY_BROKER_URL, connect_timeout=BROKER_SECONDS, transport_options=options)
    try:
        with broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_SECONDS)
    except (KombuError, OSError) as error:
        # Its words may hold the address with its password.
        logger.warning("The queue does not answer: %s", type(error).__name__)
        return {"queue": False}
    return {"queue": True}


class Looks:
    """The last finding, kept for a moment; who asks meanwhile waits for it."""

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


_looks = Looks(Probe(("database", "migrations", "beat", "worker"), ask_database), Probe(("queue",), ask_queue))


def look() -> Finding:
    """Return every check by name and whether it is well, at most a second old."""
    return _looks.look()
