"""Pilots through the door: what one press writes for a newcomer, and takes back again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from challenge.models import Event
from challenge.selectors.access import Access
from challenge.selectors.arrivals import Arrival, arrival_id
from challenge.services.books import Wish, checked, write
from challenge.services.presses import press_id
from rules.challenge.book.rows import DEED, UNDO
from rules.challenge.folding import ChallengeRefused
from rules.core.refusals import Malformed

MAY_BE_OVERRULED = frozenset({
    "player_has_pilot", "card_taken", "too_few_cp", "too_few_c_bills", "mech_too_valuable", "no_clan_mechs",
    "option_not_in_play", "loan_too_high", "edge_full", "not_in_the_final", "portal_taken", "loan_open",
})  # fmt: skip
"""Refusals at the door that a GM may overrule: the entry can be written all the same."""


@dataclass(frozen=True)
class Newcomer:
    """What somebody at the door says of a pilot.

    `borrowed` are C-bills of a first loan, 0 for none. `place` is the table at which the pilot goes straight in and its
    portal, each "" for none. `weight_class` is that by which newcomers start, "" for the event's own.
    """

    name: str
    player: str
    card: int
    mech: str = ""
    edge: bool = False
    house: str = ""
    borrowed: int = 0
    place: tuple[str, str] = ("", "")
    weight_class: str = ""


def documents(newcomer: Newcomer, table: str, turn: int | None) -> list[dict[str, Any]]:
    """Return the deeds of an arrival in their order; those off the board are entered at `table`."""
    name, here = newcomer.name, {"table": table}
    new: dict[str, Any] = {"what": "new_pilot", "by": name, "player": newcomer.player, "approved": False, **here}
    if newcomer.weight_class:
        new["class"] = newcomer.weight_class
    found = [new, {"what": "approve", "by": name, "card": newcomer.card, **here}]
    if newcomer.house:
        found.append({"do": "declare_house", "pilot": name, "house": newcomer.house, **here})
    if newcomer.borrowed:
        found.append({"do": "loan", "pilot": name, "amount": newcomer.borrowed, **here})
    if newcomer.mech:
        found.append({"do": "buy_mech", "pilot": name, "mech": newcomer.mech, **here})
    if newcomer.edge:
        found.append({"do": "buy_edge", "pilot": name, "cards": 1, **here})
    if newcomer.place[0]:
        entering: dict[str, Any] = {"what": "enter", "by": name, "table": newcomer.place[0], "phase": "movement"}
        if newcomer.place[1]:
            entering["portal"] = newcomer.place[1]
        if turn is not None:
            entering["turn"] = turn
        found.append(entering)
    return found


def let_in(
    event: Event,
    who: Access,
    client_id: str,
    deeds: Sequence[Mapping[str, Any]],
    overruled: str = "",
) -> list[int]:
    """Write an arrival, all of it or nothing, and return the numbers of its rows.

    With `overruled` a GM allows what the rules forbid of it. Raises as `services.books.write`.
    """
    press = press_id(client_id, deeds[0])
    if not press:
        raise Malformed("bad_entry", field="client_id", problem="missing_key", key="client_id")
    wishes = [Wish(arrival_id(press, place), DEED, deed) for place, deed in enumerate(deeds)]
    if overruled and who.is_gm:
        wishes = _overruled(event, who, wishes, overruled)
    return write(event.pk, who, wishes)


def _overruled(event: Event, who: Access, wishes: Sequence[Wish], reason: str) -> list[Wish]:
    """Return the wishes, those that the rules forbid with the GM's reason."""
    found: list[Wish] = []
    for wish in wishes:
        try:
            checked(event, who, [*found, wish])
        except ChallengeRefused as refused:
            if refused.code not in MAY_BE_OVERRULED:
                raise
            wish = replace(wish, document={**wish.document, "overruled": reason})
        found.append(wish)
    return found


def take_back(event: Event, who: Access, client_id: str, arrival: Arrival, reason: str = "") -> None:
    """Undo all rows of an arrival, the last one first. Raises as `services.books.write`."""
    wishes = [
        Wish(f"{client_id[:40]}.undo.{number}", UNDO, {}, undoes=number, reason=reason)
        for number in reversed(arrival.rows)
    ]
    write(event.pk, who, wishes)
