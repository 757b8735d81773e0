"""Events of the Challenge in the middle of an evening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.services.books import Wish, write
from challenge.services.events import open_event
from people.models import User
from rules.challenge.book.rows import DEED
from tests.jobs.conftest import nursery as nursery

GM = Access(is_gm=True, name="gm")
AGENT = Access(tables=frozenset({"Factory"}), name="agent")
SETUP = {"tables": [{"id": "Factory", "portals": ["North", "East"]}, {"id": "Jungle"}]}

Enter = Callable[..., int]


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("gm", "gm@example.org", "-")


@pytest.fixture
def event(owner: User) -> Event:
    """An event with two tables and nobody in it."""
    return open_event("Steel Night", SETUP, {"minimum_turns": 2}, owner)


@pytest.fixture
def enter(event: Event) -> Enter:
    """Writes one deed as the GM, or as somebody else, and returns its number."""

    def one(who: Access = GM, wish: dict[str, Any] | None = None, **document: Any) -> int:
        client_id = (wish or {}).pop("client_id", f"{Event.objects.get(pk=event.pk).written + 1}-test")
        document.setdefault("table", "Factory")
        return write(event.pk, who, [Wish(client_id, DEED, document, **(wish or {}))])[0]

    return one


@pytest.fixture
def fight(event: Event, enter: Enter) -> Event:
    """Ross and Jo stand in the arena of the table Factory in turn 1, each in a Locust."""
    for name in ("Ross", "Jo"):
        enter(what="new_pilot", by=name)
        enter(do="buy_mech", pilot=name, mech=LIGHT)
        enter(what="enter", by=name, turn=1, phase="movement")
    event.refresh_from_db()
    return event


LIGHT = "locust_lct_1v"
