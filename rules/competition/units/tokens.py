"""Target tokens: the first one, replacements, counting hexes from a corner (section TGT, Q-120 to Q-122)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.competition.ground.hexes import bits
from rules.competition.ground.line_of_fire import lines
from rules.competition.state import reading
from rules.competition.state.events import TOKEN_COUNTED, TOKEN_DRAWN, TOKEN_PLACED, TOKEN_ROLLED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.units.scoring import sides_in_play
from rules.core.refusals import Refusal

FIRST_COLUMN = 6
FIRST_ROWS = (7, 8)
LENGTH_REROLLS = 50
"""How many rolls along the length may give no usable hex before the width is rolled again too (Q-121)."""


def can_be_attacked(table: MatchState, place: int) -> bool:
    """Return whether a token in this hex could be attacked (Q-121).

    The hex must be free and not blocking. A unit in some free hex must be able to strike the token or, in a format with
    ranged attacks, to draw a line to it.
    """
    roster = table.roster
    arena = roster.arena
    free = arena.passable & ~table.position.filled()
    if not free >> place & 1:
        return False
    beside = arena.adjacent[place] & free
    if beside & (arena.elevated if arena.abrupt >> place & 1 else beside):
        return True
    if not roster.format.allows_ranged:
        return False
    units = table.position.occupied()
    return bool(beside) or any(lines(arena, other, place, units).options for other in bits(free & ~(1 << place)))


def first_hexes(table: MatchState) -> list[int]:
    """Return the hexes where the first token may lie: 6 across and 7 or 8 along from any corner (R-TGT-05).

    Hexes in which it could not be attacked are left out.
    """
    lattice = table.roster.lattice
    length = lattice.rows - (FIRST_COLUMN + 1) % 2
    rows = {row for along in FIRST_ROWS for row in (along, length + 1 - along)}
    names = [f"{column:02d}{row:02d}" for column in {FIRST_COLUMN, lattice.columns + 1 - FIRST_COLUMN} for row in rows]
    return [place for place in sorted(lattice.index(name) for name in names) if can_be_attacked(table, place)]


def corners(table: MatchState) -> list[int]:
    """Return the four corner hexes."""
    lattice = table.roster.lattice
    last = lattice.rows - (lattice.columns + 1) % 2
    return [
        lattice.index(name)
        for name in ("0101", f"01{lattice.rows:02d}", f"{lattice.columns:02d}01", f"{lattice.columns:02d}{last:02d}")
    ]


def counted_hex(table: MatchState, corner: int, across: int, along: int) -> int:
    """Return the hex counted from a corner, both counts from 1 at the corner itself; -1 off the map (Q-120)."""
    lattice = table.roster.lattice
    name = lattice.name(corner)
    column = across if name[:2] == "01" else lattice.columns + 1 - across
    length = lattice.rows - (column + 1) % 2
    if not (1 <= column <= lattice.columns and 1 <= along <= length):
        return -1
    row = along if name[2:] == "01" else length + 1 - along
    return lattice.index(f"{column:02d}{row:02d}")


TokenChoice = tuple[int]
"""(hex,)."""


class PlaceFirst(DecisionKind[int, TokenChoice]):
    """Where the first token lies: in the middle, 0607 or 0608 on the usual map (R-TGT-05). Data: the token drawn."""

    name = "token"
    is_for_side = True

    def options(self, table: MatchState, unit: int, data: int) -> list[TokenChoice]:
        return [(place,) for place in first_hexes(table)]

    def problems(self, table: MatchState, unit: int, data: int, choice: TokenChoice) -> list[Refusal]:
        if choice in self.options(table, unit, data):
            return []
        return [Refusal("token_not_here", {"hex": table.roster.lattice.name(choice[0])})]

    def read(self, table: MatchState, unit: int, data: int, document: Mapping[str, Any]) -> TokenChoice:
        reading.only(document, "choose", "hex")
        return (reading.hex_index(table.roster, document.get("hex")),)

    def write(self, table: MatchState, unit: int, data: int, choice: TokenChoice) -> dict[str, Any]:
        return {"choose": self.name, "hex": table.roster.lattice.name(choice[0])}

    def why(self, table: MatchState, unit: int, data: int) -> dict[str, Any]:
        return {"token": table.roster.token_names[data], "place": "centre"}

    def resolve(self, table: MatchState, unit: int, data: int, choice: TokenChoice) -> None:
        table.emit(TOKEN_PLACED, data, choice[0])

    def abandon(self, table: MatchState, unit: int, data: int) -> None:
        side = neighbour_on_the_left(table, table.roster.side_of[unit])
        table.ask(self, _speaker(table, side), data)


class ChooseCorner(PlaceFirst):
    """The corner from which a replacement is counted (R-TGT-12). Data: the token drawn."""

    def options(self, table: MatchState, unit: int, data: int) -> list[TokenChoice]:
        return [(place,) for place in corners(table)]

    def problems(self, table: MatchState, unit: int, data: int, choice: TokenChoice) -> list[Refusal]:
        if choice in self.options(table, unit, data):
            return []
        return [Refusal("token_not_a_corner", {"hex": table.roster.lattice.name(choice[0])})]

    def why(self, table: MatchState, unit: int, data: int) -> dict[str, Any]:
        return {"token": table.roster.token_names[data], "place": "corner"}

    def resolve(self, table: MatchState, unit: int, data: int, choice: TokenChoice) -> None:
        place = _roll_hex(table, table.roster.side_of[unit], choice[0])
        if place >= 0:
            table.emit(TOKEN_PLACED, data, place)


PLACE_FIRST = PlaceFirst()
CHOOSE_CORNER = ChooseCorner()


def _roll_hex(table: MatchState, side: int, corner: int) -> int:
    """Roll across and along until the hex can be attacked (R-TGT-13 to R-TGT-16); -1 when no hex can."""
    if not any(can_be_attacked(table, place) for place in table.roster.lattice.hexes):
        return -1
    while True:
        across = _sum_below(table, side, 2, 12, "across")
        for _ in range(LENGTH_REROLLS):
            along = _sum_below(table, side, 3, 16, "along")
            place = counted_hex(table, corner, across, along)
            if place >= 0 and can_be_attacked(table, place):
                table.emit(TOKEN_COUNTED, corner, across, along, place)
                return place


def _sum_below(table: MatchState, side: int, count: int, limit: int, direction: str) -> int:
    """Roll dice for one direction and return their sum; a sum that reaches the limit is rolled again."""
    while True:
        dice = table.dice.roll(count, f"token_{direction}")
        total = sum(dice)
        table.emit(TOKEN_ROLLED, side, direction, dice, total)
        if total < limit:
            return total


def neighbour_on_the_left(table: MatchState, side: int) -> int:
    """Return the next side clockwise that is in play (Q-122), `side` if none is. Sides sit in the setup's order."""
    count = len(table.roster.sides)
    alive = sides_in_play(table)
    for step in range(1, count + 1):
        other = (side + step) % count
        if other in alive:
            return other
    return side


def _draw(table: MatchState, side: int) -> int:
    pool = table.position.pool
    token = pool[table.dice.draw(len(pool), "token")]
    table.emit(TOKEN_DRAWN, token, side)
    return token


def _speaker(table: MatchState, side: int) -> int:
    """Return the unit in whose name a side decides: its first one in play."""
    units = table.roster.side_units[side]
    return next((unit for unit in units if table.is_in_play(unit)), units[0])


def place_first(table: MatchState) -> None:
    """Let the second player place the first token (R-ARN-09, R-TGT-05), if the match has tokens and a hex for one."""
    position = table.position
    if not table.roster.house_rules.target_tokens or not position.pool or not first_hexes(table):
        return
    side = neighbour_on_the_left(table, position.first_side)
    table.ask(PLACE_FIRST, _speaker(table, side), _draw(table, side))


def replace_token(table: MatchState) -> None:
    """Let a side place a new token at the end of clean-up if none is in play and the pool has one.

    The rules are R-CLN-09, R-TGT-11 and R-TGT-17.
    """
    position = table.position
    if not table.roster.house_rules.target_tokens or position.tokens or not position.pool:
        return
    if not sides_in_play(table):  # all fell at once: nobody is left to place one, and the match ends here
        return
    # Without a destroyer (the centre could not hold the first token) the second player places this one.
    last = position.last_destroyer if position.last_destroyer >= 0 else position.first_side
    side = neighbour_on_the_left(table, last)
    table.ask(CHOOSE_CORNER, _speaker(table, side), _draw(table, side))
