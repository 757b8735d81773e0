"""A match: the one class that everything outside the engine talks to.

    match = Match.start(setup, SeededDice(seed))
    while match.decision:
        match.play(match.sample_action(rng))
    match.result

Actions are JSON documents. `check`, `read` and `play` share one checker.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from rules.competition.observation import MatchView, Observation, observe, possible_table
from rules.competition.phases.rounds import prepare
from rules.competition.setups import roster_of
from rules.competition.stages import next_stage
from rules.competition.state import reading
from rules.competition.state.encoding import EventCodec
from rules.competition.state.event_kinds import Event
from rules.competition.state.events import AGREED, TIME_UP
from rules.competition.state.match_state import Choice, MatchState
from rules.competition.state.position import Position
from rules.competition.state.roster import Roster
from rules.competition.state.setup import MatchSetup
from rules.competition.state.snapshot import snapshot_of
from rules.competition.taking_back import ReturnPoint, ReturnPoints
from rules.competition.units.rally import refuse_untimely_rally
from rules.competition.units.scoring import MatchResult, result_of, surrender
from rules.core.dice import Dice
from rules.core.refusals import IllegalAction, Malformed, Refusal
from rules.core.shape_checks import shown

Action = dict[str, Any]


@dataclass(frozen=True)
class Decision:
    """The question that is open: who decides (`side`, for `unit`), what (`kind`), and what they must know (`why`).

    `owner` is the stable that decides when two share a side (Q-168). It is None when the setup names no stables, and
    for decisions that a side takes as one.
    """

    kind: str
    unit: str
    side: str
    why: Mapping[str, Any]
    owner: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the decision JSON-ready; `owner` is left out when it is None."""
        document = {"kind": self.kind, "unit": self.unit, "side": self.side, "why": dict(self.why)}
        return document if self.owner is None else {**document, "owner": self.owner}


class Match:
    """A match in play. Bad actions change nothing: `play` raises IllegalAction or Malformed (codes: docs/refusals.md).

    In examples of docstrings `match` is a duel of `red` and `blue` that has just begun (docs/engine.md builds it).
    """

    def __init__(self, table: MatchState) -> None:
        self._table = table
        self._codec = EventCodec(table.roster)
        self._actions: list[Action] = []
        self._marks: list[int] = []
        self._points = ReturnPoints()
        table.advance()
        self._marks.append(len(table.log or ()))

    @classmethod
    def start(cls, setup: MatchSetup, dice: Dice, *, recording: bool = True) -> Match:
        """Begin a match with its setup rolls, without events unless `recording`. Raises Malformed (unknown_format)."""
        roster = roster_of(setup)
        return cls.at(roster, dice, recording=recording)

    @classmethod
    def at(cls, roster: Roster, dice: Dice, *, recording: bool = True) -> Match:
        """Begin a match with a roster that is already compiled."""
        position = Position.empty(len(roster.fighters), len(roster.sides))
        log: list[Event] | None = [] if recording else None
        table = MatchState(roster, position, dice, log)
        table.push((prepare,))
        return cls(table)

    @classmethod
    def of_table(cls, table: MatchState) -> Match:
        """Return a match that goes on from a table set up by hand (scenarios)."""
        return cls(table)

    @classmethod
    def replay(cls, setup: MatchSetup, dice: Dice, actions: Iterable[Mapping[str, Any]]) -> Match:
        """Play recorded actions again: same setup and dice, same events. Raises what `start` and `play` raise."""
        match = cls.start(setup, dice)
        for action in actions:
            match.play(action)
        return match

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def table(self) -> MatchState:
        """The engine's own state, for bots and play-outs; pages use `snapshot`."""
        return self._table

    @property
    def setup(self) -> MatchSetup:
        """The setup that the match started from."""
        return self._table.roster.setup

    @property
    def decision(self) -> Decision | None:
        """The open decision, None when the match is over.

        >>> match.decision.side, match.decision.kind, match.decision.why
        ('red', 'start', {'hexes': ['0302', '0914']})
        """
        table = self._table
        if table.open is None:
            return None
        kind, unit, data = table.open
        fighter = table.fighter(unit)
        side = table.roster.sides[fighter.side]
        owner = None if kind.is_for_side else fighter.owner
        return Decision(kind.name, fighter.name, side, kind.why(table, unit, data), owner)

    @property
    def result(self) -> MatchResult | None:
        """The result, None before the end."""
        return result_of(self._table)

    @property
    def actions(self) -> list[Action]:
        """The actions played so far, in a copy those since `copy`. Without recording `play_choice` adds none."""
        return list(self._actions)

    @property
    def events(self) -> list[list[dict[str, Any]]]:
        """Events by action: first the opening ones, then those of each action. Without recording the lists are empty.

        >>> _ = match.play(match.default_action())
        >>> [[event["event"] for event in batch] for batch in match.events]
        [['match_started', 'setup_rolled', 'setup_rolled', 'first_side'], ['unit_placed']]
        """
        log = self._table.log or []
        starts = [0, *self._marks[:-1]]
        return [self._codec.encode_all(log[start:end]) for start, end in zip(starts, self._marks, strict=True)]

    def snapshot(self) -> dict[str, Any]:
        """Return the visible state, JSON-ready."""
        return snapshot_of(self._table)

    def observe(self, side: str | None) -> Observation:
        """Return what `side` may see now, None for a spectator. Raises KeyError for an unknown side.
        >>> match.observe("blue").decision, match.observe("blue").waiting_for
        (None, 'red')
        """
        decision = self.decision
        events = [event for batch in self.events for event in batch]
        view = MatchView(decision.to_json() if decision is not None else None, self.snapshot(), events)
        return observe(self._table, view, side)

    def copy(self, dice: Dice) -> Match:
        """Return an independent match at the same point, with other dice, no earlier actions and no events at all."""
        twin = Match.__new__(Match)
        twin._table = self._table.copy(dice)
        twin._codec = self._codec
        twin._actions = []
        twin._marks = [0]
        twin._points = ReturnPoints()
        return twin

    def clone(self) -> Match:
        """Return an independent match at the same point that goes on as this one would, with a copy of its dice.

        >>> twin = match.clone()
        >>> _ = twin.play(twin.default_action())
        >>> len(twin.actions), len(match.actions)
        (1, 0)
        """
        table = self._table
        twin = self.copy(copy(table.dice))
        twin._table.log = None if table.log is None else table.log[:]
        twin._actions, twin._marks = self._actions[:], self._marks[:]
        twin._points = self._points.copy()
        return twin

    # --- deciding -----------------------------------------------------------------------------------------------

    def legal_actions(self, stage: Mapping[str, Any] | None = None) -> list[Action]:
        """Return every distinct legal answer to the open decision, each with a path of the engine's choosing.

        Surrender and agreement are not listed. With `stage`, keys of an action (`{}` to begin), return it with each
        value of the next key in which agreeing actions differ, or the one action. [] when none agrees or play is over.

        >>> len(match.legal_actions()), match.legal_actions()[0]
        (24, {'unit': 'red', 'choose': 'start', 'hex': '0302', 'facing': 0})
        >>> match.legal_actions({})[:2]
        [{'facing': 0}, {'facing': 1}]
        """
        table = self._table
        if table.open is None:
            return []
        kind, unit, data = table.open
        name = table.fighter(unit).name
        actions = [
            {"unit": name, **kind.write(table, unit, data, choice)} for choice in kind.options(table, unit, data)
        ]
        return actions if stage is None else next_stage(actions, stage)

    def sample_action(self, rng: random.Random) -> Action:
        """Return a random legal action; each of `legal_actions` has a chance, except a run that enters no hex."""
        table = self._table
        assert table.open is not None, "the match is over"
        kind, unit, data = table.open
        return self.action_of(kind.sample(table, unit, data, rng))

    def default_action(self) -> Action:
        """Return the action for an owner who does not answer: pass or keep if possible, or the first option."""
        table = self._table
        assert table.open is not None, "the match is over"
        kind, unit, data = table.open
        return self.action_of(kind.default(table, unit, data))

    def steps_to_take_back(self, side: str) -> list[int]:
        """Return the numbers of a side's answers that it may take back now with all after them, the oldest first."""
        return self._points.steps_of(self._table.roster.side_of_name[side])

    def check(self, action: Mapping[str, Any]) -> list[Refusal]:
        """Return the first problem of an action in a list, [] when it is legal. Raises Malformed for an unreadable one.

        >>> [refusal.code for refusal in match.check({"unit": "red", "order": "pass"})]
        ['other_decision']
        """
        try:
            self._read(action)
        except IllegalAction as refused:
            return [refused.refusal]
        return []

    def play(self, action: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Play one action, go on to the next decision, and return the new events; [] without recording.

        Raises IllegalAction with the first problem, or Malformed; then nothing has changed.

        >>> [event["event"] for event in match.play({"unit": "red", "choose": "start", "hex": "0302", "facing": 6})]
        ['unit_placed']
        """
        table = self._table
        special, choice, written = self._read(action)
        if special == "take_back":
            (point,) = choice
            assert isinstance(point, ReturnPoint)
            self._points.take_back(table, point)
            return self._finish(written)
        before = self._points.before(table, len(self._actions) + 1)
        if special == "surrender":
            assert table.open is not None
            kind, unit, data = table.open
            table.open = None
            (side,) = choice
            assert isinstance(side, int)
            surrender(table, side)
            if table.position.outcome is None:
                kind.abandon(table, unit, data)
                table.advance()
        elif special == "agree":
            table.emit(AGREED, choice[0])
        elif special == "time_up":
            table.emit(TIME_UP)
        else:
            table.answer(choice)
        self._points.after(table, before if special is None else None)
        return self._finish(written)

    def action_of(self, choice: Choice) -> Action:
        """Return the JSON form of a choice for the open decision."""
        return written_at(self._table, choice)

    def read(self, action: Mapping[str, Any]) -> tuple[Choice, Action]:
        """Check an answer to the open decision; return the choice that it makes, and how `action_of` writes it.

        Raises what `play` raises, and IllegalAction("other_decision") for surrender, agreement and the clock, which
        answer no question.
        """
        special, choice, written = self._read(action)
        if special is not None:
            assert self._table.open is not None
            raise IllegalAction("other_decision", given=special, expected=self._table.open[0].name)
        return choice, written

    def choice_in(self, written: Action) -> Choice:
        """Check and return the choice that `action_of` wrote down for the open decision.

        `written` must come from `action_of`: any other document may raise any error. Raises IllegalAction.
        """
        table = self._table
        assert table.open is not None, "the match is over"
        kind, unit, data = table.open
        choice: Choice = kind.read(table, unit, data, written)
        problems = kind.problems(table, unit, data, choice)
        if problems:
            raise IllegalAction(problems[0].code, **problems[0].parameters)
        return choice

    def play_choice(self, choice: Choice, written: Action | None = None) -> None:
        """Play a choice that a bot made at the table: trusted to be legal, recorded unless the match keeps no events.

        `written` is its JSON form from `action_of`, if the caller has it already.
        """
        if self._table.log is None:
            self._table.answer(choice)
            return
        action = self.action_of(choice) if written is None else written
        before = self._points.before(self._table, len(self._actions) + 1)
        self._table.answer(choice)
        self._points.after(self._table, before)
        self._actions.append(action)
        self._marks.append(len(self._table.log))

    def _finish(self, action: Action) -> list[dict[str, Any]]:
        log = self._table.log
        start = self._marks[-1]
        self._actions.append(action)
        self._marks.append(len(log) if log is not None else 0)
        return self._codec.encode_all(log[start:]) if log is not None else []

    def _read(self, action: Mapping[str, Any]) -> tuple[str | None, Choice, Action]:
        """Read and check an action; return its order if that is no answer, its choice, and its canonical JSON."""
        if not isinstance(action, Mapping):
            raise Malformed("bad_action", problem="wrong_type", value=shown(action), expected="object")
        table = self._table
        if table.open is None:
            raise IllegalAction("match_over")
        order = action.get("order")
        if order == "time_up":
            reading.only(action, "order")
            return "time_up", (), {"order": "time_up"}
        named = action.get("unit")
        if not isinstance(named, str) or named not in table.roster.unit_of:
            raise Malformed("unknown_unit", unit=named)
        unit = table.roster.unit_of[named]
        if order in ("agree", "surrender", "take_back"):
            return self._read_unasked(order, unit, action)
        kind, asked, data = table.open
        refuse_untimely_rally(table, unit, action)
        if unit != asked and not (kind.is_for_side and table.roster.side_of[unit] == table.roster.side_of[asked]):
            raise IllegalAction("not_your_decision", unit=named, expected=table.fighter(asked).name)
        reading.require_form(action, kind.name)
        choice = kind.read(table, asked, data, action)
        problems = kind.problems(table, asked, data, choice)
        if problems:
            raise IllegalAction(problems[0].code, **problems[0].parameters)
        return None, choice, {"unit": named, **kind.write(table, asked, data, choice)}

    def _read_unasked(self, order: str, unit: int, action: Mapping[str, Any]) -> tuple[str, Choice, Action]:
        """Read an order that a unit gives without being asked, as `_read` does."""
        table = self._table
        assert table.open is not None
        asked, side, named = table.open[1], table.roster.side_of[unit], table.fighter(unit).name
        if order == "take_back":
            point, count = self._points.read(side, action), action.get("answers", 1)
            return order, (point,), {"unit": named, "order": order, "answers": count}
        reading.only(action, "order")
        if not any(table.is_in_play(other) for other in table.roster.own_units[unit]):
            raise IllegalAction("side_is_out", unit=named)
        if order == "surrender" and side != table.roster.side_of[asked]:
            raise IllegalAction("not_your_decision", unit=named, expected=table.fighter(asked).name)
        if order == "agree" and table.position.agreed >> side & 1:
            raise IllegalAction("agreed_already", side=table.roster.sides[side])
        return order, (side,), {"unit": named, "order": order}


def written_at(table: MatchState, choice: Choice) -> Action:
    """Return the JSON form of a choice for the decision that is open at a table."""
    assert table.open is not None, "the match is over"
    kind, unit, data = table.open
    return {"unit": table.fighter(unit).name, **kind.write(table, unit, data, choice)}


def determinise(observation: Observation, rng: random.Random) -> Match:
    """Return a match that could be the one observed; hidden tokens and cards are random. Bots think with it."""
    return Match.of_table(possible_table(observation, rng))
