"""Names for people of the keys that the season's pages show: causes of money and reputation, formats, tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FORMATS: dict[str, str | Promise] = {
    "standard": _("Standard"),
    "team": pgettext_lazy("format", "Team"),
    "weapons_dead": _("Weapons Dead"),
    "tag_team": _("Tag Team"),
    "capture_the_flag": _("Capture the Flag"),
    "grand_melee": _("Grand Melee"),
}

CLASSES: dict[str, str | Promise] = {
    "light": _("Featherweight (light)"),
    "medium": _("Lightweight (medium)"),
    "heavy": _("Middleweight (heavy)"),
    "assault": _("Heavyweight (assault)"),
    "multi": _("all classes in turn"),
}

LEDGER_CAUSES: dict[str, str | Promise] = {
    "starting_capital": _("Starting capital of the season"),
    "purchase": _("Bought %(name)s"),
    "emergency_hire": _("Hired %(name)s in an emergency"),
    "sponsor_grant": _("A sponsor’s grant for cycle %(cycle)s"),
    "sale": _("Sold %(name)s for its purchase price"),
    "repair": _("Repaired %(name)s (%(state)s)"),
    "compulsory_repair": _("Compulsory repair of %(name)s at the end of the cycle (%(state)s)"),
    "purse": _("Purse of cycle %(cycle)s for place %(place)s"),
    "withheld": _("Withheld for what the stable owes"),
    "reversal": _("Correction: %(reason)s"),
    "purse_corrected": _("Purse of cycle %(cycle)s after a corrected result"),
    "repair_refund": _("Repair of %(name)s after a corrected result"),
}

REPUTATION_CAUSES: dict[str, str | Promise] = {
    "win": pgettext_lazy("why reputation changed", "won"),
    "loss": pgettext_lazy("why reputation changed", "lost"),
    "surrender": _("surrendered"),
    "bye": _("bye"),
    "forfeit": _("forfeited"),
    "forfeit_win": _("won by forfeit"),
    "forfeit_of_another": _("another stable forfeited"),
    "correction": _("corrected"),
}

DECIDED_BY: dict[str, str | Promise] = {
    # Translators: words behind “decided by:”
    "reputation": _("reputation"),
    "kills": _("kills"),
    "wins": _("wins"),
    "total_reputation": _("reputation of the whole season"),
    "die": _("a die"),
    "match": _("the match itself"),
    "forfeit": _("a forfeit"),
}

TITLE_DECIDED_BY: dict[str, str | Promise] = {
    "reputation": _("reputation"),
    "kills": _("kills"),
    "sudden_death": _("sudden death"),
    "shared": _("shared"),
    "appearance": _("nobody else was there to fight"),
}
"""What decided a title (Title.Decision). The others did not appear, are dead, or have nobody to send (Q-164)."""

REPUTATION_A_MATCH = _("reputation a match")
"""What "reputation" is in DECIDED_BY when the stables of a cycle have played unequal numbers of matches."""

ASSET_KINDS: dict[str, str | Promise] = {
    "unit": _("’Mech"),
    "pilot": _("pilot"),
    "gear": _("gear"),
    "rally_card": _("rally card"),
}

STATES: dict[str, str | Promise] = {
    "undamaged": _("undamaged"),
    "able": _("damaged"),
    "salvage": _("damaged to salvage"),
    "eliminated": _("eliminated"),
}

MARKET_STATES: dict[str, str | Promise] = {
    "ai": _("the AI shops when the market closes"),
    "shopping": _("still shopping"),
    "basket_open": _("basket not sealed"),
    "basket_sealed": _("basket sealed, still shopping"),
    "ready": _("ready"),
}


def word(table: Mapping[str, str | Promise], key: str) -> str:
    """Return the name of `key`; an unknown key is shown with blanks for underscores."""
    return str(table.get(key) or key.replace("_", " "))


class _Known(dict[str, Any]):
    """The parameters of a cause; a missing one shows as an ellipsis."""

    def __missing__(self, key: str) -> str:
        return "…"


def ledger_sentence(cause: str, parameters: Mapping[str, Any]) -> str:
    """Return the cause of a ledger entry as a sentence; an ellipsis stands for a missing parameter."""
    template = word(LEDGER_CAUSES, cause)
    values = _Known(parameters)
    if "state" in values:
        values["state"] = word(STATES, str(values["state"]))
    return template % values
