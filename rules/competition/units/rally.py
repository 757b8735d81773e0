"""Rally cards: when and by whom one may be played, and the effects that act at once (section RAL, Q-148).

A card may be played at the beginning of the unit's own place in the move and the combat phase, and when it has been
declared the target of an attack, before its reaction. The choice is `(card id,)`, or `(None,)` to keep the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.competition.state import reading
from rules.competition.state.card_events import RALLY_PLAYED
from rules.competition.state.events import REPAIRED, RESTART, REVIVED
from rules.competition.state.match_state import DecisionKind, MatchState
from rules.competition.state.position import SHUTDOWN, UNCONSCIOUS
from rules.competition.units.free_spins import ask_free_spin
from rules.competition.units.heat import shed
from rules.core.equipment_hooks import only_moves_and_vents
from rules.core.refusals import IllegalAction, Malformed, Refusal
from rules.solaris.cards import RallyCardDefinition


def _shed_heat(table: MatchState, unit: int, card: str) -> None:
    shed(table, unit, 2, "rally")


def _patch_up(table: MatchState, unit: int, card: str) -> None:
    """Repair one click, but like any repair never past a marker (R-GEN-05)."""
    now = table.position.clicks[unit]
    if now and not table.fighter(unit).repair_markers[now]:
        table.emit(REPAIRED, unit, now, now - 1, unit)


def _restart(table: MatchState, unit: int, card: str) -> None:
    if table.position.status[unit] & SHUTDOWN:
        table.emit(RESTART, unit, "rally")


def _wake_up(table: MatchState, unit: int, card: str) -> None:
    if table.position.status[unit] & UNCONSCIOUS:
        table.emit(REVIVED, unit)


def _swing_round(table: MatchState, unit: int, card: str) -> None:
    ask_free_spin(table, unit, unit)


ACTS: Mapping[str, Callable[[MatchState, int, str], None]] = {
    "shed_heat": _shed_heat,
    "patch_up": _patch_up,
    "restart": _restart,
    "wake_up": _wake_up,
    "swing_round": _swing_round,
}
"""The functions that carry out the effects of `rules.solaris.rally_hooks.AT_ONCE`, by effect."""


def state_holds(table: MatchState, unit: int, state: str) -> bool:
    """Return whether a unit is in the state that a card requires."""
    position, fighter = table.position, table.fighter(unit)
    status = position.status[unit]
    if state == "shutdown":
        return bool(status & SHUTDOWN)
    if state == "unconscious":
        return bool(status & UNCONSCIOUS)
    if state == "salvage":
        return only_moves_and_vents(table.equipment(unit))
    if state == "overheated":
        return bool(fighter.effects[position.heat[unit]]) or position.heat[unit] == fighter.steps
    if state == "in_base_contact":
        return bool(table.opponents_in_contact(unit))
    side = table.roster.side_of[unit]
    if state == "last_unit":
        others = [other for other in table.roster.side_units[side] if other != unit]
        return bool(others) and not any(table.is_in_play(other) for other in others)
    return any(reputation > position.reputation[side] for reputation in position.reputation)  # outscored


def printed(table: MatchState, unit: int, value: str) -> int:
    """Return a combat value as the dial shows it (R-RAL-06)."""
    return table.fighter(unit).printed[value][table.position.clicks[unit]]


def meets(table: MatchState, unit: int, card: RallyCardDefinition) -> bool:
    """Return whether the unit meets a card's requirement, all modifiers ignored (R-RAL-06)."""
    if card.value is not None and printed(table, unit, card.value) >= card.below:
        return False
    return card.state is None or state_holds(table, unit, card.state)


def problems_of(table: MatchState, unit: int, card: str) -> list[Refusal]:
    """Return why this unit may not benefit from this card now, an empty list when it may (R-RAL-03 to R-RAL-07).

    The codes are card_not_in_hand, card_played_before, rally_once_a_round, rally_at_start_marker and rally_requirement.
    """
    position, roster = table.position, table.roster
    name = table.fighter(unit).name
    definition = roster.hand_of(unit).get(card)
    if definition is None:
        return [Refusal("card_not_in_hand", {"unit": name, "card": card})]
    found = []
    if any(played == card and who in roster.own_units[unit] for _, who, played, _ in position.rallies):
        found.append(Refusal("card_played_before", {"card": card}))
    if any(when == position.round and who == unit for when, who, _, _ in position.rallies):
        found.append(Refusal("rally_once_a_round", {"unit": name}))
    if position.clicks[unit] == 0:
        found.append(Refusal("rally_at_start_marker", {"unit": name}))
    if not meets(table, unit, definition):
        found.append(Refusal("rally_requirement", {"unit": name, "card": card}))
    return found


def refuse_untimely_rally(table: MatchState, unit: int, document: Mapping[str, Any]) -> None:
    """Refuse an order to play a card for `unit` when its player decides but was not asked for a card.

    Raises IllegalAction with the first code of `problems_of`, or rally_not_now when it finds nothing, and Malformed
    (bad_field).
    """
    assert table.open is not None
    kind, asked, _ = table.open
    if document.get("order") != "rally" or kind.name == "rally" or asked not in table.roster.own_units[unit]:
        return
    card = reading.text(document, "card")
    found = problems_of(table, unit, card)
    if found:
        raise IllegalAction(found[0].code, **found[0].parameters)
    raise IllegalAction("rally_not_now", unit=table.fighter(unit).name)


def playable(table: MatchState, unit: int) -> list[str]:
    """Return the cards of its player's hand from which this unit may benefit now: those without `problems_of`.

    This runs before every turn and every reaction, so what concerns the whole hand is checked once.
    """
    position, roster = table.position, table.roster
    if position.clicks[unit] == 0:
        return []
    hand, gone, own = roster.hand_of(unit), set(), roster.own_units[unit]
    for when, who, card, _ in position.rallies:
        if who == unit and when == position.round:
            return []
        if who in own:
            gone.add(card)
    return [key for key, card in hand.items() if key not in gone and meets(table, unit, card)]


RallyChoice = tuple[str | None]
"""(the card's key,), or (None,) to keep the hand."""


class PlayRally(DecisionKind[None, RallyChoice]):
    """Whether a rally card is played for this unit, and which. `{"order": "rally", "card"}` is read as well."""

    name = "rally"

    def options(self, table: MatchState, unit: int, data: None) -> list[RallyChoice]:
        return [(None,), *((card,) for card in playable(table, unit))]

    def problems(self, table: MatchState, unit: int, data: None, choice: RallyChoice) -> list[Refusal]:
        return [] if choice[0] is None else problems_of(table, unit, choice[0])

    def read(self, table: MatchState, unit: int, data: None, document: Mapping[str, Any]) -> RallyChoice:
        form = "order" if "order" in document else "choose"
        if document.get(form) != self.name:
            raise IllegalAction("other_decision", given=document.get(form), expected=self.name)
        reading.only(document, form, "card")
        card = document.get("card")
        if card is not None and not isinstance(card, str):
            raise Malformed("bad_field", field="card", value=card)
        return (card,)

    def write(self, table: MatchState, unit: int, data: None, choice: RallyChoice) -> dict[str, Any]:
        return {"choose": self.name, "card": choice[0]}

    def why(self, table: MatchState, unit: int, data: None) -> dict[str, Any]:
        return {"cards": playable(table, unit)}

    def resolve(self, table: MatchState, unit: int, data: None, choice: RallyChoice) -> None:
        if choice[0] is None:
            return
        effect = table.roster.hand_of(unit)[choice[0]].effect
        table.emit(RALLY_PLAYED, unit, choice[0], effect)
        if effect in ACTS:
            ACTS[effect](table, unit, choice[0])


PLAY_RALLY = PlayRally()


def ask_rally(table: MatchState, unit: int) -> None:
    """Ask for a rally card if the unit can benefit from one in its player's hand."""
    if table.roster.hand_of(unit) and table.is_in_play(unit) and playable(table, unit):
        table.ask(PLAY_RALLY, unit)
