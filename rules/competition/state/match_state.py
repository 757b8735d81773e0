"""The table, which is the state of a match in play: roster, position, dice, the agenda of tasks, the open decision.

The agenda is a stack of tasks, each a function and its arguments. Tasks emit events, ask for decisions and push
further tasks; `advance` runs them until somebody must decide or the match is over. A task never keeps a reference
to a table, so agendas are copied with a slice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from rules.competition.state.card_events import ABILITY
from rules.competition.state.event_kinds import WRITERS, Event
from rules.competition.state.events import DAMAGE_NOTED, HEAT_NOTED, SPENT
from rules.competition.state.match_format import Task
from rules.competition.state.position import (
    ABILITY_USED,
    ANY_ORDER,
    EQUIPMENT_STATE,
    GEAR_SHIFT,
    GONE,
    RESTARTED,
    SHUTDOWN,
    UNCONSCIOUS,
    Position,
)
from rules.competition.state.roster import Fighter, Roster
from rules.core.card_hooks import Text, giver, total
from rules.core.dice import Dice
from rules.core.fixed import Fixed
from rules.core.pilot_hooks import ONCE_A_ROUND
from rules.core.refusals import Refusal

Choice = tuple[object, ...]
"""An answer to a decision of any kind. The module of each kind has an alias for the shape of its answers; use that
wherever the kind is known."""

Data = TypeVar("Data")
"""What the code that asks for a decision passes along."""

Chosen = TypeVar("Chosen")
"""The answers to a kind of decision, as the engine keeps them."""


class DecisionKind(Fixed, Generic[Data, Chosen]):
    """One kind of decision: what may be answered, how to check, sample and carry out an answer. It keeps no state.

    `data` is what the code that asks passed along. `options` lists every distinct outcome and nothing illegal.
    """

    _is_fixed = True
    name: str
    is_for_side = False
    """Whether the answer may come in the name of any unit of the side."""

    def options(self, table: MatchState, unit: int, data: Data) -> list[Chosen]:
        """Return every distinct legal answer."""
        raise NotImplementedError

    def sample(self, table: MatchState, unit: int, data: Data, rng: random.Random) -> Chosen:
        """Return one legal answer; every option has a chance, except a run that enters no hex."""
        options = self.options(table, unit, data)
        return options[int(rng.random() * len(options))]

    def problems(self, table: MatchState, unit: int, data: Data, choice: Chosen) -> list[Refusal]:
        """Return what is wrong with an answer that was read from outside, an empty list when it is legal."""
        raise NotImplementedError

    def resolve(self, table: MatchState, unit: int, data: Data, choice: Chosen) -> None:
        """Carry out a legal answer."""
        raise NotImplementedError

    def default(self, table: MatchState, unit: int, data: Data) -> Chosen:
        """Return the answer for an owner who gives none: pass or keep if possible. The base takes the first option."""
        return self.options(table, unit, data)[0]

    def abandon(self, table: MatchState, unit: int, data: Data) -> None:
        """Settle the question when its owner has surrendered and the match goes on. The base does nothing."""

    def read(self, table: MatchState, unit: int, data: Data, document: Mapping[str, Any]) -> Chosen:
        """Read an answer from its JSON form. Raises Malformed or IllegalAction, with codes of the kind."""
        raise NotImplementedError

    def write(self, table: MatchState, unit: int, data: Data, choice: Chosen) -> dict[str, Any]:
        """Return the JSON form of an answer, without the `unit` key."""
        raise NotImplementedError

    def why(self, table: MatchState, unit: int, data: Data) -> dict[str, Any]:
        """Return what the person who decides must know, JSON-ready."""
        return {}


OpenDecision = tuple[DecisionKind[Any, Any], int, Any]
"""A decision of any kind: the kind, the unit asked, and what the code that asks passed along."""


class MatchState:
    """Everything that a match in play consists of. `log` is the list of events so far, None in play-outs."""

    __slots__ = ("agenda", "dice", "log", "open", "pause_at", "position", "roster")

    def __init__(self, roster: Roster, position: Position, dice: Dice, log: list[Event] | None) -> None:
        self.roster = roster
        self.position = position
        self.dice = dice
        self.agenda: list[Task] = []
        self.open: OpenDecision | None = None
        self.log = log
        self.pause_at: frozenset[Callable[..., None]] = frozenset()
        """Tasks before which `advance` stops, for scenarios; none in a match."""

    def copy(self, dice: Dice, log: list[Event] | None = None) -> MatchState:
        """Return an independent table at the same point, with other dice; it keeps no events unless a log is given."""
        twin = MatchState(self.roster, self.position.copy(), dice, log)
        twin.agenda = self.agenda[:]
        twin.open = self.open
        return twin

    # --- running ------------------------------------------------------------------------------------------------

    def emit(self, *event: *Event) -> None:
        """Let an event happen: write it to the position and, unless this is a play-out, to the log."""
        WRITERS[event[0]](self.position, event)
        if self.log is not None:
            self.log.append(event)

    def push(self, *tasks: Task) -> None:
        """Put tasks on the agenda; the first of them is done first."""
        if len(tasks) == 1:
            self.agenda.append(tasks[0])
        else:
            self.agenda.extend(reversed(tasks))

    @overload
    def ask(self, kind: DecisionKind[None, Any], unit: int) -> None: ...

    @overload
    def ask(self, kind: DecisionKind[Data, Any], unit: int, data: Data) -> None: ...

    def ask(self, kind: DecisionKind[Any, Any], unit: int, data: object = None) -> None:
        """Open a decision of `unit`'s side; play stops until it is answered."""
        self.open = (kind, unit, data)

    def advance(self) -> None:
        """Run the tasks of the agenda until a decision is open, the match is over or a task of `pause_at` is next."""
        agenda, pause_at = self.agenda, self.pause_at
        while agenda and self.open is None:
            if pause_at and agenda[-1][0] in pause_at:
                return
            task = agenda.pop()
            # Nearly all tasks take a unit or nothing, and a plain call is cheaper than one with unpacked arguments.
            if len(task) == 2:
                task[0](self, task[1])
            elif len(task) == 1:
                task[0](self)
            else:
                task[0](self, *task[1:])

    def answer(self, choice: Choice) -> None:
        """Carry out a legal answer to the open decision and go on."""
        assert self.open is not None
        kind, unit, data = self.open
        self.open = None
        kind.resolve(self, unit, data, choice)
        self.advance()

    # --- what a unit is now -------------------------------------------------------------------------------------

    def fighter(self, unit: int) -> Fighter:
        """Return the constants of a unit."""
        return self.roster.fighters[unit]

    def is_in_play(self, unit: int) -> bool:
        """Return whether the unit has been neither eliminated nor surrendered."""
        return not self.position.status[unit] & GONE

    def is_active(self, unit: int) -> bool:
        """Return whether the unit is in the arena; the waiting half of a tag team is not (Q-142)."""
        return self.position.hex[unit] >= 0

    def can_take_orders(self, unit: int) -> bool:
        """Return whether the unit can be given orders (R-UNC-01, R-SHD-05, R-SHD-11)."""
        position = self.position
        return not position.status[unit] & (GONE | SHUTDOWN | UNCONSCIOUS) and not position.orders[unit] & RESTARTED

    def equipment(self, unit: int) -> int:
        """Return the equipment bits at work: visible, not barred by heat or shutdown, not cancelled.

        The rules are R-SEG-02 and R-SEG-13.
        """
        position = self.position
        return (
            self.roster.fighters[unit].equipment[position.status[unit] & EQUIPMENT_STATE][position.heat[unit]][
                position.clicks[unit]
            ]
            & ~position.cancelled[unit]
        )

    def equipment_on_value(self, unit: int, value: int) -> int:
        """Return the bits at work on one damage value (R-SEG-12)."""
        position = self.position
        chosen = (position.status[unit] & EQUIPMENT_STATE) >> GEAR_SHIFT
        sources = self.roster.fighters[unit].on_value[value][chosen]
        return sources[position.clicks[unit]] & self.equipment(unit)

    def pilot_counts(self, unit: int) -> int:
        """Return 0 while the pilot is unconscious, so that their modifiers do not count (R-UNC-02), otherwise 1."""
        return 0 if self.position.status[unit] & UNCONSCIOUS else 1

    def damage(self, unit: int, value: int) -> int:
        """Return the damage value in points after heat numbers, gear and pilot (R-HET-13, R-GER-10)."""
        position = self.position
        return self.roster.fighters[unit].damage[value][self.pilot_counts(unit)][position.heat[unit]][
            position.clicks[unit]
        ]

    def damage_by_heat(self, unit: int, value: int) -> int:
        """Return the damage value in points after heat numbers alone (PPC Capacitor, Q-100)."""
        position = self.position
        return self.roster.fighters[unit].damage_by_heat[value][position.heat[unit]][position.clicks[unit]]

    def speed(self, unit: int) -> int:
        """Return the speed value after heat numbers, gear, pilot and the texts of cards (R-MOV-16)."""
        position = self.position
        fighter = self.roster.fighters[unit]
        value = fighter.speed[self.pilot_counts(unit)][position.heat[unit]][position.clicks[unit]]
        if not position.rallies and not fighter.texts:
            return value
        return value + total("speed", self.texts(unit), self.is_worn(unit))

    def attack(self, unit: int) -> int:
        """Return the attack value with gear's and the pilot's modifiers, before those of the attack."""
        return self.roster.fighters[unit].attack_total[self.pilot_counts(unit)][self.position.clicks[unit]]

    def defense(self, unit: int) -> int:
        """Return the defense value with gear's and the pilot's modifiers, before those of the attack."""
        return self.roster.fighters[unit].defense_total[self.pilot_counts(unit)][self.position.clicks[unit]]

    def is_worn(self, unit: int) -> bool:
        """Return whether half of the unit's combat dial or less is left."""
        clicks = self.roster.fighters[unit].clicks
        return (clicks - self.position.clicks[unit]) * 2 <= clicks

    def texts(self, unit: int) -> tuple[Text, ...]:
        """Return the texts of cards that work for the unit now (R-PLT-05, R-UNC-02, R-RAL-05).

        The pilot's ability works unless the pilot is unconscious or has used it up this round; the rally card of this
        round works while the unit is off its start marker.
        """
        position = self.position
        found = self.roster.fighters[unit].texts
        if found:
            has_used = position.orders[unit] & ABILITY_USED and found[0][1] in ONCE_A_ROUND
            if has_used or position.status[unit] & UNCONSCIOUS:
                found = ()
        now = position.round
        # Cards are listed in the order of play, so the last one is enough to look at. None works at the start marker.
        if position.rallies and position.rallies[-1][0] == now and position.clicks[unit]:
            found += tuple(
                (card, effect) for when, who, card, effect in position.rallies if when == now and who == unit
            )
        return found

    def use_up(self, unit: int, text: Text) -> None:
        """Record the use of a text: a text that works once a round is used up for this round."""
        if text[1] in ONCE_A_ROUND:
            self.emit(ABILITY, unit, text[0], text[1])

    def was_ordered(self, unit: int) -> bool:
        """Return whether the unit was given any order this round (Q-26)."""
        return bool(self.position.orders[unit] & ANY_ORDER)

    # --- the ground ---------------------------------------------------------------------------------------------

    def stands_in_hindering(self, unit: int) -> bool:
        """Return whether the unit's hex is hindering terrain (the equipment hooks' SpatialView)."""
        place = self.position.hex[unit]
        return place >= 0 and bool(self.roster.arena.hindering >> place & 1)

    def stands_in_water(self, unit: int) -> bool:
        """Return whether the unit's hex is water (R-TER-11)."""
        place = self.position.hex[unit]
        return place >= 0 and bool(self.roster.arena.water >> place & 1)

    def opponents_in_contact(self, unit: int) -> list[int]:
        """Return opposing units in base contact (R-BAS-01), [] for a unit that is not in the arena."""
        position = self.position
        place = position.hex[unit]
        if place < 0:
            return []
        return self.opponents_touching(unit, place)

    def opponents_touching(self, unit: int, place: int) -> list[int]:
        """Return opposing units that would be in base contact with `unit` if it stood in `place`."""
        hexes = self.position.hex
        contact = self.roster.arena.contact_set[place]
        return [other for other in self.roster.opponents[unit] if hexes[other] in contact]

    def friends_touching(self, side: int, place: int, but: int) -> list[int]:
        """Return units of `side` other than `but` in base contact with a unit in `place`."""
        hexes = self.position.hex
        contact = self.roster.arena.contact_set[place]
        return [other for other in self.roster.side_units[side] if other != but and hexes[other] in contact]

    def in_turn_order(self, units: Sequence[int]) -> list[int]:
        """Return these units by their place in the turn order, then those without a place by number.

        Before there is a turn order they keep the order in which they are given.
        """
        order = self.position.order
        if not order or len(units) < 2:
            return list(units)
        return sorted(units, key=lambda unit: order.index(unit) if unit in order else len(order) + unit)

    # --- what several rules do ----------------------------------------------------------------------------------

    def note_damage(self, unit: int, amount: int, cause: str, by: int = -1) -> None:
        """Put damage dealt on the damage die of a unit in the arena (R-DMG-04); `by` -1: the unit did it to itself."""
        if amount > 0 and self.is_active(unit):
            self.emit(DAMAGE_NOTED, unit, amount, cause, by)

    def note_heat(self, unit: int, amount: int, cause: str) -> None:
        """Put heat on a unit's heat die (R-HET-11); a shutdown unit gains none (R-SHD-04), and cards may prevent it."""
        if amount > 0 and not self.position.status[unit] & (GONE | SHUTDOWN):
            if self.roster.has_texts and giver("spares_heat", self.texts(unit), cause):
                return
            self.emit(HEAT_NOTED, unit, amount, cause)

    def charge_single_use(self, unit: int, used: int, value: int | None = None) -> None:
        """Deal 1 unpreventable damage for each single-use item that took effect, once an order (R-SEG-06, Q-95).

        `value`: the damage value of the attack, None outside one; items that the value also has free cost nothing.
        """
        fighter, click = self.roster.fighters[unit], self.position.clicks[unit]
        circles = fighter.single_use[click] & used & ~self.position.spent[unit]
        if value is not None:
            circles &= ~fighter.free_on_value[value][click]
        if circles and self.is_in_play(unit):
            self.emit(SPENT, unit, circles)
            self.note_damage(unit, circles.bit_count(), "single_use")
