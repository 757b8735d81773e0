"""What the log says, read as a program reads it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from typing import Any

from solaris_site.log_records import OneLine, OneObject, Surroundings

Lines = Callable[[], list[dict[str, Any]]]


class lines_of:  # noqa: N801 - reads like a function
    """What is logged inside, as programs read it; `text` has it as people do."""

    def __init__(self, name: str = "") -> None:
        self.logger = logging.getLogger(name)

    def __enter__(self) -> Lines:
        self.written, self.plain = io.StringIO(), io.StringIO()
        self.handlers = [logging.StreamHandler(self.written), logging.StreamHandler(self.plain)]
        for handler, formatter in zip(self.handlers, (OneObject(), OneLine()), strict=True):
            handler.setFormatter(formatter)
            handler.addFilter(Surroundings())
            self.logger.addHandler(handler)
        return lambda: [json.loads(line) for line in self.written.getvalue().splitlines()]

    def __exit__(self, *error: object) -> None:
        for handler in self.handlers:
            self.logger.removeHandler(handler)
