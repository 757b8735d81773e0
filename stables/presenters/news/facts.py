"""The facts of a settled round: results, upsets, losses, and who leads after it. No query, no words.

They come from results and their corrections, which everybody may see once a round is settled. The cycles come
prefetched by stables.presenters.season_parts.cycle_parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rules.campaign.results.corrections import deeds_of
from rules.campaign.standings.places import Record, leaders
from rules.wording.isolation import isolated
from stables.models import Cycle, Fixture, Round, Season, Stable
from stables.selectors.definitions import definition


@dataclass(frozen=True)
class Loss:
    """An eliminated unit or a dead pilot, and the name of the stable."""

    name: str
    stable: str


@dataclass(frozen=True)
class MatchFacts:
    """A match with a winner. `margin` is how much more reputation the winner earned in it than the best loser.

    `favourite` is the loser with the most reputation in the season before the round. `gap` is their lead over the
    winner then; with 0 or less there is no upset.
    """

    fixture: Fixture
    winner: str
    losers: str
    reputation: int
    against: int
    favourite: str
    gap: int
    by_forfeit: bool
    stables: Mapping[int, bool]

    @property
    def margin(self) -> int:
        return self.reputation - self.against


@dataclass(frozen=True)
class RoundFacts:
    """One settled round. `unwon` are fixtures with a result but no winner.

    `before` and `after` map a stable's number to its (reputation, kills) in the season.
    """

    season: Season
    cycle: Cycle
    round: Round
    matches: tuple[MatchFacts, ...]
    unwon: tuple[Fixture, ...]
    eliminated: tuple[Loss, ...]
    dead: tuple[Loss, ...]
    before: Mapping[int, tuple[int, int]]
    after: Mapping[int, tuple[int, int]]
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A key of the round that is unique on the site. It picks the wording, so that the words stay the same."""
        return f"{self.season.slug}:{self.cycle.number}:{self.round.number}"

    @cached_property
    def best(self) -> MatchFacts | None:
        """The match with the widest margin, forfeits aside; None without one."""
        fought = [match for match in self.matches if not match.by_forfeit]
        return max(fought, key=lambda match: (match.margin, match.reputation), default=None)

    @cached_property
    def upset(self) -> MatchFacts | None:
        """The match whose loser had the longest lead over its winner before the round; None when no favourite lost."""
        fought = [match for match in self.matches if not match.by_forfeit and match.gap > 0]
        return max(fought, key=lambda match: match.gap, default=None)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The leaders after the round, several when tied; none while no stable has reputation."""
        return self._leading(self.after)

    @property
    def led(self) -> tuple[str, ...]:
        """The leaders before the round."""
        return self._leading(self.before)

    @property
    def lead(self) -> tuple[int, int]:
        """The reputation of the leader, and how far the next stable is behind."""
        ordered = sorted((reputation for reputation, _ in self.after.values()), reverse=True)
        return ordered[0], ordered[0] - ordered[1] if len(ordered) > 1 else 0

    def own(self, stable: Stable) -> MatchFacts | None:
        """Return the stable's match of the round; None when it had none, or nobody won it."""
        return next((match for match in self.matches if stable.number in match.stables), None)

    def _leading(self, totals: Mapping[int, tuple[int, int]]) -> tuple[str, ...]:
        if not any(reputation > 0 for reputation, _ in totals.values()):
            return ()
        return leaders(Record(self.names[number], *total) for number, total in totals.items())


def rounds_of(season: Season, cycles: Iterable[Cycle]) -> list[RoundFacts]:
    """Return the facts of a season's settled rounds, the newest first."""
    reputation: Counter[int] = Counter()
    kills: Counter[int] = Counter()
    names: dict[int, str] = {}
    found = []
    for cycle in sorted(cycles, key=lambda each: each.number):
        for each in sorted(cycle.rounds.all(), key=lambda one: one.number):
            fixtures = list(each.fixtures.all())
            for fixture in fixtures:
                for side in fixture.sides.all():
                    names[side.stable.number] = side.stable.name
                    reputation[side.stable.number] += 0
            before = {number: (reputation[number], kills[number]) for number in names}
            documents = [(fixture, _document(fixture)) for fixture in fixtures]
            for _, document in documents:
                for (number, code), deeds in deeds_of(document).items():
                    if not code:
                        reputation[number] += deeds.reputation
                        kills[number] += deeds.kills
            if each.state == Round.State.SETTLED:
                after = {number: (reputation[number], kills[number]) for number in names}
                found.append(_round(season, cycle, each, documents, before, after, dict(names)))
    return found[::-1]


def _document(fixture: Fixture) -> dict[str, Any]:
    result = getattr(fixture, "result", None)
    return {} if result is None else result.current


def _round(
    season: Season,
    cycle: Cycle,
    each: Round,
    documents: list[tuple[Fixture, dict[str, Any]]],
    before: Mapping[int, tuple[int, int]],
    after: Mapping[int, tuple[int, int]],
    names: Mapping[int, str],
) -> RoundFacts:
    matches, unwon, eliminated, dead = [], [], [], []
    for fixture, document in documents:
        if not document:
            continue
        if document["winner"] is None:
            unwon.append(fixture)
        else:
            matches.append(_match(fixture, document, before))
        for unit in document["units"].values():
            owner = names.get(int(unit["stable"]), "")
            if unit["eliminated"]:
                eliminated.append(Loss(label_of(season, unit["asset"]), owner))
            if unit.get("pilot_dead") and unit.get("pilot"):
                dead.append(Loss(label_of(season, unit["pilot"]), owner))
    return RoundFacts(
        season, cycle, each, tuple(matches), tuple(unwon), tuple(eliminated), tuple(dead), before, after, names
    )


def _match(fixture: Fixture, document: Mapping[str, Any], before: Mapping[int, tuple[int, int]]) -> MatchFacts:
    winner = document["winner"]
    sides: dict[str, list[Stable]] = {}
    for side in fixture.sides.all():
        sides.setdefault(side.side, []).append(side.stable)
    others = [side for side in sides if side != winner]
    sides_result = document["sides"]

    def standing(side: str) -> int:
        return max(before[stable.number][0] for stable in sides[side])

    favourite = max(others, key=standing, default=winner)
    return MatchFacts(
        fixture=fixture,
        winner=_named(sides[winner]),
        losers=", ".join(_named(sides[side]) for side in others),
        reputation=int(sides_result[winner]["reputation"]),
        against=max((int(sides_result[side]["reputation"]) for side in others), default=0),
        favourite=_named(sides[favourite]),
        gap=standing(favourite) - standing(winner),
        by_forfeit=document["ended_by"] == "forfeit",
        stables={stable.number: side == winner for side, found in sides.items() for stable in found},
    )


def _named(stables: Iterable[Stable]) -> str:
    return " & ".join(stable.name for stable in stables)


def label_of(season: Season, code: str) -> str:
    """Return the name of an individual by its code ("unit:SOL002:1"), with the number of a copy from the second on."""
    kind, key, serial = code.split(":")
    name = isolated(str(definition(season, kind, key)["name"]))
    return name if serial == "1" else f"{name} #{serial}"
