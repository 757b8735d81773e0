"""Pairings of units and their matches. Greedy bots play one unit a side, without pilot and gear, so that nothing but
the units counts.

A bout is two matches on the same arena with the same target tokens and swapped sides. A bout depends only on the seed,
its pairing and its number, so neither the other units of the class nor the number of processes changes it. The bots
play under guard (`rules.bots.guard`). A bout in which a bot failed counts and is reported, but is not remembered.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any, NamedTuple, Protocol

from rules import bots
from rules.bots.guard import Fault, Guard
from rules.catalogue import Catalogue, load_builtin
from rules.competition.match import Match
from rules.competition.setups import read_setup
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.measuring import studies
from rules.measuring.balance.twins import CHANGES, MARK, Unit, find_unit, twin_of
from rules.measuring.self_play import SIDES, TokenTrios

logger = logging.getLogger("rules.measuring.balance")

BOT = "greedy"
PART_SIZE = 12
"""Bouts in one part of a study, about a second of work."""
WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Pairing(NamedTuple):
    """Two units, by id, and the number of bouts that they play."""

    first: str
    second: str
    bouts: int


class Bout(NamedTuple):
    """One bout to play: the pairing's units, the bout's number from 0, and the seed of the command."""

    first: str
    second: str
    number: int
    seed: int


class Score(NamedTuple):
    """The score of the first unit of a pairing in a bout, 0 to 1: as red in the first match, as blue in the second."""

    as_red: float
    as_blue: float


class Played(NamedTuple):
    """A pairing with the scores of its bouts, in order of their numbers."""

    first: str
    second: str
    scores: tuple[Score, ...]


def pairings(units: Sequence[str], matches: int) -> list[Pairing]:
    """Return a round robin in which every unit plays `matches` matches, as evenly over its opponents as bouts allow.

    Units play a little more when the numbers do not divide: an odd number of matches, or an odd number of bouts left
    over for an odd number of units. Raises ValueError for fewer than two units or no matches.
    """
    count = len(units)
    if count < 2 or matches < 1:
        raise ValueError("at least two units and one match")
    bouts = (matches + 1) // 2
    each, extra = divmod(bouts, count - 1)
    # The units sit in a ring. Near neighbours have one more bout, and every unit has the same number of neighbours.
    near = extra // 2
    opposite = extra % 2 == 1 and count % 2 == 0
    if extra % 2 == 1 and not opposite:
        near += 1
    found = []
    for one, other in combinations(range(count), 2):
        away = min(other - one, count - (other - one))
        more = away <= near or (opposite and away * 2 == count)
        if each + more:
            found.append(Pairing(units[one], units[other], each + more))
    return found


def twin_pairings(units: Mapping[str, Unit], matches: int, changes: Sequence[str] = tuple(CHANGES)) -> list[Pairing]:
    """Return a pairing of every unit with each of its twins by `changes`, for `matches` matches or one more."""
    return [
        Pairing(f"{key}{MARK}{change}", key, (matches + 1) // 2)
        for change in changes
        for key, unit in units.items()
        if twin_of(unit, change) is not None
    ]


def setup_of(catalogue: Catalogue, units: tuple[Unit, Unit], rng: random.Random) -> MatchSetup:
    """Return a match of the Standard format between a red and a blue unit, with a random arena and legal tokens."""
    trios = TokenTrios(catalogue)
    return read_setup(
        {
            "format": "standard",
            "arena": rng.choice(list(catalogue.arenas.values())),
            "sides": [
                {"id": side, "units": [{"id": side, "unit": unit, "pilot": None}], "tokens": rng.choice(trios)}
                for side, unit in zip(SIDES, units, strict=True)
            ],
        }
    )


def play_match(setup: MatchSetup, seed: str, faults: list[Fault]) -> float:
    """Play a match and return the score of red: WIN, DRAW or LOSS. The bots' faults are added to `faults`.

    A match of equal reputation is a draw. The tie-break (R-END-09) would look at points, and points are measured here.
    """
    player = bots.get(BOT)
    rng = random.Random(f"{seed}/bots")
    match = Match.start(setup, SeededDice(f"{seed}/dice"), recording=False)
    table, guard = match.table, Guard(match)
    while table.open is not None:
        answer = guard.ask(player, rng)
        if answer.fault is not None:
            faults.append(answer.fault)
        guard.play(answer)
    result = match.result
    assert result is not None
    if result.tie_break is not None:
        return DRAW
    return WIN if result.winner == SIDES[0] else LOSS


def play_bout(catalogue: Catalogue, bout: Bout, faults: list[Fault]) -> Score:
    """Play both matches of a bout and return its score. The bots' faults are added to `faults`.

    Raises KeyError for an unknown unit.
    """
    first, second = find_unit(catalogue.units, bout.first), find_unit(catalogue.units, bout.second)
    seed = f"balance/{bout.seed}/{bout.first}/{bout.second}/{bout.number}"
    as_red = play_match(setup_of(catalogue, (first, second), random.Random(f"{seed}/setup")), f"{seed}/0", faults)
    as_blue = play_match(setup_of(catalogue, (second, first), random.Random(f"{seed}/setup")), f"{seed}/1", faults)
    return Score(as_red, WIN - as_blue)


@cache
def _builtin() -> Catalogue:
    """Return the shipped catalogue, once a process."""
    return load_builtin()


def _play_builtin(bout: Bout) -> tuple[float, float, int]:
    """Play a bout and return its score, as red and as blue, and the number of decisions at which a bot failed."""
    faults: list[Fault] = []
    return (*play_bout(_builtin(), bout, faults), len(faults))


class Memory(Protocol):
    """A memory of bouts between runs."""

    def find(self, bout: Bout) -> Score | None:
        """Return the score of a bout that was played before in exactly this way; None if it is unknown."""

    def add(self, bout: Bout, score: Score) -> None:
        """Remember the score of a bout."""


def play(
    schedule: Sequence[Pairing],
    seed: int,
    way: studies.Executor = studies.in_this_process,
    progress: Callable[[int, int], None] | None = None,
    memory: Memory | None = None,
) -> list[Played]:
    """Play the bouts of a schedule between units of the shipped catalogue.

    Units may be twins (`rules.measuring.balance.twins`). Bouts that `memory` knows are not played again. The result
    depends neither on the way nor on `memory`. `progress` takes the matches played and the matches to play. Raises all
    that `rules.measuring.studies.results` raises.
    """
    bouts = [Bout(first, second, number, seed) for first, second, count in schedule for number in range(count)]
    known = {bout: score for bout in bouts if memory is not None and (score := memory.find(bout)) is not None}
    unknown = [bout for bout in bouts if bout not in known]

    def tell(done: int) -> None:
        if progress is not None:
            progress(2 * done, 2 * len(unknown))

    failed = 0
    for part, scores in studies.results([study_of(unknown, seed)], way, tell):
        for bout, (as_red, as_blue, faults) in zip(unknown[part["first"] :][: part["count"]], scores, strict=True):
            known[bout] = Score(as_red, as_blue)
            failed += faults
            if memory is not None and not faults:
                memory.add(bout, known[bout])
    if failed:
        logger.error("%s failed at %s decisions, which were answered by the default", BOT, failed)
    in_order = iter([known[bout] for bout in bouts])
    return [Played(first, second, tuple(islice(in_order, count))) for first, second, count in schedule]


def study_of(bouts: Sequence[Bout], seed: int) -> studies.Study:
    """Return bouts of the seed `seed` as a study; their numbers in the study are their indices."""
    runs: list[list[Any]] = []
    for first, second, number, _ in bouts:
        if runs and runs[-1][:2] == [first, second] and runs[-1][2] + runs[-1][3] == number:
            runs[-1][3] += 1
        else:
            runs.append([first, second, number, 1])
    return studies.Study("balance.bouts", {"seed": seed, "runs": runs}, len(bouts), PART_SIZE)


def play_numbers(given: dict[str, Any], first: int, count: int) -> list[tuple[float, float, int]]:
    """Play `count` bouts of a study from number `first` on; return their scores, each with the number of failed
    decisions.

    Each of the `runs` that are given has two units, the number of its first bout, and the number of bouts.
    """
    bouts = (
        Bout(one, other, number, given["seed"])
        for one, other, start, length in given["runs"]
        for number in range(start, start + length)
    )
    return [_play_builtin(bout) for bout in islice(bouts, first, first + count)]
