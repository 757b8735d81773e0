"""What a good player would do: the best answers to an open decision, their chances to win, and why.

The adviser is the strongest bot available, unless another one is named. It sees what its side may see, and thinks on a
possible table (`determinise`). A bot that weighs answers (`consider`) gives each one the chance to win after it. A bot
that only decides gives one answer without a chance. A bot that knows how sure it is (`judge`) adds a margin to each
chance. Within the margin of their difference two answers count as about as good; above VAGUE the comparison is open.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.bots import BOT_NAMES, get
from rules.bots.advice.attacks import deals_nothing
from rules.bots.advice.explaining import explain, foremost
from rules.bots.advice.margins import TIMES, Judged, judged
from rules.bots.advice.reason import Reason, percent
from rules.bots.foresight import Foresight, horizon, positions_of_a_decision
from rules.bots.greedy import GreedyBot
from rules.bots.tactical import crowded_effort
from rules.competition.match import Match, determinise
from rules.competition.narrowing import describe
from rules.competition.observation import Observation, imagined
from rules.competition.state.match_state import Choice, MatchState

ADVISERS = ("strong", "tactical", "greedy")
"""Bots that may advise, the best first."""

PLAY_OUTS, PLAY_OUTS_EFFORT = 12, 400
"""Play-outs of a single choice each time, and their effort at most (`rules.bots.foresight.Foresight.effort`)."""

MOST_ALTERNATIVES = 3
MOST_REASONS = 8
VAGUE = 10
"""Above this margin of their difference, in percent points, two answers are never called about as good."""

APART = 2
"""Two moves to hexes closer together than this many hexes count as one piece of advice."""

SHADES = ("facing", "facing_out", "facing_in", "path", "cancel")
"""Keys of an action in which two answers may differ and still count as one piece of advice."""

MAY_BE_LEFT = frozenset({"free_spin", "react", "cancel", "revive", "restart", "reroll", "rally", "tag"})
"""Decisions, other than those about orders, whose default answer is to do nothing."""


@dataclass(frozen=True)
class Advised:
    """One complete answer, ready to be played, with the reasons for and against it.

    `chance` is the side's estimated chance to win after it, 0 to 1; None from a bot that does not weigh answers.
    `margin` is half the 95% interval of that chance; None if it is unknown.
    """

    action: Mapping[str, Any]
    chance: float | None
    reasons: tuple[Reason, ...]
    margin: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the answer, JSON-ready."""
        return {
            "action": dict(self.action),
            "chance": self.chance,
            "margin": self.margin,
            "reasons": [reason.to_json() for reason in self.reasons],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advised:
        """Return the answer that `to_json` wrote; older documents have no margin."""
        reasons = tuple(Reason.from_json(reason) for reason in document["reasons"])
        return cls(document["action"], document["chance"], reasons, document.get("margin"))


@dataclass(frozen=True)
class Advice:
    """What `bot` would do: the best answer first, then up to MOST_ALTERNATIVES others."""

    bot: str
    options: tuple[Advised, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the advice, JSON-ready."""
        return {"bot": self.bot, "options": [option.to_json() for option in self.options]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advice:
        """Return the advice that `to_json` wrote."""
        return cls(document["bot"], tuple(Advised.from_json(option) for option in document["options"]))


def adviser() -> str:
    """Return the name of the bot that advises."""
    return next(name for name in ADVISERS if name in BOT_NAMES)


def advise(observation: Observation, seed: str, bot: str = "") -> Advice:
    """Return what a good player would do in the open decision of the observing side.

    `bot` names another adviser than `adviser()`. The same observation, seed and bot give the same advice. Raises
    ValueError when no decision of the observer is open, Malformed (unknown_bot), Overran.
    """
    if observation.decision is None:
        raise ValueError("the decision is not this side's")
    rng = random.Random(seed)
    possible = determinise(observation, rng)
    named = bot or adviser()
    weighed = _weighed(named, possible.table, rng)
    chosen = _apart(possible, weighed)
    return Advice(named, tuple(_advised(possible, weighed, chosen, place) for place in range(len(chosen))))


class Weighed(NamedTuple):
    """An answer with its chance, the margin of that chance, and the margin of its distance to the first answer
    (`rules.bots.advice.margins.Judged`). The chance is None from a bot that does not weigh answers."""

    choice: Choice
    chance: float | None
    margin: float | None = None
    apart: float | None = None


def _weighed(name: str, table: MatchState, rng: random.Random) -> list[Weighed]:
    """Return a bot's answers with their chances, best first.

    A bot that does not weigh answers has one answer, without a chance.
    """
    bot = get(name)
    judge = getattr(bot, "judge", None)
    consider = judge or getattr(bot, "consider", None)
    if consider is None:
        return [Weighed(bot.decide(table, rng), None)]
    considered = consider(table, rng)
    if judge is None:
        considered = [Judged(found.choice, found.chance) for found in considered]
    best = considered[0]
    if len(considered) == 1:
        # The bot had nothing to compare, so it has not tried its choice yet.
        return [_tried(table, best.choice, rng)]
    # A choice that was dropped early was tried less often. If it looks better than the best, it was lucky.
    others = [found for found in considered[1:] if found.chance <= best.chance]
    listed = (best, *sorted(others, key=lambda found: -found.chance))
    return [Weighed(found.choice, _open(found.chance), found.margin, found.apart) for found in listed]


def _open(chance: float) -> float:
    """Return a chance for showing and comparing, at least 0.01 and at most 0.99: play-outs prove nothing certain."""
    return min(0.99, max(0.01, chance))


def _tried(table: MatchState, choice: Choice, rng: random.Random) -> Weighed:
    """Return a choice with its chance, from play-outs like those of a bot that compares choices.

    The table itself says little while units have yet to start, or before the dice of the choice are rolled.
    """
    assert table.open is not None
    side, times = table.roster.side_of[table.open[1]], []
    for _ in range(TIMES):
        foresight = Foresight(GreedyBot(), side, horizon(table), rng, positions_of_a_decision())
        branches = [foresight.branch(imagined(table, rng), choice)]
        _, (chance,) = foresight.mean_chances(branches, PLAY_OUTS, crowded_effort(PLAY_OUTS_EFFORT, table))
        times.append({choice: chance})
    (found,) = judged(times)
    return Weighed(choice, _open(found.chance), found.margin)


def _apart(possible: Match, weighed: Sequence[Weighed]) -> list[int]:
    """Return the indices, in `weighed`, of the best answer and of the next ones that really differ from each other.

    At most MOST_ALTERNATIVES follow the best one, and no attack that would do nothing.
    """
    assert possible.table.open is not None
    lattice, unit = possible.table.roster.lattice, possible.table.open[1]
    place = possible.table.position.hex[unit]
    origin = lattice.name(place) if place >= 0 else ""
    taken: list[dict[str, str]] = []
    chosen: list[int] = []
    for number, (choice, *_) in enumerate(weighed):
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
    """Return whether two answers are equal, or differ only in their hexes and these are adjacent."""
    lattice = possible.table.roster.lattice
    if {**one, "hex": ""} != {**other, "hex": ""}:
        return False
    if one.get("hex") == other.get("hex"):
        return True
    places = [lattice.index(each["hex"]) for each in (one, other) if each.get("hex", "none") not in ("", "none")]
    return len(places) == 2 and lattice.distance(*places) < APART


def _advised(possible: Match, weighed: Sequence[Weighed], chosen: Sequence[int], place: int) -> Advised:
    choice, chance, doubt, _ = weighed[chosen[place]]
    reasons = foremost(explain(possible, choice), MOST_REASONS)
    compared = _compared(possible, weighed, chosen, place)
    margin = None if chance is None or doubt is None else _points(doubt) / 100
    return Advised(possible.action_of(choice), chance, (*reasons, *compared), margin)


def _points(doubt: float) -> int:
    """Return a margin in whole percent points, 1 to 99."""
    return min(99, max(1, round(100 * doubt)))


def _compared(possible: Match, weighed: Sequence[Weighed], chosen: Sequence[int], place: int) -> list[Reason]:
    """Return one reason that compares an answer in percent points: the first one with doing nothing, another with the
    first.

    The list is empty if doing nothing is impossible or was not tried, or if a chance is unknown.
    """
    table = possible.table
    assert table.open is not None
    kind, unit, data = table.open
    best, one = weighed[chosen[0]], weighed[chosen[place]]
    if best.chance is None or one.chance is None:
        return []
    if place:
        code, difference = _difference(best, one)
        return [Reason(_BESIDE_THE_FIRST[code], difference)]
    default = kind.default(table, unit, data)
    if not _does_nothing(kind.name, possible.action_of(default)):
        return []
    left = next((other for other in weighed if other.choice == default), None)
    if left is None or left.chance is None or left is best:
        return []
    code, difference = _difference(best, left)
    chances = {}
    if best.chance is not None and code in (BEHIND, ABOUT):
        chances = {"chance": percent(left.chance), "best": percent(best.chance)}
    return [Reason(_BESIDE_NOTHING[code], {**chances, **difference})]


EQUAL, OPEN, ABOUT, BEHIND = range(4)
"""How an answer compares with the first: about as good, unknown, behind with a margin, behind."""

_BESIDE_THE_FIRST = {
    EQUAL: "as_good_as_the_first",
    OPEN: "may_be_as_good_as_the_first",
    ABOUT: "behind_the_first_about",
    BEHIND: "behind_the_first",
}
_BESIDE_NOTHING = {
    EQUAL: "nothing_is_as_good",
    OPEN: "nothing_may_be_as_good",
    ABOUT: "better_than_nothing_about",
    BEHIND: "better_than_nothing",
}


def _difference(best: Weighed, other: Weighed) -> tuple[int, dict[str, int]]:
    """Return one of EQUAL, OPEN, ABOUT and BEHIND for an answer beside the first, and the parameters of its reason.

    These are the `points` that it is behind, in percent points, and the `margin` for OPEN and ABOUT; {} for EQUAL.
    Within a margin up to VAGUE both are about as good; above it the comparison is open.
    """
    assert best.chance is not None
    assert other.chance is not None
    ahead = percent(best.chance) - percent(other.chance)
    if other.apart is None:
        return (BEHIND, {"points": ahead}) if ahead > 0 else (EQUAL, {})
    doubt = _points(other.apart)
    if ahead > 0 and best.chance - other.chance > other.apart:
        return ABOUT, {"points": ahead, "margin": doubt}
    return (OPEN, {"points": max(0, ahead), "margin": doubt}) if doubt > VAGUE else (EQUAL, {})


def _does_nothing(kind: str, action: Mapping[str, Any]) -> bool:
    """Return whether the default answer changes nothing.

    When something must be chosen (a start, a token, a share), every answer changes something.
    """
    return action.get("order") == "pass" or kind in MAY_BE_LEFT
