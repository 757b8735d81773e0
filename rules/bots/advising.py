"""What a good player would do: the best answers to an open decision, their chances to win, and why.

The adviser sees what its side may see, and thinks on a possible table (`determinise`). It is the strongest bot that
there is; a bot that weighs answers (`consider`) gives each the chance to win after it, one that only decides gives its
one answer without a chance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.bots import BOT_NAMES, get
from rules.bots.attack_reasons import deals_nothing
from rules.bots.explaining import explain, foremost
from rules.bots.foresight import Foresight, horizon
from rules.bots.greedy import GreedyBot
from rules.bots.reasons import Reason, percent
from rules.bots.tactical import crowded_effort
from rules.competition.asking import describe
from rules.competition.match import Match, determinise
from rules.competition.observation import Observation
from rules.competition.table import Choice, Table

ADVISERS = ("strong", "tactical", "greedy")
"""Bots that may advise, the best first."""

PLAY_OUTS, PLAY_OUTS_EFFORT = 24, 800
"""So often an only choice is tried, and what that may cost (`rules.bots.foresight.Foresight.effort`)."""

MOST_ALTERNATIVES = 3
MOST_REASONS = 8
APART = 2
"""Places nearer to each other than so many hexes are the same advice."""

SHADES = ("facing", "facing_out", "facing_in", "path", "cancel")
"""Words of an answer in which two of the same advice may differ."""

MAY_BE_LEFT = frozenset({"free_spin", "react", "cancel", "revive", "restart", "reroll", "rally", "tag"})
"""Decisions but for those about orders whose default answer is to do nothing."""


@dataclass(frozen=True)
class Advised:
    """One answer, complete and ready to be played, with what speaks for and against it.

    `chance` is the estimated chance of the side to win after it, 0 to 1; None from a bot that does not weigh.
    """

    action: Mapping[str, Any]
    chance: float | None
    reasons: tuple[Reason, ...]

    def to_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "action": dict(self.action),
            "chance": self.chance,
            "reasons": [reason.to_json() for reason in self.reasons],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advised:
        """Read what `to_json` wrote."""
        reasons = tuple(Reason.from_json(reason) for reason in document["reasons"])
        return cls(document["action"], document["chance"], reasons)


@dataclass(frozen=True)
class Advice:
    """What `bot` would do, the best answer first, then up to three others."""

    bot: str
    options: tuple[Advised, ...]

    def to_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"bot": self.bot, "options": [option.to_json() for option in self.options]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advice:
        """Read what `to_json` wrote."""
        return cls(document["bot"], tuple(Advised.from_json(option) for option in document["options"]))


def adviser() -> str:
    """The name of the bot that advises."""
    return next(name for name in ADVISERS if name in BOT_NAMES)


def advise(observation: Observation, seed: str, bot: str = "") -> Advice:
    """What a good player would do on the side that observes, whose decision is open; `bot` instead of the best one.

    Same observation, seed and bot, same advice. Raises ValueError when the decision is not the observer's.
    """
    if observation.decision is None:
        raise ValueError("the decision is not this side's")
    rng = random.Random(seed)
    possible = determinise(observation, rng)
    named = bot or adviser()
    weighed = _weighed(named, possible.table, rng)
    chosen = _apart(possible, weighed)
    return Advice(named, tuple(_advised(possible, weighed, chosen, place) for place in range(len(chosen))))


Weighed = tuple[Choice, float | None]


def _weighed(name: str, table: Table, rng: random.Random) -> list[Weighed]:
    """A bot's answers with their chances, best first; the one answer without a chance of a bot that does not weigh."""
    bot = get(name)
    consider = getattr(bot, "consider", None)
    if consider is None:
        return [(bot.decide(table, rng), None)]
    considered = consider(table, rng)
    best = considered[0]
    if len(considered) == 1:
        # There was nothing to compare, so it was not tried yet.
        return [(best.choice, _tried(table, best.choice, rng))]
    # What was dismissed early was tried less often; where it looks better than the best, that is its luck.
    others = [found for found in considered[1:] if found.chance <= best.chance]
    listed = [best, *sorted(others, key=lambda found: -found.chance)]
    return [(found.choice, found.chance) for found in listed]


def _tried(table: Table, choice: Choice, rng: random.Random) -> float:
    """The chance after a choice, from play-outs like those of a bot that compares: as a table stands it tells little
    while units have yet to start, or the dice of the choice to fall."""
    assert table.open is not None
    foresight = Foresight(GreedyBot(), table.roster.side_of[table.open[1]], horizon(table), rng)
    branches = [foresight.branch(table, choice)]
    return foresight.mean_chances(branches, PLAY_OUTS, crowded_effort(PLAY_OUTS_EFFORT, table))[1][0]


def _apart(possible: Match, weighed: Sequence[Weighed]) -> list[int]:
    """The places, among the answers that were weighed, of the best one and of those that are really others."""
    assert possible.table.open is not None
    lattice, unit = possible.table.roster.lattice, possible.table.open[1]
    place = possible.table.position.hex[unit]
    origin = lattice.name(place) if place >= 0 else ""
    taken: list[dict[str, str]] = []
    chosen: list[int] = []
    for number, (choice, _) in enumerate(weighed):
        action = possible.action_of(choice)
        if chosen and deals_nothing(possible, action):
            continue
        words = describe(action, origin)
        gist = {key: word for key, word in words.items() if key not in SHADES} or words
        if not any(_is_same(possible, gist, other) for other in taken):
            taken.append(gist)
            chosen.append(number)
        if len(chosen) > MOST_ALTERNATIVES:
            break
    return chosen


def _is_same(possible: Match, one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two answers differ in nothing, or in places that lie side by side."""
    lattice = possible.table.roster.lattice
    if {**one, "hex": ""} != {**other, "hex": ""}:
        return False
    if one.get("hex") == other.get("hex"):
        return True
    places = [lattice.index(each["hex"]) for each in (one, other) if each.get("hex", "none") not in ("", "none")]
    return len(places) == 2 and lattice.distance(*places) < APART


def _advised(possible: Match, weighed: Sequence[Weighed], chosen: Sequence[int], place: int) -> Advised:
    choice, chance = weighed[chosen[place]]
    reasons = foremost(explain(possible, choice), MOST_REASONS)
    compared = _compared(possible, weighed, chosen, place)
    return Advised(possible.action_of(choice), chance, (*reasons, *compared))


def _compared(possible: Match, weighed: Sequence[Weighed], chosen: Sequence[int], place: int) -> list[Reason]:
    """The first answer beside doing nothing, where that is one; the others beside the first, in percent points."""
    table = possible.table
    assert table.open is not None
    kind, unit, data = table.open
    choice, chance = weighed[chosen[place]]
    if chance is None:
        return []
    if place:
        best = weighed[chosen[0]][1]
        behind = percent(best or 0.0) - percent(chance)
        return [Reason("behind_the_first", {"points": behind})] if behind > 0 else [Reason("as_good_as_the_first")]
    default = kind.default(table, unit, data)
    if not _does_nothing(kind.name, possible.action_of(default)):
        return []
    left = next((value for other, value in weighed if other == default), None)
    if left is None or choice == default or percent(left) >= percent(chance):
        return []
    return [Reason("better_than_nothing", {"chance": percent(left), "points": percent(chance) - percent(left)})]


def _does_nothing(kind: str, action: Mapping[str, Any]) -> bool:
    """Whether an answer leaves all as it is. Where something must be chosen (a start, a token, a share), none does."""
    return action.get("order") == "pass" or kind in MAY_BE_LEFT
