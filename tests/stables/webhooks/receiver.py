"""A receiver of webhooks for tests: a real HTTP server in a thread, which answers as it is asked to and keeps all."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.waiting import DEADLINE_SECONDS
from webhooks import addresses, posting

Answers = Callable[[BaseHTTPRequestHandler, int], None]


@dataclass
class Sent:
    """One request that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.body)
        return read


@dataclass
class Receiver:
    """What arrived so far. `answers` is called with each request and its number from 0."""

    url: str = ""
    sent: list[Sent] = field(default_factory=list)
    answers: Answers = lambda handler, number: say(handler, 204)
    over: threading.Event = field(default_factory=threading.Event)

    def documents(self) -> list[dict[str, Any]]:
        return [each.document for each in self.sent]


def say(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str] | None = None, body: bytes = b"") -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def in_turn(*statuses: int, headers: dict[str, str] | None = None) -> Answers:
    """Answer with these, one after the other, and then always with the last."""
    return lambda handler, number: say(handler, statuses[min(number, len(statuses) - 1)], headers)


@contextmanager
def listening(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Listen on this host; by TLS with a context that has a certificate."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            number = len(receiver.sent)
            receiver.sent.append(Sent(self.path, dict(self.headers.items()), body))
            receiver.answers(self, number)

        def log_message(self, *arguments: Any) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda *arguments: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/news?key=abcd"
    try:
        yield receiver
    finally:
        receiver.over.set()
        server.shutdown()
        server.server_close()


def be_patient(set_to: Callable[[object, str, float], None]) -> None:
    """Let nothing that is posted end because the machine is slow."""
    set_to(addresses, "RESOLVING_SECONDS", DEADLINE_SECONDS)
    for name in ("CONNECT_SECONDS", "READ_SECONDS", "ALL_SECONDS"):
        set_to(posting, name, DEADLINE_SECONDS)


@pytest.fixture
def receiver(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """One that listens on this host, where the operator allows that."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    be_patient(monkeypatch.setattr)
    with listening() as found:
        yield found


def verify(secret: str, headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """What docs/operations.md tells receivers to do; a test holds that it is the same."""
    name, stamp = headers["Webhook-Id"], headers["Webhook-Timestamp"]
    if abs(time.time() - int(stamp)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    right = hmac.new(key, f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
    given = [each.removeprefix("v1,") for each in headers["Webhook-Signature"].split()]
    if not any(hmac.compare_digest(base64.b64encode(right).decode(), each) for each in given):
        raise ValueError("not from there")
    read: dict[str, Any] = json.loads(body)
    return read
