"""The open decision in words: who must decide what and why, and a name for everything that can be chosen.

Keys and words are those of `rules.competition.narrowing`; nothing here decides what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from matches.text.match import word as named
from rules.competition.narrowing import NONE, TOGETHER
from rules.core.digits import whole_number
from rules.wording import CARD_TEXTS, requirement
from rules.wording.filling import fill, joined, one_of
from web.languages.reader import translate

Names = Mapping[str, str]


@dataclass(frozen=True)
class Heading:
    """The question in words, what the player should know, and the rule."""

    title: str
    text: str
    rule: str


_HEADINGS: dict[str, tuple[str | Promise, str | Promise, str]] = {
    "start": (
        _("Where does {unit} start?"),
        _("Pick a marked hex, then a facing."),
        "R-ARN-03",
    ),
    "active": (_("Which unit begins?"), _("The other one waits outside until you change them."), "R-FMT-08"),
    "token": (
        _("Where does the target token lie?"),
        _(
            "The second player places the first target token in the middle of the arena. Whoever destroys a token "
            "earns its reputation; the right kind of weapon earns more."
        ),
        "R-TGT-05",
    ),
    "corner": (
        _("Near which corner does the new target token land?"),
        _("Choose a corner. The dice decide how far from it the new target token lands."),
        "R-TGT-12",
    ),
    "initiative": (
        _("Does {unit} go first or last?"),
        _("{unit} has rolled highest. The others act from the lowest result to the highest."),
        "R-INI-04",
    ),
    "special": (
        _("Does {unit} make a special attack?"),
        _("It can {attacks} now, or pass and act in the phases to come."),
        "R-INI-08",
    ),
    "move": (_("How does {unit} move?"), _("It may walk, run or jump, turn where it stands, or pass."), "R-MOV-01"),
    "combat": (
        _("What does {unit} do in combat?"),
        _("One order: attack, assault (move and attack), dig in, vent heat, or pass."),
        "R-CMB-03",
    ),
    "answering": (
        _("Does {unit} attack under its reaction?"),
        _("Its reaction has been its order. It may still attack from where it stands."),
        "R-DIG-05",
    ),
    "react": (
        _("Does {unit} react?"),
        _("{attacker} attacks {targets} with its {value}. A reaction takes the place of the unit’s own combat order."),
        "R-CMB-05",
    ),
    "cancel": (
        _("Switch off equipment of {unit} against this attack?"),
        _("{attacker} attacks {targets} with its {value}."),
        "R-SEG-08",
    ),
    "free_spin": (
        _("Does {unit} turn?"),
        _("{mover} has come into base contact, so the unit may turn without an order."),
        "R-BAS-02",
    ),
    "spin": (_("Does {unit} turn?"), _("A rally card lets the unit turn without an order."), "R-RAL-03"),
    "split": (
        _("How is the damage divided?"),
        _("Damage for the targets that were hit: {damage}."),
        "R-MUL-07",
    ),
    "reroll": (
        _("Does {unit} roll one die again?"),
        _("You rolled {dice}: {standing}. The last one is the off-colour die: it never counts for critical results."),
        "R-SEA-04",
    ),
    "revive": (
        _("Does {unit} try to wake its pilot?"),
        _("A die, with the pilot’s defense modifier, must show 4 or more."),
        "R-UNC-05",
    ),
    "restart": (
        _("Does {unit} try to restart?"),
        _("A die must show {needed} or more ({effect})."),
        "R-HEF-08",
    ),
    "repair": (
        _("How much does {unit} repair?"),
        _("Clicks of {target} that can be turned back at most: {most}."),
        "R-SEA-02",
    ),
    "source": (
        _("Which equipment of {unit} serves?"),
        _("Dial and gear give the same value ({value}) different equipment; one of them is at work."),
        "R-SEG-14",
    ),
    "tag": (
        _("Does {unit} change with {with}?"),
        _("The unit in the arena and its partner change places; both may turn."),
        "R-FMT-09",
    ),
    "flag_drop": (
        _("Is the flag put down?"),
        _("{unit} carries the flag and can leave it in its own starting area."),
        "R-FMT-17",
    ),
    "forced_drop": (_("Where does the flag fall?"), _("{unit} has been hit and loses the flag."), "R-FMT-18"),
    "rally": (
        _("Is a rally card played for {unit}?"),
        _(
            "Opponents can see that you were asked, but not your answer; now and then they can guess it. "
            "A card can be played once in a match."
        ),
        "R-RAL-03",
    ),
}

_QUESTIONS: dict[str, str | Promise] = {
    "order": _("Order"),
    "hex": _("Hex"),
    "mode": _("How"),
    "path": _("Way"),
    "target": _("Target"),
    "attack": _("Attack with"),
    "facing": _("Facing"),
    "facing_out": _("Facing of the unit that leaves"),
    "facing_in": _("Facing of the unit that comes in"),
    "cancel": _("Equipment"),
    "keys": _("Equipment"),
    "first": pgettext_lazy("who goes first", "Turn"),
    "react": _("Reaction"),
    "attempt": _("Attempt"),
    "damage": _("Damage"),
    "die": _("Die"),
    "amount": _("Amount"),
    "from": _("Equipment"),
    "active": _("Unit"),
    "with": _("Partner"),
    "card": _("Card"),
    "variant": _("Choice"),
}

_YES: dict[str, tuple[str | Promise, str | Promise]] = {
    "first": (_("goes first"), _("goes last")),
    "attempt": (_("tries"), _("does not try")),
}

_LEFT_OUT: dict[str, str | Promise] = {
    "react": _("no reaction"),
    "cancel": _("with all its equipment"),
    "keys": _("with all its equipment"),
    "facing": _("keeps its facing"),
    "die": _("none: the dice stay"),
    "with": _("no change"),
    "hex": _("keeps the flag"),
    "card": _("none: the hand is kept"),
}

_REMARKS: dict[str, str | Promise] = {
    "move": _("goes to another hex and turns; the board marks how far it gets"),
    "pass": _("gives no order now; a ’Mech that takes none all round cools by 1"),
    "vent": _("loses heat at once, as much as its vent value says, and does nothing else"),
    "walk": _("up to its speed, without heat"),
    "dig_in": _("+1 heat; its own attack gets +2"),
    "assault": _("2 heat; moves and attacks at −1, at half speed before a ranged attack"),
    "close": _("+1 heat; strikes a target beside the unit"),
    "ranged": _("+1 heat; fires along a line"),
    "run": _("twice the speed, +1 heat"),
    "jump": _("over everything"),
    "dodge": _("+1 heat; −2 for attackers, no order of its own"),
    "defend": _("+1 heat; −1 for attackers and for its own attack"),
    "charge": _("runs into the target; heat 2, damage to itself too"),
    "death_from_above": _("jumps onto the target"),
    "pin": _("holds an opponent in base contact, who breaks away harder"),
}


_STANDING: dict[str, str | Promise] = {
    "react": _("Do not ask again in this match: {unit} always reacts like this when it can"),
    "cancel": _("Do not ask again in this match: {unit} keeps all its equipment at work"),
    "rally": _("Do not ask again in this match: play no further card for {unit}"),
    "revive": _("Do not ask again in this match: always the same for {unit}"),
    "restart": _("Do not ask again in this match: always the same for {unit}"),
    "source": _("Do not ask again in this match: {unit} stays with what is at work"),
    "corner": _("Do not ask again in this match: always the corner nearest to {unit}"),
}


def standing_words(key: str, unit: str) -> str:
    """Return what the unit of this name goes on doing if it is not asked again; empty where it must be asked.

    `key` is that of rules.bots.preset_answers.key_of.
    """
    return fill(str(_STANDING[key]), {"unit": unit}) if key in _STANDING else ""


_SPECIAL: dict[str, str | Promise] = {
    "pin": _("pin an opponent"),
    "charge": _("charge"),
    "death_from_above": _("strike from above"),
}


def special_words(orders: Collection[str]) -> str:
    """Return the special attacks among these orders, at least one, as in "charge or strike from above"."""
    return one_of((str(text) for order, text in _SPECIAL.items() if order in orders), translate)


def standing_roll(hits: Collection[str], misses: Collection[str], names: Names) -> str:
    """Return what an attack's dice do as they lie, by the ids of the targets."""
    # Translators: %(targets)s may be several names
    told = [(gettext("they hit %(targets)s"), hits), (gettext("they miss %(targets)s"), misses)]
    said = (
        form % {"targets": joined([names.get(target, target) for target in targets], translate)}
        for form, targets in told
        if targets
    )
    return joined(said, translate)


def heading_of(
    decision: Mapping[str, Any], names: Names, is_answering: bool = False, known: Names | None = None
) -> Heading:
    """Return the heading of an open decision. `is_answering`: only the attack that a reaction promised is open.

    `known` has what the heading says beyond `decision`: "attacks" of a special attack (`special_words`), and how an
    attack is "standing" before a reroll (`standing_roll`).
    """
    kind, why = decision["kind"], decision["why"]
    key = kind
    if kind == "token" and why.get("place") == "corner":
        key = "corner"
    elif kind == "combat" and is_answering:
        key = "answering"
    elif kind == "free_spin" and "mover" not in why:
        key = "spin"
    elif kind == "flag_drop" and why.get("forced"):
        key = "forced_drop"
    title, text, rule = _HEADINGS[key]
    values = {name: _value(value, names) for name, value in why.items()} | {"unit": names[decision["unit"]]}
    values |= dict(known or {})
    return Heading(fill(str(title), values), fill(str(text), values), rule)


def _value(value: Any, names: Names) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_value(each, names) for each in value)
    return names.get(value) or named(value) if isinstance(value, str) else str(value)


def question_label(key: str) -> str:
    """Return the name of a question, for headings and crumbs."""
    return str(_QUESTIONS.get(key, _QUESTIONS["variant"]))


ORDERS_LAST = ("vent", "dig_in", "pass")
"""Orders that stand behind those that go somewhere or attack, in this order."""


def place_of(key: str, word: str) -> int:
    """Return the place of an answer among those to its question: 0 for all but quiet orders, which stand last."""
    return ORDERS_LAST.index(word) + 1 if key == "order" and word in ORDERS_LAST else 0


def remark_on(word: str) -> str:
    """Return a short reminder of what an order, a way to move or a reaction does or costs; empty for other words."""
    return str(_REMARKS.get(word, ""))


def is_own_name(key: str, word: str) -> bool:
    """Return whether the label of a word is the name of a unit, token or card, which is not translated."""
    return key in ("target", "active", "with", "card") and word != NONE


def label_of(key: str, word: str, why: Mapping[str, Any], names: Names) -> str:
    """Return the label of a word that can be chosen."""
    if key in _YES:
        return str(_YES[key][word == "no"])
    if word == NONE and key in _LEFT_OUT:
        return str(_LEFT_OUT[key])
    labeller = _LABELLERS.get(key)
    return labeller(word, why, names) if labeller else names.get(word) or named(word)


def _clock(word: str, why: Mapping[str, Any], names: Names) -> str:
    facing = whole_number(word)
    return word if facing is None else gettext("%(clock)s o’clock") % {"clock": facing or 12}


def _several(word: str, why: Mapping[str, Any], names: Names) -> str:
    parts = [word] if word in names else word.split(TOGETHER)
    return joined([names.get(part) or named(part) for part in parts], translate)


def _without(word: str, why: Mapping[str, Any], names: Names) -> str:
    return gettext("without %(equipment)s") % {"equipment": _several(word, why, names)}


def _weapon(word: str, why: Mapping[str, Any], names: Names) -> str:
    lines = []
    for part in word.split(".")[1:]:
        if part.startswith("without:"):
            lines.append(_without(part.removeprefix("without:"), why, names))
        elif part == "ignore_friendly_fire":
            lines.append(gettext("whatever it does to friends beside the target"))
        else:
            lines.append(named(part))
    return ", ".join(lines)


def _way(word: str, why: Mapping[str, Any], names: Names) -> str:
    return gettext("by %(path)s") % {"path": word.replace("-", ", ")} if word else gettext("stays")


def _shares(word: str, why: Mapping[str, Any], names: Names) -> str:
    lines = []
    for part in word.split(TOGETHER):
        target, _, amount = part.rpartition(":")
        lines.append(gettext("%(amount)s to %(target)s") % {"amount": amount, "target": names.get(target, target)})
    return ", ".join(lines)


def _die(word: str, why: Mapping[str, Any], names: Names) -> str:
    dice = why.get("dice", ())
    number = int(word)
    face = dice[number] if number < len(dice) else "?"
    if number == 2:
        return gettext("the off-colour die, which shows %(face)s") % {"face": face}
    return gettext("die %(number)s, which shows %(face)s") % {"number": number + 1, "face": face}


def _amount(word: str, why: Mapping[str, Any], names: Names) -> str:
    if word == "value":
        return gettext("the damage value, %(value)s") % {"value": why.get("value")}
    return gettext("what a die shows")


def _source(word: str, why: Mapping[str, Any], names: Names) -> str:
    place = gettext("the dial") if word == "dial" else names.get(word) or gettext("the gear")
    return gettext("%(equipment)s of %(place)s") % {"equipment": named(why.get(word)), "place": place}


def _card(word: str, why: Mapping[str, Any], names: Names) -> str:
    return names.get(word, word)


def card_text(card: Mapping[str, Any]) -> str:
    """Return a text on what a rally card does and what it asks of its unit, in the reader's language."""
    effect = card.get("ability", "")
    lines = [translate(CARD_TEXTS[effect])] if effect in CARD_TEXTS else []
    if card.get("requires"):
        lines.append(requirement(card["requires"], translate))
    return " ".join(lines)


_LABELLERS: dict[str, Callable[[str, Mapping[str, Any], Names], str]] = {
    "facing": _clock,
    "facing_out": _clock,
    "facing_in": _clock,
    "hex": lambda word, why, names: word,
    "variant": lambda word, why, names: word,
    "target": _several,
    "attack": _weapon,
    "path": _way,
    "cancel": _without,
    "keys": _without,
    "damage": _shares,
    "die": _die,
    "amount": _amount,
    "from": _source,
    "card": _card,
}
