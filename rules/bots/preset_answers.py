"""Answers without asking a player: the only legal one, one as good as any, and a unit's standing answer.

Standing answers are for decisions that are no orders. They use what the player may see at that moment and the numbers
that the player set, and leave everything else to the player. No dice are rolled for them.

    {"react": {"leave": 25, "dig_in": true, "dodge": 60, "defend": 50, "otherwise": "none"},
     "cancel": "keep", "spin": "attacker", "revive": 50, "restart": 0, "rally": "useful", "source": "keep",
     "corner": "near"}

A missing key means "ask me". Numbers are whole percent, 0 to 100.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rules.bots.cards import helps_now
from rules.bots.estimates import facing_to
from rules.bots.indifferent import indifferent_action
from rules.competition.forecast import forecast
from rules.competition.match import Match
from rules.competition.state.match_state import MatchState
from rules.competition.units.rally import playable
from rules.competition.units.revivals import REVIVE_AT
from rules.competition.units.tokens import CHOOSE_CORNER, corners
from rules.core.card_hooks import total
from rules.core.refusals import Malformed

Answers = Mapping[str, Any]

LOOKS = 6
"""The samples that are drawn before all answers are listed; two different samples already show that there is a choice.
"""

ATTACKER, KEEP, NONE, NEVER, USEFUL, NEAR = "attacker", "keep", "none", "never", "useful", "near"
WORDS: Mapping[str, tuple[str, ...]] = {
    "cancel": (KEEP,),
    "spin": (ATTACKER, KEEP),
    "rally": (USEFUL, NEVER),
    "source": (KEEP,),
    "corner": (NEAR,),
}
"""Keys whose value is a word, with the words allowed. A "useful" card is one that the AI would play at that moment."""

ROUTINE: Answers = {"cancel": KEEP, "revive": 0, "restart": 0, "rally": USEFUL, "corner": NEAR}
"""The standing answers with which the units of a person begin who plays against the AI alone.

They cost nothing that the person would want to keep: attempts are free, equipment that helps stays at work, and a card
that does something now is still asked about. Reactions and turns stay the person's own.
"""

ROUTINE_BETWEEN_PEOPLE: Answers = {key: answer for key, answer in ROUTINE.items() if key != "rally"}
"""Those between people. A rival sees whose answer is awaited, and so would see that a card helps now."""

ATTEMPTS = ("revive", "restart")
"""Keys whose value is the least chance at which the attempt is made, in percent, or NEVER."""

REACTION = ("leave", "dig_in", "dodge", "defend", "otherwise")
DIE = 6


class Unasked(NamedTuple):
    """An answer without asking. `is_standing`: the player's standing answer; otherwise there is nothing to decide."""

    action: dict[str, Any]
    is_standing: bool


def unasked_answer(match: Match, answers: Answers) -> Unasked | None:
    """Return the answer to the open decision for which its player need not be asked; None if they must be.

    It is the only legal one, one as good as any other, or that of the unit's standing `answers`, which have passed
    `read_answers`.
    """
    if nothing_to_decide := only_action(match) or indifferent_action(match):
        return Unasked(nothing_to_decide, False)
    standing = preset_action(match, answers)
    return None if standing is None else Unasked(standing, True)


def only_action(match: Match) -> dict[str, Any] | None:
    """Return the one legal answer to the open decision; None when there are two or more, or when nothing is open."""
    if match.table.open is None:
        return None
    kind, unit, data = match.table.open
    rng = random.Random(0)
    first = kind.sample(match.table, unit, data, rng)
    if any(kind.sample(match.table, unit, data, rng) != first for _ in range(LOOKS)):
        return None
    options = kind.options(match.table, unit, data)
    return match.action_of(options[0]) if len(options) == 1 else None


def read_answers(document: object) -> dict[str, Any]:
    """Check a document of standing answers and return it. Raises Malformed (bad_standing_answer)."""
    if not isinstance(document, Mapping):
        raise Malformed("bad_standing_answer", field="answers")
    for key, value in document.items():
        if key == "react":
            _check_reaction(value)
        elif not (value in WORDS[key] if key in WORDS else key in ATTEMPTS and (value == NEVER or _is_percent(value))):
            raise Malformed("bad_standing_answer", field=str(key))
    return dict(document)


def _check_reaction(value: object) -> None:
    if not isinstance(value, Mapping):
        raise Malformed("bad_standing_answer", field="react")
    for key, word in value.items():
        is_read = {
            "leave": _is_percent(word),
            "dodge": _is_percent(word),
            "defend": _is_percent(word),
            "dig_in": word is True,
            "otherwise": word == NONE,
        }.get(key, False)
        if not is_read:
            raise Malformed("bad_standing_answer", field=f"react.{key}")


def _is_percent(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100


def key_of(match: Match) -> str:
    """Return the key under which a standing answer to the open decision is kept, or the kind if there is none."""
    assert match.table.open is not None, "the match is over"
    kind = match.table.open[0]
    return "corner" if kind is CHOOSE_CORNER else _KEYS.get(kind.name, kind.name)


def preset_action(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the standing answer of the asked unit to the open decision, a legal action.

    Return None if the player must be asked or no decision is open. `answers` have passed `read_answers`.
    """
    if match.table.open is None:
        return None
    key = key_of(match)
    answer = _ANSWERED_BY.get(key)
    return None if answer is None or answers.get(key) is None else answer(match, answers)


def standing_after(key: str, action: Mapping[str, Any], answers: Answers) -> Answers:
    """Return `answers` with the one that gives `action` again without asking, under the key of `key_of`.

    A card or an item is not chosen again: then the hand is kept, and all equipment stays at work. The answers are
    unchanged where none can stand.
    """
    if key == "react":
        return {**answers, "react": _REACTS[action["react"]]}
    if key in ATTEMPTS:
        return {**answers, key: 0 if action["attempt"] else NEVER}
    return {**answers, key: _LASTING[key]} if key in _LASTING else answers


_LASTING: Answers = {"rally": NEVER, "cancel": KEEP, "source": KEEP, "corner": NEAR}
"""Keys with one answer that can stand for the rest of a match."""

_REACTS: Mapping[str, Answers] = {
    "none": {"leave": 100},
    "dig_in": {"dig_in": True, "otherwise": NONE},
    "dodge": {"dodge": 0, "otherwise": NONE},
    "defend": {"defend": 0, "otherwise": NONE},
}
"""Reaction -> the lines that give it whenever it is legal, and no reaction otherwise."""


def _react(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the first reaction whose condition holds: none, dig in, dodge, defend, `otherwise`; None if none holds."""
    lines = answers["react"]
    options = {action["react"]: action for action in match.legal_actions() if not action.get("cancel")}
    if _hits(match, options[NONE]) <= lines.get("leave", -1):
        return options[NONE]
    if lines.get("dig_in") and "dig_in" in options:
        return options["dig_in"]
    for name in ("dodge", "defend"):
        if name in options and name in lines and 100 - _hits(match, options[name]) >= lines[name]:
            return options[name]
    return options[NONE] if lines.get("otherwise") == NONE else None


def _hits(match: Match, action: Mapping[str, Any]) -> float:
    """Return the chance, in percent, that the attack hits the asked unit after this answer; 100 when it is unknown."""
    seen = forecast(match, action)
    if seen is None:
        return 100.0
    chances = [target.chance for target in seen.targets if target.target == action["unit"]]
    return 100 * max(chances, default=1.0)


def _cancel(match: Match, answers: Answers) -> dict[str, Any] | None:
    return match.default_action()


def _free_spin(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the action that turns to the unit that came, or the one that keeps the facing.

    Return None for a free turn of the unit's own making, about which the player is asked.
    """
    table = match.table
    assert table.open is not None
    _, unit, mover = table.open
    if mover == unit:
        return None
    here, there = table.position.hex[unit], table.position.hex[mover]
    facing = table.position.facing[unit]
    if answers["spin"] == ATTACKER and here >= 0 and there >= 0:
        facing = facing_to(table, here, there)
    return match.action_of((-1,) if facing == table.position.facing[unit] else (facing,))


def _revive(match: Match, answers: Answers) -> dict[str, Any] | None:
    table = match.table
    assert table.open is not None
    return _attempt(match, answers["revive"], _revive_needs(table, table.open[1]))


def _revive_needs(table: MatchState, unit: int) -> int:
    fighter = table.fighter(unit)
    return REVIVE_AT - fighter.pilot_defense - total("revive", fighter.texts)


def _restart(match: Match, answers: Answers) -> dict[str, Any] | None:
    assert match.decision is not None
    return _attempt(match, answers["restart"], int(match.decision.why["needed"]))


def _attempt(match: Match, least: Any, needed: int) -> dict[str, Any]:
    chance = 100 * min(DIE, max(0, DIE + 1 - needed)) / DIE
    return match.action_of((least != NEVER and chance >= least,))


def _rally(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the action that keeps the hand; None if cards are to be asked about while one of them is useful now."""
    table = match.table
    assert table.open is not None
    unit = table.open[1]
    hand = table.roster.hand_of(unit)
    if answers["rally"] == USEFUL and any(helps_now(table, unit, hand[card].effect) for card in playable(table, unit)):
        return None
    return match.action_of((None,))


def _source(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the action that keeps the present source: the first option."""
    return match.legal_actions()[0]


def _corner(match: Match, answers: Answers) -> dict[str, Any] | None:
    """Return the corner that is nearest to the side's first unit in the arena, the first of several."""
    table = match.table
    assert table.open is not None
    own = table.roster.side_units[table.roster.side_of[table.open[1]]]
    here = next((table.position.hex[unit] for unit in own if table.position.hex[unit] >= 0), -1)
    if here < 0:
        return None
    return match.action_of((min(corners(table), key=lambda corner: table.roster.lattice.distance(here, corner)),))


_ANSWERED_BY: Mapping[str, Callable[[Match, Answers], dict[str, Any] | None]] = {
    "react": _react,
    "cancel": _cancel,
    "spin": _free_spin,
    "revive": _revive,
    "restart": _restart,
    "rally": _rally,
    "source": _source,
    "corner": _corner,
}
"""Key of standing answers -> what answers the decision."""

_KEYS = {"free_spin": "spin"}
"""Kind of decision -> its key, if that is not the kind's name."""
