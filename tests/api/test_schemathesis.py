"""The interface against its own description: schemathesis, with all its checks, as three kinds of people.

Every operation is one test of a few requests, by a role each. Each request finds the same world: what it changed is
taken back. `make fuzz` asks for longer, the edges of every bound too, on a server that keeps what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.conf import settings as site
from django.core.signals import request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig

from people.tokens import SCOPES, make_token
from tests.api.described import configuration, description
from tests.api.operations import Operation, operations
from tests.web.roles.world import World, untouched

pytestmark = pytest.mark.django_db

OPERATIONS = operations()
ROLES = ("anonymous", "player", "organiser")
EXAMPLES = 3
"""Random requests for each operation."""


@cache
def schema() -> Any:
    """Read the description once for each process, and only where a test asks for it: it takes seconds."""
    found = schemathesis.openapi.from_dict(description(), config=SchemathesisConfig.from_dict(configuration()))
    found.location = "/api/v1/openapi.json"
    found.app = forgetful(get_wsgi_application())
    return found


def forgetful(program: Any) -> Any:
    """Return the site as a WSGI program that forgets what each request did."""

    def answer(environ: dict[str, Any], start: Any) -> list[bytes]:
        with untouched():
            return list(program(environ, start))

    return answer


@pytest.fixture(scope="module", autouse=True)
def open_world(world: World) -> Iterator[None]:
    """Keep requests from closing this very connection: the world lives in its open transaction."""
    request_started.disconnect(close_old_connections)
    allowed, site.ALLOWED_HOSTS = site.ALLOWED_HOSTS, ["*"]
    yield
    site.ALLOWED_HOSTS = allowed
    request_started.connect(close_old_connections)


@pytest.fixture(scope="module")
def headers(world: World, django_db_blocker: Any) -> Iterator[dict[str, dict[str, str]]]:
    """Give what each role sends."""
    with django_db_blocker.unblock(), untouched():
        made = {
            role: {"Authorization": f"Bearer {make_token(user=world.people[role], name='fuzz', scopes=SCOPES).text}"}
            for role in ROLES[1:]
        }
        yield {"anonymous": {}, **made}


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_answers_are_as_described(operation: Operation, world: World, headers: dict[str, dict[str, str]]) -> None:
    described = schema()[operation.template][operation.method]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described.as_strategy(), role=st.sampled_from(ROLES))
    def ask(case: Any, role: str) -> None:
        fill(case, operation, world)
        case.call_and_validate(headers=headers[role])

    ask()


def fill(case: Any, operation: Operation, world: World) -> None:
    """Put what is there into most addresses, so that more is asked than whether it is there."""
    if case.meta.generation.mode.is_positive and case.path_parameters:
        known = {name: _plain(value) for name, value in operation.values(world).items()}
        if case.path_parameters.get("season_slug", known.get("season_slug")) == known.get("season_slug"):
            case.path_parameters.update(known)


def _plain(value: Any) -> str | int:
    return value if isinstance(value, int) else str(value)
