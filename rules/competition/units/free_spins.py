"""Free spins: turning without an order, when an opponent moves into contact or a rally card says so (section BAS)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rules.competition.state import reading
from rules.competition.state.events import FACED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import SHUTDOWN, UNCONSCIOUS
from rules.core.refusals import Refusal

SpinChoice = tuple[int]
"""(facing,), or (-1,) to keep the present one."""


class FreeSpin(DecisionKind[int, SpinChoice]):
    """Whether to turn, and where to (R-BAS-02, R-BAS-03).

    Data: the unit that gives the occasion, which is an opponent that moved or the unit itself.
    """

    name = "free_spin"

    def options(self, table: MatchState, unit: int, data: int) -> list[SpinChoice]:
        now = table.position.facing[unit]
        return [(-1,), *((facing,) for facing in range(12) if facing != now)]

    def sample(self, table: MatchState, unit: int, data: int, rng: random.Random) -> SpinChoice:
        facing = int(rng.random() * 12)
        return (facing if facing != table.position.facing[unit] else -1,)

    def problems(self, table: MatchState, unit: int, data: int, choice: SpinChoice) -> list[Refusal]:
        return []

    def read(self, table: MatchState, unit: int, data: int, document: Mapping[str, Any]) -> SpinChoice:
        reading.only(document, "choose", "facing")
        if document.get("facing") is None:
            return (-1,)
        return (reading.facing(document),)

    def write(self, table: MatchState, unit: int, data: int, choice: SpinChoice) -> dict[str, Any]:
        return {"choose": self.name, "facing": None if choice[0] < 0 else choice[0]}

    def why(self, table: MatchState, unit: int, data: int) -> dict[str, Any]:
        return {} if data == unit else {"mover": table.fighter(data).name}

    def resolve(self, table: MatchState, unit: int, data: int, choice: SpinChoice) -> None:
        if choice[0] >= 0:
            table.emit(FACED, unit, choice[0], "free_spin")


FREE_SPIN = FreeSpin()


def ask_free_spin(table: MatchState, unit: int, occasion: int) -> None:
    """Offer a free spin to a unit that can make one (R-BAS-05); `occasion` is the unit that gives it."""
    if table.is_in_play(unit) and not table.position.status[unit] & (SHUTDOWN | UNCONSCIOUS):
        table.ask(FREE_SPIN, unit, occasion)
