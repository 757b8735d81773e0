"""Posting a document to an outside address, with narrow limits: the other side cannot make it raise or take long.

The connection goes to an IP address that was allowed before. The name serves only for TLS and for the header Host. It
is a bare connection: nothing here follows redirects, asks a proxy, keeps cookies, unpacks answers or tries again.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import ceil

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, ReadTimeoutError
from urllib3.util.ssl_match_hostname import CertificateError

from webhooks.addresses import Target

CONNECT_SECONDS = 5.0
READ_SECONDS = 8.0
ALL_SECONDS = 15.0
"""How long a try may last from the first connection on, however slowly the other side answers."""
MOST_CONNECTIONS = 3
MOST_READ = 4096
"""Bytes of an answer that are read, so that small receivers see no reset. They are thrown away: nobody is shown an
answer, because the address may be somebody else's."""
GONE = 410
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")
LONGEST_PAUSE = 999_999_999
"""The most seconds that a header Retry-After is taken to ask for."""


@dataclass(frozen=True)
class Reply:
    """The outcome of a try: the status of the answer, None without one, and a `problem`, "" for a delivery.

    The problems are no_connection, bad_certificate, too_slow, no_answer, redirect, gone and bad_status. `retry_after`
    is how many seconds the other side asked us to wait, None if it did not ask. `has_waited` says that we waited
    as long as we do, for a connection or for the rest of an answer.
    """

    status: int | None
    problem: str = ""
    retry_after: int | None = None
    has_waited: bool = False

    @property
    def is_slow(self) -> bool:
        return self.has_waited or self.problem == "too_slow"

    @property
    def is_delivered(self) -> bool:
        return not self.problem


def post(target: Target, addresses: Sequence[str], body: bytes, headers: Mapping[str, str]) -> Reply:
    """Post a document to the first of these addresses that takes a connection. The other side cannot make it raise."""
    ends = time.monotonic() + ALL_SECONDS
    problem, has_waited = "no_connection", False
    for address in addresses[:MOST_CONNECTIONS]:
        limit = min(CONNECT_SECONDS, ends - time.monotonic())
        if limit <= 0:
            break
        connection = _connection(target, address, limit)
        try:
            connection.connect()
        except (ssl.SSLError, CertificateError):
            connection.close()
            problem = "bad_certificate"
            continue
        except (HTTPError, OSError, ValueError) as error:
            connection.close()
            has_waited = has_waited or _let_us_wait(error)
            continue
        try:
            return _asked(connection, target, body, headers, ends)
        finally:
            connection.close()
    return Reply(None, problem, has_waited=has_waited)


def _connection(target: Target, address: str, limit: float) -> HTTPConnection:
    if target.scheme == "http":
        return HTTPConnection(address, target.port, timeout=limit)
    return HTTPSConnection(
        address,
        target.port,
        timeout=limit,
        server_hostname=target.host,
        assert_hostname=target.host,
        ssl_context=ssl.create_default_context(),
    )


def _asked(connection: HTTPConnection, target: Target, body: bytes, headers: Mapping[str, str], ends: float) -> Reply:
    """Send the document over an open connection and read the answer until the time is over."""
    connection.timeout = max(0.1, min(READ_SECONDS, ends - time.monotonic()))
    # A socket's time limit counts from byte to byte: a receiver that sends one now and then could hold us for hours.
    over = threading.Event()
    watch = threading.Timer(max(0.1, ends - time.monotonic()), _hang_up, (connection.sock, over))
    watch.daemon = True
    watch.start()
    sent = {"Host": target.authority, "Accept-Encoding": "identity", "Connection": "close", **headers}
    try:
        connection.request("POST", target.path, body, sent, preload_content=False, decode_content=False)
        answer = connection.getresponse()
        if over.is_set():
            # We hung up within the headers: the part that came looks complete.
            return Reply(None, "too_slow")
    except TimeoutError:
        return Reply(None, "too_slow")
    except (HTTPError, http.client.HTTPException, OSError, ValueError):
        return Reply(None, "too_slow" if over.is_set() else "no_answer")
    else:
        has_waited = False
        try:
            answer.read(MOST_READ, decode_content=False)
        except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            has_waited = _let_us_wait(error)
        reply = _read(answer.status, answer.headers.get("Retry-After"))
        return replace(reply, has_waited=has_waited or over.is_set())
    finally:
        watch.cancel()


def _let_us_wait(error: Exception) -> bool:
    """Return whether an error means that time ran out. A refused connection is a NewConnectionError."""
    is_refused = isinstance(error, NewConnectionError)
    return isinstance(error, ConnectTimeoutError | ReadTimeoutError | TimeoutError) and not is_refused


def _hang_up(opened: socket.socket, over: threading.Event) -> None:
    """End all waiting for an open socket. It skips the shutdown of TLS, which would wait for the other side."""
    over.set()
    with contextlib.suppress(OSError):
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


def _read(status: int, retry_after: str | None) -> Reply:
    """Return the outcome that a status means. Only 2xx is a delivery. A redirect is a problem: it is not followed."""
    if 200 <= status < 300:
        return Reply(status)
    if 300 <= status < 400:
        return Reply(status, "redirect")
    if status == GONE:
        return Reply(status, "gone")
    return Reply(status, "bad_status", seconds_of(retry_after, datetime.now(UTC)))


def seconds_of(phrase: str | None, now: datetime) -> int | None:
    """Return the whole seconds, rounded up, that a header Retry-After asks for, LONGEST_PAUSE at most.

    It holds a number, which may have a fraction, or a date. None without the header, and when it cannot be read.
    """
    if phrase is None:
        return None
    text = phrase.strip()
    if NUMBER.fullmatch(text):
        return ceil(min(float(text), LONGEST_PAUSE))
    try:
        until = parsedate_to_datetime(text)
        return min(max(0, ceil((until - now).total_seconds())), LONGEST_PAUSE)
    except (TypeError, ValueError, OverflowError):
        return None
