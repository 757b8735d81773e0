"""The metrics for Prometheus: counts of requests from the web processes, and other counts from the database.

Each web process counts its requests; `PROMETHEUS_MULTIPROC_DIR` adds the counts of several processes up. Jobs, matches
and deliveries are counted in the database at each scrape, so it does not matter which process did the work.
"""

from __future__ import annotations

import os
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from solaris_site.metrics_rows import Rows

SEVERAL = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which several web processes share a folder for their counts; prometheus_client reads it too."""
LOOPBACK = ("127.0.0.1", "::1")
OF_PROXIES = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
"""Headers that proxies add; a program on the same machine sends none of them."""

REQUESTS = Counter("solaris_requests", "Requests that were answered", ["route", "method", "status"])
SECONDS = Histogram(
    "solaris_request_seconds",
    "Time until a request was answered",
    ["route", "method"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count a request by the name of its route (from a finite list), its method, and the class of its status, and
    record its seconds.
    """
    REQUESTS.labels(route, method, f"{status // 100}xx").inc()
    SECONDS.labels(route, method).observe(seconds)


@never_cache
def show(request: HttpRequest) -> HttpResponse:
    """Show all metrics as text for Prometheus to a client that may read them. Answer 404 to all others, and 405 to
    other methods than GET and HEAD.
    """
    if not _may_read(request):
        raise Http404
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    own = REGISTRY
    if os.environ.get(SEVERAL):
        own = CollectorRegistry()
        MultiProcessCollector(own)
    registry = CollectorRegistry()
    registry.register(Rows())
    text = generate_latest(own) + generate_latest(registry)
    return HttpResponse(text, status=HTTPStatus.OK, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """Return whether a client may read the metrics. It must send METRICS_TOKEN as a bearer token. Without that setting
    the site must be embedded, and the client on the same machine without a proxy.

    A request through a proxy may come from anywhere, even when its address is local. PROXY_COUNT covers proxies that
    add no header.
    """
    token: str = settings.METRICS_TOKEN
    if token:
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and constant_time_compare(sent.strip(), token)
    came_through = settings.PROXY_COUNT > 0 or any(name in request.headers for name in OF_PROXIES)
    return bool(settings.IS_EMBEDDED) and request.META.get("REMOTE_ADDR") in LOOPBACK and not came_through
