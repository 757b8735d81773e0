"""How many queries each page takes for a person who is not logged in, for a player and for an organiser: queries.json.

`python -m tests.tools.web_tables` writes it again; a number that grows is a decision. No page takes more than 15.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .addresses import address_of
from .readings import COUNTED, Readings
from .test_permissions import ADDRESSES, PARAMETERS
from .world import World

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).parent / "queries.json"
MOST = 15

PAGES = [name for name in ADDRESSES if not name.startswith("admin:")]


def counts() -> dict[str, dict[str, int]]:
    """The table: name of a page -> role -> queries of a GET that answers 200."""
    found: dict[str, dict[str, int]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def taken(world: World, readings: Readings, name: str) -> dict[str, int]:
    """The queries of a page for each role that gets one, once what a process keeps is there."""
    address = address_of(world, name, PARAMETERS[name])
    queries = {role: readings.counted(role, address).queries for role in COUNTED}
    return {role: count for role, count in queries.items() if count is not None}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_as_many_queries_as_the_table_says(world: World, readings: Readings, name: str) -> None:
    found = taken(world, readings, name)
    if os.environ.get("WRITE_TABLES") == "1":
        known = {**counts(), name: found}
        kept = {each: known[each] for each in sorted(known) if known[each]}
        TABLE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    assert {role: count for role, count in found.items() if count > MOST} == {}
    assert found == counts().get(name, {})


def test_the_table_names_only_pages_that_are_there() -> None:
    assert set(counts()) <= set(PAGES)
