"""A point in play: flat lists of small integers, one entry a unit or a side, copied in a few microseconds.

Only the writers of events (`rules.competition.state.event_kinds`) change a Position. It holds no dice and no constants;
hexes are the lattice's integers, -1 for a unit that is not in the arena.
"""

from __future__ import annotations

from typing import Any, Final

SHUTDOWN, UNCONSCIOUS, ELIMINATED, SURRENDERED = 1, 2, 4, 8
"""Bits of `status`. A surrendered unit has left the arena too (Q-136)."""

GEAR_SERVES = (16, 32)
"""Bits of `status`: the first or second gear card serves instead of its value's other source (R-SEG-14)."""

GEAR_SHIFT = 4
EQUIPMENT_STATE = SHUTDOWN | GEAR_SERVES[0] | GEAR_SERVES[1]
"""The bits of `status` that decide what equipment is at work."""

GONE = ELIMINATED | SURRENDERED
PILOT_DEAD = 64
"""A further bit of `status`, above those of GEAR_SERVES: the pilot did not survive the elimination (R-DTH-01)."""

MOVE: Final = 1
CLOSE: Final = 2
RANGED: Final = 4
ASSAULT: Final = 8
DIG_IN: Final = 16
DEFEND: Final = 32
DODGE: Final = 64
VENT: Final = 128
CHARGE: Final = 256
DEATH_FROM_ABOVE: Final = 512
"""Bits of `orders`: the orders a unit was given this round."""

ORDER_NAMES = {
    MOVE: "move", CLOSE: "close", RANGED: "ranged", ASSAULT: "assault", DIG_IN: "dig_in", DEFEND: "defend",
    DODGE: "dodge", VENT: "vent", CHARGE: "charge", DEATH_FROM_ABOVE: "death_from_above",
}  # fmt: skip
ORDER_BITS = {name: bit for bit, name in ORDER_NAMES.items()}
ANY_ORDER = (1 << 10) - 1
SPECIAL_MOVE = CHARGE | DEATH_FROM_ABOVE
COMBAT_ORDER = ANY_ORDER & ~MOVE

TARGETED, TARGETED_AGAIN, ENERGY_HEAT, RESTARTED, TURN_OVER, DEFENDED_LAST, HELD = (1 << bit for bit in range(10, 17))
ABILITY_USED = 1 << 17
"""Further bits of `orders`, for this round: declared a target once, twice; heated by an energy hit (R-HET-09);
restarted (R-SHD-11); its combat turn is over (Q-19); had defend last round (R-INI-05);
cannot move this round: it pinned (R-PIN-03) or was struck from above (R-DFA-09); its pilot has used an ability that
serves once a round."""

SETUP, INITIATIVE, MOVE_PHASE, COMBAT, CLEANUP, FINISHED = range(6)
PHASE_NAMES = ("setup", "initiative", "move", "combat", "cleanup", "finished")

Rally = tuple[int, int, str, str]
"""A rally card played: round, unit that benefits, the card's id, its effect."""

Entry = tuple[int, int, str, int]
"""A mark on a damage die: unit, amount, cause, unit that did it (-1: itself or nobody)."""

Flag = tuple[int, int, int]
"""A side's flag: its home hex, the hex where it lies (-1 when carried), the unit that carries it (-1 when it lies)."""


class Position:
    """The whole changing state of a match, except what comes next: that is the table's agenda.

    By unit: `clicks` and `heat` that the dials have turned, the points on `heat_die`, the equipment bits `cancelled`
    and `spent` this turn, `kills`, and `eliminated_by` (a unit, -1 for none). By side: `reputation` and `tokens_won`.
    `turn` is the unit whose turn began last in this phase, -1 before that and after the end. `tokens` are (token, hex),
    `pool` the tokens not yet drawn, `pins` (pinner, target), `beacons` the marked targets. `agreed` has a bit for each
    side that agrees to end. `last_destroyer` is a side, -1 for none. `round_hex` is `hex` as the round began. `outcome`
    is (winner, ended_by, tie_break), None before the end; `places` are the sides from the first place on, () in a
    format without places.
    """

    __slots__ = (
        "agreed",
        "beacons",
        "cancelled",
        "clicks",
        "eliminated_by",
        "entries",
        "facing",
        "first_side",
        "flags",
        "heat",
        "heat_die",
        "hex",
        "is_time_up",
        "kills",
        "last_destroyer",
        "order",
        "orders",
        "outcome",
        "phase",
        "pins",
        "places",
        "pool",
        "rallies",
        "reputation",
        "round",
        "round_hex",
        "spent",
        "status",
        "tokens",
        "tokens_won",
        "turn",
        "waiting",
    )  # fmt: skip

    round: int
    phase: int
    turn: int
    order: tuple[int, ...]
    hex: list[int]
    facing: list[int]
    clicks: list[int]
    heat: list[int]
    heat_die: list[int]
    status: list[int]
    orders: list[int]
    cancelled: list[int]
    spent: list[int]
    entries: tuple[Entry, ...]
    tokens: tuple[tuple[int, int], ...]
    pool: tuple[int, ...]
    rallies: tuple[Rally, ...]
    reputation: list[int]
    kills: list[int]
    tokens_won: list[int]
    eliminated_by: list[int]
    agreed: int
    is_time_up: bool
    first_side: int
    last_destroyer: int
    outcome: tuple[int, str, str | None] | None
    round_hex: tuple[int, ...]
    pins: tuple[tuple[int, int], ...]
    beacons: tuple[int, ...]
    waiting: tuple[tuple[int, int], ...]
    """The inactive halves of tag teams, as (unit, the hex that it fills); their `hex` is -1 (Q-142)."""
    flags: tuple[Flag, ...]
    """One a side in capture the flag, () in all other formats."""
    places: tuple[int, ...]

    @classmethod
    def empty(cls, units: int, sides: int) -> Position:
        """Return the position before anything has happened: nobody is in the arena."""
        position = cls()
        position.round = 0
        position.phase = SETUP
        position.turn = -1
        position.order = ()
        position.hex = [-1] * units
        position.facing = [0] * units
        position.clicks = [0] * units
        position.heat = [0] * units
        position.heat_die = [0] * units
        position.status = [0] * units
        position.orders = [0] * units
        position.cancelled = [0] * units
        position.spent = [0] * units
        position.entries = ()
        position.tokens = ()
        position.pool = ()
        position.rallies = ()
        position.reputation = [0] * sides
        position.kills = [0] * units
        position.tokens_won = [0] * sides
        position.eliminated_by = [-1] * units
        position.agreed = 0
        position.is_time_up = False
        position.first_side = 0
        position.last_destroyer = -1
        position.outcome = None
        position.round_hex = (-1,) * units
        position.pins = ()
        position.beacons = ()
        position.waiting = ()
        position.flags = ()
        position.places = ()
        return position

    def copy(self) -> Position:
        """Return an independent copy."""
        twin = Position()
        twin.round = self.round
        twin.phase = self.phase
        twin.turn = self.turn
        twin.order = self.order
        twin.hex = self.hex[:]
        twin.facing = self.facing[:]
        twin.clicks = self.clicks[:]
        twin.heat = self.heat[:]
        twin.heat_die = self.heat_die[:]
        twin.status = self.status[:]
        twin.orders = self.orders[:]
        twin.cancelled = self.cancelled[:]
        twin.spent = self.spent[:]
        twin.entries = self.entries
        twin.tokens = self.tokens
        twin.pool = self.pool
        twin.rallies = self.rallies
        twin.reputation = self.reputation[:]
        twin.kills = self.kills[:]
        twin.tokens_won = self.tokens_won[:]
        twin.eliminated_by = self.eliminated_by[:]
        twin.agreed = self.agreed
        twin.is_time_up = self.is_time_up
        twin.first_side = self.first_side
        twin.last_destroyer = self.last_destroyer
        twin.outcome = self.outcome
        twin.round_hex = self.round_hex
        twin.pins = self.pins
        twin.beacons = self.beacons
        twin.waiting = self.waiting
        twin.flags = self.flags
        twin.places = self.places
        return twin

    def damage_die(self, unit: int) -> int:
        """Return the damage points recorded for this unit's next clean-up (R-DMG-04)."""
        return sum(entry[1] for entry in self.entries if entry[0] == unit)

    def occupied(self) -> int:
        """Return the hexes that units stand in, as a bitset."""
        mask = 0
        for place in self.hex:
            if place >= 0:
                mask |= 1 << place
        return mask

    def filled(self) -> int:
        """Return as a bitset the hexes that nothing may enter: active and waiting units, tokens, lying flags.

        The rules are R-MOV-13 and Q-142.
        """
        mask = self.occupied()
        for _, place in self.tokens:
            mask |= 1 << place
        for _, place in self.waiting:
            mask |= 1 << place
        for _, place, _ in self.flags:
            if place >= 0:
                mask |= 1 << place
        return mask

    def to_json(self) -> dict[str, Any]:
        """Return all fields, JSON-ready; hexes stay integers. The lists are the position's own, not copies."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Position:
        """Return the position that `to_json` wrote, even after a trip through JSON text; it keeps those lists."""
        position = cls()
        for name in cls.__slots__:
            setattr(position, name, document[name])
        position.order = tuple(position.order)
        position.entries = tuple((entry[0], entry[1], entry[2], entry[3]) for entry in position.entries)
        position.tokens = tuple((token[0], token[1]) for token in position.tokens)
        position.pool = tuple(position.pool)
        played = sorted(position.rallies, key=lambda rally: rally[0])  # a written position may name them in any order
        position.rallies = tuple((rally[0], rally[1], rally[2], rally[3]) for rally in played)
        position.round_hex = tuple(position.round_hex)
        position.beacons = tuple(position.beacons)
        position.waiting = tuple((entry[0], entry[1]) for entry in position.waiting)
        position.flags = tuple((flag[0], flag[1], flag[2]) for flag in position.flags)
        position.places = tuple(position.places)
        position.pins = tuple((pin[0], pin[1]) for pin in position.pins)
        if position.outcome is not None:
            position.outcome = (position.outcome[0], position.outcome[1], position.outcome[2])
        return position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    # A Position changes in place, so it cannot be a key. Python says that with None, where mypy wants a method.
    __hash__ = None  # type: ignore[assignment]
