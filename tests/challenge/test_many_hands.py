"""Two agents at the same moment, and a server that is killed: no entry is lost, and none is there twice."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from challenge.models import Entry, Event
from challenge.selectors.access import Access
from challenge.selectors.refolding import differences
from challenge.services.books import Wish, write
from rules.challenge.book.rows import DEED
from tests.challenge.conftest import AGENT, Enter
from tests.nursery import Nursery
from tests.stables.running.test_concurrency import at_once
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

OTHER = Access(tables=frozenset({"Jungle"}), name="other agent")
PRESSES = 8


def lines_of(notes: Path) -> list[str]:
    """The lines that are whole; the writer may be killed within one."""
    return notes.read_text().split("\n")[:-1] if notes.exists() else []


def test_two_agents_at_once_lose_nothing(fight: Event, enter: Enter) -> None:
    enter(what="new_pilot", by="Kim")
    enter(do="buy_mech", pilot="Kim", mech="locust_lct_1v")
    enter(what="enter", by="Kim", table="Jungle", turn=1)
    before = Event.objects.get(pk=fight.pk).written

    def press(who: Access, table: str, pilot: str, number: int) -> int:
        wish = Wish(f"{table}-{number}", DEED, {"what": "crowd", "by": pilot, "table": table, "turn": 1})
        return write(fight.pk, who, [wish])[0]

    calls = [partial(press, AGENT, "Factory", "Jo", number) for number in range(PRESSES)]
    calls += [partial(press, OTHER, "Jungle", "Kim", number) for number in range(PRESSES)]
    # Each phone sends its press a second time.
    numbers = at_once([*calls, *calls])
    assert sorted(set(numbers)) == list(range(before + 1, before + 1 + 2 * PRESSES))
    assert differences(Event.objects.get(pk=fight.pk)) == []


def test_a_killed_server_loses_no_entry_that_it_took(fight: Event, nursery: Nursery, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    writer = nursery.start("-m", "tests.challenge.killed_writer", str(fight.pk), str(notes))
    wait_until(lambda: len(lines_of(notes)) >= 3 or writer.poll() is not None, "three entries")
    writer.kill()
    writer.wait()
    taken = [line.split() for line in lines_of(notes)]
    assert len(taken) >= 3, writer.errors.read_text()
    stored = dict(Entry.objects.filter(event=fight).values_list("client_id", "number"))
    for press, number in taken:
        assert stored[f"press-{press}"] == int(number)
    event = Event.objects.get(pk=fight.pk)
    assert differences(event) == []
    # The next try of the last press is the same entry.
    wish = Wish(f"press-{taken[-1][0]}", DEED, {"what": "crowd", "by": "Jo", "table": "Factory", "turn": 1})
    assert write(fight.pk, AGENT, [wish]) == [int(taken[-1][1])]
