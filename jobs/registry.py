"""Which function does the work of which name. Apps register theirs in `<app>/jobs`.

A job's name is stored, so a function keeps its name when it moves:

    @job("stables.close_cycle")
    def close_cycle(run): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jobs.run import Run

Handler = Callable[[Run], Any]
Search = Callable[[], Any]


class Registry:
    """Names and functions. Filled while the apps are imported, only read afterwards."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.searches: dict[str, Search] = {}
        self.patient: set[str] = set()
        self.most_patient: set[str] = set()

    def handler(self, name: str) -> Handler | None:
        return self.handlers.get(name)


registry = Registry()


def job(name: str, is_patient: bool = False, is_most_patient: bool = False) -> Callable[[Handler], Handler]:
    """Registers the function that does jobs of this name. It is called with a `Run`; what it returns is ignored.

    It must be safe to start again from the top: what has an effect goes through `run.once`. Jobs that are patient are
    sent again only after all others, and those that are most patient only after these.

    Raises: ValueError when another function has the name.
    """

    def register(function: Handler) -> Handler:
        _add(registry.handlers, name, function)
        if is_patient or is_most_patient:
            registry.patient.add(name)
        if is_most_patient:
            registry.most_patient.add(name)
        return function

    return register


def search(name: str) -> Callable[[Search], Search]:
    """Registers a function without arguments that looks, at every sweep, for work nobody asked for, and enqueues it.

    It must be cheap and enqueue with a unique key: two sweeps may overlap.

    Raises: ValueError when another function has the name.
    """

    def register(function: Search) -> Search:
        _add(registry.searches, name, function)
        return function

    return register


def _add(table: dict[str, Any], name: str, function: Any) -> None:
    known = table.setdefault(name, function)
    if (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__):
        raise ValueError(f"Two functions want the name {name}: {known!r} and {function!r}.")
