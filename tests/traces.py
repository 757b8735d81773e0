"""Answers that are read once and known again in every database that must give the same.

An answer depends on its request, on what each of its statements gives, and on clock and chance, which `alike` holds.
What the site keeps in its cache is forgotten before each request, so that an answer rests on its own statements. The
first statement is the same everywhere. As long as each gives what it gave, so is the next one, and at last the answer.
So its trace says without a request whether another database gives the same answer: do the statements, and compare.

What a process keeps for good (a catalogue by its hash, a file, an engine by its actions) is not forgotten: it is kept
by all that it depends on. Worlds are rows alone, so no file differs between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from hashlib import blake2b
from random import Random
from typing import Any, Generic, TypeVar
from unittest.mock import patch

from django.core.cache import cache
from django.db import DatabaseError, connection

from tests.chance import drawn_for
from tests.worlds import taken_back

Answer = TypeVar("Answer")

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)

READS = ("SELECT", "WITH", "(SELECT")
BRACKETS = ("SAVEPOINT", "RELEASE", "ROLLBACK TO")


@contextmanager
def alike(name: str) -> Iterator[None]:
    """Hold the clock inside, and let chance give what `name` decides: what is equal but for them is equal."""
    with (
        patch("django.utils.timezone.now", return_value=NOW),
        patch("time.time", return_value=NOW.timestamp()),
        patch("os.urandom", Random(name).randbytes),
        # Readiness looks on threads, which a busy machine may let wait for more than its three seconds.
        patch("solaris_site.readiness.LONGEST_LOOK", 120.0),
        drawn_for(name),
    ):
        yield


@dataclass(frozen=True)
class Statement:
    """SQL with its parameters, which `key` spells out."""

    sql: str
    parameters: Any
    many: bool

    @classmethod
    def of(cls, sql: str, parameters: Any, many: bool) -> Statement:
        return cls(sql, _plain([*parameters] if many else parameters), many)

    @cached_property
    def key(self) -> tuple[str, str]:
        return self.sql, repr(self.parameters)

    def outcome(self) -> bytes:
        """Do it; return a digest of what it gives: rows, a count, an error."""
        with connection.cursor() as cursor:
            try:
                (cursor.executemany if self.many else cursor.execute)(self.sql, self.parameters)
                found = cursor.rowcount, cursor.fetchall() if cursor.description else None
            except DatabaseError as refused:
                found = -1, repr(refused)
        return blake2b(repr(found).encode(), digest_size=16).digest()


def _plain(value: Any) -> Any:
    """Return parameters that say what they are: a view of bytes only says where they stand."""
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return bytes(value) if isinstance(value, memoryview) else value


@dataclass(frozen=True)
class Trace(Generic[Answer]):
    """An answer, and each statement that led to it with the digest of what it gave.

    Statements that only read stand each for itself, whatever comes before; one that writes needs all those before it.
    """

    steps: tuple[tuple[Statement, bytes], ...]
    writes: bool
    answer: Answer


class Traces(Generic[Answer]):
    """All traces of each address and person, whatever the database was."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], list[Trace[Answer]]] = defaultdict(list)


class Recall(Generic[Answer]):
    """Traces, held against the database as it is while this is used. `asked` are the addresses that none answered."""

    def __init__(self, traces: Traces[Answer]) -> None:
        self.traces = traces
        self.asked: list[str] = []
        self._given: dict[tuple[str, str], bytes] = {}

    def answer(self, address: str, ask: Callable[[], Answer], who: str = "") -> Answer:
        """Return what an address answers: by a trace that holds, or by `ask`, which is taken back and leaves a trace.

        `who` names all that the request brings besides, such as its cookies.
        """
        known = self.traces.of[address, who]
        for trace in known:
            if self._holds(trace):
                return trace.answer
        self.asked.append(address)
        noted: list[Statement] = []
        cache.clear()
        with taken_back(), alike(address), connection.execute_wrapper(partial(_note, noted)):
            answer = ask()
        known.append(self._trace(noted, answer))
        return answer

    def _trace(self, noted: list[Statement], answer: Answer) -> Trace[Answer]:
        writes = not all(each.sql.startswith((*READS, *BRACKETS)) for each in noted)
        if not writes:
            noted = [each for each in noted if each.sql.startswith(READS)]
        with taken_back():
            steps = tuple((each, each.outcome() if writes else self._given_by(each)) for each in noted)
        return Trace(steps, writes, answer)

    def _holds(self, trace: Trace[Answer]) -> bool:
        if not trace.writes:
            return all(self._given_by(each) == given for each, given in trace.steps)
        with taken_back():
            return all(each.outcome() == given for each, given in trace.steps)

    def _given_by(self, statement: Statement) -> bytes:
        """Return what a statement gives that only reads; it is done once in this database."""
        if statement.key not in self._given:
            self._given[statement.key] = statement.outcome()
        return self._given[statement.key]


def _note(noted: list[Statement], execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
    noted.append(Statement.of(sql, parameters, many))
    return execute(sql, parameters, many, context)
