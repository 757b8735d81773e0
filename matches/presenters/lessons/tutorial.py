"""The steps of the tutorial: what to do now, where to look, and which of a dozen things the player has done.

They follow from what the player has done and from the open decision, and from nothing that the dice decide: whatever
happens, the step fits what is asked. They block nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from matches.models import Match
from matches.presenters.choosing import Choosing
from rules.competition.match import Match as EngineMatch

ATTACKS = ("ranged", "close")
COOLS = ("pass", "vent")
BOARD, WHEEL, BAR, COMMIT, UNIT = "board", "wheel", "bar", "commit", "unit"
"""Where a step points: the stylesheet outlines that part of the page."""


@dataclass(frozen=True)
class Step:
    """One thing to learn. `where` is the part of the page to look at."""

    key: str
    name: str | Promise
    text: str | Promise
    where: str


STEPS = (
    Step(
        "hex",
        _("Pick a hex"),
        _(
            "Move your ’Mech: pick a marked hex on the board. One chevron is a walk, two are a run, which goes "
            "twice as far and makes heat, and a leap is a jump."
        ),
        BOARD,
    ),
    Step(
        "turn",
        pgettext_lazy("lesson", "Turn"),
        _(
            "The wheel turns your ’Mech. It can only shoot at what lies before it, so look at "
            "the enemy. The proposal is usually good."
        ),
        WHEEL,
    ),
    Step(
        "go",
        _("Move"),
        _("Nothing has happened yet. This button makes the move; the arrow beside it takes the choice back."),
        COMMIT,
    ),
    Step(
        "aim",
        _("Pick a target"),
        _("Now you may attack. Pick a dashed ring on the board: the enemy or a target token."),
        BOARD,
    ),
    Step("weapon", _("Choose a weapon"), _("Each weapon shows its chance to hit and its damage. Choose one."), BAR),
    Step(
        "fire",
        _("Fire"),
        _(
            "Here is what the shot can bring. Press the button to fire: three dice and your attack "
            "value against the defense of the target."
        ),
        COMMIT,
    ),
    Step(
        "heat",
        _("Watch the heat"),
        _(
            "Some orders make heat, and heat makes your ’Mech worse, up to a shutdown. Its heat is the number in "
            "amber on its token."
        ),
        UNIT,
    ),
    Step(
        "cool",
        _("Cool down"),
        _("Your ’Mech is hot. “Vent” cools it at once; a round without any order cools it by 1."),
        BAR,
    ),
    Step(
        "react",
        _("React"),
        _(
            "You are under attack. Dodge makes you harder to hit and costs heat; where the attacker "
            "will hardly hit you may save it."
        ),
        BAR,
    ),
    Step(
        "token",
        _("Shoot a token"),
        _(
            "The circles with a number are target tokens. Destroying one with the right "
            "weapon pays reputation, and reputation wins matches."
        ),
        BOARD,
    ),
    Step(
        "first",
        _("First or last"),
        _("You won the initiative. Who goes last sees what the other did; who goes first shoots first."),
        BAR,
    ),
    Step(
        "end",
        _("Finish"),
        _("That is all there is to it. Fight on until one ’Mech is out, or look at the advice."),
        BAR,
    ),
)
ASIDES = (
    Step(
        "reacting",
        _("Reacting"),
        _(
            "When the other side attacks before your own order, you are asked whether your ’Mech reacts: Dodge makes "
            "it harder to hit and costs heat and the order."
        ),
        UNIT,
    ),
    Step(
        "no_target",
        _("No target"),
        _(
            "Nothing stands before your ’Mech that it can attack now. “Vent” cools it, “Pass” does nothing; in the "
            "next round, move so that the enemy is in front of it."
        ),
        BAR,
    ),
    Step(
        "only_pass",
        _("No target"),
        _(
            "Nothing stands before your ’Mech that it can attack now. Press Pass; in the next round, move so that the "
            "enemy is in front of it."
        ),
        BAR,
    ),
    Step(
        "assault",
        _("No target"),
        _(
            "Nothing stands before your ’Mech that it can attack from here. “Assault” moves it first and then attacks, "
            "for more heat."
        ),
        BAR,
    ),
    Step(
        "other",
        _("Another order"),
        _("This order is none of the steps. The bar says what it does; the arrow beside its button takes it back."),
        BAR,
    ),
)
"""What is said where the steps do not fit; nobody has to have done it."""
LEARNED_BY = {"reacting": "react"}
"""The step after which an aside is not said any more."""

BY_KEY = {step.key: step for step in (*STEPS, *ASIDES)}


@dataclass(frozen=True)
class Line:
    """A step in the list of all of them: its name and text, and whether the player has done it."""

    name: str | Promise
    text: str | Promise
    is_done: bool


@dataclass(frozen=True)
class Tutorial:
    """The panel of the tutorial. `step` is what to do now, None while the other side decides and at the end."""

    step: Step | None
    lines: tuple[Line, ...]

    @property
    def done(self) -> int:
        """How many of the steps the player has done."""
        return sum(line.is_done for line in self.lines)

    @property
    def total(self) -> int:
        return len(self.lines)


def tutorial_of(
    match: Match, engine: EngineMatch, side: str, answers: Mapping[str, str], choosing: Choosing | None
) -> Tutorial | None:
    """Return the panel for the player of `side` of a match from `find_match`; None where it teaches nothing. One query.

    `answers` are their choices so far, and `choosing` what comes of them, None when they are not asked.
    """
    if not match.is_tutorial:
        return None
    rows = match.actions.filter(side=side, cause="").order_by("sequence").values_list("sequence", "action")
    own = {number: action for number, action in rows if action is not None}
    done = done_by(own, hot_since(engine, side), is_over=match.is_over)
    step = None
    if choosing is not None and engine.decision is not None:
        orders = {option.word for option in choosing.question.options} if choosing.question else set()
        step = BY_KEY.get(step_key(engine, side, answers, choosing.preview is not None, done, orders))
    return Tutorial(step, tuple(Line(each.name, each.text, each.key in done) for each in STEPS))


def hot_since(engine: EngineMatch, side: str) -> int | None:
    """Return the number of the action by which the heat dial of one of the side's units first turned; None before."""
    own = _units(engine, side)
    for number, batch in enumerate(engine.events):
        if any(event["event"] == "heat_dial_turned" and event["unit"] in own for event in batch):
            return number
    return None


def _units(engine: EngineMatch, side: str) -> dict[str, Any]:
    return {key: unit for key, unit in engine.snapshot()["units"].items() if unit["side"] == side}


def done_by(actions: Mapping[int, Mapping[str, Any]], hot: int | None, *, is_over: bool) -> frozenset[str]:
    """Return the keys of the steps that a player has done by their own `actions`, by number.

    `hot` is as from `hot_since`: whoever has given an order since then has seen the heat.
    """
    found: set[str] = {"end"} if is_over else set()
    for number, action in actions.items():
        order, was_hot = action.get("order"), hot is not None and number > hot
        if order == "move":
            found |= {"hex", "turn", "go"}
        elif order in ATTACKS:
            found |= {"aim", "weapon", "fire"}
            if any(str(target).startswith("t") for target in action.get("targets", ())):
                found.add("token")
        if was_hot and order:
            found |= {"heat", "cool"} if order in COOLS else {"heat"}
        if "react" in action:
            found.add("react")
        if action.get("choose") == "initiative":
            found.add("first")
    return frozenset(found)


def step_key(
    engine: EngineMatch,
    side: str,
    answers: Mapping[str, str],
    is_complete: bool,
    done: frozenset[str],
    orders: Collection[str],
) -> str:
    """Return the key of the step that fits the open decision and the choices so far; empty for none.

    `orders` are those that may be chosen now; they count while there are no answers.
    """
    decision = engine.decision
    assert decision is not None
    always = {"react": "react", "initiative": "first"}
    if decision.kind in always:
        return _unless(always[decision.kind], done)
    if not answers and "heat" not in done and hot_since(engine, side) is not None:
        return "heat"
    number = engine.table.position.round
    if decision.kind == "move":
        if not is_complete:
            # Before a move the lesson speaks of what may not come by itself.
            is_new = answers or "hex" not in done
            later = [] if is_new else [key for key in ("token", "reacting") if LEARNED_BY.get(key, key) not in done]
            return _in_turn(later, number) or _unless("hex", done)
        return _unless("go" if "facing" in answers else "turn", done)
    if decision.kind != "combat":
        return ""
    if answers:
        if answers.get("order") not in ATTACKS:
            return "" if "fire" in done else "other"
        return _unless("fire" if is_complete else "weapon", done)
    if "fire" not in done:
        return "aim" if {*ATTACKS} & {*orders} else _without_target(orders)
    is_hot = any(unit["heat"] for unit in _units(engine, side).values())
    fits = {"token": bool({*ATTACKS} & {*orders}), "cool": is_hot}
    left = [key for key, does_fit in fits.items() if does_fit and key not in done]
    return _in_turn(left, number) or ("end" if done >= BY_KEY.keys() - {"end", *(step.key for step in ASIDES)} else "")


def _unless(key: str, done: Collection[str]) -> str:
    """Return the key of a step that the player has not done yet; "" for one that they have learned."""
    return "" if key in done else key


def _without_target(orders: Collection[str]) -> str:
    """Return the key of what is said where nothing can be attacked, which names only orders that may be chosen."""
    if "assault" in orders:
        return "assault"
    return "no_target" if "vent" in orders else "only_pass"


def _in_turn(keys: Sequence[str], number: int) -> str:
    """Return the key of a round, so that one that is never done does not stand before the others; "" without any."""
    return keys[number % len(keys)] if keys else ""
