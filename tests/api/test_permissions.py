"""Every operation answers every kind of asker as permissions.txt says.

The table is read by people: `python -m tests.tools.api_table` writes it again, and each changed line is a decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from people.services.tokens import SCOPES, make_token
from tests.web.roles.differing import Act
from tests.web.roles.world import ROLES, World
from tests.worlds import taken_back

from .operations import Operation, operations

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).parent / "permissions.txt"
OPERATIONS = operations()

HEAD = """\
# What every operation of the interface answers to an empty request, one line an operation: for
# anonymous, spectator, player, rival, organiser, staff, each with a token for everything;
# behind the bar the player and the organiser with a token for everything but what the operation needs.
#
# 401: nobody is known; 403: for others to do; 404: nothing there that they may see; 400 and 409: may, but sent nothing
# or may not now. The season is one that player and rival own stables in and the organiser runs.
# Written by `python -m tests.tools.api_table`; test_permissions.py compares, and fails on an operation without a line.
"""


def lines() -> dict[str, list[int]]:
    """The table: operation -> answers by role, then those without the scope."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            method, name, *codes = line.split()
            found[f"{method} {name}"] = [int(code) for code in codes if code != "|"]
    return found


@pytest.fixture(scope="module")
def tokens(world: World, django_db_blocker: object) -> dict[str, str]:
    """A token a role for everything, and one for the player and the organiser for each scope less."""
    made = {}
    for role in ROLES:
        if role != "anonymous":
            made[role] = make_token(user=world.people[role], name="table", scopes=SCOPES).text
    for role in ("player", "organiser"):
        for scope in SCOPES:
            others = [other for other in SCOPES if other != scope]
            made[f"{role} not {scope}"] = make_token(user=world.people[role], name=f"not {scope}", scopes=others).text
    return made


def asked(world: World, operation: Operation, token: str) -> int:
    """The status of an empty request; whatever it changed is taken back."""
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    body = {} if operation.method == "get" else {"data": {}, "content_type": "application/json"}
    with taken_back():
        ask = getattr(Client(raise_request_exception=False), operation.method)
        return int(ask(operation.address(world), headers=sent, **body).status_code)


def operations_asked_by(world: World, person: Any) -> Iterator[tuple[str, dict[str, Act]]]:
    """Every operation below a season, asked with a token of a person for everything, for `differing`."""
    known, token = lines(), make_token(user=person, name="compares", scopes=SCOPES).text
    for each in operations():
        if "season_slug" in each.parameters:
            yield str(each), {"A": (known[str(each)], partial(asked, world, each, token))}


def answers(world: World, operation: Operation, tokens: dict[str, str]) -> list[int]:
    found = [asked(world, operation, tokens.get(role, "")) for role in ROLES]
    scope = operation.view().scope_of(operation.method.upper())
    return found + [asked(world, operation, tokens[f"{role} not {scope}"]) for role in ("player", "organiser")]


def test_every_operation_has_a_line_and_every_line_an_operation() -> None:
    assert sorted(lines()) == sorted(map(str, OPERATIONS))


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_answers_each_role_as_the_table_says(
    world: World, tokens: dict[str, str], operation: Operation
) -> None:
    found = answers(world, operation, tokens)
    if os.environ.get("WRITE_TABLES") == "1":
        _write(str(operation), found)
    assert not [code for code in found if code >= 500]
    assert found == lines().get(str(operation))


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_what_changes_something_is_for_those_who_are_known_and_has_the_scope(operation: Operation) -> None:
    codes = lines()[str(operation)]
    assert codes[-2:] == [403, 403] or set(codes[-2:]) <= {403, 404}
    if operation.method != "get":
        assert codes[0] in (401, 404)


def _write(name: str, found: list[int]) -> None:
    known = {**lines(), name: found}
    width = max(len(each) for each in known) + 1
    rows = [
        f"{each:<{width}}" + " ".join(map(str, codes[:-2])) + " | " + " ".join(map(str, codes[-2:]))
        for each, codes in sorted(known.items(), key=lambda row: row[0].split()[::-1])
        if each in {str(operation) for operation in OPERATIONS}
    ]
    TABLE.write_text(HEAD + "\n" + "\n".join(rows) + "\n", encoding="utf-8")


def test_no_address_hides_behind_another() -> None:
    routes: dict[str, set[str]] = {}
    for operation in OPERATIONS:
        routes.setdefault(operation.route, set()).add(operation.name)
    assert {route: names for route, names in routes.items() if len(names) > 1} == {}
