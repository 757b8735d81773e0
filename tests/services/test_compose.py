"""compose.yaml without containers: what it says agrees with the documents, and its commands make a site that works."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from gunicorn.config import Config

from tests.conftest import SERVICES_BROKER_URL
from tests.faults.sites import queue
from tests.nursery import ROOT, Nursery
from tests.once_a_run import Workshop
from tests.services.processes import answers_with_host, environment, free_port
from tests.services.served import migrated_database
from tests.waiting import wait_until

ENQUEUE = """
from jobs.models import Job
Job.objects.create(name="test.nobody_does_this", payload={}, last_attempt=1)
"""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return document


@pytest.fixture(scope="module")
def operations() -> str:
    return (ROOT / "docs" / "operations.md").read_text()


def command_of(compose: dict[str, Any], service: str) -> str:
    return str(compose["services"][service]["command"])


def test_the_services_are_those_of_the_documents(compose: dict[str, Any], operations: str) -> None:
    assert set(compose["services"]) == {"postgres", "redis", "migrate", "web", "worker", "beat"}
    for service in ("web", "worker", "beat"):
        command = command_of(compose, service).replace("0.0.0.0:8000", "127.0.0.1:8000")
        assert f"`{command}`" in operations, service
    for command in ("python manage.py migrate", "python manage.py load_catalogue"):
        assert command in command_of(compose, "migrate")
        assert command in operations


def test_there_is_one_beat_and_the_site_waits_for_its_migration(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["beat"]["deploy"]["replicas"] == 1
    assert services["migrate"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    for service in ("web", "worker", "beat"):
        assert services[service]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert services[service]["image"] == services["migrate"]["image"]


def test_no_two_workers_have_one_name(compose: dict[str, Any], operations: str) -> None:
    # Those of a container have the name of its host, which is its own unless it is given one or has that of others.
    assert {"hostname", "network_mode"}.isdisjoint(compose["services"]["worker"])
    assert {"hostname", "network_mode"}.isdisjoint(compose["x-site"])
    others = re.findall(r"^celery .* worker .*$", operations, re.MULTILINE)
    assert others
    for command in others:
        assert re.search(r"--hostname \w+@%h", command), command


def test_every_variable_is_known_to_the_settings_and_documented(compose: dict[str, Any], operations: str) -> None:
    sources = "".join(path.read_text() for path in (ROOT / "solaris_site").glob("*.py"))
    given = compose["x-site"]["environment"]
    assert {"DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS"} <= set(given)
    assert "DEBUG" not in given
    for name in given:
        assert f'"{name}"' in sources, name
        assert f"| `{name}` |" in operations, name
    for name in set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text())) - set(given):
        assert name in ("POSTGRES_PASSWORD", "REDIS_PASSWORD")


def test_no_container_may_do_more_than_it_needs(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        # Some place to write to is left: files that are sent, sockets, data.
        assert service.get("tmpfs") or name == "redis"
    # Those of others begin as root unless they are told otherwise; ours is no root by its Dockerfile.
    assert [compose["services"][name]["user"] for name in ("postgres", "redis")] == ["postgres", "redis"]
    # The counts of requests must lie in memory: a full disk kills processes that map files on it.
    folder = compose["x-site"]["environment"]["PROMETHEUS_MULTIPROC_DIR"]
    assert any(each.startswith(f"{folder}:") for each in compose["x-site"]["tmpfs"])


def test_redis_has_a_password_and_everybody_knows_it(compose: dict[str, Any]) -> None:
    redis, given = compose["services"]["redis"], compose["x-site"]["environment"]
    password = "${REDIS_PASSWORD:?set REDIS_PASSWORD in .env}"
    assert f"--requirepass {password}" in redis["command"]
    assert redis["environment"]["REDISCLI_AUTH"] == password
    for name in ("CELERY_BROKER_URL", "CELERY_RESULT_BACKEND", "CACHE_URL"):
        assert given[name].startswith(f"redis://:{password}@redis:6379/"), name
    # A cache of its own database, so that emptying it takes no message along.
    assert given["CACHE_URL"] != given["CELERY_BROKER_URL"]


def test_the_image_takes_the_packages_of_the_site_by_their_hashes() -> None:
    wanted = re.findall(r"^[\w.-]+==\S+", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    hashed = re.findall(
        r"^([\w.-]+==\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$",
        (ROOT / "requirements.hashes.txt").read_text(),
        re.MULTILINE,
    )
    assert [package for package, _ in hashed] == sorted(wanted)
    assert "--require-hashes -r requirements.hashes.txt" in (ROOT / "Dockerfile").read_text()


def test_the_image_holds_what_the_commands_need(compose: dict[str, Any]) -> None:
    text = (ROOT / "Dockerfile").read_text()
    web = shlex.split(command_of(compose, "web"))
    assert f"CMD {json.dumps(web)}" in text
    assert "pip install" in text
    assert "collectstatic --noinput" in text
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".git", "var", ".env"} <= set(ignored)
    for name in ("manage.py", "requirements.hashes.txt", "rules", "templates"):
        assert name not in ignored


def test_gunicorn_opens_no_control_socket() -> None:
    """It would lie in the home folder, which is read-only in a container: each start would report an error."""
    config = Config()
    config.set("control_socket_disable", runpy.run_path(str(ROOT / "gunicorn.conf.py"))["control_socket_disable"])
    assert config.control_socket_disable


@pytest.fixture
def variables(compose: dict[str, Any], workshop: Workshop, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of compose.yaml, with this machine's servers in place of its own."""
    chosen = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "circuit.example", "SITE_URL": "https://circuit.example"}
    given: dict[str, str] = {}
    for name, text in compose["x-site"]["environment"].items():
        given[name] = re.sub(
            r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: chosen.get(found[1], found[2] or ""), str(text)
        )
    with migrated_database(workshop) as url, queue() as prefix:
        given |= {"DATABASE_URL": url, "CELERY_BROKER_URL": SERVICES_BROKER_URL, "CELERY_QUEUE_PREFIX": prefix}
        given["CELERY_RESULT_BACKEND"] = given["CACHE_URL"] = SERVICES_BROKER_URL
        given["PROMETHEUS_MULTIPROC_DIR"] = str(tmp_path / "metrics")
        # What the image has of its own.
        given |= {"VAR_DIR": str(tmp_path / "var"), "STATIC_ROOT": str(tmp_path / "static")}
        yield environment(**given)


@pytest.mark.services
def test_the_commands_make_a_site_that_answers_and_works(
    compose: dict[str, Any], variables: dict[str, str], tmp_path: Path
) -> None:
    """What its first step does to an empty database is done once a run, by the same command (`served`)."""
    (_, _, steps) = shlex.split(command_of(compose, "migrate"))
    port = free_port()
    with Nursery(variables, tmp_path) as nursery:
        nursery.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        for step in steps.split(" && "):
            nursery.run(*shlex.split(step)[1:])
        nursery.run("-c", ENQUEUE)
        for service in ("web", "worker", "beat"):
            command = command_of(compose, service).replace("0.0.0.0:8000", f"127.0.0.1:{port}")
            nursery.start("-m", *shlex.split(command))
        address = f"http://127.0.0.1:{port}/healthz"
        wait_until(lambda: answers_with_host(address, "circuit.example"), "an answer")
        # Nobody told the workers of the job: beat's tick does, through Redis, and a worker finds no function for it.
        with psycopg.connect(variables["DATABASE_URL"], autocommit=True) as database:
            asked = "SELECT state, error_code FROM jobs_job WHERE name = 'test.nobody_does_this'"
            wait_until(
                lambda: database.execute(asked).fetchall() == [("failed", "LookupError")], "what a worker says of it"
            )
