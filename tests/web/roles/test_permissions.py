"""Every address of the site answers every kind of visitor as permissions.txt says, asked with GET and with POST.

The table is read by people: `python -m tests.tools.web_tables` writes it again, and each changed line is a decision.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.worlds import taken_back

from .addresses import address_of, named_patterns
from .bodies import body_of
from .readings import Readings, asking_as
from .world import ROLES, World

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).parent / "permissions.txt"
UNREACHABLE = {"admin:None"}
"""The admin's last pattern catches what no other does; it is asked as the address of nothing below."""

UNWELL = {"ready"}
"""Says 503 here, and rightly: there is no beat."""

ADDRESSES = sorted({name for name, _ in named_patterns()} - UNREACHABLE)
PARAMETERS = dict(named_patterns())

HEAD = """\
# What every address answers. One line an address: six columns for GET, six for POST, each for
# anonymous, spectator, player, rival, organiser, staff.
#
# 302 for who is not logged in leads to the log-in; 400 and 409 mean: may, but sent nothing or may not now.
# The season is one that player and rival own stables in and the organiser runs; the spectator only has an account.
# Written by `python -m tests.tools.web_tables`; test_permissions.py compares, and fails on an address without a line.
"""


def lines() -> dict[str, tuple[list[int], list[int]]]:
    """The table: name -> answers to GET and to POST, by role."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *answers = line.split()
            codes = [int(code) for code in answers if code != "|"]
            found[name] = (codes[: len(ROLES)], codes[len(ROLES) :])
    return found


def asked(world: World, readings: Readings, name: str) -> tuple[list[int], list[int]]:
    """What an address answers each role; whatever an answer changed is taken back."""
    address = address_of(world, name, PARAMETERS[name])
    read = [readings.counted(role, address).status for role in ROLES]
    posted = []
    for role in ROLES:
        with taken_back():
            posted.append(asking_as(world, role).post(address, body_of(world, name, role)).status_code)
    return read, posted


def test_every_address_has_a_line_and_every_line_an_address() -> None:
    assert sorted(lines()) == ADDRESSES


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_answers_each_role_as_the_table_says(world: World, readings: Readings, name: str) -> None:
    answers = asked(world, readings, name)
    if os.environ.get("WRITE_TABLES") == "1":
        _write(name, answers)
    assert name in UNWELL or not [code for codes in answers for code in codes if code >= 500]
    assert answers == lines().get(name)


def _write(name: str, answers: tuple[list[int], list[int]]) -> None:
    known = {**lines(), name: answers}
    width = max(len(name) for name in known) + 1
    rows = [
        f"{each:<{width}}" + " | ".join(" ".join(str(code) for code in codes) for codes in known[each])
        for each in sorted(known)
        if each in ADDRESSES
    ]
    TABLE.write_text(HEAD + "\n" + "\n".join(rows) + "\n", encoding="utf-8")


OUTSIDE = ("anonymous", "spectator")


def test_nothing_below_a_private_season_is_there_for_others(world: World) -> None:
    private = world.seasons["private"].slug
    stable = world.stable("private").slug
    for name in ADDRESSES:
        if "season_slug" not in PARAMETERS[name]:
            continue
        kept = dict(world.values)
        world.values.update(season_slug=private, stable_slug=stable, fixture_id=world.fixtures["private"].pk)
        try:
            address = address_of(world, name, PARAMETERS[name])
            for open_season in ("running", "played"):
                address = address.replace(f"/{world.seasons[open_season].slug}/", f"/{private}/")
        finally:
            world.values.clear()
            world.values.update(kept)
        for role in OUTSIDE:
            for ask in (world.clients[role].get, world.clients[role].post):
                # To a program, whose refusal is a line: what is asked is the decision, not its page.
                assert ask(address, headers={"accept": "application/json"}).status_code == 404, (role, address)


def test_the_admins_catch_all_tells_nobody_but_staff(world: World) -> None:
    answers = {role: world.clients[role].get("/admin/nothing/here/").status_code for role in ROLES}
    assert answers == {**dict.fromkeys(ROLES, 302), "staff": 404}
