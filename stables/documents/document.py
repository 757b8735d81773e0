"""Writing a season as one JSON document. The same season with the same contents gives the same bytes.

Rows have stand-ins instead of database ids (stables.documents.names).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from django.contrib.auth import get_user_model

from stables.documents import goods, plan, played, results
from stables.documents.columns import FULL, PUBLISHED, REDACTED, Contents, RecordSet, Row
from stables.documents.names import LEFT, Names
from stables.documents.snapshot import one_moment
from stables.models import LogEntry, Season
from stables.selectors.definitions import catalogue_of

FORMAT = "solaris-circuit-season"
SCHEMA = 1

TABLES: tuple[RecordSet, ...] = (
    plan.IDENTITIES,
    plan.INVITATIONS,
    plan.STABLES,
    plan.SKIPPED_CYCLES,
    plan.ROLES,
    plan.HAND_OVERS,
    plan.EXTERNAL_SEATS,
    plan.CYCLES,
    plan.ROUNDS,
    goods.FIXTURES,
    goods.SIDES,
    goods.ASSETS,
    goods.LINE_UPS,
    goods.CREWS,
    goods.CREW_CARDS,
    goods.SAVED_LINE_UPS,
    goods.BASKETS,
    goods.PROPOSALS,
    goods.NO_SHOWS,
    results.MARKS,
    results.REPORTS,
    results.RULINGS,
    results.RESULTS,
    results.CORRECTIONS,
    results.LEDGER,
    results.REPUTATION,
    results.PLACINGS,
    results.LOG,
)
"""The tables that name no matches and no later tables, in the order in which rows can be stored."""

AFTER_MATCHES: tuple[RecordSet, ...] = (results.TITLES, results.SUDDEN_DEATHS, played.WRITE_UPS)
IN_MATCHES: tuple[RecordSet, ...] = (played.MATCHES, played.SEATS, played.STANDING, played.STEPS)
HEAD = ("format", "schema", "contents", "season", "people", "catalogue")
KEYS = (*HEAD, *(table.name for table in (*TABLES, *AFTER_MATCHES)), "matches")
"""The keys of a document, in order; matches come last, because they are most of it."""


class Written(Protocol):
    """The target of a document: a file that takes bytes."""

    def write(self, content: bytes, /) -> int:
        """Take bytes and return their number."""


def open_contents(season: Season) -> Contents:
    """Return the contents of the document that everybody who may see the season gets.

    They are PUBLISHED for a finished or cancelled season and REDACTED for any other.
    """
    return PUBLISHED if season.state in (Season.State.FINISHED, Season.State.CANCELLED) else REDACTED


def write(season: Season, contents: Contents, file: Written) -> dict[str, int]:
    """Write a season's document, and return the number of rows of each table and of the matches.

    It makes a constant number of queries, which all see the season at one moment. Matches are most of a document, so
    the steps of only one match are in memory at a time. The caller checks who may have a full document.
    """
    counts: dict[str, int] = {}
    with one_moment():
        for piece in _pieces(season, contents, counts):
            # A lone surrogate cannot be encoded, so it is written as an escape of JSON.
            file.write(piece.encode("utf-8", "backslashreplace"))
    return counts


def _pieces(season: Season, contents: Contents, counts: dict[str, int]) -> Iterator[str]:
    """Yield the document in pieces, one row a line, in the order of KEYS. `counts` gets the numbers of rows."""
    names = Names(season.pk)
    _name_people(season, contents, names)
    if contents == FULL:
        for number, pk in enumerate(LogEntry.objects.filter(season=season).order_by("id").values_list("pk", flat=True)):
            names.add("log", pk, number + 1)
    stands = played.stands_of_matches(season)
    for pk, stand in stands.items():
        names.add("matches", pk, stand)
    catalogue = catalogue_of(season)
    head = {
        "format": FORMAT,
        "schema": SCHEMA,
        "contents": contents,
        "season": plan.SEASON.write(plan.SEASON.rows(season, contents).get(), 0, names, contents),
        "people": sorted(names.all("people"), key=str),
        "catalogue": {
            "content_hash": catalogue.content_hash,
            "label": season.release.label,
            "definitions": catalogue.to_json(),
        },
    }
    yield "{\n"
    for key, value in head.items():
        yield f"{json.dumps(key)}: {_line(value)},\n"
    for table in (*TABLES, *AFTER_MATCHES):
        rows = written_rows(table, season, names, contents)
        counts[table.name] = len(rows)
        yield from _listed(table.name, rows)
        yield ",\n"
    counts["matches"] = len(stands)
    yield from _listed("matches", played.written_matches(season, names, contents, stands))
    yield "\n}\n"


def written_rows(table: RecordSet, season: Season, names: Names, contents: Contents) -> list[Row]:
    """Return the written rows of a table, and give the rows their stand-ins.

    If rows name others of their own table, all of them get their stand-ins first.
    """
    rows = list(table.rows(season, contents))
    if any(getattr(column, "table", "") == table.name for column in table.later):
        for number, row in enumerate(rows, 1):
            table.write(row, number, names, contents)
    return [table.write(row, number, names, contents) for number, row in enumerate(rows, 1)]


def _listed(name: str, rows: Iterable[Row]) -> Iterator[str]:
    yield f"{json.dumps(name)}: ["
    separator = "\n"
    for row in rows:
        yield separator + _line(row)
        separator = ",\n"
    yield "\n]" if separator != "\n" else "]"


def _line(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


# People ---------------------------------------------------------------------------------------------------------------


def _name_people(season: Season, contents: Contents, names: Names) -> None:
    """Give stand-ins to the accounts that the document names: their names, or "?1", "?2" for people who left.

    A person from an import of this season has the name of the imported document.
    """
    ids: set[int] = set()
    for table in (plan.SEASON, *TABLES, *AFTER_MATCHES, *IN_MATCHES):
        for name in table.people:
            rows = table.rows(season, contents).order_by().values_list(f"{name}_id", flat=True)
            ids |= {pk for pk in rows if pk is not None}
    mentions = LogEntry.objects.filter(season=season, parameters__has_key="person").values_list("parameters", flat=True)
    ids |= {each["person"] for each in mentions if isinstance(each["person"], int)}
    people = get_user_model().objects.in_bulk(sorted(ids))
    own = prefix(season.pk)
    stands: dict[int, str] = {}
    for pk, person in people.items():
        if person.username.startswith(own):
            stands[pk] = person.username.removeprefix(own)
        elif person.left_at is None:
            stands[pk] = person.username
    _name_those_who_left(ids, stands)
    for pk, stand in sorted(stands.items()):
        names.add("people", pk, stand)


def _name_those_who_left(ids: set[int], stands: dict[int, str]) -> None:
    taken = set(stands.values())
    free = (f"{LEFT}{number}" for number in range(1, len(ids) + len(taken) + 1))
    names = (name for name in free if name not in taken)
    for pk in sorted(ids - set(stands)):
        stands[pk] = next(names)


def prefix(season_id: int) -> str:
    """Return the prefix of the names of accounts that an import makes for people of a season.

    Nobody can sign up with such a name.
    """
    return f"~{season_id}:"
