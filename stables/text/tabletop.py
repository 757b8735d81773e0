"""The lines of the log of a match at a real table, one for each mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

ROLLS: Mapping[str, str | Promise] = {
    "attack": gettext_lazy("Attack roll"),
    "initiative": gettext_lazy("Initiative roll"),
    "one": gettext_lazy("One die"),
}

PLACES: Mapping[str, str | Promise] = {
    "lost": gettext_lazy("Not with us"),
    "carried": gettext_lazy("Carried by one of ours"),
    "home": gettext_lazy("In our starting area"),
}

HINTS: Mapping[str, str | Promise] = {
    "weapons_dead": gettext_lazy("No ranged orders and no ranged attacks in this match."),
    "tag_team": gettext_lazy(
        "At the end of each round the waiting partner cools by 1 and is repaired 1 click, unless a black marker shows."
    ),
    "capture_the_flag": gettext_lazy("Say where the flags are when the match is over; their places bring reputation."),
}
"""Format -> a reminder of its special rules, for people at a table."""


def odd_die() -> str:
    """Return the word after the die of the odd colour."""
    return gettext("odd")


def dice_text(dice: list[int]) -> str:
    """Return dice with their sum, the third one marked as the odd die: "3 + 4 + 5 (odd) = 12"; one die alone as "3"."""
    if len(dice) == 1:
        return str(dice[0])
    parts = [f"{die} ({odd_die()})" if place == 2 else str(die) for place, die in enumerate(dice)]
    return f"{' + '.join(parts)} = {sum(dice)}"


def mark_line(what: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the line of a mark; for a roll without dice only its beginning, to which a phone adds the dice.

    `names` has the names of units and sides by id.
    """
    kind = what["kind"]
    values = {
        "unit": names.get(what.get("unit", ""), ""),
        "of": names.get(what.get("of", ""), ""),
        "flag": names.get(what.get("flag", ""), ""),
        "amount": abs(what.get("amount", 0)),
        "rp": what.get("rp", 0),
        "number": what.get("number", 0),
        "place": PLACES.get(what.get("place", ""), ""),
    }
    if kind == "roll":
        rolled = dice_text(what["dice"]) if "dice" in what else ""
        where = gettext("by this site") if what.get("by") == "site" else gettext("on a phone")
        text = gettext("%(roll)s (%(where)s):") % {"roll": ROLLS[what["purpose"]], "where": where}
        return f"{text} {rolled}".strip()
    if kind in ("shutdown", "unconscious"):
        kind = f"{kind}_{'on' if what['on'] else 'off'}"
    if kind == "heat":
        kind = "heat_up" if what["amount"] > 0 else "heat_down"
    templates = {
        "damage": gettext("%(unit)s: %(amount)s damage"),
        "repair": gettext("%(unit)s: %(amount)s repaired"),
        "heat_up": gettext("%(unit)s: %(amount)s heat more"),
        "heat_down": gettext("%(unit)s: %(amount)s heat less"),
        "shutdown_on": gettext("%(unit)s shuts down"),
        "shutdown_off": gettext("%(unit)s restarts"),
        "unconscious_on": gettext("%(unit)s: the pilot is out"),
        "unconscious_off": gettext("%(unit)s: the pilot is awake"),
        "elimination": gettext("%(unit)s is eliminated"),
        "kill": gettext("%(unit)s eliminates %(of)s"),
        "token": gettext("A target token for %(rp)s reputation"),
        "flag": gettext("The flag of %(flag)s: %(place)s"),
        "round": gettext("Round %(number)s is over"),
        "surrender": gettext("We surrender"),
        "undo": gettext("Taken back"),
    }
    return templates[kind] % values
