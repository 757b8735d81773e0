"""Reading both worlds of a secret, and what somebody could tell them apart by."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tests.traces import Traces
from tests.worlds import Worlds, taken_back

from .asking import Answer, Reader, digests, led_to, routes
from .kept import SECRETS
from .world import become


def read(
    worlds: Worlds,
    name: str,
    which: int,
    role: str,
    traces: Traces[Answer],
    addresses: Iterable[str] | None = None,
    *,
    everything: bool = False,
) -> Reader:
    """Read a world as somebody: the given addresses, or all that there are."""
    with taken_back():
        world = SECRETS[name].world(worlds, which)
        become(world, role)
        reader = Reader(world, role, traces)
        reader.read(routes(world, role, everything=everything) if addresses is None else addresses)
        if everything and addresses is None:
            reader.read(list(led_to(reader.answers)))
    return reader


def differing(first: Reader, second: Reader) -> list[str]:
    """The addresses by which a reader of both worlds could tell them apart, each with what stands there."""
    return [
        f"{address} as {first.role}: {_difference(first.answers[address], answer)}"
        for address, answer in second.answers.items()
        if answer != first.answers[address]
    ]


def _difference(one: Answer, other: Answer) -> str:
    if one.status != other.status:
        return f"{one.status} | {other.status}"
    pairs = enumerate(zip(one.text, other.text, strict=False))
    place = next((at for at, pair in pairs if pair[0] != pair[1]), 0)
    texts = " | ".join(answer.text[max(place - 100, 0) : place + 100] for answer in (one, other))
    return f"{sorted(set(one.headers.items()) ^ set(other.headers.items()))} {texts}"


@lru_cache(maxsize=1)
def _traces_of(role: str) -> Traces[Answer]:
    """Return what this process knows of a reader, as long as no other follows."""
    return Traces()


def differing_everywhere(worlds: Worlds, name: str, role: str) -> list[str]:
    """Read everything in both worlds. Worlds are mostly alike: the next secret for the same reader is quick."""
    traces = _traces_of(role)
    first = read(worlds, name, 0, role, traces, everything=True)
    return differing(first, read(worlds, name, 1, role, traces, first.answers))


def tables_apart(worlds: Worlds, name: str) -> set[str]:
    """The tables in which the two worlds of a secret differ."""
    found = []
    for which in (0, 1):
        with taken_back():
            SECRETS[name].world(worlds, which)
            found.append(digests())
    return {table for table, digest in found[0].items() if digest != found[1][table]}
