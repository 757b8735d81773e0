"""Candidates: the few choices of a decision that are worth a closer look, the greedy bot's own first.

A decision may have hundreds of answers. The best moves are taken by how the greedy bot rates the place at their end
(its best shot from there, the threats), with some of the safest and a try for each flag. Of attacks the best few are
taken, of facings those towards opponents. Other lists are cut after their first answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.bots import objectives
from rules.bots.attack_estimates import AttackEstimates
from rules.bots.cards import helps_now
from rules.bots.cooling import best_flushes
from rules.bots.estimates import facing_to, heat_risk
from rules.bots.greedy import best_assault
from rules.bots.places import Places
from rules.competition.attacks.damage import Hit
from rules.competition.attacks.resolving import SplitChoice
from rules.competition.formats.flags import CarriedFlag, DropChoice
from rules.competition.formats.tag_team import TagChoice
from rules.competition.ground.hexes import bits
from rules.competition.phases import combat_phase, move_phase, special_attacks
from rules.competition.phases.combat_phase import CombatChoice
from rules.competition.phases.move_phase import MoveChoice
from rules.competition.phases.rounds import StartChoice, start_hexes
from rules.competition.phases.special_attacks import SpecialChoice
from rules.competition.state.match_format import FlagTry
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import DIG_IN, MOVE, VENT
from rules.competition.units.free_spins import SpinChoice
from rules.competition.units.rally import RallyChoice

LOOKED_AT = 3
"""The number of places, for each choice wanted and each mode of movement, at which threats are weighed."""

SAFEST = 4
"""One in this many moves is taken for its safety, and at least one in all."""

ATTACKS = 4
"""The most attacks that are taken; there are fewer when few choices are wanted."""

FLUSHES = 2
"""The most ways to cool a friend that are taken."""

RISKY = 0.5
"""Above this risk of heat, in points of damage, a run is no candidate."""

RUN_COST = 0.4
"""The cost of a run's heat, in points of damage, on top of the risk."""

SHORT = 6
"""The most answers of any other list that are taken; there are fewer when fewer are wanted."""


def candidates(table: MatchState, first: Choice, most: int) -> list[Choice]:
    """Return different choices for the open decision, `first` in front: about `most`, often fewer, or a few more."""
    assert table.open is not None
    kind, unit, data = table.open
    find = _FINDERS.get(kind.name, _short_list)
    return list(dict.fromkeys([first, *find(table, unit, data, most)]))


def _short_list(table: MatchState, unit: int, data: object, most: int) -> Sequence[Choice]:
    assert table.open is not None
    options: Sequence[Choice] = table.open[0].options(table, unit, data)
    return options[: min(SHORT, most)]


def _spins(table: MatchState, unit: int, data: int, most: int) -> list[SpinChoice]:
    """Return the choices to keep the facing, or to turn to an opponent, the nearest first."""
    place = table.position.hex[unit]
    opponents = [table.position.hex[other] for other in table.roster.opponents[unit] if table.position.hex[other] >= 0]
    opponents.sort(key=lambda at: table.roster.lattice.distance(place, at))
    facings = dict.fromkeys(facing_to(table, place, at) for at in opponents)
    return [(-1,), *((facing,) for facing in facings if facing != table.position.facing[unit])][:most]


def _tags(table: MatchState, unit: int, data: int, most: int) -> list[TagChoice]:
    """Return two choices: to keep the active unit, or to change with the partner, who looks at the nearest opponent."""
    return [(-1, 0, 0), objectives.change(table, unit, data)]


def _flag_drops(table: MatchState, unit: int, data: CarriedFlag, most: int) -> list[DropChoice]:
    """Return the hexes in which to drop a flag.

    A flag that may be put down at home has only that hex: it pays twice what carrying it does (R-FMT-19), and no
    estimate of a position sees that. A flag that is shaken off has the hexes nearest to home.
    """
    assert table.open is not None
    home, distance = table.position.flags[table.roster.side_of[unit]][0], table.roster.lattice.distance
    if not data[1]:
        return [(home,)]
    options: list[DropChoice] = table.open[0].options(table, unit, data)
    return sorted(options, key=lambda choice: distance(choice[0], home))[:most]


def _cards(table: MatchState, unit: int, data: None, most: int) -> list[RallyChoice]:
    """Return the choice to play no card, then the cards, those that help now first."""
    assert table.open is not None
    hand = table.roster.hand_of(unit)
    cards = [choice for choice in table.open[0].options(table, unit, data) if choice[0] is not None]
    cards.sort(key=lambda choice: not helps_now(table, unit, hand[choice[0]].effect))
    return [(None,), *cards][: max(2, most)]


def _splits(table: MatchState, unit: int, data: Hit, most: int) -> list[SplitChoice]:
    """Return ways to divide damage, the most uneven first."""
    assert table.open is not None
    options: list[SplitChoice] = table.open[0].options(table, unit, data)
    return sorted(options, key=lambda shares: -max(shares))[:most]


def _starts(table: MatchState, unit: int, data: None, most: int) -> list[StartChoice]:
    """Return the first starting hexes on offer, each with the facing towards the middle of the arena."""
    lattice = table.roster.lattice
    centre = lattice.index(f"{(lattice.columns + 1) // 2:02d}{(lattice.rows + 1) // 2:02d}")
    return [(place, facing_to(table, place, centre)) for place in start_hexes(table, unit)][:most]


def _moves(table: MatchState, unit: int, data: None, most: int) -> list[MoveChoice]:
    """Return a try for each flag, the best moves, and the safest of the rest; no run at a risk of heat above RISKY.

    To pass and to turn in place are moves, too.
    """
    position = table.position
    places = Places(table, unit)
    broken_from = table.opponents_in_contact(unit)
    speed, active = table.speed(unit), table.equipment(unit)
    found: list[tuple[float, float, MoveChoice]] = []

    def weigh(place: int, facing: int, attack: float, cost: float, choice: MoveChoice) -> None:
        calm, real = places.unthreatened(place, attack), places.threatened(place, facing, attack)
        found.append((real - cost, calm - real, choice))

    here = position.hex[unit]
    facing, attack = places.facing_at(here)
    weigh(here, position.facing[unit], places.attack_worth(here, position.facing[unit]), 0.0, (move_phase.PASS,))
    if facing != position.facing[unit]:
        weigh(here, facing, attack, 0.01, (MOVE, move_phase.WALK, here, facing, None, 0))
    seen = 0
    for mode in move_phase.MOVE_TURN.modes(table, unit):
        cost = 0.0
        if mode == move_phase.RUN:
            if heat_risk(table, unit, 2) > RISKY:
                continue
            cost = RUN_COST + heat_risk(table, unit, 1)
        reached = move_phase.destinations(
            table, unit, mode, speed * (2 if mode == move_phase.RUN else 1), active, broken_from
        )
        hopes = []
        for place in bits(reached & ~seen):
            facing, attack = places.facing_at(place)
            hopes.append((-places.unthreatened(place, attack), place, facing, attack))
        for _, place, facing, attack in sorted(hopes)[: LOOKED_AT * most]:
            weigh(place, facing, attack, cost, (MOVE, mode, place, facing, None, 0))
        seen |= reached
    found.sort(key=lambda one: -one[0])
    safe = max(1, most // SAFEST)
    best, rest = found[: most - safe], found[most - safe :]
    rest.sort(key=lambda one: (one[1], -one[0]))
    return [*_flag_tries(places), *(choice for _, _, choice in best + rest[:safe])]


def _flag_tries(places: Places) -> list[MoveChoice]:
    """Return for each flag within reach the best move that tries for it; no run at a risk of heat above RISKY.

    A flag at home stays there: no estimate of a position sees what it pays (R-FMT-19).
    """
    table, unit = places.table, places.unit
    match_format = table.roster.format
    best: dict[int, tuple[float, FlagTry]] = {}
    for way in match_format.flag_tries(table, unit):
        if way.tried == table.position.flags[table.roster.side_of[unit]][0]:
            continue
        if way.mode == move_phase.RUN and heat_risk(table, unit, 2) > RISKY:
            continue
        worth = places.unthreatened(way.destination, places.facing_at(way.destination)[1])
        worth += objectives.worth_of_try(table, unit, way) - (RUN_COST if way.mode == move_phase.RUN else 0.0)
        if way.tried not in best or worth > best[way.tried][0]:
            best[way.tried] = (worth, way)
    return [
        (MOVE, way.mode, way.destination, places.facing_at(way.destination)[0],
         match_format.path_of(table, unit, way), 0)
        for _, way in best.values()
    ]  # fmt: skip


def _combat_orders(table: MatchState, unit: int, data: str, most: int) -> list[CombatChoice]:
    """Return the pass and the best attacks; when any order is allowed, also a vent, flushes, dig in and an assault."""
    assert table.open is not None
    position = table.position
    is_free = data == combat_phase.FREE
    found: list[CombatChoice] = [(move_phase.PASS,)]
    if is_free:
        found.append((VENT,))
        if combat_phase.only_vents(table, unit):
            return found
    aim, place, facing = AttackEstimates(table, unit), position.hex[unit], position.facing[unit]
    shots = [choice for facings, choice in aim.attacks(place) if facings >> facing & 1]
    shots.sort(key=lambda choice: -aim.worth(choice, place, facing))
    found += shots[: max(1, min(ATTACKS, most - 2))]
    if is_free:
        found += [flush.choice for flush in best_flushes(table, unit)[:FLUSHES]]
        if not table.open[0].problems(table, unit, data, (DIG_IN,)):
            found.append((DIG_IN,))
        if not table.opponents_in_contact(unit) and (rush := best_assault(table, unit)) is not None:
            found.append(rush[1])
    return found


def _special_attacks(table: MatchState, unit: int, data: None, most: int) -> list[SpecialChoice]:
    """Return the pass, the possible pins, and charges and deaths from above that end facing their target.

    At most `most`, but two if there are two.
    """
    found: list[SpecialChoice] = [
        (move_phase.PASS,),
        *((special_attacks.PIN, target) for target in special_attacks.pinnable(table, unit)),
    ]
    for kind, target, ends in special_attacks.landings(table, unit):
        there = table.position.hex[target]
        found += [(kind, target, place, facing_to(table, place, there), None, 0) for place in bits(ends)]
    return found[: max(2, most)]


_FINDERS: Mapping[str, Callable[[MatchState, int, Any, int], Sequence[Choice]]] = {
    "start": _starts,
    "flag_drop": _flag_drops,
    "tag": _tags,
    "free_spin": _spins,
    "rally": _cards,
    "split": _splits,
    "move": _moves,
    "combat": _combat_orders,
    "special": _special_attacks,
}
