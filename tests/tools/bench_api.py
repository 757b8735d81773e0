"""Measure how many requests a second the API answers with two workers: part of `make bench`.

    python -m tests.tools.bench_api [--seconds 0.5] [--turns 16] [--clients 8] [--json]

The server is the one that `up` starts in production: gunicorn with two workers, DEBUG off, on a SQLite database with a
played season of eight stables. Clients ask for the standings and a bare view in turn in the same run, over connections
that stay open during a turn. Turns are short and many, because chance decides which worker takes how many connections.
The bare view is an endpoint of the same base class, behind the same middleware, that answers an empty object. The
difference is what the standings themselves cost. `off` in API_STRANGERS lifts the limit on requests. The goal is at
least a quarter of the bare view's requests a second; a client that has the answer already gets 304.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.services.processes import ROOT, answers_with_host, free_port
from tests.tools.bench_pages import set_up
from tests.waiting import wait_until

GOAL = 0.25
HOST = "testserver"
LONGEST_WAIT_SECONDS = 30


def application() -> Any:
    """What gunicorn serves: the site with the bare view beside it."""
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    settings.ROOT_URLCONF = "tests.tools.bench_api_site"
    return get_wsgi_application()


@contextmanager
def server() -> Iterator[int]:
    """The server as `up` starts it, on a port of its own; it ends with the block."""
    from solaris_site.management.commands.up import web

    port = free_port()
    command = [
        "tests.tools.bench_api:application()" if part == "solaris_site.wsgi" else part
        for part in web(f"127.0.0.1:{port}")
    ]
    process = subprocess.Popen([*command, "--log-level", "error"], cwd=ROOT, env={**os.environ, "API_STRANGERS": "off"})
    try:
        address = f"http://127.0.0.1:{port}/healthz"
        wait_until(lambda: answers_with_host(address, HOST), "an answer of the server")
        yield port
    finally:
        process.terminate()
        process.wait(LONGEST_WAIT_SECONDS)


@dataclass(frozen=True)
class Answer:
    """What came back: the status, and its entity tag, empty without one."""

    status: int
    tag: str
    size: int


class Connection:
    """A connection that stays open. Written by hand, so that the client takes as little of the machine as it can."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LONGEST_WAIT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> Answer:
        """Send a request and read the whole answer."""
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self._more()
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        size = int(headers.get(b"content-length", b"0"))
        missing = size - len(body)
        while missing > 0:
            missing -= len(self._more())
        return Answer(int(lines[0].split()[1]), headers.get(b"etag", b"").decode(), size)

    def _more(self) -> bytes:
        found = self.socket.recv(65536)
        assert found, "the server closed the connection"
        return found


def request_for(path: str, **headers: str) -> bytes:
    """The bytes that ask for a path."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: application/json\r\n{more}\r\n".encode()


def rate(port: int, request: bytes, status: int, clients: int, seconds: float) -> tuple[int, float]:
    """How many answers so many clients got at once, and in how many seconds. Every one must have the status."""
    start = threading.Barrier(clients + 1)
    counts: list[int] = []

    def asking() -> None:
        connection, count = Connection(port), 0
        start.wait()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            answer = connection.ask(request)
            assert answer.status == status, answer
            count += 1
        connection.socket.close()
        counts.append(count)

    threads = [threading.Thread(target=asking, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    assert len(counts) == clients, "a client failed"
    return sum(counts), time.perf_counter() - began


def measure(seconds: float, turns: int, clients: int) -> dict[str, Any]:
    """Ask for each in turn, after one that warms both workers; requests a second over all turns."""
    from stables.models import Season

    path = f"/api/v1/seasons/{Season.objects.get().slug}/standings/"
    with server() as port:
        known = Connection(port).ask(request_for(path))
        assert known.status == 200, known
        asked = {
            "bare view": (request_for("/api/v1/bare/"), 200),
            "standings": (request_for(path), 200),
            "standings, known": (request_for(path, If_None_Match=known.tag), 304),
        }
        sums = dict.fromkeys(asked, (0, 0.0))
        for turn in range(turns + 1):
            for name, (request, status) in asked.items():
                count, spent = rate(port, request, status, clients, seconds)
                if turn:
                    sums[name] = (sums[name][0] + count, sums[name][1] + spent)
    found = {name: count / spent for name, (count, spent) in sums.items()}
    return {
        "requests_per_second": {name: round(value, 1) for name, value in found.items()},
        "ratio": round(found["standings"] / found["bare view"], 3),
        "bytes": known.size,
        "workers": 2,
        "clients": clients,
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench_api", description="Time the API's standings.")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of a turn (default %(default)s)")
    parser.add_argument("--turns", type=int, default=16, help="turns of each request (default %(default)s)")
    parser.add_argument("--clients", type=int, default=8, help="clients at the same time (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        report = measure(options.seconds, options.turns, options.clients)
    if options.json:
        print(json.dumps(report, indent=2))
        return 0
    print(f"{'API, two workers':<22} {'requests/s':>10}")
    for name, value in report["requests_per_second"].items():
        print(f"{name:<22} {value:>10}")
    print(
        f"The standings ({report['bytes']} bytes) reach {report['ratio']} times the bare view (goal: {GOAL} or more)."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
