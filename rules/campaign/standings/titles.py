"""The champions: the leaders by reputation and kills, and the sudden death of those who are tied in both.

R-CYC-08, R-CYC-09, R-SUD-01..05; Q-141, Q-164, Q-169.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.campaign.classes import BUILD_TOTAL, WEIGHT_CLASSES
from rules.core.dice import Dice
from rules.solaris.building import class_of

PILOT, UNIT = "pilot", "unit"


@dataclass(frozen=True)
class Contender:
    """One tied pilot or pilotless unit, or the individual that a tied stable sends.

    `key` is unique in the season, `kind` is "pilot" or "unit", `definition` is the catalogue's. The dead cannot fight
    (Q-164).
    """

    key: str
    kind: str
    definition: Mapping[str, Any]
    is_alive: bool = True


@dataclass(frozen=True)
class Decision:
    """How a title is decided: `holders` have it at once (one, or several who share it), or `fighters` fight for it.

    The other field is empty.
    """

    holders: tuple[str, ...]
    fighters: tuple[Contender, ...]


def decide(tied: Sequence[Contender]) -> Decision:
    """Return how a title is decided among individuals that are tied in reputation and kills (Q-164).

    The dead drop out. A single survivor holds the title; if all are dead, they share it.
    """
    alive = tuple(contender for contender in tied if contender.is_alive)
    if not alive:
        return Decision(tuple(contender.key for contender in tied), ())
    if len(alive) == 1:
        return Decision((alive[0].key,), ())
    return Decision((), alive)


WAIT, EXTEND, FIGHT, HOLD = "wait", "extend", "fight", "hold"


@dataclass(frozen=True)
class Attendance:
    """The next step of a sudden death: wait, extend its date, let `keys` fight, or let `keys` hold the title."""

    step: str
    keys: tuple[str, ...] = ()


def attendance(tied: Sequence[str], present: Collection[str], *, is_due: bool, is_extended: bool) -> Attendance:
    """Return the next step of a sudden death, given which of the tied are present.

    When all are present they fight. Otherwise they wait until the date has come (`is_due`), which is extended once.
    After that those who came fight. One who came alone holds the title, and if nobody came, all share it.
    """
    there = tuple(key for key in tied if key in present)
    if len(there) == len(tied):
        return Attendance(FIGHT, there)
    if not is_due:
        return Attendance(WAIT)
    if not is_extended:
        return Attendance(EXTEND)
    if len(there) > 1:
        return Attendance(FIGHT, there)
    return Attendance(HOLD, there or tuple(tied))


def holders_still(fought: Collection[str], held: Collection[str], tied: Sequence[str]) -> tuple[str, ...]:
    """Return who of the tied holds a title by an earlier sudden death, () if a new one must decide.

    `fought` were the candidates of the earlier one, and `held` came out of it with the title. It counts as long as
    everybody who is tied now was in it and one of `held` is still tied.
    """
    if not set(tied) <= set(fought):
        return ()
    return tuple(key for key in tied if key in held)


def own_fighter(own: Sequence[str], named: str | None) -> str:
    """Return which of a stable's tied pilots its player plays: the one they `named`, or the first (Q-169).

    `own` has at least one. A name that is not in it counts as none.
    """
    return named if named is not None and named in own else own[0]


def may_fight(kind: str, *, needs_pilot: bool, is_sold: bool, is_alive: bool) -> bool:
    """Return whether a tied stable may send an individual of a kind (R-SUD-05, Q-164, Q-169).

    It may send any living pilot, or unit that takes no pilot, that is still on its list.
    """
    return is_alive and not is_sold and (kind == PILOT or (kind == UNIT and not needs_pilot))


def fight_class(fighters: Iterable[Contender], dice: Dice) -> str:
    """Return the class of a sudden death match.

    Among pilots alone it is drawn (R-SUD-01). If units take part, it is the class of the unit with most points, and
    among equals the one with the last catalogue id (R-SUD-02, R-SUD-03). A unit above every class counts as assault.
    """
    units = [fighter.definition for fighter in fighters if fighter.kind == UNIT]
    if not units:
        return WEIGHT_CLASSES[dice.draw(len(WEIGHT_CLASSES), "class of a sudden death")]
    dearest = max(units, key=lambda unit: (int(unit["points"]), str(unit["id"])))
    return class_of(dearest) or WEIGHT_CLASSES[-1]


def mount(fighter: Contender, units: Iterable[Mapping[str, Any]], match_class: str, dice: Dice) -> Mapping[str, Any]:
    """Return the unit that a contender fights with: a unit itself, or for a pilot one of the best that fit.

    The stable need not own it (Q-141). The pilot's requirements are waived (R-SUD-01), and their normal points count
    inside the class's cap (Q-169). The unit is drawn from the better third, by points, of the `units` of the class that
    fit. Units from before Age of Destruction take no pilot and are left out. Raises ValueError when no unit fits.
    """
    if fighter.kind == UNIT:
        return fighter.definition
    most = BUILD_TOTAL[match_class] - int(fighter.definition["points"])
    fitting = [
        unit for unit in units if unit.get("variant") and class_of(unit) == match_class and int(unit["points"]) <= most
    ]
    if not fitting:
        raise ValueError(f"no {match_class} unit for {fighter.key}")
    fitting.sort(key=lambda unit: (-int(unit["points"]), str(unit["id"])))
    best = fitting[: max(1, len(fitting) // 3)]
    return best[dice.draw(len(best), "unit of a sudden death")]
