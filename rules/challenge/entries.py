"""Entries: what people say happened, one after another, and the closed list of what can be said.

An entry has facts alone. What they are worth follows when the turn ends (`awards`), what a step off the board costs
follows at once (`off_board`). The form of an entry is checked here; whether the rules allow it is asked in `folding`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rules.core.refusals import Malformed, Refusal
from rules.core.shape_checks import Check, check_of, place, shown
from rules.core.shapes import Schema, listed, or_null, record, text, whole, word

PHASES = ("initiative", "movement", "fire", "physical", "end")
STEPS = ("exit", "maintenance", "entrance")
"""The three phases of the off-board cycle (MC-OBC-02)."""

TRUTH: Schema = {"type": "boolean"}
NAME = text(60)
SENTENCE = text(200)
AMOUNT = whole(-(10**10), 10**10)
POSITIVE = whole(1, 10**10)
DICE = listed(whole(1, 6), 2, 2)
MOST_PILOTS = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: what, by whom, at whom, with which facts, where and when.

    `by` are the pilots who did it, in the order in which they were named; off the board the one pilot concerned. `at`
    is the target, or the pilot it happened to. `overruled` is the GM's reason to allow what the rules forbid.
    """

    what: str
    by: tuple[str, ...] = ()
    at: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    table: str = "main"
    turn: int | None = None
    phase: str | None = None
    step: str | None = None
    overruled: str | None = None
    by_is_named: bool = True
    """Whether the entry says who did it: a kill that names nobody asks the rules for its claimants."""

    @property
    def pilot(self) -> str | None:
        """The one pilot that the entry is about: the one who did it, or else the one it happened to; None for none."""
        return self.by[0] if self.by else self.at

    @property
    def subject(self) -> str | None:
        """The pilot it happened to, or else the one who did it."""
        return self.at if self.at is not None else self.pilot


Checker = Callable[[Any, Entry], Iterator[Refusal]]
Change = Callable[[Any, Entry], None]


def nothing_against(event: Any, entry: Entry) -> Iterator[Refusal]:
    """Refuse nothing."""
    return iter(())


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of entry.

    `facts` are the fields of its own with their form, `required` those that it must have. `check` yields why the rules
    forbid it, `apply` changes the event. `step` is its step of the off-board cycle, None on the board and for what no
    order binds.
    """

    name: str
    apply: Change
    check: Checker = nothing_against
    facts: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    off_board: bool = False
    step: int | None = None
    strict_step: int | None = None
    """The step where the event binds tier 4 to its order (MCQ-ABIL-08)."""

    def step_in(self, strict: bool) -> int | None:
        """Return the step of the off-board cycle, for an event that binds tier 4 to its order or not."""
        return self.strict_step if strict and self.strict_step is not None else self.step


_PLACE: Mapping[str, Schema] = {
    "table": NAME,
    "turn": whole(1, 999),
    "overruled": SENTENCE,
    "note": SENTENCE,
}
_ON_BOARD: Mapping[str, Schema] = {
    "what": NAME,
    "phase": word(*PHASES),
    "by": {
        "if": {"type": "string"},
        "then": NAME,
        "else": {**listed(NAME, 0, MOST_PILOTS), "uniqueItems": True},
    },
    "at": or_null(NAME),
}
_OFF_BOARD: Mapping[str, Schema] = {"do": NAME, "pilot": NAME, "step": word(*STEPS)}
_OWN_KEYS = frozenset({*_PLACE, *_ON_BOARD, *_OFF_BOARD})


@cache
def _check_of(kind: Kind) -> Check:
    return check_of(form_of(kind))


def form_of(kind: Kind) -> Schema:
    """Return the form of an entry of this kind."""
    if kind.off_board:
        return record({**_PLACE, **_OFF_BOARD, **kind.facts}, ["do", "pilot", *kind.required])
    return record({**_PLACE, **_ON_BOARD, **kind.facts}, ["what", *kind.required])


def read_entry(document: Any, kinds: Mapping[str, Kind]) -> Entry:
    """Return an entry. Raises Malformed (bad_entry) for one that has no such form."""
    if not isinstance(document, Mapping):
        raise Malformed("bad_entry", field="", problem="wrong_type", value=shown(document), expected="object")
    off_board = "do" in document
    name = document.get("do" if off_board else "what")
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None or kind.off_board is not off_board:
        raise Malformed("bad_entry", field="do" if off_board else "what", problem="unknown_key", key=str(name)[:60])
    fault = next(_check_of(kind).faults(document), None)
    if fault is not None:
        raise Malformed("bad_entry", field=place(fault.path)[1] or kind.name, problem=fault.code, **fault.parameters)
    by = document.get("pilot") if off_board else document.get("by")
    return Entry(
        what=kind.name,
        by=(by,) if isinstance(by, str) else tuple(by or ()),
        at=document.get("at"),
        facts={key: value for key, value in document.items() if key not in _OWN_KEYS},
        table=document.get("table", "main"),
        turn=document.get("turn"),
        phase=document.get("phase"),
        step=document.get("step"),
        overruled=document.get("overruled"),
        by_is_named="by" in document or off_board,
    )
