"""Start the site on this computer, with nothing but Python: to look at it, or for an event.

    python start.py run                  the site with a demo in it, on http://127.0.0.1:8000
    python start.py event --prepare      at home, with the internet: make everything that an event needs
    python start.py event                at the venue, without the internet: the site for the devices of the network

This file uses only the standard library and nothing that a system lacks. It makes an environment with the packages of
requirements.txt in .venv, and then starts the commands of manage.py in it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OWN_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REQUIREMENTS = ROOT / "requirements.txt"
OLDEST = (3, 11)
SHORTEST_SECRET = 32

OF_ANOTHER_SITE = frozenset(
    {
        "ALLOWED_HOSTS",
        "CACHE_URL",
        "CELERY_BROKER_URL",
        "CELERY_QUEUE_PREFIX",
        "CELERY_RESULT_BACKEND",
        "CSRF_TRUSTED_ORIGINS",
        "DATABASE_URL",
        "DEBUG",
        "PLAIN_HTTP",
        "PROMETHEUS_MULTIPROC_DIR",
        "PROXY_COUNT",
        "SECRET_KEY",
        "SECURE_HSTS_SECONDS",
        "SECURE_SSL_REDIRECT",
        "SITE_URL",
        "STATIC_ROOT",
        "VAR_DIR",
    }
)
"""The variables of docs/operations.md that an event sets itself, or that would lead it to another site's data."""

# An address in each kind of network that a hall or a hotspot has. Nothing is sent there: the system only says from
# which address of its own it would send.
SOMEWHERE = (
    "203.0.113.1",
    "192.168.1.254",
    "192.168.0.254",
    "192.168.178.254",
    "192.168.2.254",
    "192.168.43.254",
    "192.168.137.254",
    "192.168.8.254",
    "172.20.10.14",
    "10.42.0.254",
    "10.0.0.254",
    "10.254.254.254",
    "172.31.254.254",
    "192.168.254.254",
)

ASK_FOR_PACKAGES = """
import sys
from importlib.metadata import PackageNotFoundError, version
for wanted in sys.argv[1:]:
    name, _, pinned = wanted.partition("==")
    try:
        if version(name) != pinned:
            print(wanted)
    except PackageNotFoundError:
        print(wanted)
"""


RUN_COMMANDS = """
import json, os, sys
from django.core.management import execute_from_command_line
from web.languages.compiled import compile_all
compile_all()
os.environ["DJANGO_SETTINGS_MODULE"] = "solaris_site.settings"
for words in json.loads(sys.argv[1]):
    execute_from_command_line(["manage.py", *words])
"""

MIGRATE = ["migrate", "--verbosity", "0"]


class Refused(Exception):
    """The start cannot go on; the text says why, and what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit status."""
    options = parser().parse_args(arguments)
    try:
        return int(options.act(options))
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line; `act` is the function that does what was asked for."""
    made = argparse.ArgumentParser(prog="start.py", description="Starts Solaris Circuit on this computer.")
    ways = made.add_subparsers(required=True, metavar="run|event")
    look = ways.add_parser("run", help="the site with a demo in it, for this computer alone")
    look.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    look.set_defaults(act=run)
    hall = ways.add_parser("event", help="an empty site for the devices of the network, without the internet")
    hall.add_argument("--prepare", action="store_true", help="make everything that is needed, and start nothing")
    hall.add_argument("--address", help="the address or name of this computer in the network (default: it is found)")
    hall.add_argument("--folder", default="var/event", help="where the data of the event lie (default: %(default)s)")
    hall.add_argument("--name", default="", help="the name of the Melee Challenge (default: Melee Challenge)")
    hall.add_argument("--copy-to", metavar="FOLDER", help="where a copy goes after every closed turn, best a stick")
    hall.add_argument("--go-on-from", metavar="FILE", help="such a copy: this computer goes on with it; only once")
    hall.set_defaults(act=event)
    for way in (look, hall):
        way.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")
    return made


# The two ways ---------------------------------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Run the site under DEBUG with a demo, until Ctrl-C."""
    make_environment()
    # Nobody can follow a link to "every address of this computer".
    name = "localhost" if options.host == "0.0.0.0" else options.host
    address = f"http://{name}:{options.port}"
    variables = {"SITE_URL": address, **os.environ, "PYTHONUTF8": "1"}
    demo = ["demo", "--address", address]
    manage(variables, MIGRATE, ["load_catalogue"], demo, ["challenge_demo", "--address", address])
    return attend(variables, "up", "--host", options.host, "--port", str(options.port))


def event(options: argparse.Namespace) -> int:
    """Run an empty site for the devices of the local network, DEBUG off, until Ctrl-C; or only prepare for that."""
    if options.prepare:
        make_environment()
    else:
        require_environment()
        require_second_place(options.copy_to)
    found = own_addresses()
    address = chosen_address(options.address, found, is_needed=not options.prepare)
    variables = event_variables(ROOT / options.folder, address, found, options.port)
    if options.prepare:
        manage(variables, MIGRATE, ["load_catalogue"], ["collectstatic", "--noinput", "--verbosity", "0"])
        print("Everything is here. At the venue: python start.py event")
        return 0
    if options.copy_to:
        variables["CHALLENGE_COPY_TO"] = str(Path(options.copy_to).resolve())
    if options.go_on_from:
        begin = ["import_challenge", str(Path(options.go_on_from).resolve())]
    else:
        begin = ["challenge_begin", "--name", options.name]
    # Both print the link with which the GM enters.
    manage(variables, MIGRATE, ["load_catalogue"], [*begin, "--address", variables["SITE_URL"]])
    others = [each for each in found if each != address]
    if others:
        print(f"Other addresses of this computer: {', '.join(others)}. Choose one with --address.", flush=True)
    return attend(variables, "up", "--host", "0.0.0.0", "--port", str(options.port), "--code")


def require_second_place(folder: str | None) -> None:
    """Do nothing where copies can go to `folder`, or to none. Raises Refused: a folder made here is on no stick."""
    if folder and not (Path(folder).is_dir() and os.access(folder, os.W_OK)):
        raise Refused(
            f"No copy can go to {Path(folder).resolve()}: there is no such folder, or nothing can be written there.\n"
            "Plug the stick in, or make the folder, and start again."
        )


# The environment ------------------------------------------------------------------------------------------------------


def python() -> Path:
    """Return the Python of the environment; this one where there is none, as somebody may have one of their own."""
    return OWN_PYTHON if OWN_PYTHON.exists() else Path(sys.executable)


def missing_packages() -> list[str]:
    """Return the lines of requirements.txt that the environment does not have in just this version."""
    wanted = re.findall(r"^[\w.-]+==\S+", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    command = [str(python()), "-c", ASK_FOR_PACKAGES, *wanted]
    answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return wanted if answer.returncode else answer.stdout.split()


def require_environment() -> None:
    """Raise Refused with what is missing, unless every package is here. Nothing asks the internet."""
    missing = missing_packages()
    if missing:
        what = "its packages are" if len(missing) > 3 else f"of its packages {', '.join(missing)} is"
        raise Refused(
            f"This computer is not prepared: {what} missing. "
            "Run this once where there is internet: python start.py event --prepare"
        )


def make_environment() -> None:
    """Make the environment if it is missing, and install the packages that it lacks. Raises Refused."""
    if not missing_packages():
        return
    if not OWN_PYTHON.exists():
        make_venv()
    print("Installing what the site needs.", flush=True)
    pip = [str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", str(REQUIREMENTS)], cwd=ROOT, check=False).returncode:
        raise Refused("The packages of the site could not be installed. This step needs the internet.")


def make_venv() -> None:
    """Make the folder .venv with this Python. Raises Refused, and leaves nothing, when that cannot be done."""
    if sys.version_info < OLDEST:
        raise Refused(
            f"Solaris Circuit needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. "
            "Start it with another one: python3.11 start.py ..., or make run PYTHON=/path/to/python3.11"
        )
    print(f"Making {VENV.name} with {sys.executable}.", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False).returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        raise Refused(f"Could not make {VENV.name}; on Debian and Ubuntu: apt-get install python3-venv")


# The network ----------------------------------------------------------------------------------------------------------


def own_addresses() -> list[str]:
    """Return the addresses of this computer in its networks, the likeliest first; none of them is known only here."""
    found = []
    for target in SOMEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            try:
                asker.connect((target, 9))
                found.append(asker.getsockname()[0])
            except OSError:
                # No network of this computer leads there.
                continue
    if os.name == "nt":
        # Elsewhere this asks a server of names, and at the venue none answers.
        try:
            found += socket.gethostbyname_ex(socket.gethostname())[2]
        except OSError:
            pass
    known = [each for each in dict.fromkeys(found) if not each.startswith(("127.", "0."))]
    # An address that the computer gave itself, as no router gave it one, is the last choice.
    return sorted(known, key=lambda each: each.startswith("169.254."))


def chosen_address(asked: str | None, found: list[str], is_needed: bool) -> str:
    """Return the address for links and codes: the one that was `asked` for, otherwise the first that was `found`.

    Raises Refused for one that no other device can follow, and, when an address `is_needed`, without any.
    """
    if asked is not None:
        if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", asked):
            raise Refused(f"{asked} is no address: give numbers such as 192.168.1.20, or a name, without http://.")
        if asked.lower() == "localhost" or asked.startswith(("127.", "0.")):
            raise Refused(f"{asked} means each device itself, so no other device finds this computer by it.")
        return asked
    if found:
        return found[0]
    if is_needed:
        raise Refused(
            "This computer is in no network. Join the network of the venue, or open a hotspot; "
            "if it is in one already, name its address there with --address."
        )
    return "127.0.0.1"


def event_variables(folder: Path, address: str, found: list[str], port: int) -> dict[str, str]:
    """Return the variables of the processes of an event: data of its own in `folder`, plain http, no DEBUG."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = socket.gethostname()
    hosts = [address, *found, name, f"{name}.local", "localhost", "127.0.0.1", "[::1]"]
    kept = {name: value for name, value in os.environ.items() if name.upper() not in OF_ANOTHER_SITE}
    # A line for each request would push the address out of sight, and matches that nobody plays would slow the pages.
    chosen = {"LOG_FORMAT": "plain", "LOG_LEVEL": "WARNING", "FORECASTS": "0", "PUZZLES": "0"}
    return {
        **chosen,
        **kept,
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(hosts)),
        "CELERY_BROKER_URL": "memory://localhost/",
        "DEBUG": "0",
        "PLAIN_HTTP": "1",
        "PYTHONUTF8": "1",
        "SECRET_KEY": secret_key(folder / "secret_key"),
        "SITE_URL": f"http://{address}:{port}",
        "STATIC_ROOT": str(folder / "static"),
        "VAR_DIR": str(folder),
    }


def secret_key(path: Path) -> str:
    """Return the key in a file that only this user may read; make it if it is missing or cut off."""
    if path.exists() and len(known := path.read_text(encoding="ascii").strip()) >= SHORTEST_SECRET:
        return known
    path.unlink(missing_ok=True)
    made = secrets.token_urlsafe(48)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(made)
    return made


# Commands -------------------------------------------------------------------------------------------------------------


def manage(variables: dict[str, str], *commands: list[str]) -> None:
    """Run commands of manage.py one after the other, in one process: to load the site takes longer than most of them.

    A command that fails says what is wrong; then raise SystemExit with its exit status.
    """
    command = [str(python()), "-c", RUN_COMMANDS, json.dumps(commands)]
    status = subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
    if status:
        raise SystemExit(status)


def attend(variables: dict[str, str], *words: str) -> int:
    """Run a command of manage.py until it ends, and return its exit status. Pass a request to stop on to it."""
    child = subprocess.Popen([str(python()), "manage.py", *words], cwd=ROOT, env=variables)
    signal.signal(signal.SIGTERM, lambda number, frame: child.terminate())
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            # Ctrl-C reaches the command too, which stops its processes first.
            continue


if __name__ == "__main__":
    sys.exit(main())
