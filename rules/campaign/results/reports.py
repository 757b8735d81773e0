"""What people report of a match at a table: its shape, what can be read from it, and what contradicts the rules.

A report is JSON: {"ended_by": "last_side", "time_limit", "agreement" or "surrender", "winner": side, "sides": {side:
{"eliminations", "tokens", "flags": reputation points, "surrendered"}}, "units": {unit of the match: {"clicks",
"eliminated", "kills", "died": "no", "yes" or "roll"}}}. What a surrender halves and pays follows from the rest. The
server believes what only the table can know; the rest must be possible (rules.campaign.results.report_checks).

R-END-05..11, R-SUR-03..06, R-DTH-01; Q-65, Q-136, Q-145, Q-165..Q-168.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from rules.core.dice import Dice
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from rules.solaris.rewards import SURRENDER_AWARD, for_kill

ENDINGS = ("last_side", "time_limit", "agreement", "surrender")
"""How a match may have ended (R-END-02..04, R-SUR-04)."""

FATES = ("no", "yes", "roll")
"""Whether the pilot of an eliminated unit died; "roll" leaves the die to the server."""

MOST_POINTS = 9999
"""The largest number in a report; more is a slip of the fingers."""


@dataclass(frozen=True)
class Entrant:
    """A unit of a reported match.

    `stable` is the number of its stable. `dial` is the number of clicks that eliminates it, and `before` the clicks
    that it brought into the match. `total` is its points with pilot and gear. `heat` is the step of its heat dial that
    shuts it down, 0 without one.
    """

    side: str
    stable: int
    dial: int
    before: int
    total: int
    has_pilot: bool
    heat: int = 0


@dataclass(frozen=True)
class Contest:
    """The match that is reported. `units` has the keys of the match.

    `gone` has the units of stables that forfeited after their line-ups were in. Nobody reports them, but each may have
    been killed before its stable left (R-CYC-06).

    `tokens` holds what the tokens of all line-ups pay: (by their own method, by another).
    """

    format: str
    sides: tuple[str, ...]
    units: Mapping[str, Entrant]
    tokens: Sequence[tuple[int, int]] = ()
    pilot_death: bool = False
    gone: Mapping[str, Entrant] = field(default_factory=dict)

    def entrant(self, key: str) -> Entrant | None:
        """Return a unit of the match by its key, one that is gone included; None if there is none."""
        return self.units.get(key) or self.gone.get(key)

    @property
    def stables(self) -> tuple[int, ...]:
        """The numbers of the stables, in the order of the units."""
        return tuple(dict.fromkeys(unit.stable for unit in self.units.values()))

    def total(self, side: str) -> int:
        """Return the points of a side's units, which break ties (R-END-09)."""
        return sum(unit.total for unit in self.units.values() if unit.side == side)


@dataclass(frozen=True)
class SideReport:
    """What a side earned, by source, before anything is halved, and whether it surrendered."""

    eliminations: int = 0
    tokens: int = 0
    flags: int = 0
    surrendered: bool = False


@dataclass(frozen=True)
class UnitReport:
    """How a unit left the match: `clicks` off its start marker, and for `died` one of FATES."""

    clicks: int = 0
    eliminated: bool = False
    kills: int = 0
    died: str = "no"


@dataclass(frozen=True)
class Report:
    """A report that can be read. rules.campaign.results.report_checks.problems says whether it can be true."""

    ended_by: str
    winner: str
    sides: Mapping[str, SideReport] = field(default_factory=dict)
    units: Mapping[str, UnitReport] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON; `read` reads it back."""
        return asdict(self)


# Reading ---------------------------------------------------------------------------------------------------------


def read(document: object, contest: Contest) -> Report:
    """Read a report, and fill in what it leaves out if the rest decides it.

    A unit that the report leaves out keeps its damage from before, and a side's tokens and flags count 0. Reputation
    for eliminations follows from the kills, the end from the sides that are left, and the winner from end and
    reputation. An empty report is refused. So is one that leaves out eliminations when several sums are possible, or
    the winner when not exactly one is possible. Raises Malformed (not_an_object, bad_field, not_a_number).
    """
    if not isinstance(document, Mapping):
        raise Malformed("not_an_object")
    ended_by, winner = _word(document, "ended_by", ENDINGS), _word(document, "winner", contest.sides)
    if not (ended_by or winner or document.get("sides") or document.get("units")):
        raise Malformed("bad_field", field="units")
    units = {
        key: _unit(_part(document, "units", key), entrant, f"units.{key}", contest.pilot_death)
        for key, entrant in contest.units.items()
    }
    sides = {key: _side(_part(document, "sides", key), f"sides.{key}") for key in contest.sides}
    ended_by = ended_by or _likely_end(contest, units, sides)
    given = {key: _part(document, "sides", key).get("eliminations") not in (None, "") for key in contest.sides}
    report = _with_eliminations(contest, Report(ended_by, winner, sides, units), given)
    return report if winner else replace(report, winner=_likely_winner(contest, report))


def _word(part: Mapping[str, Any], name: str, words: Sequence[str], place: str = "") -> str:
    """Return one of `words`, "" for none. Raises Malformed (bad_field)."""
    value = part.get(name)
    if value is None or value == "":
        return ""
    if not isinstance(value, str) or value not in words:
        raise Malformed("bad_field", field=f"{place}{name}")
    return value


def _part(document: Mapping[str, Any], name: str, key: str) -> Mapping[str, Any]:
    parts = document.get(name, {})
    part = parts.get(key, {}) if isinstance(parts, Mapping) else None
    if not isinstance(part, Mapping):
        raise Malformed("bad_field", field=name)
    return part


def _number(part: Mapping[str, Any], name: str, place: str, default: int = 0) -> int:
    value = part.get(name)
    if value is None or value == "":
        return default
    if isinstance(value, str):
        value = whole_number(value.strip())
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_POINTS:
        raise Malformed("not_a_number", field=f"{place}.{name}")
    return value


def _truth(part: Mapping[str, Any], name: str, place: str) -> bool:
    value = part.get(name, False)
    if value is True or value in ("yes", "on", "true"):
        return True
    if value is False or value is None or value in ("", "no", "off", "false"):
        return False
    raise Malformed("bad_field", field=f"{place}.{name}")


def _unit(part: Mapping[str, Any], entrant: Entrant, place: str, pilot_death: bool) -> UnitReport:
    eliminated = _truth(part, "eliminated", place)
    clicks = _number(part, "clicks", place, entrant.before)
    # A unit is eliminated exactly when its dial is at the end, so either entry implies the other.
    eliminated = eliminated or clicks == entrant.dial
    default = "roll" if eliminated and pilot_death and entrant.has_pilot else "no"
    given = part.get("died")
    if isinstance(given, bool):
        died = "yes" if given else "no"
    else:
        died = _word(part, "died", FATES, f"{place}.") or default
    return UnitReport(entrant.dial if eliminated else clicks, eliminated, _number(part, "kills", place), died)


def _side(part: Mapping[str, Any], place: str) -> SideReport:
    points = {name: _number(part, name, place) for name in ("eliminations", "tokens", "flags")}
    return SideReport(**points, surrendered=_truth(part, "surrendered", place))


class _Standing(Protocol):
    @property
    def eliminated(self) -> bool: ...


class _Playing(Protocol):
    @property
    def surrendered(self) -> bool: ...


def in_play(contest: Contest, units: Mapping[str, _Standing], sides: Mapping[str, _Playing]) -> list[str]:
    """Return the sides that have a unit left and did not surrender, in their order (R-END-02, R-SUR-04)."""
    standing = {contest.units[key].side for key, unit in units.items() if not unit.eliminated}
    return [side for side in contest.sides if side in standing and not sides[side].surrendered]


def _likely_end(contest: Contest, units: Mapping[str, UnitReport], sides: Mapping[str, SideReport]) -> str:
    if len(in_play(contest, units, sides)) > 1:
        return "time_limit"
    return "surrender" if any(side.surrendered for side in sides.values()) else "last_side"


def _with_eliminations(contest: Contest, report: Report, given: Mapping[str, bool]) -> Report:
    """Fill in missing reputation for eliminations; impossible kills leave it at 0.

    Raises Malformed (bad_field) when the kills allow several sums.
    """
    if all(given.values()):
        return report
    possible = {
        sums
        for sums in elimination_points(contest, report)
        if all(
            not given[side] or points == report.sides[side].eliminations
            for side, points in zip(contest.sides, sums, strict=True)
        )
    }
    # `problems` refuses impossible kills later, with a sentence. A doubtful sum must be asked for.
    if len(possible) > 1:
        doubtful = next(side for side in contest.sides if not given[side])
        raise Malformed("bad_field", field=f"sides.{doubtful}.eliminations")
    for sums in possible:
        filled = {
            side: replace(report.sides[side], eliminations=points)
            for side, points in zip(contest.sides, sums, strict=True)
        }
        report = replace(report, sides=filled)
    return report


def _likely_winner(contest: Contest, report: Report) -> str:
    found, _ = winners(contest, report)
    if len(found) != 1:
        raise Malformed("bad_field", field="winner")
    return found[0]


# What follows from a report --------------------------------------------------------------------------------------


def score(contest: Contest, report: Report, side: str) -> int:
    """Return the reputation of a side as the match ended (R-END-05..07, R-SUR-03, R-SUR-05, Q-145, Q-166).

    A side that surrendered keeps half of its eliminations and tokens, rounded up, and nothing for flags.
    """
    side_report = report.sides[side]
    earned = side_report.eliminations + side_report.tokens
    if side_report.surrendered:
        return earned - earned // 2
    return earned + side_report.flags + _award(contest, report, side)


def _award(contest: Contest, report: Report, side: str) -> int:
    is_last = report.ended_by == "surrender" and in_play(contest, report.units, report.sides) == [side]
    return SURRENDER_AWARD if is_last else 0


def sources(contest: Contest, report: Report, side: str) -> dict[str, int]:
    """Return a side's reputation by source: "eliminations", "tokens", "flags", and "surrender".

    The last is what a surrender paid, or, negative, what it took. The flags of a side that surrendered count 0.
    """
    side_report = report.sides[side]
    flags = 0 if side_report.surrendered else side_report.flags
    earned = {"eliminations": side_report.eliminations, "tokens": side_report.tokens, "flags": flags}
    return {**earned, "surrender": score(contest, report, side) - sum(earned.values())}


def winners(contest: Contest, report: Report) -> tuple[list[str], str | None]:
    """Return the sides that may have won, and what broke the tie: "total", "die", or None without a tie.

    There are several when a die decided, or when a report of a surrender leaves several sides in play. There is none
    when every side surrendered, or when a surrender leaves none in play. R-END-08..11, R-SUR-06, Q-166.
    """
    if report.ended_by == "surrender":
        return in_play(contest, report.units, report.sides), None
    rivals = [side for side in contest.sides if not report.sides[side].surrendered]
    most = max((score(contest, report, side) for side in rivals), default=0)
    rivals = [side for side in rivals if score(contest, report, side) == most]
    if len(rivals) < 2:
        return rivals, None
    lowest = min(contest.total(side) for side in rivals)
    rivals = [side for side in rivals if contest.total(side) == lowest]
    return rivals, "total" if len(rivals) == 1 else "die"


def elimination_points(contest: Contest, report: Report) -> set[tuple[int, ...]]:
    """Return what the sides may have earned by eliminations, in order of the sides; empty for impossible kills.

    Each eliminated unit was one kill by a unit of another side, or by nobody (Q-65). A side that surrendered gains
    nothing for eliminations that its units' damage still causes (Q-166). A unit that is gone may have been eliminated.
    """
    killers = {key: unit.kills for key, unit in report.units.items() if unit.kills}
    names = sorted(killers)
    place = {side: number for number, side in enumerate(contest.sides)}
    states = {(tuple(killers[name] for name in names), (0,) * len(contest.sides))}
    eliminated = [contest.units[key] for key, unit in report.units.items() if unit.eliminated]
    for fallen in (*eliminated, *contest.gone.values()):
        following = set(states)
        for left, sums in states:
            for number, name in enumerate(names):
                own = contest.units[name]
                if not left[number] or own.side == fallen.side:
                    continue
                points = for_kill(fallen.total, own.total)
                after = (*left[:number], left[number] - 1, *left[number + 1 :])
                for gained in (points, 0) if report.sides[own.side].surrendered else (points,):
                    side = place[own.side]
                    following.add((after, (*sums[:side], sums[side] + gained, *sums[side + 1 :])))
        states = following
    return {sums for left, sums in states if not any(left)}


# From a report to a result ---------------------------------------------------------------------------------------


def as_match_result(contest: Contest, report: Report, fates: Mapping[str, bool], dice: Dice) -> dict[str, Any]:
    """Return a report in the shape of a played match's result.

    `fates` says for each unit whose pilot's fate was left to the server ("roll") whether the pilot dies; no by default.
    `dice` separate the places of a grand melee that are otherwise equal (Q-167). "rounds" is 0, because a report does
    not count them; "places" is empty except after a grand melee.
    """
    units = {
        key: {
            "side": entrant.side,
            "clicks": unit_report.clicks,
            "eliminated": unit_report.eliminated,
            "kills": unit_report.kills,
            "pilot_dead": unit_report.died == "yes" or (unit_report.died == "roll" and fates.get(key, False)),
        }
        for key, entrant in contest.units.items()
        for unit_report in (report.units[key],)
    }
    sides = {
        side: {
            "reputation": score(contest, report, side),
            "kills": _kills(contest, report, side),
            "total": contest.total(side),
            "surrendered": report.sides[side].surrendered,
        }
        for side in contest.sides
    }
    return {
        "winner": report.winner,
        "rounds": 0,
        "ended_by": report.ended_by,
        "tie_break": winners(contest, report)[1],
        "sides": sides,
        "units": units,
        "places": _places(contest, report, dice) if contest.format == "grand_melee" else [],
        "report": report.to_json(),
    }


def _kills(contest: Contest, report: Report, side: str) -> int:
    return sum(unit.kills for key, unit in report.units.items() if contest.units[key].side == side)


def _places(contest: Contest, report: Report, dice: Dice) -> list[str]:
    """Return the sides by place: the winner, then by reputation in the match, kills, lower total, a die (Q-167)."""

    def standing(side: str) -> tuple[int, int, int]:
        return -score(contest, report, side), -_kills(contest, report, side), contest.total(side)

    others = [side for side in contest.sides if side != report.winner]
    placed = [report.winner]
    for key in sorted({standing(side) for side in others}):
        tied = [side for side in others if standing(side) == key]
        while tied:
            placed.append(tied.pop(dice.draw(len(tied), "place in a melee") if len(tied) > 1 else 0))
    return placed
