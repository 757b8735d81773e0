"""What one side or a spectator may see of a match, and complete matches that could be behind it.

Hidden are the face-down tokens that the others brought (R-TGT-03), the rally cards in the others' hands (R-RAL-01), the
dice to come and the seed. An observation never holds them, not even privately: its roster has placeholders for hidden
tokens, and leaves hidden cards out of the hands. How many cards each unit brought is public.

Whether other players are asked for a rally card is hidden too, since the question reveals something of their hand: the
observation shows the table as if they had played none. Partners on one side see the same things (Q-168).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count as count_from
from itertools import islice
from typing import Any, NamedTuple

from rules.competition.state.match_state import MatchState
from rules.competition.state.roster import Roster
from rules.competition.units.rally import PLAY_RALLY
from rules.core.codec import SCHEMA_VERSION
from rules.core.dice import DiceRunDry, ScriptedDice, SeededDice
from rules.core.words import RANGE_TYPES
from rules.solaris.cards import RallyCardDefinition
from rules.solaris.rally_hooks import EFFECTS
from rules.solaris.tokens import TokenDefinition


class MatchView(NamedTuple):
    """A match as it is, with nothing left out: the open decision as JSON or None, the snapshot, all events."""

    decision: dict[str, Any] | None
    snapshot: dict[str, Any]
    events: list[dict[str, Any]]


HIDDEN = TokenDefinition("hidden", "hidden", 0, None, "melee", 0, 0)
"""The placeholder for a token whose face nobody on this side has seen."""


@dataclass(frozen=True)
class Observation:
    """A match as `side` sees it (None: a spectator). Only `to_json` is sent to people and programs.

    `waiting_for` is the side that decides, None when the match is over; `decision` is None unless `side` decides.
    `hidden_tokens` are the numbers of the tokens whose face is unknown. `hidden_cards` is the number of unseen cards in
    each player's hand, in the order of the setup's `owners`.
    """

    side: str | None
    setup: dict[str, Any]
    snapshot: dict[str, Any]
    decision: dict[str, Any] | None
    waiting_for: str | None
    events: tuple[dict[str, Any], ...]
    hidden_tokens: tuple[int, ...]
    hidden_cards: tuple[int, ...]
    _table: MatchState

    def to_json(self) -> dict[str, Any]:
        """Return the observation JSON-ready, without anything hidden."""
        return {
            "schema": SCHEMA_VERSION,
            "side": self.side,
            "setup": self.setup,
            "snapshot": self.snapshot,
            "decision": self.decision,
            "waiting_for": self.waiting_for,
            "events": list(self.events),
        }


def observe(table: MatchState, view: MatchView, side: str | None) -> Observation:
    """Return what `side` may see now, None for a spectator. Raises KeyError for an unknown side."""
    roster = table.roster
    own = -1 if side is None else roster.side_of_name[side]
    hidden, opened = _hidden_tokens(table, own), _opened_hands(table, own)
    seen = table.copy(ScriptedDice([]))
    seen.roster = roster_seen_by(table, own)
    decision = view.decision
    # A question can reveal something of a hand, so others see only whose answer is awaited.
    may_see = decision is not None and side == decision["side"]
    if not may_see:
        seen = _with_hand_kept(seen)
    return Observation(
        side=side,
        setup=_redacted(table, hidden, opened),
        snapshot=view.snapshot,
        decision=decision if may_see else None,
        waiting_for=decision["side"] if decision is not None else None,
        events=tuple(view.events),
        hidden_tokens=hidden,
        hidden_cards=_unseen_cards(table, opened),
        _table=seen,
    )


def roster_seen_by(table: MatchState, own: int) -> Roster:
    """Return the roster of a match without what is hidden from side `own` (-1: a spectator).

    The answer is the same as long as `what_is_hidden_from` gives the same key.
    """
    hidden = _hidden_tokens(table, own)
    return table.roster.with_tokens({token: HIDDEN for token in hidden}).with_hands(_opened_hands(table, own))


def roster_for_a_bot(table: MatchState, own: int) -> Roster:
    """Return `roster_seen_by` with a blank card for each unseen one, for a bot that thinks ahead at a table.

    Nobody can play a blank card. Blank cards keep the number of cards in each hand right, which is public.
    """
    opened = _opened_hands(table, own)
    unseen = _unseen_cards(table, opened)
    backs = {owner: {**cards, **_backs(unseen[owner])} for owner, cards in opened.items() if unseen[owner]}
    roster = roster_seen_by(table, own)
    return roster.with_hands(backs) if backs else roster


def _backs(count: int) -> dict[str, RallyCardDefinition]:
    keys = [f"{HIDDEN.key}-{number + 1}" for number in range(count)]
    return {key: RallyCardDefinition(key, HIDDEN.name, "attack", 0, None, EFFECTS[0]) for key in keys}


def what_is_hidden_from(table: MatchState, own: int) -> tuple[object, ...]:
    """Return a short key of everything that decides what is hidden from a side in one match."""
    position = table.position
    return own, position.pool, position.rallies if any(table.roster.hands) else ()


def _hidden_tokens(table: MatchState, own: int) -> tuple[int, ...]:
    """Return the tokens that are face down in the pool, except those that side `own` brought and knows."""
    owners = table.roster.token_owner
    return tuple(token for token in table.position.pool if owners[token] != own)


def _opened_hands(table: MatchState, own: int) -> dict[int, dict[str, RallyCardDefinition]]:
    """Return, by owner, the cards that everybody has seen of each hand outside side `own`."""
    owners = table.roster.setup.owners
    return {owner: _opened(table, owner) for owner, (number, _) in enumerate(owners) if number != own}


def _unseen_cards(table: MatchState, opened: Mapping[int, Mapping[str, RallyCardDefinition]]) -> tuple[int, ...]:
    """Return, by owner, how many cards of the hand are unseen; 0 for an owner who is not in `opened`."""
    return tuple(
        len(hand) - len(opened[owner]) if owner in opened else 0 for owner, hand in enumerate(table.roster.hands)
    )


def _with_hand_kept(table: MatchState) -> MatchState:
    """Play a redacted table on as if the player who is asked for a rally card had played none, and return it.

    A table without such a question is returned unchanged. Play goes on to the next decision of the same side. It stops
    earlier, with no decision open, before an event that everybody sees, a die, or a decision of another side. So the
    table is the same whether the player is asked for a card or not.
    """
    if table.open is None or table.open[0] is not PLAY_RALLY:
        return table
    side = _asked_side(table)
    table.open = None
    while _asked_side(table) is None and table.agenda:
        before = table.copy(ScriptedDice([]))
        table.log = []
        function, *arguments = table.agenda.pop()
        try:
            function(table, *arguments)
        except DiceRunDry:
            return before
        if table.log or _asked_side(table) not in (None, side):
            return before
    table.log = None
    return table


def _asked_side(table: MatchState) -> int | None:
    return None if table.open is None else table.roster.side_of[table.open[1]]


def _opened(table: MatchState, owner: int) -> dict[str, RallyCardDefinition]:
    """Return the cards of a player's hand that everybody has seen played."""
    played = {card for _, unit, card, _ in table.position.rallies if table.roster.owner_of[unit] == owner}
    return {card: definition for card, definition in table.roster.hands[owner].items() if card in played}


def _redacted(
    table: MatchState, hidden: tuple[int, ...], opened: Mapping[int, Mapping[str, RallyCardDefinition]]
) -> dict[str, Any]:
    roster = table.roster
    document = roster.setup.to_json()
    number = 0
    for side in document["sides"]:
        for loadout in side["units"]:
            owner = roster.owner_of[roster.unit_of[loadout["id"]]]
            if owner in opened:
                loadout["hand"] = [
                    card if card["id"] in opened[owner] else {"id": HIDDEN.key, "hidden": True}
                    for card in loadout["hand"]
                ]
        for position in range(len(side["tokens"])):
            if number in hidden:
                side["tokens"][position] = {"id": HIDDEN.key, "hidden": True}
            number += 1
    return document


def possible_table(observation: Observation, rng: random.Random) -> MatchState:
    """Return a table that could be the one observed, with new dice, and hidden tokens and cards dealt at random.

    The hidden tokens of a side are together worth what its known ones leave of the pool that the house rules ask for.
    """
    return _dealt_table(observation._table, observation.hidden_tokens, observation.hidden_cards, rng)


def imagined(table: MatchState, rng: random.Random) -> MatchState:
    """Return a table that could be this one, as far as the deciding side knows; a decision must be open.

    The dice are new, and hidden tokens and cards are dealt at random. It is `possible_table` without an observation,
    for bots that think through many such tables.
    """
    assert table.open is not None
    own = table.roster.side_of[table.open[1]]
    seen = table.copy(ScriptedDice([]))
    seen.roster = roster_seen_by(table, own)
    return _dealt_table(seen, _hidden_tokens(table, own), _unseen_cards(table, _opened_hands(table, own)), rng)


def _dealt_table(
    seen: MatchState, hidden_tokens: tuple[int, ...], hidden_cards: tuple[int, ...], rng: random.Random
) -> MatchState:
    table = seen.copy(SeededDice(str(rng.random())))
    roster = table.roster
    dealt: dict[int, TokenDefinition] = {}
    for side in range(len(roster.sides)):
        hidden = [token for token in hidden_tokens if roster.token_owner[token] == side]
        known = sum(
            roster.tokens[token].rp
            for token in range(len(roster.tokens))
            if roster.token_owner[token] == side and token not in hidden
        )
        left = max(0, roster.house_rules.token_pool_rp - known)
        for number, token in enumerate(hidden):
            rp = left // (len(hidden) - number)
            left -= rp
            method = RANGE_TYPES[int(rng.random() * len(RANGE_TYPES))]
            dealt[token] = TokenDefinition(
                "possible", "possible", 14 + int(rng.random() * 6), None, method, rp, rp // 2
            )
    hands = {
        owner: {**roster.hands[owner], **_dealt(count, roster.hands[owner], rng)}
        for owner, count in enumerate(hidden_cards)
        if count
    }
    if dealt:
        table.roster = table.roster.with_tokens(dealt)
    if hands:
        table.roster = table.roster.with_hands(hands)
    return table


def _dealt(count: int, opened: Mapping[str, object], rng: random.Random) -> dict[str, RallyCardDefinition]:
    """Return, by id, `count` rally cards that could be in a hand besides the opened ones.

    Each has a random effect and requires a printed attack value below a number from 6 to 9.
    """
    found: dict[str, RallyCardDefinition] = {}
    # On a table that a bot dealt, an opened card may itself be a dealt one; it keeps its name and its text.
    keys = (key for number in count_from(1) if (key := f"possible-{number}") not in opened)
    for key in islice(keys, count):
        effect = EFFECTS[int(rng.random() * len(EFFECTS))]
        found[key] = RallyCardDefinition(key, "possible", "attack", 6 + int(rng.random() * 4), None, effect)
    return found
