"""Two kinds of sites to put under faults: embedded (SQLite, a queue of files) and served (PostgreSQL, Redis)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

from tests.conftest import SERVICES_BROKER_URL, SERVICES_DATABASE_URL
from tests.services.processes import environment

EMBEDDED = "filesystem + SQLite"
SERVED = "Redis + PostgreSQL"


@contextmanager
def site(kind: str, folder: Path, lease_seconds: int = 1) -> Iterator[dict[str, str]]:
    """The environment of an empty site of its own; its database and queue are removed at the end."""
    values = environment(
        VAR_DIR=str(folder),
        DEBUG="1",
        DJANGO_SETTINGS_MODULE="solaris_site.settings",
        JOB_LEASE_SECONDS=str(lease_seconds),
        JOB_STALE_SECONDS="1",
        JOB_SWEEP_SECONDS="1",
        LOG_LEVEL="CRITICAL",
        PYTHONPATH=str(Path(__file__).resolve().parents[2]),
    )
    if kind == EMBEDDED:
        yield values
        return
    with database() as url, queue() as prefix:
        yield values | {
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": SERVICES_BROKER_URL,
            "CELERY_QUEUE_PREFIX": prefix,
        }


@contextmanager
def database() -> Iterator[str]:
    """The URL of an empty database of PostgreSQL."""
    name = f"solaris_faults_{uuid.uuid4().hex[:12]}"
    with _server() as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield _at(name)
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def make_empty(url: str) -> None:
    """Put an empty database in the place of one that `database` gave."""
    name = urlsplit(url).path[1:]
    with _server() as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')


def _server() -> psycopg.Connection[Any]:
    return psycopg.connect(_at("postgres"), autocommit=True)


def _at(name: str) -> str:
    return urlunsplit(urlsplit(SERVICES_DATABASE_URL)._replace(path=f"/{name}"))


@contextmanager
def queue() -> Iterator[str]:
    """What keeps one site's messages in Redis apart from others'."""
    prefix = f"faults-{uuid.uuid4().hex}:"
    try:
        yield prefix
    finally:
        with redis.Redis.from_url(SERVICES_BROKER_URL) as server:
            for key in server.scan_iter(f"{prefix}*"):
                server.delete(key)
