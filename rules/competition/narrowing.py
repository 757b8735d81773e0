"""An answer to a decision built step by step, for people who choose one thing after another.

Words under keys describe every legal action (`describe`), in the order in which a person would decide: the order, the
place, the target, the weapon, the facing. `narrow` follows the words chosen so far and says what to choose next. Words
are plain text that fits into an address; they mean something only for the decision they were made for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.digits import whole_number

Action = Mapping[str, Any]

NONE = "none"
"""The word for leaving something out: no change of facing, no card, no die."""

FACINGS = ("facing", "facing_out", "facing_in")
"""The keys under which a facing, 0 to 11, is chosen."""

TOGETHER = "+"
"""The separator between the words of things that are chosen together."""


@dataclass(frozen=True)
class Option:
    """One word that can be chosen, with every legal action that is then left."""

    word: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Step:
    """One question with more than one answer. `chosen` is None while the question is open.

    `is_default`: nobody has chosen yet, and `chosen` is a proposal.
    """

    key: str
    options: tuple[Option, ...]
    chosen: str | None = None
    is_default: bool = False


@dataclass(frozen=True)
class Narrowing:
    """The questions so far, in order, and the one action that is left.

    `action` is None while a question is open, or when there were no actions. `settled` has the word of every key of
    `describe` that is decided by now, including keys with only one option.
    """

    steps: tuple[Step, ...]
    action: Action | None
    settled: Mapping[str, str]

    @property
    def question(self) -> Step | None:
        """The open question, None when every question has an answer."""
        return self.steps[-1] if self.action is None and self.steps else None

    @property
    def answers(self) -> dict[str, str]:
        """The words chosen by key, proposals included."""
        return {step.key: step.chosen for step in self.steps if step.chosen is not None}


def describe(action: Action, origin: str) -> dict[str, str]:
    """Return the words of an action under its keys. `origin` names the hex of its unit, for orders that stay there.

    Actions of one decision that agree in their words so far have the same next key.
    """
    if "order" in action:
        return _describe_order(action, origin)
    if "react" in action:
        return {"react": str(action["react"]), "cancel": _joined(action.get("cancel", ()))}
    return _describe_choice(action)


def narrow(
    actions: Iterable[Action], origin: str, answers: Mapping[str, str], proposals: Mapping[str, str] | None = None
) -> Narrowing:
    """Follow `answers` (key to word) through the legal actions of a decision.

    A word that is not among the options counts as not chosen. `proposals` (key to word) answer the questions that
    nobody has answered; the first option replaces a proposal that is not possible.

    >>> actions = [{"unit": "red", "choose": "initiative", "first": first} for first in (False, True)]
    >>> [option.word for option in narrow(actions, "0607", {}).question.options]
    ['no', 'yes']
    >>> narrow(actions, "0607", {"first": "yes"}).action
    {'unit': 'red', 'choose': 'initiative', 'first': True}
    """
    left = [(describe(action, origin), action) for action in actions]
    steps: list[Step] = []
    settled: dict[str, str] = {}
    handled: set[str] = set()
    while key := next((key for words, _ in left for key in words if key not in handled), None):
        handled.add(key)
        options = _options(key, left)
        if len(options) == 1:
            settled[key] = options[0].word
            continue
        known = {option.word for option in options}
        chosen, is_default = answers.get(key), False
        if chosen not in known:
            proposed = (proposals or {}).get(key)
            if proposed is None:
                steps.append(Step(key, options))
                return Narrowing(tuple(steps), None, settled)
            chosen, is_default = proposed if proposed in known else options[0].word, True
        steps.append(Step(key, options, chosen, is_default))
        settled[key] = chosen
        left = [(words, action) for words, action in left if words.get(key, "") == chosen]
    return _last(steps, [action for _, action in left], answers, settled)


def _last(
    steps: list[Step], left: Sequence[Action], answers: Mapping[str, str], settled: Mapping[str, str]
) -> Narrowing:
    """Return the narrowing after all keys. Actions with the same words become numbered variants."""
    if len(left) <= 1:
        return Narrowing(tuple(steps), left[0] if left else None, settled)
    options = tuple(Option(str(number), (action,)) for number, action in enumerate(left, start=1))
    chosen = answers.get("variant")
    found = next((option for option in options if option.word == chosen), None)
    steps.append(Step("variant", options, found.word if found else None))
    return Narrowing(tuple(steps), found.actions[0] if found else None, settled)


def _options(key: str, left: Sequence[tuple[Mapping[str, str], Action]]) -> tuple[Option, ...]:
    grouped: dict[str, list[Action]] = {}
    for words, action in left:
        grouped.setdefault(words.get(key, ""), []).append(action)
    are_numbers = key in FACINGS and all(whole_number(word) is not None for word in grouped)
    listed = sorted(grouped, key=int) if are_numbers else list(grouped)
    return tuple(Option(word, tuple(grouped[word])) for word in listed)


def _describe_order(action: Action, origin: str) -> dict[str, str]:
    order = str(action["order"])
    words = {"order": order}
    path = action.get("path")
    if path is not None:
        words["hex"] = path[-1] if path else origin
    if order == "move":
        words["mode"] = "run" if action.get("run") else "jump" if action.get("jump") else "walk"
        words["path"] = "-".join(path or ())
    attack = action.get("attack", action)
    if order == "assault":
        words["mode"] = "jump" if action.get("jump") else "walk"
    if "targets" in attack:
        words["target"] = TOGETHER.join(attack["targets"])
        words["attack"] = _weapon(attack)
    if "facing" in action:
        words["facing"] = str(action["facing"])
    words["cancel"] = _joined(action.get("cancel", ())) if attack is not action else ""
    return words


def _weapon(attack: Action) -> str:
    """Return how a target is attacked: the kind of attack, the value, and what is special about it."""
    parts = [str(attack["order"]), str(attack.get("value", ""))]
    parts += [name for name in ("indirect", "ignore_friendly_fire") if attack.get(name)]
    if attack.get("cancel"):
        parts.append(f"without:{_joined(attack['cancel'])}")
    return ".".join(part for part in parts if part)


def _describe_choice(action: Action) -> dict[str, str]:
    words: dict[str, str] = {}
    for key, value in action.items():
        if key in ("unit", "choose"):
            continue
        if key == "facings":
            # Look facings up by name: a stored action may have its keys in another order than the engine's.
            (out,) = (facing for name, facing in value.items() if name != action["with"])
            words |= {"facing_out": str(out), "facing_in": str(value[action["with"]])}
        elif isinstance(value, Mapping):
            words[key] = TOGETHER.join(f"{name}:{amount}" for name, amount in sorted(value.items()))
        elif isinstance(value, list):
            words[key] = _joined(value)
        elif isinstance(value, bool):
            words[key] = "yes" if value else "no"
        else:
            words[key] = NONE if value is None else str(value)
    return words


def _joined(keys: Iterable[str]) -> str:
    return TOGETHER.join(keys) or NONE
