"""Run the whole site in the foreground: web, worker and beat, stopped together; without a queue web and jobs.

Everything here runs on systems without POSIX too: there without a queue, with another server outside DEBUG.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import supports_color

from solaris_site.environment import Environment
from web.qr import terminal_code

SECONDS_TO_STOP = 10
SECONDS_BETWEEN_LOOKS = 0.2
METRICS = "PROMETHEUS_MULTIPROC_DIR"
PR_SET_PDEATHSIG = 1
"""The option of Linux's prctl: the signal to this process when its parent ends."""
STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask the site to stop; not every system has the last."""
APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""Keeps Ctrl-C from the children on Windows; elsewhere their own session does."""


class Command(BaseCommand):
    help = (
        "Runs web, worker and beat together until Ctrl-C, or until one of them stops. Without a queue "
        "(CELERY_BROKER_URL=memory://) it runs web and jobs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")
        parser.add_argument("--workers", type=int, default=2, help="jobs at the same time (default: %(default)s)")
        parser.add_argument("--code", action="store_true", help="show SITE_URL with a QR code, for other devices")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 < options["port"] < 65536:
            raise CommandError("--port must be between 1 and 65535.")
        check_port(options["host"], options["port"])
        if not settings.DEBUG:
            call_command("collectstatic", interactive=False, verbosity=0)
        address = f"{options['host']}:{options['port']}"
        parts = {"web": web(address), **parts_for_jobs(options["workers"])}
        group = Group(parts, site_url(options["host"], options["port"]))
        before = {number: signal.signal(number, group.ask_to_stop) for number in STOPS}
        try:
            if options["code"]:
                self.stdout.write(terminal_code(f"{settings.SITE_URL}/", supports_color()))
            shown = settings.SITE_URL if options["code"] else f"http://{address}"
            self.stdout.write(f"Solaris Circuit is at {shown}/ - Ctrl-C stops it.")
            self.stdout.flush()
            dead = group.run()
        finally:
            group.stop()
            for number, handler in before.items():
                signal.signal(number, handler)
        if dead is not None:
            raise CommandError(
                f"The {dead} process stopped with exit status {group.statuses[dead]}, so the site was stopped too."
            )
        self.stdout.write("Stopped.")


def check_port(host: str, port: int) -> None:
    """Raise CommandError with the reason when nobody can listen at this address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as listener:
            if os.name == "posix":
                # As the servers do it: connections of before that are not quite over are no reason. On Windows the
                # option would hide a server that listens.
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise CommandError(f"The site cannot listen at {host}, port {port}: {error.strerror}.") from error
        raise CommandError(
            f"Port {port} of {host} is taken: by another site that runs, by what is left of one that was killed, or by "
            f"another program. Stop that (on Linux ss -ltnp 'sport = :{port}' names it), or choose another port with "
            "--port."
        ) from error


def site_url(host: str, port: int) -> dict[str, str]:
    """Return the variable that says where this site answers, for the links in its mails and news.

    Return {} where SITE_URL is set, and outside DEBUG: there a proxy with its own address stands before the site.
    """
    if not settings.DEBUG or Environment().has("SITE_URL"):
        return {}
    # Nobody can follow a link to "every address of this computer".
    name = "localhost" if host in ("", "0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return {"SITE_URL": f"http://{name}:{port}"}


def end_with_this_process() -> Callable[[], None] | None:
    """Return what a child does before it begins, so that it gets TERM when this process ends, even by SIGKILL.

    Only Linux can do that; elsewhere return None.
    """
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:
            # This process ended before the child could ask.
            os._exit(1)

    return ask


def memory_folder() -> Path:
    """Return a new folder for counts of requests, in memory where there is such a place.

    Processes map its files into their memory. On a full disk the next write to one would kill them.
    """
    shared = Path("/dev/shm")
    is_there = shared.is_dir() and os.access(shared, os.W_OK)
    return Path(tempfile.mkdtemp(prefix="solaris-metrics-", dir=shared if is_there else None))


def web(address: str) -> list[str]:
    """Return the command of the web server: Django's own under DEBUG, otherwise gunicorn with threads, so that a page
    that waits does not block others. Where gunicorn cannot run, and without a queue, `manage.py serve` takes its place.
    `address` is host:port.
    """
    if settings.DEBUG:
        # The reloader would be one more process, and nothing here would stop it.
        return [sys.executable, "manage.py", "runserver", "--noreload", address]
    if not uses_gunicorn():
        host, _, port = address.rpartition(":")
        return [sys.executable, "manage.py", "serve", "--host", host, "--port", port]
    # No control socket: all sites of a user would share its path.
    threads = ["--workers", "2", "--threads", "4", "--no-control-socket"]
    return [sys.executable, "-m", "gunicorn", "solaris_site.wsgi", "--bind", address, *threads]


def uses_gunicorn() -> bool:
    """Return whether the web server is gunicorn. It needs POSIX, and without a queue one process is enough."""
    return not settings.DEBUG and settings.HAS_QUEUE and settings.HAS_FILE_LOCKS


def parts_for_jobs(count: int) -> dict[str, list[str]]:
    """Return the commands of the processes that do the jobs, `count` at the same time, by their names."""
    if settings.HAS_QUEUE:
        return {"worker": worker(count), "beat": beat()}
    return {"jobs": [sys.executable, "manage.py", "work", "--threads", str(count)]}


def worker(count: int) -> list[str]:
    """Return the command of the worker, with `count` threads: jobs share the loaded data, and SQLite would serialise
    processes anyway.

    Each worker has a name of its own: of two workers with the same name on one queue, only one hears a question to
    both.
    """
    pool = ["--pool", "threads", "--concurrency", str(count), "--prefetch-multiplier", "4"]
    quiet = ["--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    name = ["--hostname", f"up-{os.getpid()}@%h"]
    return [sys.executable, "-m", "celery", "-q", "-A", "solaris_site", "worker", *name, *pool, *quiet]


def beat() -> list[str]:
    """Return the command of beat. An installation must run exactly one."""
    return [sys.executable, "-m", "celery", "-q", "-A", "solaris_site", "beat", "--pidfile=", "--loglevel", "WARNING"]


class Group:
    """Child processes that run and stop together.

    Each child leads its own session, so a Ctrl-C in the terminal reaches only this process. It then stops the children
    in order, with everything that they started. Where the system allows it, they end too when this process is killed.
    `variables` are added to the environment that they inherit.
    """

    def __init__(self, commands: Mapping[str, list[str]], variables: Mapping[str, str] | None = None) -> None:
        self.commands = commands
        self.variables = dict(variables or {})
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.statuses: dict[str, int] = {}
        self.is_asked_to_stop = False
        self.metrics: Path | None = None

    def ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.is_asked_to_stop = True

    def run(self) -> str | None:
        """Start the children. Return None when asked to stop, or the name of the first child that ended; then
        `statuses` has its exit status. Children still run: call `stop`.
        """
        environment = os.environ | {"PYTHONUNBUFFERED": "1"} | self.variables
        if uses_gunicorn() and not environment.get(METRICS):
            # There are two web processes then, and their counts of requests must add up.
            self.metrics = memory_folder()
            environment[METRICS] = str(self.metrics)
        before = end_with_this_process()
        for name, command in self.commands.items():
            if self.is_asked_to_stop:
                return None
            self.children[name] = subprocess.Popen(
                command,
                cwd=settings.BASE_DIR,
                env=environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                creationflags=APART,
                preexec_fn=before,
            )
        while not self.is_asked_to_stop:
            for name, child in self.children.items():
                status = child.poll()
                if status is not None:
                    self.statuses[name] = status
                    return name
            time.sleep(SECONDS_BETWEEN_LOOKS)
        return None

    def stop(self) -> None:
        """Send TERM to the process group of every child, wait up to SECONDS_TO_STOP for all together, and send KILL to
        processes that are left. Where there are no groups, end the children themselves.
        """
        for child in self.children.values():
            end_child(child)
        end = time.monotonic() + SECONDS_TO_STOP
        for child in self.children.values():
            try:
                child.wait(timeout=max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                pass
            # Even when the leader is gone, processes that it started may run on.
            end_child(child, at_once=True)
            child.wait()
        if self.metrics is not None:
            shutil.rmtree(self.metrics, ignore_errors=True)


def end_child(child: subprocess.Popen[bytes], at_once: bool = False) -> None:
    """Ask a child and what it started to end, or end them `at_once`. One that has ended is left alone."""
    if not hasattr(os, "killpg"):
        # A child of a system without process groups starts nothing that outlives it.
        (child.kill if at_once else child.terminate)()
        return
    try:
        os.killpg(child.pid, signal.SIGKILL if at_once else signal.SIGTERM)
    except ProcessLookupError:
        pass
