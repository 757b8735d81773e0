"""Sentences about results: the effects of settling or correcting one, and the fields of reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from rules.wording.filling import signed
from stables.models import Title
from web.languages.reader import in_stones

Document = Mapping[str, Any]

ENDINGS: dict[str, str | Promise] = {
    "last_side": _("one side was left"),
    "time_limit": _("time was up"),
    "agreement": _("all agreed to stop"),
    "surrender": _("a surrender ended it"),
    "forfeit": _("forfeited"),
    "void": _("voided"),
}

SOURCES: dict[str, str | Promise] = {
    "eliminations": _("eliminations"),
    "tokens": _("target tokens"),
    "flags": _("flags"),
    "surrender": _("surrender"),
}

FIELDS: dict[str, str | Promise] = {
    "ended_by": _("how it ended"),
    "winner": _("winner"),
    "eliminations": _("reputation for eliminations"),
    "tokens": _("reputation for target tokens"),
    "flags": _("reputation for flags"),
    "surrendered": _("surrendered"),
    "clicks": _("clicks of damage"),
    "eliminated": _("eliminated"),
    "kills": _("kills"),
    "died": _("pilot died"),
}

FATES: dict[str, str | Promise] = {
    "no": _("lives"),
    "yes": _("died"),
    "roll": _("the server rolls"),
}

STAYS: dict[str, str | Promise] = {
    # Translators: it is a unit
    "fought": _("it has fought since"),
    "refund": _("it has been repaired since, for no more than it would cost now"),
    "kept": _("it does not belong to the stable any more"),
}


def effect_sentence(effect: Document) -> str:
    """Return one effect of a settlement or a correction as a sentence in the reader's language."""
    what, who = effect["what"], effect.get("name") or effect["stable_name"]
    if effect.get("name"):
        who = gettext("%(name)s (%(stable)s)") % {"name": effect["name"], "stable": effect["stable_name"]}
    values = {"who": who, **{key: effect[key] for key in ("cycle", "before", "after") if key in effect}}
    amount = int(effect.get("amount", 0))
    size = in_stones(abs(amount))
    values |= {"amount": signed(amount), "stones": f"{signed(amount)[:1]}{size}" if amount else size, "owed": size}
    if "title" in effect:
        values["title"] = str(dict(Title.Kind.choices)[effect["title"]])
    if what == "damage":
        return _damage(who, effect["before"], effect["after"])
    if what == "damage_stays":
        why = str(STAYS.get(effect["why"], effect["why"]))
        # Translators: %(why)s is a clause such as “it has fought since”
        return gettext("The damage of %(who)s stays: %(why)s.") % {"who": who, "why": why}
    templates = {
        "reputation": gettext("%(who)s: %(amount)s reputation."),
        "kills": gettext("%(who)s: %(amount)s in kills."),
        "wins": gettext("%(who)s: %(amount)s in matches won."),
        "matches": gettext("%(who)s: %(amount)s in matches played."),
        "death": gettext("%(who)s dies."),
        "revival": gettext("%(who)s lives: the death is cancelled."),
        "place": gettext("%(who)s: place %(after)s in cycle %(cycle)s instead of %(before)s."),
        "purse": gettext("%(who)s: %(stones)s, the difference of the purses of cycle %(cycle)s."),
        "repair_refund": gettext("%(who)s: %(stones)s for its repair."),
        "title_won": gettext("The title “%(title)s” goes to %(who)s."),
        "title_tied": gettext("%(who)s is tied for the title “%(title)s”: a sudden death decides it."),
        "title_lost": gettext("%(who)s does not hold the title “%(title)s” any more."),
        "owed": gettext("%(who)s owes %(owed)s: there is no more to take."),
    }
    return templates[what] % values


def _damage(who: str, before: Document, after: Document) -> str:
    return gettext("%(who)s: %(after)s, before %(before)s.") % {
        "who": who,
        "before": worn(before),
        "after": worn(after),
    }


def worn(wear: Document) -> str:
    """Return the state of a unit in words: "eliminated", "undamaged", "3 clicks of damage"."""
    if wear["eliminated"]:
        return gettext("eliminated")
    if not wear["clicks"]:
        return gettext("undamaged")
    clicks = int(wear["clicks"])
    return ngettext("%(clicks)s click of damage", "%(clicks)s clicks of damage", clicks) % {"clicks": clicks}


def effect_lines(effects: Iterable[Document]) -> list[str]:
    """Return the sentences of several effects, in their order."""
    return [effect_sentence(effect) for effect in effects]


TITLES = ("title_lost", "title_tied", "title_won")
"""The effects of a correction on who is champion."""

TOLD = ("owed", "reputation", "purse", "repair_refund", "place", "death", "revival", *TITLES)
"""The effects of a correction that its notice and its line in the log name; the page of the match has all of them."""

_BROKEN = (KeyError, TypeError, ValueError, OverflowError)
"""What an effect raises that is none: the log of an imported season may hold anything."""


def told_effects(effects: Any) -> Any:
    """Return the effects of a correction as sentences, debts first, so that a short message does not lose them.

    Those on pilots' reputation are left out, and what only books hold; without any other effect all stay. Anything
    else than a list is returned as it is.
    """
    if not isinstance(effects, list):
        return effects
    known = [effect for effect in effects if isinstance(effect, Mapping)]
    told = [
        effect
        for effect in known
        if effect.get("what") in TOLD and (effect["what"] != "reputation" or not effect.get("name"))
    ]
    sentences = [_sentence(effect) for effect in sorted(told or known, key=lambda effect: effect.get("what") != "owed")]
    return " ".join(filter(None, sentences)) or gettext("nothing in the books.")


def _sentence(effect: Document) -> str:
    try:
        return effect_sentence(effect)
    except _BROKEN:
        return ""


def field_name(path: str, names: Mapping[str, str]) -> str:
    """Return the name of a report's field by its dotted path; `names` has the names of sides and units by id."""
    *above, name = path.split(".")
    text = str(FIELDS.get(name, name.replace("_", " ")))
    return f"{names.get(above[1], above[1])}: {text}" if len(above) > 1 else text


def value_text(path: str, value: Any, names: Mapping[str, str]) -> str:
    """Return the value of a report's field in words; `names` has the names of sides and units by id."""
    name = path.rpartition(".")[2]
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if name == "winner":
        return names.get(str(value), str(value))
    if name == "ended_by":
        return str(ENDINGS.get(value, value))
    return str(FATES.get(value, value)) if name == "died" else str(value)
