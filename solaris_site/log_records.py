"""The lines of the log: one JSON object or one plain line for each record, with the ids of request, job and person.

Secrets stay out of the log. Only listed fields are written, so that additions of libraries (whole requests) stay out.
The log names the route of a request instead of its path, which may hold a key. Text that looks like one of our keys is
replaced by "[key]", and so is everything after the host of an address.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from solaris_site.routes import route_of
from web import log_context

FORMATS = ("json", "plain")
SURROUNDINGS = ("request_id", "user_id", "job_id", "attempt", "job_name")
DETAILS = (
    *("method", "route", "status", "milliseconds", "outcome", "asked_job", "asked_name"),
    *("match", "action", "side", "unit", "decision", "bot", "fault"),
)
"""More fields, of lines about requests, ended jobs, queued jobs, and failed bots. Only the JSON form writes them."""

KEY = re.compile(r"(?<![A-Za-z0-9_-])(?:solaris_)?[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
"""The form of tokens, share keys and calendar keys: 256 random bits."""
SIGNING = re.compile(r"whsec_[A-Za-z0-9+/=_-]+")
"""The form of a key that signs a webhook's documents."""
ADDRESS = re.compile(r"(\bhttps?://[^\s/?#'\"<>]+[/?#])[^\s'\"<>)\]]+", re.IGNORECASE)
"""An address with more than a host. The rest may hold a webhook's key, and a receiver's keys may have any form."""
STRUCK_OUT = "[key]"


def struck(text: str) -> str:
    """Return a text in which STRUCK_OUT replaces everything that looks like a secret."""
    return KEY.sub(STRUCK_OUT, ADDRESS.sub(rf"\1{STRUCK_OUT}", SIGNING.sub(STRUCK_OUT, text)))


class Surroundings(logging.Filter):
    """A filter that adds the ids of request, job and person to every record, and replaces a request's path among its
    arguments by the route. It keeps every record.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request: Any = getattr(record, "request", None)
        for name, value in log_context.facts(getattr(request, "asking", None)).items():
            if not hasattr(record, name):
                setattr(record, name, value)
        path = getattr(request, "path", None)
        if path is not None and isinstance(record.args, tuple):
            addresses = {path, request.get_full_path()}
            route = route_of(request).template
            record.args = tuple(route if isinstance(arg, str) and arg in addresses else arg for arg in record.args)
        return True


class OneLine(logging.Formatter):
    """The format for people: time, level, name, message; request, job and person in brackets. A traceback follows."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname:<7} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name that logging calls
        lines = [f"{name}={value}" for name in SURROUNDINGS if (value := getattr(record, name, None)) is not None]
        return super().formatMessage(record) + (f" [{' '.join(lines)}]" if lines else "")

    def format(self, record: logging.LogRecord) -> str:
        return struck(super().format(record))


class OneObject(JsonFormatter):
    """The format for programs: one JSON object of known fields on each line. A traceback is a text in it."""

    def __init__(self) -> None:
        super().__init__(["message"])

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        message = record.getMessage()
        if isinstance(record.msg, dict):
            message = json.dumps(record.msg, default=str)
        log_data["time"] = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        log_data["level"] = record.levelname
        log_data["logger"] = record.name
        log_data["message"] = struck(message)
        for name in (*SURROUNDINGS, *DETAILS):
            value = getattr(record, name, None)
            if value is not None:
                log_data[name] = value
        for name in ("exc_info", "stack_info"):
            if name in message_dict and not isinstance(record.msg, dict):
                log_data[name] = struck(str(message_dict[name]))
