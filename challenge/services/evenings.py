"""Evenings at random, written through the same services as those of people: for demonstrations and measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.services.books import MOST_WISHES, Wish, write
from challenge.services.events import open_event
from rules.challenge.book.rows import DEED
from rules.challenge.book.setup import begin_session, event_of
from rules.challenge.generator.evening import evening
from rules.challenge.generator.setting import setup

GM = Access(is_gm=True, name="GM")
PORTALS = ("North", "East", "South", "West")
FIRST_TABLE = "main"
SESSION_PARTS = ("minimum_turns", "early_leaving", "most_value")

Documents = Iterable[Mapping[str, Any]]


def tables_of(count: int) -> list[str]:
    """Return the names of so many tables in an evening at random."""
    return [FIRST_TABLE, *(f"table {number}" for number in range(2, count + 1))]


def open_evening(name: str, turns: int, seed: int, tables: Sequence[str], owner: Any = None) -> Event:
    """Open an event with the settings of an evening at random at these tables; no list shows it."""
    chosen = setup(seed, turns)
    settings = {name: value for name, value in chosen.items() if name not in SESSION_PARTS}
    settings["tables"] = [{"id": each, "portals": list(PORTALS)} for each in tables]
    session = {name: chosen[name] for name in SESSION_PARTS if name in chosen}
    return open_event(name, settings, session, owner, is_listed=False)


def documents_of(pilots: int, turns: int, seed: int, tables: int) -> Iterator[Mapping[str, Any]]:
    """Yield what happens in an evening at random that `open_evening` has opened."""
    chosen = setup(seed, turns)
    state = event_of({name: value for name, value in chosen.items() if name not in SESSION_PARTS})
    begin_session(state, {name: chosen[name] for name in SESSION_PARTS if name in chosen})
    yield from evening(pilots, turns, seed, tables, state)


def play(event: Event, documents: Documents) -> int:
    """Write what happens, a turn in one call, and return how many entries were written."""
    count, batch = 0, []
    for document in documents:
        count += 1
        batch.append(Wish(f"evening-{count}", DEED, document))
        if document.get("what") == "end_turn" or len(batch) == MOST_WISHES:
            write(event.pk, GM, batch)
            batch = []
    if batch:
        write(event.pk, GM, batch)
    return count


def until_the_middle_of_the_second_day(documents: Documents, turns: int) -> Iterator[Mapping[str, Any]]:
    """Yield what happens until so many turns of the second day are over."""
    rest = iter(documents)
    for document in rest:
        yield document
        if document.get("what") == "end_day":
            break
    ends = 0
    for document in rest:
        yield document
        ends += document.get("what") == "end_turn"
        if ends == turns:
            # The next turn is open, and something has happened in it.
            yield from islice(rest, turns)
            return


def renamed(documents: Documents, names: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield the documents with other names in them, each with the name of its table."""

    def put(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, list):
            return [put(each) for each in value]
        return value

    for document in documents:
        yield {key: put(value) for key, value in {"table": FIRST_TABLE, **document}.items()}
