"""The context of a log record: the request being answered, the job being done.

It is in this room because the site reads it too, and jobs must not know the site. Request and job belong to one thread
or coroutine. A new thread gets them by `contextvars.copy_context`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RequestContext:
    """A request: its id, and a function for the id of the account that asks, None while unknown (never by a query)."""

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
    """Make this request the context of all log records inside."""
    token = _request.set(request)
    try:
        yield
    finally:
        _request.reset(token)


@contextmanager
def in_job(job: JobContext) -> Iterator[None]:
    """Make this attempt at a job the context of all log records inside."""
    token = _job.set(job)
    try:
        yield
    finally:
        _job.reset(token)


def request_id() -> str:
    """Return the id of the request being answered; empty without one."""
    request = _request.get()
    return "" if request is None else request.request_id


def facts(request: RequestContext | None = None) -> dict[str, Any]:
    """Return the fields of a log record about its request and its job, as far as there are any.

    Pass `request` for a record that is written after the request has ended; a request in progress comes first.
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
