"""Conformance scenarios of the arena: small positions, scripted dice, actions and expected outcomes.

The format is a public contract; tests/rules/scenarios/README.md describes it. `expect.error` is the code with which the
last action is refused. Without actions it may be the code with which the position itself is refused (a malformed unit,
two gear on one value, an unknown hex). Such a scenario must expect nothing else and have no dice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rules.competition.formats.scene import set_flags
from rules.competition.ground.arena import Arena
from rules.competition.match import Match
from rules.competition.phases import combat_phase as combat
from rules.competition.phases import move_phase as moving
from rules.competition.phases import special_attacks as special
from rules.competition.phases.rounds import (
    begin_round,
    cleanup_phase,
    cleanup_steps,
    combat_phase,
    combat_turns,
    format_initiative,
    initiative_phase,
    move_phase,
    move_turns,
)
from rules.competition.phases.special_attacks import special_turns
from rules.competition.setups import read_setup, roster_of
from rules.competition.state.encoding import EventCodec
from rules.competition.state.events import DAMAGE_NOTED
from rules.competition.state.format_events import ACTIVE_NAMED
from rules.competition.state.match_format import Task
from rules.competition.state.match_state import MatchState
from rules.competition.state.position import (
    CLEANUP,
    COMBAT,
    INITIATIVE,
    MOVE_PHASE,
    ORDER_BITS,
    SHUTDOWN,
    UNCONSCIOUS,
    Position,
)
from rules.competition.state.scene_events import SET_SCENE, SET_UP
from rules.competition.units.initiative import roll_initiative
from rules.competition.units.revivals import ask_revivals
from rules.competition.units.scoring import check_end, check_time_limit
from rules.core.dice import DiceRunDry, ScriptedDice
from rules.core.refusals import IllegalAction, Malformed
from rules.scenario.comparing import attack_differences, attacks_of, compared, missing_events
from rules.scenario.reading import definition, gear, hand, token
from rules.scenario.shape import ScenarioError, require_position, require_scenario

Pauses = frozenset[Callable[..., None]]

PHASES: Pauses = frozenset({initiative_phase, move_phase, combat_phase, cleanup_phase, begin_round})
TURNS: Pauses = frozenset({special.begin_turn, moving.begin_turn, combat.begin_turn})
ENDS: Mapping[str, Callable[..., None]] = {"cleanup": cleanup_phase, "round_end": begin_round}
UNTIL: Mapping[str, Pauses] = {**{key: frozenset({task}) for key, task in ENDS.items()}, "match_end": frozenset()}

OFFERED = ("cancel", "source", "rally")
"""Kinds of decision that a scenario may leave unanswered: equipment and its source stay, no card is played."""

SHOWN = (
    "hex", "facing", "clicks", "heat", "damage_die", "heat_die", "shutdown", "unconscious", "eliminated", "orders",
    "active",
)  # fmt: skip


def load(path: Path) -> dict[str, Any]:
    """Read a scenario file. Raises ScenarioError when it cannot be read or is no JSON object."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise ScenarioError(str(problem)) from problem
    if not isinstance(document, dict):
        raise ScenarioError("not a JSON object")
    return document


class Scenario:
    """A scenario and its match.

    `error` is the code with which the last action was refused, None if it was not. Raises Malformed for a position that
    cannot be set up (bad_setup, bad_token, and the codes of `read_setup`, `require_position` and `set_flags`),
    ScenarioError for a document that is no scenario, DiceRunDry when the dice do not reach the first decision.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        require_scenario(document)
        self.document = document
        self.expect: Mapping[str, Any] = document.get("expect") or {}
        self.dice = ScriptedDice(document.get("dice") or [])
        self.error: str | None = None
        self.match = Match.of_table(self._table())

    # --- setting up ---------------------------------------------------------------------------------------------

    def _table(self) -> MatchState:
        document = self.document
        units = document["units"]
        sides: dict[str, list[Mapping[str, Any]]] = {}
        for unit in units:
            sides.setdefault(unit["side"], []).append(unit)
        tokens = document.get("tokens") or []
        setup = read_setup(
            {
                "format": document.get("format", "standard"),
                "arena": definition("arenas", document.get("arena") or {}),
                "house_rules": document.get("house_rules") or {},
                "sides": [
                    {
                        "id": side,
                        "units": [
                            {
                                "id": unit["id"],
                                "unit": definition("units", unit["unit"]),
                                "pilot": definition("pilots", unit.get("pilot")),
                                "gear": [gear(card) for card in unit.get("gear") or []],
                                "hand": hand(document, unit),
                                "clicks": unit.get("clicks", 0),
                            }
                            for unit in members
                        ],
                        "tokens": [token(entry) for entry in tokens] if number == 0 else [],
                    }
                    for number, (side, members) in enumerate(sides.items())
                ],
            },
            any_numbers=True,
        )
        require_position(document, Arena.of(setup.arena))
        names = [unit["id"] for unit in units]
        roster = roster_of(setup, tuple(token["id"] for token in tokens) or None, names)
        position = Position.empty(len(roster.fighters), len(roster.sides))
        table = MatchState(roster, position, self.dice, [])
        for number, unit in enumerate(units):
            self._place(table, unit, f"units[{number}].heat")
        start = document.get("start") or {}
        phases = {
            "initiative": INITIATIVE,
            "special": INITIATIVE,
            "move": MOVE_PHASE,
            "combat": COMBAT,
            "cleanup": CLEANUP,
        }
        phase = start.get("phase", "initiative")
        listed = [roster.unit_of[name] for name in start.get("order") or []]
        order = (*listed, *(unit for unit in roster.units if unit not in listed and table.is_active(unit)))
        places = [(number, roster.lattice.index(token["hex"])) for number, token in enumerate(tokens)]
        reputation = [(document.get("reputation") or {}).get(side, 0) for side in roster.sides]
        number = start.get("round", 1)
        table.emit(SET_SCENE, number, phases[phase], order, places, reputation)
        set_flags(table, document.get("flags") or {})
        table.push(*_agenda(phase), (check_time_limit,), (begin_round, number + 1))
        table.pause_at = PHASES
        return table

    def _place(self, table: MatchState, unit: Mapping[str, Any], heat_field: str) -> None:
        roster = table.roster
        number = roster.unit_of[unit["id"]]
        status = SHUTDOWN * bool(unit.get("shutdown")) | UNCONSCIOUS * bool(unit.get("unconscious"))
        orders = 0
        for name in unit.get("orders") or []:
            orders |= ORDER_BITS[name]
        heat = unit.get("heat", 0)
        hottest = roster.fighters[number].steps
        if heat > hottest:
            found = {"value": heat, "least": 0, "most": hottest}
            raise Malformed("bad_setup", field=heat_field, problem="out_of_range", **found)
        table.emit(
            SET_UP, number, roster.lattice.index(unit["hex"]), unit.get("facing", 0), unit.get("clicks", 0), heat,
            unit.get("heat_die", 0), status, orders,
        )  # fmt: skip
        if unit.get("damage_die"):
            table.emit(DAMAGE_NOTED, number, unit["damage_die"], "set_up", -1)
        if unit.get("active") is False:
            table.emit(ACTIVE_NAMED, -1, number)

    # --- running ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play the actions, and then play on until `until`. Raises ScenarioError when that cannot be done."""
        actions = self.document.get("actions") or []
        try:
            for number, action in enumerate(actions):
                self._to_decision(action)
                try:
                    self.match.table.pause_at = PHASES | TURNS
                    self.match.play(action)
                except (IllegalAction, Malformed) as refused:
                    if number < len(actions) - 1 or "error" not in self.expect:
                        raise ScenarioError(f"action {number + 1} refused: {refused}") from refused
                    self.error = refused.code
            self._keep_equipment()
            if "until" in self.document:
                self._run_on(self.document["until"])
        except DiceRunDry as dry:
            raise ScenarioError(str(dry)) from dry
        if self.dice.left:
            raise ScenarioError(f"dice left over: {list(self.dice.left)}")

    def _to_decision(self, action: Mapping[str, Any]) -> None:
        """Play on to the decision that this action answers, or to one that it cannot answer.

        Decisions of OFFERED on the way get their default answer.
        """
        table = self.match.table
        while True:
            if table.open is None:
                table.pause_at = frozenset()
                table.advance()
            if table.open is None or table.open[0].name not in OFFERED:
                return
            kind, unit, _ = table.open
            if _answers(action, kind.name) and action.get("unit") == table.fighter(unit).name:
                return
            table.pause_at = PHASES | TURNS
            self.match.play(self.match.default_action())

    def _keep_equipment(self) -> None:
        table = self.match.table
        while table.open is not None and self.error is None and not self._is_wanted(table.open[0].name):
            self.match.play(self.match.default_action())

    def _is_wanted(self, kind: str) -> bool:
        """Return whether the scenario expects something of this decision; always true for decisions not in OFFERED."""
        if kind not in OFFERED or (self.expect.get("decision") or {}).get("kind") == kind:
            return True
        return any(_answers(action, kind) for key in ("legal", "illegal") for action in self.expect.get(key) or [])

    def _run_on(self, until: str) -> None:
        table = self.match.table
        table.pause_at = UNTIL[until]
        table.advance()
        while table.open is not None:
            self.match.play(self.match.default_action())

    # --- what came of it ----------------------------------------------------------------------------------------

    def outcome(self) -> dict[str, Any]:
        """Return the outcome as JSON, in the form of `expect`."""
        snapshot = self.match.snapshot()
        table = self.match.table
        # The log has all events: after the last action the run may have gone on without actions.
        events = EventCodec(table.roster).encode_all(table.log or ())
        units = {name: {key: unit[key] for key in SHOWN} for name, unit in snapshot["units"].items()}
        return {
            "units": units,
            "attacks": list(attacks_of(events)),
            "reputation": snapshot["reputation"],
            "winner": snapshot["winner"],
            "kills": snapshot["kills"],
            "flags": snapshot["flags"],
            "error": self.error,
            "events": events,
        }

    def differences(self) -> Iterator[str]:
        """Yield a line for each difference between the outcome and what the scenario expects. Call it after `run`."""
        found = self.outcome()
        for key, expected in self.expect.items():
            if key in ("decision", "legal", "illegal"):
                continue
            if key == "events":
                yield from missing_events(expected, found["events"])
            elif key == "attacks":
                yield from attack_differences(expected, found["attacks"])
            else:
                yield from compared(expected, found[key], key)
        if {"decision", "legal", "illegal"} & set(self.expect):
            yield from self._decision_differences()

    def _decision_differences(self) -> Iterator[str]:
        table = self.match.table
        if table.open is None:
            table.pause_at = frozenset()
            try:
                table.advance()
                self._keep_equipment()
            except DiceRunDry:
                table.open = None
        decision = self.match.decision
        if "decision" in self.expect:
            yield from compared(self.expect["decision"], decision.to_json() if decision else None, "decision")
        legal: list[dict[str, Any]] | None = None
        for key, wanted in (("legal", True), ("illegal", False)):
            for action in self.expect.get(key) or []:
                if self._is_legal(action):
                    is_legal = True
                else:
                    legal = self.match.legal_actions() if legal is None else legal
                    is_legal = any(not list(compared(action, candidate, "")) for candidate in legal)
                if is_legal is not wanted:
                    yield f"{key}: {json.dumps(action)} is {'legal' if is_legal else 'not legal'}"

    def _is_legal(self, action: Mapping[str, Any]) -> bool:
        try:
            return not self.match.check(action)
        except Malformed:
            return False


def _answers(action: Mapping[str, Any], kind: str) -> bool:
    """Return whether an action is an answer to a decision of this kind."""
    return kind in (action.get("choose"), action.get("order"))


def _agenda(phase: str) -> list[Task]:
    """Return the tasks from the start of a scenario to the end of its round."""
    later: list[Task] = [(move_phase,), (combat_phase,), (cleanup_phase,)]
    special: list[Task] = [(special_turns,), (check_end,), *later]
    starts: dict[str, list[Task]] = {
        "initiative": [(ask_revivals, False), (format_initiative,), (roll_initiative,), *special],
        "special": special,
        "move": [(move_turns,), (check_end,), *later[1:]],
        "combat": [(combat_turns,), (check_end,), *later[2:]],
        "cleanup": cleanup_steps(),
    }
    return starts[phase]


def play(document: Mapping[str, Any]) -> tuple[Scenario | None, str | None]:
    """Play a scenario; return it and a line with the first difference, None when everything is as expected.

    The scenario is None when its position is refused, expected or not, or when it cannot be played.
    """
    try:
        scenario = Scenario(document)
    except Malformed as refused:
        return None, refused_difference(document, refused)
    except (ScenarioError, DiceRunDry) as problem:
        return None, str(problem)
    try:
        scenario.run()
    except (ScenarioError, IllegalAction, Malformed) as problem:
        return None, str(problem)
    return scenario, next(scenario.differences(), None)


def refused_difference(document: Mapping[str, Any], refused: Malformed) -> str | None:
    """Return how a refusal of the position differs from the expectation; None when only this code is expected."""
    expect = document.get("expect") or {}
    if "error" not in expect:
        return f"the position is refused: {refused}"
    if document.get("actions") or document.get("dice") or set(expect) != {"error"}:
        return f"the position is refused, so nothing but the error can be expected: {refused}"
    return next(compared(expect["error"], refused.code, "error"), None)
