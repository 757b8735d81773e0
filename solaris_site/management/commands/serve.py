"""Serve the site's pages by one process that runs on every system."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from types import FrameType
from typing import Any

import waitress
from django.conf import settings
from django.core.management.base import BaseCommand

from web.utf8 import UTF8WSGIHandler

THREADS = 12
"""Pages at the same time: some wait for another's turn, and the phones of a hall ask often."""


class Command(BaseCommand):
    help = "Serves the pages outside DEBUG by one process, on every system, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        # The server ends its threads on this exception.
        signal.signal(signal.SIGTERM, end)
        # The site itself refuses a larger request with a page; and no part of a photo may lie in a temporary file.
        largest = 2 * settings.LARGEST_REQUEST
        waitress.serve(
            UTF8WSGIHandler(),
            host=options["host"],
            port=options["port"],
            threads=THREADS,
            max_request_body_size=largest,
            inbuf_overflow=largest,
            ident=None,
        )


def end(number: int, frame: FrameType | None) -> None:
    """End this process as a whole."""
    raise SystemExit(0)
