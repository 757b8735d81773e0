"""A complete answer as an act in one line, for the button that commits it: "Fire at Raven, 62 %"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.presenters import questions
from matches.presenters.previews import Preview
from rules.competition.narrowing import FACINGS, NONE, Narrowing, describe
from rules.wording.filling import joined
from web.languages.reader import translate

ATTACKS: dict[str, str | Promise] = {
    # Translators: %(targets)s of these may be several names, each with its chance
    "ranged": _("Fire at %(targets)s"),
    # Translators: %(targets)s may be several names, each with its chance
    "close": _("Strike %(targets)s"),
    "pin": _("Pin %(targets)s"),
    "charge": _("Charge %(targets)s"),
    "assault": _("Assault %(targets)s"),
    "death_from_above": _("Jump onto %(targets)s"),
}
_AIDS: dict[str, str | Promise] = {
    "repair": _("Repair %(targets)s"),
    "coolant_flush": _("Coolant Flush for %(targets)s"),
}
_WAYS: dict[str, str | Promise] = {
    "walk": _("Walk to %(hex)s"),
    "run": _("Run to %(hex)s"),
    "jump": _("Jump to %(hex)s"),
}
_FROM: dict[str, str | Promise] = {
    "walk": _("from hex %(hex)s"),
    "jump": _("jumping to hex %(hex)s first"),
}
_CHOICES: dict[str, str | Promise] = {
    "hex": _("hex %(label)s"),
    "facing": _("facing %(label)s"),
    "card": _("play %(label)s"),
    "active": _("begin with %(label)s"),
    "with": _("change with %(label)s"),
}

Label = Callable[[str, str], str]
"""A function from a question and a word to the word's label."""


def act_of(found: Narrowing, preview: Preview, origin: str, label: Label) -> str:
    """Return the act that a complete answer is, with the chance to hit each target of an attack.

    `origin` is the hex of its unit. An answer that is neither an attack nor a move is named by what was chosen.
    """
    assert found.action is not None
    words = describe(found.action, origin)
    if preview.attack is not None and "order" in found.action:
        return _attack(preview)
    if words.get("order") == "pin":  # R-PIN-02: without dice, so there is no chance to tell
        return str(ATTACKS["pin"]) % {"targets": label("target", words["target"])}
    if preview.path:
        return str(_WAYS[words.get("mode", "walk")]) % {"hex": words["hex"]}
    if words.get("order") == "move":
        return gettext("Turn to %(clock)s") % {"clock": label("facing", words["facing"])}
    return _choice(found, words, label)


def _attack(preview: Preview) -> str:
    assert preview.attack is not None
    assert preview.forecast is not None
    targets = joined(
        (
            gettext("%(name)s, %(chance)s %%") % {"name": target.name, "chance": target.chance}
            for target in preview.attack.targets
        ),
        translate,
    )
    aid = preview.forecast.aid
    form = _AIDS[aid] if aid else ATTACKS[preview.forecast.order]
    return str(form) % {"targets": targets}


def _choice(found: Narrowing, words: Mapping[str, str], label: Label) -> str:
    """Return everything that was chosen; a name alone does not say what becomes of it."""
    asked = {step.key for step in found.steps if not step.is_default or step.key in FACINGS}
    said = [key for key in words if key in asked] or list(words)[:1]
    forms = {key: str(_CHOICES.get(key, "%(label)s")) if words[key] != NONE else "%(label)s" for key in said}
    text = ", ".join(form % {"label": label(key, words[key])} for key, form in forms.items())
    return capfirst(text)


def line_of(
    action: Mapping[str, Any],
    origin: str,
    why: Mapping[str, Any],
    names: Mapping[str, str],
    friends: Collection[str] = (),
) -> str:
    """Return an answer as an act in one line, without chances: "Fire at Raven with secondary damage".

    `origin` is the hex of its unit, `why` what the question was about, `friends` are the units of its side: an attack
    on one of them helps it (R-ATK-07). The way to a hex is left out.
    """
    words = {key: word for key, word in describe(action, origin).items() if word and key != "path"}
    if words.get("cancel") == NONE and len(words) > 1:
        del words["cancel"]
    labels = {key: questions.label_of(key, word, why, names) for key, word in words.items()}
    order, mode = words.pop("order", ""), words.pop("mode", "walk")
    if order == "move" and not action["path"]:
        parts = [gettext("Turn to %(clock)s") % {"clock": labels["facing"]}]
        words.pop("facing")
    elif order == "move":
        parts = [str(_WAYS[mode]) % labels]
    elif "target" in words:
        parts = [_attack_line(order, labels, words["target"] in friends)]
        if order == "assault":
            parts.append(str(_FROM[mode]) % labels)
    else:
        parts = [labels["order"]] if order else []
    parts += [
        str(_CHOICES.get(key, "%(label)s") if word != NONE else "%(label)s") % {"label": labels[key]}
        for key, word in words.items()
        if not (order and key in ("hex", "target", "attack"))
    ]
    text = ", ".join(parts)
    return capfirst(text)


def _attack_line(order: str, labels: Mapping[str, str], helps: bool) -> str:
    if helps:
        return gettext("Help %(targets)s") % {"targets": labels["target"]}
    act = str(ATTACKS.get(order, "%(targets)s")) % {"targets": labels["target"]}
    if not labels["attack"]:
        return act
    return gettext("%(act)s with %(attack)s") % {"act": act, "attack": labels["attack"]}
