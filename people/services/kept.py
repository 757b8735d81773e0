"""What the site keeps about a person: one entry for each kind, from which the page, the file and the tests are made.

Each room registers its own kinds in its module `kept`, when it is ready:

    kept.register("seasons", (Kept("roles", _("Offices"), ..., fields=("stables.SeasonRole.user",), data=_roles),))

A test walks every model and fails for a field that points at a person, or at what belongs to one, and stands in no
kind. So whoever adds a field says here what it is for, who sees it, when it goes, and what the person's file has of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from django.utils.functional import Promise

from people.models import User
from web.bounds import MOST_ROWS_OF_A_COPY

Words = str | Promise
Data = Mapping[str, Any] | Iterable[Any]


@dataclass(frozen=True)
class Kept:
    """One kind of datum about a person.

    `key` names it in the file. `what`, `who` (sees it), `until` (how long) and `goes` (how it is deleted) are sentences
    for people. `fields` are the fields in which the kind is stored, as "app.Model.field"; a name may end in `*`.

    `data` returns the person's own: a mapping, or rows, the newest or most useful first where there may be many. It has
    no secret and nothing of other people. It is None for a kind that is not in the file, and `why_not` says why.

    `files` returns photos and other files of the person, as names and contents.

    `stays` is the reason for which rows stay after the person has left, "" for a kind whose rows all go.
    """

    key: str
    name: Words
    what: Words
    who: Words
    until: Words
    goes: Words
    fields: tuple[str, ...] = ()
    data: Callable[[User], Data] | None = None
    why_not: Words = ""
    stays: Words = ""
    files: Callable[[User], Iterable[tuple[str, bytes]]] | None = None


@dataclass(frozen=True)
class Copy:
    """The person's file: the document, and the paths ("seasons/log") of lists that it cuts at MOST_ROWS_OF_A_COPY."""

    document: dict[str, Any]
    cut: tuple[str, ...]


OWN_ROOM = ""
"""The room of accounts: its kinds are at the top of the document."""

_rooms: dict[str, tuple[Kept, ...]] = {}


def register(room: str, kinds: Iterable[Kept]) -> None:
    """Add the kinds of a room; a second call for the room replaces the first.

    Raises ValueError for a key that a room has twice.
    """
    found = tuple(kinds)
    keys = [each.key for each in found]
    if len(set(keys)) < len(keys):
        raise ValueError(f"The room {room!r} names a kind twice: {keys}.")
    _rooms[room] = found


def kinds() -> Iterator[tuple[str, Kept]]:
    """Yield every kind with its room, accounts first."""
    for room in sorted(_rooms):
        for each in _rooms[room]:
            yield room, each


def kind_of(field: str) -> Kept | None:
    """Return the kind that names a field ("app.Model.field"); None for a field that no kind names."""
    return next((each for _, each in kinds() if any(fnmatchcase(field, known) for known in each.fields)), None)


def copy_for(user: User) -> Copy:
    """Return everything that the file of a person has. The number of queries does not grow with their rows."""
    document: dict[str, Any] = {}
    cut = []
    for room, each in kinds():
        if each.data is None:
            continue
        found = each.data(user)
        if not isinstance(found, Mapping):
            found = list(islice(found, MOST_ROWS_OF_A_COPY + 1))
            if len(found) > MOST_ROWS_OF_A_COPY:
                found.pop()
                cut.append(f"{room}/{each.key}" if room else each.key)
        (document.setdefault(room, {}) if room else document)[each.key] = found
    return Copy(document, tuple(cut))


def files_for(user: User) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all kinds: a name without folders, and the content."""
    for _, each in kinds():
        if each.files is not None:
            yield from each.files(user)


def own_data(user: User) -> dict[str, Any]:
    """Return the document of `copy_for`."""
    return copy_for(user).document
