"""Every way in which the dice of one act can fall, played by the engine itself: the table after each, with its chance.

Three dice of an attack fall into classes that the rules cannot tell apart: a critical hit, a critical miss, and the
sums between two defenses. One roll stands for each class. Questions on the way get the answer of an owner who says
nothing, so nobody reacts and no card is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from rules.competition.attacks.approaches import Approach
from rules.competition.attacks.arithmetic import critical_of, sum_of
from rules.competition.attacks.damage import Hit
from rules.competition.attacks.forms import Attack, plain_attack
from rules.competition.attacks.resolving import SPLIT
from rules.competition.attacks.sighting import place_of
from rules.competition.phases.flushing import roll_flush
from rules.competition.phases.impact import strike
from rules.competition.state.match_format import Task
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import CLOSE
from rules.competition.units.heat import EFFECTS
from rules.core.dice import DiceRunDry, ScriptedDice

Faces = tuple[int, ...]
Classes = tuple[tuple[Faces, Fraction], ...]
"""Rolls that stand for all others, each with the share of the rolls that it stands for."""


class Way(NamedTuple):
    """One way: the table after it, with its events in the log, and its chance.

    `share` is None unless damage is divided among several targets (R-MUL-07). Then there is one way for each of them
    that gets all of it, with the same chance; `share` is its place among those that are hit. `asked` has the questions
    that nobody answered: the name of each kind, and the unit.
    """

    table: MatchState
    chance: Fraction
    share: int | None
    asked: tuple[tuple[str, int], ...]


def events_of(table: MatchState, kind: int) -> list[Any]:
    """Return the events of one kind in a table's log."""
    return [event for event in table.log or () if event[0] == kind]


class _Divided(Exception):
    """The stop at the question how damage is divided; its argument is the number of targets."""


class _Dice(ScriptedDice):
    """Scripted dice that remember the last roll that was asked for."""

    __slots__ = ("wanted",)

    def __init__(self, values: Iterable[int]) -> None:
        super().__init__(values)
        self.wanted = (0, "")

    def roll(self, count: int, purpose: str) -> Faces:
        self.wanted = (count, purpose)
        return super().roll(count, purpose)


def ways_of(table: MatchState, task: Task) -> Iterator[Way]:
    """Yield every way in which a task and the agenda of `table` can end; the table stays as it is."""
    waiting: list[tuple[Fraction, Faces, int | None]] = [(Fraction(1), (), None)]
    while waiting:
        chance, faces, share = waiting.pop()
        dice = _Dice(faces)
        thought = table.copy(dice, [])
        thought.open = None
        thought.push(task)
        run = _Run(thought, task, share)
        try:
            run.play()
        except _Divided as divided:
            waiting += [(chance, faces, number) for number in range(divided.args[0])]
        except DiceRunDry:
            classes = _classes(thought, run.doing, *dice.wanted)
            waiting += [(chance * part, (*faces, *rolled), share) for rolled, part in classes]
        else:
            yield Way(thought, chance, share, tuple(run.asked))


class _Run:
    """One way on its way; `doing` is the task, or the answer, at work."""

    def __init__(self, table: MatchState, task: Task, share: int | None) -> None:
        self.table = table
        self.share = share
        self.doing: tuple[Any, ...] = task
        self.asked: list[tuple[str, int]] = []

    def play(self) -> None:
        """Run the agenda to its end. Raises DiceRunDry, and _Divided when a share is wanted."""
        table = self.table
        while table.agenda or table.open is not None:
            if table.open is None:
                self.doing = table.agenda.pop()
            else:
                kind, unit, data = table.open
                table.open = None
                self.asked.append((kind.name, unit))
                choice = self._shares(data) if kind is SPLIT else kind.default(table, unit, data)
                self.doing = (kind.resolve, unit, data, choice)
            self.doing[0](table, *self.doing[1:])

    def _shares(self, hit: Hit) -> tuple[int, ...]:
        """Return all of the damage for one of the targets that are hit."""
        if self.share is None:
            raise _Divided(len(hit.targets))
        return tuple(hit.damage if number == self.share else 0 for number in range(len(hit.targets)))


def _classes(table: MatchState, task: tuple[Any, ...], count: int, purpose: str) -> Classes:
    """Return the rolls to try for `count` dice that a task asks for."""
    if purpose in EFFECTS:
        struck = EFFECTS[purpose].safe_from - 1
        return ((struck,), Fraction(struck, 6)), ((struck + 1,), Fraction(6 - struck, 6))
    if count != 3:
        return tuple((faces, Fraction(1, 6**count)) for faces in product(range(1, 7), repeat=count))
    attack, approach = _attack_of(task)
    targets = [target for target in attack.targets if place_of(table, target) >= 0]
    sums = [sum_of(table, attack, target, approach) for target in targets]
    return attack_classes(tuple(sorted({summed.defense - summed.attack for summed in sums})))


def _attack_of(task: tuple[Any, ...]) -> tuple[Attack, Approach | None]:
    """Return the attack for which a task rolls three dice, and its approach; None for one without."""
    if task[0] is strike:
        _, unit, kind, target, line = task
        return plain_attack(unit, kind, target), line
    if task[0] is roll_flush:
        return plain_attack(task[1], CLOSE, task[2]), None
    return next(
        part if isinstance(part, Attack) else part.attack
        for part in task[1:]
        if isinstance(part, Attack) or hasattr(part, "attack")
    ), None


@lru_cache(maxsize=512)
def attack_classes(needed: tuple[int, ...]) -> Classes:
    """Return one roll for each class of three dice, the two of one colour first.

    `needed` are the sums that decide between hit and miss, in ascending order.

    >>> [(dice, str(share)) for dice, share in attack_classes((11,))]
    [((1, 1, 1), '1/36'), ((1, 2, 1), '17/36'), ((1, 4, 6), '17/36'), ((6, 6, 1), '1/36')]
    """
    found: dict[tuple[str | None, int], tuple[Faces, int]] = {}
    for dice in product(range(1, 7), repeat=3):
        critical = critical_of(dice)
        reached = 0 if critical else sum(sum(dice) >= need for need in needed)
        first, count = found.get((critical, reached), (dice, 0))
        found[critical, reached] = first, count + 1
    return tuple((dice, Fraction(count, 216)) for dice, count in found.values())
