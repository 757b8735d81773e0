"""The world of all roles (tests.web.roles), asked by programs: with a token for each role, or with a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from people.services.tokens import SCOPES, make_token
from tests.web.roles.world import World, entered
from tests.worlds import Worlds, taken_back

Asks = Callable[..., Any]


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any, quiet_settings: None, worlds: Worlds) -> Iterator[World]:
    with django_db_blocker.unblock(), entered(worlds) as made:
        yield made


@pytest.fixture
def api(db: None, world: World) -> Iterator[Asks]:
    """Asks as a role, with a token for every scope unless `scopes` says others; what changes is taken back after.

    `api("player", "post", "seasons/table-season/...", {...}, key="...")` gives the answer; the address stands below
    /api/v1/, the role "" asks without a token.
    """

    def ask(
        role: str,
        method: str,
        address: str,
        body: Any = None,
        *,
        key: str = "",
        scopes: tuple[str, ...] = tuple(SCOPES),
        headers: dict[str, str] | None = None,
    ) -> Any:
        sent = dict(headers or {})
        if role and role != "anonymous":
            person = world.people[role]
            name = f"{role} {' '.join(scopes)}"
            known = texts.get(name)
            if known is None:
                known = texts[name] = make_token(user=person, name=name, scopes=scopes).text
            sent["Authorization"] = f"Bearer {known}"
        if key:
            sent["Idempotency-Key"] = key
        target = address if address.startswith("/") else f"/api/v1/{address}"
        client = Client(raise_request_exception=False)
        client.handler = world.clients["anonymous"].handler  # its middleware stands
        if method in ("post", "put", "patch", "delete"):
            data = {} if body is None else body
            return getattr(client, method)(target, data, content_type="application/json", headers=sent)
        return getattr(client, method)(target, body or {}, headers=sent)

    texts: dict[str, str] = {}
    with taken_back():
        yield ask


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Forget what the site remembers, before and after: tests take back what never goes away in life."""
    cache.clear()
    yield
    cache.clear()
