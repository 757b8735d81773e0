"""Filters that change or drop the log records of libraries."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from solaris_site.routes import route_of

READY = "ready"


class ExpectedAnswers(logging.Filter):
    """A filter that drops Django's records about answers of /readyz with 503.

    That answer is no error, and supervisors ask often. The line about the request shows its status, and readiness logs
    the reason.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request: Any = getattr(record, "request", None)
        is_unready = getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE
        return not (is_unready and request is not None and route_of(request).name == READY)


class OfStrangers(logging.Filter):
    """A filter for errors that any client can cause: it makes each a warning at most, without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = record.exc_text = None
        return True
