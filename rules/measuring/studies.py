"""Studies: many numbered play-outs, cut into parts that this process, other processes or distant workers may play.

    study = Study("balance.bouts", {"seed": 1, "runs": [["SOL001", "SOL002", 0, 60]]}, count=60, size=12)
    [results] = run([study], in_processes(2))

A part holds everything that its play-outs depend on, so it gives the same result wherever and however often it is
played. The size of a part does not depend on the workers, and results are put together by number. So the result of a
study is the same for any number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypedDict

from rules.core.refusals import Refused
from rules.measuring.source import source_hash

WORKS: Mapping[str, str] = {
    "balance.bouts": "rules.measuring.balance.playing:play_numbers",
    "forecasts.play_outs": "rules.measuring.forecasts:play_numbers",
    "ladder.duels": "rules.measuring.ladder:play_numbers",
}
"""The work that parts may ask for: name -> function, as module and name.

A function is called with `given`, the first number and the count, all JSON. It returns JSON that depends on nothing
else.
"""


class Part(TypedDict):
    """A part of a study as plain JSON: the numbers `first` to `first + count - 1` of `work` with the arguments `given`.

    `study` is the number of the study in its run, from 0.
    """

    study: int
    work: str
    given: dict[str, Any]
    first: int
    count: int


class Answer(TypedDict):
    """The answer to a part: the number of its study, its first number, and the JSON that its work returned."""

    study: int
    first: int
    result: Any


@dataclass(frozen=True)
class Study:
    """A study of `count` play-outs, numbered from 0, in parts of `size`. A part should take about a second."""

    work: str
    given: Mapping[str, Any]
    count: int
    size: int

    def parts(self, number: int = 0) -> list[Part]:
        """Return the parts in the order of their numbers; `number` is that of the study in its run."""
        return [
            Part(
                study=number,
                work=self.work,
                given=dict(self.given),
                first=first,
                count=min(self.size, self.count - first),
            )
            for first in range(0, self.count, self.size)
        ]


Progress = Callable[[int], None]
"""A function that is called with the number of play-outs done so far."""

Executor = Callable[[Sequence[Part], Progress], Iterable[Answer]]
"""A way to play parts: it gives their answers in any order, each at least once."""


class NotTheSame(Exception):
    """Two answers to one part differ: its work depends on more than it is given, or different code played it."""


class Missing(Exception):
    """A way of playing (`Executor`) ended without the answers to all parts."""


def play(part: Part) -> Answer:
    """Play one part and return its answer. The result is as JSON gives it back (tuples become lists) everywhere.

    Raises LookupError for work that WORKS does not name, and all that the work raises.
    """
    if part["work"] not in WORKS:
        raise LookupError(f"no work is named {part['work']!r}")
    module, _, name = WORKS[part["work"]].partition(":")
    result = getattr(import_module(module), name)(part["given"], part["first"], part["count"])
    return Answer(study=part["study"], first=part["first"], result=json.loads(json.dumps(result)))


def in_this_process(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
    """Play the parts one after the other, and yield their answers."""
    done = 0
    for part in parts:
        yield play(part)
        done += part["count"]
        tell(done)


def in_processes(count: int) -> Executor:
    """Return the way that plays in `count` processes of this machine. Parts lost with a dead process are played again.

    With a count of 1 it plays in this process. The way raises all that the work raises, and Refused
    (study_processes_died) when its processes die again and again.
    """
    if count == 1:
        return in_this_process

    def way(parts: Sequence[Part], tell: Progress) -> Iterator[Answer]:
        done = 0
        for part, answer in zip(parts, _by_pools(parts, count), strict=True):
            yield answer
            done += part["count"]
            tell(done)

    return way


MOST_POOLS = 3
"""The most pools of processes in a row that may end without a single answer. A killed process ends its whole pool, and
the remaining parts need a new one. A part that kills every pool, for instance because it needs more memory than there
is, would do so forever."""


def _by_pools(parts: Sequence[Part], count: int) -> Iterator[Answer]:
    """Yield the answers in the order of the parts, by as many pools of processes as it takes.

    Raises Refused (study_processes_died).
    """
    known: dict[int, Answer] = {}
    place = in_vain = 0
    while in_vain < MOST_POOLS:
        before = place + len(known)
        pool = ProcessPoolExecutor(count)
        sent: dict[int, Future[Answer]] = {}
        try:
            for number in range(place, len(parts)):
                if number not in known:
                    sent[number] = pool.submit(play, parts[number])
            while place < len(parts):
                answer = known.pop(place) if place in known else sent[place].result()
                sent.pop(place, None)
                place += 1
                yield answer
            return
        except BrokenProcessPool:
            pass
        finally:
            # This also runs when the caller stops early, as after Ctrl-C: waiting parts are not played.
            pool.shutdown(cancel_futures=True)
        known |= {number: future.result() for number, future in sent.items() if _has_result(future)}
        in_vain = 0 if place + len(known) > before else in_vain + 1
    raise Refused("study_processes_died", times=MOST_POOLS, done=place + len(known), parts=len(parts))


def _has_result(future: Future[Answer]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def results(studies: Sequence[Study], way: Executor, tell: Progress = lambda done: None) -> Iterator[tuple[Part, Any]]:
    """Yield each part once with its result, in the order in which the answers come. Call `tell` with the progress.

    Raises NotTheSame and Missing, and all that the way raises.
    """
    parts = [part for number, study in enumerate(studies) for part in study.parts(number)]
    waiting = {(part["study"], part["first"]): part for part in parts}
    known: dict[tuple[int, int], Any] = {}
    for answer in way(parts, tell):
        key = (answer["study"], answer["first"])
        if not _is_repeated(known, key, answer["result"]):
            yield waiting.pop(key), answer["result"]
    if waiting:
        raise Missing(f"{len(waiting)} of {len(parts)} parts have no answer")


def run(studies: Sequence[Study], way: Executor, tell: Progress = lambda done: None) -> list[list[Any]]:
    """Return for each study the results of its parts, in the order of their first numbers.

    Raises NotTheSame and Missing, and all that the way raises.
    """
    found: list[list[Any]] = [[] for _ in studies]
    for part, result in sorted(results(studies, way, tell), key=lambda each: each[0]["first"]):
        found[part["study"]].append(result)
    return found


def in_order(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers in the order of studies and first numbers; a part that was played more than once counts once.

    Raises NotTheSame.
    """
    known: dict[tuple[int, int], Any] = {}
    found = [
        answer for answer in answers if not _is_repeated(known, (answer["study"], answer["first"]), answer["result"])
    ]
    return sorted(found, key=lambda answer: (answer["study"], answer["first"]))


def _is_repeated(known: dict[tuple[int, int], Any], key: tuple[int, int], result: Any) -> bool:
    if key not in known:
        known[key] = result
        return False
    if known[key] != result:
        raise NotTheSame("study {}, part from {}".format(*key))
    return True


def code_hash() -> str:
    """Return the hash of the code and data of rules/: the same hash means the same results."""
    return source_hash()
