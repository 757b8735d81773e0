"""What cannot be true in a report: clicks beyond the dial, kills nobody suffered, reputation that no source gives, an
end that does not fit, a winner who did not win.

R-CYC-06, R-DTH-01, R-END-02, R-END-05..11, R-FMT-19, R-SUR-06; Q-145, Q-165, Q-166.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.campaign.results.reports import Contest, Report, elimination_points, in_play, winners
from rules.core.refusals import Refusal
from rules.solaris.rewards import FLAG_POINTS

FLAG_OUTCOMES = ((0, 0), *((points, 0) if is_own else (0, points) for (is_own, _), points in FLAG_POINTS.items()))
"""The reputation that one flag may bring, as (for its own side, for the other side) (R-FMT-19).

(0, 0) means that nobody has the flag. In the other pairs one side carries it or has it at home.
"""


def problems(contest: Contest, report: Report) -> list[Refusal]:
    """Return what cannot be true in a report, as refusals; empty when all of it may be true.

    The codes are report_clicks_out_of_dial, report_death_impossible, report_kills_unlikely,
    report_eliminations_unlikely, report_tokens_unlikely, report_tokens_too_many, report_flags_unlikely,
    report_end_unlikely and report_winner_unlikely.
    """
    found = [
        Refusal("report_clicks_out_of_dial", {"unit": key, "clicks": unit.clicks, "most": contest.units[key].dial})
        for key, unit in report.units.items()
        if unit.clicks > contest.units[key].dial
    ]
    found += [
        Refusal("report_death_impossible", {"unit": key, "rule": "R-DTH-01"})
        for key, unit in report.units.items()
        if unit.died != "no" and not (unit.eliminated and contest.pilot_death and contest.units[key].has_pilot)
    ]
    return found + _earning_problems(contest, report) + _ending_problems(contest, report)


def _earning_problems(contest: Contest, report: Report) -> list[Refusal]:
    found = []
    kills = sum(unit.kills for unit in report.units.values())
    eliminated = sum(unit.eliminated for unit in report.units.values())
    possible = elimination_points(contest, report)
    if not possible:
        found.append(Refusal("report_kills_unlikely", {"kills": kills, "eliminated": eliminated, "rule": "R-CYC-06"}))
    elif tuple(report.sides[side].eliminations for side in contest.sides) not in possible:
        for place, side in enumerate(contest.sides):
            could_be = sorted({sums[place] for sums in possible})
            if report.sides[side].eliminations not in could_be:
                found.append(_points_problem(side, report, could_be))
        if not found:
            could_be = sorted({sum(sums) for sums in possible})
            found.append(_points_problem(contest.sides[0], report, could_be))
    reachable = _reachable(contest.tokens)
    for side in contest.sides:
        points = report.sides[side].tokens
        if points not in reachable:
            found.append(Refusal("report_tokens_unlikely", {"side": side, "points": points, "rule": "R-END-07"}))
    most = sum(max(token) for token in contest.tokens)
    earned = sum(side.tokens for side in report.sides.values())
    if earned > most:
        found.append(Refusal("report_tokens_too_many", {"points": earned, "most": most, "rule": "R-END-07"}))
    flags = tuple(report.sides[side].flags for side in contest.sides)
    if flags not in _flags_possible(contest, report):
        found.append(Refusal("report_flags_unlikely", {"points": sum(flags), "rule": "R-FMT-19"}))
    return found


def _points_problem(side: str, report: Report, could_be: Iterable[int]) -> Refusal:
    listed = ", ".join(str(points) for points in could_be)
    points = report.sides[side].eliminations
    return Refusal(
        "report_eliminations_unlikely", {"side": side, "points": points, "could_be": listed, "rule": "R-END-05"}
    )


def _reachable(tokens: Iterable[tuple[int, int]]) -> set[int]:
    """Return every sum that destroyed tokens can pay, each destroyed by its own method or by another."""
    sums = {0}
    for worth in tokens:
        sums |= {before + points for before in sums for points in worth}
    return sums


def _flags_possible(contest: Contest, report: Report) -> set[tuple[int, ...]]:
    if contest.format != "capture_the_flag" or len(contest.sides) != 2:
        return {(0,) * len(contest.sides)}
    quit_ = [report.sides[side].surrendered for side in contest.sides]
    found = set()
    for red_own, red_other in FLAG_OUTCOMES:
        for blue_own, blue_other in FLAG_OUTCOMES:
            sums = (red_own + blue_other, blue_own + red_other)
            found.add(tuple(0 if gone else points for gone, points in zip(quit_, sums, strict=True)))
    return found


def _ending_problems(contest: Contest, report: Report) -> list[Refusal]:
    left = in_play(contest, report.units, report.sides)
    surrendered = sum(side.surrendered for side in report.sides.values())
    is_likely = {
        "surrender": bool(surrendered) and len(left) == 1,
        "last_side": len(left) <= 1 and not (surrendered and len(contest.sides) == 2),
        "time_limit": len(left) > 1,
        "agreement": len(left) > 1,
    }[report.ended_by]
    if not is_likely or surrendered == len(contest.sides):
        return [Refusal("report_end_unlikely", {"ended_by": report.ended_by, "left": len(left), "rule": "R-END-02"})]
    could_be, _ = winners(contest, report)
    if report.winner not in could_be:
        rule = "R-SUR-06" if report.ended_by == "surrender" else "R-END-08"
        return [
            Refusal("report_winner_unlikely", {"winner": report.winner, "could_be": ", ".join(could_be), "rule": rule})
        ]
    return []
