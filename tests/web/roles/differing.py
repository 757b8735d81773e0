"""The comparison of one person's answers, at every address below a season, with the table of permissions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from tests.worlds import taken_back

from .addresses import address_of
from .bodies import body_of
from .readings import asking_as
from .test_permissions import ADDRESSES, PARAMETERS, lines
from .world import ROLES, World

CLOSED = (403, 404)
Act = tuple[Sequence[int], Callable[[], int]]
"""What the table of permissions has of an act, by role, and the function that asks for it and returns the status."""


def differing(asked: Iterable[tuple[str, Mapping[str, Act]]], other: str) -> dict[str, str]:
    """The letters of the acts that are open to one alone: to the person who is asked as, or to the role `other`.

    What strangers may is the same for all, and not asked. By the names in `asked`.
    """
    stranger, compared = ROLES.index("spectator"), ROLES.index(other)
    found = {}
    for name, acts in asked:
        letters = ""
        for letter, (codes, ask) in acts.items():
            if codes[stranger] not in CLOSED:
                continue
            status = ask()
            assert status < 500, (name, letter)
            letters += "" if (status in CLOSED) == (codes[compared] in CLOSED) else letter
        if letters:
            found[name] = letters
    return found


def pages_asked_as(world: World, role: str) -> Iterable[tuple[str, Mapping[str, Act]]]:
    """Every address of a page below a season, with R for reading it and A for the act."""

    def asking(name: str, method: str) -> Callable[[], int]:
        def ask() -> int:
            with taken_back():
                sent = body_of(world, name, role) if method == "post" else {}
                address = address_of(world, name, PARAMETERS[name])
                return int(getattr(asking_as(world, role), method)(address, sent).status_code)

        return ask

    known = lines()
    for name in ADDRESSES:
        if "season_slug" in PARAMETERS[name]:
            reading, acting = known[name]
            yield name, {"R": (reading, asking(name, "get")), "A": (acting, asking(name, "post"))}


def stored_lines(table: Path, head: str, found: Iterable[str]) -> list[str]:
    """The lines of a table, written from `found` first if WRITE_TABLES says so."""
    if os.environ.get("WRITE_TABLES") == "1":
        table.write_text(head + "\n" + "\n".join(found) + "\n", encoding="utf-8")
    return [line for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
