"""What a good player would do: the best answers to an open decision, their chances to win, and why.

The adviser sees what its side may see, and thinks on a possible table (`determinise`). It is the strongest bot that
there is; a bot that weighs answers (`consider`) gives each the chance to win after it, one that only decides gives its
one answer without a chance. A bot that can say how sure it is (`judge`) has its chances shown with their doubt, and
answers that lie within it are called about as good.
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
"""So often an only choice is tried each time, and what that may cost (`rules.bots.foresight.Foresight.effort`)."""

MOST_ALTERNATIVES = 3
MOST_REASONS = 8
VAGUE = 10
"""Answers whose difference has a greater doubt than so many percent points are never called about as good."""

APART = 2
"""Places nearer to each other than so many hexes are the same advice."""

SHADES = ("facing", "facing_out", "facing_in", "path", "cancel")
"""Words of an answer in which two of the same advice may differ."""

MAY_BE_LEFT = frozenset({"free_spin", "react", "cancel", "revive", "restart", "reroll", "rally", "tag"})
"""Decisions except those about orders whose default answer is to do nothing."""


@dataclass(frozen=True)
class Advised:
    """One answer, complete and ready to be played, with what speaks for and against it.

    `chance` is the estimated chance of the side to win after it, 0 to 1; None from a bot that does not weigh. `margin`
    is its doubt: of 20 chances with their doubt 19 lie within theirs of the truth; None where nobody knows.
    """

    action: Mapping[str, Any]
    chance: float | None
    reasons: tuple[Reason, ...]
    margin: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "action": dict(self.action),
            "chance": self.chance,
            "margin": self.margin,
            "reasons": [reason.to_json() for reason in self.reasons],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advised:
        """Read what `to_json` wrote, now or before there was a margin."""
        reasons = tuple(Reason.from_json(reason) for reason in document["reasons"])
        return cls(document["action"], document["chance"], reasons, document.get("margin"))


@dataclass(frozen=True)
class Advice:
    """What `bot` would do, the best answer first, then up to three others."""

    bot: str
    options: tuple[Advised, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {"bot": self.bot, "options": [option.to_json() for option in self.options]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Advice:
        """Read what `to_json` wrote."""
        return cls(document["bot"], tuple(Advised.from_json(option) for option in document["options"]))


def adviser() -> str:
    """Return the name of the bot that advises."""
    return next(name for name in ADVISERS if name in BOT_NAMES)


def advise(observation: Observation, seed: str, bot: str = "") -> Advice:
    """Return what a good player would do on the side that observes, whose decision is open; `bot` instead of the best
    one.

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


class Weighed(NamedTuple):
    """An answer with its chance and the doubts of that and of its distance to the first
    (`rules.bots.advice.margins.Judged`); the chance of a bot that does not weigh is None."""

    choice: Choice
    chance: float | None
    margin: float | None = None
    apart: float | None = None


def _weighed(name: str, table: MatchState, rng: random.Random) -> list[Weighed]:
    """Return a bot's answers with their chances, best first; the one answer without a chance of a bot that does not
    weigh.
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
        # There was nothing to compare, so it was not tried yet.
        return [_tried(table, best.choice, rng)]
    # What was dismissed early was tried less often; where it looks better than the best, that is its luck.
    others = [found for found in considered[1:] if found.chance <= best.chance]
    listed = (best, *sorted(others, key=lambda found: -found.chance))
    return [Weighed(found.choice, _open(found.chance), found.margin, found.apart) for found in listed]


def _open(chance: float) -> float:
    """Return a chance as it is shown and compared: what no play-out came to may come, and what all did may not."""
    return min(0.99, max(0.01, chance))


def _tried(table: MatchState, choice: Choice, rng: random.Random) -> Weighed:
    """Return a choice with its chance from play-outs like those of a bot that compares: as a table stands it tells
    little while units have yet to start, or the dice of the choice to fall.
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
    """Return the places, among the answers that were weighed, of the best one and of those that are really others."""
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
    """Return whether two answers differ in nothing, or in places that lie side by side."""
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
    """Return the doubt of a chance or a difference in percent points: a number shown in whole ones is never surer than
    one, and no chance is farther off than all there is.
    """
    return min(99, max(1, round(100 * doubt)))


def _compared(possible: Match, weighed: Sequence[Weighed], chosen: Sequence[int], place: int) -> list[Reason]:
    """Return the first answer beside doing nothing, where that is one; the others beside the first,
    in percent points.
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
    chance = {"chance": percent(left.chance)} if code in (BEHIND, ABOUT) else {}
    return [Reason(_BESIDE_NOTHING[code], {**chance, **difference})]


EQUAL, OPEN, ABOUT, BEHIND = range(4)
"""How an answer stands to the first: about as good; nobody can say; behind, with a doubt; behind."""

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
    """Return how an answer stands to the first, and by how many percent points it is behind, with the doubt of that
    where it is known. Within a small doubt both are called about as good, within a large one nothing is known.
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
    """Return whether an answer leaves all as it is. Where something must be chosen (a start, a token, a share), none
    does.
    """
    return action.get("order") == "pass" or kind in MAY_BE_LEFT
