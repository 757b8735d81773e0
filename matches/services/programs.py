"""What people's programs may ask of a running match and do in it: the open decision, its answers, playing one of them.

Everybody learns whose decision is open. Only that side learns the question, because it can show what the side holds.
The number of steps would reveal that too, so programs send a version (`seen`) instead. It stays the same while a
rival's answers change nothing visible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.crypto import constant_time_compare

from matches.models import Match, MatchAction
from matches.selectors.engines import engine_at
from matches.selectors.matches import find_match, free_seat, rebuild
from matches.selectors.versions import looking, version_for
from matches.services.matches import play_action
from matches.services.steps import side_of
from rules.competition.forecast import BreakAwayForecast, break_away_forecast
from rules.competition.match import Match as EngineMatch
from rules.competition.order_forecast import OrderForecast, order_forecast
from rules.core.refusals import IllegalAction, Malformed, Refusal, Refused

Action = dict[str, Any]

TRIES = 3
"""How many times an answer is tried when steps that the player cannot see come first."""

ANSWERS_LAST = 3600
"""How many seconds the cache remembers the side that must decide after a step."""

AGREE = "agree"
"""The one order that may be given while another side decides."""


@dataclass(frozen=True)
class Turn:
    """The open decision for a person who plays `sides`.

    `decision` is None unless it is their own, `waiting_for` is None at the end. `side` is the one whose view they get:
    the side that must decide if it is theirs, or their first; None for a person who plays none.
    """

    match: Match
    sides: tuple[str, ...]
    engine: EngineMatch

    @property
    def state(self) -> str:
        return self.match.state

    @property
    def side(self) -> str | None:
        return looking(self.engine, self.sides) if self.sides else None

    @property
    def version(self) -> str:
        return version_for(self.match, self.engine, self.sides)

    @property
    def waiting_for(self) -> str | None:
        decision = self.engine.decision
        return None if decision is None else decision.side

    @property
    def is_own(self) -> bool:
        return self.waiting_for in self.sides

    @property
    def decision(self) -> dict[str, Any] | None:
        decision = self.engine.decision
        return decision.to_json() if decision is not None and self.is_own else None

    @property
    def legal_actions(self) -> list[Action]:
        """Every distinct legal action; none while others decide."""
        return self.engine.legal_actions() if self.is_own else []


@dataclass(frozen=True)
class Stage:
    """The ways to continue a part of an action. They differ in `key`, which is empty when no choice is left.

    `options` holds the part with each possible value of that key. When no choice is left, it holds the one complete
    action, or nothing if no legal action has that part.
    """

    key: str
    options: tuple[Action, ...]


def turn_of(match: Match, sides: tuple[str, ...]) -> Turn:
    """Return the open decision of a match from `find_match` for a person who plays `sides` (1 query).

    Raises Malformed or IllegalAction when the present rules cannot play the match again.
    """
    return Turn(match, sides, rebuild(match))


def stage_of(asked: Turn, part: Mapping[str, Any]) -> Stage:
    """Return the distinct ways to fill in the next key of a part of an action; none while others decide."""
    options = asked.engine.legal_actions(part) if asked.is_own else []
    key = next((name for name in options[0] if name not in part), "") if len(options) > 1 else ""
    return Stage(key, tuple(options))


def problems_of(asked: Turn, action: Mapping[str, Any]) -> list[Refusal]:
    """Return why an action cannot be played now; empty when it can.

    A person who may not play it gets one refusal that does not reveal the question.
    """
    try:
        side = _require_theirs(asked, action)
        found = _require_asked(asked.engine, side, action)
        return asked.engine.check(found)
    except (Refused, Malformed) as refused:
        return [Refusal(refused.code, refused.parameters)]


def outlook_of(asked: Turn, action: Mapping[str, Any]) -> tuple[OrderForecast | None, BreakAwayForecast | None]:
    """Return what an action without problems can bring, and the die to break away that comes first.

    Each is None where the action has none; both are for orders that answer no question, such as surrender.
    """
    if not asked.is_own:
        return None, None
    try:
        asked.engine.read(action)
    except IllegalAction:
        return None, None
    return order_forecast(asked.engine, action), break_away_forecast(asked.engine, action)


def play_at_version(match: Match, sides: tuple[str, ...], seen: str, action: Mapping[str, Any]) -> Match:
    """Play an action for the player of `sides` who has seen the version `seen`, and return the match from `find_match`.

    The version is compared, not the last step, because a refusal must not reveal a step that the player cannot see.
    Call it outside transactions. Raises Http404, Refused (match_over, seat_open, stale_action, not_your_unit,
    back_against_people), IllegalAction (others_decide and those of the engine), Malformed; then nothing has changed.
    """
    for _ in range(TRIES):
        now = turn_of(find_match(match.public_id), sides)
        side = _require_theirs(now, action)
        if not constant_time_compare(seen, now.version):
            break
        found = _require_asked(now.engine, side, action)
        try:
            play_action(match.pk, side, now.match.last_sequence, found)
        except Refused as refused:
            if refused.code != "stale_action":
                raise
        else:
            return find_match(match.public_id)
    raise Refused("stale_action")


def _require_theirs(asked: Turn, action: Mapping[str, Any]) -> str:
    """Return the side of an action, which must be one of theirs.

    Raises Refused (match_over, seat_open, not_your_unit).
    """
    if asked.match.is_over:
        raise Refused("match_over")
    if free_seat(asked.match) is not None:
        raise Refused("seat_open")
    side = side_of(asked.match.setup, action)
    if side not in asked.sides or action.get("order") == "time_up":
        raise Refused("not_your_unit", unit=action.get("unit"), side=asked.side)
    return side


def _require_asked(engine: EngineMatch, side: str, action: Mapping[str, Any]) -> Action:
    """Return a copy of the action.

    The engine's own refusal would name the unit that must decide, which reveals too much. Raises IllegalAction
    (others_decide) when another side decides, except to agree.
    """
    decision = engine.decision
    if decision is not None and decision.side != side and action.get("order") != AGREE:
        raise IllegalAction("others_decide", side=decision.side)
    return dict(action)


def waiting_sides(matches: Sequence[Match]) -> dict[int, str]:
    """Return the side whose decision is open in each of these matches, by their ids; empty in finished ones.

    One query for all matches that are not cached, none if all are.
    """
    keys = {match.pk: f"matches.waiting:{match.public_id}:{match.last_sequence}" for match in matches}
    known = cache.get_many([keys[match.pk] for match in matches if not match.is_over])
    found = {match.pk: "" if match.is_over else known.get(keys[match.pk]) for match in matches}
    missing = [match for match in matches if found[match.pk] is None]
    if missing:
        actions: dict[int, list[Any]] = {match.pk: [] for match in missing}
        rows = MatchAction.objects.filter(match__in=missing, sequence__gt=0).order_by("match", "sequence")
        last = {match.pk: match.last_sequence for match in missing}
        for pk, sequence, action in rows.values_list("match", "sequence", "action"):
            if sequence <= last[pk]:
                actions[pk].append(action)
        for match in missing:
            decision = engine_at(match.public_id, match.setup, bytes(match.seed), actions[match.pk]).decision
            found[match.pk] = "" if decision is None else decision.side
        cache.set_many({keys[match.pk]: found[match.pk] for match in missing}, ANSWERS_LAST)
    return {pk: side or "" for pk, side in found.items()}
