"""A target that falls: who may claim it in which phase, and what each would get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from challenge.presenters.table import Reason, after_turn, at_table, lost_to_a_wound, reasons_of
from rules.challenge.awards import FROM_ABOVE
from rules.challenge.entries import PHASES, Entry, read_entry
from rules.challenge.folding import ChallengeRefused
from rules.challenge.kinds import KINDS
from rules.challenge.shared_checks import claimants_of
from rules.challenge.state import Event, Pilot

STATES = ("cripple", "kill")
MOST_WOUNDS = 6


@dataclass(frozen=True)
class Fall:
    """What the form of a fall says: who falls, how, in which phase, who claims it, what happens to the pilot."""

    at: str
    phase: str
    claimants: tuple[str, ...]
    method: str = ""
    first: str = ""
    """Whose charge or death from above it was."""
    is_dead: bool = False
    wounds: int = 0
    ability: str = ""
    """What the first wound suspends (MC-WOUND-01)."""

    def deeds(self, what: str) -> list[dict[str, Any]]:
        """Return the deeds that settle the fall: crippled or destroyed, then the wounds and the death."""
        own = {"at": self.at, "phase": self.phase}
        claimants = self.claimants
        if self.method in FROM_ABOVE and self.first in claimants:
            claimants = (self.first, *(name for name in claimants if name != self.first))
        fall = {"what": what, "by": list(claimants), **own, **({"method": self.method} if self.method else {})}
        wounds = [{"what": "wound", **own} for _ in range(self.wounds)]
        if wounds and self.ability:
            wounds[0]["ability"] = self.ability
        return [fall, *wounds, *([{"what": "death", **own}] if self.is_dead else [])]


@dataclass(frozen=True)
class Outcome:
    """What a fall would give: lines by pilot, those that it makes void, or the refusal that stands against it."""

    what: str
    by_pilot: list[tuple[str, list[Reason]]]
    void: list[tuple[str, list[Reason]]] = field(default_factory=list)
    refused: ChallengeRefused | None = None


@dataclass(frozen=True)
class FallView:
    """What the form of a fall shows."""

    fall: Fall
    target: Pilot
    others: list[Pilot]
    phases: tuple[str, ...]
    outcomes: list[Outcome]
    is_crippled: bool
    abilities: list[tuple[str, str]]


def likely_phase(state: Event, table: str, at: str, else_phase: str) -> str:
    """Return the phase in which a pilot was last hurt in the open turn, else the one given."""
    for fact in reversed(state.table(table).facts):
        if fact.entry.at == at and fact.entry.phase is not None and fact.entry.by:
            return fact.entry.phase
    return else_phase if else_phase in PHASES else "fire"


def likely_claimants(state: Event, table: str, at: str, phase: str) -> tuple[str, ...]:
    """Return who has hurt a pilot in this phase of the open turn (MC-AWD-02)."""
    return claimants_of(state.table(table), Entry("kill", at=at, phase=phase, table=table, by_is_named=False))


def fall_view(state: Event, table: str, fall: Fall) -> FallView:
    """Return the form of a fall with what crippled and destroyed would give: each with the awards of the whole turn
    that the fall changes.
    """
    target = state.pilots[fall.at]
    is_crippled = target.mech is not None and target.mech.state == "crippled"
    return FallView(
        fall,
        target,
        [pilot for pilot in at_table(state, table) if pilot is not target],
        ("fire", "physical", "movement", "end"),
        [outcome(state, table, fall, what) for what in STATES],
        is_crippled,
        lost_to_a_wound(target),
    )


def outcome(state: Event, table: str, fall: Fall, what: str) -> Outcome:
    """Return what a fall would change in what the open turn gives: the lines that come, and those that go."""
    turn = state.table(table).turn
    entries = [read_entry({**deed, "table": table, "turn": turn}, KINDS) for deed in fall.deeds(what)]
    try:
        with_it = after_turn(state, table, entries)
    except ChallengeRefused as refused:
        return Outcome(what, [], refused=refused)
    after, before = reasons_of(with_it, with_it.lines), reasons_of(state, after_turn(state, table).lines)
    return Outcome(what, list(_added(before, after).items()), list(_added(after, before).items()))


def _added(before: Mapping[str, Sequence[Reason]], after: Mapping[str, Sequence[Reason]]) -> dict[str, list[Reason]]:
    found = {}
    for name, reasons in after.items():
        there = list(before.get(name, ()))
        added = []
        for reason in reasons:
            if reason in there:
                there.remove(reason)
            else:
                added.append(reason)
        if added:
            found[name] = added
    return found
