"""An id for every request, one line in the log about it, and the counts of requests.

This middleware comes before all others, so that their lines and answers belong to the request, too.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from solaris_site import metrics
from solaris_site.routes import method_of, route_of
from web import log_context

logger = logging.getLogger("solaris_site.requests")

HEADER = "X-Request-ID"
SANE = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)

Answers = Callable[[HttpRequest], Any]


class ObservingMiddleware:
    """The middleware that takes the request's id from the X-Request-ID header or makes one, sends it in that header of
    the answer, counts the request, and logs a line about it.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Answers) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        return self._later(request) if self.is_async else self._now(request)

    def _now(self, request: HttpRequest) -> HttpResponseBase:
        asking, began = _begin(request)
        with log_context.in_request(asking):
            response: HttpResponseBase = self.get_response(request)
            return _end(request, response, asking, began)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        asking, began = _begin(request)
        with log_context.in_request(asking):
            response: HttpResponseBase = await self.get_response(request)
            return _end(request, response, asking, began)


def request_id_of(request: HttpRequest) -> str:
    """Return the id in a request's X-Request-ID header if it has the form SANE, otherwise a new id of 32 hex digits."""
    sent = request.headers.get(HEADER, "")
    return sent if SANE.fullmatch(sent) else uuid.uuid4().hex


def known_user(request: HttpRequest) -> int | None:
    """Return the id of the asker's account if it is loaded already, None otherwise and for strangers. No query."""
    token = getattr(request, "token", None)
    user = getattr(request, "_cached_user", None) if token is None else token.user
    number: int | None = getattr(user, "pk", None)
    return number


def _begin(request: HttpRequest) -> tuple[log_context.RequestContext, float]:
    asking = log_context.RequestContext(request_id_of(request), lambda: known_user(request))
    # Django logs refused requests after every middleware has ended; the log finds the id here.
    request.asking = asking  # type: ignore[attr-defined]
    return asking, time.perf_counter()


def _end(
    request: HttpRequest, response: HttpResponseBase, asking: log_context.RequestContext, began: float
) -> HttpResponseBase:
    seconds = time.perf_counter() - began
    response.headers[HEADER] = asking.request_id
    route, method = route_of(request), method_of(request)
    metrics.count_request(route.name, method, response.status_code, seconds)
    milliseconds = round(1000 * seconds, 1)
    logger.info(
        "%s %s %s %s ms",
        method,
        route.template,
        response.status_code,
        milliseconds,
        extra={
            "method": method,
            "route": route.name,
            "status": response.status_code,
            "milliseconds": milliseconds,
        },
    )
    return response
