"""Puzzles found by the bots: a moment of a duel at which one order beats all others clearly.

Greedy bots play duels. Where the unit whose turn it is has a handful of attacks and other orders, every legal order is
played out to the end of the round, TIMES times with hidden tokens dealt again, always with the same dice for all. A
moment is a puzzle if the best order leads the second by LEAD and by SURE standard errors, if the greedy bot would give
another one, and if the strong bot finds it too. The chances are estimates of the house; the rules know none. The same
seed gives the same puzzle.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import sqrt
from statistics import mean, stdev
from typing import Any

from rules import bots
from rules.bots.advice.explaining import explain, foremost
from rules.bots.advice.margins import TIMES
from rules.bots.advice.reason import Reason
from rules.bots.foresight import Foresight, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.bots.guard import Guard
from rules.catalogue import load_builtin
from rules.competition.match import Match, determinise
from rules.competition.observation import Observation, imagined
from rules.competition.setups import read_setup
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.setup import MatchSetup
from rules.core.dice import SeededDice
from rules.core.refusals import IllegalAction, Malformed
from rules.measuring.self_play import random_setup

LEAD = 0.1
"""By how much the best order's chance to win must lead that of the second."""

SURE = 3
"""How many standard errors of that lead it must be."""

MOST_MATCHES = 60
"""How many duels are played for one puzzle. About one in six has one."""

ORDERS = range(4, 13)
"""How many legal orders a puzzle may have: each is a line to read."""

ATTACKS = frozenset({"ranged", "close", "charge", "death_from_above"})
FEWEST_ATTACKS = 2

GLANCE, LOOK = 12, 48
"""Play-outs of each order at a first glance, once, and of those that may be a puzzle, TIMES times."""

EFFORT = 1_000_000
"""More than the play-outs of a few orders need: none is cut short."""

MOST_REASONS = 6


@dataclass(frozen=True)
class Weighed:
    """A legal order and the chance, 0 to 1, that its side wins after it. The best order leads it by `behind`, with the
    standard error `error`; both are 0 for the best itself."""

    action: Mapping[str, Any]
    chance: float
    behind: float
    error: float


@dataclass(frozen=True)
class Puzzle:
    """A moment of a duel with its legal orders, in the engine's order.

    `setup` and `snapshot` are what the side to order sees: target tokens that it does not know are hidden in `setup`,
    and stand in `tokens`, by side. `decision` is the open one. `seed` (hex) and `actions` play the duel up to the
    moment. `reasons` are those for the best order.
    """

    setup: Mapping[str, Any]
    snapshot: Mapping[str, Any]
    decision: Mapping[str, Any]
    tokens: Mapping[str, Sequence[Mapping[str, Any]]]
    seed: str
    actions: Sequence[Mapping[str, Any]]
    orders: tuple[Weighed, ...]
    reasons: tuple[Reason, ...]

    @property
    def best(self) -> int:
        """The place of the best order among `orders`, from 0."""
        return max(range(len(self.orders)), key=lambda place: self.orders[place].chance)

    @property
    def whole_setup(self) -> dict[str, Any]:
        """The setup of the duel, with all tokens."""
        return {**self.setup, "sides": [{**side, "tokens": self.tokens[side["id"]]} for side in self.setup["sides"]]}

    def played(self) -> Match | None:
        """Return the duel at the moment, by the present rules; None if they play it otherwise."""
        try:
            match = Match.replay(read_setup(self.whole_setup), SeededDice(bytes.fromhex(self.seed)), self.actions)
        except (IllegalAction, Malformed):
            return None
        decision = match.decision
        is_same = decision is not None and decision.to_json() == self.decision and match.snapshot() == self.snapshot
        return match if is_same else None

    def to_json(self) -> dict[str, Any]:
        """Return the puzzle, JSON-ready."""
        return {**asdict(self), "reasons": [reason.to_json() for reason in self.reasons]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Puzzle:
        """Return the puzzle that `to_json` wrote."""
        orders = tuple(Weighed(**order) for order in document["orders"])
        reasons = tuple(Reason.from_json(reason) for reason in document["reasons"])
        return cls(**{**document, "orders": orders, "reasons": reasons})


def find(seed: str, most: int = MOST_MATCHES) -> Puzzle | None:
    """Return the first puzzle in the duels of a seed, None if `most` duels have none."""
    return next((found for number in range(most) if (found := puzzle_in(seed, number))), None)


def puzzle_in(seed: str, number: int) -> Puzzle | None:
    """Return the first puzzle in the duel of this number, None without one."""
    named = f"puzzle/{seed}/{number}"
    secret = sha256(named.encode()).digest()
    match = Match.start(_duel(random.Random(named)), SeededDice(secret))
    guard, bot, rng = Guard(match), bots.get("greedy"), random.Random(f"{named}/bots")
    while (decision := match.decision) is not None:
        answer = guard.ask(bot, rng)
        if decision.kind == "combat":
            observed = match.observe(decision.side)
            if found := solve(observed, answer.action, f"{named}/{len(match.actions)}"):
                return _written(match, observed, secret, *found)
        guard.play(answer)
    return None


def _duel(rng: random.Random) -> MatchSetup:
    """Return a random duel whose units have other ids than their sides, so that pages can name both."""
    document = random_setup(load_builtin(), rng).to_json()
    for side in document["sides"]:
        for unit in side["units"]:
            unit["id"] = f"{side['id']}-1"
    return read_setup(document)


def solve(
    observed: Observation, obvious: Mapping[str, Any], seed: str, lead: float = LEAD
) -> tuple[tuple[Weighed, ...], tuple[Reason, ...]] | None:
    """Return the weighed orders of the observer's open decision and the reasons for the best, None if it is no puzzle.

    `obvious` is the order that must not be the best. The same arguments give the same orders.
    """
    rng = random.Random(seed)
    possible = determinise(observed, rng)
    actions = possible.legal_actions()
    if len(actions) not in ORDERS or sum(action["order"] in ATTACKS for action in actions) < FEWEST_ATTACKS:
        return None
    choices = [possible.read(action)[0] for action in actions]
    glance = weighed(actions, [_chances(possible.table, choices, GLANCE, rng)])
    if not leads(glance, obvious, lead / 2):
        return None
    found = weighed(actions, [_chances(possible.table, choices, LOOK, rng) for _ in range(TIMES)])
    if not leads(found, obvious, lead):
        return None
    best = next(choice for choice, order in zip(choices, found, strict=True) if not order.behind)
    if bots.get("strong").decide(possible.table, rng) != best:
        return None
    return found, tuple(foremost(explain(possible, best), MOST_REASONS))


def weighed(actions: Sequence[Mapping[str, Any]], times: Sequence[Sequence[float]]) -> tuple[Weighed, ...]:
    """Return the orders with their mean chances; `times` has a chance for each of them, once or several times."""
    chances = [mean(each) for each in zip(*times, strict=True)]
    best = max(range(len(actions)), key=chances.__getitem__)
    found = []
    for place, action in enumerate(actions):
        behind = [thought[best] - thought[place] for thought in times]
        error = stdev(behind) / sqrt(len(behind)) if len(behind) > 1 else 0.0
        found.append(Weighed(action, *(round(value, 6) for value in (chances[place], mean(behind), error))))
    return tuple(found)


def leads(orders: Sequence[Weighed], obvious: Mapping[str, Any], lead: float = LEAD) -> bool:
    """Return whether one order, which is not the `obvious` one, leads all others by `lead` and is sure to lead them."""
    best, *others = sorted(orders, key=lambda order: order.behind)
    return best.action != obvious and all(other.behind >= max(lead, SURE * other.error) for other in others)


def _chances(table: MatchState, choices: Sequence[Choice], play_outs: int, rng: random.Random) -> list[float]:
    assert table.open is not None
    side = table.roster.side_of[table.open[1]]
    foresight = Foresight(GreedyBot(), side, horizon(table), rng, positions_of_a_decision())
    thought = imagined(table, rng)
    branches = [foresight.branch(thought, choice) for choice in choices]
    return foresight.mean_chances(branches, play_outs, EFFORT)[1]


def _written(
    match: Match, observed: Observation, secret: bytes, orders: tuple[Weighed, ...], reasons: tuple[Reason, ...]
) -> Puzzle:
    assert observed.decision is not None
    whole = match.table.roster.setup.to_json()
    puzzle = Puzzle(
        setup=observed.setup,
        snapshot=observed.snapshot,
        decision=observed.decision,
        tokens={side["id"]: side["tokens"] for side in whole["sides"]},
        seed=secret.hex(),
        actions=match.actions,
        orders=orders,
        reasons=reasons,
    )
    # As it comes out of a database: lists for tuples.
    return Puzzle.from_json(json.loads(json.dumps(puzzle.to_json())))
