"""The kinds of event that a match of any format can have, and what each does to a Position.

Nothing but events changes a Position, so the events of a match rebuild it. Explanations (`why` fields) never change a
Position and are None in play-outs.
"""

from __future__ import annotations

from rules.competition.state import event_types
from rules.competition.state.event_kinds import kind, nothing
from rules.competition.state.position import (
    DEFEND,
    DEFENDED_LAST,
    ELIMINATED,
    ENERGY_HEAT,
    RESTARTED,
    SHUTDOWN,
    SURRENDERED,
    TARGETED,
    TARGETED_AGAIN,
    TURN_OVER,
    UNCONSCIOUS,
    Position,
)

# --- before the first round -------------------------------------------------------------------------------------


def _match_started(position: Position, event: event_types.MatchStarted) -> None:
    position.pool = tuple(event[3])
    position.clicks[:] = event[4]


MATCH_STARTED = kind("match_started", "format:n sides:n pool:n clicks:n")(_match_started)
SETUP_ROLLED = kind("setup_rolled", "side:s dice:n total:n")(nothing)


def _first_side(position: Position, event: event_types.FirstSide) -> None:
    position.first_side = event[1]


FIRST_SIDE = kind("first_side", "side:s")(_first_side)


def _unit_placed(position: Position, event: event_types.UnitPlaced) -> None:
    position.hex[event[1]] = event[2]
    position.facing[event[1]] = event[3]


UNIT_PLACED = kind("unit_placed", "unit:u hex:h facing:n")(_unit_placed)


def _token_drawn(position: Position, event: event_types.TokenDrawn) -> None:
    position.pool = tuple(token for token in position.pool if token != event[1])


TOKEN_DRAWN = kind("token_drawn", "token:k side:s")(_token_drawn)


def _token_placed(position: Position, event: event_types.TokenPlaced) -> None:
    position.tokens = (*position.tokens, (event[1], event[2]))


TOKEN_PLACED = kind("token_placed", "token:k hex:h")(_token_placed)


TOKEN_ROLLED = kind("token_rolled", "side:s direction:n dice:n total:n")(nothing)
TOKEN_COUNTED = kind("token_counted", "corner:h across:n along:n hex:h")(nothing)


# --- rounds, phases, turns --------------------------------------------------------------------------------------


def _round_began(position: Position, event: event_types.RoundBegan) -> None:
    position.round = event[1]
    orders = position.orders
    for unit, given in enumerate(orders):
        orders[unit] = DEFENDED_LAST if given & DEFEND else 0
    position.round_hex = tuple(position.hex)
    position.pins = ()


ROUND_BEGAN = kind("round_began", "round:n")(_round_began)


def _phase_began(position: Position, event: event_types.PhaseBegan) -> None:
    position.phase = event[1]
    position.turn = -1
    position.agreed = 0
    position.beacons = ()
    position.cancelled[:] = [0] * len(position.cancelled)
    position.spent[:] = [0] * len(position.spent)


PHASE_BEGAN = kind("phase_began", "phase:p")(_phase_began)


def _turn_order(position: Position, event: event_types.TurnOrder) -> None:
    position.order = tuple(event[1])


TURN_ORDER = kind("turn_order", "order:U")(_turn_order)


def _turn_began(position: Position, event: event_types.TurnBegan) -> None:
    position.turn = event[1]
    cancelled, spent = position.cancelled, position.spent
    for unit in range(len(cancelled)):
        cancelled[unit] = spent[unit] = 0  # R-SEG-09


TURN_BEGAN = kind("turn_began", "unit:u")(_turn_began)


def _turn_over(position: Position, event: event_types.TurnOver) -> None:
    position.orders[event[1]] |= TURN_OVER


TURN_ENDED = kind("turn_over", "unit:u")(_turn_over)


PASSED = kind("passed", "unit:u")(nothing)
INITIATIVE_ROLLED = kind("initiative_rolled", "unit:u dice:n modifiers:n total:n")(nothing)
INITIATIVE_CHOSEN = kind("initiative_chosen", "unit:u first:n")(nothing)
REVIVE_ROLLED = kind("revive_rolled", "unit:u die:n modifier:n success:n")(nothing)

# --- orders and movement ----------------------------------------------------------------------------------------


def _order_given(position: Position, event: event_types.OrderGiven) -> None:
    position.orders[event[1]] |= event[2]


ORDER_GIVEN = kind("order_given", "unit:u order:o reaction:n")(_order_given)


def _equipment_cancelled(position: Position, event: event_types.EquipmentCancelled) -> None:
    position.cancelled[event[1]] |= event[2]


CANCELLED = kind("equipment_cancelled", "unit:u equipment:e")(_equipment_cancelled)


BREAK_AWAY_ROLLED = kind("break_away_rolled", "unit:u die:n modifiers:n needed:n success:n")(nothing)


def _moved(position: Position, event: event_types.Moved) -> None:
    unit = event[1]
    position.hex[unit] = event[3]
    position.facing[unit] = event[4]


MOVED = kind("moved", "unit:u path:H hex:h facing:n mode:n")(_moved)


def _faced(position: Position, event: event_types.Faced) -> None:
    position.facing[event[1]] = event[2]


FACED = kind("faced", "unit:u facing:n cause:n")(_faced)


# --- attacks ----------------------------------------------------------------------------------------------------


def _targeted(position: Position, event: event_types.Targeted) -> None:
    orders = position.orders
    for target in event[2]:
        if target < len(orders):
            orders[target] |= TARGETED_AGAIN if orders[target] & TARGETED else TARGETED


TARGETED_BY = kind("targeted", "unit:u targets:T value:n indirect:n")(_targeted)


ATTACK_ROLLED = kind("attack_rolled", "unit:u dice:n why:n")(nothing)
DIE_REROLLED = kind("die_rerolled", "unit:u die:n from:n to:n cause:n")(nothing)
ATTACK_RESOLVED = kind("attack_resolved", "unit:u hit:T critical:n why:n")(nothing)
DAMAGE_SCORED = kind("damage_scored", "unit:u target:t scored:n dealt:n why:n")(nothing)


def _damage_noted(position: Position, event: event_types.DamageNoted) -> None:
    position.entries = (*position.entries, (event[1], event[2], event[3], event[4]))


DAMAGE_NOTED = kind("damage_noted", "unit:u amount:n cause:n by:u")(_damage_noted)


def _single_use_spent(position: Position, event: event_types.SingleUseSpent) -> None:
    position.spent[event[1]] |= event[2]


SPENT = kind("single_use_spent", "unit:u equipment:e")(_single_use_spent)


def _token_destroyed(position: Position, event: event_types.TokenDestroyed) -> None:
    position.tokens = tuple(token for token in position.tokens if token[0] != event[1])
    position.reputation[event[3]] += event[5]
    position.tokens_won[event[3]] += 1
    position.last_destroyer = event[3]


TOKEN_DESTROYED = kind("token_destroyed", "token:k by:u side:s method:n reputation:n")(_token_destroyed)


def _marked(position: Position, event: event_types.Marked) -> None:
    position.beacons = (*position.beacons, event[2])


MARKED = kind("marked", "unit:u target:t")(_marked)
SECOND_ROLL = kind("second_roll", "unit:u target:u dice:n result:n defense:n success:n cause:n")(nothing)
EQUIPMENT_ROLLED = kind("equipment_rolled", "unit:u equipment:n die:n amount:n")(nothing)


def _repaired(position: Position, event: event_types.Repaired) -> None:
    position.clicks[event[1]] = event[3]


REPAIRED = kind("repaired", "unit:u from:n to:n by:u")(_repaired)


# --- heat -------------------------------------------------------------------------------------------------------


def _heat_noted(position: Position, event: event_types.HeatNoted) -> None:
    position.heat_die[event[1]] += event[2]
    if event[3] == "energy_hit":
        position.orders[event[1]] |= ENERGY_HEAT


HEAT_NOTED = kind("heat_noted", "unit:u amount:n cause:n")(_heat_noted)


def _heat_die_cleared(position: Position, event: event_types.HeatDieCleared) -> None:
    position.heat_die[event[1]] -= event[2]


HEAT_DIE_LOWERED = kind("heat_die_cleared", "unit:u amount:n cause:n")(_heat_die_cleared)


def _heat_dial_turned(position: Position, event: event_types.HeatDialTurned) -> None:
    position.heat[event[1]] = event[3]


HEAT_TURNED = kind("heat_dial_turned", "unit:u from:n to:n cause:n")(_heat_dial_turned)


HEAT_EFFECT_ROLLED = kind("heat_effect_rolled", "unit:u location:n effect:n die:n needed:n success:n")(nothing)


def _shut_down(position: Position, event: event_types.ShutDown) -> None:
    position.status[event[1]] |= SHUTDOWN


SHUT_DOWN = kind("shut_down", "unit:u cause:n")(_shut_down)


def _restarted(position: Position, event: event_types.Restarted) -> None:
    position.status[event[1]] &= ~SHUTDOWN
    position.orders[event[1]] |= RESTARTED


RESTART = kind("restarted", "unit:u cause:n")(_restarted)


# --- pilots, dials, eliminations --------------------------------------------------------------------------------


def _pilot_unconscious(position: Position, event: event_types.PilotUnconscious) -> None:
    position.status[event[1]] |= UNCONSCIOUS


KNOCKED_OUT = kind("pilot_unconscious", "unit:u")(_pilot_unconscious)


def _pilot_revived(position: Position, event: event_types.PilotRevived) -> None:
    position.status[event[1]] &= ~UNCONSCIOUS


REVIVED = kind("pilot_revived", "unit:u")(_pilot_revived)


def _dial_turned(position: Position, event: event_types.DialTurned) -> None:
    unit = event[1]
    position.clicks[unit] = event[3]
    if event[4] == "damage_die":
        position.entries = tuple(entry for entry in position.entries if entry[0] != unit)


DIAL_TURNED = kind("dial_turned", "unit:u from:n to:n cause:n")(_dial_turned)


def _eliminated(position: Position, event: event_types.Eliminated) -> None:
    unit = event[1]
    position.status[unit] |= ELIMINATED
    position.hex[unit] = -1
    position.heat_die[unit] = 0
    position.eliminated_by[unit] = event[2]


ELIMINATION = kind("eliminated", "unit:u by:u")(_eliminated)


def _kill(position: Position, event: event_types.Kill) -> None:
    position.reputation[event[1]] += event[4]
    position.kills[event[3]] += 1


KILL = kind("kill", "side:s unit:u by:u reputation:n")(_kill)


# --- the end ----------------------------------------------------------------------------------------------------


def _surrendered(position: Position, event: event_types.Surrendered) -> None:
    for unit in event[2]:
        position.status[unit] |= SURRENDERED
        position.hex[unit] = -1
        position.heat_die[unit] = 0
    position.entries = tuple(entry for entry in position.entries if entry[0] not in event[2])
    position.waiting = tuple(entry for entry in position.waiting if entry[0] not in event[2])


SURRENDER = kind("surrendered", "side:s units:U")(_surrendered)


def _reputation(position: Position, event: event_types.Reputation) -> None:
    position.reputation[event[1]] += event[2]


REPUTATION = kind("reputation", "side:s amount:n cause:n")(_reputation)


def _agreed(position: Position, event: event_types.Agreed) -> None:
    position.agreed |= 1 << event[1]


AGREED = kind("agreed", "side:s")(_agreed)


def _time_up(position: Position, event: event_types.TimeUp) -> None:
    position.is_time_up = True


TIME_UP = kind("time_up", "")(_time_up)


def _taken_back(position: Position, event: event_types.TakenBack) -> None:
    restored = Position.from_json({**position.to_json(), **event[4]}).copy()
    for name in Position.__slots__:
        setattr(position, name, getattr(restored, name))


TAKEN_BACK = kind("taken_back", "side:s units:U hexes:H position:n")(_taken_back)
"""A side has taken back an answer and all after it. `units` stand in `hexes` again, and `position` has each field that
is as it was before."""


TIE_ROLLED = kind("tie_rolled", "side:s die:n")(nothing)


def _match_ended(position: Position, event: event_types.MatchEnded) -> None:
    position.outcome = (event[1], event[2], event[3])
    position.turn = -1


MATCH_ENDED = kind("match_ended", "winner:s ended_by:n tie_break:n")(_match_ended)
