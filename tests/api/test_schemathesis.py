"""The interface against its own description: schemathesis, with all its checks, as three kinds of people.

Every operation is one test of a few requests, each by one of the roles. Each request finds the same world: what it
changed is taken back. `make fuzz` asks for longer, the edges of every bound too, on a server that keeps what happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from people.services.tokens import SCOPES, make_token
from tests.api.operations import Operation, operations
from tests.api.random_requests import ROLES, Headers, ask, open_site
from tests.web.roles.world import World
from tests.worlds import taken_back

pytestmark = pytest.mark.django_db

EXAMPLES = 3


@pytest.fixture(scope="module", autouse=True)
def site(world: World) -> Iterator[None]:
    with open_site():
        yield


@pytest.fixture(scope="module")
def headers(world: World, django_db_blocker: Any) -> Iterator[Headers]:
    with django_db_blocker.unblock(), taken_back():
        made = {
            role: {"Authorization": f"Bearer {make_token(user=world.people[role], name='fuzz', scopes=SCOPES).text}"}
            for role in ROLES[1:]
        }
        yield {"anonymous": {}, **made}


@pytest.mark.parametrize("operation", operations(), ids=str)
def test_answers_are_as_described(operation: Operation, world: World, headers: Headers) -> None:
    ask(operation, world, headers, examples=EXAMPLES)
