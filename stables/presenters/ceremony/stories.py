"""What the events of a season's matches say of each stable: its best shot, and the luck of its dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.core.cache import cache

from matches.models import Match, MatchAction
from rules.competition.story import Luck, Shot, story_of
from stables.models import Fixture

KEPT = 7 * 24 * 3600
"""Seconds for which the story of a match is kept; its events never change."""

VOID = "void"


@dataclass(frozen=True)
class UnitStory:
    """The luck of a unit in a match, and its best shot; None if no shot brought anything."""

    luck: Luck
    best: Shot | None


@dataclass
class StableStory:
    """The same for a stable over a season. `match` is the id of the match of its best shot; None without one."""

    luck: Luck = field(default_factory=Luck)
    best: Shot | None = None
    match: int | None = None


def stories_of(fixtures: Iterable[Fixture]) -> dict[int, StableStory]:
    """Return the story of each stable by its number, from finished matches whose results count.

    One query for the matches that are not kept, otherwise none. Fetch the fixtures with their matches, results and
    corrections.
    """
    documents = {}
    for fixture in fixtures:
        result = getattr(fixture, "result", None)
        is_played = fixture.match is not None and fixture.match.state == Match.State.FINISHED
        if fixture.match_id is not None and is_played and result is not None and result.current["ended_by"] != VOID:
            documents[fixture.match_id] = result.current
    found: dict[int, StableStory] = {}
    units = _unit_stories({match: _sides_of(document) for match, document in documents.items()})
    for match, document in sorted(documents.items()):
        for name, end in document["units"].items():
            own = found.setdefault(int(end["stable"]), StableStory())
            story = units[match].get(name)
            if story is None:
                continue
            own.luck += story.luck
            if story.best is not None and (own.best is None or story.best.worth[:2] > own.best.worth[:2]):
                own.best, own.match = story.best, match
    return found


Sides = Mapping[str, str]
"""The side of each unit of a match."""


def _sides_of(document: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Sides:
    return {name: end["side"] for name, end in document["units"].items()}


def _unit_stories(sides: Mapping[int, Sides]) -> dict[int, dict[str, UnitStory]]:
    keys = {f"story:{match}": match for match in sides}
    kept: dict[int, dict[str, UnitStory]] = {keys[key]: story for key, story in cache.get_many(keys).items()}
    missing = [match for match in sides if match not in kept]
    if missing:
        events: dict[int, list[Mapping[str, object]]] = {match: [] for match in missing}
        steps = MatchAction.objects.filter(match__in=missing).order_by("match", "sequence")
        for match, batch in steps.values_list("match_id", "events").iterator():
            events[match] += batch
        counted = {match: _read(sides[match], events[match]) for match in missing}
        cache.set_many({f"story:{match}": story for match, story in counted.items()}, KEPT)
        kept |= counted
    return kept


def _read(sides: Sides, events: Iterable[Mapping[str, object]]) -> dict[str, UnitStory]:
    names: dict[str, list[dict[str, str]]] = {}
    for unit, side in sides.items():
        names.setdefault(side, []).append({"id": unit})
    story = story_of({"sides": [{"id": side, "units": units} for side, units in names.items()]}, events)
    best: dict[str, Shot] = {}
    for shot in story.shots:
        brings = shot.reputation > 0 or shot.damage > 0
        if brings and (shot.unit not in best or shot.worth > best[shot.unit].worth):
            best[shot.unit] = shot
    return {unit: UnitStory(story.luck_of_units.get(unit, Luck()), best.get(unit)) for unit in sides}
