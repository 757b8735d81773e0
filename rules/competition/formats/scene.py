"""Flags as a scenario states them, without the play that brought them there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.state import reading
from rules.competition.state.format_events import FLAG_CAPTURED, FLAG_DROPPED, FLAG_PLACED
from rules.competition.state.match_state import MatchState
from rules.core.refusals import Malformed


def set_flags(table: MatchState, flags: Mapping[str, Any]) -> None:
    """Put flags where a scenario has them: at home, in another hex, or with a carrier.

    Raises Malformed (unknown_field, bad_field, unknown_hex, unknown_unit).
    """
    roster = table.roster
    for name, flag in flags.items():
        reading.only(flag, "home", "hex", "carrier")
        if name not in roster.side_of_name:
            raise Malformed("bad_field", field="flags", value=name)
        side = roster.side_of_name[name]
        home = reading.hex_index(roster, flag.get("home"))
        table.emit(FLAG_PLACED, side, home)
        carrier = flag.get("carrier")
        if carrier is not None:
            if carrier not in roster.unit_of:
                raise Malformed("unknown_unit", unit=carrier)
            table.emit(FLAG_CAPTURED, roster.unit_of[carrier], side)
        elif flag.get("hex") is not None:
            place = reading.hex_index(roster, flag["hex"])
            if place != home:
                table.emit(FLAG_DROPPED, -1, side, place, "set_up")
