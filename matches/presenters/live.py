"""What has happened in a match since a reader looked: the one stream for the page of play, for programs and watchers.

All readers get the events that they may see, with the sentences of the pages. The cursor says what a reader has seen:
the number of those events, and the version of everything else they see (`matches.selectors.versions.version_for`). It
changes only when something changes that they can see, so it reveals no other steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.core.cache import cache

from matches.host import Surroundings
from matches.models import Match, MatchAction
from matches.presenters.attacks import AttackView, attack_view
from matches.presenters.match import SHOWN_AT_ONCE, scored_by
from matches.selectors.matches import being_played, events_of, free_seat, rebuild
from matches.selectors.sides import SideView, names_in, side_views
from matches.selectors.versions import version_for
from matches.text.match import word
from rules import wording
from rules.competition.replay import snapshots_at
from rules.competition.setups import read_setup
from rules.core.digits import whole_number
from rules.core.refusals import Malformed
from web.languages.reader import translate

VERSIONS_LAST = 3600
"""How many seconds the version of a step is cached."""

MOST_AT_ONCE = 500
"""The most events of one answer; readers who lack more ask again at once."""
UNFINISHED = "0" * 12
"""The version for a reader who has not got all events yet. No match has it, so that the next answer brings more."""

SEEN_BY_ALL = "all"
Sides = tuple[str, ...]


@dataclass(frozen=True)
class LiveEvent:
    """An event for its reader. `number` counts, from 1, the events that they may see.

    `answered` is the MatchAction.Cause if the event's action was not its player's own; empty if it was, or if the
    reader may not know. `explanation` is the arithmetic of an attack, None for other events.
    """

    number: int
    facts: Mapping[str, Any]
    sentence: str
    answered: str
    explanation: AttackView | None

    @property
    def event(self) -> str:
        """The kind of event."""
        return str(self.facts["event"])


@dataclass(frozen=True)
class _Visible:
    facts: Mapping[str, Any]
    answered: str


@dataclass(frozen=True)
class News:
    """What is new for the player of `sides`, which are empty for a watcher. The events are read only on demand.

    A player sends `version` with an action, to say what they have seen.
    """

    match: Match
    sides: Sides
    version: str
    seen: int

    @cached_property
    def _visible(self) -> list[_Visible]:
        return _visible(self.match, self.sides)

    @cached_property
    def events(self) -> list[LiveEvent]:
        """The first new events, MOST_AT_ONCE at most (2 queries at most)."""
        return list(tell_events(self.match, self.sides, self._visible, self.seen, MOST_AT_ONCE))

    @property
    def has_more(self) -> bool:
        """Whether there are more new events than one answer holds."""
        return self.seen + len(self.events) < len(self._visible)

    @property
    def cursor(self) -> str:
        """The cursor of a reader who has seen these events."""
        shown = min(self.seen, len(self._visible)) + len(self.events)
        return f"{shown}.{UNFINISHED if self.has_more else self.version}"


def news(match: Match, sides: Sides, cursor: str) -> News | None:
    """Return what is new in a match from `find_match` since `cursor`, None when nothing is.

    One query if the version is not cached, otherwise none. A reader who has seen nothing has an empty cursor. The page
    of play, which is drawn again as a whole, sends only the version. An unreadable cursor counts as empty.
    """
    count, _, seen = cursor.rpartition(".")
    version = version_of(match, sides)
    if seen == version:
        return None
    return News(match, sides, version, whole_number(count, 9) or 0)


def version_of(match: Match, sides: Sides) -> str:
    """Return the version of what the player of `sides` can see of a match from `find_match`; at most one query."""
    state = f"{free_seat(match) is None}:{match.is_over}"
    key = f"matches.version:{match.public_id}:{match.last_sequence}:{'+'.join(sides)}:{state}"
    return str(cache.get_or_set(key, lambda: version_for(match, rebuild(match), sides), VERSIONS_LAST))


def cursor_of(match: Match, sides: Sides) -> str:
    """Return the cursor of a reader who has seen everything so far; 2 queries at most."""
    return f"{count_of(match, sides)}.{version_of(match, sides)}"


def may_see(event: Mapping[str, Any], match: Match, sides: Sides) -> bool:
    """Return whether the player of `sides` may see an event; after the end everybody may see all events."""
    seen_by = event.get("see", SEEN_BY_ALL)
    return match.is_over or seen_by == SEEN_BY_ALL or seen_by in sides


def count_of(match: Match, sides: Sides) -> int:
    """Return how many events the player of `sides` may see by now (1 query)."""
    return len(_visible(match, sides))


def events_after(match: Match, sides: Sides, number: int, most: int) -> tuple[list[LiveEvent], int]:
    """Return at most `most` events after the one with `number`, and how many are visible in all (2 queries at most)."""
    visible = _visible(match, sides)
    return list(tell_events(match, sides, visible, number, most)), len(visible)


def _visible(match: Match, sides: Sides) -> list[_Visible]:
    """Return the events that the player of `sides` may see, in order; one query.

    They end at the last step of `match` as it was read, so that cursor and events belong to one moment.
    """
    rows = match.actions.filter(sequence__lte=match.last_sequence).order_by("sequence")
    found = []
    for side, cause, events in rows.values_list("side", "cause", "events"):
        is_shown = cause and (match.is_over or side in sides or cause in SHOWN_AT_ONCE)
        found += [
            _Visible(event, str(MatchAction.Cause(cause)) if is_shown else "")
            for event in events
            if may_see(event, match, sides)
        ]
    return found


def tell_events(match: Match, sides: Sides, visible: Sequence[_Visible], after: int, most: int) -> Iterator[LiveEvent]:
    """Yield at most `most` `visible` events after number `after`, with sentences and attacks; 1 query at most."""
    chosen = visible[after : after + most]
    if not chosen:
        return
    names = names_for(match, sides)
    for number, each in enumerate(chosen, start=after + 1):
        attack = None
        if each.facts["event"] == "attack_resolved" and each.facts.get("why"):
            scored = scored_by(each.facts, (later.facts for later in visible[number:]))
            attack = attack_view(each.facts, scored, names)
        yield LiveEvent(number, each.facts, wording.event_sentence(each.facts, names, translate), each.answered, attack)


def names_for(match: Match, sides: Sides) -> dict[str, str]:
    """Return the names that the player of `sides` may know, by ids; at most one query."""
    if match.is_over:
        return names_in(match.setup)
    engine = rebuild(match)
    names: dict[str, str] = {}
    for side in sides or (None,):
        names |= names_in(engine.observe(side).setup)
    return names


@dataclass(frozen=True)
class InPlay:
    """A match being played as a list shows it. `standings` are the sides with their reputation and kills.

    `round` is None before the first one, and when the present rules cannot read the match.
    """

    match: Match
    moved_at: datetime
    round: int | None
    standings: tuple[tuple[SideView, int, int], ...]

    @property
    def format(self) -> str:
        """The name of the match's format."""
        return word(self.match.setup["format"])


def in_play(user: Any) -> list[InPlay]:
    """Return the matches being played that a list may show a person; three queries at most, and those of the hosts.

    The position of a step is cached.
    """
    matches = being_played(user)
    keys = {match.pk: f"matches.in_play:{match.pk}:{match.last_sequence}" for match in matches}
    known = cache.get_many(keys.values())
    missing = [match for match in matches if keys[match.pk] not in known]
    events = events_of(missing)
    new = {keys[match.pk]: _stand(match, events[match.pk]) for match in missing}
    if new:
        cache.set_many(new, VERSIONS_LAST)
    return [_in_play(match, {**known, **new}[keys[match.pk]]) for match in matches]


def _stand(match: Match, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the round, and reputation and kills by side; nothing when the present rules cannot read the match."""
    try:
        (snapshot,) = snapshots_at(read_setup(match.setup), events, [len(events)])
    except Malformed:
        return {}
    return {key: snapshot.get(key) for key in ("round", "reputation", "kills")}


def _in_play(match: Match, stand: Mapping[str, Any]) -> InPlay:
    reputation, kills = stand.get("reputation") or {}, stand.get("kills") or {}
    sides = side_views(match, Surroundings())
    standings = tuple((side, reputation.get(side.key, 0), kills.get(side.key, 0)) for side in sides)
    return InPlay(match, match.moved_at, stand.get("round") or None, standings)  # type: ignore[attr-defined]
