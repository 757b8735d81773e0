"""What people count at a real table: marks made on their phones, and the counts that follow from them.

A mark is JSON with a `kind`, and one side made it. Marks are never changed, and a phone without a network sends its
marks later. So the counts depend neither on the order of the marks nor on repetitions. Amounts are added up first and
limited to the dials then. An elimination, a kill or a surrender counts once however often it is marked. A switch and a
flag follow the mark with the highest `step`, and among equal steps the one with the highest id. An undo takes back one
mark of its own side, and may arrive before that mark.

Kinds: damage, repair, heat (`unit`, `amount`; heat may be negative), shutdown, unconscious (`unit`, `on`, `step`),
elimination (`unit`), kill (`unit` by which, `of` which), token (`rp`), flag (`flag`: the side it belongs to, `place`,
`step`), round (`number` that has ended), roll (`purpose`, `dice`, `by`), surrender, undo (`of`: the id of a mark).

R-CLN-02, R-END-02..07, R-FMT-19, R-HET-21, R-SHD-01, R-SUR-03; Q-65, Q-166.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from rules.campaign.results.report_checks import problems
from rules.campaign.results.reports import Contest, in_play, read
from rules.core.refusals import Malformed, Refusal
from rules.solaris.rewards import FLAG_AT_HOME, FLAG_CARRIED, FLAG_POINTS, for_kill

FLAG_PLACES = ("lost", FLAG_CARRIED, FLAG_AT_HOME)
"""Where a side has a flag: nowhere ("lost"), with a unit of its own, in its own starting area."""

DICE: Mapping[str, int] = {"attack": 3, "initiative": 2, "one": 1}
"""How many dice each sort of roll has; the third of an attack is the odd one."""

ROLLED_BY = ("phone", "site")
"""Where dice were rolled. These dice are a convenience at the table; the engine rolls its own."""

SWITCHES = ("shutdown", "unconscious")
"""The states of a unit that are switched on and off."""

MOST_AT_ONCE, MOST_STEPS, MOST_ROUNDS, MOST_TOKEN = 99, 99_999, 999, 999

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Mark:
    """One mark as it was received: its id, the side that made it, and what it says, from `read_mark`."""

    uid: str
    side: str
    what: Document


@dataclass(frozen=True)
class UnitCount:
    """A unit as its side counts it: clicks and heat on its dials, and its states.

    `killed` are the keys of the units that it eliminated, those that are gone since then included. `steps`
    holds the step of its next mark for each of SWITCHES.
    """

    clicks: int
    heat: int
    eliminated: bool
    shutdown: bool = False
    unconscious: bool = False
    killed: tuple[str, ...] = ()
    steps: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SideCount:
    """What a side counts for itself: the reputation of each token and of all flags, and whether it surrendered.

    `flag_places` has one of FLAG_PLACES for the flag of each side; empty in other formats. `step` is the step of its
    next mark of a flag.
    """

    tokens: tuple[int, ...] = ()
    flags: int = 0
    flag_places: Mapping[str, str] = field(default_factory=dict)
    surrendered: bool = False
    step: int = 1


@dataclass(frozen=True)
class Counts:
    """The counts of all marks. `round` is the round in play, from 1; `undone` holds (id, side) of marks taken back.

    `killed_by_gone` are the keys of the units that units of stables which have left the match count as killed.
    """

    round: int
    units: Mapping[str, UnitCount]
    sides: Mapping[str, SideCount]
    undone: frozenset[tuple[str, str]]
    killed_by_gone: frozenset[str] = frozenset()


# Reading ---------------------------------------------------------------------------------------------------------


def read_mark(document: object) -> dict[str, Any]:
    """Return a mark with the fields of its kind (FIELDS) and no others.

    Raises Malformed (not_an_object, table_mark_unknown, bad_field).
    """
    if not isinstance(document, Mapping):
        raise Malformed("not_an_object")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Malformed("table_mark_unknown", kind=str(kind)[:40])
    mark = {"kind": kind}
    for name, reader in FIELDS[kind].items():
        if (value := reader(document.get(name))) is None:
            raise Malformed("bad_field", field=name)
        mark[name] = value
    if kind == "roll" and len(mark["dice"]) != DICE[mark["purpose"]]:
        raise Malformed("bad_field", field="dice")
    return mark


Reader = Callable[[object], Any]


def _number(least: int, most: int) -> Reader:
    def read_number(value: object) -> int | None:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            return None
        return value

    return read_number


def _change(value: object) -> int | None:
    return _number(-MOST_AT_ONCE, MOST_AT_ONCE)(value) or None


def _one_of(choices: Iterable[str]) -> Reader:
    known = tuple(choices)
    return lambda value: value if isinstance(value, str) and value in known else None


def _name(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= 40 else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _dice(value: object) -> list[int] | None:
    face = _number(1, 6)
    return value if isinstance(value, list) and all(face(die) for die in value) else None


def read_uid(value: object) -> str | None:
    """Return the id of a mark in lower case, None for anything but a UUID of 36 characters."""
    try:
        return str(UUID(value)) if isinstance(value, str) and len(value) == 36 else None
    except ValueError:
        return None


_AMOUNT, _STEP = _number(1, MOST_AT_ONCE), _number(1, MOST_STEPS)

FIELDS: Mapping[str, Mapping[str, Reader]] = {
    "damage": {"unit": _name, "amount": _AMOUNT},
    "repair": {"unit": _name, "amount": _AMOUNT},
    "heat": {"unit": _name, "amount": _change},
    "shutdown": {"unit": _name, "on": _truth, "step": _STEP},
    "unconscious": {"unit": _name, "on": _truth, "step": _STEP},
    "elimination": {"unit": _name},
    "kill": {"unit": _name, "of": _name},
    "token": {"rp": _number(0, MOST_TOKEN)},
    "flag": {"flag": _name, "place": _one_of(FLAG_PLACES), "step": _STEP},
    "round": {"number": _number(1, MOST_ROUNDS)},
    "roll": {"purpose": _one_of(DICE), "dice": _dice, "by": _one_of(ROLLED_BY)},
    "surrender": {},
    "undo": {"of": read_uid},
}
"""Kind -> its fields, each with its reader; a reader returns None for a bad value."""


def misfit(what: Document, side: str, contest: Contest) -> Refusal | None:
    """Return why a side cannot make this mark, from `read_mark`, in this match; None when it can.

    The codes are table_mark_not_yours and table_mark_unfit.
    """
    unit = what.get("unit")
    if unit is not None and (unit not in contest.units or contest.units[unit].side != side):
        return Refusal("table_mark_not_yours")
    kind = what["kind"]
    other = contest.entrant(what["of"]) if kind == "kill" else None
    fits = {
        "kill": other is not None and other.side != side,
        "flag": contest.format == "capture_the_flag" and what.get("flag") in contest.sides,
        "token": bool(contest.tokens),
    }
    return None if fits.get(kind, True) else Refusal("table_mark_unfit", {"kind": kind})


# The fold --------------------------------------------------------------------------------------------------------


def fold(marks: Iterable[Mark], contest: Contest) -> Counts:
    """Return the counts of the marks of a match, with the damage that units brought into it.

    Marks that do not fit the match (`misfit`) or that an undo takes back do not count.
    """
    latest = {(mark.uid, mark.side): mark for mark in marks}.values()
    undone = frozenset((mark.what["of"], mark.side) for mark in latest if mark.what["kind"] == "undo")
    standing = [mark for mark in latest if mark.what["kind"] != "undo" and (mark.uid, mark.side) not in undone]
    live = [mark for mark in standing if mark.side in contest.sides and misfit(mark.what, mark.side, contest) is None]
    ended = max((int(mark.what["number"]) for mark in live if mark.what["kind"] == "round"), default=0)
    return Counts(
        round=ended + 1,
        units={key: _unit(key, live, contest) for key in contest.units},
        sides={key: _side(key, live, contest) for key in contest.sides},
        undone=undone,
        killed_by_gone=frozenset(
            str(mark.what["of"])
            for mark in standing
            if mark.what["kind"] == "kill"
            and (killer := contest.gone.get(str(mark.what["unit"]))) is not None
            and killer.side == mark.side
        ),
    )


def _unit(key: str, live: Iterable[Mark], contest: Contest) -> UnitCount:
    entrant = contest.units[key]
    own = [mark for mark in live if mark.what.get("unit") == key]

    def sum_of(kind: str) -> int:
        return sum(int(mark.what["amount"]) for mark in own if mark.what["kind"] == kind)

    clicks = _within(entrant.before + sum_of("damage") - sum_of("repair"), entrant.dial)
    heat = _within(sum_of("heat"), entrant.heat)
    eliminated = clicks == entrant.dial or any(mark.what["kind"] == "elimination" for mark in own)
    switches = {
        kind: _newest(mark for mark in own if mark.what["kind"] == kind) for kind in ("shutdown", "unconscious")
    }
    at_top = heat == entrant.heat > 0
    return UnitCount(
        clicks=entrant.dial if eliminated else clicks,
        heat=heat,
        eliminated=eliminated,
        shutdown=at_top or _is_on(switches["shutdown"]),
        unconscious=_is_on(switches["unconscious"]),
        killed=tuple(sorted({str(mark.what["of"]) for mark in own if mark.what["kind"] == "kill"})),
        steps={kind: _next_step(newest) for kind, newest in switches.items()},
    )


def _within(number: int, most: int) -> int:
    return max(0, min(number, most))


def _newest(marks: Iterable[Mark]) -> Mark | None:
    return max(marks, key=lambda mark: (mark.what["step"], mark.uid), default=None)


def _is_on(mark: Mark | None) -> bool:
    return mark is not None and bool(mark.what["on"])


def _next_step(mark: Mark | None) -> int:
    return 1 if mark is None else min(int(mark.what["step"]) + 1, MOST_STEPS)


def _side(key: str, live: Iterable[Mark], contest: Contest) -> SideCount:
    own = [mark for mark in live if mark.side == key]
    flags = [mark for mark in own if mark.what["kind"] == "flag"]
    places = {}
    for side in contest.sides if contest.format == "capture_the_flag" else ():
        newest = _newest(mark for mark in flags if mark.what["flag"] == side)
        places[side] = "lost" if newest is None else str(newest.what["place"])
    return SideCount(
        tokens=tuple(sorted(int(mark.what["rp"]) for mark in own if mark.what["kind"] == "token")),
        flags=sum(FLAG_POINTS.get((side == key, place), 0) for side, place in places.items()),
        flag_places=places,
        surrendered=any(mark.what["kind"] == "surrender" for mark in own),
        step=_next_step(_newest(flags)),
    )


# The report ------------------------------------------------------------------------------------------------------


def as_report(counts: Counts, contest: Contest, last_round: int | None = None) -> dict[str, Any]:
    """Return the counts as the document that rules.campaign.results.reports.read takes.

    `read` fills in the winner, and leaves a pilot's death to the die. `last_round` is the limit of the match, None
    when a clock ends it.
    """
    units = {
        key: {"clicks": unit.clicks, "eliminated": unit.eliminated, "kills": len(unit.killed)}
        for key, unit in counts.units.items()
    }
    sides: dict[str, Any] = {
        key: {
            "eliminations": _eliminations(key, counts, contest),
            "tokens": sum(side.tokens),
            "flags": side.flags,
            "surrendered": side.surrendered,
        }
        for key, side in counts.sides.items()
    }
    return {"ended_by": _ending(counts, contest, last_round), "winner": "", "sides": sides, "units": units}


def _eliminations(side: str, counts: Counts, contest: Contest) -> int:
    """Return the reputation for all kills that a side counts."""
    return sum(
        for_kill(fallen.total, contest.units[key].total)
        for key, unit in counts.units.items()
        if contest.units[key].side == side
        for fallen in map(contest.entrant, unit.killed)
        if fallen is not None
    )


def _ending(counts: Counts, contest: Contest, last_round: int | None) -> str:
    left = in_play(contest, counts.units, counts.sides)
    if len(left) > 1:
        return "time_limit" if last_round is None or counts.round > last_round else "agreement"
    return "surrender" if any(side.surrendered for side in counts.sides.values()) else "last_side"


def doubts(counts: Counts, contest: Contest, last_round: int | None = None) -> list[Refusal]:
    """Return what the people at the table should check before they report, as refusals; empty when all fits.

    Kills of units that are not eliminated (table_kill_of_standing), or by two units (table_kill_twice), come alone: the
    rest depends on them. The other codes are table_kill_of_nobody, table_winner_open and those of
    rules.campaign.results.report_checks.problems. `last_round` is that of `as_report`.
    """
    killers: dict[str, list[str]] = {}
    for key, unit in counts.units.items():
        for of in unit.killed:
            killers.setdefault(of, []).append(key)
    found = [
        Refusal("table_kill_of_standing", {"unit": by[0], "of": of})
        for of, by in killers.items()
        # Nobody is left to count a unit that is gone.
        if of in counts.units and not counts.units[of].eliminated
    ]
    found += [Refusal("table_kill_twice", {"of": of}) for of, by in killers.items() if len(by) > 1]
    if found:
        return found
    nobody = [
        Refusal("table_kill_of_nobody", {"of": key})
        for key, unit in counts.units.items()
        if unit.eliminated and key not in killers and key not in counts.killed_by_gone
    ]
    try:
        return nobody + problems(contest, read(as_report(counts, contest, last_round), contest))
    except Malformed:
        return [*nobody, Refusal("table_winner_open")]
