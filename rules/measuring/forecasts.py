"""The chance that each side wins, counted over play-outs of the actual line-ups by a bot.

    tally = play_outs(setup, seed="fixture 7", first=0, count=200)
    Forecast(tally).chances["red"].chance

The chance comes from a bot's play, not from the rules. Everything that a spectator cannot see (face-down target tokens,
rally hands, future dice) is dealt again for every play-out, so that a forecast reveals nothing.

Play-outs are numbered. Each depends only on the setup or position, the seed, its number and the bot. So they can be cut
into parts, the parts played anywhere, and their results added in any order. Functions that play raise Overran when a
match or a bot goes beyond its budget (`rules.bots.budget`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules import bots
from rules.competition.match import Match
from rules.competition.observation import MatchView, Observation, observe, possible_table
from rules.competition.phases.rounds import begin_round
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.event_kinds import apply
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import Position
from rules.competition.state.setup import MatchSetup
from rules.core.dice import ScriptedDice, SeededDice
from rules.measuring.self_play import wilson_interval
from rules.measuring.source import source_hash

BOT = "greedy"
"""The bot that plays for every side unless another one is named."""

CODE = ("core", "solaris", "competition", "bots", "measuring/forecasts.py")
"""Folders and files below rules/ whose code decides a play-out."""


def code_hash() -> str:
    """Return the hash of the code that decides a play-out; only play-outs of the same code are added together."""
    return source_hash(*CODE)


@dataclass(frozen=True)
class Tally:
    """The results of `play_outs` play-outs. `wins` names every side in the setup's order; its sum is `play_outs`.

    `endings` counts the ways in which matches ended, in the words of a match's result ("last_side", "time_limit").
    `rounds` is the sum of their last rounds, counted from the beginning of the match.
    """

    play_outs: int
    wins: Mapping[str, int]
    endings: Mapping[str, int]
    rounds: int

    def __add__(self, other: Tally) -> Tally:
        """Return the sum of two tallies; their order does not matter. Raises ValueError for different sides."""
        if list(self.wins) != list(other.wins):
            raise ValueError("tallies of different sides")
        kinds = sorted({*self.endings, *other.endings})
        return Tally(
            self.play_outs + other.play_outs,
            {side: count + other.wins[side] for side, count in self.wins.items()},
            {kind: self.endings.get(kind, 0) + other.endings.get(kind, 0) for kind in kinds},
            self.rounds + other.rounds,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the tally, JSON-ready.

        The sides are in a list, since their order matters and a store may change the order of keys.
        """
        return {
            "play_outs": self.play_outs,
            "wins": [[side, count] for side, count in self.wins.items()],
            "endings": dict(self.endings),
            "rounds": self.rounds,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Tally:
        """Return the tally that `to_json` wrote."""
        wins = {side: count for side, count in document["wins"]}
        return cls(document["play_outs"], wins, dict(document["endings"]), document["rounds"])


def together(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies; their order does not matter. Raises ValueError for none, and for different sides."""
    first, *others = tallies
    for other in others:
        first += other
    return first


@dataclass(frozen=True)
class Chance:
    """A share of play-outs with its 95% interval (Wilson's score interval), each 0 to 1."""

    chance: float
    low: float
    high: float


@dataclass(frozen=True)
class Forecast:
    """A tally read as chances. There is at least one play-out in it."""

    tally: Tally

    @property
    def chances(self) -> dict[str, Chance]:
        """The chance of each side to win; they sum to 1."""
        total = self.tally.play_outs
        return {side: Chance(wins / total, *wilson_interval(wins, total)) for side, wins in self.tally.wins.items()}

    @property
    def mean_rounds(self) -> float:
        """The number of a match's last round, on average."""
        return self.tally.rounds / self.tally.play_outs

    @property
    def endings(self) -> dict[str, float]:
        """The share of each way in which matches ended; they sum to 1."""
        return {kind: count / self.tally.play_outs for kind, count in self.tally.endings.items()}


def forecast(setup: MatchSetup, count: int, seed: str, bot: str = BOT) -> Forecast:
    """Return the forecast of a match that has not begun, from `count` play-outs (1 or more).

    Raises Malformed (unknown_bot).
    """
    return Forecast(play_outs(setup, seed, 0, count, bot))


def play_outs(setup: MatchSetup, seed: str, first: int, count: int, bot: str = BOT) -> Tally:
    """Play the matches number `first` to `first + count - 1` of a setup from beginning to end, and return their tally.

    The setup is compiled once a call, so that parts of ten and more are cheap. Raises Malformed (unknown_bot).
    """
    roster = roster_of(setup)
    found = Tally(0, dict.fromkeys(roster.sides, 0), {}, 0)
    for number in range(first, first + count):
        opening = Match.at(roster, SeededDice(f"{seed}/opening/{number}"), recording=False)
        found += _play_out(opening.observe(None), f"{seed}/{number}", bot)
    return found


def play_numbers(given: Mapping[str, Any], first: int, count: int) -> dict[str, Any]:
    """Play play-outs as a part of a study (`rules.measuring.studies`), and return their tally as JSON.

    `given` has `setup`, `seed` and `bot` as JSON, and `begin`: the number of the study's play-out 0.
    """
    setup = read_setup(given["setup"])
    return play_outs(setup, given["seed"], given["begin"] + first, count, given["bot"]).to_json()


def play_outs_from(seen: Observation, seed: str, first: int, count: int, bot: str = BOT) -> Tally:
    """Play on from a position, as its observer knows it, and return the tally.

    The play-outs have the numbers `first` to `first + count - 1`. Raises Malformed (unknown_bot).
    """
    found = Tally(0, dict.fromkeys([side["id"] for side in seen.setup["sides"]], 0), {}, 0)
    for number in range(first, first + count):
        found += _play_out(seen, f"{seed}/{number}", bot)
    return found


class RoundStart(NamedTuple):
    """A round of a match as it begins: its number, how many events came before it, and what a spectator sees."""

    round: int
    stop: int
    seen: Observation


def round_starts(setup: MatchSetup, events: Iterable[Mapping[str, Any]]) -> Iterator[RoundStart]:
    """Yield the beginning of each round, from the events of a match alone.

    The match may be open or finished, and recorded by any version of the rules. Its seed and actions are not needed:
    between two rounds only the next round is on the agenda, so the position says everything.
    """
    roster = roster_of(setup)
    codec = EventCodec(roster)
    position = Position.empty(len(roster.fighters), len(roster.sides))
    for stop, event in enumerate(events):
        if event["event"] == "round_began":
            table = MatchState(roster, position.copy(), ScriptedDice([]), None)
            table.push((begin_round, event["round"]))
            yield RoundStart(event["round"], stop, observe(table, MatchView(None, {}, []), None))
        apply(position, codec.decode(event))


def _play_out(seen: Observation, seed: str, bot: str) -> Tally:
    """Play a match that could be the observed one to its end, and return its tally of one play-out."""
    match = Match.of_table(possible_table(seen, random.Random(f"{seed}/hidden")))
    # New bots for every match: what a bot remembers of another match must not depend on how the count is cut.
    bots.play_out(match, {side: bots.get(bot) for side in match.table.roster.sides}, random.Random(f"{seed}/bots"))
    result = match.result
    assert result is not None
    wins = dict.fromkeys(match.table.roster.sides, 0)
    wins[result.winner] = 1
    return Tally(1, wins, {result.ended_by: 1}, result.rounds)
