"""The chance of each side to win, from what is face up on the table. An estimate takes a tenth of a millisecond.

A side is described by a few facts (`FACTS`): how a plain exchange of fire would end (the race), what is left of its
dials, its lead in reputation, its heat. Each format has a weight for each fact. The weighted sum is the side's score,
and softmax turns scores into chances. `python -m rules.tools.learning` learns the weights from matches between bots,
and says how well the chances come true.

Only what everybody sees counts: no dice, no hands, no face-down tokens.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from rules.competition.formats.flags import carried_by
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import SHUTDOWN, UNCONSCIOUS
from rules.competition.state.roster import Fighter
from rules.core.odds import CHANCES, HIGHEST

FACTS = (
    "race_time", "race_share", "deadly", "blow", "blow_ahead", "share", "endurance", "endurance_late", "lead", "ahead",
    "ahead_late", "heat", "shut", "out", "reach", "flag",
)  # fmt: skip
"""The names of a side's facts; `side_facts` explains them."""

LONGEST_RACE = 8
"""The most rounds of an exchange of fire that are followed."""

FIRE_RATE = 0.6
"""The share of a round's best shot that a unit gets on average: it moves, dodges, vents, and loses sight."""

LAST_ROUND = 12
"""The last round that is assumed for a match that only a clock ends."""

WEIGHTS = Path(__file__).with_name("worth.json")


class UnitState(NamedTuple):
    """A unit in the arena: its number, its constants, the click that it will show once its damage die is turned (before
    the end of its dial), whether its pilot counts (1 or 0), and the heat step that it will show."""

    unit: int
    fighter: Fighter
    click: int
    pilot: int
    step: int


def chances(table: MatchState) -> list[float]:
    """Return the chance of each side to win, 0 to 1, together 1. In a finished match the winner has 1, the others 0."""
    outcome = table.position.outcome
    sides = range(len(table.roster.sides))
    if outcome is not None:
        return [float(side == outcome[0]) for side in sides]
    weights = weights_of(table.roster.format.key)
    scores = [sum(map(float.__mul__, weights, facts)) for facts in all_facts(table)]
    highest = max(scores)
    shares = [exp(score - highest) for score in scores]
    total = sum(shares)
    return [share / total for share in shares]


@lru_cache(maxsize=16)
def weights_of(format_key: str) -> tuple[float, ...]:
    """Return the learned weights of a format in the order of FACTS. Raises KeyError for an unknown format."""
    known = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"][format_key]
    return tuple(float(known[fact]) for fact in FACTS)


def all_facts(table: MatchState) -> list[tuple[float, ...]]:
    """Return the facts of each side, by the side's number, in the order of FACTS."""
    standing = _standing(table)
    return [side_facts(table, side, standing) for side in range(len(table.roster.sides))]


def _standing(table: MatchState) -> list[UnitState]:
    position, fighters = table.position, table.roster.fighters
    coming = [0] * len(fighters)
    for unit, amount, _, _ in position.entries:
        coming[unit] += amount
    found = []
    for unit, place in enumerate(position.hex):
        fighter = fighters[unit]
        click = position.clicks[unit] + coming[unit]
        if place >= 0 and click < fighter.clicks:
            pilot = 0 if position.status[unit] & UNCONSCIOUS else 1
            step = min(fighter.steps, position.heat[unit] + position.heat_die[unit])
            found.append(UnitState(unit, fighter, click, pilot, step))
    return found


def side_facts(table: MatchState, side: int, standing: Sequence[UnitState]) -> tuple[float, ...]:
    """Return the facts of one side, in the order of FACTS.

    `standing` are the units in the arena. Every pair of a unit of the side and an opponent exchanges fire (`_race`):
    race_time and race_share are the averages. deadly: the chances of all pairs that a shot eliminates the opponent at
    once, added up, for each opponent. blow, blow_ahead: the expected damage of the units' best shots now and half a
    dial later, as logarithms. share, endurance: what is left of the side's dials, in dials and as logarithm of clicks.
    endurance_late: endurance, times how late it is. lead: reputation ahead of the best other side, in tens. ahead: 1 if
    the side would win now. ahead_late: ahead, times how late it is, cubed. heat: heat steps, on average. shut, out: how
    many units are shut down, and pilots out. reach: the longest range of a unit, on average, in tens of hexes. flag:
    the flags that its units carry, each worth more nearer to home.
    """
    position, roster = table.position, table.roster
    last = roster.last_round or LAST_ROUND
    late = min(1.0, (position.round - 1) / last)
    rounds = max(1, min(LONGEST_RACE, last - position.round + 1))
    own = [one for one in standing if one.fighter.side == side]
    others = [one for one in standing if one.fighter.side != side]
    time = kept = deadly = shots = shots_ahead = share = clicks = heat = shut = out = reach = 0.0
    for one in own:
        fighter = one.fighter
        best = ahead = 0.0
        for other in others:
            lived, more = _race(one, other, rounds)
            time += lived
            kept += more
            now, later, kill = _shots(one, other)
            best, ahead = max(best, now), max(ahead, later)
            deadly += kill
        shots += best
        shots_ahead += ahead
        clicks += fighter.clicks - one.click
        share += 1 - one.click / fighter.clicks
        heat += one.step
        shut += bool(position.status[one.unit] & SHUTDOWN)
        out += not one.pilot
        reach += max(_range(fighter, 0), _range(fighter, 1))
    for unit, _ in position.waiting:
        if roster.side_of[unit] == side:
            left = roster.fighters[unit].clicks - position.clicks[unit]
            clicks += left
            share += left / roster.fighters[unit].clicks
    pairs = max(1, len(own) * len(others))
    count = max(1, len(own))
    endurance = log(clicks + 0.5)
    lead, ahead_now = _lead(table, side)
    return (
        time / pairs, kept / pairs, deadly / max(1, len(others)), log(shots + 0.05), log(shots_ahead + 0.05), share,
        endurance, endurance * late, lead, ahead_now, ahead_now * late**3, heat / count, shut, out, reach / count / 10,
        _flag(table, side) if position.flags else 0.0,
    )  # fmt: skip


def _race(one: UnitState, other: UnitState, rounds: int) -> tuple[float, float]:
    """Return how an exchange of fire on cool dials ends for the first unit.

    The first number is how much longer this unit lives than the other, as a share of `rounds` + 1. The second is the
    share of its dial that is left, less that of the other. Both units take the expected damage, in fractions of clicks.
    """
    fighter, opponent = one.fighter, other.fighter
    attack, defense = fighter.attack_total[1], fighter.defense_total[1]
    their_attack, their_defense = opponent.attack_total[1], opponent.defense_total[1]
    blows = fighter.best_damage
    their_blows = opponent.best_damage
    end, their_end = fighter.clicks, opponent.clicks
    click, their_click = float(one.click), float(other.click)
    life = their_life = rounds + 1.0
    for number in range(rounds):
        at, their_at = int(click), int(their_click)
        dealt = FIRE_RATE * blows[at] * CHANCES[_needed(their_defense[their_at] - attack[at])]
        taken = FIRE_RATE * their_blows[their_at] * CHANCES[_needed(defense[at] - their_attack[their_at])]
        if their_click + dealt >= their_end:
            their_life = number + (their_end - their_click) / dealt
        if click + taken >= end:
            life = number + (end - click) / taken
        click += taken
        their_click += dealt
        if click >= end or their_click >= their_end:
            break
    kept, their_kept = max(0.0, 1 - click / end), max(0.0, 1 - their_click / their_end)
    return (life - their_life) / (rounds + 1), kept - their_kept


def _needed(sum_of_dice: int) -> int:
    """Return the index in CHANCES of a sum that the dice must reach, which may lie outside of the table."""
    return 0 if sum_of_dice < 0 else sum_of_dice if sum_of_dice <= HIGHEST else HIGHEST + 1


def _shots(one: UnitState, other: UnitState) -> tuple[float, float, float]:
    """Return the expected damage of the better weapon now, and when both have lost half of their remaining clicks.

    The third number is the chance to eliminate the other unit at once.
    """
    fighter, opponent = one.fighter, other.fighter
    left = opponent.clicks - other.click
    chance = CHANCES[
        _needed(opponent.defense_total[other.pilot][other.click] - fighter.attack_total[one.pilot][one.click])
    ]
    half, their_half = one.click + (fighter.clicks - one.click) // 2, other.click + left // 2
    later = CHANCES[_needed(opponent.defense_total[1][their_half] - fighter.attack_total[1][half])]
    damage = max(values[one.pilot][one.step][one.click] for values in fighter.damage)
    return damage * chance, fighter.best_damage[half] * later, chance if damage >= left else 0.0


def _range(fighter: Fighter, value: int) -> int:
    return 1 if fighter.range_types[value] == "melee" else fighter.maximum[value]


def _lead(table: MatchState, side: int) -> tuple[float, float]:
    """Return the reputation ahead of the best other side, in tens, and 1 if the side would win now, else 0 (R-END-08,
    R-END-09).
    """
    reputation, totals = table.position.reputation, table.roster.side_totals
    own = (reputation[side], -totals[side])
    best = max((reputation[other], -totals[other]) for other in range(len(totals)) if other != side)
    return (own[0] - best[0]) / 10, float(own > best)


def _flag(table: MatchState, side: int) -> float:
    """Return the worth of the flags that the side's units carry; a flag is worth more nearer to home."""
    position, roster = table.position, table.roster
    home = position.flags[side][0]
    worth = 0.0
    for unit in roster.side_units[side]:
        if position.hex[unit] >= 0 and carried_by(table, unit):
            worth += 1.0 - 0.05 * roster.lattice.distance(position.hex[unit], home)
    return worth
