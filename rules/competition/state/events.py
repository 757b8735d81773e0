"""What happens in a match: the kinds of event and what each does to a Position.

Nothing else writes to a Position, so the events of a match rebuild it. Explanations (`why` fields) never change one
and are None in play-outs.
"""

from __future__ import annotations

from collections.abc import Sequence

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


MatchStartedEvent = tuple[int, str, Sequence[str], Sequence[int], Sequence[int]]


def _match_started(position: Position, event: MatchStartedEvent) -> None:
    position.pool = tuple(event[3])
    position.clicks[:] = event[4]


MATCH_STARTED = kind("match_started", "format:n sides:n pool:n clicks:n")(_match_started)
SETUP_ROLLED = kind("setup_rolled", "side:s dice:n total:n")(nothing)


FirstSideEvent = tuple[int, int]


def _first_side(position: Position, event: FirstSideEvent) -> None:
    position.first_side = event[1]


FIRST_SIDE = kind("first_side", "side:s")(_first_side)


UnitPlacedEvent = tuple[int, int, int, int]


def _unit_placed(position: Position, event: UnitPlacedEvent) -> None:
    position.hex[event[1]] = event[2]
    position.facing[event[1]] = event[3]


UNIT_PLACED = kind("unit_placed", "unit:u hex:h facing:n")(_unit_placed)


TokenDrawnEvent = tuple[int, int, int]


def _token_drawn(position: Position, event: TokenDrawnEvent) -> None:
    position.pool = tuple(token for token in position.pool if token != event[1])


TOKEN_DRAWN = kind("token_drawn", "token:k side:s")(_token_drawn)


TokenPlacedEvent = tuple[int, int, int]


def _token_placed(position: Position, event: TokenPlacedEvent) -> None:
    position.tokens = (*position.tokens, (event[1], event[2]))


TOKEN_PLACED = kind("token_placed", "token:k hex:h")(_token_placed)


TOKEN_ROLLED = kind("token_rolled", "side:s direction:n dice:n total:n")(nothing)
TOKEN_COUNTED = kind("token_counted", "corner:h across:n along:n hex:h")(nothing)


# --- rounds, phases, turns --------------------------------------------------------------------------------------


RoundBeganEvent = tuple[int, int]


def _round_began(position: Position, event: RoundBeganEvent) -> None:
    position.round = event[1]
    orders = position.orders
    for unit, given in enumerate(orders):
        orders[unit] = DEFENDED_LAST if given & DEFEND else 0
    position.round_hex = tuple(position.hex)
    position.pins = ()


ROUND_BEGAN = kind("round_began", "round:n")(_round_began)


PhaseBeganEvent = tuple[int, int]


def _phase_began(position: Position, event: PhaseBeganEvent) -> None:
    position.phase = event[1]
    position.turn = -1
    position.agreed = 0
    position.beacons = ()
    position.cancelled[:] = [0] * len(position.cancelled)
    position.spent[:] = [0] * len(position.spent)


PHASE_BEGAN = kind("phase_began", "phase:p")(_phase_began)


TurnOrderEvent = tuple[int, Sequence[int]]


def _turn_order(position: Position, event: TurnOrderEvent) -> None:
    position.order = tuple(event[1])


TURN_ORDER = kind("turn_order", "order:U")(_turn_order)


TurnBeganEvent = tuple[int, int]


def _turn_began(position: Position, event: TurnBeganEvent) -> None:
    position.turn = event[1]
    cancelled, spent = position.cancelled, position.spent
    for unit in range(len(cancelled)):
        cancelled[unit] = spent[unit] = 0  # R-SEG-09


TURN_BEGAN = kind("turn_began", "unit:u")(_turn_began)


TurnOverEvent = tuple[int, int]


def _turn_over(position: Position, event: TurnOverEvent) -> None:
    position.orders[event[1]] |= TURN_OVER


TURN_ENDED = kind("turn_over", "unit:u")(_turn_over)


PASSED = kind("passed", "unit:u")(nothing)
INITIATIVE_ROLLED = kind("initiative_rolled", "unit:u dice:n modifiers:n total:n")(nothing)
INITIATIVE_CHOSEN = kind("initiative_chosen", "unit:u first:n")(nothing)
REVIVE_ROLLED = kind("revive_rolled", "unit:u die:n modifier:n success:n")(nothing)

# --- orders and movement ----------------------------------------------------------------------------------------


OrderGivenEvent = tuple[int, int, int, bool]


def _order_given(position: Position, event: OrderGivenEvent) -> None:
    position.orders[event[1]] |= event[2]


ORDER_GIVEN = kind("order_given", "unit:u order:o reaction:n")(_order_given)


EquipmentCancelledEvent = tuple[int, int, int]


def _equipment_cancelled(position: Position, event: EquipmentCancelledEvent) -> None:
    position.cancelled[event[1]] |= event[2]


CANCELLED = kind("equipment_cancelled", "unit:u equipment:e")(_equipment_cancelled)


BREAK_AWAY_ROLLED = kind("break_away_rolled", "unit:u die:n modifiers:n needed:n success:n")(nothing)


MovedEvent = tuple[int, int, tuple[int, ...], int, int, str]


def _moved(position: Position, event: MovedEvent) -> None:
    unit = event[1]
    position.hex[unit] = event[3]
    position.facing[unit] = event[4]


MOVED = kind("moved", "unit:u path:H hex:h facing:n mode:n")(_moved)


FacedEvent = tuple[int, int, int, str]


def _faced(position: Position, event: FacedEvent) -> None:
    position.facing[event[1]] = event[2]


FACED = kind("faced", "unit:u facing:n cause:n")(_faced)


# --- attacks ----------------------------------------------------------------------------------------------------


TargetedEvent = tuple[int, int, tuple[int, ...], str, bool]


def _targeted(position: Position, event: TargetedEvent) -> None:
    orders = position.orders
    for target in event[2]:
        if target < len(orders):
            orders[target] |= TARGETED_AGAIN if orders[target] & TARGETED else TARGETED


TARGETED_BY = kind("targeted", "unit:u targets:T value:n indirect:n")(_targeted)


ATTACK_ROLLED = kind("attack_rolled", "unit:u dice:n why:n")(nothing)
DIE_REROLLED = kind("die_rerolled", "unit:u die:n from:n to:n cause:n")(nothing)
ATTACK_RESOLVED = kind("attack_resolved", "unit:u hit:T critical:n why:n")(nothing)
DAMAGE_SCORED = kind("damage_scored", "unit:u target:t scored:n dealt:n why:n")(nothing)


DamageNotedEvent = tuple[int, int, int, str, int]


def _damage_noted(position: Position, event: DamageNotedEvent) -> None:
    position.entries = (*position.entries, (event[1], event[2], event[3], event[4]))


DAMAGE_NOTED = kind("damage_noted", "unit:u amount:n cause:n by:u")(_damage_noted)


SingleUseSpentEvent = tuple[int, int, int]


def _single_use_spent(position: Position, event: SingleUseSpentEvent) -> None:
    position.spent[event[1]] |= event[2]


SPENT = kind("single_use_spent", "unit:u equipment:e")(_single_use_spent)


TokenDestroyedEvent = tuple[int, int, int, int, str | None, int]


def _token_destroyed(position: Position, event: TokenDestroyedEvent) -> None:
    position.tokens = tuple(token for token in position.tokens if token[0] != event[1])
    position.reputation[event[3]] += event[5]
    position.tokens_won[event[3]] += 1
    position.last_destroyer = event[3]


TOKEN_DESTROYED = kind("token_destroyed", "token:k by:u side:s method:n reputation:n")(_token_destroyed)


MarkedEvent = tuple[int, int, int]


def _marked(position: Position, event: MarkedEvent) -> None:
    position.beacons = (*position.beacons, event[2])


MARKED = kind("marked", "unit:u target:t")(_marked)
SECOND_ROLL = kind("second_roll", "unit:u target:u dice:n result:n defense:n success:n cause:n")(nothing)
EQUIPMENT_ROLLED = kind("equipment_rolled", "unit:u equipment:n die:n amount:n")(nothing)


RepairedEvent = tuple[int, int, int, int, int]


def _repaired(position: Position, event: RepairedEvent) -> None:
    position.clicks[event[1]] = event[3]


REPAIRED = kind("repaired", "unit:u from:n to:n by:u")(_repaired)


# --- heat -------------------------------------------------------------------------------------------------------


HeatNotedEvent = tuple[int, int, int, str]


def _heat_noted(position: Position, event: HeatNotedEvent) -> None:
    position.heat_die[event[1]] += event[2]
    if event[3] == "energy_hit":
        position.orders[event[1]] |= ENERGY_HEAT


HEAT_NOTED = kind("heat_noted", "unit:u amount:n cause:n")(_heat_noted)


HeatDieClearedEvent = tuple[int, int, int, str]


def _heat_die_cleared(position: Position, event: HeatDieClearedEvent) -> None:
    position.heat_die[event[1]] -= event[2]


HEAT_DIE_LOWERED = kind("heat_die_cleared", "unit:u amount:n cause:n")(_heat_die_cleared)


HeatDialTurnedEvent = tuple[int, int, int, int, str]


def _heat_dial_turned(position: Position, event: HeatDialTurnedEvent) -> None:
    position.heat[event[1]] = event[3]


HEAT_TURNED = kind("heat_dial_turned", "unit:u from:n to:n cause:n")(_heat_dial_turned)


HEAT_EFFECT_ROLLED = kind("heat_effect_rolled", "unit:u location:n effect:n die:n needed:n success:n")(nothing)


ShutDownEvent = tuple[int, int, str]


def _shut_down(position: Position, event: ShutDownEvent) -> None:
    position.status[event[1]] |= SHUTDOWN


SHUT_DOWN = kind("shut_down", "unit:u cause:n")(_shut_down)


RestartedEvent = tuple[int, int, str]


def _restarted(position: Position, event: RestartedEvent) -> None:
    position.status[event[1]] &= ~SHUTDOWN
    position.orders[event[1]] |= RESTARTED


RESTART = kind("restarted", "unit:u cause:n")(_restarted)


# --- pilots, dials, eliminations --------------------------------------------------------------------------------


PilotUnconsciousEvent = tuple[int, int]


def _pilot_unconscious(position: Position, event: PilotUnconsciousEvent) -> None:
    position.status[event[1]] |= UNCONSCIOUS


KNOCKED_OUT = kind("pilot_unconscious", "unit:u")(_pilot_unconscious)


PilotRevivedEvent = tuple[int, int]


def _pilot_revived(position: Position, event: PilotRevivedEvent) -> None:
    position.status[event[1]] &= ~UNCONSCIOUS


REVIVED = kind("pilot_revived", "unit:u")(_pilot_revived)


DialTurnedEvent = tuple[int, int, int, int, str]


def _dial_turned(position: Position, event: DialTurnedEvent) -> None:
    unit = event[1]
    position.clicks[unit] = event[3]
    if event[4] == "damage_die":
        position.entries = tuple(entry for entry in position.entries if entry[0] != unit)


DIAL_TURNED = kind("dial_turned", "unit:u from:n to:n cause:n")(_dial_turned)


EliminatedEvent = tuple[int, int, int]


def _eliminated(position: Position, event: EliminatedEvent) -> None:
    unit = event[1]
    position.status[unit] |= ELIMINATED
    position.hex[unit] = -1
    position.heat_die[unit] = 0
    position.eliminated_by[unit] = event[2]


ELIMINATION = kind("eliminated", "unit:u by:u")(_eliminated)


KillEvent = tuple[int, int, int, int, int]


def _kill(position: Position, event: KillEvent) -> None:
    position.reputation[event[1]] += event[4]
    position.kills[event[3]] += 1


KILL = kind("kill", "side:s unit:u by:u reputation:n")(_kill)


# --- the end ----------------------------------------------------------------------------------------------------


SurrenderedEvent = tuple[int, int, Sequence[int]]


def _surrendered(position: Position, event: SurrenderedEvent) -> None:
    for unit in event[2]:
        position.status[unit] |= SURRENDERED
        position.hex[unit] = -1
        position.heat_die[unit] = 0
    position.entries = tuple(entry for entry in position.entries if entry[0] not in event[2])
    position.waiting = tuple(entry for entry in position.waiting if entry[0] not in event[2])


SURRENDER = kind("surrendered", "side:s units:U")(_surrendered)


ReputationEvent = tuple[int, int, int, str]


def _reputation(position: Position, event: ReputationEvent) -> None:
    position.reputation[event[1]] += event[2]


REPUTATION = kind("reputation", "side:s amount:n cause:n")(_reputation)


AgreedEvent = tuple[int, int]


def _agreed(position: Position, event: AgreedEvent) -> None:
    position.agreed |= 1 << event[1]


AGREED = kind("agreed", "side:s")(_agreed)


TimeUpEvent = tuple[int]


def _time_up(position: Position, event: TimeUpEvent) -> None:
    position.is_time_up = True


TIME_UP = kind("time_up", "")(_time_up)


TIE_ROLLED = kind("tie_rolled", "side:s die:n")(nothing)


MatchEndedEvent = tuple[int, int, str, str | None]


def _match_ended(position: Position, event: MatchEndedEvent) -> None:
    position.outcome = (event[1], event[2], event[3])
    position.turn = -1


MATCH_ENDED = kind("match_ended", "winner:s ended_by:n tie_break:n")(_match_ended)
