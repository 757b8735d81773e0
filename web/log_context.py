"""What this process is about while a record is logged: the request that is answered, the job that is done.

It stands here because the site reads it too, and jobs must not know the site. Both are of the running thread or
coroutine alone; a thread that one starts gets them by `contextvars.copy_context`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RequestContext:
    """A request: its id, and how to learn who asks, as far as that is known already (never by a query)."""

    request_id: str
    user_id: Callable[[], int | None] = lambda: None


@dataclass(frozen=True)
class JobContext:
    """One attempt at a job."""

    job_id: int
    attempt: int
    name: str


_request: ContextVar[RequestContext | None] = ContextVar("request", default=None)
_job: ContextVar[JobContext | None] = ContextVar("job", default=None)


@contextmanager
def in_request(request: RequestContext) -> Iterator[None]:
    """Do everything inside for this request."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


@contextmanager
def in_job(job: JobContext) -> Iterator[None]:
    """Do everything inside for this attempt at a job."""
    token = _job.set(job)
    try:
        yield
    finally:
        _job.reset(token)


def request_id() -> str:
    """Return the id of the request that is answered here; empty where there is none."""
    request = _request.get()
    return "" if request is None else request.request_id


def facts(request: RequestContext | None = None) -> dict[str, Any]:
    """Return what a log record should say of its surroundings, without what is not there.

    `request` is for records that are written when the request is over already.
    """
    fields: dict[str, Any] = {}
    known = _request.get() or request
    if known is not None:
        fields["request_id"] = known.request_id
        user = known.user_id()
        if user is not None:
            fields["user_id"] = user
    job = _job.get()
    if job is not None:
        fields |= {"job_id": job.job_id, "attempt": job.attempt, "job_name": job.name}
    return fields
