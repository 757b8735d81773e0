"""The course of a match from arena set-up through its rounds (sections ARN, RND, CLN).

Each phase is a list of tasks. A format that adds a step (tag changes, flags) adds a task to the phase that the step
belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.competition.phases import combat_phase as combat
from rules.competition.phases import move_phase as moving
from rules.competition.phases.special_attacks import special_turns
from rules.competition.state import reading
from rules.competition.state.events import (
    FIRST_SIDE,
    HEAT_DIE_LOWERED,
    MATCH_STARTED,
    PHASE_BEGAN,
    RESTART,
    ROUND_BEGAN,
    SETUP_ROLLED,
    UNIT_PLACED,
)
from rules.competition.state.match_format import Task
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import CLEANUP, COMBAT, INITIATIVE, MOVE_PHASE, SHUTDOWN
from rules.competition.units.heat import gain, lose, roll_effects
from rules.competition.units.initiative import roll_initiative
from rules.competition.units.revivals import ask_revivals
from rules.competition.units.scoring import check_end, check_time_limit, turn_damage_dice
from rules.competition.units.tokens import place_first, replace_token
from rules.core.refusals import Refusal

StartChoice = tuple[int, int]
"""Where a unit starts: (hex, facing)."""


class Start(DecisionKind[None, StartChoice]):
    """Where a unit starts and which way it looks (R-ARN-03, R-FAC-10)."""

    name = "start"

    def options(self, table: MatchState, unit: int, data: None) -> list[StartChoice]:
        return [(place, facing) for place in start_hexes(table, unit) for facing in range(12)]

    def problems(self, table: MatchState, unit: int, data: None, choice: StartChoice) -> list[Refusal]:
        if choice[0] in start_hexes(table, unit):
            return []
        return [Refusal("not_a_start", {"hex": table.roster.lattice.name(choice[0])})]

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> StartChoice:
        reading.only(document, "choose", "hex", "facing")
        return (reading.hex_index(table.roster, document.get("hex")), reading.facing(document))

    def write(self, table: MatchState, unit: int, data: None, choice: StartChoice) -> dict[str, Any]:
        return {"choose": self.name, "hex": table.roster.lattice.name(choice[0]), "facing": choice[1]}

    def why(self, table: MatchState, unit: int, data: None) -> dict[str, Any]:
        return {"hexes": [table.roster.lattice.name(place) for place in start_hexes(table, unit)]}

    def resolve(self, table: MatchState, unit: int, data: None, choice: StartChoice) -> None:
        table.emit(UNIT_PLACED, unit, choice[0], choice[1])


START = Start()


def start_hexes(table: MatchState, unit: int) -> list[int]:
    """Return the free starting hexes of a unit by the format of the match."""
    return table.roster.format.start_hexes(table, unit)


def prepare(table: MatchState) -> None:
    """Set up the arena: 3d6 a side for first player, starting hexes clockwise, the first token (section ARN)."""
    roster = table.roster
    clicks = [loadout.clicks for side in roster.setup.sides for loadout in side.units]
    pool = list(range(len(roster.tokens))) if roster.house_rules.target_tokens and roster.format.has_tokens else []
    table.emit(MATCH_STARTED, roster.setup.format, list(roster.sides), pool, clicks)
    again = list(range(len(roster.sides)))
    results: dict[int, int] = {}
    while again:  # ties are rolled again (R-ARN-01)
        for side in again:
            dice = table.dice.roll(3, "setup")
            results[side] = sum(dice)
            table.emit(SETUP_ROLLED, side, list(dice), results[side])
        count = Counter(results.values())
        best = max(results.values())
        again = [side for side in again if results[side] == best] if count[best] > 1 else []
        if again:
            results = {side: result for side, result in results.items() if side in again}
    first = max(results, key=results.__getitem__)
    table.emit(FIRST_SIDE, first)
    sides = range(len(roster.sides))
    clockwise = [(first + step) % len(sides) for step in sides]
    placing: list[Task] = [(ask_start, unit) for side in clockwise for unit in roster.side_units[side]]
    table.push(*placing, (format_setup,), (place_first,), (begin_round, 1))


def format_setup(table: MatchState) -> None:
    """Queue the format's tasks once all units are placed."""
    table.push(*table.roster.format.setup_tasks(table))


def ask_start(table: MatchState, unit: int) -> None:
    """Ask a unit's player where it starts."""
    if table.is_in_play(unit):
        table.ask(START, unit)


def begin_round(table: MatchState, number: int) -> None:
    """Play one round: four phases in order (R-RND-01), each with its end-of-match test."""
    table.emit(ROUND_BEGAN, number)
    table.push(
        (initiative_phase,),
        (move_phase,),
        (combat_phase,),
        (cleanup_phase,),
        (check_time_limit,),
        (begin_round, number + 1),
    )


def initiative_phase(table: MatchState) -> None:
    """Begin the initiative phase: revive attempts, initiative rolls, turn order, special attacks (R-RND-02)."""
    table.emit(PHASE_BEGAN, INITIATIVE)
    table.push((ask_revivals, False), (format_initiative,), (roll_initiative,), (special_turns,), (check_end,))


def format_initiative(table: MatchState) -> None:
    """Queue the format's tasks before the initiative rolls."""
    table.push(*table.roster.format.initiative_tasks(table))


def move_phase(table: MatchState) -> None:
    """Give every unit its turn to move, in turn order."""
    table.emit(PHASE_BEGAN, MOVE_PHASE)
    table.push((ask_revivals, True), (move_turns,), (check_end,))


def move_turns(table: MatchState) -> None:
    """Queue the turns of the move phase."""
    table.push(*((moving.begin_turn, unit) for unit in table.position.order))


def combat_phase(table: MatchState) -> None:
    """Give every unit its turn to fight, in turn order."""
    table.emit(PHASE_BEGAN, COMBAT)
    table.push((ask_revivals, True), (combat_turns,), (check_end,))


def combat_turns(table: MatchState) -> None:
    """Queue the turns of the combat phase."""
    table.push(*((combat.begin_turn, unit) for unit in table.position.order))


def cleanup_phase(table: MatchState) -> None:
    """Begin clean-up, with its steps in order (Q-24)."""
    table.emit(PHASE_BEGAN, CLEANUP)
    table.push(*cleanup_steps())


def cleanup_steps() -> list[Task]:
    """Return the tasks of clean-up, in order."""
    return [
        (ask_revivals, True),
        (turn_damage_dice,),
        (gain_heat,),
        (lose_heat,),
        (format_cleanup,),
        (replace_token,),
        (check_end,),
    ]


def format_cleanup(table: MatchState) -> None:
    """Queue the format's tasks between the heat losses and a new token."""
    table.push(*table.roster.format.cleanup_tasks(table))


def gain_heat(table: MatchState) -> None:
    """Turn all heat dials up by their dice, then roll the effects of one unit after another (R-CLN-03).

    Units that are shut down by then roll none.
    """
    position = table.position
    moved = []
    for unit in table.in_turn_order([unit for unit in table.roster.units if table.is_in_play(unit)]):
        amount = position.heat_die[unit]
        if amount:
            table.emit(HEAT_DIE_LOWERED, unit, amount, "cleanup")
            if gain(table, unit, amount, "heat_die"):
                moved.append(unit)
    table.push(*((roll_effects, unit) for unit in moved if position.status[unit] & SHUTDOWN == 0))


def lose_heat(table: MatchState) -> None:
    """Turn each unit's heat dial down by the sum of its losses, then roll its effects (R-CLN-05 to R-CLN-07)."""
    units = table.in_turn_order([unit for unit in table.roster.units if table.is_in_play(unit)])
    table.push(*((cool, unit) for unit in units))


def cool(table: MatchState, unit: int) -> None:
    """Cool a unit by 1 for no order this round and by 1 for standing in water.

    If its dial turns, it rolls the effects that show (R-HET-20). A shutdown unit at heat 0 restarts.
    """
    if not table.is_in_play(unit):
        return
    loss = (0 if table.was_ordered(unit) else 1) + (1 if table.stands_in_water(unit) else 0)
    if loss and lose(table, unit, loss, "cooling"):
        table.push((roll_effects, unit))
    elif table.position.status[unit] & SHUTDOWN and not table.position.heat[unit]:
        table.emit(RESTART, unit, "cooled")  # R-SHD-08 for a unit that was shut down while its dial showed the start
