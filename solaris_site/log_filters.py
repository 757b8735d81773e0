"""Which records of libraries are said otherwise than they would say them, or not at all."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from solaris_site.routes import route_of

READY = "ready"


class ExpectedAnswers(logging.Filter):
    """Leaves out what Django says of /readyz while the site is not ready.

    That answer is no error of the site, and is asked for often; one line a request says it, and readiness says why.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request: Any = getattr(record, "request", None)
        is_unready = getattr(record, "status_code", None) == HTTPStatus.SERVICE_UNAVAILABLE
        return not (is_unready and request is not None and route_of(request).name == READY)


class OfStrangers(logging.Filter):
    """Makes a warning without traceback of an error that whoever likes can cause by what they send."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = record.exc_text = None
        return True
