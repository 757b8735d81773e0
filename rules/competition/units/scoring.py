"""Dials, eliminations, kills, reputation, the end of a match and its winner (sections ELM, END, SUR)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.competition.state.events import (
    DIAL_TURNED,
    ELIMINATION,
    KILL,
    MATCH_ENDED,
    REPUTATION,
    SURRENDER,
    TIE_ROLLED,
)
from rules.competition.state.format_events import PILOT_FATE
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import ELIMINATED, GONE, PILOT_DEAD, SURRENDERED
from rules.core.equipment_hooks import only_moves_and_vents
from rules.solaris import rewards

PILOT_DIES_UP_TO = 1
"""The highest die on which the pilot of an eliminated unit dies (R-DTH-01)."""


def turn_dial(table: MatchState, unit: int, damage: int, cause: str) -> None:
    """Turn a combat dial by damage (1 or more) that is applied at once and credited to nobody (R-DMG-12)."""
    if not table.is_active(unit):  # R-FMT-11
        return
    now = table.position.clicks[unit]
    end = table.fighter(unit).clicks
    to = min(end, now + damage)
    table.emit(DIAL_TURNED, unit, now, to, cause)
    if to == end:
        eliminate(table, unit, -1)


def eliminate(table: MatchState, unit: int, killer: int) -> None:
    """Take a unit out of the arena; with the house rule a die decides whether its pilot dies (R-DTH-01, Q-165).

    `killer` is -1 when no unit did it.
    """
    table.roster.format.before_departure(table, unit)
    table.emit(ELIMINATION, unit, killer)
    if table.roster.house_rules.pilot_death and table.fighter(unit).pilot_key is not None:
        (die,) = table.dice.roll(1, "pilot_death")
        table.emit(PILOT_FATE, unit, die, die <= PILOT_DIES_UP_TO)


def pending_turn(table: MatchState, unit: int) -> tuple[int, int]:
    """Return the click to which the damage die will turn a unit's dial, and who eliminates it with that.

    The killer is the unit behind the entry that reaches the end of the dial, -1 without one.
    """
    to, killer = table.position.clicks[unit], -1
    end = table.fighter(unit).clicks
    for marked, amount, _, by in table.position.entries:
        if marked == unit and to < end:
            to += amount
            if to >= end:
                killer = by
    return min(to, end), killer


def turn_damage_dice(table: MatchState) -> None:
    """Turn all combat dials by their damage dice at once, then honour every elimination (R-CLN-02, Q-64, Q-66).

    The waiting half of a tag team takes no damage, even with points on its die (R-FMT-11).
    """
    position = table.position
    if not position.entries:
        return
    marked = {entry[0] for entry in position.entries}
    credits = []
    for unit in table.in_turn_order([unit for unit in table.roster.units if unit in marked and table.is_active(unit)]):
        now = position.clicks[unit]
        to, killer = pending_turn(table, unit)
        if to != now:
            table.emit(DIAL_TURNED, unit, now, to, "damage_die")
        if to == table.fighter(unit).clicks:
            credits.append((unit, killer))
    for unit, killer in credits:
        eliminate(table, unit, killer)
    for unit, killer in credits:
        if killer >= 0:
            credit_kill(table, unit, killer)


def credit_kill(table: MatchState, unit: int, killer: int) -> None:
    """Pay the killer's side for a kill (Q-69); killing a friend or oneself pays nothing (Q-65).

    A side that has surrendered is credited with the kill but gets no reputation: it keeps half of what it had (Q-166).
    """
    own, other = table.fighter(killer), table.fighter(unit)
    if own.side == other.side:
        return
    reputation = rewards.for_kill(other.total, own.total)
    if table.position.status[killer] & SURRENDERED:
        reputation = 0
    table.emit(KILL, own.side, unit, killer, reputation)


def sides_in_play(table: MatchState) -> list[int]:
    """Return the sides that have a unit left, Salvage units included (R-END-02, Q-28)."""
    # This runs at the end of every phase: plain loops cost half of what a generator in a list does.
    status = table.position.status
    left = []
    for side, units in enumerate(table.roster.side_units):
        for unit in units:
            if not status[unit] & GONE:
                left.append(side)
                break
    return left


def end_match(table: MatchState, ended_by: str, winner: int | None = None) -> None:
    """Find the winner and close the match: most reputation, then lowest total, then a die (R-END-08 to R-END-11).

    `winner` is the last side after a surrender, else None: it wins even when a fallen side has more reputation (Q-166).
    """
    table.roster.format.award(table)
    tie_break = None
    if winner is None:
        winner, tie_break = _most(table, [side for side in range(len(table.roster.sides)) if not has_quit(table, side)])
    table.agenda.clear()
    table.open = None
    table.roster.format.rank(table, winner)
    table.emit(MATCH_ENDED, winner, ended_by, tie_break)


def has_quit(table: MatchState, side: int) -> bool:
    """Return whether a side has surrendered; it cannot win (R-SUR-06)."""
    return any(table.position.status[unit] & SURRENDERED for unit in table.roster.side_units[side])


def _most(table: MatchState, rivals: list[int]) -> tuple[int, str | None]:
    """Return the winner among these sides, and what broke a tie of reputation: total or die, None without a tie."""
    reputation, totals = table.position.reputation, table.roster.side_totals
    most = max(reputation[side] for side in rivals)
    rivals = [side for side in rivals if reputation[side] == most]
    if len(rivals) == 1:
        return rivals[0], None
    lowest = min(totals[side] for side in rivals)
    rivals = [side for side in rivals if totals[side] == lowest]
    if len(rivals) == 1:
        return rivals[0], "total"
    while len(rivals) > 1:
        results = {}
        for side in rivals:
            (results[side],) = table.dice.roll(1, "tie")
            table.emit(TIE_ROLLED, side, results[side])
        best = max(results.values())
        rivals = [side for side in rivals if results[side] == best]
    return rivals[0], "die"


def check_end(table: MatchState) -> None:
    """End the match after a phase if at most one side is left, all agree, or time is up (R-END-01 to R-END-04)."""
    position = table.position
    left = sides_in_play(table)
    if len(left) <= 1:
        end_match(table, "last_side")
    elif position.agreed and all(position.agreed >> side & 1 for side in left):
        end_match(table, "agreement")
    elif position.is_time_up:
        end_match(table, "time_limit")


def check_time_limit(table: MatchState) -> None:
    """End the match after the last round's clean-up (R-END-03, Q-27), unless a clock replaces the round limit."""
    last_round = table.roster.last_round
    if last_round is not None and table.position.round >= last_round:
        end_match(table, "time_limit")


def surrender(table: MatchState, side: int) -> None:
    """Give up a side: its units and their dice leave, and half its reputation stays, rounded up.

    If one side is left, it gets the award and the match ends. The rules are R-SUR-01 to R-SUR-06 and Q-136.
    """
    position = table.position
    units = tuple(unit for unit in table.roster.side_units[side] if table.is_in_play(unit))
    halved = position.reputation[side] // 2
    for unit in units:
        table.roster.format.before_departure(table, unit)
    table.emit(SURRENDER, side, units)
    if halved:
        table.emit(REPUTATION, side, -halved, "surrender")
    left = sides_in_play(table)
    if len(left) == 1:
        table.emit(REPUTATION, left[0], rewards.SURRENDER_AWARD, "opponent_surrendered")
        end_match(table, "surrender", left[0])


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match, in the one shape that every settlement takes.

    `ended_by`: last_side, agreement, time_limit or surrender. `tie_break`: total or die, None without a tie. `sides`
    and `units` are by name. A side has reputation, kills, tokens (destroyed), total (points) and surrendered; a unit
    has side, clicks (turned), eliminated, kills, salvage, eliminated_by (None for no unit), pilot_dead, reputation (as
    `share_of` returns it) and owner (that of its loadout, None without one).
    """

    winner: str
    rounds: int
    ended_by: str
    tie_break: str | None
    sides: dict[str, dict[str, Any]]
    units: dict[str, dict[str, Any]]
    places: tuple[str, ...] = ()
    """All sides from the first place to the last; () in a format without places (Q-167)."""

    def to_json(self) -> dict[str, Any]:
        """Return the result JSON-ready."""
        return {
            "winner": self.winner,
            "rounds": self.rounds,
            "ended_by": self.ended_by,
            "tie_break": self.tie_break,
            "sides": self.sides,
            "units": self.units,
            "places": list(self.places),
        }


def result_of(table: MatchState) -> MatchResult | None:
    """Return the result of a finished match, None before its end."""
    position, roster = table.position, table.roster
    if position.outcome is None:
        return None
    winner, ended_by, tie_break = position.outcome
    sides = {}
    for side, name in enumerate(roster.sides):
        units = roster.side_units[side]
        sides[name] = {
            "reputation": position.reputation[side],
            "kills": sum(position.kills[unit] for unit in units),
            "tokens": position.tokens_won[side],
            "total": roster.side_totals[side],
            "surrendered": has_quit(table, side),
        }
    units_found: dict[str, dict[str, Any]] = {}
    for unit, fighter in enumerate(roster.fighters):
        is_eliminated = bool(position.status[unit] & ELIMINATED)
        killer = position.eliminated_by[unit]
        units_found[fighter.name] = {
            "side": roster.sides[fighter.side],
            "clicks": position.clicks[unit],
            "eliminated": is_eliminated,
            "kills": position.kills[unit],
            "salvage": not is_eliminated and only_moves_and_vents(fighter.equipment[0][0][position.clicks[unit]]),
            "eliminated_by": roster.fighters[killer].name if killer >= 0 else None,
            "pilot_dead": bool(position.status[unit] & PILOT_DEAD),
            "reputation": share_of(table, fighter.side),
            "owner": fighter.owner,
        }
    places = tuple(roster.sides[side] for side in position.places)
    return MatchResult(roster.sides[winner], position.round, ended_by, tie_break, sides, units_found, places)


def share_of(table: MatchState, side: int) -> int:
    """Return each pilot's share of their side's reputation at the end, rounded up (R-FMT-04, Q-135, Q-165).

    All pilots have the same share, the fallen ones too. The award for the others' surrender is not divided: every pilot
    gains all of it (Q-137). Halving by a surrender halves the shares too, since halves and shares both round up
    (Q-166).
    """
    position, roster = table.position, table.roster
    units = roster.side_units[side]
    was_awarded = (
        position.outcome is not None
        and position.outcome[1] == "surrender"
        and any(table.is_in_play(unit) for unit in units)
    )
    award = rewards.SURRENDER_AWARD if was_awarded else 0
    return award - (award - position.reputation[side]) // len(units)
