"""The page on which people play: the open decision, the answer as far as it is chosen, and what they may see.

Everything shown comes from what the engine lets a side observe. Choosing changes nothing: the answers so far stand in
the address, and only the last step is played (`matches.views.play`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from catalogue.presenters.arena_picture import HexView, centre
from catalogue.presenters.miniatures import Miniature
from matches.host import Surroundings, surroundings_of
from matches.models import Match, MatchAction
from matches.presenters import questions
from matches.presenters.board import BoardView, build_board
from matches.presenters.choosing import Choosing, choosing_of
from matches.presenters.dials import UnitSheet, unit_sheets
from matches.presenters.match import SHOWN_AT_ONCE, Aside, EventView, event_views, own_attack
from matches.presenters.miniatures import miniatures_in
from matches.presenters.proposals import Answers
from matches.presenters.replaying.playback import Playback, playback_of, played_from
from matches.presenters.time_banks import Thinking, thinking_of
from matches.presenters.zoom import Zoom, zoom_to
from matches.selectors.sides import SideView, names_in, side_views
from matches.selectors.versions import looking, version_for
from matches.services.taking_back import answers_to_take_back
from matches.text import match as words
from rules.competition.match import Match as EngineMatch
from rules.competition.measures import Measured, measure, threatened
from rules.competition.observation import Observation
from rules.competition.replay import last_hexes
from rules.core.refusals import Malformed
from rules.wording import sentence
from rules.wording.isolation import isolated
from web.languages.reader import translate


@dataclass(frozen=True)
class Card:
    """A rally card of the player's own side, played or not."""

    name: str
    text: str
    is_played: bool


@dataclass(frozen=True)
class Measuring:
    """What the reader measures on the board: a line of fire between two hexes, and where a unit could be attacked.

    `start` and `end` are the hexes in the form, `answers` the choices so far (name, value). `found` is None before two
    hexes are given, and when `problem` says what is wrong with them. `line` are its two ends (x, y, x, y), `between`
    the names of units between them. `threat` are the hexes in which an opponent could attack `unit` now, None before
    the reader asks (`threat_url`).
    """

    answers: tuple[tuple[str, str], ...]
    start: str
    end: str
    found: Measured | None
    problem: str
    line: tuple[float, ...]
    between: tuple[str, ...]
    unit: str
    threat: tuple[HexView, ...] | None
    threat_url: str


@dataclass(frozen=True)
class PlayPage:
    """The page of play. `side` is the one whose view the reader gets; `waiting` must decide, None at the end.

    `choosing` is None while others decide and at the end, `thinking` without a time limit and at the end. `last_round`
    is None in a match that only a clock limits. `standings` are (side, reputation, kills). `seen` goes into the forms,
    to show at which step they were made. `zoom` is the part of a large ground that the decision is about, None without
    one; the reader of an `is_overview` sees the whole.
    `playback` is what happened `since` the last decision, of two rounds at most, None while an answer is being chosen.
    `own_attack` says what the reader's last attack did since then, "" without one and while an answer is being chosen.
    """

    match: Match
    title: str
    surroundings: Surroundings
    sides: tuple[SideView, ...]
    side: SideView
    is_hot_seat: bool
    waiting: SideView | None
    choosing: Choosing | None
    round: int
    last_round: int | None
    phase: str
    standings: tuple[tuple[SideView, int, int], ...]
    board: BoardView
    measuring: Measuring
    zoom: Zoom | None
    is_overview: bool
    sheets: tuple[UnitSheet, ...]
    miniatures: Mapping[str, Miniature]
    hand: tuple[Card, ...]
    since: tuple[EventView, ...]
    playback: Playback | None
    own_attack: str
    this_round: Sequence[EventView]
    agreed: tuple[SideView, ...]
    may_agree: bool
    is_leaving: bool
    thinking: Thinking | None
    is_in_season: bool
    decision_kind: str
    decision_unit: str
    version: str
    may_take_back: bool

    @property
    def outcome(self) -> str:
        """How a finished match ended for a person who plays one side of it: "won" or "lost"; otherwise empty."""
        if self.is_hot_seat or not any(view.won for view in self.sides):
            return ""
        return "won" if self.side.won else "lost"

    @property
    def ending(self) -> str:
        """Why a finished match ended as it did; empty before, and for one that was not played to its end."""
        return words.ending(self.match.result, any(view.won for view in self.sides)) if self.match.result else ""

    @property
    def may_finish(self) -> bool:
        """Whether only bots play against the reader, who may then give the rest to the AI."""
        others = [seat for seat in self.match.seats.all() if seat.side != self.side.key]
        return bool(others) and all(seat.bot for seat in others)


def play_page(
    match: Match,
    engine: EngineMatch,
    sides: tuple[str, ...],
    answers: Answers,
    is_leaving: bool = False,
    is_overview: bool = False,
    ruler: tuple[str, str] = ("", ""),
    is_threat: bool = False,
) -> PlayPage:
    """Return the page of the player of `sides`, at least one, in a match from `find_match`.

    `engine` is the match at its last step, and `answers` are the choices so far, by question. `ruler` are two hexes.
    `is_threat` says that the reader asks where their unit could be attacked.
    """
    side, version = looking(engine, sides), version_for(match, engine, sides)
    observed = engine.observe(side)
    names = names_in(observed.setup)
    surroundings = surroundings_of(match)
    views = {view.key: view for view in side_views(match, surroundings)}
    choosing = choosing_of(engine, observed, names, answers, version, is_overview) if observed.decision else None
    miniatures = miniatures_in(match, surroundings, views.values())
    snapshot = observed.snapshot
    batches = engine.events
    everything = [event for batch in batches for event in batch]
    causes = _causes_of(match)
    since, this_round = _news(engine, batches, match, sides, causes)
    first = played_from(everything, since.first)
    owners = {unit: views[state["side"]] for unit, state in snapshot["units"].items()} | views
    agreed = engine.table.position.agreed
    played = {card for _, _, card, _ in engine.table.position.rallies}
    board = build_board(
        observed.setup["arena"],
        snapshot,
        observed.setup["sides"],
        _fallen(batches, snapshot),
        path=choosing.path if choosing else (),
    )
    return PlayPage(
        match=match,
        title=gettext("Play: %(sides)s") % {"sides": " – ".join(view.name for view in views.values())},
        surroundings=surroundings,
        sides=tuple(views.values()),
        side=views[side],
        is_hot_seat=len(sides) > 1,
        waiting=views[observed.waiting_for] if observed.waiting_for else None,
        choosing=choosing,
        round=snapshot["round"],
        last_round=engine.table.roster.last_round,
        phase=words.heading(words.PHASES, snapshot["phase"]),
        standings=tuple((view, snapshot["reputation"][key], snapshot["kills"][key]) for key, view in views.items()),
        board=board,
        measuring=_measuring(engine, observed, side, names, board, answers, ruler, is_threat),
        zoom=zoom_to(board, choosing.overlay) if choosing else None,
        is_overview=is_overview,
        sheets=_sheets(observed, sides, miniatures),
        miniatures=miniatures,
        hand=tuple(
            Card(isolated(card["name"]), questions.card_text(card), card["id"] in played)
            for own in observed.setup["sides"]
            if own["id"] == side
            for loadout in own["units"]
            for card in loadout["hand"]
        ),
        since=tuple(event_views(since.events, names, since.asides, owners, since.round)),
        playback=None if answers else playback_of(match.setup, everything, first, board, names),
        own_attack="" if answers else own_attack(since.events, {key for key in owners if owners[key] is views[side]}),
        # A part does not show it.
        this_round=cast(
            "Sequence[EventView]",
            SimpleLazyObject(
                lambda: tuple(event_views(this_round.events, names, this_round.asides, owners, this_round.round))
            ),
        ),
        agreed=tuple(
            view
            for number, name in enumerate(engine.table.roster.sides)
            if agreed >> number & 1
            for view in [views[name]]
        ),
        may_agree=engine.decision is not None and not agreed >> engine.table.roster.side_of_name[side] & 1,
        is_leaving=is_leaving,
        thinking=thinking_of(match, engine, sides, {view.key: view.name for view in views.values()}),
        is_in_season=match.fixture_key is not None,
        decision_kind=observed.decision["kind"] if observed.decision else "",
        decision_unit=observed.decision["unit"] if observed.decision else "",
        version=version,
        may_take_back=answers_to_take_back(match, engine, side, surroundings, causes) is not None,
    )


def _measuring(
    engine: EngineMatch,
    observed: Observation,
    side: str,
    names: Mapping[str, str],
    board: BoardView,
    answers: Answers,
    ruler: tuple[str, str],
    is_threat: bool,
) -> Measuring:
    units = observed.snapshot["units"]
    standing = [key for key, state in units.items() if state["side"] == side and state["hex"]]
    asked = observed.decision["unit"] if observed.decision else ""
    unit = asked if asked in standing else next(iter(standing), "")
    start, end = ruler[0].strip() or (units[unit]["hex"] if unit else ""), ruler[1].strip()
    found, problem = None, ""
    if end:
        try:
            found = measure(engine, start, end)
        except Malformed as refused:
            problem = sentence(refused.code, refused.parameters, translate)
    hexes = {view.code: view for view in board.hexes}
    return Measuring(
        answers=tuple(answers.items()),
        start=start,
        end=end,
        found=found,
        problem=problem,
        line=(*centre(start), *centre(end)) if found else (),
        between=tuple(names[key] for key in found.units) if found else (),
        unit=names[unit] if unit else "",
        threat=tuple(hexes[code] for code in threatened(engine, unit)) if is_threat and unit else None,
        threat_url="?" + urlencode({**answers, "threat": "now"}),
    )


def side_to_hand_over(match: Match, engine: EngineMatch, sides: tuple[str, ...]) -> str:
    """Return the side whose person must be at the screen before a page may show its hand; empty if none need be.

    That matters only when one account plays several sides, somebody brought rally cards, and the match is not over.
    """
    has_hands = any(loadout.get("hand") for side in match.setup["sides"] for loadout in side["units"])
    return looking(engine, sides) if len(sides) > 1 and has_hands and engine.decision is not None else ""


def hand_over_context(match: Match, engine: EngineMatch, sides: tuple[str, ...], side: str) -> dict[str, Any]:
    """Return the context of the page between two people at one screen, without the position and the hands.

    It has the match, the `side` that comes next, and the version of the page.
    """
    views = {view.key: view for view in side_views(match, surroundings_of(match))}
    return {"match": match, "side": views[side], "version": version_for(match, engine, sides)}


@dataclass(frozen=True)
class _News:
    """Events from the place `first` on, who or what answered each action, by the place of its first event.

    `round` is the one in which they begin.
    """

    first: int
    round: int
    events: list[dict[str, Any]]
    asides: dict[int, Aside]


Causes = Mapping[int, tuple[str, MatchAction.Cause]]
"""The side and the cause of each step that was answered without its player, by the step's number."""


def _causes_of(match: Match) -> Causes:
    """Return the causes of a match (1 query)."""
    rows = match.actions.exclude(cause="").values_list("sequence", "side", "cause")
    return {number: (side, MatchAction.Cause(cause)) for number, side, cause in rows}


def _news(
    engine: EngineMatch, batches: list[list[dict[str, Any]]], match: Match, sides: tuple[str, ...], causes: Causes
) -> tuple[_News, _News]:
    """Return the events since the last answer of the player's side, with that answer, and the events of this round."""
    side = looking(engine, sides)
    owner = {loadout["id"]: each["id"] for each in match.setup["sides"] for loadout in each["units"]}
    own = (
        number
        for number, action in enumerate(engine.actions, start=1)
        if owner.get(action.get("unit", "")) == side and number not in causes
    )
    last = max(own, default=0)
    starts = [0]
    for batch in batches:
        starts.append(starts[-1] + len(batch))
    everything = [event for batch in batches for event in batch]
    asides = {
        starts[number]: Aside(engine.actions[number - 1].get("unit", ""), words.cause_text(cause))
        for number, (who, cause) in causes.items()
        if batches[number] and (match.is_over or who in sides or cause in SHOWN_AT_ONCE)
    }
    begins = max((number for number, event in enumerate(everything) if event["event"] == "round_began"), default=0)
    return _from(everything, asides, starts, starts[last]), _from(everything, asides, starts, begins)


def _from(events: list[dict[str, Any]], asides: dict[int, Aside], starts: list[int], first: int) -> _News:
    """Return the events from the place `first` on. A step without an aside ends the aside of the step before it."""
    shown = {start - first: asides.get(start, Aside("", "")) for start in starts if start >= first}
    number = next((event["round"] for event in reversed(events[:first]) if event["event"] == "round_began"), 0)
    return _News(first, number, events[first:], shown)


def _fallen(batches: list[list[dict[str, Any]]], snapshot: dict[str, Any]) -> dict[str, str]:
    """Return the last hex of each eliminated unit."""
    stood = last_hexes(event for batch in batches for event in batch)
    return {key: stood[key] for key, unit in snapshot["units"].items() if unit["eliminated"] and key in stood}


def _sheets(
    observed: Observation, sides: tuple[str, ...], miniatures: Mapping[str, Miniature]
) -> tuple[UnitSheet, ...]:
    """Return the dials, with those of the reader's sides first.

    Those of a person who plays several sides keep their places from turn to turn.
    """
    own = {unit for unit, state in observed.snapshot["units"].items() if state["side"] in sides}
    sheets = unit_sheets(observed.setup, observed.snapshot, True, miniatures)
    return tuple(sorted(sheets, key=lambda sheet: sheet.id not in own))
