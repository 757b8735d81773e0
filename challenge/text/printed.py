"""The texts of the Challenge's printed tables, for translators: they stand in data, where nothing marks them."""

from __future__ import annotations

from collections.abc import Iterator

from rules.challenge.reminders import REMINDERS
from rules.challenge.tables import PRINTINGS, Tables

PLACE = "challenge/text/printed.py"


def texts_to_translate() -> dict[str, str]:
    """Return each text that pages, sheets and the log show from the tables -> the file that counts as its place."""
    return dict.fromkeys(filter(None, _texts()), PLACE)


def _texts() -> Iterator[str]:
    yield from (reminder.sentence for reminder in REMINDERS.values())
    for printing in PRINTINGS:
        tables = Tables.of(printing)
        for ability in tables.abilities.values():
            yield from (ability.name, ability.text)
        for membership in tables.memberships.values():
            yield from membership.text
