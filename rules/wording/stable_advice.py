"""What an owner should buy, repair, sell, assign and keep: a line for each deed, a sentence for each reason.

The codes come from `rules.bots.owners.advice`. Prices are Stones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.messages import gettext_noop, ngettext_noop
from rules.wording.advice import UNKNOWN_REASON, Names, shown_as
from rules.wording.attacks import called
from rules.wording.cards import TEXTS
from rules.wording.filling import joined, say
from rules.wording.language import Stones, Translate, identity
from rules.wording.vocabulary import name

DEEDS: Mapping[str, str] = {
    "sell": gettext_noop("Sell {name}: {stones}."),
    "repair": gettext_noop("Repair {name}: {stones}."),
    "mount": gettext_noop("Put {name} on {unit}."),
    "hire": gettext_noop("Hire {name}: {stones}."),
    "buy": gettext_noop("Buy {name}: {stones}."),
    "wait": gettext_noop("{name} can wait; its repair costs {stones}."),
    "keep": gettext_noop("Keep {name}."),
    "save": gettext_noop("Keep {stones} back."),
}
"""Deed -> template."""

STABLE_REASONS: Mapping[str, str] = {
    # Repairs.
    "clicks_for": gettext_noop("Its dial goes back to the start marker for {stones}; clicks to turn: {clicks}."),
    "raised_for": gettext_noop("It comes back to its start marker for {stones}; until then it can do nothing."),
    "restores": gettext_noop("This brings back: {values}."),
    "misses": gettext_noop("What it misses: {values}."),
    "salvage_ends": gettext_noop("Showing Salvage it may stay at home and hardly fights ({rule})."),
    "next_match": gettext_noop("Next match: {format}, class {class}."),
    "able_crews_lack": gettext_noop("Without it able crews for the match are there: {able}; it takes {needed}."),
    "undamaged_crews_lack": gettext_noop(
        "Without it undamaged crews for the match are there: {undamaged}; it takes {needed}."
    ),
    "raises_worth": gettext_noop("It raises the worth of what you can field, in points: {points}."),
    "back_after_next": gettext_noop(
        "It sits out the next match and is there for the one after, so it is a reserve ({rule})."
    ),
    "repaired_at_close": gettext_noop(
        "When the cycle closes it is repaired anyway, in your order, if you can pay for it: {stones} ({rule})."
    ),
    "too_dear": gettext_noop("You are short by {missing}."),
    "not_its_match": gettext_noop("It cannot fight in the next match: {format}, class {class}."),
    "repair_too_late": gettext_noop(
        "Even if it is repaired now it sits out the next match, so its repair does not help there ({rule})."
    ),
    "undamaged_crews_suffice": gettext_noop("Undamaged crews for the next match: {undamaged}; it takes {needed}."),
    "changes_nothing": gettext_noop("Its repair would not change what you field in the next match."),
    # Gear and cards that are there.
    "idle_on_list": gettext_noop("It lies on the list and serves nobody, and {unit} carries no gear."),
    "adds": gettext_noop("It adds: {modifiers}."),
    "gives": gettext_noop("It gives: {equipment}."),
    # Selling.
    "no_match_of_class": gettext_noop(
        "No match of this class is to come: {class}. A sale brings back the full price ({rule})."
    ),
    "second_copy": gettext_noop("You have another copy of {card}, and a hand takes one."),
    "pays_for_crew": gettext_noop("You lack a crew for the next match, and this helps to pay for one."),
    # Buying.
    "crew_needed": gettext_noop("Next: {format}, class {class}. Crews it takes: {needed}."),
    "crews_want": gettext_noop("Your Stones make fewer crews than the next match takes: {able} of {needed}."),
    "fields_fewer": gettext_noop("A stable with fewer crews than the match takes fields those that it has ({rule})."),
    "one_more_wants": gettext_noop("For one crew more you are short by {missing}."),
    "crew_in_reserve": gettext_noop(
        "A crew in reserve: whoever is eliminated sits out the match after, even when repaired ({rule})."
    ),
    "goes_with": gettext_noop("It goes with {others}."),
    "comes_to": gettext_noop("Together they come to {points} points of {ceiling}."),
    "gear_for": gettext_noop("{unit} carries no gear and has room for it."),
    "card_for_hand": gettext_noop("A card for the hand that you have no copy of. {text}"),
    "requirement_met": gettext_noop("What it asks for is met on {clicks} of the {all} clicks of {name}."),
    "ends_emergency": gettext_noop("Nothing but a pilot is missing to field a crew, and this is the cheapest one."),
    # Keeping.
    "duty_depends": gettext_noop("Without it you could field nobody of this class: {class} ({rule})."),
    "repairs_ahead": ngettext_noop(
        "A ’Mech that is eliminated in a match fights again only once it is repaired, for {stones} at most "
        "({rule}). That pays for {repairs} repair.",
        "A ’Mech that is eliminated in a match fights again only once it is repaired, for {stones} at most "
        "({rule}). That pays for {repairs} repairs.",
        by="repairs",
    ),
    "repair_ahead": gettext_noop(
        "A ’Mech that is eliminated in a match fights again only once it is repaired, for {stones} at most "
        "({rule}). You have less than that, so buy nothing that can wait."
    ),
}
"""Code -> template. Its placeholders are the parameters of the reason, and `text`, which says what a card does."""

AMOUNTS = ("stones", "missing")
"""The parameters that are Stones."""

CHANGE = gettext_noop("{value} {now} → {then}")


def deed_sentence(deed: str, parameters: Mapping[str, Any], translate: Translate = identity) -> str:
    """Return what to do, in one line; `parameters` are `name`, `stones` and for gear `unit`, as people read them."""
    amounts = {key: Stones(value) for key, value in parameters.items() if key in AMOUNTS and isinstance(value, int)}
    return say(DEEDS.get(deed, UNKNOWN_REASON), {"code": deed, **parameters, **amounts}, translate)


def stable_reason(code: str, parameters: Mapping[str, Any], names: Names, translate: Translate = identity) -> str:
    """Return a reason in words. It never raises.

    `names` holds the names of assets by their keys and of catalogue entries by their ids.
    """
    if code not in STABLE_REASONS:
        return say(UNKNOWN_REASON, {"code": code}, translate)
    values = {key: _shown(key, value, names, translate) for key, value in parameters.items()}
    if parameters.get("effect") in TEXTS:
        values["text"] = translate(TEXTS[parameters["effect"]])
    return say(STABLE_REASONS[code], values, translate)


def _shown(key: str, value: Any, names: Names, translate: Translate) -> Any:
    if key == "values":
        return ", ".join(
            say(CHANGE, {"value": name(word, translate), "now": now, "then": then}, translate)
            for word, (now, then) in value.items()
        )
    if key == "others":
        return joined([called(each, names, translate) for each in value], translate)
    if key in AMOUNTS and isinstance(value, int):
        return Stones(value)
    return value if key == "name" else shown_as(key, value, names, translate)
