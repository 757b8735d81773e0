"""The functions that do the jobs, by name. Apps register theirs in `<app>/jobs`.

A job's name is stored, so a function keeps its name when it moves:

    @job("stables.close_cycle")
    def close_cycle(run): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from jobs.run import Run

Handler = Callable[[Run], Any]
Scan = Callable[[], Any]
Priority = Literal["normal", "low", "lower", "lowest"]


class Registry:
    """The functions by name. It is filled while the apps are imported, and only read afterwards."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.scans: dict[str, Scan] = {}
        self.low_priority: set[str] = set()
        self.lower_priority: set[str] = set()
        self.lowest_priority: set[str] = set()

    def handler(self, name: str) -> Handler | None:
        return self.handlers.get(name)


registry = Registry()


def job(name: str, priority: Priority = "normal") -> Callable[[Handler], Handler]:
    """Register the function that does jobs of this name. It is called with a `Run`; what it returns is ignored.

    It must be safe to start again from the top: every effect goes through `run.once`. Workers take jobs of lower
    `priority` only when no others are due; after `runner.PATIENCE` those of "low" count as normal. They are sent again
    after all others, and those of the lowest after these.

    Raises ValueError when another function has the name.
    """

    def register(function: Handler) -> Handler:
        _add(registry.handlers, name, function)
        if priority != "normal":
            registry.low_priority.add(name)
        if priority in ("lower", "lowest"):
            registry.lower_priority.add(name)
        if priority == "lowest":
            registry.lowest_priority.add(name)
        return function

    return register


def periodic(name: str) -> Callable[[Scan], Scan]:
    """Register a function without arguments that scans, at every tick, for work nobody asked for, and enqueues it.

    It must be cheap and enqueue with a unique key: two ticks may overlap.

    Raises ValueError when another function has the name.
    """

    def register(function: Scan) -> Scan:
        _add(registry.scans, name, function)
        return function

    return register


def _add(table: dict[str, Any], name: str, function: Any) -> None:
    known = table.setdefault(name, function)
    if (known.__module__, known.__qualname__) != (function.__module__, function.__qualname__):
        raise ValueError(f"Two functions want the name {name}: {known!r} and {function!r}.")
