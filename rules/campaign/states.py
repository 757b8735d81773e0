"""The states of a season, a cycle, a round, a fixture and a claim, and the acts that each state allows.

The values are the stored ones. Services decide who may act and what else an act needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.refusals import SeasonRefused

NOTHING = ""
"""The state of something that is not made yet."""


@dataclass(frozen=True)
class Act:
    """The states in which an act is allowed, and the state after it; an empty `to` leaves the state as it is."""

    sources: tuple[str, ...]
    to: str = ""


@dataclass(frozen=True, eq=False)
class Machine:
    """All states of something, those at which it ends, and its acts by name.

    No act sets an `unused` state; old rows and the interface still name it.
    """

    name: str
    states: tuple[str, ...]
    acts: Mapping[str, Act]
    ends: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()

    def may(self, act: str, state: str) -> bool:
        """Return whether an act is allowed in a state. Raises KeyError for an unknown act."""
        return state in self.acts[act].sources

    def next_state(self, act: str, state: str = NOTHING) -> str:
        """Return the state after an act. Raises ValueError when it is not allowed, KeyError for an unknown act."""
        if not self.may(act, state):
            raise ValueError(f"{self.name}: {act} in state {state!r}")
        return self.acts[act].to or state

    def require(self, act: str, state: str, code: str, /, **parameters: object) -> str:
        """Return the state after an act; `parameters` are those of the refusal.

        Raises SeasonRefused, with `code`, when the act is not allowed, and KeyError for an unknown act.
        """
        if not self.may(act, state):
            raise SeasonRefused(code, **parameters)
        return self.next_state(act, state)


OPEN = ("recruiting", "running")
"""The states of a season in which stables join, shop and leave."""

IN_PLAY = ("running", "sudden_death", "provisional")
"""The states in which a season advances on its own."""

PLANNED = ("draft", *OPEN)
"""The states of a season whose plan may still change."""

UNDECIDED_SEASON = ("draft", "recruiting", *IN_PLAY)
"""The states of a season whose results are not final and that is not cancelled; provisional champions are none yet."""

OVER = ("finished", "cancelled")
"""The states of a season in which nothing happens any more."""

SEASON = Machine(
    "season",
    (*UNDECIDED_SEASON, *OVER),
    {
        "open": Act((NOTHING,), "recruiting"),
        "keep_as_draft": Act(("recruiting",), "draft"),
        "publish": Act(("draft",), "recruiting"),
        "start": Act(("recruiting",), "running"),
        "decide_titles": Act(("running",), "sudden_death"),
        "hold_ceremony": Act(("sudden_death",), "provisional"),
        # A corrected result may change who is champion.
        "decide_again": Act(("provisional",), "sudden_death"),
        "finish": Act(("provisional",), "finished"),
        "cancel": Act(UNDECIDED_SEASON, "cancelled"),
        "take_up_collection": Act(("recruiting",)),
        "change_plan": Act(PLANNED),
        "invite": Act(OPEN),
        "change_part": Act(OPEN),
        "remove_stable": Act(("draft", "recruiting")),
        "manage_stable": Act(("running",)),
        "pass_stable": Act(OPEN),
        "claim_stable": Act(("recruiting", *IN_PLAY, *OVER)),
        "rename": Act(("draft", "recruiting")),
        "write_to_all": Act(("recruiting", *IN_PLAY, *OVER)),
        "wait_for_a_place": Act(OPEN),
        "change_program": Act(OPEN),
        "shop": Act(OPEN),
        "found_stable": Act(OPEN),
        "start_cycle": Act(("running",)),
        "ask_who_comes": Act(("running",)),
        "pair_ready": Act(("running",)),
        "call_round": Act(("running",)),
        "arrange_match": Act(("running",)),
        "pause": Act(IN_PLAY),
        "correct_result": Act(UNDECIDED_SEASON),
        "follow": Act(("provisional", *OVER)),
    },
    ends=OVER,
)

CYCLE = Machine(
    "cycle",
    ("market", "rounds", "closing", "closed"),
    {
        "open": Act((NOTHING,), "market"),
        "begin": Act(("market",), "rounds"),
        "drop": Act(("market",), "closed"),
        "decide_places": Act(("rounds",), "closing"),
        "finish": Act(("closing",), "closed"),
        "shop": Act(("market",)),
        "found_stable": Act(("market",)),
        "start": Act(("market",)),
        "pair_ready": Act(("rounds",)),
        "leave": Act(("market", "rounds")),
        "reopen_result": Act(("rounds",)),
        "correct_result": Act(("market", "rounds", "closed")),
    },
    ends=("closed",),
)

ROUND = Machine(
    "round",
    ("paired", "playing", "settled"),
    {
        "pair": Act((NOTHING,), "paired"),
        "settle": Act(("paired", "playing"), "settled"),
        "call": Act(("paired", "playing")),
        "swap": Act(("paired", "playing")),
    },
    ends=("settled",),
    unused=("playing",),
)

FIXTURE = Machine(
    "fixture",
    ("line_ups", "sealed", "settled"),
    {
        "pair": Act((NOTHING,), "line_ups"),
        "give_bye": Act((NOTHING,), "settled"),
        # A forfeit after the reveal seals the fixture once more.
        "seal": Act(("line_ups", "sealed"), "sealed"),
        "settle": Act(("sealed",), "settled"),
        "rule": Act(("sealed",), "settled"),
        "reopen": Act(("settled",), "sealed"),
        "hand_in": Act(("line_ups",)),
        "take_back": Act(("line_ups",)),
        "swap": Act(("line_ups",)),
        "arrange_match": Act(("line_ups", "sealed")),
        "seat_players": Act(("sealed",)),
        "play_at_table": Act(("sealed", "settled")),
        "report": Act(("sealed",)),
        "correct": Act(("settled",)),
    },
)

UNDECIDED = ("new_date", "choice")
"""The states of a claim that waits for a date or for a choice."""

CLAIM = Machine(
    "claim",
    (*UNDECIDED, "forfeit", "stand_in", "withdrawn"),
    {
        "claim": Act((NOTHING, "withdrawn"), "new_date"),
        "claim_again": Act(("new_date", "withdrawn"), "choice"),
        "claim_time": Act((NOTHING, "new_date", "withdrawn"), "choice"),
        "choose_forfeit": Act(("choice",), "forfeit"),
        "choose_stand_in": Act(("choice",), "stand_in"),
        "forfeit_unplayed": Act(UNDECIDED, "forfeit"),
        "withdraw": Act(UNDECIDED, "withdrawn"),
        "answer": Act(UNDECIDED, "withdrawn"),
        "agree_date": Act(UNDECIDED, "withdrawn"),
        "excuse": Act(UNDECIDED, "withdrawn"),
        "declare_forfeit": Act(UNDECIDED, "forfeit"),
    },
    ends=("forfeit", "stand_in"),
)

MACHINES = (SEASON, CYCLE, ROUND, FIXTURE, CLAIM)
