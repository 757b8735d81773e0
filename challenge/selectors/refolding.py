"""Whether what is stored of an event still follows from its rows."""

from __future__ import annotations

import json

from challenge.models import Closing, Entry, Event
from challenge.selectors.books import read_rows
from rules.challenge.book.balances import balances
from rules.challenge.book.rows import fold_rows


def differences(event: Event) -> list[str]:
    """Read every row of an event again, fold them as they were at each closed turn, and return what differs.

    It takes as long as all folds together; no kept book helps.
    """
    entries = list(Entry.objects.filter(event=event).order_by("number"))
    numbers = [entry.number for entry in entries]
    if numbers != list(range(1, event.written + 1)):
        return [f"rows 1 to {event.written} are expected, and {len(numbers)} are there"]
    rows = read_rows(entries)
    found = []
    for closing in Closing.objects.filter(event=event).order_by("number"):
        folded = json.loads(json.dumps(balances(fold_rows(rows[: closing.number]))))
        for name in {**folded, **closing.balances}:
            there, due = closing.balances.get(name), folded.get(name)
            if there != due:
                found.append(f"row {closing.number}, {name}: stored {there}, but the rows give {due}")
    return found
