"""The interface against its own description: schemathesis, with all its checks, as three kinds of people.

Every operation is one test a role. Each request finds the same world: what it changed is taken back. `make fuzz` does
the same for longer, and against a server that keeps what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.conf import settings as site
from django.core.signals import request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from people.tokens import SCOPES, make_token
from tests.api.described import description, quick_configuration
from tests.api.operations import operations
from tests.web.roles.world import World, untouched

pytestmark = pytest.mark.django_db

SCHEMA = schemathesis.openapi.from_dict(description(), config=SchemathesisConfig.from_dict(quick_configuration()))
SCHEMA.location = "/api/v1/openapi.json"
VALUES_OF = {operation.template: operation for operation in operations()}
SITE = get_wsgi_application()
EXAMPLES = 5
"""Random requests an operation and role, beside the examples of the description and the edges of every bound."""


def forgetful(environ: dict[str, Any], start: Any) -> list[bytes]:
    """The site as a WSGI program that forgets what each request did."""
    with untouched():
        return list(SITE(environ, start))


SCHEMA.app = forgetful


@pytest.fixture(scope="module", autouse=True)
def open_world(world: World) -> Iterator[None]:
    """The world lives in an open transaction of this very connection, which a request must not close."""
    request_started.disconnect(close_old_connections)
    allowed, site.ALLOWED_HOSTS = site.ALLOWED_HOSTS, ["*"]
    yield
    site.ALLOWED_HOSTS = allowed
    request_started.connect(close_old_connections)


@pytest.fixture(scope="module")
def headers(world: World, django_db_blocker: Any) -> Iterator[dict[str, dict[str, str]]]:
    """What each role sends."""
    with django_db_blocker.unblock(), untouched():
        made = {
            role: {"Authorization": f"Bearer {make_token(user=world.people[role], name='fuzz', scopes=SCOPES).text}"}
            for role in ("player", "organiser")
        }
        yield {"anonymous": {}, **made}


@pytest.mark.parametrize("role", ["anonymous", "player", "organiser"])
@SCHEMA.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case: Any, role: str, world: World, headers: dict[str, dict[str, str]]) -> None:
    fill(case, world)
    case.call_and_validate(headers=headers[role])


def fill(case: Any, world: World) -> None:
    """What should be right in an address gets what is there, so that more is asked than whether it is there."""
    if case.meta.generation.mode.is_positive and case.path_parameters:
        known = {name: _plain(value) for name, value in VALUES_OF[case.operation.path].values(world).items()}
        if case.path_parameters.get("season_slug", known.get("season_slug")) == known.get("season_slug"):
            case.path_parameters.update(known)


def _plain(value: Any) -> str | int:
    return value if isinstance(value, int) else str(value)
