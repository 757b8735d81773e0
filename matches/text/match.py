"""The words of a match that people read: those of rules.wording in the reader's language, and a few for pages only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from catalogue.text import labels
from matches.models import MatchAction
from rules import wording
from web.languages.reader import translate

COMBAT_VALUES = labels.DIAL_HEADS
"""The headings of a dial's columns."""

PHASES: dict[str, str | Promise] = {
    "setup": _("Before the match"),
    "initiative": _("Initiative"),
    "special": _("Special attacks"),
    "move": _("Move"),
    "combat": _("Combat"),
    "cleanup": _("Clean-up"),
    "finished": _("After the match"),
}
"""The headings of a replay's steps."""

SIDES: dict[str, str | Promise] = {
    "red": pgettext_lazy("side of a match", "Red"),
    "blue": pgettext_lazy("side of a match", "Blue"),
    "green": pgettext_lazy("side of a match", "Green"),
    "gold": pgettext_lazy("side of a match", "Gold"),
    "violet": pgettext_lazy("side of a match", "Violet"),
    "orange": pgettext_lazy("side of a match", "Orange"),
    "teal": pgettext_lazy("side of a match", "Teal"),
    "gray": pgettext_lazy("side of a match", "Gray"),
}


LEVELS: dict[str, str | Promise] = {
    "random": _("Easy"),
    "greedy": _("Fair"),
    "quick": _("Firm"),
    "tactical": _("Hard"),
    "strong": _("Expert"),
}
"""Bot -> how hard it plays, in the words of solo play; the last one plays no solo seasons."""


def bot_name(bot: str) -> str:
    """Return a bot as a player's opponent: "AI (Fair)"; one without a level has its own name, "" stays empty."""
    level = LEVELS.get(bot)
    return gettext("AI (%(level)s)") % {"level": level} if level is not None else word(bot or None)


def headline(result: Mapping[str, Any], winner: str | None) -> str:
    """Return who won a finished match with this result and by what, in a sentence; `winner` is None when nobody won."""
    if winner is None:
        return gettext("Nobody won.")
    sentence = ngettext(
        "%(name)s won in %(rounds)s round: %(ended_by)s.",
        "%(name)s won in %(rounds)s rounds: %(ended_by)s.",
        result["rounds"],
    )
    return sentence % {"name": winner, "rounds": result["rounds"], "ended_by": word(result["ended_by"])}


def ending(result: Mapping[str, Any], has_winner: bool) -> str:
    """Return why a finished match ended as it did, in one or two sentences that name nobody."""
    if not has_winner:
        return gettext("Nobody won.")
    sentence = ngettext(
        "After %(rounds)s round: %(ended_by)s.", "After %(rounds)s rounds: %(ended_by)s.", result["rounds"]
    )
    if not result["rounds"]:
        sentence = gettext("Before the first round: %(ended_by)s.")
    said = sentence % {"rounds": result["rounds"], "ended_by": word(result["ended_by"])}
    tie_break = word(result.get("tie_break"))
    if not tie_break:
        return said
    decided = gettext("Reputation was equal. Decided by: %(tie_break)s.") % {"tie_break": tie_break}
    return f"{said} {decided}"


_CAUSES: dict[str, str | Promise] = {
    MatchAction.Cause.STANDING: _("standing answer"),
    MatchAction.Cause.GIVEN: _("the AI finished the match"),
    MatchAction.Cause.OPENING: _("the AI opened for the player"),
    MatchAction.Cause.TIME: _("time was up: the AI answered"),
}
"""Causes that a log says in other words than the model stores."""


def cause_text(cause: str) -> str:
    """Return how an action was answered if not by its player, as a log says it; "" for a player's own answer."""
    return str(_CAUSES.get(cause) or MatchAction.Cause(cause).label) if cause else ""


def word(key: str | None) -> str:
    """Return the name of a word of the rules in the reader's language; empty for None and ""."""
    return wording.name(key, translate) if key else ""


def heading(table: dict[str, str | Promise], key: str) -> str:
    """Return the name of `key` in `table` (COMBAT_VALUES, PHASES or SIDES), or its name in the rules without one."""
    return str(table[key]) if key in table else word(key)
