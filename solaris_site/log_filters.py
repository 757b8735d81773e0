"""Filters that change or drop the log records of libraries."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from solaris_site.routes import route_of

READY = "ready"


class ExpectedAnswers(logging.Filter):
    """A filter that drops Django's records of /readyz while the site is not ready.

    That answer is no error, and it is asked for often. The line of the request shows it, and readiness logs the reason.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request: Any = getattr(record, "request", None)
        is_unready = getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE
        return not (is_unready and request is not None and route_of(request).name == READY)


class OfStrangers(logging.Filter):
    """A filter that turns an error that any client can cause into a warning without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = record.exc_text = None
        return True
