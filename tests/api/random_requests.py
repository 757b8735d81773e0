"""Asking an operation of the interface at random, with all checks of schemathesis, in this very process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import schemathesis
from django.conf import settings as site
from django.core.signals import request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode

from solaris_site.wsgi import application
from tests.api.described import configuration, description
from tests.api.operations import Operation
from tests.web.roles.world import World
from tests.worlds import taken_back

ROLES = ("anonymous", "player", "organiser")

Headers = Mapping[str, Mapping[str, str]]
"""What each role sends."""


@cache
def schema() -> Any:
    """Read the description, once for each process and only where it is asked for: it takes seconds."""
    found = schemathesis.openapi.from_dict(description(), config=SchemathesisConfig.from_dict(configuration()))
    found.location = "/api/v1/openapi.json"
    found.app = _forgetful(application)
    return found


def _forgetful(program: Any) -> Any:
    """Return the site as a WSGI program that forgets what each request did."""

    def answer(environ: dict[str, Any], start: Any) -> list[bytes]:
        with taken_back():
            return list(program(environ, start))

    return answer


@contextmanager
def open_site() -> Iterator[None]:
    """Let any host be asked for, and keep requests from closing this very connection, as the world may live in it."""
    request_started.disconnect(close_old_connections)
    allowed, site.ALLOWED_HOSTS = site.ALLOWED_HOSTS, ["*"]
    try:
        yield
    finally:
        site.ALLOWED_HOSTS = allowed
        request_started.connect(close_old_connections)


def ask(
    operation: Operation,
    world: World,
    headers: Headers,
    *,
    examples: int,
    roles: Sequence[str] = ROLES,
    number: int | None = None,
) -> None:
    """Send some random requests to an operation, right and wrong ones, as any of `roles`; AssertionError where an
    answer is not as described. Without `number`, the seed, the requests are the same each time.
    """
    described = schema()[operation.template][operation.method]
    cases = st.one_of([described.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @settings(
        max_examples=examples,
        derandomize=number is None,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, role=st.sampled_from(roles))
    def send(case: Any, role: str) -> None:
        _fill(case, operation, world)
        case.call_and_validate(headers=headers[role])

    (send if number is None else seed(number)(send))()


def _fill(case: Any, operation: Operation, world: World) -> None:
    """Put what is there into most addresses, so that more is asked than whether it is there."""
    if case.meta.generation.mode.is_positive and case.path_parameters:
        known = {name: _plain(value) for name, value in operation.values(world).items()}
        if case.path_parameters.get("season_slug", known.get("season_slug")) == known.get("season_slug"):
            case.path_parameters.update(known)


def _plain(value: Any) -> str | int:
    return value if isinstance(value, int) else str(value)
