"""Who is champion: the leaders by reputation and kills, and the sudden death of those whom both leave tied.

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

    `key` names it in the season; `definition` is the catalogue's; a dead one cannot fight (Q-164).
    """

    key: str
    kind: str
    definition: Mapping[str, Any]
    is_alive: bool = True


@dataclass(frozen=True)
class Decision:
    """How a title is decided: by `holders` at once (one, or several who share it), or by a fight of `fighters`."""

    holders: tuple[str, ...]
    fighters: tuple[Contender, ...]


def decide(tied: Sequence[Contender]) -> Decision:
    """Return what happens among individuals that reputation and kills leave tied (Q-164).

    The dead drop out: one who is left holds the title, and if all are dead they share it.
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
    """What comes next for a sudden death: to `wait`, to `extend` its date, to let `keys` `fight`, or `hold` by them."""

    step: str
    keys: tuple[str, ...] = ()


def attendance(tied: Sequence[str], present: Collection[str], *, is_due: bool, is_extended: bool) -> Attendance:
    """Return what comes next for those who are tied, some of whom are there.

    All there: they fight. Else there is a date and one extension of it. After that those who came fight it out; one
    who came alone holds the title, and if nobody did all share it.
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


def own_fighter(own: Sequence[str], named: str | None) -> str:
    """Return which of its tied pilots a stable's player plays: the one they named, else the first (Q-169)."""
    return named if named is not None and named in own else own[0]


def may_fight(kind: str, *, needs_pilot: bool, is_sold: bool, is_alive: bool) -> bool:
    """Return whether a tied stable may send an individual of a kind (R-SUD-05, Q-164, Q-169).

    Any pilot, or unit that takes none, that is still on its list.
    """
    return is_alive and not is_sold and (kind == PILOT or (kind == UNIT and not needs_pilot))


def fight_class(fighters: Iterable[Contender], dice: Dice) -> str:
    """Return the class of a sudden death match.

    Pilots alone draw it (R-SUD-01); among pilots and units it is that of the unit with most points, which comes to
    fight itself (R-SUD-02), and among units likewise (R-SUD-03).
    """
    units = [fighter.definition for fighter in fighters if fighter.kind == UNIT]
    if not units:
        return WEIGHT_CLASSES[dice.draw(len(WEIGHT_CLASSES), "class of a sudden death")]
    dearest = max(units, key=lambda unit: (int(unit["points"]), str(unit["id"])))
    return class_of(dearest) or WEIGHT_CLASSES[-1]


def mount(fighter: Contender, units: Iterable[Mapping[str, Any]], match_class: str, dice: Dice) -> Mapping[str, Any]:
    """Return the unit with which a contender fights: a unit is its own; for a pilot one of the best that fit.

    It need not be owned (Q-141), the pilot's requirements are waived (R-SUD-01), and their normal points count inside
    the class's cap (Q-169). Drawn from the better third of the class, by points; units from before Age of Destruction
    take no pilot and are left out. Raises ValueError when the catalogue has no unit that fits.
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
