"""Send random requests to the interface, for a long time: `make fuzz`.

    python -m tests.tools.fuzz_api [--examples 20] [--rounds 1] [--seed 7] [--roles anonymous,player,organiser]
        [--documents 20000]

It begins with damaged documents of every kind (tests.tools.fuzz_documents): 20,000 of them, or 500 with `--rounds`.

A real server with two workers serves the world of all roles (tests.web.roles) from a database of its own, which keeps
every change. As each role, schemathesis sends it the examples of the description, the edges of every bound, random
requests and links between operations, and runs all its checks. Exit status 1 when an answer does not match the
description.

`--rounds` takes operations and roles in random order instead, without a server, and sends a few random requests for
each. A round of all of them takes about a minute, and the same seed sends the same requests on every machine. Every
request finds the world unchanged. tests/api does the same with other requests.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

from tests.services.processes import ROOT, answers_with_host, free_port
from tests.tools.fuzz_documents import COUNT, send_all
from tests.waiting import DEADLINE_SECONDS, wait_until

ROLES = ("anonymous", "player", "organiser")

OWN_TOKEN = "DELETE /api/v1/me/tokens/{token_id}/"
"""Left out: it would revoke the token of the requests, and every later answer would be 401."""
FEW = 3
"""Random requests to an operation as a role in a round."""
FEW_DOCUMENTS = 500
"""Damaged documents where rounds are few."""
PACES = ("API_READS", "API_WRITES", "API_STRANGERS")


def open_database(folder: str) -> None:
    """Set up the site with a database of its own in a folder, with the catalogue in it."""
    os.environ |= {
        "VAR_DIR": folder,
        "DEBUG": "0",
        "SECRET_KEY": "only for this trial, with nothing to hide",
        "ALLOWED_HOSTS": "127.0.0.1",
        "SECURE_SSL_REDIRECT": "0",
        "STATIC_ROOT": f"{folder}/static",
        "DJANGO_SETTINGS_MODULE": "solaris_site.settings",
        "LOG_LEVEL": "ERROR",
        **dict.fromkeys(PACES, "off"),
    }
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CELERY_BROKER_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    from django.conf import settings

    settings.JOB_WAKE_UPS = False
    settings.ALLOWED_HOSTS += ["testserver"]
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", verbosity=0)
    call_command("load_catalogue", stdout=io.StringIO())


def set_up() -> tuple[Any, dict[str, str]]:
    """Make the world in the open database; return it, and a token for each role that has one."""
    from people.services.tokens import SCOPES, make_token
    from tests.web.roles.world import _world

    world = _world()
    return world, {
        role: make_token(user=world.people[role], name="fuzz", scopes=SCOPES).text
        for role in ROLES
        if role != "anonymous"
    }


def ask(port: int, role: str, token: str, options: argparse.Namespace, folder: str) -> int:
    """Ask as one role; returns the exit status of schemathesis."""
    from tests.api.described import configuration

    file = Path(folder) / "schemathesis.toml"
    file.write_text(_toml(configuration()), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("st")), "--config-file", str(file), "run"]
    command += [f"http://127.0.0.1:{port}/api/v1/openapi.json", "--checks", "all", "--workers", "2"]
    command += ["--max-examples", str(options.examples), "--seed", str(options.seed), "--continue-on-failure"]
    command += ["--exclude-name", OWN_TOKEN]
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
    print(f"\n== as {role}", flush=True)
    return subprocess.run(command, check=False, cwd=folder).returncode


def ask_in_rounds(world: Any, tokens: dict[str, str], options: argparse.Namespace) -> int:
    """Ask every operation as every role, in random order, `options.rounds` times; return 1 after the first answer that
    does not match.
    """
    from tests.api.operations import operations
    from tests.api.random_requests import ask as ask_one
    from tests.api.random_requests import open_site

    headers = {role: {"Authorization": f"Bearer {tokens[role]}"} if role in tokens else {} for role in ROLES}
    order = [(operation, role) for operation in operations() for role in options.roles.split(",")]
    numbers = random.Random(options.seed)
    numbers.shuffle(order)
    with open_site():
        for operation, role in order * options.rounds:
            try:
                ask_one(operation, world, headers, examples=FEW, roles=[role], number=numbers.randrange(2**32))
            except Exception as problem:
                print("".join(traceback.format_exception(problem)))
                print(f"{operation} as {role} does not match its description. Repeat with --seed {options.seed}.")
                return 1
    print(f"{options.rounds} times {FEW} requests for {len(order)} pairs of operation and role: every answer matches.")
    return 0


def _toml(configuration: dict[str, dict[str, object]]) -> str:
    """The configuration as TOML: tables of tables, whose values JSON writes as TOML does."""
    lines = []
    for table, entries in configuration.items():
        for name, values in entries.items():
            lines.append(f"[{table}.{json.dumps(name)}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in values.items()]  # type: ignore[attr-defined]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run everything; return 0 when every answer matches its description."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--examples", type=int, default=20, help="random requests for each operation (default 20)")
    parser.add_argument("--rounds", type=int, help="ask each operation this often as each role, without a server")
    parser.add_argument("--seed", type=int, default=7, help="seed of the requests (default 7)")
    parser.add_argument("--documents", type=int, help=f"damaged documents (default {COUNT}, {FEW_DOCUMENTS} in rounds)")
    parser.add_argument("--roles", default=",".join(ROLES), help="roles, comma-separated (default: all)")
    options = parser.parse_args()
    print(f"Seed {options.seed}.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        open_database(folder)
        few = FEW_DOCUMENTS if options.rounds else COUNT
        send_all(seed=options.seed, count=few if options.documents is None else options.documents)
        world, tokens = set_up()
        if options.rounds:
            return ask_in_rounds(world, tokens, options)
        from solaris_site.management.commands.up import web

        port = free_port()
        # A line that the server before the site finds too long (414) is no answer of the interface.
        served = [*web(f"127.0.0.1:{port}"), "--log-level", "error", "--limit-request-line", "0"]
        server = subprocess.Popen(served, cwd=ROOT, env=os.environ)
        try:
            address = f"http://127.0.0.1:{port}/healthz"
            wait_until(lambda: answers_with_host(address, "127.0.0.1"), "an answer of the server")
            results = [ask(port, role, tokens.get(role, ""), options, folder) for role in options.roles.split(",")]
        finally:
            server.terminate()
            server.wait(DEADLINE_SECONDS)
    return int(any(results))


if __name__ == "__main__":
    sys.exit(main())
